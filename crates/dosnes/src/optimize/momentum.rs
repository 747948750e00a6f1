//! The optimizer of t-SNE (van der Maaten and Hinton 2008): gradient steps with momentum and a gain for each
//! coordinate. The paper's optimizer also projects to the sphere after each step.

use super::{Outcome, attraction::Attraction};
use crate::{
    observe::{Observer, Positions, Step},
    parallel::sum_over,
    repulsion::Repulsion,
};
use rayon::prelude::*;

/// The parameters of a run with momentum.
pub(super) struct Schedule {
    pub(super) exaggeration: f64,
    pub(super) exaggeration_iterations: usize,
    pub(super) max_iterations: usize,
    /// For the gradient without its factor 4, during exaggeration and after it.
    pub(super) learning_rates: [f64; 2],
    /// Before [`Schedule::momentum_switch`] and from there on.
    pub(super) momenta: [f64; 2],
    pub(super) momentum_switch: usize,
    /// Longest step of a point; `None` for the paper's optimizer.
    pub(super) longest_step: Option<f64>,
    /// Project to the sphere of the mean radius after each step.
    pub(super) project_to_sphere: bool,
}

const SMALLEST_GAIN: f64 = 0.01;
/// Iterations between two convergence checks.
const LOOK_EVERY: usize = 50;
/// The run ends when no point moves by more than this share of the map's size in an iteration. (KL is not a suitable
/// criterion: a map that is still tiny grows by the same factor in each iteration, and KL hardly changes.)
const RESTING: f64 = 1e-6;

/// Moves `y` according to `schedule`. The KL is that of the returned coordinates.
pub(super) fn minimize<const D: usize>(
    attraction: &mut Attraction,
    repulsion: &mut dyn Repulsion<D>,
    y: &mut [[f64; D]],
    schedule: &Schedule,
    observer: &mut dyn Observer,
    positions: impl Fn(&[[f64; D]]) -> Positions<'_>,
) -> Outcome {
    let n = y.len();
    let mut pull = vec![[0.0; D]; n];
    let mut push = vec![[0.0; D]; n];
    let mut weights = vec![0.0; n];
    let mut velocity = vec![[0.0; D]; n];
    let mut gains = vec![[1.0_f64; D]; n];
    let mut iteration = 0;
    let mut stopped = false;
    loop {
        let energy = attraction.evaluate(y, 1.0, &mut pull, &mut weights).energy;
        let z = repulsion.evaluate(y, &mut push).z;
        let kl = attraction.kl(energy, z);
        let exaggerated = iteration < schedule.exaggeration_iterations;
        if iteration > 0 {
            let step = Step {
                iteration,
                max_iterations: schedule.max_iterations,
                progress: iteration as f64 / schedule.max_iterations as f64,
                kl: Some(kl),
                radius: None,
                exaggeration: if exaggerated { schedule.exaggeration } else { 1.0 },
                positions: positions(y),
            };
            stopped = observer.step(&step).is_break();
        }
        let settled = !exaggerated
            && iteration % LOOK_EVERY == LOOK_EVERY - 1
            && longest(&velocity) < RESTING * root_mean_square(y);
        if stopped || settled || iteration >= schedule.max_iterations {
            return Outcome { kl, iterations: iteration, stopped, converged: settled };
        }
        let phase = usize::from(!exaggerated);
        let e = if exaggerated { schedule.exaggeration } else { 1.0 };
        let rate = schedule.learning_rates[phase];
        let momentum = schedule.momenta[usize::from(iteration >= schedule.momentum_switch)];
        y.par_iter_mut().with_min_len(1024).zip(&mut velocity).zip(&mut gains).enumerate().for_each(
            |(i, ((y, velocity), gains))| {
                for k in 0..D {
                    let gradient = e * pull[i][k] - push[i][k] / z;
                    let same_way = (gradient > 0.0) == (velocity[k] > 0.0);
                    gains[k] = if same_way { (gains[k] * 0.8).max(SMALLEST_GAIN) } else { gains[k] + 0.2 };
                    velocity[k] = momentum * velocity[k] - rate * gains[k] * gradient;
                }
                if let Some(longest) = schedule.longest_step {
                    let length = velocity.iter().map(|v| v * v).sum::<f64>().sqrt();
                    if length > longest {
                        *velocity = velocity.map(|v| v * longest / length);
                    }
                }
                for k in 0..D {
                    y[k] += velocity[k];
                }
            },
        );
        subtract_mean(y);
        if schedule.project_to_sphere {
            project_to_mean_radius(y);
        }
        iteration += 1;
    }
}

fn longest<const D: usize>(v: &[[f64; D]]) -> f64 {
    v.iter().map(|v| v.iter().map(|v| v * v).sum::<f64>()).fold(0.0, f64::max).sqrt()
}

fn root_mean_square<const D: usize>(y: &[[f64; D]]) -> f64 {
    (sum_over(y.len(), |i| y[i].iter().map(|v| v * v).sum::<f64>()) / y.len() as f64).sqrt()
}

fn subtract_mean<const D: usize>(y: &mut [[f64; D]]) {
    let n = y.len();
    let mean: [f64; D] = std::array::from_fn(|k| sum_over(n, |i| y[i][k]) / n as f64);
    y.par_iter_mut().with_min_len(1024).for_each(|y| *y = std::array::from_fn(|k| y[k] - mean[k]));
}

/// The paper's projection: every point moves to the mean radius, in its own direction. A point at the centre has no
/// direction; it moves along the first axis.
pub(super) fn project_to_mean_radius<const D: usize>(y: &mut [[f64; D]]) {
    let n = y.len();
    let length = |y: &[f64; D]| y.iter().map(|v| v * v).sum::<f64>().sqrt();
    let radius = sum_over(n, |i| length(&y[i])) / n as f64;
    y.par_iter_mut().with_min_len(1024).for_each(|y| {
        let own = length(y);
        *y = if own > 0.0 {
            y.map(|v| v / own * radius)
        } else {
            std::array::from_fn(|k| if k == 0 { radius } else { 0.0 })
        };
    });
}
