//! Exact search among dense rows.
//!
//! The kernel in [`tile`](super::tile) scores all pairs in single precision, together with a bound of each score's
//! rounding error. [`Candidates`] keeps the candidates for the k nearest, a few more than k, and their distances are
//! then computed again in double precision from the original rows. The result is therefore the same as sorting all of
//! these distances, however much |q|² + |r|² − 2q·r cancels.
//!
//! How many more than k are kept depends on how far q and r are from the origin, compared with the distance between them. So the
//! points are divided into cells, and each cell is compared with the queries about its own centre. About a common one, a dense clump of
//! n points would keep all its n² pairs.

use ndarray::Array2;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::ops::Range;

use super::candidates::Candidates;
use super::kmeans::Cells;
use super::metric::Metric;
use super::rows::{DenseRows, Rows};
use super::tile::{POINTS, Panels, QUERIES, Scan, TERMS, Term};
use super::{Neighbors, SearchMethod, nearest_first};
use crate::error::Error;
use crate::observe::{Observer, report};
use crate::simd;

/// Queries per task.
pub(super) const BLOCK: usize = 16 * QUERIES;
/// Number of floats of the points that stay in the second-level cache while all queries of a block are compared with
/// them.
const CACHED: usize = 1 << 15;
/// Points in a cell, on the average, and the largest number of cells. They only have to separate clumps from each other.
const POINTS_PER_CELL: usize = 512;
const MOST_CELLS: usize = 128;
/// Rows that determine the centre of all points, and of a cell.
const CENTRE_OF: usize = 1001;
const ORIGIN_OF: usize = 31;
/// Unit roundoff of single precision, 2⁻²⁴.
const UNIT: f64 = f32::EPSILON as f64 / 2.0;

