//! Distances of single pairs of points, for quality measures and multidimensional scaling, which need whole rows of
//! them.

use super::Metric;
use super::plan::pattern_of;
use super::rows::{DenseRows, Rows, SparseRows};
use crate::error::Error;
use crate::input::Points;

/// Calls `f` with a function that computes the distance between any two points, as the exact searches do.
pub(crate) fn with_pair_distances<R>(
    points: &Points<'_>,
    metric: Metric,
    f: impl FnOnce(&(dyn Fn(usize, usize) -> f64 + Sync)) -> R,
) -> Result<R, Error> {
    match &points.in_single_precision(metric.centring())? {
        // Sets of columns are sparse by nature.
        Points::Dense(x) if metric == Metric::Jaccard => {
            let pattern = pattern_of(&x.view())?;
            let rows = SparseRows::new(&pattern, metric)?;
            Ok(f(&|i, j| rows.distance(i, j)))
        }
        Points::Dense(x) => {
            let x = x.as_standard_layout();
            let view = x.view();
            let rows = DenseRows::new(&view, metric)?;
            Ok(f(&|i, j| rows.distance(i, j)))
        }
        Points::Sparse(x) => {
            let rows = SparseRows::new(x, metric)?;
            Ok(f(&|i, j| rows.distance(i, j)))
        }
        Points::Dense64(_) | Points::Rounded(_) => unreachable!("points were reduced to single precision"),
    }
}
