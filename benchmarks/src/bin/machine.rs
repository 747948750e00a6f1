//! How close the hot kernels come to the limits of the machine: `cargo run --release -p dosnes-benchmarks --bin
//! machine`.
//!
//! Legendre sums are compared with a matrix product of the same precision on one core, attraction with a plain read of
//! the same bytes on all threads.

#![allow(clippy::print_stdout, reason = "a program prints what it measures")]

use dosnes::{
    Kernel,
    internals::attraction::{Attraction, Precision},
    internals::harmonics::SingleStages,
};
use dosnes_benchmarks::attraction::{PAIR, POINTS, similarities, spiral};
use ndarray::{Array2, linalg::general_mat_mul};
use rayon::prelude::*;
use std::time::Instant;

/// Number of runs. The fastest one counts, because other work may be running on this machine.
const RUNS: usize = 15;

/// Seconds of the fastest run.
fn fastest(mut task: impl FnMut()) -> f64 {
    let seconds = |_| {
        let started = Instant::now();
        task();
        started.elapsed().as_secs_f64()
    };
    (0..RUNS).map(seconds).fold(f64::INFINITY, f64::min)
}

/// GFLOP/s of an optimised matrix product.
fn matrix_product(n: usize) -> f64 {
    let [a, b, mut c] = [1.0_f32, 2.0, 0.0].map(|value| Array2::from_elem((n, n), value));
    let seconds = fastest(|| {
        general_mat_mul(1.0, &a, &b, 0.0, &mut c);
        std::hint::black_box(&c);
    });
    2.0 * (n as f64).powi(3) / seconds * 1e-9
}

/// The degree of the sums on this number of rings, and their GFLOP/s.
fn legendre(rings: usize) -> (usize, f64) {
    let mut stages = SingleStages::new(spiral(), rings, 1e-3);
    stages.sort();
    stages.spread();
    stages.rings_forward();
    let seconds = fastest(|| stages.legendre());
    (stages.degree(), 2.0 * stages.multiply_adds() / seconds * 1e-9)
}

/// GB/s of reading and adding the pairs, and of attraction.
fn stream_and_attraction() -> (f64, f64) {
    let p = similarities();
    let gigabytes = (PAIR * p.nnz()) as f64 * 1e-9;
    let words = vec![1_u64; PAIR * p.nnz() / size_of::<u64>()];
    let stream = fastest(|| {
        let sum = words.par_chunks(1 << 16).map(|chunk| chunk.iter().sum::<u64>()).sum::<u64>();
        std::hint::black_box(sum);
    });
    let points = spiral();
    let (mut forces, mut weights) = (vec![[0.0; 3]; POINTS], vec![0.0; POINTS]);
    let mut attraction = Attraction::new(&p, Kernel::Cauchy, Precision::Single);
    let attracted = fastest(|| {
        std::hint::black_box(attraction.evaluate(&points, 100.0, &mut forces, &mut weights));
    });
    (gigabytes / stream, gigabytes / attracted)
}

fn main() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    one.install(|| {
        let product = matrix_product(512);
        println!("matrix product of 512 × 512, single precision, one core: {product:.1} GFLOP/s");
        for rings in [320, 640, 1250] {
            let (degree, sums) = legendre(rings);
            println!(
                "Legendre sums of degree {degree}, one core: {sums:.1} GFLOP/s, {:.2} of the matrix product",
                sums / product
            );
        }
    });
    let (stream, attraction) = stream_and_attraction();
    println!("plain read of the similarities, {} threads: {stream:.1} GB/s", rayon::current_num_threads());
    println!("attraction, same threads: {attraction:.1} GB/s, {:.2} of the plain read", attraction / stream);
}
