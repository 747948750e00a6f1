//! The attractive half of the gradient: sums over the stored similarities.

use crate::{
    input::Csr,
    parallel::{CHUNK, sum_over},
    repulsion::Kernel,
};
use rayon::prelude::*;

/// The similarities as the optimizer reads them: P with Σ_ij p_ij = 1.
pub(crate) struct Attraction {
    kernel: Kernel,
    indptr: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
    /// Σ p log p.
    negative_entropy: f64,
}

/// Sums over the stored pairs. `energy` is Σ p (−log q); the others are its derivatives in the logarithm of the map's scale.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Pull {
    pub(crate) energy: f64,
    pub(crate) slope: f64,
    pub(crate) curvature: f64,
}

impl std::ops::Add for Pull {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            energy: self.energy + other.energy,
            slope: self.slope + other.slope,
            curvature: self.curvature + other.curvature,
        }
    }
}

/// Rows a task.
const ROWS: usize = CHUNK / 8;

impl Attraction {
    pub(crate) fn new(p: &Csr, kernel: Kernel) -> Self {
        let (indptr, indices, mut values) = p.clone().into_raw_storage();
        let total = sum_over(values.len(), |k| values[k]);
        for value in &mut values {
            *value /= total;
        }
        let negative_entropy =
            sum_over(values.len(), |k| if values[k] > 0.0 { values[k] * values[k].ln() } else { 0.0 });
        Self { kernel, indptr, indices, values, negative_entropy }
    }

    /// KL(P‖Q) = Σ p log p + Σ p (−log q) + log Z.
    pub(crate) fn kl(&self, energy: f64, z: f64) -> f64 {
        self.negative_entropy + energy + z.ln()
    }

    /// Sets `forces[i]` to Σ_j w_ij (y_i − y_j) and `weights[i]` to Σ_j w_ij, with w = p q (Cauchy) or p (Gaussian).
    pub(crate) fn evaluate<const D: usize>(
        &self,
        y: &[[f64; D]],
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
                    pull = pull + self.row(chunk * ROWS + offset, y, force, weight);
                }
                pull
            })
            .collect();
        partial.into_iter().fold(Pull::default(), std::ops::Add::add)
    }

    fn row<const D: usize>(&self, i: usize, y: &[[f64; D]], force: &mut [f64; D], weight: &mut f64) -> Pull {
        let mut sum = [0.0; D];
        let mut total = 0.0;
        let mut pull = Pull::default();
        let range = self.indptr[i]..self.indptr[i + 1];
        for (&j, &p) in self.indices[range.clone()].iter().zip(&self.values[range]) {
            let difference: [f64; D] = std::array::from_fn(|k| y[i][k] - y[j as usize][k]);
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
