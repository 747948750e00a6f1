//! Leading eigenvectors of the normalised similarity matrix, by Chebyshev-filtered subspace iteration.
//!
//! A start needs two or three digits, from a matrix that may have a hundred million entries, so: a block of a few vectors,
//! polynomials of the matrix that damp all but the top of the spectrum, and Rayleigh-Ritz in between. (Zhou, Saad,
//! Tiago and Chelikowsky, J. Comput. Phys. 219, 2006.)

use crate::{input::Csr, parallel::sum_over};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// Vectors that are iterated beside the wanted ones, so that these converge faster.
const SPARE: usize = 3;
/// Largest block: three wanted vectors and the spare ones.
const MAX_BLOCK: usize = 3 + SPARE;
const DEGREE: usize = 16;
const MAX_ROUNDS: usize = 25;
/// Rounds end when the wanted eigenvalues change by less than this.
const TOLERANCE: f64 = 1e-5;

/// A row of the block: one entry of each vector, together in memory, so that the matrix is read once for all.
type Row = [f64; MAX_BLOCK];

/// The `D` leading nontrivial eigenvectors of the random walk D⁻¹P of a connected symmetric `p`, one row an item.
pub(super) fn laplacian_eigenvectors<const D: usize>(p: &Csr, rng: &mut Xoshiro256PlusPlus) -> Vec<[f64; D]> {
    let n = p.rows();
    let block = (D + SPARE).min(n - 1);
    let root_degrees: Vec<f64> = p.outer_iterator().map(|row| row.data().iter().sum::<f64>().sqrt()).collect();
    let trivial_norm = sum_over(n, |i| root_degrees[i] * root_degrees[i]).sqrt();
    let trivial: Vec<f64> = root_degrees.iter().map(|v| v / trivial_norm).collect();
    let walk = NormalizedWalk { p, root_degrees: &root_degrees };
    let mut x: Vec<Row> =
        (0..n).map(|_| std::array::from_fn(|k| if k < block { rng.random::<f64>() - 0.5 } else { 0.0 })).collect();
    orthonormalize(&mut x, block, &trivial);
    let mut values = rayleigh_ritz(&walk, &mut x, block);
    for _ in 0..MAX_ROUNDS {
        // Damp everything below the smallest Ritz value of the block; the spectrum ends at −1.
        let cut = values[block - 1].clamp(-0.5, 1.0 - 1e-6);
        chebyshev_filter(&walk, &mut x, cut);
        orthonormalize(&mut x, block, &trivial);
        let next = rayleigh_ritz(&walk, &mut x, block);
        let change = (0..D.min(block)).map(|k| (next[k] - values[k]).abs()).fold(0.0, f64::max);
        values = next;
        if change < TOLERANCE {
            break;
        }
    }
    x.iter().zip(&root_degrees).map(|(row, degree)| std::array::from_fn(|k| row[k] / degree)).collect()
}

/// D^(−½) P D^(−½).
struct NormalizedWalk<'a> {
    p: &'a Csr,
    root_degrees: &'a [f64],
}

impl NormalizedWalk<'_> {
    fn apply(&self, x: &[Row]) -> Vec<Row> {
        (0..x.len())
            .into_par_iter()
            .with_min_len(256)
            .map(|i| {
                let mut sum = [0.0; MAX_BLOCK];
                for (j, &value) in self.p.outer_view(i).expect("i is a row").iter() {
                    let weight = value / (self.root_degrees[i] * self.root_degrees[j]);
                    for k in 0..MAX_BLOCK {
                        sum[k] += weight * x[j][k];
                    }
                }
                sum
            })
            .collect()
    }
}

/// x ← T_m(A') x, where A' is A mapped so that [−1, cut] becomes [−1, 1].
fn chebyshev_filter(walk: &NormalizedWalk<'_>, x: &mut Vec<Row>, cut: f64) {
    let (half_width, middle) = (0.5 * cut + 0.5, 0.5 * cut - 0.5);
    let mapped = |x: &[Row]| -> Vec<Row> {
        let mut ax = walk.apply(x);
        ax.par_iter_mut().with_min_len(1024).zip(x).for_each(|(ax, x)| {
            *ax = std::array::from_fn(|k| (ax[k] - middle * x[k]) / half_width);
        });
        ax
    };
    let mut previous = std::mem::take(x);
    let mut current = mapped(&previous);
    for _ in 1..DEGREE {
        let next = mapped(&current);
        previous.par_iter_mut().with_min_len(1024).zip(&next).for_each(|(previous, next)| {
            *previous = std::array::from_fn(|k| 2.0 * next[k] - previous[k]);
        });
        std::mem::swap(&mut previous, &mut current);
    }
    *x = current;
}

