//! The choice of the search method.

use ndarray::ArrayView2;

use super::rows::{DenseRows, SparseRows};
use super::{Metric, NeighborMethod, NeighborOptions, Neighbors, cells, dense, sparse};
use crate::error::{Error, Parameter, Quantity};
use crate::input::Points;
use crate::observe::Observer;
use crate::sparse::CsrMatrix;

/// Below this number of items, comparing all pairs takes only seconds.
const ALWAYS_EXACT: usize = 60_000;
/// The approximate method is used only if it needs less than this share of the exact method's work.
const MOST_WORK: f64 = 0.4;

/// The `options.k` nearest neighbours of every item.
///
/// The `observer` is notified of progress and can stop the search, which then returns [`Error::Stopped`].
pub fn find_neighbors(
    points: &Points<'_>,
    options: &NeighborOptions,
    observer: &mut dyn Observer,
) -> Result<Neighbors, Error> {
    let (items, dimensions) = points.shape();
    if dimensions == 0 {
        return Err(Error::zero(Parameter::Columns));
    }
    if options.k == 0 {
        return Err(Error::zero(Parameter::Neighbors));
    }
    if options.k + 1 > items {
        return Err(Error::TooManyNeighbors { asked: options.k, items });
    }
    match &points.in_single_precision(options.metric.centring())? {
        // Sets of columns are sparse by nature.
        Points::Dense(x) if options.metric == Metric::Jaccard => {
            let pattern = pattern_of(&x.view())?;
            sparse::search(&SparseRows::new(&pattern, options.metric)?, options.k, observer)
        }
        Points::Dense(x) => {
            let x = x.as_standard_layout();
            let view = x.view();
            let rows = DenseRows::new(&view, options.metric)?;
            match options.method {
                NeighborMethod::Exact => dense::search(&rows, options.k, observer),
                NeighborMethod::Auto if items <= ALWAYS_EXACT => dense::search(&rows, options.k, observer),
                NeighborMethod::Auto => cells::search(&rows, options, MOST_WORK, observer),
                NeighborMethod::Approximate => cells::search(&rows, options, f64::INFINITY, observer),
            }
        }
        Points::Sparse(x) => sparse::search(&SparseRows::new(x, options.metric)?, options.k, observer),
        Points::Dense64(_) | Points::Rounded(_) => unreachable!("points were reduced to single precision"),
    }
}

/// The pattern of the nonzero entries.
pub(super) fn pattern_of(x: &ArrayView2<'_, f32>) -> Result<CsrMatrix<'static>, Error> {
    let mut row_starts = vec![0];
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    for (row, entries) in x.outer_iter().enumerate() {
        for (j, &value) in entries.iter().enumerate().filter(|&(_, &value)| value != 0.0) {
            if !value.is_finite() {
                return Err(Error::Value { quantity: Quantity::Coordinate, row, column: j, value: f64::from(value) });
            }
            columns.push(j as u32);
            values.push(f64::from(value));
        }
        row_starts.push(columns.len());
    }
    Ok(CsrMatrix::new(x.dim(), row_starts, columns, values)?)
}
