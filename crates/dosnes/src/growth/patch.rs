//! How far a point is from the flat patch that its neighbours span.
//!
//! With shares p_j of the neighbours x_j, their mean c = Σ p_j x_j and their covariance C = Σ p_j (x_j − c)(x_j − c)ᵀ, the point x is
//! reconstructed from its neighbours by ridge regression, as in locally linear embedding. What remains of v = x − c is
//!
//! ```text
//! r = v − C (C + λ)⁻¹ v = λ (C + λ)⁻¹ v,        λ = tr(C)/100.
//! ```
//!
//! Directions in which the neighbours vary remain hardly at all, others remain whole. An item of a class that the map knows is in
//! the patch, even at its edge; a stranger lies beside it, even if it is not far away.

use crate::neighbors::Metric;
use ndarray::{Array2, ArrayView2};
use std::borrow::Cow;

/// λ as a part of the variance: directions with less than it are noise.
const NOISE: f64 = 0.01;

/// Rows in a space where patches are flat: on the unit sphere for metrics that compare directions. `None` for categories.
pub(crate) fn flat_rows<'a>(rows: &'a ArrayView2<'_, f32>, metric: Metric) -> Option<Cow<'a, [f32]>> {
    let centred = match metric {
        Metric::Euclidean | Metric::Manhattan => {
            return Some(match rows.as_slice() {
                Some(values) => Cow::Borrowed(values),
                None => Cow::Owned(rows.iter().copied().collect()),
            });
        }
        Metric::Cosine => false,
        Metric::Correlation => true,
        Metric::Hamming | Metric::Jaccard => return None,
    };
    let mut unit: Array2<f32> = rows.to_owned();
    for mut row in unit.rows_mut() {
        let count = row.len().max(1) as f64;
        let mean = if centred { row.iter().map(|&v| f64::from(v)).sum::<f64>() / count } else { 0.0 };
        let length = row.iter().map(|&v| (f64::from(v) - mean).powi(2)).sum::<f64>().sqrt();
        row.mapv_inplace(|v| if length > 0.0 { ((f64::from(v) - mean) / length) as f32 } else { 0.0 });
    }
    Some(Cow::Owned(unit.into_raw_vec_and_offset().0))
}

/// Working memory.
#[derive(Default)]
pub(crate) struct Patch {
    /// v.
    offset: Vec<f64>,
    /// √p_j (x_j − c), by rows.
    spread: Vec<f64>,
    matrix: Vec<f64>,
    solution: Vec<f64>,
}

impl Patch {
    /// ln |r| of a point with these neighbours; `rows` are those that the neighbours' numbers count. The sum of the shares is 1.
    pub(crate) fn log_residual(&mut self, point: &[f32], rows: &[f32], shares: &[(u32, f64)]) -> f64 {
        self.centre(point, rows, shares);
        // The smaller of both systems: by columns, or by neighbours.
        let rest = if point.len() <= shares.len() { self.by_columns() } else { self.by_neighbors() };
        rest.max(f64::from(f32::MIN_POSITIVE)).ln()
    }

    fn centre(&mut self, point: &[f32], rows: &[f32], shares: &[(u32, f64)]) {
        let d = point.len();
        let row = |j: u32| &rows[j as usize * d..(j as usize + 1) * d];
        self.solution.clear();
        self.solution.resize(d, 0.0);
        for &(j, p) in shares {
            self.solution.iter_mut().zip(row(j)).for_each(|(mean, &x)| *mean += p * f64::from(x));
        }
        let mean = &self.solution;
        self.offset.clear();
        self.offset.extend(point.iter().zip(mean).map(|(&x, mean)| f64::from(x) - mean));
        self.spread.clear();
        for &(j, p) in shares {
            let root = p.sqrt();
            self.spread.extend(row(j).iter().zip(mean).map(|(&x, mean)| root * (f64::from(x) - mean)));
        }
    }

