//! The algebraically largest eigenvalues of a large dense symmetric matrix.

use crate::{parallel::sum_over, pca::symmetric_eigen};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// Steps between two convergence checks.
const STEPS: usize = 20;
/// Residuals relative to the largest eigenvalue.
const TOLERANCE: f64 = 1e-12;

/// The `wanted` largest eigenvalues and their eigenvectors as rows, by Lanczos' method with full reorthogonalisation.
pub(super) fn largest_eigenpairs(a: &Array2<f64>, wanted: usize) -> (Vec<f64>, Array2<f64>) {
    let n = a.nrows();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let (mut diagonal, mut off_diagonal) = (Vec::new(), Vec::new());
    let mut next: Vec<f64> = (0..n).map(|_| rng.random::<f64>() - 0.5).collect();
    scale(&mut next);
    loop {
        let v = std::mem::take(&mut next);
        let mut w: Vec<f64> = (0..n).into_par_iter().map(|i| row_dot(a, i, &v)).collect();
        diagonal.push(dot(&w, &v));
        basis.push(v);
        // Two passes of reorthogonalisation are enough.
        for _ in 0..2 {
            for u in &basis {
                let along = dot(&w, u);
                w.par_iter_mut().with_min_len(4096).zip(u).for_each(|(w, u)| *w -= along * u);
            }
        }
        let beta = dot(&w, &w).sqrt();
        let done = basis.len();
        let invariant = beta <= f64::EPSILON * diagonal.iter().fold(0.0_f64, |m, d| m.max(f64::abs(*d)));
        if done == n || invariant || (done >= wanted + 2 && done.is_multiple_of(STEPS)) {
            let tridiagonal = Array2::from_shape_fn((done, done), |(i, j)| match i.abs_diff(j) {
                0 => diagonal[i],
                1 => off_diagonal[i.min(j)],
                _ => 0.0,
            });
            let count = wanted.min(done);
            let (values, vectors) = symmetric_eigen(&tridiagonal, count);
            let scale = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            let converged = (0..count).all(|e| beta * vectors[[e, done - 1]].abs() <= TOLERANCE * scale);
            if converged || done == n || invariant {
                let mut result = Array2::zeros((wanted, n));
                for e in 0..count {
                    for (k, v) in basis.iter().enumerate() {
                        result.row_mut(e).iter_mut().zip(v).for_each(|(x, v)| *x += vectors[[e, k]] * v);
                    }
                }
                let values = (0..wanted).map(|e| if e < count { values[e] } else { 0.0 }).collect();
                return (values, result);
            }
        }
        off_diagonal.push(beta);
        next = w;
        for x in &mut next {
            *x /= beta;
        }
    }
}

fn row_dot(a: &Array2<f64>, i: usize, v: &[f64]) -> f64 {
    let row = a.row(i);
    row.as_slice().map_or_else(|| row.iter().zip(v).map(|(a, v)| a * v).sum(), |row| eight_sums(row, v))
}

/// Σ a v in eight partial sums, which the compiler can keep in one register.
fn eight_sums(a: &[f64], v: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a_chunks, v_chunks) = (a.chunks_exact(8), v.chunks_exact(8));
    let rest: f64 = a_chunks.remainder().iter().zip(v_chunks.remainder()).map(|(a, v)| a * v).sum();
    for (a, v) in a_chunks.zip(v_chunks) {
        for lane in 0..8 {
            sums[lane] += a[lane] * v[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    sum_over(a.len(), |i| a[i] * b[i])
}

fn scale(v: &mut [f64]) {
    let length = dot(v, v).sqrt();
    for x in v.iter_mut() {
        *x /= length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_eigenpairs_agree_with_the_full_solution() {
        let n = 150;
        let a = Array2::from_shape_fn((n, n), |(i, j)| {
            let (low, high) = (i.min(j) as f64, i.max(j) as f64);
            (low * 0.37).sin() * (high * 0.11).cos() - f64::from(u8::from(i == j)) * (i % 7) as f64
        });
        let (expected, expected_vectors) = symmetric_eigen(&a, 3);
        let (values, vectors) = largest_eigenpairs(&a, 3);
        for e in 0..3 {
            assert!((values[e] - expected[e]).abs() < 1e-10 * expected[0]);
            let overlap = vectors.row(e).dot(&expected_vectors.row(e)).abs();
            assert!((overlap - 1.0).abs() < 1e-9, "{overlap}");
        }
    }
}
