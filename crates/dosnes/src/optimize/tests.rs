//! The objective against finite differences and other implementations, and the optimizers on small data.

use super::{
    EmbedOptions, Optimizer, Radius, Space,
    attraction::{Attraction, Precision},
    embed,
    objective::{Evaluation, SphereObjective},
    pins::Pins,
};
use crate::{
    Similarity,
    init::Init,
    kernel::Kernel,
    normalization::{Affinities, Normalization, NormalizeOptions, normalize},
    observe::{Observer, Silent, Step},
    ranks::Share,
    repulsion::{Exact, Repulsion},
    sparse::CsrMatrix,
    sphere::{Vec3, add_scaled, centre, dot, norm, random_direction, unit},
};
use ndarray::Array2;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use std::ops::ControlFlow;

fn reference() -> Value {
    serde_json::from_str(include_str!("../../tests/reference/method.json")).unwrap()
}

fn matrix(n: usize, triplets: &Value) -> CsrMatrix<'static> {
    let triplets: Vec<(u32, u32, f64)> = triplets
        .as_array()
        .unwrap()
        .iter()
        .map(|t| (t[0].as_u64().unwrap() as u32, t[1].as_u64().unwrap() as u32, t[2].as_f64().unwrap()))
        .collect();
    CsrMatrix::from_triplets((n, n), &triplets).unwrap()
}

fn points<const D: usize>(rows: &Value) -> Vec<[f64; D]> {
    let number = |row: &Value, k: usize| row[k].as_f64().unwrap();
    rows.as_array().unwrap().iter().map(|row| std::array::from_fn(|k| number(row, k))).collect()
}

/// KL and its gradient 4 (Σ p w (y_i − y_j) − Σ q w (y_i − y_j)/Z) by the code under test.
fn kl_and_gradient<const D: usize>(p: &CsrMatrix, kernel: Kernel, y: &[[f64; D]]) -> (f64, Vec<[f64; D]>) {
    let n = y.len();
    let mut attraction = Attraction::new(p, kernel, Precision::Double);
    let (mut pull, mut push, mut weights) = (vec![[0.0; D]; n], vec![[0.0; D]; n], vec![0.0; n]);
    let energy = attraction.evaluate(y, 1.0, &mut pull, &mut weights).energy;
    let z = Exact::<D>::new(kernel).evaluate(y, &mut push).z;
    let gradient = pull.iter().zip(&push).map(|(a, f)| std::array::from_fn(|k| 4.0 * (a[k] - f[k] / z))).collect();
    (attraction.kl(energy, z), gradient)
}

fn check_objective<const D: usize>(p: &CsrMatrix, case: &Value) {
    let kernel = if case["kernel"] == "cauchy" { Kernel::Cauchy } else { Kernel::Gaussian };
    let y = points::<D>(&case["y"]);
    let (kl, gradient) = kl_and_gradient(p, kernel, &y);
    // scikit-learn keeps P above machine epsilon, which changes KL by less than n² · 1e-16 · log.
    assert!((kl - case["kl"].as_f64().unwrap()).abs() < 1e-12, "{kl} {}", case["kl"]);
    for (ours, theirs) in gradient.iter().zip(points::<D>(&case["gradient"])) {
        for k in 0..D {
            assert!((ours[k] - theirs[k]).abs() < 1e-13, "{ours:?} {theirs:?}");
        }
    }
}

#[test]
fn kl_and_gradient_agree_with_scikit_learn_and_numpy() {
    let reference = reference();
    let objective = &reference["objective"];
    let p = matrix(15, &objective["p"]);
    for case in objective["cases"].as_array().unwrap() {
        if case["y"][0].as_array().unwrap().len() == 2 {
            check_objective::<2>(&p, case);
        } else {
            check_objective::<3>(&p, case);
        }
    }
}

/// Keeps the coordinates after each iteration.
struct Recorder(Vec<Array2<f64>>);

impl Observer for Recorder {
    fn step(&mut self, step: &Step<'_>) -> ControlFlow<()> {
        self.0.push(step.positions.to_array());
        ControlFlow::Continue(())
    }
}

fn normalized(s: CsrMatrix, method: Normalization) -> Affinities {
    let options = NormalizeOptions { method, ..NormalizeOptions::default() };
    normalize(&Similarity::Symmetric(s), &options, &mut Silent).unwrap()
}

