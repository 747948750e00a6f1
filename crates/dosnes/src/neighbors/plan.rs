//! The choice of the method.

use std::borrow::Cow;

use super::rows::{DenseRows, SparseRows};
use super::{Hook, Metric, NeighborMethod, NeighborOptions, Neighbors, cells, dense, sparse};
use crate::error::Error;
use crate::input::{Csr, Points};

/// Below this number of items comparing all pairs takes seconds: nothing to be gained.
const ALWAYS_EXACT: usize = 60_000;
/// The approximate method is worth its error only where it does less than this share of the exact one's work.
const MOST_WORK: f64 = 0.4;

/// The `options.k` nearest neighbours of every item.
///
/// `hook` is called now and then with the share that is done and may stop the search, which is then [`Error::Stopped`].
pub fn find_neighbors(points: &Points, options: &NeighborOptions, hook: Hook) -> Result<Neighbors, Error> {
    let (items, dimensions) = points.shape();
    if dimensions == 0 {
        return Err(Error::Zero { what: "the number of columns" });
    }
    if options.k == 0 {
        return Err(Error::Zero { what: "the number of neighbours" });
    }
    if options.k + 1 > items {
        return Err(Error::TooManyNeighbors { asked: options.k, items });
    }
    match points {
        // Sets of columns are sparse by nature.
        Points::Dense(x) if options.metric == Metric::Jaccard => {
            let pattern = pattern_of(x);
            sparse::search(&SparseRows::new(&pattern, options.metric)?, options.k, hook)
        }
        Points::Dense(x) => {
            let x =
                if x.is_standard_layout() { Cow::Borrowed(x) } else { Cow::Owned(x.as_standard_layout().into_owned()) };
            let view = x.view();
            let rows = DenseRows::new(&view, options.metric)?;
            match options.method {
                NeighborMethod::Exact => dense::search(&rows, options.k, hook),
                NeighborMethod::Auto if items <= ALWAYS_EXACT => dense::search(&rows, options.k, hook),
                NeighborMethod::Auto => cells::search(&rows, options, MOST_WORK, hook),
                NeighborMethod::Approximate => cells::search(&rows, options, f64::INFINITY, hook),
            }
        }
        Points::Sparse(x) => sparse::search(&SparseRows::new(x, options.metric)?, options.k, hook),
    }
}

/// The pattern of the entries that are not zero. A NaN is an entry, to be found and named later.
pub(super) fn pattern_of(x: &ndarray::Array2<f32>) -> Csr {
    let mut indptr = vec![0];
    let (mut indices, mut values) = (Vec::new(), Vec::new());
    for row in x.outer_iter() {
        for (j, &value) in row.iter().enumerate().filter(|&(_, &value)| value != 0.0) {
            indices.push(j as u32);
            values.push(f64::from(value));
        }
        indptr.push(indices.len());
    }
    Csr::new(x.dim(), indptr, indices, values)
}
