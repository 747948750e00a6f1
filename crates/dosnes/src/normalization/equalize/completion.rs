//! Completion: direct neighbours are reduced where there are too many, and longer walks fill in what is missing.
//!
//! ```text
//! P = c T c + x F x,      T = (R + Rᵀ)/2,      F = Σ_k (k − 1) (Rᵏ + (Rᵏ)ᵀ)/2 / Σ_k (k − 1),      k = 2…steps
//! ```
//!
//! with the largest c ≤ 1 that leaves no total of c T c above 1, and x such that all totals are 1. This is the exact scaling of
//! T + y F y with y = x/c. A scaling of T and F with the same weight for all items feeds an item of few neighbours by making all of
//! its pairs stronger, also its accidental ones, and takes longer walks to hubs, which have no need of them.
//!
//! Where weights follow the totals of the two items, T says less, and the same weight a for all items is better. So
//! y = (x/c)^(1−g) a^(g/2) with the gravity g.

use crate::sparse::CsrMatrix;
use rayon::prelude::*;

/// The factors c of the direct neighbours and x of the longer walks of each item.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Completion {
    pub(crate) direct: Vec<f64>,
    pub(crate) longer: Vec<f64>,
}

/// Rounds in which each of the factors is found. They need not be exact, since everything is scaled at the end.
pub(crate) const ROUNDS: usize = 100;
/// The largest x. Where the longer walks lead only to items that miss nothing, no x would be enough.
pub(crate) const MOST: f64 = 4.0;

impl Completion {
    /// For symmetric T and F without diagonal.
    pub(crate) fn of(t: &CsrMatrix<'_>, f: &CsrMatrix<'_>) -> Self {
        let mut direct = vec![1.0; t.rows()];
        for _ in 0..ROUNDS {
            direct = of_rows(t, &direct, |i, sum| next_direct(direct[i], sum));
        }
        let missing = of_rows(t, &direct, |i, sum| missing(direct[i], sum));
        let mut longer: Vec<f64> = missing.iter().map(|missing| missing.sqrt()).collect();
        for _ in 0..ROUNDS {
            longer = of_rows(f, &longer, |i, sum| next_longer(longer[i], missing[i], sum));
        }
        Self { direct, longer }
    }

    /// y of each item.
    pub(crate) fn weights(&self, gravity: f64, same: f64) -> Vec<f64> {
        self.direct.iter().zip(&self.longer).map(|(&c, &x)| weight(c, x, gravity, same)).collect()
    }
}

/// The next c of an item, half-way (of the logarithms) to the one that makes its total 1; `sum` is (T c)_i.
pub(crate) fn next_direct(c: f64, sum: f64) -> f64 {
    (c / sum).sqrt().min(1.0)
}

/// What an item misses with the factor c. Reduced items miss nothing.
pub(crate) fn missing(c: f64, sum: f64) -> f64 {
    if c < 1.0 { 0.0 } else { (1.0 - sum).max(0.0) }
}

/// The next x of an item; `sum` is (F x)_i.
pub(crate) fn next_longer(x: f64, missing: f64, sum: f64) -> f64 {
    if missing > 0.0 { (x * missing / sum).sqrt().min(MOST) } else { 0.0 }
}

/// y = (x/c)^(1−g) a^(g/2), where `same` is a.
pub(crate) fn weight(c: f64, x: f64, gravity: f64, same: f64) -> f64 {
    (x / c).powf(1.0 - gravity) * same.powf(0.5 * gravity)
}