    /// |λ (C + λ)⁻¹ v|.
    fn by_columns(&mut self) -> f64 {
        let d = self.offset.len();
        self.matrix.clear();
        self.matrix.resize(d * d, 0.0);
        for row in self.spread.chunks_exact(d) {
            for (a, &x) in row.iter().enumerate() {
                self.matrix[a * d..=a * d + a].iter_mut().zip(row).for_each(|(c, &y)| *c += x * y);
            }
        }
        let Some(ridge) = self.add_ridge(d) else { return norm(&self.offset) };
        self.solution.clear();
        self.solution.extend_from_slice(&self.offset);
        solve(&mut self.matrix, d, &mut self.solution);
        ridge * norm(&self.solution)
    }

    /// |v − Nᵀ (N Nᵀ + λ)⁻¹ N v| for the rows N of `spread`, which is the same.
    fn by_neighbors(&mut self) -> f64 {
        let d = self.offset.len();
        let k = self.spread.len() / d.max(1);
        self.matrix.clear();
        self.matrix.resize(k * k, 0.0);
        for (a, row) in self.spread.chunks_exact(d).enumerate() {
            for (b, other) in self.spread.chunks_exact(d).take(a + 1).enumerate() {
                self.matrix[a * k + b] = dot(row, other);
            }
        }
        if self.add_ridge(k).is_none() {
            return norm(&self.offset);
        }
        self.solution.clear();
        self.solution.extend(self.spread.chunks_exact(d).map(|row| dot(row, &self.offset)));
        solve(&mut self.matrix, k, &mut self.solution);
        for (row, z) in self.spread.chunks_exact(d).zip(&self.solution) {
            self.offset.iter_mut().zip(row).for_each(|(rest, x)| *rest -= z * x);
        }
        norm(&self.offset)
    }

    /// Adds λ to the diagonal. `None` if the neighbours are all at the same place.
    fn add_ridge(&mut self, order: usize) -> Option<f64> {
        let trace: f64 = (0..order).map(|a| self.matrix[a * order + a]).sum();
        let ridge = NOISE * trace;
        if !(ridge > 0.0 && ridge.is_finite()) {
            return None;
        }
        (0..order).for_each(|a| self.matrix[a * order + a] += ridge);
        Some(ridge)
    }
}

/// Solves A z = b in place by Cholesky's decomposition; A is positive definite, and its lower triangle is given.
fn solve(matrix: &mut [f64], order: usize, b: &mut [f64]) {
    for a in 0..order {
        let (above, rest) = matrix.split_at_mut(a * order);
        let row = &mut rest[..=a];
        for c in 0..a {
            let other = &above[c * order..=c * order + c];
            row[c] = (row[c] - dot(&row[..c], &other[..c])) / other[c];
        }
        row[a] = (row[a] - dot(&row[..a], &row[..a])).max(f64::MIN_POSITIVE).sqrt();
        b[a] = (b[a] - dot(&row[..a], &b[..a])) / row[a];
    }
    for a in (0..order).rev() {
        b[a] /= matrix[a * order + a];
        let value = b[a];
        b[..a].iter_mut().zip(&matrix[a * order..]).for_each(|(b, l)| *b -= value * l);
    }
}

/// In four partial sums, so that they are computed at the same time.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours, others) = (a.chunks_exact(4).zip(b.chunks_exact(4)), a.len() / 4 * 4);
    for (a, b) in fours {
        (0..4).for_each(|lane| sums[lane] += a[lane] * b[lane]);
    }
    let rest: f64 = a[others..].iter().zip(&b[others..]).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

