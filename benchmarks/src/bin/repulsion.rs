//! One iteration of repulsion on a real map, by every method: `RAYON_NUM_THREADS=1 cargo run --release -p
//! dosnes-benchmarks --bin repulsion -- MAP.npy`. The map is scaled to four radii. Errors are relative L2 errors of the
//! tangential forces against exact sums.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program prints what it measures")]

use dosnes::{Kernel, RepulsionMethod, internals::repulsion, observe::Silent};
use ndarray::ArrayView1;
use std::process::ExitCode;
use std::time::Instant;

const RADII: [f64; 4] = [20.0, 75.0, 300.0, 1000.0];
/// Number of runs. The median counts.
const RUNS: usize = 15;

/// The result of a method on a map at one radius: the tangential parts of the forces, and the milliseconds of an
/// iteration.
struct Step {
    forces: Vec<[f64; 3]>,
    milliseconds: f64,
}

/// Iterations at all radii, in turns: other work on this machine then affects all radii equally.
fn steps(method: RepulsionMethod, u: &[[f64; 3]], runs: usize) -> Option<[Step; RADII.len()]> {
    let mut forces = RADII.map(|_| vec![[0.0; 3]; u.len()]);
    let mut times = RADII.map(|_| Vec::with_capacity(runs));
    let mut at_radius = Vec::new();
    for r in RADII {
        at_radius.push((r, repulsion::on_sphere(method, Kernel::Cauchy)?));
    }
    // The first of several runs makes plans, which is not part of an iteration.
    for run in usize::from(runs == 1)..=runs {
        for (((r, repulsion), forces), times) in at_radius.iter_mut().zip(&mut forces).zip(&mut times) {
            let started = Instant::now();
            repulsion.evaluate(u, *r, forces);
            if run > 0 {
                times.push(started.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
    for (force, u) in forces.iter_mut().flat_map(|forces| forces.iter_mut().zip(u)) {
        let along: f64 = (0..3).map(|k| force[k] * u[k]).sum();
        for k in 0..3 {
            force[k] -= along * u[k];
        }
    }
    let mut times = times.into_iter();
    Some(forces.map(|forces| {
        let mut times = times.next().unwrap_or_default();
        times.sort_by(f64::total_cmp);
        Step { forces, milliseconds: times[times.len() / 2] }
    }))
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
    let map = match dosnes_io::read_embedding(&file, &mut Silent) {
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
    let unit = |row: ArrayView1<'_, f64>| {
        let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
        [row[0] / length, row[1] / length, row[2] / length]
    };
    let u: Vec<[f64; 3]> = map.coordinates.rows().into_iter().map(unit).collect();
    println!("{} points of {file}", u.len());
    let methods = [(RepulsionMethod::Exact, 1), (RepulsionMethod::Harmonic, RUNS), (RepulsionMethod::Tree, RUNS)];
    let found: Vec<_> =
        methods.into_iter().filter_map(|(method, runs)| Some((method, steps(method, &u, runs)?))).collect();
    let Some((_, exact)) = found.first() else { return ExitCode::FAILURE };
    for (at, r) in RADII.into_iter().enumerate() {
        println!("r {r:5}: exact {:9.1} ms", exact[at].milliseconds);
        for (method, steps) in &found[1..] {
            let Step { forces, milliseconds } = &steps[at];
            println!(
                "         {:8} {milliseconds:7.1} ms, error {:.1e}",
                method.name(),
                error(forces, &exact[at].forces)
            );
        }
    }
    ExitCode::SUCCESS
}