/// Rows in the form that the kernel needs, with the bounds of the rounding errors of its scores.
///
/// For the euclidean metric the rows are centred (a common offset would only cost digits) and scaled to at most 1,
/// which prevents overflow and underflow of squares. The centre is a median, which a few points that are far away do not move.
/// The angular metrics are euclidean for rows of length 1, because their distance is ½|x̂−ŷ|².
///
/// Rows are computed when they are needed: of many points there should be no second copy.
pub(super) struct Prepared<'a> {
    pub(super) term: Term,
    pub(super) dimensions: usize,
    rows: &'a DenseRows<'a>,
    centre: Vec<f64>,
    scale: f64,
    /// The bound of a product's rounding error relative to |q|² + |r|².
    pub(super) product_error: f64,
    /// The bound of the rounding error of a sum of differences, relative to the sum.
    relative_error: f32,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(rows: &'a DenseRows<'a>) -> Self {
        let (n, dimensions) = (rows.len(), rows.dimensions);
        let term = match rows.metric {
            Metric::Euclidean | Metric::Cosine | Metric::Correlation => Term::Product,
            Metric::Manhattan => Term::AbsoluteDifference,
            Metric::Hamming | Metric::Jaccard => Term::Unequal,
        };
        let value = |i: usize, v: f32| rows.standardized(i, v);
        let mut centre = vec![0.0; dimensions];
        if term == Term::Product && n > 0 {
            centre = medians(n, CENTRE_OF, dimensions, |i, d| value(i, rows.row(i)[d]));
        }
        let mut scale = 1.0;
        if term != Term::Unequal {
            let row_largest =
                |i: usize| rows.row(i).iter().zip(&centre).map(|(&v, c)| (value(i, v) - c).abs()).fold(0.0, f64::max);
            let largest = (0..n).into_par_iter().map(row_largest).reduce(|| 0.0, f64::max);
            // A power of two, so that scaling causes no rounding.
            scale = if largest > 0.0 { (-largest.log2().ceil()).exp2() } else { 1.0 };
        }
        // In units of |q|²+|r|²: 4 for rounding the rows, one for each addition of the sum (within pieces, then of the
        // pieces), 4 for rounding |r|² and adding it to the product, 4 for adding |q|², 4 for distances that are equal in
        // single precision, and the rest for the arithmetic of the comparisons.
        let additions = dimensions.min(TERMS) + dimensions.div_ceil(TERMS);
        let product_error = (additions + 28) as f64 * UNIT * 1.01;
        let relative_error = if term == Term::AbsoluteDifference { (4.0 * product_error) as f32 } else { 0.0 };
        Self { term, dimensions, rows, centre, scale, product_error, relative_error }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    #[inline]
    fn exact_value(&self, i: u32, d: usize) -> f64 {
        let v = self.rows.row(i as usize)[d];
        (self.rows.standardized(i as usize, v) - self.centre[d]) * self.scale
    }

    /// A row in double precision.
    #[inline]
    fn exact_row(&self, i: u32) -> impl Iterator<Item = f64> + '_ {
        let i = i as usize;
        let values = self.rows.row(i).iter().zip(&self.centre);
        values.map(move |(&v, c)| (self.rows.standardized(i, v) - c) * self.scale)
    }

    /// The point about which the rows of a cell are compared: a median again, so that it is within a clump to which most of them belong.
    /// Only where products are summed do sums lose digits far from it.
    fn origin(&self, members: &[u32]) -> Vec<f32> {
        if self.term != Term::Product || members.is_empty() {
            return vec![0.0; self.dimensions];
        }
        let value = |k: usize, d: usize| self.exact_value(members[k], d);
        medians(members.len(), ORIGIN_OF, self.dimensions, value).into_iter().map(|v| v as f32).collect()
    }

    /// A row, seen from `origin`.
    #[inline]
    pub(super) fn row_about<'b>(&'b self, i: u32, origin: &'b [f32]) -> impl Iterator<Item = f32> + 'b {
        self.exact_row(i).zip(origin).map(|(v, &o)| (v - f64::from(o)) as f32)
    }

    /// Some rows, as a matrix.
    pub(super) fn block(&self, indices: impl ExactSizeIterator<Item = u32>) -> Array2<f32> {
        let shape = (indices.len(), self.dimensions);
        let values: Vec<f32> = indices.flat_map(|i| self.exact_row(i).map(|v| v as f32)).collect();
        Array2::from_shape_vec(shape, values).expect("all rows have the same length")
    }

    /// The number that a row with these coordinates adds to the sums of its pairs, so that a score is a lower bound; zero if the term
    /// is not a product.
    fn base(&self, row: impl Iterator<Item = f32>) -> f32 {
        match self.term {
            Term::Product => {
                let square: f64 = row.map(|v| f64::from(v) * f64::from(v)).sum();
                ((1.0 - self.product_error) * square) as f32
            }
            Term::AbsoluteDifference | Term::Unequal => 0.0,
        }
    }

    /// The factor of the queries: a squared distance is |q|² + |r|² − 2q·r.
    fn query_factor(&self) -> f32 {
        if self.term == Term::Product { -2.0 } else { 1.0 }
    }

    /// An upper bound for a pair of rows with these bases and the lower bound `lower`.
    #[inline]
    pub(super) fn upper(&self, lower: f32, bases: f32) -> f32 {
        // Of the squares, not of the bases, which are smaller by as much as the error.
        let width = (2.0 * self.product_error * (1.0 + 2.0 * self.product_error)) as f32 * bases;
        // Subnormal numbers have larger rounding errors than the relative bounds assume.
        lower + lower * self.relative_error + width + 1e-30
    }
}

/// Points packed for the kernel in groups, one for each cell, with their bases and their indices. The rows of a group are seen from
/// the centre of its cell.
pub(super) struct PackedPoints {
    panels: Panels,
    bases: Vec<f32>,
    indices: Vec<u32>,
    /// The panels of each group, and its origin.
    groups: Vec<(Range<usize>, Vec<f32>)>,
}

/// The median of each coordinate, from at most `most` of `n` rows.
fn medians(n: usize, most: usize, dimensions: usize, value: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let count = n.min(most);
    let of_coordinate = |d: usize| {
        let mut values: Vec<f64> = (0..count).map(|k| value(k * n / count, d)).collect();
        *values.select_nth_unstable_by(count / 2, f64::total_cmp).1
    };
    (0..dimensions).map(of_coordinate).collect()
}

/// The index of a place in a panel that has no point.
const NO_POINT: u32 = u32::MAX;

impl PackedPoints {
    /// The first `n` rows, which are to be compared with all queries.
    pub(super) fn of_first(prepared: &Prepared<'_>, n: usize) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
        Self::of(prepared, &Cells::new(prepared, n, (n / POINTS_PER_CELL).min(MOST_CELLS), &mut random))
    }

