//! Exact search among sparse rows.
//!
//! The columns' entries are listed once; for each row, walking the lists of its columns adds up what it shares with every
//! other row. All six metrics follow from such a sum over shared columns and from sums over single rows. As among dense
//! rows, the sums only select candidates; their distances are then computed again without cancellation.

use rayon::prelude::*;

use super::candidates::Candidates;
use super::metric::Metric;
use super::rows::{Rows, SparseRows, jaccard};
use super::{Hook, Neighbors, SearchMethod, nearest_first};
use crate::error::Error;

/// Queries that one task works on.
const BLOCK: usize = 64;

/// The k nearest neighbours of every row.
pub(super) fn search(rows: &SparseRows, k: usize, hook: Hook) -> Result<Neighbors, Error> {
    let n = rows.len();
    let columns = rows.matrix.transpose_view().to_csr();
    let totals: Vec<f64> = (0..n).map(|i| total(rows, i)).collect();
    let mut result = Neighbors::with_capacity(n, k, SearchMethod::Exact);
    let batch = (n / 50).next_multiple_of(BLOCK).max(8 * BLOCK);
    let all: Vec<u32> = (0..n as u32).collect();
    for queries in all.chunks(batch) {
        let blocks = queries.par_chunks(BLOCK).map_init(
            || (vec![0.0; n], Candidates::new(k)),
            |(shared, candidates), block| {
                let search_one = |&i: &u32| {
                    add_shared(rows, &columns, i as usize, shared);
                    candidates.clear();
                    let bounds = Bounds::new(rows, &totals, i as usize, shared);
                    for j in (0..n as u32).filter(|&j| j != i) {
                        let lower = bounds.lower(j);
                        if lower <= candidates.threshold {
                            candidates.push(lower, j, |_, j| bounds.upper(j));
                        }
                    }
                    let remaining = candidates.finish(|_, j| bounds.upper(j));
                    nearest_first(remaining.map(|j| (rows.distance(i as usize, j as usize) as f32, j)).collect(), k)
                };
                block.iter().map(search_one).collect::<Vec<_>>()
            },
        );
        for row in blocks.collect::<Vec<_>>().into_iter().flatten() {
            result.push_row(&row);
        }
        if hook(result.len() as f32 / n as f32).is_break() {
            return Err(Error::Stopped);
        }
    }
    Ok(result)
}

/// The sum over a single row that its distances need.
fn total(rows: &SparseRows, i: usize) -> f64 {
    let (_, values) = rows.row(i);
    match rows.metric {
        Metric::Euclidean => values.iter().map(|v| v * v).sum(),
        Metric::Cosine | Metric::Correlation => 1.0,
        Metric::Manhattan => values.iter().map(|v| v.abs()).sum(),
        // An entry may be an explicit zero, which is as good as absent.
        Metric::Hamming | Metric::Jaccard => values.iter().filter(|&&v| v != 0.0).count() as f64,
    }
}

/// `shared[j] = Σ f(x_i, x_j)` over the columns in which both rows have entries.
fn add_shared(rows: &SparseRows, columns: &crate::input::Csr, i: usize, shared: &mut [f64]) {
    shared.fill(0.0);
    let (own_columns, own_values) = rows.row(i);
    let (starts, others, values) = (columns.indptr(), columns.indices(), columns.data());
    for (&column, &x) in own_columns.iter().zip(own_values) {
        let range = starts.outer_inds_sz(column as usize);
        let entries = others[range.clone()].iter().zip(&values[range]);
        match rows.metric {
            Metric::Euclidean | Metric::Cosine | Metric::Correlation => {
                entries.for_each(|(&j, &y)| shared[j as usize] += x * y);
            }
            Metric::Manhattan => {
                entries.for_each(|(&j, &y)| shared[j as usize] += (x - y).abs() - x.abs() - y.abs());
            }
            // Without it two entries count as two differences: 1 too many when they differ, 2 when they are equal.
            Metric::Hamming => entries.for_each(|(&j, &y)| {
                if x != 0.0 && y != 0.0 {
                    shared[j as usize] -= if x == y { 2.0 } else { 1.0 };
                }
            }),
            Metric::Jaccard => entries.for_each(|(&j, &y)| {
                if x != 0.0 && y != 0.0 {
                    shared[j as usize] += 1.0;
                }
            }),
        }
    }
}

/// Bounds of the distances from one row (of an increasing function of them).
struct Bounds<'a> {
    rows: &'a SparseRows<'a>,
    totals: &'a [f64],
    i: usize,
    shared: &'a [f64],
    dimensions: f64,
    /// Rounding error of the sums relative to the totals: one unit for each addition, of which there are no more than
    /// columns in the shared sum and in each of the totals, and some for what is done with them.
    error: f64,
}

impl<'a> Bounds<'a> {
    fn new(rows: &'a SparseRows<'a>, totals: &'a [f64], i: usize, shared: &'a [f64]) -> Self {
        let dimensions = rows.matrix.cols() as f64;
        Self { rows, totals, i, shared, dimensions, error: (2.0 * dimensions + 32.0) * f64::EPSILON }
    }

    /// The score of row `j` and the bound of its rounding error.
    #[inline]
    fn score(&self, j: u32) -> (f64, f64) {
        let (both, shared) = (self.totals[self.i] + self.totals[j as usize], self.shared[j as usize]);
        match self.rows.metric {
            Metric::Euclidean => (both - 2.0 * shared, self.error * both),
            Metric::Cosine | Metric::Correlation => {
                let (p, q) = (self.rows.standard[self.i], self.rows.standard[j as usize]);
                let product = (shared - self.dimensions * p.mean * q.mean) * p.scale * q.scale;
                // Before the means are taken out, squared lengths are 1/scale² + D mean².
                let (a, b) = (p.mean * p.scale, q.mean * q.scale);
                (1.0 - product, self.error * (1.0 + self.dimensions * (a * a + b * b)))
            }
            Metric::Manhattan => (both + shared, self.error * both),
            Metric::Hamming => (both + shared, 0.0),
            Metric::Jaccard => (jaccard(shared, both - shared), 0.0),
        }
    }

    /// Outwards, as single precision is coarser, and as what is equal in single precision must not be cut off.
    #[inline]
    fn lower(&self, j: u32) -> f32 {
        let (score, error) = self.score(j);
        let lower = ((score - error) as f32).clamp(f32::MIN, f32::MAX);
        lower - 4.0 * f32::EPSILON * lower.abs() - f32::MIN_POSITIVE
    }

    #[inline]
    fn upper(&self, j: u32) -> f32 {
        let (score, error) = self.score(j);
        let upper = ((score + error) as f32).clamp(f32::MIN, f32::MAX);
        upper + 4.0 * f32::EPSILON * upper.abs() + f32::MIN_POSITIVE
    }
}
