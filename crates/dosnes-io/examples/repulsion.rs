//! One step of repulsion on a real map, by every method: `RAYON_NUM_THREADS=1 cargo run --release -p dosnes-io --example
//! repulsion -- MAP.npy`. The map is scaled to four radii; errors are relative L2 of the tangential forces, against exact
//! sums.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints what it measures")]

use dosnes::repulsion::{Kernel, Method};
use std::process::ExitCode;
use std::time::Instant;

const RADII: [f64; 4] = [20.0, 75.0, 300.0, 1000.0];
/// Of so many runs the fastest counts: others may be at work on this machine.
const RUNS: usize = 5;

/// The forces' tangential parts, and the milliseconds of the fastest of some runs.
fn forces(method: Method, u: &[[f64; 3]], r: f64, runs: usize) -> Option<(Vec<[f64; 3]>, f64)> {
    let mut repulsion = method.on_sphere(Kernel::Cauchy)?;
    let mut forces = vec![[0.0; 3]; u.len()];
    let mut fastest = f64::INFINITY;
    for _ in 0..runs {
        let started = Instant::now();
        repulsion.evaluate(u, r, &mut forces);
        fastest = fastest.min(started.elapsed().as_secs_f64() * 1e3);
    }
    for (force, u) in forces.iter_mut().zip(u) {
        let along: f64 = (0..3).map(|k| force[k] * u[k]).sum();
        for k in 0..3 {
            force[k] -= along * u[k];
        }
    }
    Some((forces, fastest))
}

fn error(fast: &[[f64; 3]], exact: &[[f64; 3]]) -> f64 {
    let difference: f64 = fast.iter().zip(exact).flat_map(|(a, b)| (0..3).map(move |k| (a[k] - b[k]).powi(2))).sum();
    let size: f64 = exact.iter().flatten().map(|v| v * v).sum();
    (difference / size).sqrt()
}

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: repulsion MAP.npy (or any other file of a map on the sphere)");
        return ExitCode::FAILURE;
    };
    let map = match dosnes_io::read_embedding(&file) {
        Ok(map) if map.radius.is_some() => map,
        Ok(_) => {
            eprintln!("{file}: not a map on a sphere");
            return ExitCode::FAILURE;
        }
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let unit = |row: ndarray::ArrayView1<'_, f64>| {
        let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
        [row[0] / length, row[1] / length, row[2] / length]
    };
    let u: Vec<[f64; 3]> = map.coordinates.rows().into_iter().map(unit).collect();
    println!("{} points of {file}", u.len());
    for r in RADII {
        let Some((exact, exact_time)) = forces(Method::Exact, &u, r, 1) else { continue };
        println!("r {r:5}: exact {exact_time:9.1} ms");
        for method in [Method::Harmonic, Method::Tree] {
            if let Some((fast, time)) = forces(method, &u, r, RUNS) {
                println!("         {:8} {time:7.1} ms, error {:.1e}", method.name(), error(&fast, &exact));
            }
        }
    }
    ExitCode::SUCCESS
}
