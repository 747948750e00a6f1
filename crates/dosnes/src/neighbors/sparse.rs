//! Exact search among sparse rows.
//!
//! The entries of each column are listed once. For each row, a pass over the lists of its columns adds up the terms
//! that it shares with every other row. All six metrics follow from such a sum over shared columns and from sums over
//! single rows. As with dense rows, the sums only select candidates; their distances are then computed again without
//! cancellation.

use rayon::prelude::*;

use super::candidates::Candidates;
use super::metric::Metric;
use super::rows::{Rows, SparseRows, jaccard};
use super::{Neighbors, SearchMethod, nearest_first};
use crate::error::Error;
use crate::observe::{Observer, report};
use crate::sparse::CsrMatrix;

/// Queries per task.
const BLOCK: usize = 64;
/// Rows whose scores are compared with the threshold at once.
const LANES: usize = 16;

/// The k nearest neighbours of every row.
pub(super) fn search(rows: &SparseRows, k: usize, observer: &mut dyn Observer) -> Result<Neighbors, Error> {
    let n = rows.len();
    let scores = Scores::new(rows);
    let columns = scores.matrix.transposed();
    let mut result = Neighbors::with_capacity(n, k, SearchMethod::Exact);
    let batch = (n / 50).next_multiple_of(BLOCK).max(8 * BLOCK);
    let all: Vec<u32> = (0..n as u32).collect();
    for queries in all.chunks(batch) {
        let blocks = queries.par_chunks(BLOCK).map_init(
            || (vec![0.0; n + LANES], Candidates::new(k)),
            |(shared, candidates), block| {
                let search_one = |&i: &u32| {
                    scores.add_shared(&columns, i as usize, shared);
                    candidates.clear();
                    if rows.metric == Metric::Jaccard {
                        collect(i, n, candidates, |first| scores.of_sets(i as usize, first, shared));
                    } else {
                        collect(i, n, candidates, |first| scores.of_sums(i as usize, first, shared));
                    }
                    let remaining = candidates.remaining();
                    nearest_first(i, remaining.map(|j| (rows.distance(i as usize, j as usize) as f32, j)).collect(), k)
                };
                block.iter().map(search_one).collect::<Vec<_>>()
            },
        );
        for row in blocks.collect::<Vec<_>>().into_iter().flatten() {
            result.push_row(&row);
        }
        report(observer, result.len() as f64 / n as f64)?;
    }
    Ok(result)
}

/// Offers all rows but `i` to its candidates. `scores_from` returns the scores of consecutive rows and the bounds of
/// their rounding errors.
#[inline]
fn collect(i: u32, n: usize, candidates: &mut Candidates, scores_from: impl Fn(usize) -> [(f64, f64); LANES]) {
    // Rounded outwards, because single precision is coarser, and ties in single precision must not be cut off.
    let outwards = |value: f64, sign: f32| {
        let value = (value as f32).clamp(f32::MIN, f32::MAX);
        value + sign * (4.0 * f32::EPSILON * value.abs() + f32::MIN_POSITIVE)
    };
    for first in (0..n).step_by(LANES) {
        let mut lowers = [f32::INFINITY; LANES];
        let count = LANES.min(n - first);
        let scores = scores_from(first);
        for (lower, (score, error)) in lowers.iter_mut().zip(scores) {
            *lower = outwards(score - error, -1.0);
        }
        if lowers.iter().any(|&lower| lower <= candidates.threshold) {
            for lane in 0..count {
                let j = (first + lane) as u32;
                if j != i && lowers[lane] <= candidates.threshold {
                    let (score, error) = scores[lane];
                    candidates.push(lowers[lane], outwards(score + error, 1.0), j);
                }
            }
        }
    }
    candidates.sort_out();
}

/// The parts of all scores: sums over single rows, and over the entries that two rows share.
struct Scores<'a> {
    rows: &'a SparseRows<'a>,
    /// The rows; for the angular metrics, divided by their lengths.
    matrix: CsrMatrix<'a>,
    /// score = `base_i + base_j + factor · shared + tilt_i tilt_j`; the tilt removes the means.
    base: Vec<f64>,
    factor: f64,
    tilt: Vec<f64>,
    /// A score's rounding error is at most `bound_i + bound_j`.
    bound: Vec<f64>,
}

