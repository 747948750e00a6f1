//! Sums in single precision, eight pairs at once, as fast as memory allows.
//!
//! The pairs of a row are stored in blocks of eight, one cache line each: indices, then similarities. A point has four
//! floats, so it is one load; a few shuffles turn eight points into vectors of x, y and z. A gather instruction would
//! take several times as long. In the plane z is zero.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the detected vector instructions")]

use super::{Pull, ROWS};
use crate::{
    kernel::Kernel,
    simd::{self, Instructions, Lanes, SingleLanes, Work},
    sparse::CsrMatrix,
};
use rayon::prelude::*;

const LANES: usize = 8;
/// x, y, z, and one unused element.
type Point = [f32; 4];

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Block {
    indices: [u32; LANES],
    similarities: [f32; LANES],
}

pub(super) struct Pairs {
    kernel: Kernel,
    /// Start of each row's blocks, followed by the end.
    starts: Vec<usize>,
    /// The last block of a row is padded with pairs of the point and itself, of similarity zero.
    blocks: Vec<Block>,
    points: Vec<Point>,
}

impl Pairs {
    /// `p` divided by `total`, with the points in the given order if there is one: `order[new]` is the old index.
    pub(super) fn new(p: &CsrMatrix, total: f64, kernel: Kernel, order: Option<&[u32]>) -> Self {
        let n = p.rows();
        let old_index = |new: usize| order.map_or(new, |order| order[new] as usize);
        let new_indices: Option<Vec<u32>> = order.map(|order| {
            let mut new_indices = vec![0; n];
            for (new, &old) in order.iter().enumerate() {
                new_indices[old as usize] = new as u32;
            }
            new_indices
        });
        let ends = p.row_starts();
        let mut starts = Vec::with_capacity(n + 1);
        let mut blocks = Vec::with_capacity(p.nnz().div_ceil(LANES) + n);
        starts.push(0);
        for new in 0..n {
            let old = old_index(new);
            let row = ends[old]..ends[old + 1];
            for (indices, values) in p.column_indices()[row.clone()].chunks(LANES).zip(p.values()[row].chunks(LANES)) {
                let mut block = Block { indices: [new as u32; LANES], similarities: [0.0; LANES] };
                for (lane, (&j, value)) in indices.iter().zip(values).enumerate() {
                    block.indices[lane] = new_indices.as_ref().map_or(j, |new_indices| new_indices[j as usize]);
                    block.similarities[lane] = (value / total) as f32;
                }
                blocks.push(block);
            }
            starts.push(blocks.len());
        }
        Self { kernel, starts, blocks, points: vec![[0.0; 4]; n] }
    }

    pub(super) fn evaluate<const D: usize>(
        &mut self,
        points: &[[f64; D]],
        scale: f64,
        forces: &mut [[f64; D]],
        weights: &mut [f64],
    ) -> Pull {
        assert_eq!(points.len(), self.points.len(), "one point for each row of the similarities");
        self.points.par_iter_mut().with_min_len(4096).zip(points).for_each(|(single, point)| {
            for k in 0..D {
                single[k] = (scale * point[k]) as f32;
            }
        });
        let (starts, blocks, points, kernel) = (&self.starts, &self.blocks, &self.points, self.kernel);
        let partial: Vec<Pull> = forces
            .par_chunks_mut(ROWS)
            .zip(weights.par_chunks_mut(ROWS))
            .enumerate()
            .map(|(chunk, (forces, weights))| {
                simd::run(Rows { starts, blocks, points, kernel, first: chunk * ROWS, forces, weights })
            })
            .collect();
        partial.into_iter().fold(Pull::default(), std::ops::Add::add)
    }
}

/// The rows of one task.
struct Rows<'a, const D: usize> {
    starts: &'a [usize],
    blocks: &'a [Block],
    points: &'a [Point],
    kernel: Kernel,
    first: usize,
    forces: &'a mut [[f64; D]],
    weights: &'a mut [f64],
}

impl<const D: usize> Work for Rows<'_, D> {
    type Output = Pull;

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) -> Pull {
        let mut pull = Pull::default();
        for (offset, (force, weight)) in self.forces.iter_mut().zip(self.weights).enumerate() {
            let i = self.first + offset;
            let blocks = &self.blocks[self.starts[i]..self.starts[i + 1]];
            let sums = match self.kernel {
                Kernel::Cauchy => cauchy_row::<S::Single>(simd, &self.points[i], blocks, self.points),
                Kernel::Gaussian => gaussian_row::<S::Single>(simd, &self.points[i], blocks, self.points),
            };
            *force = std::array::from_fn(|k| f64::from(sums.force[k].total()));
            *weight = f64::from(sums.weight.total());
            pull = pull
                + Pull {
                    energy: f64::from(sums.energy.total()),
                    slope: 2.0 * f64::from(sums.slope.total()),
                    curvature: 4.0 * f64::from(sums.curvature.total()),
                };
        }
        pull
    }
}

