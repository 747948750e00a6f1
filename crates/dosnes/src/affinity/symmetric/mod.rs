//! Symmetric entropic affinities: doubly stochastic, with the requested perplexity in every row.
//!
//! Van Assel, Vayer, Flamary and Courty, *`SNEkhorn`: Dimension Reduction with Symmetric Entropic Affinities*,
//! `NeurIPS` 2023: among all symmetric P with row sums 1 and row entropies of at least ln ξ, the one with the smallest
//! Σ P C, where C are squared distances. By duality (their Proposition 5) `P_ij = exp((λ_i + λ_j − 2C_ij) / (γ_i +
//! γ_j))`, where λ and γ ≥ 0 minimise
//!
//! ```text
//! F(λ, γ) = ½ Σ_ij (γ_i + γ_j) P_ij − Σ_i (λ_i + γ_i (ln ξ + 1))
//! ∂F/∂λ_i = Σ_j P_ij − 1                  ∂F/∂γ_i = Σ_j P_ij (1 − ln P_ij) − (ln ξ + 1)
//! ```
//!
//! F is convex because (s, v) ↦ s exp(v/s) is convex, and each pair adds only a rank-one term to its Hessian. The paper
//! optimises over all pairs with Adam. Here the pairs are those of the neighbour graph, without the diagonal (which an
//! embedding never uses). A few sweeps, row by row, come close to the minimum; about twenty steps of Newton's method
//! with conjugate gradients then reach it.

mod newton;
mod problem;
mod sweep;

use problem::{Point, Problem, State};

use super::entropic::check;
use crate::error::Error;
use crate::neighbors::Neighbors;
use crate::observe::{Observer, report};
use crate::sparse::CsrMatrix;

/// Sweeps before the first Newton step.
const FIRST_SWEEPS: usize = 6;
const MOST_STEPS: usize = 200;
/// The smallest γ, relative to its start value. Where γ_i + γ_j is almost zero, P is no longer a smooth function but
/// the vertex of a linear programme. The bound makes a few rows slightly wider than necessary (their row sums and
/// entropies still meet the conditions). It is lowered from solution to solution.
const LEAST_GAMMAS: [f64; 3] = [1e-2, 1e-4, 1e-6];
/// Newton steps that are allowed after the bound was lowered; if they are not enough, the previous solution is kept.
const MOST_FURTHER_STEPS: usize = 20;
/// Both residuals must end below this.
const TOLERANCE: f64 = 1e-8;

/// Symmetric entropic affinities.
#[derive(Debug, Clone)]
pub struct SymmetricAffinities {
    /// Symmetric; its rows sum to 1.
    pub matrix: CsrMatrix<'static>,
    /// How well the conditions are met.
    pub report: SymmetricReport,
}

/// How well symmetric entropic affinities meet their conditions.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SymmetricReport {
    /// Newton steps.
    pub iterations: usize,
    /// `max_i |Σ_j P_ij − 1|`.
    pub row_sum_residual: f64,
    /// The largest difference between a row's entropy and the logarithm of the perplexity, without the rows counted in
    /// `wider`.
    pub entropy_residual: f64,
    /// The number of rows whose entropy is larger than requested. The condition is an inequality, and in a few rows it
    /// is not the binding one: duplicates have no reason to prefer one another, and an item that is the nearest to many
    /// outliers has to accept all of them.
    pub wider: usize,
    /// Whether both residuals are below 1e-8. Some neighbour graphs have no such affinities, for example if many
    /// outliers share the same few neighbours; the residuals then tell how close the result is.
    pub converged: bool,
}

/// Symmetric entropic affinities over all pairs in which one item is a neighbour of the other. Every item must have
/// neighbours: rows without any stay empty.
///
/// The `observer` is notified of the estimated progress after each step, and can stop.
pub fn symmetric_entropic_affinities(
    neighbors: &Neighbors,
    perplexity: f64,
    observer: &mut dyn Observer,
) -> Result<SymmetricAffinities, Error> {
    check(perplexity)?;
    let (mut problem, mut point) = Problem::new(neighbors, perplexity)?;
    problem.least_gamma = LEAST_GAMMAS[0];
    for _ in 0..FIRST_SWEEPS {
        problem.sweep(&mut point);
        report(observer, 0.0)?;
    }
    let mut solution = problem.minimise(point, MOST_STEPS, observer)?;
    for least in &LEAST_GAMMAS[1..] {
        if !solution.converged() || solution.wider == 0 {
            break;
        }
        problem.least_gamma = *least;
        let finer = problem.minimise(solution.point.clone(), MOST_FURTHER_STEPS, observer)?;
        if !finer.converged() {
            break;
        }
        solution = Solution { iterations: solution.iterations + finer.iterations, ..finer };
    }
    let n = problem.len();
    let report = SymmetricReport {
        iterations: solution.iterations,
        row_sum_residual: solution.residuals.0,
        entropy_residual: solution.residuals.1,
        wider: solution.wider,
        converged: solution.converged(),
    };
    // Far from the solution, probabilities may overflow: this must be checked.
    let matrix = CsrMatrix::new((n, n), problem.starts, problem.indices, solution.state.p)?;
    Ok(SymmetricAffinities { matrix, report })
}

