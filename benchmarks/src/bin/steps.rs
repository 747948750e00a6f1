//! Prints the cost of an iteration for several sizes and radii, how it was computed, and its error on a sample of the
//! points.
//!
//! `cargo run --release -p dosnes-benchmarks --bin steps [layout] [n …]`
#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use dosnes::internals::harmonics::layouts::{self, Layout};
use dosnes::internals::harmonics::{DEFAULT_TOLERANCE, Kernel, ZonalSums};
use dosnes_benchmarks::clock::cpu_milliseconds;

/// The exact tangential force on one point.
fn exact_force(u: &[[f64; 3]], i: usize, r: f64) -> [f64; 3] {
    let mut force = [0.0; 3];
    for v in u {
        let difference: [f64; 3] = std::array::from_fn(|axis| r * (u[i][axis] - v[axis]));
        let q = 1.0 / (1.0 + difference.iter().map(|d| d * d).sum::<f64>());
        for axis in 0..3 {
            force[axis] += q * q * difference[axis];
        }
    }
    let radial: f64 = (0..3).map(|axis| force[axis] * u[i][axis]).sum();
    std::array::from_fn(|axis| force[axis] - radial * u[i][axis])
}

fn main() -> Result<(), dosnes::internals::harmonics::Error> {
    let mut arguments = std::env::args().skip(1);
    let layout = match arguments.next().as_deref() {
        Some("uniform") => Layout::Uniform,
        Some("stars") => Layout::Stars,
        _ => Layout::Clusters,
    };
    let mut sizes: Vec<usize> = arguments.filter_map(|n| n.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![5_000, 20_000, 70_000, 200_000, 1_000_000];
    }
    println!("{layout:?}, tolerance {DEFAULT_TOLERANCE}, {} threads", rayon::current_num_threads());
    println!("       n      r   CPU ms  wall ms  degree  pairs/point     error");
    for n in sizes {
        let u = layout.points(n, 1);
        let mut forces = vec![[0.0; 3]; n];
        for r in [20.0, 75.0, 300.0, 1000.0] {
            let mut sums = ZonalSums::new(Kernel::Cauchy, DEFAULT_TOLERANCE)?;
            sums.evaluate(&u, r, &mut forces)?;
            let (mut cpu, mut wall) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..5 {
                let start = Instant::now();
                cpu = cpu_milliseconds(|| {
                    let _ = sums.evaluate(&u, r, &mut forces);
                })
                .min(cpu);
                wall = (start.elapsed().as_secs_f64() * 1e3).min(wall);
            }
            let sample: Vec<usize> = (0..n).step_by(n.div_ceil(500)).collect();
            let expected: Vec<_> = sample.iter().map(|&i| exact_force(&u, i, r)).collect();
            let found: Vec<_> = sample.iter().map(|&i| forces[i]).collect();
            let report = sums.report();
            println!(
                "{n:8} {r:6} {cpu:8.1} {wall:8.1} {:7} {:12.0} {:9.1e}",
                report.degree,
                report.pairs as f64 / n as f64,
                layouts::relative_error(&found, &expected)
            );
        }
    }
    Ok(())
}
