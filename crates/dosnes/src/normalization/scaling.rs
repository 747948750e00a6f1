//! Symmetric diagonal scaling, P = diag(d) S diag(d), exact where it exists and softened where it does not.
//!
//! With x = log d, every scaling here is the minimum of one convex function,
//!
//! ```text
//! G(x) = ½ Σ_ij Φ_ij(x_i + x_j) + Σ_i h(x_i),      Φ'_ij(t) = P_ij = s_ij · max(eᵗ, ε),
//! ```
//!
//! and its gradient is the row sum of P minus the target of the row sum:
//!
//! * exact: ε = 0 and h(x) = −x. The row sums are one. This is Sinkhorn and Knopp's problem; the minimum exists
//!   when S has total support (see [`super::feasibility`]).
//! * soft: h(x) = e^(−κx)/κ. The row sum of item i is d_i^(−κ): an item whose exact scaling needs an enormous factor
//!   gets a large one and a nearly equal sum. κ → 0 is the exact problem. The minimum always exists and is unique.
//!   Because P never falls below ε s_ij, no entry is driven to zero to make the sums equal.
//!
//! S enters as D^(−½) S D^(−½), where D are its row sums. The soft scaling then penalises only what the ordinary
//! symmetric normalisation cannot achieve, and the result does not depend on the units of S.
//!
//! Two methods find the minimum. The paper's iteration, d ← sqrt(d / (S d)), or x ← x − ½ log(row sums), is tried
//! first. If it is slow, Newton's method with conjugate gradients continues from there (as in Knight and Ruiz, IMA J.
//! Numer. Anal. 33, 2013, but on the convex function and with a line search).

use crate::{
    error::Error,
    observe::{Observer, report},
    parallel::sum_over,
    sparse::{CsrMatrix, Number, Stored},
};
use rayon::prelude::*;

/// The target of the row sums.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Target {
    /// One each.
    Exact,
    /// d^(−κ), and no entry below ε times its ordinary symmetric normalisation.
    Soft { kappa: f64, floor: f64 },
}

/// A scaled matrix and how it was computed.
#[derive(Debug, Clone)]
pub(super) struct Scaled {
    /// P, with the pattern of S.
    pub(super) matrix: CsrMatrix<'static>,
    /// Iterations of the paper's method, plus Newton steps.
    pub(super) iterations: usize,
    /// max_i |row sum / target − 1|.
    pub(super) residual: f64,
}

/// Iterations of the paper's method before its convergence rate is estimated.
const TRIAL_ROUNDS: usize = 20;
/// If more iterations than this are predicted, Newton's method takes over.
const MANY_ROUNDS: f64 = 400.0;
const MAX_NEWTON_STEPS: usize = 200;
const MAX_CG_STEPS: usize = 500;

/// The smallest tolerance in single precision: rounding the scaled values changes the row sums by about as much.
const SINGLE_TOLERANCE: f64 = 1e-7;

/// Scales the symmetric `s` (no empty rows; a stored diagonal counts as an entry) to `target` until the residual is at
/// most `tolerance`, or no step reduces it further. The result has the precision of `s`.
pub(super) fn scale(
    s: CsrMatrix<'static>,
    target: Target,
    tolerance: f64,
    observer: &mut dyn Observer,
) -> Result<Scaled, Error> {
    // The problem takes over the matrix and returns it scaled: with a hundred million entries there should be no second
    // copy.
    let (row_starts, columns, values) = s.into_stored_parts();
    match values {
        Stored::Double(values) => {
            solve(Problem::new(row_starts, columns, values.into_owned(), target), tolerance, observer)
        }
        Stored::Single(values) => {
            let problem = Problem::new(row_starts, columns, values.into_owned(), target);
            solve(problem, tolerance.max(SINGLE_TOLERANCE), observer)
        }
    }
}

fn solve<V: Number>(problem: Problem<V>, tolerance: f64, observer: &mut dyn Observer) -> Result<Scaled, Error> {
    let n = problem.rows();
    let mut state = problem.at(vec![0.0; n]);
    let mut iterations = 0;
    let mut trial_start = state.residual;
    // The residual falls by a constant factor per iteration, so its logarithm measures the progress.
    let first = state.residual;
    let done = |residual: f64| ((first / residual).ln() / (first / tolerance).ln()).clamp(0.0, 1.0);
    while state.residual > tolerance {
        report(observer, done(state.residual))?;
        if iterations > 0 && iterations % TRIAL_ROUNDS == 0 {
            let rate = (state.residual / trial_start).ln() / TRIAL_ROUNDS as f64;
            if rate >= 0.0 || (tolerance / state.residual).ln() / rate > MANY_ROUNDS {
                break;
            }
            trial_start = state.residual;
        }
        state = problem.at(problem.round_of_the_paper(&state));
        iterations += 1;
    }
    let mut newton_steps = 0;
    while state.residual > tolerance && newton_steps < MAX_NEWTON_STEPS {
        report(observer, done(state.residual))?;
        let Some(next) = problem.newton_step(&state) else { break };
        state = next;
        newton_steps += 1;
    }
    Ok(Scaled { iterations: iterations + newton_steps, residual: state.residual, matrix: problem.scaled(&state.x) })
}

