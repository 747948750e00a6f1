//! Rows that are ready for comparison: all values are finite, and means and lengths are known.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the detected vector instructions")]

use ndarray::ArrayView2;

use super::metric::{Metric, sum_over_pairs};
use crate::error::{Error, Quantity};
use crate::simd::{self, Instructions, Work};
use crate::sparse::CsrMatrix;
use std::borrow::Cow;

/// The mean and the length that the angular metrics remove: x̂ = (x − mean) · scale.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standard {
    pub(super) mean: f64,
    pub(super) scale: f64,
}

/// Rows whose exact distances can be computed one pair at a time: the reference for every search method.
pub(super) trait Rows: Sync {
    fn len(&self) -> usize;

    /// The metric's distance from row `i` to row `j`.
    fn distance(&self, i: usize, j: usize) -> f64;
}

/// Dense rows and a metric.
pub(super) struct DenseRows<'a> {
    pub(super) metric: Metric,
    pub(super) dimensions: usize,
    values: &'a [f32],
    pub(super) standard: Vec<Standard>,
    len: usize,
}

/// Sparse rows and a metric.
pub(super) struct SparseRows<'a> {
    pub(super) metric: Metric,
    pub(super) matrix: &'a CsrMatrix<'a>,
    values: Cow<'a, [f64]>,
    pub(super) standard: Vec<Standard>,
}

fn undefined(row: usize, metric: Metric) -> Error {
    let reason = if metric == Metric::Cosine { "is all zeros" } else { "has the same value in every column" };
    Error::UndefinedDistance { row, metric: metric.name(), reason }
}

/// The mean and scale of a row for the angular metrics; `None` if it has no direction.
fn standard(metric: Metric, mean: f64, centred_square: impl Fn(f64) -> f64, largest: f64) -> Option<Standard> {
    let mean = if metric == Metric::Correlation { mean } else { 0.0 };
    let length = centred_square(mean).sqrt();
    // In a constant row the deviations from the mean are rounding errors, not a direction.
    let noise = if metric == Metric::Correlation { 1e-12 * largest } else { 0.0 };
    (length > noise).then(|| Standard { mean, scale: 1.0 / length })
}

impl<'a> DenseRows<'a> {
    /// `values` must be in standard layout.
    pub(super) fn new(points: &'a ArrayView2<'a, f32>, metric: Metric) -> Result<Self, Error> {
        let (len, dimensions) = points.dim();
        let values = points.as_slice().expect("points are in standard layout");
        if let Some(at) = values.iter().position(|v| !v.is_finite()) {
            let (row, column) = (at / dimensions, at % dimensions);
            let value = f64::from(values[at]);
            return Err(Error::Value { quantity: Quantity::Coordinate, row, column, value });
        }
        let mut rows = Self { metric, dimensions, values, standard: Vec::new(), len };
        if metric.is_angular() {
            for i in 0..len {
                let x = rows.row(i);
                let mean = sum_over_pairs(x, x, |a, _| a) / dimensions as f64;
                let largest = x.iter().fold(0.0_f32, |m, v| m.max(v.abs()));
                let centred_square = |m: f64| sum_over_pairs(x, x, |a, _| (a - m) * (a - m));
                let found = standard(metric, mean, centred_square, f64::from(largest));
                rows.standard.push(found.ok_or_else(|| undefined(i, metric))?);
            }
        }
        Ok(rows)
    }

    /// A value of row `i`; standardised if the metric is angular, which is then euclidean.
    #[inline(always)]
    pub(super) fn standardized(&self, i: usize, value: f32) -> f64 {
        match self.standard.get(i) {
            Some(standard) => (f64::from(value) - standard.mean) * standard.scale,
            None => f64::from(value),
        }
    }

    #[inline(always)]
    pub(super) fn row(&self, i: usize) -> &'a [f32] {
        &self.values[i * self.dimensions..(i + 1) * self.dimensions]
    }
}

impl Rows for DenseRows<'_> {
    fn len(&self) -> usize {
        self.len
    }

    fn distance(&self, i: usize, j: usize) -> f64 {
        self.distance_inline(i, j)
    }
}

/// Computes the distances from row `i`.
struct FillDistances<'a> {
    rows: &'a DenseRows<'a>,
    i: u32,
    pairs: &'a mut [(f32, u32)],
}

impl Work for FillDistances<'_> {
    type Output = ();

    // Sums are added in the same order, without fused operations: the same numbers with any instructions.
    #[inline(always)]
    fn run<S: Instructions>(self, _: S) {
        for (distance, j) in self.pairs {
            *distance = self.rows.distance_inline(self.i as usize, *j as usize) as f32;
        }
    }
}

impl DenseRows<'_> {
    /// Computes the distances from row `i`, rounded to single precision.
    pub(super) fn fill_distances(&self, i: u32, pairs: &mut [(f32, u32)]) {
        simd::run(FillDistances { rows: self, i, pairs });
    }

    #[inline(always)]
    fn distance_inline(&self, i: usize, j: usize) -> f64 {
        let (x, y) = (self.row(i), self.row(j));
        match self.metric {
            Metric::Euclidean => sum_over_pairs(x, y, |a, b| (a - b) * (a - b)).sqrt(),
            Metric::Cosine | Metric::Correlation => {
                let (p, q) = (self.standard[i], self.standard[j]);
                0.5 * sum_over_pairs(x, y, |a, b| {
                    let difference = (a - p.mean) * p.scale - (b - q.mean) * q.scale;
                    difference * difference
                })
            }
            Metric::Manhattan => sum_over_pairs(x, y, |a, b| (a - b).abs()),
            Metric::Hamming => sum_over_pairs(x, y, |a, b| f64::from(u8::from(a != b))) / self.dimensions.max(1) as f64,
            Metric::Jaccard => {
                let both = sum_over_pairs(x, y, |a, b| f64::from(u8::from(a != 0.0 && b != 0.0)));
                let either = sum_over_pairs(x, y, |a, b| f64::from(u8::from(a != 0.0 || b != 0.0)));
                jaccard(both, either)
            }
        }
    }
}