impl<'a> Scores<'a> {
    fn new(rows: &'a SparseRows<'a>) -> Self {
        let (n, dimensions) = (rows.len(), rows.matrix.columns() as f64);
        // One unit for each addition, at most one per column in each of the sums, and some for the arithmetic on the
        // sums.
        let error = (2.0 * dimensions + 32.0) * f64::EPSILON;
        let mut matrix = rows.matrix.borrowed();
        let over_row =
            |f: fn(f64) -> f64| -> Vec<f64> { (0..n).map(|i| rows.row(i).1.iter().map(|&v| f(v)).sum()).collect() };
        let (mut factor, mut tilt) = (1.0, vec![0.0; n]);
        let (base, bound) = match rows.metric {
            Metric::Euclidean => {
                factor = -2.0;
                let squares = over_row(|v| v * v);
                (squares.clone(), squares)
            }
            Metric::Cosine | Metric::Correlation => {
                factor = -1.0;
                let scaled_rows = rows.matrix.iter_rows().zip(&rows.standard);
                let scaled: Vec<f64> =
                    scaled_rows.flat_map(|(row, standard)| row.iter().map(|(_, v)| v * standard.scale)).collect();
                let (starts, columns) = (rows.matrix.row_starts(), rows.matrix.column_indices());
                matrix = CsrMatrix::well_formed(rows.matrix.shape(), starts, columns, scaled);
                tilt = rows.standard.iter().map(|s| dimensions.sqrt() * s.mean * s.scale).collect();
                (vec![0.5; n], tilt.iter().map(|t| 0.5 + t * t).collect())
            }
            Metric::Manhattan => {
                let sums = over_row(f64::abs);
                (sums.clone(), sums)
            }
            // Counts are exact. An entry may be an explicit zero, which counts as absent.
            Metric::Hamming | Metric::Jaccard => (over_row(|v| f64::from(u8::from(v != 0.0))), vec![0.0; n]),
        };
        let bound: Vec<f64> = bound.iter().map(|b| error * b).collect();
        // Padded, so that whole lanes can be read at every row.
        let [base, tilt, bound] = [base, tilt, bound].map(|mut values| {
            values.resize(n + LANES, 0.0);
            values
        });
        Self { rows, matrix, base, factor, tilt, bound }
    }

    /// `shared[j] = Σ f(x_i, x_j)` over the columns in which both rows have entries.
    fn add_shared(&self, columns: &CsrMatrix, i: usize, shared: &mut [f64]) {
        shared.fill(0.0);
        for (column, x) in self.matrix.row(i).iter() {
            let others = columns.row(column);
            let entries = others.iter();
            match self.rows.metric {
                Metric::Euclidean | Metric::Cosine | Metric::Correlation => {
                    entries.for_each(|(j, y)| shared[j] += x * y);
                }
                Metric::Manhattan => {
                    entries.for_each(|(j, y)| shared[j] += (x - y).abs() - x.abs() - y.abs());
                }
                // Otherwise two entries would count as two differences: 1 too many if they differ, 2 too many if they
                // are equal.
                Metric::Hamming => entries.for_each(|(j, y)| {
                    if x != 0.0 && y != 0.0 {
                        shared[j] -= if x == y { 2.0 } else { 1.0 };
                    }
                }),
                Metric::Jaccard => entries.for_each(|(j, y)| {
                    if x != 0.0 && y != 0.0 {
                        shared[j] += 1.0;
                    }
                }),
            }
        }
    }

    #[inline]
    fn of_sums(&self, i: usize, first: usize, shared: &[f64]) -> [(f64, f64); LANES] {
        let (base, tilt, bound) = (self.base[i], self.tilt[i], self.bound[i]);
        let (bases, tilts, bounds) = (lanes(&self.base, first), lanes(&self.tilt, first), lanes(&self.bound, first));
        let shared = lanes(shared, first);
        std::array::from_fn(|l| (base + bases[l] + self.factor * shared[l] + tilt * tilts[l], bound + bounds[l]))
    }

    #[inline]
    fn of_sets(&self, i: usize, first: usize, shared: &[f64]) -> [(f64, f64); LANES] {
        let (size, sizes, shared) = (self.base[i], lanes(&self.base, first), lanes(shared, first));
        std::array::from_fn(|l| (jaccard(shared[l], size + sizes[l] - shared[l]), 0.0))
    }
}

#[inline]
fn lanes(values: &[f64], first: usize) -> &[f64; LANES] {
    values[first..first + LANES].try_into().expect("as many as requested")
}
