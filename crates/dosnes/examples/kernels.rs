//! One hot kernel, some times: `kernels NAME POINTS TIMES`. `cargo xtask instructions` counts what each of them executes.

#![allow(clippy::print_stderr, reason = "an example says how it is called")]

use dosnes::{
    CsrMatrix, Kernel,
    internals::attraction::{Attraction, Precision},
    internals::harmonics::{self, ZonalSums},
};
use std::process::ExitCode;

/// Similarities a point has with those that follow it.
const NEIGHBORS: usize = 30;

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
    let p = CsrMatrix::from_triplets((n, n), &(0..n).flat_map(pairs).collect::<Vec<_>>()).unwrap();
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
        _ => {
            eprintln!("there is no kernel {name}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
