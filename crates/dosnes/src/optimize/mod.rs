//! From similarities to a map: minimising KL(P‖Q).
//!
//! J(Y) = Σ p_ij log(p_ij / (q_ij / Z)), q = 1/(1+d²) or exp(−d²), on the sphere, in the plane or in space. t-SNE and s-SNE
//! are the same code on similarities that were not normalised.

mod accelerated;
#[cfg_attr(not(feature = "internals"), allow(unreachable_pub, reason = "public through `internals` only"))]
pub(crate) mod attraction;
mod momentum;
mod objective;
mod options;
mod quasi_newton;
mod reorder;
mod sphere_state;

#[cfg(test)]
mod tests;

pub use options::{EmbedOptions, Optimizer, Radius};

use crate::{
    error::Error,
    init,
    kernel::Kernel,
    normalization::{Affinities, degrees},
    observe::{Observer, Part, Positions, Stage},
    repulsion::{FEW, Repulsion, RepulsionMethod},
    space::Space,
    sphere::norm,
};
use attraction::{Attraction, Precision};
use momentum::Schedule;
use ndarray::Array2;
use objective::SphereObjective;
use options::CheckedOptions;
use quasi_newton::Budget;
use reorder::{InOldOrder, Order};
use sphere_state::SphereState;

/// A map of the items.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    /// Coordinates, one row per kept item: two columns in the plane, three otherwise. On the sphere all rows have
    /// length `radius`.
    pub coordinates: Array2<f64>,
    /// The space of the map.
    pub space: Space,
    /// The sphere's radius; `None` in the plane and in space.
    pub radius: Option<f64>,
    /// Whether the radius ended at its limit, see [`Radius`].
    pub at_largest_radius: bool,
    /// KL(P‖Q) of these coordinates, computed with the selected repulsion method.
    pub kl: f64,
    /// Number of iterations.
    pub iterations: usize,
    /// Whether further iterations would change nothing that matters. If not, the run ended at its largest number of
    /// iterations, or was stopped.
    pub converged: bool,
    /// Whether the observer stopped the run.
    pub stopped: bool,
    /// How repulsion was computed: the method that [`RepulsionMethod::Auto`] selected, or the requested one.
    pub repulsion: RepulsionMethod,
}

/// How a run of an optimizer ended.
struct Outcome {
    /// KL(P‖Q) of the final positions.
    kl: f64,
    iterations: usize,
    stopped: bool,
    converged: bool,
}

/// The momentum methods start from a map with this standard deviation, as t-SNE does.
const START_SPREAD: f64 = 1e-4;

const PLANNED: &str = "the planner chooses methods of the space";

/// Embeds the similarities.
#[allow(clippy::missing_panics_doc, reason = "the planner chooses methods of the space")]
pub fn embed(p: &Affinities, options: &EmbedOptions, observer: &mut dyn Observer) -> Result<Embedding, Error> {
    let n = p.matrix().rows();
    // A graph is cooled as slowly as its own edges ask for, however many pairs were added to make it equal.
    let similarities = p.report().mixture.map_or(p.matrix().nnz(), |mixture| mixture.direct);
    let options = options.check(n, similarities, p.are_of_points())?;
    observer.stage(Stage::Initialize);
    match options.space {
        Space::Plane => {
            let y = init::euclidean::<2>(p.matrix(), &options.init, START_SPREAD, options.seed, observer)?;
            observer.stage(Stage::Optimize);
            let repulsion = options.repulsion.in_plane(options.kernel).expect(PLANNED);
            Ok(euclidean(p, y, &options, observer, repulsion, |y| Positions::Plane(y)))
        }
        Space::Volume => {
            let y = init::euclidean::<3>(p.matrix(), &options.init, START_SPREAD, options.seed, observer)?;
            observer.stage(Stage::Optimize);
            let repulsion = options.repulsion.in_space(options.kernel).expect(PLANNED);
            Ok(euclidean(p, y, &options, observer, repulsion, |y| Positions::Volume(y)))
        }
        Space::Sphere if options.optimizer == Optimizer::Paper => {
            let mut y = init::euclidean::<3>(p.matrix(), &options.init, START_SPREAD, options.seed, observer)?;
            momentum::project_to_mean_radius(&mut y);
            observer.stage(Stage::Optimize);
            let repulsion = options.repulsion.in_space(options.kernel).expect(PLANNED);
            Ok(euclidean(p, y, &options, observer, repulsion, |y| Positions::Volume(y)))
        }
        Space::Sphere => {
            let u = init::directions(p.matrix(), &options.init, options.seed, observer)?;
            observer.stage(Stage::Optimize);
            Ok(sphere(p, u, &options, observer))
        }
    }
}

