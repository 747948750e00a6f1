//! The nearest of some rows to other rows.

use ndarray::{Array2, ArrayView2, Axis, concatenate};

use super::Metric;
use super::dense::{self, PackedPoints, Prepared};
use super::rows::DenseRows;
use crate::error::Error;

/// For each row of `new`, the `k` nearest rows of `old`: distance and index, nearest first, ties by index. The result for a
/// row does not depend on the other rows of `new`.
pub(crate) fn nearest_between(
    old: &ArrayView2<'_, f32>,
    new: &ArrayView2<'_, f32>,
    metric: Metric,
    k: usize,
) -> Result<Vec<Vec<(f32, u32)>>, Error> {
    let all: Array2<f32> = concatenate(Axis(0), &[old.view(), new.view()]).expect("both have the same columns");
    let view = all.view();
    let n = old.nrows() as u32;
    let rows = DenseRows::new(&view, metric)?;
    let prepared = Prepared::new(&rows);
    let points = PackedPoints::of_first(&prepared, n as usize);
    let queries: Vec<u32> = (n..all.nrows() as u32).collect();
    Ok(dense::search_rows(&rows, &prepared, &points, &queries, k.min(old.nrows())))
}