struct Problem<V> {
    row_starts: Vec<usize>,
    indices: Vec<u32>,
    /// D^(−½) S D^(−½).
    values: Vec<V>,
    target: Target,
    floor: f64,
}

/// A point of the minimisation with all derived quantities.
struct State {
    x: Vec<f64>,
    d: Vec<f64>,
    row_sums: Vec<f64>,
    /// Row sums over the entries above the floor, which still depend on x.
    free_sums: Vec<f64>,
    objective: f64,
    residual: f64,
}

impl<V: Number> Problem<V> {
    fn new(row_starts: Vec<usize>, indices: Vec<u32>, mut values: Vec<V>, target: Target) -> Self {
        let n = row_starts.len() - 1;
        let roots: Vec<f64> = (0..n)
            .into_par_iter()
            .map(|i| values[row_starts[i]..row_starts[i + 1]].iter().map(|value| value.double()).sum::<f64>().sqrt())
            .collect();
        for_each_row(&row_starts, &indices, &mut values, |i, j, value| V::quotient(value, roots[i], roots[j]));
        let floor = match target {
            Target::Exact => 0.0,
            Target::Soft { floor, .. } => floor,
        };
        Self { row_starts, indices, values, target, floor }
    }

    fn rows(&self) -> usize {
        self.row_starts.len() - 1
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.row_starts[i]..self.row_starts[i + 1];
        self.indices[range.clone()]
            .iter()
            .map(|&j| j as usize)
            .zip(self.values[range].iter().map(|value| value.double()))
    }

    /// The target of the row sum at x.
    fn wanted(&self, x: f64) -> f64 {
        match self.target {
            Target::Exact => 1.0,
            Target::Soft { kappa, .. } => (-kappa * x).exp(),
        }
    }

    fn penalty(&self, x: f64) -> f64 {
        match self.target {
            Target::Exact => -x,
            Target::Soft { kappa, .. } => (-kappa * x).exp() / kappa,
        }
    }

    fn penalty_curvature(&self, x: f64) -> f64 {
        match self.target {
            Target::Exact => 0.0,
            Target::Soft { kappa, .. } => kappa * (-kappa * x).exp(),
        }
    }

    fn at(&self, x: Vec<f64>) -> State {
        let d: Vec<f64> = x.iter().map(|x| x.exp()).collect();
        let log_floor = self.floor.ln();
        let rows: Vec<(f64, f64, f64)> = (0..self.rows())
            .into_par_iter()
            .map(|i| {
                let (mut free, mut held, mut potential) = (0.0, 0.0, 0.0);
                for (j, s) in self.row(i) {
                    let factor = d[i] * d[j];
                    if factor > self.floor {
                        free += s * factor;
                    } else {
                        let fixed = s * self.floor;
                        held += fixed;
                        potential += fixed * (x[i] + x[j] - log_floor + 1.0);
                    }
                }
                (free, free + held, free + potential)
            })
            .collect();
        let free_sums: Vec<f64> = rows.iter().map(|row| row.0).collect();
        let row_sums: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let objective = sum_over(self.rows(), |i| 0.5 * rows[i].2 + self.penalty(x[i]));
        let residual =
            row_sums.iter().zip(&x).map(|(&u, &x)| (u / self.wanted(x) - 1.0).abs()).fold(0.0, nan_is_largest);
        State { x, d, row_sums, free_sums, objective, residual }
    }

    /// x ← x − ½ log(row sums), the paper's update; its soft form goes half-way to the fixed point d = (d / row sum)^ρ.
    fn round_of_the_paper(&self, state: &State) -> Vec<f64> {
        let rho = match self.target {
            Target::Exact => 1.0,
            Target::Soft { kappa, .. } => 1.0 / (1.0 + kappa),
        };
        state.x.iter().zip(&state.row_sums).map(|(x, u)| 0.5 * (x + rho * (x - u.ln()))).collect()
    }

    /// One Newton step with line search; `None` if no step along the Newton direction helps.
    fn newton_step(&self, state: &State) -> Option<State> {
        let n = self.rows();
        let gradient: Vec<f64> = (0..n).map(|i| state.row_sums[i] - self.wanted(state.x[i])).collect();
        let direction = self.newton_direction(state, &gradient);
        let slope = sum_over(n, |i| gradient[i] * direction[i]);
        let largest = direction.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        if slope >= 0.0 || !largest.is_finite() {
            return None;
        }
        // A step of more than e³ in a factor leaves the region where the quadratic model is valid.
        let mut length = (3.0 / largest).min(1.0);
        for _ in 0..30 {
            let next = self.at(state.x.iter().zip(&direction).map(|(x, v)| x + length * v).collect());
            // Near the minimum the decrease is below the rounding error of the objective, but the residual still shows
            // it.
            let enough = next.objective <= state.objective + 1e-4 * length * slope;
            if next.residual.is_finite() && (enough || next.residual < 0.9 * state.residual) {
                return Some(next);
            }
            length *= 0.5;
        }
        None
    }

