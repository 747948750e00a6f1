//! The k nearest neighbours of every item.
//!
//! [`find_neighbors`] searches among points, [`neighbors_from_distances`] takes them from a given matrix, `nearest_in_space`
//! finds them on a map. Each method has its own file:
//!
//! | method | for | how |
//! |---|---|---|
//! | `dense` | dense rows, exact | blocked matrix products in single precision with error bounds, then exact re-ranking |
//! | `sparse` | sparse rows, exact | sums over the shared columns only, then exact re-ranking |
//! | `cells` | many dense rows, approximate | k-means cells; a sample determines which of them an item searches |
//! | `tree` | points of a map, exact | a k-d tree |
//! | `duplicates` | equal rows | one of the methods above among distinct rows; their neighbours are spread over the copies |
//! | `naive` | reference for tests | every pair, sorted |
//!
//! The result depends on the input, not on the machine. The exact methods return what sorting all distances would
//! (computed in double precision by [`Metric`]'s formulas, rounded to single precision). The approximate
//! method does the same among the items that it compares, on any number of threads.
//!
//! If more items than needed are at the same distance, some of them are chosen by a fixed hash of the two items' numbers. By
//! index, the first rows of data with many ties (counts, grids, Hamming distances) would be neighbours of everyone.

mod between;
mod candidates;
mod cells;
mod dense;
mod duplicates;
mod given;
mod kmeans;
mod metric;
#[cfg(test)]
mod naive;
mod pairs;
mod plan;
mod rows;
mod sparse;
#[cfg(test)]
mod tests;
mod tile;
mod tree;

use crate::{
    error::{Error, Quantity},
    random::mix,
    sparse::MatrixError,
};

pub(crate) use between::nearest_between;
pub(crate) use duplicates::Duplicates;
pub use given::neighbors_from_distances;
pub use metric::Metric;
pub(crate) use pairs::with_pair_distances;
pub use plan::find_neighbors;
pub(crate) use tree::{nearest_in_space, visit_nearest};

/// The nearest neighbours of every item, nearest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbors {
    starts: Vec<usize>,
    indices: Vec<u32>,
    distances: Vec<f32>,
    /// How they were found.
    pub method: SearchMethod,
    /// For an approximate search: the share of the true neighbours that was found, measured on a sample of items.
    pub recall: Option<f64>,
}

/// How neighbours were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchMethod {
    /// Taken from a matrix of distances.
    Given,
    /// All pairs were compared.
    Exact,
    /// Every item was compared with the items in some of `cells` k-means cells: the nearest, and others that may have neighbours.
    Cells {
        /// Number of cells.
        cells: usize,
        /// Mean number of cells searched for an item.
        searched: usize,
    },
}

/// The search method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum NeighborMethod {
    /// The approximate method for many dense rows, if a sample shows that it reaches the recall with well under half of
    /// the work; otherwise the exact one.
    #[default]
    Auto,
    /// Compare all pairs.
    Exact,
    /// Compare only with items in nearby cells. Sparse rows, and dense rows under the jaccard metric, are still
    /// searched exactly; [`Neighbors::method`] tells which method was used.
    Approximate,
}

/// Options of [`find_neighbors`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NeighborOptions {
    /// Number of neighbours of each item, without the item itself.
    pub k: usize,
    /// The distance. Default: euclidean.
    pub metric: Metric,
    /// The method. Default: automatic.
    pub method: NeighborMethod,
    /// The share of the true neighbours that an approximate search should find. Default: 0.99.
    pub recall: f64,
    /// Seed of the approximate method's random choices. Default: 0.
    pub seed: u64,
}

impl NeighborOptions {
    /// `k` neighbours, and defaults for the other options.
    pub fn new(k: usize) -> Self {
        Self { k, metric: Metric::Euclidean, method: NeighborMethod::Auto, recall: 0.99, seed: 0 }
    }
}

impl Neighbors {
    /// Number of items.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Total number of neighbours of all items.
    pub fn total(&self) -> usize {
        self.indices.len()
    }

    /// The neighbours of item `i` and their distances, nearest first, ties by index; `i` itself is not among them. `None`
    /// if there is no such item.
    pub fn get_row(&self, i: usize) -> Option<(&[u32], &[f32])> {
        (i < self.len()).then(|| self.row(i))
    }

