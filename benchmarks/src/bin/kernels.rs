//! Runs one hot kernel several times: `kernels NAME POINTS TIMES`. `cargo xtask instructions` counts its instructions.

#![allow(clippy::print_stderr, reason = "a program prints its usage")]

use dosnes::{
    CsrMatrix, Kernel, RepulsionMethod,
    input::Points,
    internals::attraction::{Attraction, Precision},
    internals::harmonics::{self, ZonalSums},
    internals::repulsion as sums,
    neighbors::{Metric, NeighborMethod, NeighborOptions, find_neighbors},
    observe::Silent,
};
use ndarray::Array2;
use std::process::ExitCode;

/// Number of similarities of a point with the points that follow it.
const NEIGHBORS: usize = 30;
/// Dimensions of the points of the neighbour search.
const DIMENSIONS: usize = 50;

/// Points along a spiral from pole to pole.
fn spiral(n: usize) -> Vec<[f64; 3]> {
    let place = |i: usize| {
        let z: f64 = 1.0 - (2.0 * i as f64 + 1.0) / n as f64;
        let (ring, angle) = ((1.0 - z * z).sqrt(), 3.6 * (n as f64).sqrt() * z.asin());
        [ring * angle.cos(), ring * angle.sin(), z]
    };
    (0..n).map(place).collect()
}

fn attraction(n: usize, times: usize, precision: Precision) {
    let pairs = |i: usize| (1..=NEIGHBORS).map(move |k| (i as u32, ((i + k * k) % n) as u32, 1.0));
    let p = CsrMatrix::from_triplets((n, n), &(0..n).flat_map(pairs).collect::<Vec<_>>())
        .expect("entries inside the matrix");
    let mut attraction = Attraction::new(&p, Kernel::Cauchy, precision);
    let points = spiral(n);
    let (mut forces, mut weights) = (vec![[0.0; 3]; n], vec![0.0; n]);
    for _ in 0..times {
        std::hint::black_box(attraction.evaluate(&points, 50.0, &mut forces, &mut weights));
    }
}

fn repulsion(n: usize, times: usize, r: f64) {
    let points = spiral(n);
    let mut forces = vec![[0.0; 3]; n];
    let mut sums = ZonalSums::new(harmonics::Kernel::Cauchy, harmonics::DEFAULT_TOLERANCE).expect("a valid tolerance");
    for _ in 0..times {
        std::hint::black_box(sums.evaluate(&points, r, &mut forces).expect("unit vectors"));
    }
}

/// Repulsion in space by a method other than the harmonics.
fn in_space(n: usize, times: usize, method: RepulsionMethod, kernel: Kernel) {
    let points: Vec<[f64; 3]> = spiral(n).into_iter().map(|point| point.map(|v| 20.0 * v)).collect();
    let mut forces = vec![[0.0; 3]; n];
    let mut repulsion = sums::in_space(method, kernel).expect("a method for space");
    for _ in 0..times {
        std::hint::black_box(repulsion.evaluate(&points, &mut forces));
    }
}

/// The exact search.
fn neighbors(n: usize, times: usize, metric: Metric) {
    let value = |(i, k): (usize, usize)| ((i * (k + 3) % 97) as f32 * 0.01 + (i % 31) as f32 * 0.3).sin();
    let points = Points::from(Array2::from_shape_fn((n, DIMENSIONS), value));
    let options = NeighborOptions { metric, method: NeighborMethod::Exact, ..NeighborOptions::new(NEIGHBORS) };
    for _ in 0..times {
        std::hint::black_box(find_neighbors(&points, &options, &mut Silent).expect("points without a fault"));
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, n, times] = arguments.as_slice() else {
        eprintln!("usage: kernels NAME POINTS TIMES");
        return ExitCode::FAILURE;
    };
    let (Ok(n), Ok(times)) = (n.parse(), times.parse()) else {
        eprintln!("POINTS and TIMES are whole numbers");
        return ExitCode::FAILURE;
    };
    match name.as_str() {
        "attraction-single" => attraction(n, times, Precision::Single),
        "attraction-double" => attraction(n, times, Precision::Double),
        "repulsion-r20" => repulsion(n, times, 20.0),
        "repulsion-r75" => repulsion(n, times, 75.0),
        "repulsion-r300" => repulsion(n, times, 300.0),
        "repulsion-r1000" => repulsion(n, times, 1000.0),
        "exact" => in_space(n, times, RepulsionMethod::Exact, Kernel::Cauchy),
        "tree" => in_space(n, times, RepulsionMethod::Tree, Kernel::Cauchy),
        "tree-gaussian" => in_space(n, times, RepulsionMethod::Tree, Kernel::Gaussian),
        "neighbors-euclidean" => neighbors(n, times, Metric::Euclidean),
        "neighbors-manhattan" => neighbors(n, times, Metric::Manhattan),
        _ => {
            eprintln!("there is no kernel {name}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
