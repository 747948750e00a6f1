//! The optimizer for few points on the sphere, with exact sums: L-BFGS over the directions and the logarithm of the
//! radius together.
//!
//! * The points stay in {|y_i| = r, Σ y_i = 0}, the set of the paper: steps are tangent vectors that keep the points
//!   centred to first order, and a Möbius map corrects the rest ([`crate::sphere`]).
//! * The first estimate of the inverse Hessian is diagonal: the curvature of the attraction, 4 e r² Σ_j p_ij q_ij, for each
//!   point (on a small map this is t-SNE's learning rate n/e; on a large map steps grow with it), and the second derivative
//!   with respect to log r for the radius. There is no learning rate.
//! * Every step lowers the objective (Armijo's rule), so the iteration cannot diverge.
//! * Exaggeration is lowered in stages. It starts at a value at which the sphere is small and every point still interacts
//!   with every other point, so that groups find their place before they contract.

use super::{
    OptimizerState, Outcome,
    objective::{Evaluation, SphereObjective},
    pins::Pins,
    sphere_state::{LONGEST_RADIUS_STEP, LONGEST_STEP, SMALLEST_RADIUS, SMALLEST_RADIUS_CURVATURE, SphereState},
    state,
};
use crate::{
    observe::{Observer, Positions, Step},
    parallel::sum_over,
    ranks::Share,
    sphere::{Vec3, add_scaled, dot, norm, tangential, unit},
};
use rayon::prelude::*;
use std::collections::VecDeque;

/// Number of stored pairs of steps and gradient differences.
const MEMORY: usize = 10;
/// The radius stays fixed where a change by a factor e would improve the objective by less than this: for some data the
/// objective keeps falling as the sphere grows, but ever more slowly.
const RADIUS_SLOPE_TOLERANCE: f64 = 1e-3;
/// From one stage to the next, exaggeration falls by this factor.
const STAGE_FACTOR: f64 = 1.5;
const ARMIJO: f64 = 1e-4;
const MAX_HALVINGS: usize = 20;
/// The final stage ends when this many iterations together lower the objective by less than [`ENOUGH`].
const PATIENCE: usize = 20;
const ENOUGH: f64 = 1e-5;
/// The share of the progress bar for all stages but the last.
const EXAGGERATED_SHARE: f64 = 0.7;

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Pair {
    step: Vec<Vec3>,
    radius_step: f64,
    change: Vec<Vec3>,
    radius_change: f64,
    /// 1/(step · change).
    rho: f64,
}

/// The iteration limits of a run.
pub(super) struct Budget {
    pub(super) exaggeration: f64,
    pub(super) iterations_per_stage: usize,
    pub(super) max_iterations: usize,
}

/// A run between two iterations.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Saved {
    pub(super) u: Vec<Vec3>,
    pub(super) r: f64,
    pub(super) exaggeration: f64,
    pub(super) iterations: usize,
    progress: f64,
    within: WithinStage,
}

/// What a stage of constant exaggeration remembers.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct WithinStage {
    steps: usize,
    history: VecDeque<Pair>,
    recent: VecDeque<f64>,
    first_improvement: Option<f64>,
    /// The last steps improved too little: the stage ends.
    is_over: bool,
}

impl Saved {
    /// A run that has not begun.
    pub(super) fn start(mut u: Vec<Vec3>, r: f64, pins: &Pins, budget: &Budget) -> Self {
        pins.centre(&Share::alone(u.len()), &mut u);
        let exaggeration = budget.exaggeration;
        Self { u, r, exaggeration, iterations: 0, progress: 0.0, within: WithinStage::default() }
    }

    /// The lengths of all arrays that have one entry per point.
    pub(super) fn lengths(&self) -> Vec<usize> {
        let pairs = self.within.history.iter().flat_map(|pair| [pair.step.len(), pair.change.len()]);
        std::iter::once(self.u.len()).chain(pairs).collect()
    }
}

