//! The optimizer for many points on the sphere: gradient steps with momentum, with a separate scale for each point.
//!
//! * A point's step is its gradient divided by the curvature of the attraction, 4 e r² Σ_j p_ij q_ij. In these units the
//!   Hessian of the attraction has eigenvalues between 0 and 2 on any map of any size, so steps of length 1 converge for
//!   any data: there is no learning rate. Momentum speeds up the slow modes, in which whole groups move together.
//! * There is no line search: it would need exact values, but fast sums are approximate. Each iteration is one evaluation.
//! * The radius has its own damped Newton step in each iteration, so the map quickly grows to the size that the objective
//!   asks for.
//! * Exaggeration falls steadily. It starts at a value at which the sphere is small and every point still interacts with
//!   every other point, so that groups find their place before they contract.

use super::{
    Caution, OptimizerState, Outcome, first_not_finite,
    objective::{Evaluation, SphereObjective},
    pins::Pins,
    sphere_state::{LONGEST_RADIUS_STEP, LONGEST_STEP, SMALLEST_RADIUS, SMALLEST_RADIUS_CURVATURE, SphereState},
    state,
};
use crate::{
    observe::{Observer, Positions, Step},
    ranks::Share,
    sphere::{Vec3, add_scaled, norm, tangential, unit},
};
use rayon::prelude::*;
use std::ops::Range;

/// Share of its last step that a point repeats.
const MOMENTUM: f64 = 0.9;
/// Longest step of a point on the map, where the kernel's width is 1: with a longer one it would jump over its
/// neighbours.
const LONGEST_JUMP: f64 = 2.0;
/// The radius stays fixed where a change by a factor e would improve the objective by less than this. A larger sphere
/// would only draw neighbours closer together, which hides the order of nearness among them.
const RADIUS_SLOPE_TOLERANCE: f64 = 0.1;
/// A sphere smaller than the kernel's width always follows the objective, because there every slope is small: it falls with
/// the square of the radius.
const KERNEL_WIDTH: f64 = 1.0;
/// Iterations between two convergence checks.
const LOOK_EVERY: usize = 10;
/// The run ends when its last fifth lowered the objective by less than this share of it.
const ENOUGH: f64 = 0.003;

/// The parameters of a run.
pub(super) struct Schedule {
    pub(super) exaggeration: f64,
    /// Iterations in which exaggeration falls to 1.
    pub(super) exaggeration_iterations: usize,
    pub(super) max_iterations: usize,
}

impl Schedule {
    fn exaggeration_at(&self, step: usize) -> f64 {
        if step >= self.exaggeration_iterations {
            return 1.0;
        }
        self.exaggeration.powf(1.0 - step as f64 / self.exaggeration_iterations as f64)
    }

    /// The share of the run that is done. Most runs converge soon after the first iteration at which they can.
    fn progress(&self, step: usize) -> f64 {
        const OF_MOST_RUNS: f64 = 0.9;
        let soonest = (1.25 * self.exaggeration_iterations as f64).min(self.max_iterations as f64).max(1.0);
        let beyond = (self.max_iterations as f64 - soonest).max(1.0);
        let step = step as f64;
        OF_MOST_RUNS * (step / soonest).min(1.0) + (1.0 - OF_MOST_RUNS) * ((step - soonest) / beyond).clamp(0.0, 1.0)
    }
}

/// A run between two iterations.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Saved {
    pub(super) u: Vec<Vec3>,
    pub(super) r: f64,
    pub(super) velocity: Vec<Vec3>,
    /// KL of the earlier iterations.
    pub(super) history: Vec<f64>,
    pub(super) iterations: usize,
}

impl Saved {
    /// A run that has not begun.
    pub(super) fn start(mut u: Vec<Vec3>, r: f64, pins: &Pins) -> Self {
        pins.centre(&Share::alone(u.len()), &mut u);
        Self { velocity: vec![[0.0; 3]; u.len()], u, r, history: Vec::new(), iterations: 0 }
    }

