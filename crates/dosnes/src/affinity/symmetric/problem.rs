//! The objective, its gradient, and the starting point.

use rayon::prelude::*;

use super::super::entropic::to_probabilities;
use crate::error::Error;
use crate::neighbors::Neighbors;
use crate::sparse::CsrMatrix;

/// Rows per block. Fixed, so that the sums do not depend on the number of threads.
const BLOCK: usize = 256;

/// λ and γ of each item.
pub(super) type Point = Vec<[f64; 2]>;

/// The pairs and their costs.
pub(super) struct Problem {
    pub(super) starts: Vec<usize>,
    pub(super) indices: Vec<u32>,
    /// Squared distances, in units in which γ is about 1.
    pub(super) costs: Vec<f64>,
    /// Start values of γ.
    first_gamma: Vec<f64>,
    /// The smallest γ, relative to its start value.
    pub(super) least_gamma: f64,
    pub(super) log_perplexity: f64,
}

/// The objective and its derivatives at a point.
pub(super) struct State {
    pub(super) p: Vec<f64>,
    pub(super) objective: f64,
    pub(super) gradient: Point,
}

impl Problem {
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The problem and its starting point, which uses the widths of plain entropic affinities.
    pub(super) fn new(neighbors: &Neighbors, perplexity: f64) -> Result<(Self, Point), Error> {
        let n = neighbors.len();
        let mut triplets = Vec::with_capacity(2 * neighbors.total());
        for i in 0..n {
            let (indices, distances) = neighbors.row(i);
            for (&j, &d) in indices.iter().zip(distances) {
                let square = f64::from(d) * f64::from(d);
                triplets.push((i as u32, j, square));
                triplets.push((j, i as u32, square));
            }
        }
        let ones: Vec<_> = triplets.iter().map(|&(i, j, _)| (i, j, 1.0)).collect();
        let (sums, counts) = (CsrMatrix::from_triplets((n, n), &triplets)?, CsrMatrix::from_triplets((n, n), &ones)?);
        // A pair that is listed in both directions was added twice.
        let costs: Vec<f64> = sums.values().iter().zip(&*counts.values()).map(|(sum, count)| sum / count).collect();
        let (starts, indices, _) = counts.into_parts();
        let log_perplexity = perplexity.ln();
        let mut problem = Self { starts, indices, costs, first_gamma: Vec::new(), least_gamma: 0.0, log_perplexity };

        let width = |i: usize| {
            let mut squares = problem.costs[problem.starts[i]..problem.starts[i + 1]].to_vec();
            squares.sort_unstable_by(f64::total_cmp);
            to_probabilities(&mut squares, log_perplexity).recip()
        };
        let widths: Vec<f64> = (0..n).into_par_iter().map(width).collect();
        let mut proper: Vec<f64> = widths.iter().copied().filter(|w| w.is_finite() && *w > 0.0).collect();
        proper.sort_unstable_by(f64::total_cmp);
        let unit = proper.get(proper.len() / 2).copied().unwrap_or(1.0);
        problem.costs.iter_mut().for_each(|c| *c /= unit);
        let start = |i: usize| {
            // Rows without a width of their own start at the typical one.
            let gamma = if widths[i].is_finite() && widths[i] > 0.0 { widths[i] / unit } else { 1.0 };
            let costs = &problem.costs[problem.starts[i]..problem.starts[i + 1]];
            let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
            let sum: f64 = costs.iter().map(|c| ((least - c) / gamma).exp()).sum();
            [if costs.is_empty() { 0.0 } else { least - gamma * sum.ln() }, gamma]
        };
        let point: Point = (0..n).map(start).collect();
        problem.first_gamma = point.iter().map(|[_, gamma]| *gamma).collect();
        Ok((problem, point))
    }