/// Continues a run to a minimum, until the limits are reached, or until the observer stops it.
pub(super) fn minimize(
    objective: &mut SphereObjective<'_>,
    saved: Saved,
    largest_r: f64,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (SphereState, Outcome) {
    let stages = 1.0 + (budget.exaggeration.max(1.0).ln() / STAGE_FACTOR.ln()).ceil();
    let Saved { u, r, mut exaggeration, iterations, progress, mut within } = saved;
    let mut state = SphereState { u, r, largest_r };
    let mut run = Run { iterations, max_iterations: budget.max_iterations, progress, exaggeration, observer };
    let mut evaluation = Evaluation::default();
    loop {
        let last = exaggeration <= 1.0;
        objective.exaggeration = exaggeration.max(1.0);
        run.exaggeration = exaggeration;
        let steps = if last { usize::MAX } else { budget.iterations_per_stage };
        let stopped = run.stage(objective, &mut state, &mut evaluation, steps, std::mem::take(&mut within));
        let at_limit = run.iterations >= run.max_iterations;
        let misbehaved = evaluation.misbehaved();
        if stopped || last || at_limit || misbehaved.is_some() {
            let converged = !stopped && !at_limit && misbehaved.is_none();
            let (kl, iterations) = (evaluation.kl, run.iterations);
            return (state, Outcome { kl, iterations, stopped, converged, misbehaved });
        }
        run.progress += EXAGGERATED_SHARE / (stages - 1.0);
        exaggeration /= STAGE_FACTOR;
    }
}

struct Run<'a> {
    iterations: usize,
    max_iterations: usize,
    /// See [`Step::progress`].
    progress: f64,
    exaggeration: f64,
    observer: &'a mut dyn Observer,
}

impl Run<'_> {
    fn saved(&self, state: &SphereState, within: &WithinStage) -> Saved {
        Saved {
            u: state.u.clone(),
            r: state.r,
            exaggeration: self.exaggeration,
            iterations: self.iterations,
            progress: self.progress,
            within: within.clone(),
        }
    }

    /// One stage with constant exaggeration. Returns whether the observer stopped it. `now` ends as the evaluation at
    /// `state`.
    fn stage(
        &mut self,
        objective: &mut SphereObjective<'_>,
        state: &mut SphereState,
        now: &mut Evaluation,
        max_steps: usize,
        mut within: WithinStage,
    ) -> bool {
        let mut next = Evaluation::default();
        objective.evaluate(&state.u, state.r, now);
        if now.misbehaved().is_some() {
            return false;
        }
        while !within.is_over && within.steps < max_steps && self.iterations < self.max_iterations {
            let WithinStage { steps, history, recent, first_improvement, is_over } = &mut within;
            let (mut direction, mut radius_direction) = search_direction(state, now, history, &objective.pins);
            let mut slope = inner(&now.gradient, now.radius_slope, &direction, radius_direction);
            if slope >= 0.0 {
                history.clear();
                (direction, radius_direction) = search_direction(state, now, history, &objective.pins);
                slope = inner(&now.gradient, now.radius_slope, &direction, radius_direction);
            }
            let Some(moved) = line_search(objective, state, now, &mut next, &direction, radius_direction, slope) else {
                if history.is_empty() {
                    break;
                }
                history.clear();
                continue;
            };
            remember(history, state, &moved, now, &next, &direction);
            *state = moved.state;
            std::mem::swap(now, &mut next);
            *steps += 1;
            self.iterations += 1;
            let step = Step {
                iteration: self.iterations,
                max_iterations: self.max_iterations,
                progress: self.progress,
                kl: Some(now.kl),
                radius: Some(state.r),
                exaggeration: objective.exaggeration,
                positions: Positions::Sphere { directions: &state.u, radius: state.r },
            };
            let stopped = self.observer.step(&step).is_break();
            recent.push_back(now.value);
            if recent.len() > PATIENCE {
                let before = recent.pop_front().expect("it holds more than PATIENCE values");
                let improvement = before - now.value;
                *is_over = improvement < ENOUGH;
                if max_steps == usize::MAX && !*is_over {
                    // The improvement falls by a nearly constant factor, so its logarithm tells how far the run is.
                    let first: f64 = *first_improvement.get_or_insert(improvement);
                    let done = (first / improvement).ln() / (first / ENOUGH).ln();
                    let progress = EXAGGERATED_SHARE + (1.0 - EXAGGERATED_SHARE) * done.clamp(0.0, 1.0);
                    self.progress = self.progress.max(progress);
                }
            }
            if self.observer.wants_state() {
                let saved = self.saved(state, &within);
                self.observer.state(OptimizerState(state::Saved::QuasiNewton(saved)));
            }
            if stopped {
                return true;
            }
        }
        false
    }
}

struct Moved {
    state: SphereState,
    length: f64,
}

/// Halves the step until it lowers the objective enough; `next` is then the evaluation at the new point.
fn line_search(
    objective: &mut SphereObjective<'_>,
    state: &SphereState,
    now: &Evaluation,
    next: &mut Evaluation,
    direction: &[Vec3],
    radius_direction: f64,
    slope: f64,
) -> Option<Moved> {
    let mut length = 1.0;
    for _ in 0..MAX_HALVINGS {
        let mut u: Vec<Vec3> = state
            .u
            .par_iter()
            .with_min_len(1024)
            .zip(direction)
            .map(|(u, direction)| unit(&add_scaled(u, length, direction)))
            .collect();
        objective.pins.centre(objective.share(), &mut u);
        let r = (state.r * (length * radius_direction).exp()).max(SMALLEST_RADIUS).min(state.largest_r);
        objective.evaluate(&u, r, next);
        // A value that is not a number is never small enough: the step is tried again, shorter.
        if next.value <= now.value + ARMIJO * length * slope && next.misbehaved().is_none() {
            return Some(Moved { state: SphereState { u, r, largest_r: state.largest_r }, length });
        }
        length *= 0.5;
    }
    None
}

