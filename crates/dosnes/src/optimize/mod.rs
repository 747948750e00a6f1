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
mod pins;
mod quasi_newton;
mod reorder;
mod sphere_state;
mod state;
mod together;

#[cfg(test)]
mod rank_tests;
#[cfg(test)]
mod resume_tests;
#[cfg(test)]
mod tests;

pub use options::{EmbedOptions, Optimizer, Radius};
pub use pins::Fixed;
pub use state::OptimizerState;
pub use together::{assist, dismiss, embed_on, resume_on};

use crate::{
    error::Error,
    init,
    kernel::Kernel,
    normalization::{Affinities, degrees},
    observe::{Observer, Part, Positions, Silent, Stage, Step},
    ranks::{Alone, Communicator, Share},
    repulsion::{FEW, Repulsion, RepulsionMethod},
    space::Space,
    sphere::{Vec3, norm},
};
use attraction::{Attraction, Precision};
use momentum::Schedule;
use ndarray::Array2;
use objective::SphereObjective;
use options::CheckedOptions;
use pins::Pins;
use quasi_newton::Budget;
use rayon::prelude::*;
use reorder::{InOldOrder, Order};
use sphere_state::SphereState;
use state::{FirstMap, Saved};
use std::ops::ControlFlow;
use together::Job;

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
    /// If numbers stopped being finite, and shorter steps did not help: the item whose numbers did so first. The map is the
    /// last good one.
    pub misbehaved: Option<usize>,
    /// How repulsion was computed: the method that [`RepulsionMethod::Auto`] selected, or the requested one.
    pub repulsion: RepulsionMethod,
}

/// How a run of an optimizer ended.
#[derive(Default)]
struct Outcome {
    /// KL(P‖Q) of the final positions.
    kl: f64,
    iterations: usize,
    stopped: bool,
    converged: bool,
    /// See [`Embedding::misbehaved`].
    misbehaved: Option<usize>,
}

/// After a step that led to numbers that are not finite, shorter ones are tried.
#[derive(Default)]
struct Caution {
    failures: u32,
}

impl Caution {
    const MOST_FAILURES: u32 = 20;

    /// One more failure. Whether there were too many.
    fn gives_up(&mut self) -> bool {
        self.failures += 1;
        self.failures > Self::MOST_FAILURES
    }

    /// The share of an ordinary step.
    fn factor(&self) -> f64 {
        0.5_f64.powi(self.failures as i32)
    }
}

/// The first point with a coordinate that is not finite.
fn first_not_finite<const D: usize>(points: &[[f64; D]]) -> Option<usize> {
    points.par_iter().with_min_len(1024).position_first(|point| point.iter().any(|v| !v.is_finite()))
}

/// The momentum methods start from a map with this standard deviation, as t-SNE does.
const START_SPREAD: f64 = 1e-4;

const PLANNED: &str = "the planner chooses methods of the space";

/// Embeds the similarities.
pub fn embed(p: &Affinities, options: &EmbedOptions, observer: &mut dyn Observer) -> Result<Embedding, Error> {
    run(Held::Shared(p), options, None, &Alone, observer)
}

/// As [`embed`], with the same map, but in the memory of the similarities: for many points it needs a third less. The similarities
/// are the same afterwards.
pub fn embed_in_place(
    p: &mut Affinities,
    options: &EmbedOptions,
    observer: &mut dyn Observer,
) -> Result<Embedding, Error> {
    run(Held::Exclusive(p), options, None, &Alone, observer)
}

/// The similarities of a run: for reading only, or with their memory at its disposal.
enum Held<'a> {
    Shared(&'a Affinities),
    Exclusive(&'a mut Affinities),
}

impl std::ops::Deref for Held<'_> {
    type Target = Affinities;

    fn deref(&self) -> &Affinities {
        match self {
            Self::Shared(p) => p,
            Self::Exclusive(p) => p,
        }
    }
}

/// Continues the embedding of the same similarities with the same options from a state that an
/// [`Observer`](crate::observe::Observer::state) was given. The map is the one that the first run would have made.
pub fn resume(
    p: &Affinities,
    options: &EmbedOptions,
    state: OptimizerState,
    observer: &mut dyn Observer,
) -> Result<Embedding, Error> {
    state.check(p.len())?;
    run(Held::Shared(p), options, Some(state.0), &Alone, observer)
}