/// `f(i, (A v)_i)` of each row.
fn of_rows(a: &CsrMatrix<'_>, v: &[f64], f: impl Fn(usize, f64) -> f64 + Sync) -> Vec<f64> {
    let sum = |i: usize| a.row(i).iter().map(|(j, value)| value * v[j]).sum();
    (0..a.rows()).into_par_iter().map(|i| f(i, sum(i))).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::tests::connected, *};
    use crate::normalization::equalize::{Mixed, Walk, completed, more_steps, shares};
    use crate::observe::Silent;
    use ndarray::{Array1, Array2, Axis};
    use proptest::prelude::*;

    /// R by its definition.
    fn walk_of(s: &Array2<f64>, discount: f64) -> Array2<f64> {
        let totals = s.sum_axis(Axis(1));
        let weighted = Array2::from_shape_fn(s.dim(), |(i, j)| s[[i, j]] * totals[j].powf(-discount));
        let sums = weighted.sum_axis(Axis(1));
        Array2::from_shape_fn(s.dim(), |(i, j)| weighted[[i, j]] / sums[i])
    }

    /// F by its definition.
    fn far_of(s: &Array2<f64>, r: &Array2<f64>, steps: usize) -> Array2<f64> {
        let n = s.nrows();
        let (mut far, mut power) = (Array2::zeros((n, n)), r.clone());
        for share in shares(steps) {
            power = power.dot(r);
            far = far + share * (&power + &power.t()) / 2.0;
        }
        let neighbors = |i: usize| (0..n).filter(|&j| s[[i, j]] > 0.0).collect::<Vec<_>>();
        for i in 0..n {
            for j in 0..n {
                let hub = neighbors(i);
                let siblings = i != j && hub.len() == 1 && neighbors(j) == hub;
                let leaves = hub.first().map_or(0, |&hub| (0..n).filter(|&v| neighbors(v) == [hub]).count());
                if i == j || (siblings && leaves <= 5) {
                    far[[i, j]] = 0.0;
                }
            }
        }
        far
    }

    fn close(found: &[f64], expected: &Array1<f64>) -> bool {
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= 1e-9)
    }

    proptest! {
        #[test]
        fn completion_is_the_one_of_dense_matrices(s in connected(), steps in 2_usize..6) {
            let Mixed { matrix: w, mixture, completion } = completed(&s, steps, &mut Silent).unwrap();
            let n = s.rows();
            let dense = s.to_dense();
            let r = walk_of(&dense, mixture.discount);
            let (t, f) = ((&r + &r.t()) / 2.0, far_of(&dense, &r, steps));
            let mut c = Array1::<f64>::ones(n);
            for _ in 0..ROUNDS {
                let sums = t.dot(&c);
                c = (c / sums).mapv(|c| c.sqrt().min(1.0));
            }
            let totals = &c * &t.dot(&c);
            let missing = Array1::from_shape_fn(n, |i| if c[i] < 1.0 { 0.0 } else { (1.0 - totals[i]).max(0.0) });
            let mut x = missing.mapv(f64::sqrt);
            for _ in 0..ROUNDS {
                let sums = f.dot(&x);
                x = Array1::from_shape_fn(n, |i| {
                    if missing[i] > 0.0 { (x[i] * missing[i] / sums[i]).sqrt().min(MOST) } else { 0.0 }
                });
            }
            let found = completion.unwrap();
            prop_assert!(close(&found.direct, &c), "{:?} instead of {c}", found.direct);
            prop_assert!(close(&found.longer, &x), "{:?} instead of {x}", found.longer);
            let a: f64 = mixture.longer_walks;
            let y = Array1::from_shape_fn(n, |i| {
                (x[i] / c[i]).powf(1.0 - mixture.gravity) * a.powf(mixture.gravity / 2.0)
            });
            for i in 0..n {
                for j in (0..n).filter(|&j| j != i) {
                    let expected = t[[i, j]] + y[i] * y[j] * f[[i, j]] + mixture.background / (n - 1) as f64;
                    let found = w.get(i, j).unwrap_or(0.0);
                    prop_assert!((found - expected).abs() <= 1e-8, "{i} {j}: {found} instead of {expected}");
                    prop_assert_eq!(w.get(i, j), w.get(j, i));
                }
            }
        }

        #[test]
        fn direct_neighbours_are_reduced_where_they_are_too_many_and_nowhere_else(s in connected()) {
            let walk = Walk::new(&s, 0.0);
            let t = s.mapped(|i, j, value| walk.direct(i, j, value));
            let far = more_steps::shared_steps(&walk, 3, &mut Silent).unwrap();
            let Completion { direct, longer } = Completion::of(&t, &far);
            let totals = of_rows(&t, &direct, |i, sum| direct[i] * sum);
            for (i, (&c, &total)) in direct.iter().zip(&totals).enumerate() {
                prop_assert!(c > 0.0 && c <= 1.0 && total <= 1.0 + 1e-6, "{i}: {c} {total}");
                prop_assert!(c == 1.0 || total > 1.0 - 1e-6, "{i} is reduced by {c} to {total}");
                prop_assert!(c == 1.0 || longer[i] == 0.0);
            }
        }
    }

    #[test]
    fn what_is_missing_is_filled_in() {
        // Two stars of eight leaves whose hubs are connected.
        let edges = (1..9).map(|i| (0, i)).chain((10..18).map(|i| (9, i))).chain([(0, 9)]);
        let both: Vec<_> = edges.flat_map(|(i, j)| [(i, j, 1.0), (j, i, 1.0)]).collect();
        let s = CsrMatrix::from_triplets((18, 18), &both).unwrap();
        let Completion { direct, longer } = completed(&s, 3, &mut Silent).unwrap().completion.unwrap();
        let walk = Walk::new(&s, 0.0);
        let t = s.mapped(|i, j, value| walk.direct(i, j, value));
        let far = more_steps::shared_steps(&walk, 3, &mut Silent).unwrap();
        let of_direct = of_rows(&t, &direct, |i, sum| direct[i] * sum);
        let of_longer = of_rows(&far, &longer, |i, sum| longer[i] * sum);
        for i in 0..18 {
            assert!((of_direct[i] + of_longer[i] - 1.0).abs() < 1e-6, "{i}: {} {}", of_direct[i], of_longer[i]);
        }
        assert!(direct[0] < 0.5 && longer[0] == 0.0);
        assert!(direct[1] == 1.0 && longer[1] > 0.0);
    }
}