    /// The neighbours of item `i`, which exists, and their distances.
    pub(crate) fn row(&self, i: usize) -> (&[u32], &[f32]) {
        let range = self.starts[i]..self.starts[i + 1];
        (&self.indices[range.clone()], &self.distances[range])
    }

    /// Neighbours that were found elsewhere: item i has those at `starts[i]..starts[i + 1]`, in any order. What an item
    /// says of itself is left out.
    pub fn from_parts(starts: &[usize], indices: &[u32], distances: &[f32]) -> Result<Self, Error> {
        let items = starts.len().saturating_sub(1);
        // The same rules as for a sparse matrix, but for the order.
        if starts.first() != Some(&0) || starts.windows(2).any(|w| w[0] > w[1]) || starts.last() != Some(&indices.len())
        {
            return Err(MatrixError::RowStartCount { found: starts.len(), rows: items }.into());
        }
        if indices.len() != distances.len() {
            return Err(MatrixError::EntryCount { columns: indices.len(), values: distances.len() }.into());
        }
        let mut rows = Vec::with_capacity(items);
        for (row, bounds) in starts.windows(2).enumerate() {
            let mut of_row = Vec::with_capacity(bounds[1] - bounds[0]);
            for (&j, &distance) in indices[bounds[0]..bounds[1]].iter().zip(&distances[bounds[0]..bounds[1]]) {
                let column = j as usize;
                if column >= items {
                    return Err(MatrixError::Outside { row, column, rows: items, columns: items }.into());
                }
                if !(distance.is_finite() && distance >= 0.0) {
                    let value = f64::from(distance);
                    return Err(Error::Value { quantity: Quantity::Distance, row, column, value });
                }
                if column != row {
                    of_row.push((distance, j));
                }
            }
            of_row.sort_unstable_by_key(|&(_, j)| j);
            if let Some(pair) = of_row.windows(2).find(|pair| pair[0].1 == pair[1].1) {
                return Err(MatrixError::Order { row, column: pair[0].1 as usize }.into());
            }
            of_row.sort_unstable_by(by_distance_then_index);
            rows.push(of_row);
        }
        Ok(Self::from_rows(rows.into_iter(), SearchMethod::Given))
    }

    /// The start of each item's list and the end of the last one, the neighbours, and their distances.
    pub(crate) fn into_parts(self) -> (Vec<usize>, Vec<u32>, Vec<f32>) {
        (self.starts, self.indices, self.distances)
    }

    /// One list for each item, in order, each nearest first.
    fn from_rows(rows: impl Iterator<Item = Vec<(f32, u32)>>, method: SearchMethod) -> Self {
        let mut result = Self { starts: vec![0], indices: Vec::new(), distances: Vec::new(), method, recall: None };
        for row in rows {
            result.push_row(&row);
        }
        result
    }

    fn with_capacity(items: usize, k: usize, method: SearchMethod) -> Self {
        let mut starts = Vec::with_capacity(items + 1);
        starts.push(0);
        let (indices, distances) = (Vec::with_capacity(items * k), Vec::with_capacity(items * k));
        Self { starts, indices, distances, method, recall: None }
    }

    fn push_row(&mut self, row: &[(f32, u32)]) {
        self.indices.extend(row.iter().map(|&(_, j)| j));
        self.distances.extend(row.iter().map(|&(distance, _)| distance));
        self.starts.push(self.indices.len());
    }
}

/// The order of neighbours: nearest first, ties by index.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "sorting passes references")]
fn by_distance_then_index(a: &(f32, u32), b: &(f32, u32)) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// The `k` nearest of item `i`, in order.
fn nearest_first(i: u32, mut row: Vec<(f32, u32)>, k: usize) -> Vec<(f32, u32)> {
    if row.len() > k && k > 0 {
        row.select_nth_unstable_by(k - 1, by_distance_then_index);
        let farthest = row[k - 1].0;
        if row[k..].iter().any(|&(distance, _)| distance <= farthest) {
            let chance = |j: u32| mix(u64::from(i.min(j)) << 32 | u64::from(i.max(j)));
            let by_chance = |a: &(f32, u32), b: &(f32, u32)| {
                a.0.total_cmp(&b.0).then_with(|| chance(a.1).cmp(&chance(b.1))).then(a.1.cmp(&b.1))
            };
            row.retain(|&(distance, _)| distance <= farthest);
            row.select_nth_unstable_by(k - 1, by_chance);
        }
        row.truncate(k);
    }
    row.sort_unstable_by(by_distance_then_index);
    row
}