/// The minimum for one bound of γ.
struct Solution {
    point: Point,
    state: State,
    iterations: usize,
    residuals: (f64, f64),
    /// Number of rows at their bound.
    wider: usize,
}

impl Solution {
    fn converged(&self) -> bool {
        self.residuals.0.max(self.residuals.1) <= TOLERANCE
    }
}

impl Problem {
    fn minimise(&self, mut point: Point, most_steps: usize, observer: &mut dyn Observer) -> Result<Solution, Error> {
        let mut state = self.evaluate(&point);
        let mut iterations = 0;
        let mut residuals = self.residuals(&point, &state);
        let first = residuals.0.max(residuals.1).max(TOLERANCE);
        while residuals.0.max(residuals.1) > TOLERANCE && iterations < most_steps {
            let direction = self.newton_direction(&point, &state);
            let Some((next, next_state, length)) = self.step(&point, &state, &direction) else { break };
            (point, state) = (next, next_state);
            if length < 1.0 {
                self.sweep(&mut point);
                state = self.evaluate(&point);
            }
            iterations += 1;
            residuals = self.residuals(&point, &state);
            // Residuals fall by many orders of magnitude, and the last of these in very few steps.
            let share = (first / residuals.0.max(residuals.1)).ln() / (first / TOLERANCE).ln().max(1.0);
            report(observer, share.clamp(0.0, 1.0))?;
        }
        let wider = self.bound(&point, &state).into_iter().filter(|bound| *bound).count();
        Ok(Solution { point, state, iterations, residuals, wider })
    }
}

#[cfg(test)]
mod tests {

    use ndarray::Array2;

    use super::*;
    use crate::input::{Distances, Points};
    use crate::neighbors::{NeighborOptions, find_neighbors, neighbors_from_distances};
    use crate::observe::Silent;