/// From the beginning, or from a state.
fn run(
    p: Held<'_>,
    options: &EmbedOptions,
    saved: Option<Saved>,
    communicator: &dyn Communicator,
    observer: &mut dyn Observer,
) -> Result<Embedding, Error> {
    let n = p.matrix().rows();
    // A graph is cooled as slowly as its own edges ask for, however many pairs were added to make it equal.
    let similarities = p.report().mixture.map_or(p.matrix().nnz(), |mixture| mixture.direct);
    let options = options.check(n, similarities, p.are_of_points())?;
    let stage = if saved.is_some() { Stage::Optimize } else { Stage::Initialize };
    observer.stage(stage);
    match options.space {
        Space::Plane => {
            let saved = flat_start::<2>(&p, &options, saved, observer)?;
            let repulsion = options.repulsion.in_plane(options.kernel).expect(PLANNED);
            Ok(euclidean(&p, saved, &options, observer, repulsion, |y| Positions::Plane(y)))
        }
        Space::Volume => {
            let saved = flat_start::<3>(&p, &options, saved, observer)?;
            let repulsion = options.repulsion.in_space(options.kernel).expect(PLANNED);
            Ok(euclidean(&p, saved, &options, observer, repulsion, |y| Positions::Volume(y)))
        }
        Space::Sphere if options.optimizer == Optimizer::Paper => {
            let saved = flat_start::<3>(&p, &options, saved, observer)?;
            let repulsion = options.repulsion.in_space(options.kernel).expect(PLANNED);
            Ok(euclidean(&p, saved, &options, observer, repulsion, |y| Positions::Volume(y)))
        }
        Space::Sphere => {
            let start = if let Some(saved) = saved {
                SphereStart::Stored(saved)
            } else {
                let u = start(&p, &options, observer)?;
                observer.stage(Stage::Optimize);
                SphereStart::New(u)
            };
            sphere(p, start, &options, communicator, observer)
        }
    }
}

/// The directions to start from.
fn start(p: &Affinities, options: &CheckedOptions, observer: &mut dyn Observer) -> Result<Vec<Vec3>, Error> {
    if options.fixed.len() > 1 && options.init == init::Init::Auto {
        return pins::start(p, options, None);
    }
    let u = init::directions(p.matrix(), &options.init, options.seed, observer)?;
    if options.fixed.len() > 1 { pins::start(p, options, Some(u)) } else { Ok(u) }
}

/// The start of a run with momentum: a stored one, or the initial positions.
fn flat_start<const D: usize>(
    p: &Affinities,
    options: &CheckedOptions,
    saved: Option<Saved>,
    observer: &mut dyn Observer,
) -> Result<momentum::Saved<D>, Error> {
    match saved {
        Some(Saved::Euclidean { dimensions, run }) if dimensions == D => return Ok(momentum::Saved::stored(&run)),
        Some(_) => return Err(Error::ForeignState),
        None => {}
    }
    let mut y = init::euclidean::<D>(p.matrix(), &options.init, START_SPREAD, options.seed, observer)?;
    if options.space == Space::Sphere {
        momentum::project_to_mean_radius(&mut y);
    }
    observer.stage(Stage::Optimize);
    Ok(momentum::Saved::start(y))
}

/// Where a run on the sphere begins.
enum SphereStart {
    New(Vec<Vec3>),
    Stored(Saved),
}

/// Adds the map of the first of two methods to the states of the second.
struct AfterFirst<'a> {
    part: Part<'a>,
    first: FirstMap,
}

impl Observer for AfterFirst<'_> {
    fn step(&mut self, step: &Step<'_>) -> ControlFlow<()> {
        self.part.step(step)
    }

    fn wants_positions(&mut self) -> bool {
        self.part.wants_positions()
    }

    fn wants_state(&mut self) -> bool {
        self.part.wants_state()
    }

    fn state(&mut self, mut state: OptimizerState) {
        state.set_first(&self.first);
        self.part.state(state);
    }
}