/// 1 − |A∩B|/|A∪B|, and 0 for two empty sets.
pub(super) fn jaccard(both: f64, either: f64) -> f64 {
    if either == 0.0 { 0.0 } else { 1.0 - both / either }
}

impl<'a> SparseRows<'a> {
    pub(super) fn new(matrix: &'a CsrMatrix<'a>, metric: Metric) -> Result<Self, Error> {
        // As for dense rows, and distances: what is beyond single precision would be infinitely far from everything.
        if let Some((row, column, value)) = matrix.iter().find(|&(_, _, value)| !(value as f32).is_finite()) {
            return Err(Error::Value { quantity: Quantity::Coordinate, row, column, value });
        }
        let dimensions = matrix.columns() as f64;
        let mut rows = Self { metric, matrix, values: matrix.values(), standard: Vec::new() };
        for i in 0..matrix.rows() {
            if metric.is_angular() {
                let (_, values) = rows.row(i);
                let absent = dimensions - values.len() as f64;
                let mean = values.iter().sum::<f64>() / dimensions;
                let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
                let centred_square = |m: f64| values.iter().map(|v| (v - m) * (v - m)).sum::<f64>() + absent * m * m;
                let found = standard(metric, mean, centred_square, largest);
                rows.standard.push(found.ok_or_else(|| undefined(i, metric))?);
            }
        }
        Ok(rows)
    }

    pub(super) fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.matrix.row_starts()[i]..self.matrix.row_starts()[i + 1];
        (&self.matrix.column_indices()[range.clone()], &self.values[range])
    }

    /// Calls `f` with both values for each column in which at least one row has an entry; returns the number of such
    /// columns.
    #[inline]
    fn for_each_pair(&self, i: usize, j: usize, mut f: impl FnMut(f64, f64)) -> usize {
        let ((a, x), (b, y)) = (self.row(i), self.row(j));
        let (mut s, mut t, mut both) = (0, 0, 0);
        while s < a.len() && t < b.len() {
            // Branch-free: which of the two comes next cannot be predicted.
            let (left, right) = (a[s] <= b[t], b[t] <= a[s]);
            f(if left { x[s] } else { 0.0 }, if right { y[t] } else { 0.0 });
            s += usize::from(left);
            t += usize::from(right);
            both += usize::from(left && right);
        }
        x[s..].iter().for_each(|&v| f(v, 0.0));
        y[t..].iter().for_each(|&v| f(0.0, v));
        a.len() + b.len() - both
    }
}

impl Rows for SparseRows<'_> {
    fn len(&self) -> usize {
        self.matrix.rows()
    }

    fn distance(&self, i: usize, j: usize) -> f64 {
        let dimensions = self.matrix.columns();
        let mut sum = 0.0;
        match self.metric {
            Metric::Euclidean => {
                self.for_each_pair(i, j, |a, b| sum += (a - b) * (a - b));
                sum.sqrt()
            }
            Metric::Cosine | Metric::Correlation => {
                let (p, q) = (self.standard[i], self.standard[j]);
                let square = |a: f64, b: f64| {
                    let difference = (a - p.mean) * p.scale - (b - q.mean) * q.scale;
                    difference * difference
                };
                let present = self.for_each_pair(i, j, |a, b| sum += square(a, b));
                0.5 * (sum + (dimensions - present) as f64 * square(0.0, 0.0))
            }
            Metric::Manhattan => {
                self.for_each_pair(i, j, |a, b| sum += (a - b).abs());
                sum
            }
            Metric::Hamming => {
                self.for_each_pair(i, j, |a, b| sum += f64::from(u8::from(a != b)));
                sum / dimensions.max(1) as f64
            }
            Metric::Jaccard => {
                let mut either = 0.0;
                self.for_each_pair(i, j, |a, b| {
                    sum += f64::from(u8::from(a != 0.0 && b != 0.0));
                    either += f64::from(u8::from(a != 0.0 || b != 0.0));
                });
                jaccard(sum, either)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::Named;
    use crate::simd::Choice;
    use ndarray::Array2;

    #[test]
    fn values_of_sparse_rows_beyond_single_precision_are_reported() {
        let matrix = CsrMatrix::from_triplets((5, 5), &[(0, 0, 1e300)]).unwrap();
        for metric in Metric::ALL.iter().copied().filter(|metric| !metric.is_angular()) {
            let error = SparseRows::new(&matrix, metric).err();
            assert_eq!(error, Some(Error::Value { quantity: Quantity::Coordinate, row: 0, column: 0, value: 1e300 }));
        }
    }

    #[test]
    fn distances_are_the_same_bytes_with_any_instructions() {
        let points = Array2::from_shape_fn((20, 37), |(i, k)| ((i * 37 + k) as f32 * 0.7).sin());
        let view = points.view();
        for metric in [Metric::Euclidean, Metric::Cosine, Metric::Correlation, Metric::Manhattan] {
            let rows = DenseRows::new(&view, metric).expect("points without a fault");
            let [best, portable] = Choice::both(|choice| {
                let mut pairs: Vec<(f32, u32)> = (1..20).map(|j| (0.0, j)).collect();
                choice.run(FillDistances { rows: &rows, i: 0, pairs: &mut pairs });
                pairs
            });
            assert!(best.iter().all(|pair| pair.0 > 0.0));
            assert_eq!(best, portable, "{metric:?}");
        }
    }
}
