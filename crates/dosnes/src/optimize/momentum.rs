//! The optimizer of t-SNE (van der Maaten and Hinton 2008): gradient steps with momentum and a gain for each
//! coordinate. The paper's optimizer also projects to the sphere after each step.

use super::{
    Caution, OptimizerState, Outcome,
    attraction::Attraction,
    first_not_finite,
    state::{self, Flat},
};
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

/// A run between two iterations.
pub(super) struct Saved<const D: usize> {
    y: Vec<[f64; D]>,
    velocity: Vec<[f64; D]>,
    gains: Vec<[f64; D]>,
    iteration: usize,
}

impl<const D: usize> Saved<D> {
    /// A run that has not begun.
    pub(super) fn start(y: Vec<[f64; D]>) -> Self {
        let n = y.len();
        Self { y, velocity: vec![[0.0; D]; n], gains: vec![[1.0; D]; n], iteration: 0 }
    }

    /// A run that was stored, coordinate after coordinate.
    pub(super) fn stored(flat: &Flat) -> Self {
        let points = |flat: &[f64]| flat.as_chunks::<D>().0.to_vec();
        let (y, velocity, gains) = (points(&flat.y), points(&flat.velocity), points(&flat.gains));
        Self { y, velocity, gains, iteration: flat.iteration }
    }
}

/// Continues a run according to `schedule`. The KL is that of the returned coordinates.
pub(super) fn minimize<const D: usize>(
    attraction: &mut Attraction<'_>,
    repulsion: &mut dyn Repulsion<D>,
    saved: Saved<D>,
    schedule: &Schedule,
    observer: &mut dyn Observer,
    positions: impl Fn(&[[f64; D]]) -> Positions<'_>,
) -> (Vec<[f64; D]>, Outcome) {
    let Saved { mut y, mut velocity, mut gains, mut iteration } = saved;
    let n = y.len();
    let mut pull = vec![[0.0; D]; n];
    let mut push = vec![[0.0; D]; n];
    let mut weights = vec![0.0; n];
    let mut good = (y.clone(), f64::NAN);
    let mut caution = Caution::default();
    loop {
        let mut misbehaved = first_not_finite(&y);
        let (mut z, mut kl) = (0.0, 0.0);
        if misbehaved.is_none() {
            let energy = attraction.evaluate(&y, 1.0, &mut pull, &mut weights).energy;
            z = repulsion.evaluate(&y, &mut push).z;
            kl = attraction.kl(energy, z);
            let of_forces = || first_not_finite(&pull).or_else(|| first_not_finite(&push));
            misbehaved = of_forces().or_else(|| (!kl.is_finite() || z <= 0.0).then_some(0));
        }
        if let Some(item) = misbehaved {
            // The step is undone, and tried again from the last good map: shorter, and without momentum.
            if iteration == 0 || caution.gives_up() {
                let iterations = iteration.saturating_sub(1);
                return (good.0, Outcome { kl: good.1, iterations, misbehaved: Some(item), ..Outcome::default() });
            }
            y.clone_from(&good.0);
            let energy = attraction.evaluate(&y, 1.0, &mut pull, &mut weights).energy;
            z = repulsion.evaluate(&y, &mut push).z;
            kl = attraction.kl(energy, z);
            velocity.fill([0.0; D]);
            gains.fill([1.0; D]);
            iteration -= 1;
        } else {
            caution = Caution::default();
        }
        let exaggerated = iteration < schedule.exaggeration_iterations;
        let mut stopped = false;
        if iteration > 0 && misbehaved.is_none() {
            let step = Step {
                iteration,
                max_iterations: schedule.max_iterations,
                progress: iteration as f64 / schedule.max_iterations as f64,
                kl: Some(kl),
                radius: None,
                exaggeration: if exaggerated { schedule.exaggeration } else { 1.0 },
                positions: positions(&y),
            };
            stopped = observer.step(&step).is_break();
            if observer.wants_state() {
                observer.state(OptimizerState(state::Saved::Euclidean {
                    dimensions: D,
                    run: Flat {
                        y: y.as_flattened().to_vec(),
                        velocity: velocity.as_flattened().to_vec(),
                        gains: gains.as_flattened().to_vec(),
                        iteration,
                    },
                }));
            }
        }
        let settled = !exaggerated
            && iteration % LOOK_EVERY == LOOK_EVERY - 1
            && misbehaved.is_none()
            && longest(&velocity) < RESTING * root_mean_square(&y);
        if stopped || settled || iteration >= schedule.max_iterations {
            return (y, Outcome { kl, iterations: iteration, stopped, converged: settled, misbehaved: None });
        }
        let phase = usize::from(!exaggerated);
        let e = if exaggerated { schedule.exaggeration } else { 1.0 };
        let rate = caution.factor() * schedule.learning_rates[phase];
        good.0.clone_from(&y);
        good.1 = kl;
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
        subtract_mean(&mut y);
        if schedule.project_to_sphere {
            project_to_mean_radius(&mut y);
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