    /// Keeps the steps of these points only.
    pub(super) fn keep_steps(&mut self, own: Range<usize>) {
        self.velocity.truncate(own.end);
        self.velocity.drain(..own.start);
        self.velocity.shrink_to_fit();
    }
}

/// Continues a run according to `schedule`, until convergence or until an observer stops it. The ranks of the objective do the same
/// steps together, and each moves its own points; `saved` has the steps of these points only.
pub(super) fn minimize(
    objective: &mut SphereObjective<'_>,
    saved: Saved,
    largest_r: f64,
    schedule: &Schedule,
    observer: &mut dyn Observer,
) -> (SphereState, Outcome) {
    let share = objective.share().clone();
    let own = share.own();
    let Saved { u, r, mut velocity, mut history, mut iterations } = saved;
    let mut state = SphereState { u, r, largest_r };
    let mut now = Evaluation::default();
    let mut good = Good { own_u: state.u[own.clone()].to_vec(), r };
    let mut caution = Caution::default();
    loop {
        objective.exaggeration = schedule.exaggeration_at(iterations);
        let wrong = first_not_finite(&state.u[own.clone()]).map(|i| own.start + i);
        let [mut misbehaved] = share.first([wrong]);
        if misbehaved.is_none() {
            objective.evaluate(&state.u, state.r, &mut now);
            misbehaved = now.misbehaved();
        }
        if let Some(item) = misbehaved {
            // The step is undone, and tried again from the last good map: shorter, and without momentum.
            good.restore(&share, &mut state);
            if iterations == 0 || caution.gives_up() {
                let kl = history.last().copied().unwrap_or(f64::NAN);
                let iterations = iterations.saturating_sub(1);
                return (state, Outcome { kl, iterations, misbehaved: Some(item), ..Outcome::default() });
            }
            iterations -= 1;
            objective.exaggeration = schedule.exaggeration_at(iterations);
            objective.evaluate(&state.u, state.r, &mut now);
            velocity.fill([0.0; 3]);
            advance(&mut state, &mut velocity, &now, &share, &objective.pins, caution.factor());
            iterations += 1;
            continue;
        }
        caution = Caution::default();
        history.push(now.kl);
        let mut stopped = false;
        if iterations > 0 {
            let step = Step {
                iteration: iterations,
                max_iterations: schedule.max_iterations,
                progress: schedule.progress(iterations),
                kl: Some(now.kl),
                radius: Some(state.r),
                exaggeration: objective.exaggeration,
                positions: Positions::Sphere { directions: &state.u, radius: state.r },
            };
            // An observer of any rank may stop all of them, all at the same step.
            let stops = observer.step(&step).is_break();
            [stopped] = share.any([stops]);
            if stopped && !stops {
                observer.stopped_elsewhere();
            }
            let wants_state = observer.wants_state();
            if share.any([wants_state]) == [true] {
                let mut all_velocity = vec![[0.0; 3]; state.u.len()];
                all_velocity[own.clone()].copy_from_slice(&velocity);
                share.fill_in_points(&mut all_velocity);
                if wants_state {
                    let history = history[..iterations].to_vec();
                    let run = Saved { u: state.u.clone(), r: state.r, velocity: all_velocity, history, iterations };
                    observer.state(OptimizerState(state::Saved::Accelerated { first: None, order: Vec::new(), run }));
                }
            }
        }
        let converged = settled(&history, schedule);
        if stopped || converged || iterations >= schedule.max_iterations {
            return (state, Outcome { kl: now.kl, iterations, stopped, converged, misbehaved: None });
        }
        good.own_u.copy_from_slice(&state.u[own.clone()]);
        good.r = state.r;
        advance(&mut state, &mut velocity, &now, &share, &objective.pins, 1.0);
        iterations += 1;
    }
}

/// The last map whose numbers were finite: the own points of a rank.
struct Good {
    own_u: Vec<Vec3>,
    r: f64,
}