    fn noise(a: usize, b: usize) -> f32 {
        let mut hash = (((a as u64) << 32) | b as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash = (hash ^ (hash >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((hash ^ (hash >> 32)) >> 40) as f32 / (1 << 24) as f32 - 0.5
    }

    fn clusters(n: usize) -> Neighbors {
        let x = Array2::from_shape_fn((n, 5), |(i, j)| 3.0 * noise(i % 7, j) + noise(1000 + i, j) * (1 + i % 3) as f32);
        find_neighbors(&Points::from(x), &NeighborOptions::new(30), &mut Silent).unwrap()
    }

    fn solve(neighbors: &Neighbors, perplexity: f64) -> SymmetricAffinities {
        symmetric_entropic_affinities(neighbors, perplexity, &mut Silent).unwrap()
    }

    #[test]
    fn every_row_sums_to_one_and_has_the_perplexity() {
        let found = solve(&clusters(1000), 10.0);
        assert!(found.report.converged, "{:?}", found.report);
        let p = &found.matrix;
        let mut wider = 0;
        for (i, row) in p.iter_rows().enumerate() {
            let sum: f64 = row.values().iter().sum();
            let entropy: f64 = -row.values().iter().filter(|p| **p > 0.0).map(|p| p * p.ln()).sum::<f64>();
            assert!((sum - 1.0).abs() < 1e-8 && entropy > 10.0_f64.ln() - 1e-7, "{i}: {sum} {entropy}");
            wider += usize::from(entropy > 10.0_f64.ln() + 1e-7);
            assert!(row.iter().all(|(j, value)| p.get(j, i) == Some(value)), "row {i} is not symmetric");
        }
        assert!(wider == found.report.wider && wider < 20, "{wider} {:?}", found.report);
    }

    #[test]
    fn clusters_of_very_unequal_size_and_width_converge() {
        // Towns in countries on continents: the width shrinks by a factor of three per level, and the sizes are very
        // unequal.
        let town = |i: usize| ((noise(i, 50) + 0.5).powi(4) * 200.0) as usize;
        let x = Array2::from_shape_fn((4000, 50), |(i, j)| {
            let t = town(i);
            9.0 * noise(t / 20, j)
                + 3.0 * noise(100 + t / 5, j)
                + noise(200 + t, j)
                + (0.1 + 0.5 * (noise(t, 51) + 0.5)) * noise(1000 + i, j)
        });
        let neighbors = find_neighbors(&Points::from(x), &NeighborOptions::new(45), &mut Silent).unwrap();
        let found = solve(&neighbors, 15.0);
        assert!(found.report.converged && found.report.iterations < 30, "{:?}", found.report);
    }

    #[test]
    fn a_sweep_minimises_over_the_last_row() {
        let (problem, mut point) = Problem::new(&clusters(300), 8.0).unwrap();
        let before = problem.evaluate(&point);
        problem.sweep(&mut point);
        let after = problem.evaluate(&point);
        let slope = |gradient: [f64; 2]| gradient[0].abs().max(gradient[1].abs());
        assert!(after.objective < before.objective);
        assert!(slope(after.gradient[299]) < 1e-3 * slope(before.gradient[299]), "{:?}", after.gradient[299]);
    }

    #[test]
    fn the_gradient_is_that_of_the_objective() {
        let (problem, point) = Problem::new(&clusters(60), 8.0).unwrap();
        let state = problem.evaluate(&point);
        for i in [0, 17, 59] {
            for c in 0..2 {
                let h = 1e-6;
                let at = |change: f64| {
                    let mut moved = point.clone();
                    moved[i][c] += change;
                    problem.evaluate(&moved).objective
                };
                let difference = (at(h) - at(-h)) / (2.0 * h);
                // The objective is of the order of 100, its rounding error 1e-14 of that, divided by h.
                assert!((difference - state.gradient[i][c]).abs() < 1e-5, "{difference} {}", state.gradient[i][c]);
            }
        }
    }

    #[test]
    fn no_symmetric_doubly_stochastic_matrix_of_that_entropy_is_cheaper() {
        // A move along a cycle of four keeps symmetry and row sums. It can lower the cost only by lowering an entropy.
        let neighbors = clusters(40);
        let found = solve(&neighbors, 8.0);
        assert!(found.report.converged);
        let (problem, _) = Problem::new(&neighbors, 8.0).unwrap();
        let entry =
            |i: usize, j: usize| (problem.starts[i]..problem.starts[i + 1]).find(|&e| problem.indices[e] as usize == j);
        let (mut cheaper, mut tried) = (0, 0);
        for (a, b, c, d) in (0..36).map(|a| (a, a + 1, a + 2, a + 3)) {
            let (Some(ab), Some(bc), Some(cd), Some(da)) = (entry(a, b), entry(b, c), entry(c, d), entry(d, a)) else {
                continue;
            };
            tried += 1;
            let p = found.matrix.values();
            for sign in [1.0, -1.0] {
                let cost: f64 = sign * (problem.costs[ab] - problem.costs[bc] + problem.costs[cd] - problem.costs[da]);
                // The change of the entropy of rows a, b, c, d, to first order.
                let log = |e: usize| p[e].ln();
                let entropies =
                    [(ab, da), (ab, bc), (cd, bc), (cd, da)].map(|(up, down)| -sign * (log(up) - log(down)));
                cheaper += usize::from(cost < -1e-6 && entropies.iter().all(|&change| change >= 1e-6));
            }
        }
        assert!(tried > 5 && cheaper == 0, "{cheaper} of {tried} moves are cheaper");
    }

    #[test]
    fn duplicates_may_have_more_entropy_than_requested() {
        let x = Array2::from_shape_fn((60, 2), |(i, j)| noise(i / 20, j));
        let neighbors = find_neighbors(&Points::from(x), &NeighborOptions::new(19), &mut Silent).unwrap();
        let found = solve(&neighbors, 5.0);
        assert!(found.report.converged && found.report.wider == 60, "{:?}", found.report);
        assert!(found.matrix.values().iter().all(|p| (p - 1.0 / 19.0).abs() < 1e-6));
    }

    #[test]
    fn an_infeasible_graph_is_not_reported_as_converged() {
        // Nine leaves of one hub: the rows of the leaves and of the hub cannot all sum to 1.
        let mut distances = Array2::from_elem((10, 10), 100.0_f32);
        distances.row_mut(0).fill(1.0);
        distances.column_mut(0).fill(1.0);
        let neighbors = neighbors_from_distances(&Distances::Dense(distances.into()), 1).unwrap();
        let found = solve(&neighbors, 1.0);
        assert!(!found.report.converged && found.report.row_sum_residual > 0.1);
    }

    #[test]
    fn same_bytes_on_any_number_of_threads() {
        let neighbors = clusters(700);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| solve(&neighbors, 10.0).matrix)
        };
        assert_eq!(on(1), on(7));
    }
}