fn norm(v: &[f64]) -> f64 {
    dot(v, v).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn random(count: usize, seed: u64) -> Vec<f32> {
        let number = |i: usize| (crate::random::mix(seed ^ (i as u64) << 8) >> 40) as f32 / (1_u64 << 24) as f32 - 0.5;
        (0..count).map(number).collect()
    }

    fn shares(k: usize) -> Vec<(u32, f64)> {
        let total = (k * (k + 1) / 2) as f64;
        (0..k).map(|j| (j as u32, (j + 1) as f64 / total)).collect()
    }

    /// The residual by the definition: the best of many weights, by gradient descent on |v − Nᵀ w|² + λ |w|².
    fn slow(patch: &Patch) -> f64 {
        let d = patch.offset.len();
        let rows: Vec<&[f64]> = patch.spread.chunks_exact(d).collect();
        let trace: f64 = patch.spread.iter().map(|v| v * v).sum();
        if trace == 0.0 {
            return norm(&patch.offset);
        }
        let mut weights = vec![0.0; rows.len()];
        let rest_of = |weights: &[f64]| {
            let mut rest = patch.offset.clone();
            for (row, w) in rows.iter().zip(weights) {
                rest.iter_mut().zip(*row).for_each(|(rest, x)| *rest -= w * x);
            }
            rest
        };
        // The largest eigenvalue is at most the trace; the smallest one at least λ: 100 times the factor for convergence.
        for _ in 0..4000 {
            let rest = rest_of(&weights);
            for (w, row) in weights.iter_mut().zip(&rows) {
                let slope: f64 = row.iter().zip(&rest).map(|(x, r)| x * r).sum::<f64>() - NOISE * trace * *w;
                *w += slope / (trace * (1.0 + NOISE));
            }
        }
        norm(&rest_of(&weights))
    }

    proptest! {
        #[test]
        fn both_systems_give_the_residual_of_the_definition(d in 1_usize..9, k in 1_usize..9, seed in 0_u64..1000) {
            let (rows, point) = (random(d * k, seed), random(d, seed + 7777));
            let mut patch = Patch::default();
            patch.centre(&point, &rows, &shares(k));
            let expected = slow(&patch);
            let size = norm(&patch.offset).max(1e-3);
            let columns = patch.by_columns();
            prop_assert!((columns - expected).abs() < 1e-9 * size, "{columns} {expected}");
            patch.centre(&point, &rows, &shares(k));
            let neighbors = patch.by_neighbors();
            prop_assert!((neighbors - expected).abs() < 1e-9 * size, "{neighbors} {expected}");
        }
    }

    #[test]
    fn a_point_beside_the_patch_is_farther_from_it_than_one_within() {
        // Neighbours in a plane of five dimensions.
        let rows: Vec<f32> = (0..40).flat_map(|i| [(i % 7) as f32, (i % 5) as f32, 0.0, 0.0, 0.0]).collect();
        let mut patch = Patch::default();
        let at_edge = patch.log_residual(&[6.0, 4.0, 0.0, 0.0, 0.0], &rows, &shares(40));
        let beside = patch.log_residual(&[3.0, 2.0, 1.0, 0.0, 0.0], &rows, &shares(40));
        assert!(beside > at_edge + 2.0, "{beside} {at_edge}");
    }

    #[test]
    fn neighbours_at_one_place_leave_the_distance() {
        let mut patch = Patch::default();
        let rows = [1.0, 2.0].repeat(5);
        assert!((patch.log_residual(&[1.0, 5.0], &rows, &shares(5)) - 3.0_f64.ln()).abs() < 1e-12);
        assert!(patch.log_residual(&[1.0, 2.0], &rows, &shares(5)) < -80.0);
    }

    #[test]
    fn metrics_that_compare_directions_have_unit_rows() {
        let rows = ndarray::array![[3.0_f32, 4.0], [0.0, 0.0], [2.0, 2.0]];
        let cosine = flat_rows(&rows.view(), Metric::Cosine).unwrap().into_owned();
        assert_eq!(cosine[..4], [0.6, 0.8, 0.0, 0.0]);
        let correlation = flat_rows(&rows.view(), Metric::Correlation).unwrap().into_owned();
        assert!((correlation[1] - 0.5_f32.sqrt()).abs() < 1e-6 && correlation[4] == 0.0);
        assert!(flat_rows(&rows.view(), Metric::Hamming).is_none());
        let view = rows.view();
        assert!(matches!(flat_rows(&view, Metric::Euclidean), Some(Cow::Borrowed(_))));
    }
}
