//! Prints what every stage of a step takes, in milliseconds of CPU time.
#![allow(clippy::print_stdout, missing_docs)]

#[path = "../tests/layouts/mod.rs"]
mod layouts;

use std::time::Instant;

use dosnes_sht::stages::{StageReal, Stages};
use layouts::clock::least_milliseconds;

fn best(stage: impl FnMut()) -> f64 {
    least_milliseconds(7, stage)
}

fn show<T: StageReal>(n: usize, rings: usize, tolerance: f64) {
    let u = layouts::Layout::Clusters.points(n, 1);
    let start = Instant::now();
    let mut stages = Stages::<T>::new(u, rings, tolerance);
    let planning = start.elapsed().as_secs_f64() * 1e3;
    let window = 1.0 - tolerance.ln();
    let sort = best(|| stages.sort());
    let spread = best(|| stages.spread());
    let forward = best(|| stages.rings_forward());
    let legendre = best(|| stages.legendre());
    let backward = best(|| stages.rings_backward());
    let interpolate = best(|| stages.interpolate());
    let mut pairs = 0;
    let near = best(|| pairs = stages.near(1000.0, window, tolerance));
    println!(
        "{:3} n {n:7} rings {rings:5} degree {:5}: plan {planning:7.1} sort {sort:6.2} spread {spread:6.2} forward {forward:6.2} \
         legendre {legendre:7.2} ({:5.1} GFLOP/s) backward {backward:6.2} interpolate {interpolate:6.2} near {near:7.2} \
         ({:6.1} pairs a point, {:.3} ns a pair)",
        std::any::type_name::<T>(),
        stages.degree(),
        2.0 * stages.multiply_adds() / legendre / 1e6,
        pairs as f64 / n as f64,
        near * 1e6 / pairs as f64,
    );
}

fn main() {
    for rings in [100, 320, 640, 1250] {
        show::<f32>(70_000, rings, 1e-3);
    }
    show::<f64>(70_000, 640, 1e-3);
    show::<f64>(70_000, 320, 1e-6);
    for n in [2_000, 10_000] {
        let u = layouts::Layout::Clusters.points(n, 1);
        let mut single = Stages::<f32>::new(u.clone(), 100, 1e-3);
        let mut double = Stages::<f64>::new(u, 100, 1e-3);
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