    /// All groups are in one piece of memory, which the system gets back: it would not get back a small piece for each.
    pub(super) fn of(prepared: &Prepared<'_>, cells: &Cells) -> Self {
        let mut count = 0;
        let groups: Vec<(Range<usize>, Vec<f32>)> = cells
            .members
            .iter()
            .map(|members| {
                let first = count;
                count += members.len().div_ceil(POINTS);
                (first..count, prepared.origin(members))
            })
            .collect();
        let mut panels = Panels::zeros(POINTS, prepared.dimensions, count);
        let (mut bases, mut indices) = (vec![f32::INFINITY; count * POINTS], vec![NO_POINT; count * POINTS]);
        let mut tasks = Vec::with_capacity(groups.len());
        let (mut bases_left, mut indices_left) = (bases.as_mut_slice(), indices.as_mut_slice());
        let mut panels_left = panels.as_mut_slice();
        for (members, (group, origin)) in cells.members.iter().zip(&groups) {
            let (bases, bases_after) = bases_left.split_at_mut(group.len() * POINTS);
            let (indices, indices_after) = indices_left.split_at_mut(group.len() * POINTS);
            let (panels, panels_after) = panels_left.split_at_mut(group.len() * POINTS * prepared.dimensions);
            (bases_left, indices_left, panels_left) = (bases_after, indices_after, panels_after);
            tasks.push((members, origin, bases, indices, panels));
        }
        tasks.into_par_iter().for_each(|(members, origin, bases, indices, panels)| {
            for (k, &j) in members.iter().enumerate() {
                bases[k] = prepared.base(prepared.row_about(j, origin));
                indices[k] = j;
                let panel = &mut panels[k / POINTS * POINTS * prepared.dimensions..];
                for (d, value) in prepared.row_about(j, origin).enumerate() {
                    panel[d * POINTS + k % POINTS] = value;
                }
            }
        });
        Self { panels, bases, indices, groups }
    }
}

/// The working memory of one task.
pub(super) struct Scratch {
    packed: Panels,
    row: Vec<f32>,
    bases: Vec<f32>,
    thresholds: Vec<f32>,
    pub(super) candidates: Vec<Candidates>,
}

impl Scratch {
    pub(super) fn new(k: usize, dimensions: usize, queries: usize) -> Self {
        Self {
            packed: Panels::new(QUERIES, dimensions),
            row: Vec::with_capacity(dimensions),
            bases: Vec::new(),
            thresholds: Vec::new(),
            candidates: (0..queries).map(|_| Candidates::new(k)).collect(),
        }
    }

    /// Offers a group of `points` to the candidates of the queries: pairs of an index into `candidates`, and the row.
    pub(super) fn scan(
        &mut self,
        prepared: &Prepared<'_>,
        points: &PackedPoints,
        group: usize,
        queries: &[(usize, u32)],
    ) {
        let factor = prepared.query_factor();
        let (of_group, origin) = &points.groups[group];
        let Self { packed, row, bases, thresholds, candidates } = self;
        packed.clear();
        bases.clear();
        thresholds.clear();
        for &(slot, i) in queries {
            row.clear();
            row.extend(prepared.row_about(i, origin));
            packed.push(row.iter().map(|v| v * factor));
            let base = prepared.base(row.iter().copied());
            bases.push(base);
            // The kernel knows nothing of the queries' bases.
            thresholds.push(candidates[slot].threshold - base);
        }
        // The padding of the last panel must never produce a hit.
        thresholds.resize(packed.count() * QUERIES, f32::NEG_INFINITY);
        let step = (CACHED / (POINTS * prepared.dimensions)).max(1);
        for first in of_group.clone().step_by(step) {
            let range = first..(first + step).min(of_group.end);
            let hit = |query: usize, panel: usize, mut lanes: u32, scores: &[f32; POINTS]| {
                let ((slot, i), base) = (queries[query], bases[query]);
                let candidates = &mut candidates[slot];
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let at = panel * POINTS + lane;
                    let j = points.indices[at];
                    if j != i && j != NO_POINT {
                        let lower = scores[lane] + base;
                        candidates.push(lower, prepared.upper(lower, base + points.bases[at]), j);
                    }
                }
                candidates.threshold - base
            };
            simd::run(Scan {
                term: prepared.term,
                queries: packed,
                points: &points.panels,
                range,
                bases: &points.bases,
                thresholds,
                hit,
            });
        }
    }

    /// An upper bound of the squared distance to the farthest of the k nearest candidates so far; infinite if there are fewer. Only for
    /// metrics that compare products.
    pub(super) fn farthest(&mut self, slot: usize) -> f32 {
        let candidates = &mut self.candidates[slot];
        candidates.sort_out();
        candidates.threshold
    }

    /// The k nearest of the candidates of row `i`, by their distances in double precision.
    pub(super) fn nearest(&mut self, rows: &DenseRows, slot: usize, i: u32, k: usize) -> Vec<(f32, u32)> {
        let candidates = &mut self.candidates[slot];
        candidates.sort_out();
        let mut remaining: Vec<(f32, u32)> = candidates.remaining().map(|j| (0.0, j)).collect();
        rows.fill_distances(i, &mut remaining);
        nearest_first(i, remaining, k)
    }
}