/// −H⁻¹ gradient by the two-loop recursion, as a tangent vector that keeps the points centred, no longer than allowed.
fn search_direction(state: &SphereState, now: &Evaluation, history: &VecDeque<Pair>, pins: &Pins) -> (Vec<Vec3>, f64) {
    let mut v = now.gradient.clone();
    let mut v_radius = now.radius_slope;
    let mut alphas = Vec::with_capacity(history.len());
    for pair in history.iter().rev() {
        let alpha = pair.rho * inner(&pair.step, pair.radius_step, &v, v_radius);
        subtract(&mut v, alpha, &pair.change);
        v_radius -= alpha * pair.radius_change;
        alphas.push(alpha);
    }
    v.par_iter_mut().with_min_len(1024).zip(&now.curvature).for_each(|(v, curvature)| {
        // A point whose similarities are almost zero has no scale of its own; its step is clipped below.
        let scale = curvature.max(f64::MIN_POSITIVE);
        *v = v.map(|v| v / scale);
    });
    v_radius /= now.radius_curvature.abs().max(SMALLEST_RADIUS_CURVATURE);
    for (pair, alpha) in history.iter().zip(alphas.iter().rev()) {
        let beta = pair.rho * inner(&pair.change, pair.radius_change, &v, v_radius);
        subtract(&mut v, beta - alpha, &pair.step);
        v_radius += (alpha - beta) * pair.radius_step;
    }
    v.par_iter_mut().with_min_len(1024).zip(&state.u).for_each(|(v, u)| {
        let tangent = tangential(v, u).map(|v| -v);
        let length = norm(&tangent);
        *v = if length > LONGEST_STEP { tangent.map(|v| v * LONGEST_STEP / length) } else { tangent };
    });
    pins.project(&Share::alone(state.u.len()), &state.u, &mut v);
    let at_limit = state.r >= state.largest_r && now.radius_slope < 0.0;
    let radius_direction = if at_limit || now.radius_slope.abs() < RADIUS_SLOPE_TOLERANCE {
        0.0
    } else {
        (-v_radius).clamp(-LONGEST_RADIUS_STEP, LONGEST_RADIUS_STEP)
    };
    (v, radius_direction)
}

/// Stores the step from `state` to `moved` and the change of the gradient, both as tangent vectors at the new point.
fn remember(
    history: &mut VecDeque<Pair>,
    state: &SphereState,
    moved: &Moved,
    now: &Evaluation,
    next: &Evaluation,
    direction: &[Vec3],
) {
    let transport = |v: &[Vec3], factor: f64| -> Vec<Vec3> {
        v.par_iter().with_min_len(1024).zip(&moved.state.u).map(|(v, u)| tangential(v, u).map(|v| factor * v)).collect()
    };
    let step = transport(direction, moved.length);
    let mut change = transport(&now.gradient, -1.0);
    change.par_iter_mut().with_min_len(1024).zip(&next.gradient).for_each(|(change, gradient)| {
        *change = add_scaled(change, 1.0, gradient);
    });
    let radius_step = (moved.state.r / state.r).ln();
    let radius_change = next.radius_slope - now.radius_slope;
    let curvature = inner(&step, radius_step, &change, radius_change);
    let lengths = inner(&step, radius_step, &step, radius_step) * inner(&change, radius_change, &change, radius_change);
    // Only pairs with positive curvature keep the inverse Hessian positive definite.
    if curvature > 1e-10 * lengths.sqrt() {
        if history.len() == MEMORY {
            history.pop_front();
        }
        history.push_back(Pair { step, radius_step, change, radius_change, rho: 1.0 / curvature });
    }
}

fn inner(a: &[Vec3], a_radius: f64, b: &[Vec3], b_radius: f64) -> f64 {
    sum_over(a.len(), |i| dot(&a[i], &b[i])) + a_radius * b_radius
}

/// v −= factor · w.
fn subtract(v: &mut [Vec3], factor: f64, w: &[Vec3]) {
    v.par_iter_mut().with_min_len(1024).zip(w).for_each(|(v, w)| *v = add_scaled(v, -factor, w));
}
