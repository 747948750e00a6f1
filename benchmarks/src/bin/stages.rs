//! Prints the CPU time of every stage of an iteration, in milliseconds.
//!
//! `cargo run --release -p dosnes-benchmarks --bin stages`
#![allow(clippy::print_stdout, missing_docs)]

use dosnes::internals::harmonics::{DoubleStages, SingleStages, layouts};
use dosnes_benchmarks::clock::cpu_milliseconds;
use std::time::Instant;

const RUNS: usize = 7;

/// The minimum over several runs. Each run has enough rounds to take a while, because the system counts in
/// milliseconds.
fn best(mut task: impl FnMut()) -> f64 {
    let started = Instant::now();
    task();
    let rounds = (0.04 / started.elapsed().as_secs_f64()).ceil().clamp(1.0, 1000.0) as usize;
    (0..RUNS)
        .map(|_| cpu_milliseconds(|| (0..rounds).for_each(|_| task())) / rounds as f64)
        .fold(f64::INFINITY, f64::min)
}

macro_rules! show {
    ($stages:ty, $n:expr, $rings:expr, $tolerance:expr) => {{
        let (n, rings, tolerance) = ($n, $rings, $tolerance);
        let u = layouts::Layout::Clusters.points(n, 1);
        let mut stages = None;
        let planning = cpu_milliseconds(|| stages = Some(<$stages>::new(u, rings, tolerance)));
        let Some(mut stages) = stages else { unreachable!() };
        let sort = best(|| stages.sort());
        let spread = best(|| stages.spread());
        let forward = best(|| stages.rings_forward());
        let legendre = best(|| stages.legendre());
        let backward = best(|| stages.rings_backward());
        let interpolate = best(|| stages.interpolate());
        let mut pairs = 0;
        let near = best(|| pairs = stages.near(1000.0, 1.0 - tolerance.ln(), tolerance));
        println!(
            "{:12} n {n} rings {rings:5} degree {:5}: plan {planning:6.1} sort {sort:5.2} spread {spread:5.2} forward \
             {forward:5.2} legendre {legendre:6.2} ({:4.1} GFLOP/s) backward {backward:5.2} interpolate {interpolate:5.2} near \
             {near:6.2} ({:5.1} pairs a point, {:.3} ns a pair)",
            stringify!($stages),
            stages.degree(),
            2.0 * stages.multiply_adds() / legendre / 1e6,
            pairs as f64 / n as f64,
            near * 1e6 / pairs as f64,
        );
    }};
}

fn main() {
    for rings in [100, 320, 640, 1250] {
        show!(SingleStages, 70_000, rings, 1e-3f64);
    }
    show!(DoubleStages, 70_000, 640, 1e-3f64);
    show!(DoubleStages, 70_000, 320, 1e-6f64);
    for n in [2_000, 10_000] {
        let u = layouts::Layout::Clusters.points(n, 1);
        let mut single = SingleStages::new(u.clone(), 100, 1e-3);
        let mut double = DoubleStages::new(u, 100, 1e-3);
        let pairs = (n * n) as f64;
        println!(
            "all pairs of {n}: f32 {:.3} ns, f64 {:.3} ns a pair",
            best(|| {
                single.all_pairs(100.0);
            }) * 1e6
                / pairs,
            best(|| {
                double.all_pairs(100.0);
            }) * 1e6
                / pairs
        );
    }
}