/// On the sphere: few points by exact sums and a quasi-Newton method, which converges to a minimum; many points by fast
/// sums in single precision and an accelerated gradient method.
fn sphere(
    p: Held<'_>,
    start: SphereStart,
    options: &CheckedOptions,
    communicator: &dyn Communicator,
    observer: &mut dyn Observer,
) -> Result<Embedding, Error> {
    let (mut state, outcome) = if p.matrix().rows() > FEW {
        let start = match start {
            SphereStart::New(u) => AcceleratedStart::new(&u, options),
            SphereStart::Stored(Saved::Accelerated { first: None, order, run }) => {
                AcceleratedStart { order: Order::stored(order), run }
            }
            SphereStart::Stored(_) => return Err(Error::ForeignState),
        };
        accelerated(p, start, options, communicator, observer)?
    } else if options.optimizer == Optimizer::Both {
        both(&p, start, options, observer)?
    } else {
        let start = match start {
            SphereStart::New(u) => quasi_newton_start(u, options),
            SphereStart::Stored(Saved::QuasiNewton(run)) => run,
            SphereStart::Stored(_) => return Err(Error::ForeignState),
        };
        quasi_newton(&p, start, options, observer)
    };
    pins::finish(&mut state.u, &options.fixed)?;
    let positions = Positions::Sphere { directions: &state.u, radius: state.r };
    Ok(Embedding {
        coordinates: positions.to_array(),
        space: Space::Sphere,
        radius: Some(state.r),
        at_largest_radius: state.r >= state.largest_r,
        kl: outcome.kl,
        iterations: outcome.iterations,
        converged: outcome.converged,
        stopped: outcome.stopped,
        misbehaved: outcome.misbehaved,
        repulsion: options.repulsion,
    })
}

/// Both methods on few points, from the same start; the better map is kept.
fn both(
    p: &Affinities,
    start: SphereStart,
    options: &CheckedOptions,
    observer: &mut dyn Observer,
) -> Result<(SphereState, Outcome), Error> {
    let u = match &start {
        SphereStart::New(u) => u.clone(),
        // The start depends on the similarities and options alone.
        SphereStart::Stored(_) => self::start(p, options, &mut Silent)?,
    };
    let (first, second) = match start {
        SphereStart::Stored(Saved::Accelerated { first: Some(map), order, run }) => {
            (None, Some((map, AcceleratedStart { order: Order::stored(order), run })))
        }
        SphereStart::Stored(Saved::QuasiNewton(run)) => (Some(run), None),
        SphereStart::Stored(_) => return Err(Error::ForeignState),
        SphereStart::New(u) => (Some(quasi_newton_start(u, options)), None),
    };
    let (map, second) = if let Some(run) = first {
        let (state, outcome) =
            quasi_newton(p, run, options, &mut Part { observer: &mut *observer, from: 0.0, to: 0.5 });
        if outcome.stopped || outcome.misbehaved.is_some() {
            return Ok((state, outcome));
        }
        let Outcome { kl, iterations, converged, .. } = outcome;
        (FirstMap { u: state.u, r: state.r, kl, iterations, converged }, AcceleratedStart::new(&u, options))
    } else {
        second.ok_or(Error::ForeignState)?
    };
    let mut observer = AfterFirst { part: Part { observer, from: 0.5, to: 1.0 }, first: map };
    let second = accelerated(Held::Shared(p), second, options, &Alone, &mut observer)?;
    let FirstMap { u, r, kl, iterations, converged } = observer.first;
    if second.1.kl < kl {
        return Ok(second);
    }
    let first = SphereState { u, r, largest_r: options.largest_radius };
    Ok((first, Outcome { kl, iterations, converged, stopped: false, misbehaved: None }))
}

fn budget(options: &CheckedOptions) -> Budget {
    Budget {
        exaggeration: options.exaggeration,
        // With both methods, the option is for the other one.
        iterations_per_stage: match options.optimizer {
            Optimizer::Both => options::ITERATIONS_PER_STAGE,
            _ => options.exaggeration_iterations,
        },
        max_iterations: options.max_iterations,
    }
}

