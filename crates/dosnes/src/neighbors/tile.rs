//! The inner loop of the dense searches: computes the scores of a few queries against a few points, and compares them
//! with the queries' thresholds while they are still in registers.
//!
//! A score is `base_j + Σ_k f(q_k, r_k)`. For f = product this is a matrix product in the form of the usual
//! register-blocked kernels (queries and points are packed in panels, so all loads are contiguous), but no product is
//! stored: almost all scores exceed their threshold and are discarded at once.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the detected vector instructions")]

use std::ops::Range;

use crate::simd::{Instructions, Work};

/// Queries in a panel.
pub(super) const QUERIES: usize = 6;
/// Points in a panel.
pub(super) const POINTS: usize = 16;
/// Terms per partial sum; longer sums are divided into such pieces, which keeps their rounding error small.
pub(super) const TERMS: usize = 256;

/// The function that is summed over the coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Term {
    /// q·r.
    Product,
    /// |q − r|.
    AbsoluteDifference,
    /// 1 where q ≠ r.
    Unequal,
}

/// Rows packed for the kernel: in panels of `width` rows, coordinate by coordinate. The last panel is padded with
/// zeros.
pub(super) struct Panels {
    width: usize,
    dimensions: usize,
    values: Vec<f32>,
    rows: usize,
}

impl Panels {
    pub(super) fn new(width: usize, dimensions: usize) -> Self {
        Self { width, dimensions, values: Vec::new(), rows: 0 }
    }

    /// Panels of zeros.
    pub(super) fn zeros(width: usize, dimensions: usize, count: usize) -> Self {
        Self { width, dimensions, values: vec![0.0; count * width * dimensions], rows: count * width }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [f32] {
        &mut self.values
    }

    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.rows = 0;
    }

    pub(super) fn push(&mut self, row: impl Iterator<Item = f32>) {
        let lane = self.rows % self.width;
        if lane == 0 {
            self.values.resize(self.values.len() + self.width * self.dimensions, 0.0);
        }
        let start = self.values.len() - self.width * self.dimensions;
        for (k, value) in row.enumerate() {
            self.values[start + k * self.width + lane] = value;
        }
        self.rows += 1;
    }

    pub(super) fn count(&self) -> usize {
        self.rows.div_ceil(self.width)
    }

    fn panel(&self, p: usize) -> &[f32] {
        let size = self.width * self.dimensions;
        &self.values[p * size..(p + 1) * size]
    }
}

/// Compares a block of queries with a range of the points' panels.
pub(super) struct Scan<'a, H> {
    pub(super) term: Term,
    pub(super) queries: &'a Panels,
    pub(super) points: &'a Panels,
    /// Panels of points.
    pub(super) range: Range<usize>,
    /// The number that is added to each point's sums; as long as the points' panels.
    pub(super) bases: &'a [f32],
    /// As long as the queries' panels.
    pub(super) thresholds: &'a mut [f32],
    /// `hit(query, panel, lanes, scores)` is called if some scores of a query do not exceed its threshold: those in the
    /// lanes whose bits are set. It returns the query's new threshold.
    pub(super) hit: H,
}

impl<H: FnMut(usize, usize, u32, &[f32; POINTS]) -> f32> Work for Scan<'_, H> {
    type Output = ();

    #[inline(always)]
    fn run<S: Instructions>(self, _: S) {
        match self.term {
            Term::Product if S::FUSED => self.with(multiply_add),
            Term::Product => self.with(|sum, q, r| sum + q * r),
            Term::AbsoluteDifference => self.with(add_difference),
            Term::Unequal => self.with(add_unequal),
        }
    }
}

#[inline(always)]
fn multiply_add(sum: f32, q: f32, r: f32) -> f32 {
    q.mul_add(r, sum)
}

#[inline(always)]
fn add_difference(sum: f32, q: f32, r: f32) -> f32 {
    sum + (q - r).abs()
}

#[inline(always)]
fn add_unequal(sum: f32, q: f32, r: f32) -> f32 {
    sum + if q == r { 0.0 } else { 1.0 }
}