    /// Solves (diag(free + h'') + P_free) v = −gradient by conjugate gradients, preconditioned by the diagonal.
    fn newton_direction(&self, state: &State, gradient: &[f64]) -> Vec<f64> {
        let n = self.rows();
        let diagonal: Vec<f64> =
            (0..n).map(|i| state.free_sums[i] + self.penalty_curvature(state.x[i])).map(|v| v.max(1e-300)).collect();
        let apply = |v: &[f64]| -> Vec<f64> {
            (0..n)
                .into_par_iter()
                .map(|i| {
                    let mut sum = diagonal[i] * v[i];
                    for (j, s) in self.row(i) {
                        let factor = state.d[i] * state.d[j];
                        if factor > self.floor {
                            sum += s * factor * v[j];
                        }
                    }
                    sum
                })
                .collect()
        };
        let mut v = vec![0.0; n];
        let mut r: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let mut z: Vec<f64> = r.iter().zip(&diagonal).map(|(r, d)| r / d).collect();
        let mut p = z.clone();
        let mut rz = sum_over(n, |i| r[i] * z[i]);
        let start = rz.sqrt();
        // Inexact Newton: solve more tightly as the residual falls, for superlinear convergence.
        let forcing = state.residual.clamp(1e-6, 0.1);
        for _ in 0..MAX_CG_STEPS {
            if rz.sqrt() <= forcing * start {
                break;
            }
            let hp = apply(&p);
            let curvature = sum_over(n, |i| p[i] * hp[i]);
            if curvature <= 1e-14 * sum_over(n, |i| diagonal[i] * p[i] * p[i]) {
                break;
            }
            let step = rz / curvature;
            for i in 0..n {
                v[i] += step * p[i];
                r[i] -= step * hp[i];
                z[i] = r[i] / diagonal[i];
            }
            let next = sum_over(n, |i| r[i] * z[i]);
            for i in 0..n {
                p[i] = z[i] + next / rz * p[i];
            }
            rz = next;
        }
        v
    }

    fn scaled(mut self, x: &[f64]) -> CsrMatrix<'static> {
        let d: Vec<f64> = x.iter().map(|x| x.exp()).collect();
        // The product of the factors first: it is the same number for (i, j) and (j, i).
        for_each_row(&self.row_starts, &self.indices, &mut self.values, |i, j, value| {
            V::of(value.double() * (d[i] * d[j]).max(self.floor))
        });
        make_symmetric(self.row_starts, self.indices, self.values)
    }
}

/// Replaces every value by `map(row, column, value)`.
fn for_each_row<V: Number>(
    row_starts: &[usize],
    indices: &[u32],
    values: &mut [V],
    map: impl Fn(usize, usize, V) -> V + Sync,
) {
    const ROWS: usize = 1024;
    let n = row_starts.len() - 1;
    let mut tasks = Vec::with_capacity(n.div_ceil(ROWS));
    let mut left = values;
    for first in (0..n).step_by(ROWS) {
        let rows = first..(first + ROWS).min(n);
        let (of_rows, after) = left.split_at_mut(row_starts[rows.end] - row_starts[rows.start]);
        left = after;
        tasks.push((rows, of_rows));
    }
    tasks.into_par_iter().for_each(|(rows, values)| {
        let start = row_starts[rows.start];
        for i in rows {
            for k in row_starts[i]..row_starts[i + 1] {
                values[k - start] = map(i, indices[k] as usize, values[k - start]);
            }
        }
    });
}

/// The matrix with its upper triangle copied from the lower: rounding must not make P asymmetric.
fn make_symmetric<V: Number>(row_starts: Vec<usize>, indices: Vec<u32>, mut values: Vec<V>) -> CsrMatrix<'static> {
    let n = row_starts.len() - 1;
    if V::QUOTIENT_IS_SYMMETRIC {
        return CsrMatrix::well_formed((n, n), row_starts, indices, V::store(values));
    }
    let mut next = row_starts[..n].to_vec();
    for i in 0..n {
        for k in row_starts[i]..row_starts[i + 1] {
            let j = indices[k] as usize;
            if j >= i {
                break;
            }
            // Rows are visited in order, so the next unfilled entry of row j above its diagonal is (j, i).
            while (indices[next[j]] as usize) < i {
                next[j] += 1;
            }
            values[next[j]] = values[k];
        }
    }
    CsrMatrix::well_formed((n, n), row_starts, indices, V::store(values))
}

fn nan_is_largest(a: f64, b: f64) -> f64 {
    if b.is_nan() { f64::INFINITY } else { a.max(b) }
}