/// Gram and Schmidt, twice for safety, first of all against the trivial eigenvector.
fn orthonormalize(x: &mut [Row], block: usize, trivial: &[f64]) {
    let n = x.len();
    for k in 0..block {
        for _ in 0..2 {
            let along = sum_over(n, |i| x[i][k] * trivial[i]);
            x.par_iter_mut().with_min_len(1024).zip(trivial).for_each(|(x, t)| x[k] -= along * t);
            for other in 0..k {
                let along = sum_over(n, |i| x[i][k] * x[i][other]);
                x.par_iter_mut().with_min_len(1024).for_each(|x| x[k] -= along * x[other]);
            }
        }
        let length = sum_over(n, |i| x[i][k] * x[i][k]).sqrt().max(f64::MIN_POSITIVE);
        x.par_iter_mut().with_min_len(1024).for_each(|x| x[k] /= length);
    }
}

/// Turns the block to its Ritz vectors, largest value first, and returns the values.
fn rayleigh_ritz(walk: &NormalizedWalk<'_>, x: &mut [Row], block: usize) -> Vec<f64> {
    let n = x.len();
    let ax = walk.apply(x);
    let mut small = [[0.0; MAX_BLOCK]; MAX_BLOCK];
    for a in 0..block {
        for b in 0..=a {
            small[a][b] = sum_over(n, |i| x[i][a] * ax[i][b]);
            small[b][a] = small[a][b];
        }
    }
    let (values, vectors) = jacobi_eigen(small, block);
    let mut order: Vec<usize> = (0..block).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    x.par_iter_mut().with_min_len(1024).for_each(|row| {
        let old = *row;
        for (new, &k) in order.iter().enumerate() {
            row[new] = (0..block).map(|a| old[a] * vectors[a][k]).sum();
        }
    });
    order.iter().map(|&k| values[k]).collect()
}

/// Eigenvalues and eigenvectors (in columns) of the leading `size` rows and columns of a symmetric matrix, by Jacobi's
/// rotations.
fn jacobi_eigen(
    mut a: [[f64; MAX_BLOCK]; MAX_BLOCK],
    size: usize,
) -> ([f64; MAX_BLOCK], [[f64; MAX_BLOCK]; MAX_BLOCK]) {
    let mut v = [[0.0; MAX_BLOCK]; MAX_BLOCK];
    for (k, row) in v.iter_mut().enumerate() {
        row[k] = 1.0;
    }
    for _ in 0..30 {
        for p in 0..size {
            for q in p + 1..size {
                if a[p][q].abs() < 1e-300 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..size {
                    let (kp, kq) = (a[k][p], a[k][q]);
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for k in 0..size {
                    let (pk, qk) = (a[p][k], a[q][k]);
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                }
                for row in v.iter_mut().take(size) {
                    let (kp, kq) = (row[p], row[q]);
                    row[p] = c * kp - s * kq;
                    row[q] = s * kp + c * kq;
                }
            }
        }
    }
    (std::array::from_fn(|k| a[k][k]), v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::csr_from_triplets;
    use rand::SeedableRng;

    #[test]
    fn a_ring_is_embedded_as_a_ring() {
        // The eigenvectors of a cycle are sines and cosines: the points lie on a circle, in order.
        let n = 40_u32;
        let triplets: Vec<_> = (0..n).flat_map(|i| [(i, (i + 1) % n, 1.0), (i, (i + n - 1) % n, 1.0)]).collect();
        let p = csr_from_triplets((n as usize, n as usize), &triplets).0;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let y = laplacian_eigenvectors::<2>(&p, &mut rng);
        let radii: Vec<f64> = y.iter().map(|y| (y[0] * y[0] + y[1] * y[1]).sqrt()).collect();
        let mean = radii.iter().sum::<f64>() / f64::from(n);
        assert!(radii.iter().all(|r| (r / mean - 1.0).abs() < 1e-3), "{radii:?}");
        let turn = std::f64::consts::TAU / f64::from(n);
        for i in 0..n as usize {
            let (a, b) = (y[i], y[(i + 1) % n as usize]);
            let angle = (a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1]).abs();
            assert!((angle - turn).abs() < 1e-2);
        }
    }
}
