//! Zass and Shashua's normalisation (NIPS 2006): the nearest doubly stochastic matrix in the Frobenius norm.

use crate::{
    error::Error,
    observe::{Observer, report},
};
use ndarray::{Array1, Array2, Axis};

/// The projection and how it was computed.
#[derive(Debug, Clone)]
pub(super) struct Projection {
    pub(super) matrix: Array2<f64>,
    pub(super) iterations: usize,
    /// max_i |row sum − 1|.
    pub(super) residual: f64,
}

/// The nearest matrix to `s` (symmetric) with unit row sums, no negative entry and a zero diagonal.
///
/// Dykstra's alternating projections onto the affine set of unit row sums and onto the cone of non-negative matrices
/// with zero diagonal. (Zass and Shashua alternate plain projections, which converge to *some* doubly stochastic
/// matrix; with Dykstra's correction it is the nearest one.)
pub(super) fn nearest_doubly_stochastic(
    s: &Array2<f64>,
    tolerance: f64,
    max_rounds: usize,
    observer: &mut dyn Observer,
) -> Result<Projection, Error> {
    let n = s.nrows();
    let mut x = s.clone();
    let mut correction = Array2::<f64>::zeros((n, n));
    let mut iterations = 0;
    let mut residual = f64::INFINITY;
    while iterations < max_rounds && residual > tolerance {
        report(observer, iterations as f64 / max_rounds as f64)?;
        project_to_unit_sums(&mut x);
        // The affine set needs no correction; the cone does.
        let before = &x + &correction;
        x = before.mapv(|v| v.max(0.0));
        x.diag_mut().fill(0.0);
        correction = before - &x;
        iterations += 1;
        residual = x.sum_axis(Axis(1)).iter().fold(0.0_f64, |m, sum| m.max((sum - 1.0).abs()));
    }
    Ok(Projection { matrix: x, iterations, residual })
}

/// X + a 1ᵀ + 1 aᵀ with the a that makes all row sums one: a_i = (1 − row_i)/n − Σ_k (1 − row_k)/(2n²).
fn project_to_unit_sums(x: &mut Array2<f64>) {
    let n = x.nrows() as f64;
    let missing: Array1<f64> = x.sum_axis(Axis(1)).mapv(|sum| 1.0 - sum);
    let total = missing.sum();
    let a = missing.mapv(|m| m / n - total / (2.0 * n * n));
    for ((i, j), value) in x.indexed_iter_mut() {
        *value += a[i] + a[j];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn no_feasible_direction_reduces_the_distance(
            n in 4_usize..9,
            entries in proptest::collection::vec(0.0_f64..2.0, 36),
            turns in proptest::collection::vec((0_usize..9, 0_usize..9, 0_usize..9, 0_usize..9), 20),
        ) {
            let mut s = Array2::zeros((n, n));
            let mut k = 0;
            for i in 0..n {
                for j in 0..i {
                    s[[i, j]] = entries[k];
                    s[[j, i]] = entries[k];
                    k += 1;
                }
            }
            let p = nearest_doubly_stochastic(&s, 1e-11, 200_000, &mut Silent).unwrap();
            prop_assert!(p.residual <= 1e-11);
            let distance = |x: &Array2<f64>| (x - &s).mapv(|v| v * v).sum();
            let best = distance(&p.matrix);
            // +h on (a,b) and (c,d), −h on (a,d) and (c,b) keeps all sums: the vertices of such moves span the feasible set.
            for (a, b, c, d) in turns {
                let (a, b, c, d) = (a % n, b % n, c % n, d % n);
                if a == b || c == d || a == d || c == b || a == c || b == d {
                    continue;
                }
                let mut moved = p.matrix.clone();
                let h = 0.5 * moved[[a, d]].min(moved[[c, b]]);
                for ((i, j), sign) in [((a, b), h), ((c, d), h), ((a, d), -h), ((c, b), -h)] {
                    moved[[i, j]] += sign;
                    moved[[j, i]] += sign;
                }
                if moved.iter().all(|&v| v >= 0.0) {
                    prop_assert!(distance(&moved) >= best - 1e-8);
                }
            }
        }
    }
}