fn quasi_newton_start(u: Vec<Vec3>, options: &CheckedOptions) -> quasi_newton::Saved {
    let pins = Pins::of(options, u.len());
    quasi_newton::Saved::start(u, options.start_radius, &pins, &budget(options))
}

fn quasi_newton(
    p: &Affinities,
    start: quasi_newton::Saved,
    options: &CheckedOptions,
    observer: &mut dyn Observer,
) -> (SphereState, Outcome) {
    let repulsion = options.repulsion.on_sphere(options.kernel).expect(PLANNED);
    let attraction = Attraction::new(p.matrix(), options.kernel, Precision::Double);
    let share = Share::alone(p.len());
    let mut objective = SphereObjective::new(attraction, repulsion, Pins::of(options, p.len()), share);
    quasi_newton::minimize(&mut objective, start, options.largest_radius, &budget(options), observer)
}

/// A run of the accelerated method, and the order of its points.
struct AcceleratedStart {
    order: Order,
    run: accelerated::Saved,
}

impl AcceleratedStart {
    fn new(u: &[Vec3], options: &CheckedOptions) -> Self {
        let order = Order::along_curve(u);
        let pins = Pins::of(options, u.len()).reordered(order.old_indices());
        let run = accelerated::Saved::start(order.apply(u), options.start_radius, &pins);
        Self { order, run }
    }
}

fn accelerated(
    mut p: Held<'_>,
    start: AcceleratedStart,
    options: &CheckedOptions,
    communicator: &dyn Communicator,
    observer: &mut dyn Observer,
) -> Result<(SphereState, Outcome), Error> {
    let AcceleratedStart { order, mut run } = start;
    let job = Job {
        kernel: options.kernel,
        repulsion: options.repulsion,
        schedule: accelerated::Schedule {
            exaggeration: options.exaggeration,
            exaggeration_iterations: options.exaggeration_iterations,
            max_iterations: options.max_iterations,
        },
        largest_r: options.largest_radius,
        pins: Pins::of(options, p.len()).reordered(order.old_indices()),
    };
    let in_place = match &mut p {
        Held::Shared(_) => None,
        Held::Exclusive(p) => match Attraction::in_place(p.take_matrix(), options.kernel, order.old_indices()) {
            Ok(attraction) => Some(attraction),
            Err(matrix) => {
                p.put_matrix(matrix);
                None
            }
        },
    };
    let attraction = in_place.unwrap_or_else(|| Attraction::reordered(p.matrix(), options.kernel, order.old_indices()));
    let share = Share::of_rows(communicator, p.len());
    let called = job.send(&share, &run, &attraction);
    run.keep_steps(share.own());
    let mut observer = InOldOrder { observer, order: &order, directions: Vec::new() };
    let (result, attraction) = match called {
        Ok(()) => {
            let (state, outcome, attraction) = job.minimize(share, run, attraction, &mut observer);
            (Ok((state, outcome)), attraction)
        }
        Err(error) => (Err(error), attraction),
    };
    let matrix = attraction.into_matrix();
    if let (Held::Exclusive(p), Some(matrix)) = (p, matrix) {
        p.put_matrix(matrix);
    }
    let (state, outcome) = result?;
    let mut directions = observer.directions;
    order.undo(&state.u, &mut directions);
    let misbehaved = outcome.misbehaved.map(|new| order.old_indices()[new] as usize);
    Ok((SphereState { u: directions, ..state }, Outcome { misbehaved, ..outcome }))
}

fn euclidean<const D: usize>(
    p: &Affinities,
    start: momentum::Saved<D>,
    options: &CheckedOptions,
    observer: &mut dyn Observer,
    mut repulsion: Box<dyn Repulsion<D>>,
    positions: impl Fn(&[[f64; D]]) -> Positions<'_>,
) -> Embedding {
    let many = p.len() > FEW && options.optimizer != Optimizer::Paper;
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
        _ => p.len() as f64,
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
    let (y, outcome) = momentum::minimize(&mut attraction, repulsion.as_mut(), start, &schedule, observer, &positions);
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
        misbehaved: outcome.misbehaved,
        repulsion: options.repulsion,
    }
}
