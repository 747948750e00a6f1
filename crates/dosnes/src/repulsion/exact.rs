//! Every pair, one by one: the reference for all faster methods, and the fastest method for small maps.

#![allow(clippy::inline_always, reason = "only what is inlined is compiled for the vector instructions that are found")]

use super::{Repulsion, SphereRepulsion, Totals};
use crate::{
    kernel::Kernel,
    parallel::CHUNK,
    simd::{self, Instructions, Lanes, Real, Work},
    sphere::Vec3,
};
use rayon::prelude::*;

/// Exact sums over all pairs.
pub(crate) struct Exact<const D: usize> {
    kernel: Kernel,
    /// The coordinates by axis: the inner loop reads them in order.
    axes: [Vec<f64>; D],
}

/// Vectors that the inner loop takes at once, and the pairs in them. The sums of all lanes are kept apart.
const VECTORS: usize = 2;
const LANES: usize = VECTORS * f64::LANES;
/// Where the padding of the last block stands: so far away that q is zero in double precision.
const FAR: f64 = 1e200;
/// Rows per task: a small map must still use every core.
const ROWS: usize = CHUNK / 32;

impl<const D: usize> Exact<D> {
    pub(crate) fn new(kernel: Kernel) -> Self {
        Self { kernel, axes: std::array::from_fn(|_| Vec::new()) }
    }
}

impl<const D: usize> Repulsion<D> for Exact<D> {
    fn evaluate(&mut self, y: &[[f64; D]], forces: &mut [[f64; D]]) -> Totals {
        for (axis, values) in self.axes.iter_mut().enumerate() {
            values.clear();
            values.extend(y.iter().map(|point| point[axis]));
            values.resize(y.len().next_multiple_of(LANES), FAR);
        }
        let (axes, kernel) = (&self.axes, self.kernel);
        let partial: Vec<Row> = forces
            .par_chunks_mut(ROWS)
            .zip(y.par_chunks(ROWS))
            .map(|(forces, points)| {
                let mut sums = Row::default();
                for (force, point) in forces.iter_mut().zip(points) {
                    let (row_force, row) = match kernel {
                        Kernel::Cauchy => cauchy_row(point, axes),
                        Kernel::Gaussian => gaussian_row(point, axes),
                    };
                    *force = row_force;
                    sums = sums + row;
                }
                sums
            })
            .collect();
        let Row { z, slope, curvature } = partial.into_iter().fold(Row::default(), std::ops::Add::add);
        Totals { z, slope, curvature: Some(curvature) }
    }
}

impl SphereRepulsion for Exact<3> {
    fn evaluate(&mut self, u: &[Vec3], r: f64, forces: &mut [Vec3]) -> Totals {
        let y: Vec<Vec3> = u.iter().map(|u| u.map(|v| r * v)).collect();
        Repulsion::evaluate(self, &y, forces)
    }
}

/// The contribution of one or more rows to the totals.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    z: f64,
    slope: f64,
    curvature: f64,
}

impl std::ops::Add for Row {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { z: self.z + other.z, slope: self.slope + other.slope, curvature: self.curvature + other.curvature }
    }
}

/// Σ_j q² (y − y_j), and the totals of the row without its own term.
fn cauchy_row<const D: usize>(point: &[f64; D], axes: &[Vec<f64>; D]) -> ([f64; D], Row) {
    let sums = simd::run(CauchySums { point, axes });
    // The point itself is in the sums, with q = 1 and no force.
    let [q1, q2, q3] = std::array::from_fn(|k| sums[D + k].iter().sum::<f64>() - 1.0);
    let row = Row { z: q1, slope: -2.0 * (q1 - q2), curvature: 4.0 * (q1 - q2) - 8.0 * (q2 - q3) };
    (std::array::from_fn(|k| sums[k].iter().sum()), row)
}

/// Σ_j q (y − y_j), and the totals of the row without its own term.
fn gaussian_row<const D: usize>(point: &[f64; D], axes: &[Vec<f64>; D]) -> ([f64; D], Row) {
    let mut force = [0.0; D];
    let (mut q1, mut qd2, mut qd4) = (-1.0, 0.0, 0.0);
    for j in 0..axes[0].len() {
        let difference: [f64; D] = std::array::from_fn(|k| point[k] - axes[k][j]);
        let d2: f64 = difference.iter().map(|v| v * v).sum();
        // Beyond this q is zero in double precision. d² of the padding is infinite and must not be multiplied by zero.
        if d2 > 746.0 {
            continue;
        }
        let q = (-d2).exp();
        for k in 0..D {
            force[k] += q * difference[k];
        }
        q1 += q;
        qd2 += q * d2;
        qd4 += q * d2 * d2;
    }
    (force, Row { z: q1, slope: -2.0 * qd2, curvature: 4.0 * (qd4 - qd2) })
}

/// Lane-wise Σ q² (y − y_j) for each axis, then Σ q, Σ q², Σ q³.
struct CauchySums<'a, const D: usize> {
    point: &'a [f64; D],
    axes: &'a [Vec<f64>; D],
}

impl<const D: usize> Work for CauchySums<'_, D> {
    type Output = [[f64; LANES]; 6];

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) -> Self::Output {
        cauchy_sums::<S::Double, D>(simd, self.point, self.axes)
    }
}

/// Without fused operations: the same numbers with any instructions.
#[inline(always)]
fn cauchy_sums<V: Lanes<f64>, const D: usize>(
    simd: V::Proof,
    point: &[f64; D],
    axes: &[Vec<f64>; D],
) -> [[f64; LANES]; 6] {
    let (zero, one) = (V::splat(simd, 0.0), V::splat(simd, 1.0));
    let mut y = [zero; D];
    for k in 0..D {
        y[k] = V::splat(simd, point[k]);
    }
    // D forces and three sums; D is at most three.
    let mut sums = [[zero; VECTORS]; 6];
    let blocks = axes[0].len() / LANES;
    // Slices of one known length each, so that the loop below needs no other check.
    let axes: [&[f64]; D] = std::array::from_fn(|k| &axes[k][..blocks * LANES]);
    for block in 0..blocks {
        for v in 0..VECTORS {
            let at = block * LANES + v * f64::LANES;
            let mut differences = [zero; D];
            let mut d2 = zero;
            for k in 0..D {
                differences[k] = y[k].sub(V::load(simd, &axes[k][at..at + f64::LANES]));
                d2 = d2.add(differences[k].mul(differences[k]));
            }
            let q = one.add(d2).recip();
            let w = q.mul(q);
            for k in 0..D {
                sums[k][v] = sums[k][v].add(w.mul(differences[k]));
            }
            sums[D][v] = sums[D][v].add(q);
            sums[D + 1][v] = sums[D + 1][v].add(w);
            sums[D + 2][v] = sums[D + 2][v].add(w.mul(q));
        }
    }
    let mut lanes = [[0.0; LANES]; 6];
    for (lanes, sums) in lanes.iter_mut().zip(&sums) {
        for v in 0..VECTORS {
            sums[v].store(&mut lanes[v * f64::LANES..]);
        }
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Choice;

    #[test]
    fn a_row_is_the_same_bytes_with_any_instructions() {
        let axes: [Vec<f64>; 3] =
            std::array::from_fn(|k| (0..5 * LANES).map(|i| ((i * (k + 2)) as f64 * 0.7).sin() * 3.0).collect());
        let [best, portable] = Choice::both(|choice| choice.run(CauchySums { point: &[0.1, -0.4, 2.0], axes: &axes }));
        assert!(best[3].iter().all(|&z| z > 0.0));
        assert_eq!(best, portable);
    }
}