/// The sums of a row, one partial sum per lane.
struct Sums<V> {
    force: [V; 3],
    /// Σ w.
    weight: V,
    /// Σ p (−log q).
    energy: V,
    /// Σ w d².
    slope: V,
    /// Σ w d² q (Cauchy) or Σ w d² (Gaussian).
    curvature: V,
}

impl<V: SingleLanes> Sums<V> {
    #[inline(always)]
    fn zero(simd: V::Proof) -> Self {
        let zero = V::splat(simd, 0.0);
        Self { force: [zero; 3], weight: zero, energy: zero, slope: zero, curvature: zero }
    }

    #[inline(always)]
    fn add_force(&mut self, w: V, differences: &[V; 3]) {
        for (sum, &difference) in self.force.iter_mut().zip(differences) {
            *sum = w.mul_add(difference, *sum);
        }
    }
}

#[inline(always)]
fn cauchy_row<V: SingleLanes>(simd: V::Proof, point: &Point, blocks: &[Block], points: &[Point]) -> Sums<V> {
    let one = V::splat(simd, 1.0);
    let mut sums = Sums::zero(simd);
    for block in blocks {
        let (differences, d2) = differences::<V>(simd, point, block, points);
        let p = V::load(simd, &block.similarities);
        let t = d2.add(one);
        let q = t.recip();
        let w = p.mul(q);
        let stretch = w.mul(d2);
        sums.energy = p.mul_add(t.ln_from_one(), sums.energy);
        sums.slope = sums.slope.add(stretch);
        sums.curvature = stretch.mul_add(q, sums.curvature);
        sums.weight = sums.weight.add(w);
        sums.add_force(w, &differences);
    }
    sums
}

#[inline(always)]
fn gaussian_row<V: SingleLanes>(simd: V::Proof, point: &Point, blocks: &[Block], points: &[Point]) -> Sums<V> {
    let mut sums = Sums::zero(simd);
    for block in blocks {
        let (differences, d2) = differences::<V>(simd, point, block, points);
        let p = V::load(simd, &block.similarities);
        sums.energy = p.mul_add(d2, sums.energy);
        sums.weight = sums.weight.add(p);
        sums.add_force(p, &differences);
    }
    sums.slope = sums.energy;
    sums.curvature = sums.energy;
    sums
}

/// y_i − y_j by axis, and the squared distances.
#[inline(always)]
fn differences<V: SingleLanes>(simd: V::Proof, point: &Point, block: &Block, points: &[Point]) -> ([V; 3], V) {
    let others = V::gather(simd, points, &block.indices);
    let differences: [V; 3] = std::array::from_fn(|k| V::splat(simd, point[k]).sub(others[k]));
    let [x, y, z] = differences;
    (differences, x.mul_add(x, y.mul_add(y, z.mul(z))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Choice;

    #[test]
    fn rows_are_the_same_to_rounding_with_any_instructions() {
        let n = 40;
        let points: Vec<Point> =
            (0..n).map(|i| [0.9, 1.7, 2.3, 0.0].map(|speed| 3.0 * (speed * i as f32).sin())).collect();
        let blocks: Vec<Block> = (0..3 * n)
            .map(|b| Block {
                indices: std::array::from_fn(|lane| ((b * 7 + lane * 5) % n) as u32),
                similarities: std::array::from_fn(|lane| 0.01 * (1 + (b + lane) % 9) as f32),
            })
            .collect();
        let starts: Vec<usize> = (0..=n).map(|i| 3 * i).collect();
        for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
            let [best, portable] = Choice::both(|choice| {
                let (mut forces, mut weights) = (vec![[0.0; 3]; n], vec![0.0; n]);
                let rows = Rows {
                    starts: &starts,
                    blocks: &blocks,
                    points: &points,
                    kernel,
                    first: 0,
                    forces: &mut forces,
                    weights: &mut weights,
                };
                let pull = choice.run(rows);
                (forces, weights, pull)
            });
            assert!(best.1.iter().all(|&weight| weight > 0.0));
            // A row adds 24 terms, each below 0.09 · 6; the pull adds 40 rows with squares of up to 108.
            let near = |a: f64, b: f64, size: f64| (a - b).abs() <= 30.0 * f64::from(f32::EPSILON) * size;
            for i in 0..n {
                assert!(near(best.1[i], portable.1[i], 24.0 * 0.09), "{} {}", best.1[i], portable.1[i]);
                for k in 0..3 {
                    assert!(near(best.0[i][k], portable.0[i][k], 24.0 * 0.54));
                }
            }
            let size = 24.0 * n as f64 * 0.09 * 108.0;
            assert!(near(best.2.energy, portable.2.energy, size));
            assert!(near(best.2.slope, portable.2.slope, size));
            assert!(near(best.2.curvature, portable.2.curvature, size));
        }
    }
}
