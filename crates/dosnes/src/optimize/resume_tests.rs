//! Runs that continue from a state, and runs whose numbers stop being finite.

use super::{
    EmbedOptions, Embedding, Optimizer, OptimizerState, Space, accelerated,
    attraction::{Attraction, Precision},
    embed, momentum,
    objective::SphereObjective,
    pins::Pins,
    quasi_newton, resume,
};
use crate::{
    error::Error,
    kernel::Kernel,
    normalization::Affinities,
    observe::{Observer, Positions, Silent, Step},
    ranks::Share,
    repulsion::{Exact, Repulsion, SphereRepulsion, Totals},
    sparse::CsrMatrix,
    sphere::{Vec3, random_direction},
};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// A ring with chords.
fn ring(n: u32) -> Affinities {
    let pairs = (0..n).flat_map(|i| [(i, (i + 1) % n, 1.0), (i, (i + 7) % n, 0.25 + f64::from(i % 3))]);
    let triplets: Vec<(u32, u32, f64)> = pairs.flat_map(|(i, j, w)| [(i, j, w), (j, i, w)]).collect();
    Affinities::from_matrix(&CsrMatrix::from_triplets((n as usize, n as usize), &triplets).unwrap()).unwrap()
}

/// Keeps the state of one iteration, counted over the whole run, and may stop there.
struct Keeper {
    wanted: usize,
    seen: usize,
    stops: bool,
    state: Option<OptimizerState>,
}

impl Observer for Keeper {
    fn step(&mut self, _step: &Step<'_>) -> ControlFlow<()> {
        self.seen += 1;
        if self.stops && self.seen == self.wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn wants_state(&mut self) -> bool {
        self.seen == self.wanted
    }

    fn state(&mut self, state: OptimizerState) {
        self.state = Some(state);
    }
}

fn state_at(p: &Affinities, options: &EmbedOptions, wanted: usize, stops: bool) -> (Embedding, OptimizerState) {
    let mut keeper = Keeper { wanted, seen: 0, stops, state: None };
    let embedding = embed(p, options, &mut keeper).unwrap();
    (embedding, keeper.state.unwrap())
}

fn kinds() -> Vec<(Affinities, EmbedOptions)> {
    let options = |space, optimizer, iterations| EmbedOptions {
        space,
        optimizer,
        max_iterations: Some(iterations),
        ..EmbedOptions::default()
    };
    vec![
        (ring(60), options(Space::Sphere, Optimizer::Auto, 400)),
        (ring(60), options(Space::Sphere, Optimizer::Both, 300)),
        (ring(60), options(Space::Sphere, Optimizer::Paper, 120)),
        (ring(60), options(Space::Plane, Optimizer::Auto, 120)),
        (ring(1100), options(Space::Sphere, Optimizer::Auto, 60)),
        (ring(1100), options(Space::Volume, Optimizer::Auto, 60)),
    ]
}

#[test]
fn a_run_that_continues_from_any_state_ends_with_the_same_map() {
    for (p, options) in kinds() {
        let mut counter = Keeper { wanted: 0, seen: 0, stops: false, state: None };
        let whole = embed(&p, &options, &mut counter).unwrap();
        for wanted in [1, 2, counter.seen / 3, counter.seen / 2, counter.seen - 1, counter.seen] {
            for stops in [false, true] {
                let (_, state) = state_at(&p, &options, wanted, stops);
                assert_eq!(state.len(), p.len());
                let continued = resume(&p, &options, state, &mut Silent).unwrap();
                assert_eq!(continued, whole, "{options:?} from iteration {wanted}");
            }
        }
    }
}

#[test]
fn a_state_of_another_run_is_refused() {
    let all = kinds();
    let (p, options) = &all[0];
    let (_, state) = state_at(p, options, 3, true);
    let other = resume(&ring(50), options, state.clone(), &mut Silent).unwrap_err();
    assert_eq!(other, Error::Length { what: "the state of the optimizer", found: 60, expected: 50 });
    let plane = EmbedOptions { space: Space::Plane, ..options.clone() };
    assert_eq!(resume(p, &plane, state, &mut Silent).unwrap_err(), Error::ForeignState);
    let (_, mut state) = state_at(&all[4].0, &all[4].1, 3, true);
    if let super::Saved::Accelerated { order, .. } = &mut state.0 {
        order[0] = order[1];
    }
    assert_eq!(resume(&all[4].0, &all[4].1, state, &mut Silent).unwrap_err(), Error::ForeignState);
}

/// Exact repulsion that is not a number in some of its evaluations.
struct Faulty {
    evaluations: usize,
    is_wrong: fn(usize) -> bool,
}

impl Faulty {
    fn spoil<const D: usize>(&mut self, forces: &mut [[f64; D]]) {
        self.evaluations += 1;
        if (self.is_wrong)(self.evaluations) {
            forces[7] = [f64::NAN; D];
        }
    }
}

impl SphereRepulsion for Faulty {
    fn evaluate(&mut self, u: &[Vec3], r: f64, forces: &mut [Vec3]) -> Totals {
        let totals = SphereRepulsion::evaluate(&mut Exact::new(Kernel::Cauchy), u, r, forces);
        self.spoil(forces);
        totals
    }
}

impl Repulsion<2> for Faulty {
    fn evaluate(&mut self, y: &[[f64; 2]], forces: &mut [[f64; 2]]) -> Totals {
        let totals = Repulsion::evaluate(&mut Exact::new(Kernel::Cauchy), y, forces);
        self.spoil(forces);
        totals
    }
}

fn directions() -> Vec<Vec3> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    (0..60).map(|_| random_direction(&mut rng)).collect()
}

