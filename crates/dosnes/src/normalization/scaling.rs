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
//!
//! Of many points, each iteration reads a hundred million similarities, so theirs has momentum (Polyak's heavy ball). Near the
//! solution an iteration multiplies the error of x by I − A, A = ½(I + P), whose eigenvalues lie in [μ, 1]. With momentum the
//! error falls by (1 − √μ)/(1 + √μ) an iteration instead of 1 − μ. The rate at which the residual falls tells μ.

use crate::{
    error::Error,
    observe::{Observer, report},
    parallel::{CHUNK, sum_over},
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
/// Iterations after which momentum is adapted to their convergence rate.
const MOMENTUM_ROUNDS: usize = 5;
/// Where the smallest eigenvalue is below this, Newton's method is faster.
const LEAST_EIGENVALUE: f64 = 1e-3;
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
    let mut iterations = 0_usize;
    let mut momentum = problem.is_of_many().then(|| Momentum::new(state.residual));
    let mut trial_start = state.residual;
    // The residual falls by a constant factor per iteration, so its logarithm measures the progress.
    let first = state.residual;
    let done = |residual: f64| ((first / residual).ln() / (first / tolerance).ln()).clamp(0.0, 1.0);
    while state.residual > tolerance {
        report(observer, done(state.residual))?;
        if iterations > 0 && iterations.is_multiple_of(TRIAL_ROUNDS) {
            let rate = (state.residual / trial_start).ln() / TRIAL_ROUNDS as f64;
            if rate >= 0.0 || (tolerance / state.residual).ln() / rate > MANY_ROUNDS {
                break;
            }
            trial_start = state.residual;
        }
        let mut next = problem.round_of_the_paper(&state);
        if let Some(momentum) = &mut momentum {
            momentum.add(&mut next, &state.x);
        }
        state = problem.at(next);
        iterations += 1;
        if let Some(momentum) = &mut momentum
            && iterations.is_multiple_of(MOMENTUM_ROUNDS)
        {
            momentum.adapt(state.residual);
        }
    }
    drop(momentum);
    let mut newton_steps = 0;
    while state.residual > tolerance && newton_steps < MAX_NEWTON_STEPS {
        report(observer, done(state.residual))?;
        let Some(next) = problem.newton_step(&state) else { break };
        state = next;
        newton_steps += 1;
    }
    Ok(Scaled { iterations: iterations + newton_steps, residual: state.residual, matrix: problem.scaled(&state.x) })
}

/// x ← x + α (round − x) + β (x − x before), with the best α and β for eigenvalues of A from μ to 1.
struct Momentum {
    alpha: f64,
    beta: f64,
    /// The smallest eigenvalue that was seen in the convergence rates so far.
    least: f64,
    /// The last step.
    step: Vec<f64>,
    /// The residual when the parameters were last adapted.
    residual: f64,
}

impl Momentum {
    /// None at first: α = 1, β = 0.
    fn new(residual: f64) -> Self {
        Self { alpha: 1.0, beta: 0.0, least: 1.0, step: Vec::new(), residual }
    }

    /// Turns a plain round from `x` into one with momentum.
    fn add(&mut self, round: &mut [f64], x: &[f64]) {
        let Self { alpha, beta, step, .. } = self;
        step.resize(x.len(), 0.0);
        round.par_iter_mut().with_min_len(CHUNK).zip(x).zip(step).for_each(|((round, x), step)| {
            *step = *alpha * (*round - x) + *beta * *step;
            *round = x + *step;
        });
    }

    /// Looks at how fast the residual fell since the last time.
    fn adapt(&mut self, residual: f64) {
        let rate = (residual / self.residual).powf(1.0 / MOMENTUM_ROUNDS as f64);
        self.residual = residual;
        if rate.is_nan() || rate >= 1.0 {
            // Too far from the solution for its linear model: plain rounds until it is reached.
            (self.alpha, self.beta) = (1.0, 0.0);
            self.step.fill(0.0);
            return;
        }
        // A mode of eigenvalue a falls by the larger root z of z² − (1 + β − αa) z + β, if that is real: otherwise by √β.
        if rate > self.beta.sqrt() {
            let eigenvalue = (1.0 + self.beta - rate - self.beta / rate) / self.alpha;
            self.least = self.least.min(eigenvalue).max(LEAST_EIGENVALUE);
        }
        let root = self.least.sqrt();
        self.alpha = (2.0 / (1.0 + root)).powi(2);
        self.beta = ((1.0 - root) / (1.0 + root)).powi(2);
    }
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
    /// Row sums over the entries above the floor, which still depend on x; empty if there is no floor and so all do.
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

    /// Whether these are the similarities of many points, with a target that momentum suits.
    fn is_of_many(&self) -> bool {
        V::IS_SINGLE && self.target == Target::Exact
    }

    fn at(&self, x: Vec<f64>) -> State {
        if self.is_of_many() { self.at_of_many(x) } else { self.at_of_few(x) }
    }

