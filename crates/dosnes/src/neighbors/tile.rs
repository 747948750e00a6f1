//! The inner loop of the dense searches: scores of a few queries against a few points, compared with the queries'
//! thresholds while they are still in registers.
//!
//! A score is `base_j + Σ_k f(q_k, r_k)`. For f = product this is a matrix product in the shape of the usual register-blocked
//! kernels (queries and points are packed in panels, so that all loads are contiguous), but no product is ever stored:
//! almost all scores exceed their threshold and are forgotten at once.

#![allow(clippy::inline_always, reason = "what is not inlined is not compiled for the instructions that were detected")]

/// Queries in a panel.
pub(super) const QUERIES: usize = 6;
/// Points in a panel.
pub(super) const POINTS: usize = 16;
/// Terms that are summed in one go; longer sums are cut into such pieces, which keeps their rounding error small.
pub(super) const TERMS: usize = 256;

/// What is summed over the coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Term {
    /// q·r.
    Product,
    /// |q − r|.
    AbsoluteDifference,
    /// 1 where q ≠ r.
    Unequal,
}

/// Rows packed for the kernel: in panels of `width` rows, coordinate by coordinate; the last panel is filled up with zeros.
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

/// Calls `hit(query, panel, scores)` for each query and panel of points in `range` in which some score does not exceed the
/// query's threshold. `hit` answers with the query's new threshold. `bases` and `thresholds` are as long as the panels.
pub(super) fn scan(
    term: Term,
    queries: &Panels,
    points: &Panels,
    range: std::ops::Range<usize>,
    bases: &[f32],
    thresholds: &mut [f32],
    mut hit: impl FnMut(usize, usize, &[f32; POINTS]) -> f32,
) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        #[allow(unsafe_code, reason = "the one way to use instructions that were just found to be there")]
        // SAFETY: the two features that the function is compiled for were detected.
        unsafe {
            scan_avx2(term, queries, points, range, bases, thresholds, &mut hit);
        }
        return;
    }
    let fused = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
    match (term, fused) {
        (Term::Product, true) => scan_with(multiply_add, queries, points, range, bases, thresholds, &mut hit),
        (Term::Product, false) => scan_with(|s, q, r| s + q * r, queries, points, range, bases, thresholds, &mut hit),
        (Term::AbsoluteDifference, _) => scan_with(add_difference, queries, points, range, bases, thresholds, &mut hit),
        (Term::Unequal, _) => scan_with(add_unequal, queries, points, range, bases, thresholds, &mut hit),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn scan_avx2(
    term: Term,
    queries: &Panels,
    points: &Panels,
    range: std::ops::Range<usize>,
    bases: &[f32],
    thresholds: &mut [f32],
    hit: &mut impl FnMut(usize, usize, &[f32; POINTS]) -> f32,
) {
    match term {
        Term::Product => scan_with(multiply_add, queries, points, range, bases, thresholds, hit),
        Term::AbsoluteDifference => scan_with(add_difference, queries, points, range, bases, thresholds, hit),
        Term::Unequal => scan_with(add_unequal, queries, points, range, bases, thresholds, hit),
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

#[inline(always)]
fn scan_with(
    add_term: impl Fn(f32, f32, f32) -> f32 + Copy,
    queries: &Panels,
    points: &Panels,
    range: std::ops::Range<usize>,
    bases: &[f32],
    thresholds: &mut [f32],
    hit: &mut impl FnMut(usize, usize, &[f32; POINTS]) -> f32,
) {
    for query_panel in 0..queries.count() {
        let q = queries.panel(query_panel);
        let of_panel = &mut thresholds[query_panel * QUERIES..(query_panel + 1) * QUERIES];
        for p in range.clone() {
            let base: &[f32; POINTS] = bases[p * POINTS..(p + 1) * POINTS].try_into().expect("bases fill the panels");
            let mut scores = [*base; QUERIES];
            let r = points.panel(p);
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
                    any |= scores[a][b] <= of_panel[a];
                }
                if any {
                    of_panel[a] = hit(query_panel * QUERIES + a, p, &scores[a]);
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
