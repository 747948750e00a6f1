//! Exact search among dense rows.
//!
//! The kernel in [`tile`](super::tile) scores all pairs in single precision, together with a bound of each score's
//! rounding error. [`Candidates`] keeps the candidates for the k nearest, a few more than k, and their distances are
//! then computed again in double precision from the original rows. The result is therefore the same as sorting all of
//! these distances, however much |q|² + |r|² − 2q·r cancels.

use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;
use std::ops::Range;

use super::candidates::Candidates;
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
/// Unit roundoff of single precision, 2⁻²⁴.
const UNIT: f64 = f32::EPSILON as f64 / 2.0;

/// Rows in the form that the kernel needs, with the bounds of the rounding errors of its scores.
///
/// For the euclidean metric the rows are centred (a common offset would only cost digits) and scaled to at most 1,
/// which prevents overflow and underflow of squares. The angular metrics are euclidean for rows of length 1, because
/// their distance is ½|x̂−ŷ|². Up to |q|², which is the same for all points, a score is then |r|² − 2q·r.
///
/// Rows are computed when they are needed: of many points there should be no second copy.
pub(super) struct Prepared<'a> {
    pub(super) term: Term,
    pub(super) dimensions: usize,
    rows: &'a DenseRows<'a>,
    centre: Vec<f64>,
    scale: f64,
    /// |row|²; zero if the term is not a product.
    pub(super) squares: Vec<f32>,
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
            for i in 0..n {
                for (c, &v) in centre.iter_mut().zip(rows.row(i)) {
                    *c += value(i, v) / n as f64;
                }
            }
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
        // pieces), 4 for rounding |r|² and adding it to the product, 4 for distances that are equal in single
        // precision, and the rest for the arithmetic of the comparisons.
        let additions = dimensions.min(TERMS) + dimensions.div_ceil(TERMS);
        let product_error = (additions + 24) as f64 * UNIT * 1.01;
        let relative_error = if term == Term::AbsoluteDifference { (4.0 * product_error) as f32 } else { 0.0 };
        let mut prepared =
            Self { term, dimensions, rows, centre, scale, squares: Vec::new(), product_error, relative_error };
        let square = |i: usize| match term {
            Term::Product => prepared.row(i as u32).map(|v| f64::from(v) * f64::from(v)).sum::<f64>() as f32,
            Term::AbsoluteDifference | Term::Unequal => 0.0,
        };
        prepared.squares = (0..n).into_par_iter().with_min_len(1024).map(square).collect();
        prepared
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.squares.len()
    }

    #[inline]
    pub(super) fn row(&self, i: u32) -> impl Iterator<Item = f32> + '_ {
        let i = i as usize;
        let values = self.rows.row(i).iter().zip(&self.centre);
        values.map(move |(&v, c)| ((self.rows.standardized(i, v) - c) * self.scale) as f32)
    }

    /// Some rows, as a matrix.
    pub(super) fn block(&self, indices: impl ExactSizeIterator<Item = u32>) -> Array2<f32> {
        let shape = (indices.len(), self.dimensions);
        let values: Vec<f32> = indices.flat_map(|i| self.row(i)).collect();
        Array2::from_shape_vec(shape, values).expect("all rows have the same length")
    }

    /// The number that is added to the sum for point `j` to make the score a lower bound.
    pub(super) fn base(&self, j: usize) -> f32 {
        ((1.0 - self.product_error) * f64::from(self.squares[j])) as f32
    }

    /// The factor of the queries, since a score is |r|² − 2q·r.
    pub(super) fn query_factor(&self) -> f32 {
        if self.term == Term::Product { -2.0 } else { 1.0 }
    }

    /// An upper bound for the pair with the lower bound `score`.
    #[inline]
    pub(super) fn upper(&self, score: f32, i: u32, j: u32) -> f32 {
        let width = (2.0 * self.product_error) as f32 * (self.squares[i as usize] + self.squares[j as usize]);
        // Subnormal numbers have larger rounding errors than the relative bounds assume.
        score + score * self.relative_error + width + 1e-30
    }
}

/// Points packed for the kernel, with their bases and their indices.
pub(super) struct PackedPoints {
    pub(super) panels: Panels,
    pub(super) bases: Vec<f32>,
    pub(super) indices: Vec<u32>,
    /// The panels of each group of points.
    groups: Vec<Range<usize>>,
}

/// The index of a place in a panel that has no point.
const NO_POINT: u32 = u32::MAX;

impl PackedPoints {
    /// A single group.
    pub(super) fn new(prepared: &Prepared<'_>, indices: &[u32]) -> Self {
        Self::in_groups(prepared, &[indices])
    }