    /// One slice for each row, so that the rows can be processed in parallel.
    pub(super) fn split_rows<'a, T>(&self, mut values: &'a mut [T]) -> Vec<&'a mut [T]> {
        let mut rows = Vec::with_capacity(self.len());
        for window in self.starts.windows(2) {
            let (row, rest) = values.split_at_mut(window[1] - window[0]);
            rows.push(row);
            values = rest;
        }
        rows
    }

    pub(super) fn evaluate(&self, point: &Point) -> State {
        let mut p = vec![0.0; self.costs.len()];
        let mut gradient = vec![[0.0; 2]; self.len()];
        let mut rows: Vec<_> = self.split_rows(&mut p).into_iter().zip(&mut gradient).collect();
        let objective = sum_over_rows(&mut rows, |i, (p, gradient)| {
            let [lambda, gamma] = point[i];
            let pairs = self.starts[i]..self.starts[i + 1];
            let (mut sum, mut entropy, mut weighted) = (0.0, 0.0, 0.0);
            for ((p, &j), cost) in p.iter_mut().zip(&self.indices[pairs.clone()]).zip(&self.costs[pairs]) {
                let [other_lambda, other_gamma] = point[j as usize];
                let width = gamma + other_gamma;
                let log_p = (lambda + other_lambda - 2.0 * cost) / width;
                *p = log_p.exp();
                sum += *p;
                // A term that underflows contributes nothing, but 0 · ∞ would be NaN.
                entropy -= if *p > 0.0 { *p * log_p } else { 0.0 };
                weighted += width * *p;
            }
            if p.is_empty() {
                return 0.0;
            }
            **gradient = [sum - 1.0, sum + entropy - (self.log_perplexity + 1.0)];
            0.5 * weighted - lambda - gamma * (self.log_perplexity + 1.0)
        });
        drop(rows);
        State { p, objective, gradient }
    }

    /// Whether γ is at its lower bound and the gradient points below it: the row has more entropy than requested.
    pub(super) fn at_bound(&self, i: usize, at: [f64; 2], gradient: [f64; 2]) -> bool {
        at[1] <= self.least_gamma * self.first_gamma[i] && gradient[1] > 0.0
    }

    /// Which rows are [at their bound](Self::at_bound).
    pub(super) fn bound(&self, point: &Point, state: &State) -> Vec<bool> {
        point.iter().zip(&state.gradient).enumerate().map(|(i, (&at, &g))| self.at_bound(i, at, g)).collect()
    }

    /// Row i after a step of `length` times `by` from `at`. No γ falls below a tenth of its value in one step, or below
    /// its bound.
    pub(super) fn moved(&self, i: usize, at: [f64; 2], by: [f64; 2], length: f64) -> [f64; 2] {
        let least = (0.1 * at[1]).max(self.least_gamma * self.first_gamma[i]);
        [at[0] + length * by[0], (at[1] + length * by[1]).max(least)]
    }

    /// `max |Σ_j P_ij − 1|` and max |entropy − ln ξ|.
    pub(super) fn residuals(&self, point: &Point, state: &State) -> (f64, f64) {
        let mut residuals = (0.0_f64, 0.0_f64);
        for (g, bound) in state.gradient.iter().zip(self.bound(point, state)) {
            residuals.0 = residuals.0.max(g[0].abs());
            if !bound {
                // The row sum is part of the gradient with respect to γ, but has its own residual.
                residuals.1 = residuals.1.max((g[1] - g[0]).abs());
            }
        }
        residuals
    }
}

/// H⁻¹r of one row for a symmetric H: for λ alone if γ is `bound`, or along each axis separately if H is nearly
/// singular.
pub(super) fn solve_row([a, b, c]: [f64; 3], r: [f64; 2], bound: bool) -> [f64; 2] {
    let ratio = |r: f64, h: f64| if h > 0.0 { r / h } else { 0.0 };
    let determinant = a * c - b * b;
    if bound {
        [ratio(r[0], a), 0.0]
    } else if determinant <= 1e-14 * a * c {
        [ratio(r[0], a), ratio(r[1], c)]
    } else {
        [(c * r[0] - b * r[1]) / determinant, (a * r[1] - b * r[0]) / determinant]
    }
}

/// Calls `f` for each row with its element of `out`, in parallel blocks. Returns the sum of the results, added in a
/// fixed order.
pub(super) fn sum_over_rows<T: Send>(out: &mut [T], f: impl Fn(usize, &mut T) -> f64 + Sync) -> f64 {
    let of_block = |(block, out): (usize, &mut [T])| -> f64 {
        out.iter_mut().enumerate().map(|(r, out)| f(block * BLOCK + r, out)).sum()
    };
    out.par_chunks_mut(BLOCK).enumerate().map(of_block).collect::<Vec<f64>>().iter().sum()
}