#[test]
fn the_papers_algorithm_follows_its_transcription_for_fifty_steps() {
    let reference = reference();
    let paper = &reference["paper"];
    let n = paper["n"].as_u64().unwrap() as usize;
    let p = normalized(matrix(n, &paper["p"]), Normalization::None);
    let start = points::<3>(&paper["start"]);
    let options = EmbedOptions {
        optimizer: Optimizer::Paper,
        init: Init::Given(Array2::from_shape_fn((n, 3), |(i, k)| start[i][k])),
        max_iterations: Some(50),
        ..EmbedOptions::default()
    };
    let mut recorder = Recorder(Vec::new());
    embed(&p, &options, &mut recorder).unwrap();
    assert_eq!(recorder.0.len(), 50);
    for (ours, theirs) in recorder.0.iter().zip(paper["steps"].as_array().unwrap()) {
        let theirs = points::<3>(theirs);
        let radius = norm(&theirs[0]);
        for (i, theirs) in theirs.iter().enumerate() {
            for k in 0..3 {
                assert!((ours[[i, k]] - theirs[k]).abs() < 1e-6 * radius.max(1.0));
            }
        }
    }
}

/// A ring with random chords: connected, sparse, with weights over two orders of magnitude.
fn random_graph(n: usize, seed: u64) -> CsrMatrix<'static> {
    use rand::RngExt;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut triplets = Vec::new();
    for i in 0..n {
        for j in [(i + 1) % n, rng.random_range(0..n), rng.random_range(0..n)] {
            if i != j {
                let weight = 10_f64.powf(rng.random_range(-1.0..1.0));
                triplets.extend([(i as u32, j as u32, weight), (j as u32, i as u32, weight)]);
            }
        }
    }
    CsrMatrix::from_triplets((n, n), &triplets).unwrap()
}

fn random_points<const D: usize>(n: usize, seed: u64, scale: f64) -> Vec<[f64; D]> {
    use rand::RngExt;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..n).map(|_| std::array::from_fn(|_| rng.random_range(-scale..scale))).collect()
}

fn check_finite_differences<const D: usize>(kernel: Kernel, n: usize, seed: u64, scale: f64) {
    let p = random_graph(n, seed);
    let y = random_points::<D>(n, seed ^ 7, scale);
    let (_, gradient) = kl_and_gradient(&p, kernel, &y);
    let h = 1e-5;
    for i in 0..n {
        for k in 0..D {
            let value = |step: f64| {
                let mut moved = y.clone();
                moved[i][k] += step;
                kl_and_gradient(&p, kernel, &moved).0
            };
            let central = |h: f64| (value(h) - value(-h)) / (2.0 * h);
            // Central differences err by h² times the third derivative, which is large where points are close. Two of them
            // cancel it; h⁴ times the fifth derivative and the rounding error of KL divided by h are left.
            let slope = (4.0 * central(h) - central(2.0 * h)) / 3.0;
            assert!((slope - gradient[i][k]).abs() < 1e-8, "{slope} {}", gradient[i][k]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn gradients_agree_with_finite_differences_in_the_plane_and_in_space(n in 4_usize..12, seed: u64, scale in 0.1_f64..2.0) {
        for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
            check_finite_differences::<2>(kernel, n, seed, scale);
            check_finite_differences::<3>(kernel, n, seed, scale);
        }
    }

    #[test]
    fn gradients_agree_with_finite_differences_on_the_sphere(n in 4_usize..12, seed: u64, r in 0.3_f64..2.0, e in 1.0_f64..5.0) {
        let p = random_graph(n, seed);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut u: Vec<Vec3> = (0..n).map(|_| random_direction(&mut rng)).collect();
        centre(&Share::alone(n), &mut u);
        for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
            let attraction = Attraction::new(&p, kernel, Precision::Double);
            let mut objective = SphereObjective::new(attraction, Box::new(Exact::<3>::new(kernel)), Pins::default(), Share::alone(n));
            objective.exaggeration = e;
            let mut at = |u: &[Vec3], r: f64| {
                let mut evaluation = Evaluation::default();
                objective.evaluate(u, r, &mut evaluation);
                evaluation
            };
            let here = at(&u, r);
            let h = 1e-5;
            // Along the gradient itself, which keeps the points centred: the slope is its squared length.
            let along = |sign: f64| -> Vec<Vec3> {
                u.iter().zip(&here.gradient).map(|(u, g)| unit(&add_scaled(u, sign * h, g))).collect()
            };
            let slope = (at(&along(1.0), r).value - at(&along(-1.0), r).value) / (2.0 * h);
            let squared: f64 = here.gradient.iter().map(|g| dot(g, g)).sum();
            prop_assert!((slope - squared).abs() < 1e-6 * (1.0 + squared), "{} {}", slope, squared);
            let at_radius = |s: f64| r * (s * h).exp();
            let (up, down) = (at(&u, at_radius(1.0)), at(&u, at_radius(-1.0)));
            let radius_slope = (up.value - down.value) / (2.0 * h);
            prop_assert!((radius_slope - here.radius_slope).abs() < 1e-7 * (1.0 + e));
            let radius_curvature = (up.radius_slope - down.radius_slope) / (2.0 * h);
            prop_assert!((radius_curvature - here.radius_curvature).abs() < 1e-6 * (1.0 + e));
        }
    }
}

#[test]
fn the_map_lies_on_a_centred_sphere_and_kl_is_that_of_the_returned_coordinates() {
    for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
        let p = normalized(random_graph(60, 5), Normalization::Sinkhorn);
        let map = embed(&p, &EmbedOptions { kernel, ..EmbedOptions::default() }, &mut Silent).unwrap();
        let y: Vec<Vec3> = map.coordinates.rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect();
        let r = map.radius.unwrap();
        assert!(y.iter().all(|y| (norm(y) / r - 1.0).abs() < 1e-12));
        let sum = y.iter().fold([0.0; 3], |sum, y| add_scaled(&sum, 1.0, y));
        assert!(norm(&sum) < 1e-10 * r * 60.0);
        let (kl, _) = kl_and_gradient(p.matrix(), kernel, &y);
        assert!((kl - map.kl).abs() < 1e-12);
    }
}