/// Whether the map is finite, the number of iterations, and the item that was named.
fn run_faulty(method: &str, is_wrong: fn(usize) -> bool) -> (bool, usize, Option<usize>) {
    let p = ring(60);
    let faulty = Faulty { evaluations: 0, is_wrong };
    let mut attraction = Attraction::new(p.matrix(), Kernel::Cauchy, Precision::Double);
    if method == "momentum" {
        let schedule = momentum::Schedule {
            exaggeration: 4.0,
            exaggeration_iterations: 10,
            max_iterations: 50,
            learning_rates: [15.0, 60.0],
            momenta: [0.5, 0.8],
            momentum_switch: 20,
            longest_step: Some(5.0),
            project_to_sphere: false,
        };
        let start = momentum::Saved::start(directions().iter().map(|u| [u[0], u[1]]).collect());
        let mut faulty = faulty;
        let (y, outcome) =
            momentum::minimize(&mut attraction, &mut faulty, start, &schedule, &mut Silent, |y| Positions::Plane(y));
        let finite = y.as_flattened().iter().chain([&outcome.kl]).all(|v| v.is_finite());
        return (finite, outcome.iterations, outcome.misbehaved);
    }
    let mut objective = SphereObjective::new(attraction, Box::new(faulty), Pins::default(), Share::alone(60));
    let (state, outcome) = if method == "accelerated" {
        let schedule = accelerated::Schedule { exaggeration: 4.0, exaggeration_iterations: 10, max_iterations: 50 };
        let start = accelerated::Saved::start(directions(), 1.0, &Pins::default());
        accelerated::minimize(&mut objective, start, 100.0, &schedule, &mut Silent)
    } else {
        let budget = quasi_newton::Budget { exaggeration: 4.0, iterations_per_stage: 10, max_iterations: 50 };
        let start = quasi_newton::Saved::start(directions(), 1.0, &Pins::default(), &budget);
        quasi_newton::minimize(&mut objective, start, 100.0, &budget, &mut Silent)
    };
    let finite = state.u.as_flattened().iter().chain([&outcome.kl, &state.r]).all(|v| v.is_finite());
    (finite, outcome.iterations, outcome.misbehaved)
}

#[test]
fn a_step_to_numbers_that_are_not_finite_is_undone_and_tried_again() {
    for method in ["accelerated", "quasi-newton", "momentum"] {
        let (finite, iterations, misbehaved) = run_faulty(method, |evaluation| evaluation % 9 == 5);
        assert!(finite, "{method}");
        assert_eq!(misbehaved, None, "{method}");
        assert!(iterations >= 20, "{method}: {iterations}");
    }
}

#[test]
fn if_numbers_stay_wrong_the_last_good_map_is_kept_and_the_item_is_named() {
    for method in ["accelerated", "momentum"] {
        // The last good map is evaluated once more for each attempt.
        let (finite, iterations, misbehaved) = run_faulty(method, |evaluation| evaluation > 20 && evaluation % 2 == 1);
        assert!(finite, "{method}");
        assert_eq!((iterations, misbehaved), (19, Some(7)), "{method}");
    }
    // A line search that never finds a good step ends the run.
    let (finite, iterations, _) = run_faulty("quasi-newton", |evaluation| evaluation > 20);
    assert!(finite && iterations < 20);
    for method in ["accelerated", "quasi-newton", "momentum"] {
        assert_eq!(run_faulty(method, |_| true).2, Some(7), "{method}");
    }
}