impl<H: FnMut(usize, usize, u32, &[f32; POINTS]) -> f32> Scan<'_, H> {
    #[inline(always)]
    fn with(mut self, add_term: impl Fn(f32, f32, f32) -> f32 + Copy) {
        for query_panel in 0..self.queries.count() {
            let q = self.queries.panel(query_panel);
            let thresholds = &mut self.thresholds[query_panel * QUERIES..(query_panel + 1) * QUERIES];
            for p in self.range.clone() {
                let base = &self.bases[p * POINTS..(p + 1) * POINTS];
                let mut scores = [<[f32; POINTS]>::try_from(base).expect("bases fill the panels"); QUERIES];
                let r = self.points.panel(p);
                for (q_terms, r_terms) in q.chunks(QUERIES * TERMS).zip(r.chunks(POINTS * TERMS)) {
                    let sums = tile(add_term, q_terms, r_terms);
                    for a in 0..QUERIES {
                        for b in 0..POINTS {
                            scores[a][b] += sums[a][b];
                        }
                    }
                }
                for a in 0..QUERIES {
                    let mut any = false;
                    for b in 0..POINTS {
                        any |= scores[a][b] <= thresholds[a];
                    }
                    if any {
                        let mut lanes = 0;
                        for b in 0..POINTS {
                            lanes |= u32::from(scores[a][b] <= thresholds[a]) << b;
                        }
                        thresholds[a] = (self.hit)(query_panel * QUERIES + a, p, lanes, &scores[a]);
                    }
                }
            }
        }
    }
}

/// `Σ_k f(q_k, r_k)` for a panel of queries and one of points.
#[inline(always)]
fn tile(add_term: impl Fn(f32, f32, f32) -> f32 + Copy, q: &[f32], r: &[f32]) -> [[f32; POINTS]; QUERIES] {
    let mut sums = [[0.0_f32; POINTS]; QUERIES];
    for (q, r) in q.chunks_exact(QUERIES).zip(r.chunks_exact(POINTS)) {
        for a in 0..QUERIES {
            for b in 0..POINTS {
                sums[a][b] = add_term(sums[a][b], q[a], r[b]);
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Choice;

    /// All scores of some queries and points, by index.
    fn scores(choice: Choice, term: Term, dimensions: usize) -> Vec<f32> {
        let pack = |width: usize, rows: usize, phase: f32| {
            let mut panels = Panels::new(width, dimensions);
            for row in 0..rows {
                panels.push((0..dimensions).map(|k| coordinate(row * 31 + k, phase)));
            }
            panels
        };
        let (queries, points) = (pack(QUERIES, 2 * QUERIES, 0.0), pack(POINTS, 3 * POINTS, 0.4));
        let mut found = vec![f32::NAN; 2 * QUERIES * 3 * POINTS];
        choice.run(Scan {
            term,
            queries: &queries,
            points: &points,
            range: 0..3,
            bases: &[0.5; 3 * POINTS],
            thresholds: &mut [f32::INFINITY; 2 * QUERIES],
            hit: |query: usize, panel: usize, _: u32, scores: &[f32; POINTS]| {
                let start = (query * 3 + panel) * POINTS;
                found[start..start + POINTS].copy_from_slice(scores);
                f32::INFINITY
            },
        });
        found
    }

    /// Values that repeat, so that some coordinates are equal.
    fn coordinate(i: usize, phase: f32) -> f32 {
        ((i as f32 * 0.7 + phase).sin() * 10.0).round() / 10.0
    }

    #[test]
    fn scores_are_the_same_to_rounding_with_any_instructions() {
        for term in [Term::Product, Term::AbsoluteDifference, Term::Unequal] {
            for dimensions in [3, 64, 300] {
                let [best, portable] = Choice::both(|choice| scores(choice, term, dimensions));
                for (best, portable) in best.iter().zip(&portable) {
                    // Terms of at most 2; fused operations have one rounding less for each.
                    let bound = if term == Term::Product { dimensions as f32 * 2.0 * f32::EPSILON } else { 0.0 };
                    let agree = (best - portable).abs() <= bound * (dimensions as f32).sqrt();
                    assert!(agree, "{term:?}: {best} {portable}");
                }
            }
        }
    }
}