#[test]
fn the_spheres_own_optimizer_ends_lower_than_the_papers() {
    let p = normalized(random_graph(80, 11), Normalization::Sinkhorn);
    let own = embed(&p, &EmbedOptions { radius: Radius::Free, ..EmbedOptions::default() }, &mut Silent).unwrap();
    for seed in 0..5 {
        let options = EmbedOptions { optimizer: Optimizer::Paper, seed, ..EmbedOptions::default() };
        let paper = embed(&p, &options, &mut Silent).unwrap();
        assert!(own.kl < paper.kl, "{} {}", own.kl, paper.kl);
    }
}

#[test]
fn two_items_stand_opposite_each_other_and_three_on_a_great_circle() {
    for n in [2_u32, 3] {
        let triplets: Vec<_> = (0..n).flat_map(|i| (0..n).filter(move |&j| j != i).map(move |j| (i, j, 1.0))).collect();
        let p =
            normalized(CsrMatrix::from_triplets((n as usize, n as usize), &triplets).unwrap(), Normalization::Sinkhorn);
        let map = embed(&p, &EmbedOptions::default(), &mut Silent).unwrap();
        assert!(map.coordinates.iter().all(|v| v.is_finite()));
        let r = map.radius.unwrap();
        let cosine = map.coordinates.row(0).dot(&map.coordinates.row(1)) / (r * r);
        let expected = if n == 2 { -1.0 } else { -0.5 };
        assert!((cosine - expected).abs() < 1e-6, "{cosine}");
    }
}

/// Stops after ten iterations.
struct Impatient(usize);

impl Observer for Impatient {
    fn step(&mut self, _: &Step<'_>) -> ControlFlow<()> {
        self.0 += 1;
        if self.0 == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn an_observer_can_stop_every_optimizer_and_gets_the_current_map() {
    let p = normalized(random_graph(30, 2), Normalization::Sinkhorn);
    for (space, optimizer) in [
        (Space::Sphere, Optimizer::Auto),
        (Space::Sphere, Optimizer::Paper),
        (Space::Plane, Optimizer::Auto),
        (Space::Volume, Optimizer::Auto),
    ] {
        let map = embed(&p, &EmbedOptions { space, optimizer, ..EmbedOptions::default() }, &mut Impatient(0)).unwrap();
        assert!(map.stopped);
        assert_eq!(map.iterations, 10);
        assert!(map.coordinates.iter().all(|v| v.is_finite()));
    }
}

/// Keeps the radius of the first step.
struct FirstRadius(Option<f64>);

impl Observer for FirstRadius {
    fn step(&mut self, step: &Step<'_>) -> ControlFlow<()> {
        self.0 = self.0.or(step.radius);
        ControlFlow::Break(())
    }
}

#[test]
fn a_given_map_goes_on_with_its_own_radius_and_other_positions_with_one() {
    for n in [40, 1200] {
        let p = normalized(random_graph(n, 2), Normalization::Sinkhorn);
        let first = |factor: &dyn Fn(usize) -> f64| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
            let u: Vec<Vec3> = (0..n).map(|_| random_direction(&mut rng)).collect();
            let start = Array2::from_shape_fn((n, 3), |(i, k)| factor(i) * u[i][k]);
            let options = EmbedOptions { init: Init::Given(start), radius: Radius::Free, ..EmbedOptions::default() };
            let mut seen = FirstRadius(None);
            embed(&p, &options, &mut seen).unwrap();
            seen.0.unwrap()
        };
        // A step changes the logarithm of the radius by 0.3 at most.
        assert!((first(&|_| 50.0) / 50.0).ln().abs() < 0.31);
        assert!(first(&|i| 50.0 + i as f64).ln().abs() < 0.31);
    }
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let p = normalized(random_graph(3000, 9), Normalization::Sinkhorn);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let sphere = EmbedOptions { max_iterations: Some(15), ..EmbedOptions::default() };
            let plane = EmbedOptions { space: Space::Plane, ..sphere.clone() };
            (embed(&p, &sphere, &mut Silent).unwrap(), embed(&p, &plane, &mut Silent).unwrap())
        })
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(7));
}