/// The k nearest of `queries` among all of `points`, in the order of `queries`.
pub(super) fn search_rows(
    rows: &DenseRows,
    prepared: &Prepared<'_>,
    points: &PackedPoints,
    queries: &[u32],
    k: usize,
) -> Vec<Vec<(f32, u32)>> {
    let blocks = queries.par_chunks(BLOCK).map_init(
        || Scratch::new(k, rows.dimensions, BLOCK),
        |scratch, block| {
            scratch.candidates.iter_mut().for_each(Candidates::clear);
            let slots: Vec<(usize, u32)> = block.iter().copied().enumerate().collect();
            for group in 0..points.groups.len() {
                scratch.scan(prepared, points, group, &slots);
            }
            slots.iter().map(|&(slot, i)| scratch.nearest(rows, slot, i, k)).collect::<Vec<_>>()
        },
    );
    blocks.collect::<Vec<_>>().into_iter().flatten().collect()
}

/// The k nearest neighbours of every row.
pub(super) fn search(rows: &DenseRows, k: usize, observer: &mut dyn Observer) -> Result<Neighbors, Error> {
    let prepared = Prepared::new(rows);
    let n = rows.len() as u32;
    let points = PackedPoints::of_first(&prepared, rows.len());
    let mut result = Neighbors::with_capacity(rows.len(), k, SearchMethod::Exact);
    // Between two batches the observer is notified and can stop.
    let batch = (rows.len() / 50).next_multiple_of(BLOCK).max(8 * BLOCK);
    let all: Vec<u32> = (0..n).collect();
    for queries in all.chunks(batch) {
        for row in search_rows(rows, &prepared, &points, queries, k) {
            result.push_row(&row);
        }
        report(observer, result.len() as f64 / n as f64)?;
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::naive;
    use crate::observe::Silent;
    use crate::random::mix;

    fn noise(a: usize, b: usize) -> f32 {
        (mix((a as u64) << 32 | b as u64) >> 40) as f32 / (1 << 24) as f32 - 0.5
    }

    /// The mean number of candidates that are left of `k` nearest.
    fn candidates_of(x: &Array2<f32>, k: usize) -> f64 {
        let view = x.view();
        let rows = DenseRows::new(&view, Metric::Euclidean).unwrap();
        assert_eq!(search(&rows, k, &mut Silent).unwrap(), naive::search(&rows, k));
        let prepared = Prepared::new(&rows);
        let points = PackedPoints::of_first(&prepared, rows.len());
        let mut left = 0;
        for i in 0..rows.len() as u32 {
            let mut scratch = Scratch::new(k, rows.dimensions, 1);
            for group in 0..points.groups.len() {
                scratch.scan(&prepared, &points, group, &[(0, i)]);
            }
            scratch.farthest(0);
            left += scratch.candidates[0].remaining().count();
        }
        left as f64 / rows.len() as f64
    }

    #[test]
    fn clumps_far_from_everything_else_keep_few_candidates() {
        let (n, k) = (2100, 10);
        let one_far_point = Array2::from_shape_fn((n, 5), |(i, j)| if i == 0 { 1e5 + j as f32 } else { noise(i, j) });
        let three_clumps = Array2::from_shape_fn((n, 5), |(i, j)| {
            1e4 * noise(n + i % 3, j) + if i % 3 == 0 { noise(i, j) } else { 10.0 * noise(i, j) }
        });
        let clump_in_a_cloud =
            Array2::from_shape_fn((n, 5), |(i, j)| if i % 2 == 0 { 1e4 * noise(i, j) } else { 3e3 + noise(i, j) });
        for (x, name) in [(one_far_point, "far point"), (three_clumps, "clumps"), (clump_in_a_cloud, "cloud")] {
            let left = candidates_of(&x, k);
            assert!(left < 3.0 * k as f64, "{name}: {left} candidates");
        }
    }
}
