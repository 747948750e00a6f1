//! Reference implementation: every pair, sorted. Too slow for use, but simple enough to be obviously correct.

use super::rows::Rows;
use super::{Neighbors, SearchMethod, nearest_first};

/// The `k` nearest neighbours of every row.
pub(super) fn search(rows: &impl Rows, k: usize) -> Neighbors {
    let of_row = |i: usize| {
        let others = (0..rows.len()).filter(|&j| j != i);
        nearest_first(i as u32, others.map(|j| (rows.distance(i, j) as f32, j as u32)).collect(), k)
    };
    Neighbors::from_rows((0..rows.len()).map(of_row), SearchMethod::Exact)
}
