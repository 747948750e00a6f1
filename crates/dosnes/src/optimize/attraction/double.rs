//! Pair by pair, in double precision.

use super::{Pull, ROWS};
use crate::{input::Csr, repulsion::Kernel};
use rayon::prelude::*;

pub(super) struct Pairs {
    kernel: Kernel,
    indptr: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

impl Pairs {
    pub(super) fn new(p: &Csr, total: f64, kernel: Kernel) -> Self {
        let (indptr, indices, mut values) = p.clone().into_raw_storage();
        for value in &mut values {
            *value /= total;
        }
        Self { kernel, indptr, indices, values }
    }

    pub(super) fn evaluate<const D: usize>(
        &self,
        points: &[[f64; D]],
        scale: f64,
        forces: &mut [[f64; D]],
        weights: &mut [f64],
    ) -> Pull {
        let partial: Vec<Pull> = forces
            .par_chunks_mut(ROWS)
            .zip(weights.par_chunks_mut(ROWS))
            .enumerate()
            .map(|(chunk, (forces, weights))| {
                let mut pull = Pull::default();
                for (offset, (force, weight)) in forces.iter_mut().zip(weights).enumerate() {
                    pull = pull + self.row(chunk * ROWS + offset, points, scale, force, weight);
                }
                pull
            })
            .collect();
        partial.into_iter().fold(Pull::default(), std::ops::Add::add)
    }

    fn row<const D: usize>(
        &self,
        i: usize,
        points: &[[f64; D]],
        scale: f64,
        force: &mut [f64; D],
        weight: &mut f64,
    ) -> Pull {
        let mut sum = [0.0; D];
        let mut total = 0.0;
        let mut pull = Pull::default();
        let range = self.indptr[i]..self.indptr[i + 1];
        for (&j, &p) in self.indices[range.clone()].iter().zip(&self.values[range]) {
            let difference: [f64; D] = std::array::from_fn(|k| scale * points[i][k] - scale * points[j as usize][k]);
            let d2: f64 = difference.iter().map(|v| v * v).sum();
            let w = match self.kernel {
                Kernel::Cauchy => {
                    let pq = p / (1.0 + d2);
                    pull.slope += 2.0 * pq * d2;
                    pull.curvature += 4.0 * pq * d2 / (1.0 + d2);
                    pull.energy += p * d2.ln_1p();
                    pq
                }
                Kernel::Gaussian => {
                    pull.slope += 2.0 * p * d2;
                    pull.curvature += 4.0 * p * d2;
                    pull.energy += p * d2;
                    p
                }
            };
            total += w;
            for k in 0..D {
                sum[k] += w * difference[k];
            }
        }
        *force = sum;
        *weight = total;
        pull
    }
}