impl Good {
    fn restore(&self, share: &Share<'_>, state: &mut SphereState) {
        state.u[share.own()].copy_from_slice(&self.own_u);
        share.fill_in_points(&mut state.u);
        state.r = self.r;
    }
}

/// Moves all points and the radius by one step, shortened by `factor`. `velocity` is that of the own points.
fn advance(
    state: &mut SphereState,
    velocity: &mut [Vec3],
    now: &Evaluation,
    share: &Share<'_>,
    pins: &Pins,
    factor: f64,
) {
    accelerate(velocity, state, now, share, pins);
    let moves = &*velocity;
    state.u[share.own()].par_iter_mut().with_min_len(1024).zip(moves).for_each(|(u, velocity)| {
        *u = unit(&add_scaled(u, factor, velocity));
    });
    pins.centre(share, &mut state.u);
    if factor == 1.0 {
        state.r = next_radius(state.r, now).min(state.largest_r);
    }
}

/// The next step of every own point: a tangent vector that keeps the points centred, no longer than allowed.
fn accelerate(velocity: &mut [Vec3], state: &SphereState, now: &Evaluation, share: &Share<'_>, pins: &Pins) {
    let longest = LONGEST_STEP.min(LONGEST_JUMP / state.r);
    let own_u = &state.u[share.own()];
    velocity.par_iter_mut().with_min_len(1024).enumerate().for_each(|(i, velocity)| {
        let kept = tangential(velocity, &own_u[i]);
        // A point whose similarities are almost zero has no scale of its own; its step is clipped below.
        let scale = 1.0 / now.curvature[i].max(f64::MIN_POSITIVE);
        let next: Vec3 = std::array::from_fn(|k| MOMENTUM * kept[k] - scale * now.gradient[i][k]);
        let length = norm(&next);
        *velocity = if length > longest { next.map(|v| v * longest / length) } else { next };
    });
    pins.project(share, &state.u, velocity);
}

fn next_radius(r: f64, now: &Evaluation) -> f64 {
    if r >= KERNEL_WIDTH && now.radius_slope.abs() < RADIUS_SLOPE_TOLERANCE {
        return r;
    }
    let newton = -now.radius_slope / now.radius_curvature.abs().max(SMALLEST_RADIUS_CURVATURE);
    let step = newton.clamp(-LONGEST_RADIUS_STEP, LONGEST_RADIUS_STEP);
    (r * step.exp()).max(SMALLEST_RADIUS)
}

/// Whether the last fifth of the run, all of it without exaggeration, brought almost no improvement.
fn settled(history: &[f64], schedule: &Schedule) -> bool {
    let steps = history.len() - 1;
    let before = steps - steps / 5;
    if !steps.is_multiple_of(LOOK_EVERY) || before <= schedule.exaggeration_iterations {
        return false;
    }
    history[before] - history[steps] < ENOUGH * history[steps].abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exaggeration_falls_steadily_to_one() {
        let schedule = Schedule { exaggeration: 16.0, exaggeration_iterations: 4, max_iterations: 10 };
        let values: Vec<f64> = (0..6).map(|step| schedule.exaggeration_at(step)).collect();
        for (value, expected) in values.iter().zip([16.0, 8.0, 4.0, 2.0, 1.0, 1.0]) {
            assert!((value - expected).abs() < 1e-12, "{values:?}");
        }
    }

    #[test]
    fn a_run_ends_when_its_last_fifth_brings_no_improvement_but_not_while_exaggerated() {
        let schedule = Schedule { exaggeration: 12.0, exaggeration_iterations: 20, max_iterations: 1000 };
        let falling: Vec<f64> = (0..=50).map(|step| 3.0 - 0.01 * f64::from(step)).collect();
        let flat = vec![2.0; 51];
        assert!(!settled(&falling, &schedule));
        assert!(settled(&flat, &schedule));
        assert!(!settled(&flat[..=20], &schedule));
        assert!(!settled(&flat[..=47], &schedule), "convergence is checked every ten iterations");
    }
}