    /// Groups of points, each in panels of its own. All are in one piece of memory, which the system gets back: it would not get back a
    /// small piece for each group.
    pub(super) fn in_groups(prepared: &Prepared<'_>, members: &[impl AsRef<[u32]> + Sync]) -> Self {
        let mut count = 0;
        let groups: Vec<Range<usize>> = members
            .iter()
            .map(|members| {
                let first = count;
                count += members.as_ref().len().div_ceil(POINTS);
                first..count
            })
            .collect();
        let mut panels = Panels::zeros(POINTS, prepared.dimensions, count);
        let (mut bases, mut indices) = (vec![f32::INFINITY; count * POINTS], vec![NO_POINT; count * POINTS]);
        let mut tasks = Vec::with_capacity(groups.len());
        let (mut bases_left, mut indices_left) = (bases.as_mut_slice(), indices.as_mut_slice());
        let mut panels_left = panels.as_mut_slice();
        for (members, group) in members.iter().zip(&groups) {
            let (bases, bases_after) = bases_left.split_at_mut(group.len() * POINTS);
            let (indices, indices_after) = indices_left.split_at_mut(group.len() * POINTS);
            let (panels, panels_after) = panels_left.split_at_mut(group.len() * POINTS * prepared.dimensions);
            (bases_left, indices_left, panels_left) = (bases_after, indices_after, panels_after);
            tasks.push((members.as_ref(), bases, indices, panels));
        }
        tasks.into_par_iter().for_each(|(members, bases, indices, panels)| {
            for (k, &j) in members.iter().enumerate() {
                bases[k] = prepared.base(j as usize);
                indices[k] = j;
                let panel = &mut panels[k / POINTS * POINTS * prepared.dimensions..];
                for (d, value) in prepared.row(j).enumerate() {
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
    thresholds: Vec<f32>,
    pub(super) candidates: Vec<Candidates>,
}

impl Scratch {
    pub(super) fn new(k: usize, dimensions: usize, queries: usize) -> Self {
        let candidates = (0..queries).map(|_| Candidates::new(k)).collect();
        Self { packed: Panels::new(QUERIES, dimensions), thresholds: Vec::new(), candidates }
    }

    /// Offers a group of `points` to the candidates of the queries. `queries` are pairs of an index into `candidates` and into
    /// `block`, which has their rows, and the row.
    pub(super) fn scan(
        &mut self,
        prepared: &Prepared<'_>,
        points: &PackedPoints,
        group: usize,
        block: &ArrayView2<'_, f32>,
        queries: &[(usize, u32)],
    ) {
        let factor = prepared.query_factor();
        let Self { packed, thresholds, candidates } = self;
        packed.clear();
        for &(slot, _) in queries {
            packed.push(block.row(slot).iter().map(|v| v * factor));
        }
        thresholds.clear();
        thresholds.extend(queries.iter().map(|&(slot, _)| candidates[slot].threshold));
        // The padding of the last panel must never produce a hit.
        thresholds.resize(packed.count() * QUERIES, f32::NEG_INFINITY);
        let step = (CACHED / (POINTS * prepared.dimensions)).max(1);
        let of_group = points.groups[group].clone();
        for first in of_group.clone().step_by(step) {
            let range = first..(first + step).min(of_group.end);
            let hit = |query: usize, panel: usize, mut lanes: u32, scores: &[f32; POINTS]| {
                let (slot, i) = queries[query];
                let candidates = &mut candidates[slot];
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let j = points.indices[panel * POINTS + lane];
                    if j != i && j != NO_POINT {
                        candidates.push(scores[lane], j, |score, j| prepared.upper(score, i, j));
                    }
                }
                candidates.threshold
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
}

impl Scratch {
    /// An upper bound of the squared distance of row `i` to the farthest of the k nearest candidates so far; infinite if there are fewer.
    /// Only for metrics that compare products.
    pub(super) fn farthest(&mut self, prepared: &Prepared<'_>, slot: usize, i: u32) -> f32 {
        let candidates = &mut self.candidates[slot];
        candidates.sort_out(|score, j| prepared.upper(score, i, j));
        candidates.threshold + prepared.squares[i as usize]
    }

    /// The k nearest of the candidates of row `i`, by their distances in double precision.
    pub(super) fn nearest(
        &mut self,
        rows: &DenseRows,
        prepared: &Prepared<'_>,
        slot: usize,
        i: u32,
        k: usize,
    ) -> Vec<(f32, u32)> {
        let candidates = &mut self.candidates[slot];
        candidates.sort_out(|score, j| prepared.upper(score, i, j));
        let mut remaining: Vec<(f32, u32)> = candidates.remaining().map(|j| (0.0, j)).collect();
        rows.fill_distances(i, &mut remaining);
        nearest_first(i, remaining, k)
    }
}

/// The k nearest of `queries` among all rows, in the order of `queries`.
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
            let rows_of_block = prepared.block(block.iter().copied());
            scratch.scan(prepared, points, 0, &rows_of_block.view(), &slots);
            slots.iter().map(|&(slot, i)| scratch.nearest(rows, prepared, slot, i, k)).collect::<Vec<_>>()
        },
    );
    blocks.collect::<Vec<_>>().into_iter().flatten().collect()
}

/// The k nearest neighbours of every row.
pub(super) fn search(rows: &DenseRows, k: usize, observer: &mut dyn Observer) -> Result<Neighbors, Error> {
    let prepared = Prepared::new(rows);
    let n = rows.len() as u32;
    let points = PackedPoints::new(&prepared, &(0..n).collect::<Vec<_>>());
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