    /// As [`at_of_few`](Self::at_of_few), without a floor: one product and one addition an entry.
    fn at_of_many(&self, x: Vec<f64>) -> State {
        let d: Vec<f64> = x.par_iter().with_min_len(CHUNK).map(|x| x.exp()).collect();
        let of_row = |i: usize| {
            let range = self.row_starts[i]..self.row_starts[i + 1];
            // Four sums, so that an addition need not wait for the one before.
            let (columns, last_columns) = self.indices[range.clone()].as_chunks::<4>();
            let (values, last_values) = self.values[range].as_chunks::<4>();
            let mut sums = [0.0; 4];
            for (columns, values) in columns.iter().zip(values) {
                for lane in 0..4 {
                    sums[lane] += values[lane].double() * d[columns[lane] as usize];
                }
            }
            for (&j, value) in last_columns.iter().zip(last_values) {
                sums[0] += value.double() * d[j as usize];
            }
            d[i] * ((sums[0] + sums[1]) + (sums[2] + sums[3]))
        };
        let row_sums: Vec<f64> = (0..self.rows()).into_par_iter().with_min_len(CHUNK).map(of_row).collect();
        let objective = sum_over(self.rows(), |i| 0.5 * row_sums[i] + self.penalty(x[i]));
        let residual = row_sums.par_iter().map(|&u| (u - 1.0).abs()).reduce(|| 0.0, nan_is_largest);
        State { x, d, row_sums, free_sums: Vec::new(), objective, residual }
    }

    fn at_of_few(&self, x: Vec<f64>) -> State {
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
        let round = |(x, u): (&f64, &f64)| 0.5 * (x + rho * (x - u.ln()));
        state.x.par_iter().with_min_len(CHUNK).zip(&state.row_sums).map(round).collect()
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
        let free_sums = if state.free_sums.is_empty() { &state.row_sums } else { &state.free_sums };
        let diagonal: Vec<f64> =
            (0..n).map(|i| free_sums[i] + self.penalty_curvature(state.x[i])).map(|v| v.max(1e-300)).collect();
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
    if V::IS_SINGLE {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use proptest::prelude::*;

    /// A symmetric matrix without diagonal, in double and in single precision: `weight(i, j)` for i < j.
    fn both(n: u32, weight: impl Fn(u32, u32) -> f32) -> [CsrMatrix<'static>; 2] {
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let entries = pairs.map(|(i, j)| (i, j, f64::from(weight(i, j))));
        let triplets: Vec<(u32, u32, f64)> = entries.flat_map(|(i, j, value)| [(i, j, value), (j, i, value)]).collect();
        let double = CsrMatrix::from_triplets((n as usize, n as usize), &triplets).unwrap();
        let (starts, columns, values) = double.clone().into_parts();
        let singles: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        [double, CsrMatrix::well_formed((n as usize, n as usize), starts, columns, singles)]
    }

    proptest! {
        #[test]
        fn momentum_finds_the_scaling_that_plain_rounds_find(n in 4_u32..40, seed: u64, spread in 0.0_f32..6.0) {
            let weight = |i: u32, j: u32| {
                let hash = crate::random::mix(seed ^ u64::from(i) << 32 ^ u64::from(j)) >> 40;
                (spread * (hash as f32 / (1 << 24) as f32 - 0.5)).exp()
            };
            let [double, single] = both(n, weight);
            let plain = scale(double, Target::Exact, 1e-10, &mut Silent).unwrap();
            let fast = scale(single, Target::Exact, 1e-10, &mut Silent).unwrap();
            prop_assert!(plain.residual <= 1e-10 && fast.residual <= SINGLE_TOLERANCE);
            for (found, expected) in fast.matrix.iter().zip(plain.matrix.iter()) {
                // A residual of 1e-7 leaves the factors an error of 1e-7 / μ; these matrices have μ > 0.01.
                prop_assert!((found.2 - expected.2).abs() <= 1e-4 * expected.2, "{:?} {:?}", found, expected);
            }
        }
    }

    #[test]
    fn momentum_needs_far_fewer_rounds_where_plain_ones_are_slow() {
        // Nearly two sides with links between them only: the error of one side goes over to the other and back.
        let weight = |i: u32, j: u32| {
            let across = i % 2 != j % 2;
            (1.0 + (i * j % 7) as f32) * if across { 1.0 } else { 0.06 }
        };
        let [double, single] = both(60, weight);
        let plain = scale(double, Target::Exact, SINGLE_TOLERANCE, &mut Silent).unwrap();
        let fast = scale(single, Target::Exact, SINGLE_TOLERANCE, &mut Silent).unwrap();
        assert!(plain.residual <= SINGLE_TOLERANCE && fast.residual <= SINGLE_TOLERANCE);
        assert!(2 * fast.iterations < plain.iterations, "{} {}", fast.iterations, plain.iterations);
    }
}