/// On the sphere: few points by exact sums and a quasi-Newton method, which converges to a minimum; many points by fast
/// sums in single precision and an accelerated gradient method.
fn sphere(p: &Affinities, u: Vec<[f64; 3]>, options: &CheckedOptions, observer: &mut dyn Observer) -> Embedding {
    let (state, outcome) = if p.matrix().rows() > FEW {
        accelerated(p, u, options, observer)
    } else if options.optimizer == Optimizer::Both {
        let mut part = Part { observer, from: 0.0, to: 0.5 };
        let first = quasi_newton(p, u.clone(), options, &mut part);
        let mut part = Part { observer: part.observer, from: 0.5, to: 1.0 };
        let second = if first.1.stopped { None } else { Some(accelerated(p, u, options, &mut part)) };
        match second {
            Some(second) if second.1.kl < first.1.kl => second,
            _ => first,
        }
    } else {
        quasi_newton(p, u, options, observer)
    };
    let positions = Positions::Sphere { directions: &state.u, radius: state.r };
    Embedding {
        coordinates: positions.to_array(),
        space: Space::Sphere,
        radius: Some(state.r),
        at_largest_radius: state.r >= state.largest_r,
        kl: outcome.kl,
        iterations: outcome.iterations,
        converged: outcome.converged,
        stopped: outcome.stopped,
        repulsion: options.repulsion,
    }
}

fn quasi_newton(
    p: &Affinities,
    u: Vec<[f64; 3]>,
    options: &CheckedOptions,
    observer: &mut dyn Observer,
) -> (SphereState, Outcome) {
    let repulsion = options.repulsion.on_sphere(options.kernel).expect(PLANNED);
    let attraction = Attraction::new(p.matrix(), options.kernel, Precision::Double);
    let mut state = SphereState::start(u, options.largest_radius);
    let budget = Budget {
        exaggeration: options.exaggeration,
        // With both methods, the option is for the other one.
        iterations_per_stage: match options.optimizer {
            Optimizer::Both => options::ITERATIONS_PER_STAGE,
            _ => options.exaggeration_iterations,
        },
        max_iterations: options.max_iterations,
    };
    let mut objective = SphereObjective::new(attraction, repulsion);
    let outcome = quasi_newton::minimize(&mut objective, &mut state, &budget, observer);
    (state, outcome)
}

fn accelerated(
    p: &Affinities,
    u: Vec<[f64; 3]>,
    options: &CheckedOptions,
    observer: &mut dyn Observer,
) -> (SphereState, Outcome) {
    let repulsion = options.repulsion.on_sphere(options.kernel).expect(PLANNED);
    let order = Order::along_curve(&u);
    let attraction = Attraction::reordered(p.matrix(), options.kernel, order.old_indices());
    let mut state = SphereState::start(order.apply(&u), options.largest_radius);
    let schedule = accelerated::Schedule {
        exaggeration: options.exaggeration,
        exaggeration_iterations: options.exaggeration_iterations,
        max_iterations: options.max_iterations,
    };
    let mut objective = SphereObjective::new(attraction, repulsion);
    let mut observer = InOldOrder { observer, order: &order, directions: u };
    let outcome = accelerated::minimize(&mut objective, &mut state, &schedule, &mut observer);
    let mut directions = observer.directions;
    order.undo(&state.u, &mut directions);
    (SphereState { u: directions, ..state }, outcome)
}

fn euclidean<const D: usize>(
    p: &Affinities,
    mut y: Vec<[f64; D]>,
    options: &CheckedOptions,
    observer: &mut dyn Observer,
    mut repulsion: Box<dyn Repulsion<D>>,
    positions: impl Fn(&[[f64; D]]) -> Positions<'_>,
) -> Embedding {
    let many = y.len() > FEW && options.optimizer != Optimizer::Paper;
    let precision = if many { Precision::Single } else { Precision::Double };
    let mut attraction = Attraction::new(p.matrix(), options.kernel, precision);
    let on_sphere = options.space == Space::Sphere;
    // Where points are close together, the curvature of attraction is e/n: n/e is the longest stable step. The
    // attraction of the Gaussian kernel does not weaken with distance, so the item with the largest share of P
    // determines the step.
    let longest = match options.kernel {
        Kernel::Gaussian if options.optimizer != Optimizer::Paper => {
            let degrees = degrees(p.matrix());
            degrees.iter().sum::<f64>() / degrees.iter().copied().fold(f64::MIN_POSITIVE, f64::max)
        }
        _ => y.len() as f64,
    };
    let rate = |exaggeration: f64| options.learning_rate.unwrap_or(longest / exaggeration);
    let learning_rates = [rate(options.exaggeration), rate(1.0)];
    let schedule = if options.optimizer == Optimizer::Paper {
        // The reference implementation of t-SNE, which is the paper's "OneStepUpdateSNE".
        Schedule {
            exaggeration: options.exaggeration,
            exaggeration_iterations: options.exaggeration_iterations,
            max_iterations: options.max_iterations,
            learning_rates,
            momenta: [0.5, 0.8],
            momentum_switch: 250,
            longest_step: None,
            project_to_sphere: on_sphere,
        }
    } else {
        Schedule {
            exaggeration: options.exaggeration,
            exaggeration_iterations: options.exaggeration_iterations,
            max_iterations: options.max_iterations,
            learning_rates,
            momenta: [0.8, 0.8],
            momentum_switch: 0,
            longest_step: Some(5.0),
            project_to_sphere: false,
        }
    };
    let outcome = momentum::minimize(&mut attraction, repulsion.as_mut(), &mut y, &schedule, observer, &positions);
    let coordinates = positions(&y).to_array();
    let radius = on_sphere.then(|| norm(&std::array::from_fn(|k| coordinates[[0, k]])));
    Embedding {
        coordinates,
        space: options.space,
        radius,
        at_largest_radius: false,
        kl: outcome.kl,
        iterations: outcome.iterations,
        converged: outcome.converged,
        stopped: outcome.stopped,
        repulsion: options.repulsion,
    }
}
