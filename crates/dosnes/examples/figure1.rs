//! The paper's Figure 1: t-SNE in the plane of a matrix of uniform random numbers is a disc; of the same matrix made
//! doubly stochastic, a ring.
//!
//! `cargo run --release -p dosnes --example figure1 [n] [coordinates.csv]`; n is 2000 in the paper.

#![allow(clippy::print_stdout, reason = "a program that prints its numbers")]

use dosnes::{
    CsrMatrix, EmbedOptions, Normalization, NormalizeOptions, Similarity, Space, embed, init::Init, normalize,
    observe::Silent,
};
use ndarray::Axis;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).map_or(Ok(2000), |n| n.parse())?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut triplets = Vec::with_capacity(n * n);
    for i in 0..n as u32 {
        for j in 0..i {
            let value = rng.random::<f64>();
            triplets.extend([(i, j, value), (j, i, value)]);
        }
    }
    let similarity = Similarity::Symmetric(CsrMatrix::from_triplets((n, n), &triplets)?);
    println!("{n} × {n} uniform random similarities, t-SNE in the plane");
    println!("                     spread of |y|   mean of Σ_j Q_ij   its standard deviation");
    for (name, method) in [("as they are", Normalization::None), ("doubly stochastic", Normalization::Sinkhorn)] {
        let p = normalize(&similarity, &NormalizeOptions { method, ..NormalizeOptions::default() }, &mut Silent)?;
        let params = EmbedOptions {
            space: Space::Plane,
            init: Init::Random,
            exaggeration: Some(1.0),
            max_iterations: Some(2000),
            ..EmbedOptions::default()
        };
        let map = embed(&p, &params, &mut Silent)?;
        let y = &map.coordinates - &map.coordinates.mean_axis(Axis(0)).ok_or("no points")?;
        let lengths: Vec<f64> = y.rows().into_iter().map(|y| y.dot(&y).sqrt()).collect();
        let q_sums: Vec<f64> = y
            .rows()
            .into_iter()
            .map(|a| y.rows().into_iter().map(|b| 1.0 / (1.0 + (&a - &b).mapv(|v| v * v).sum())).sum::<f64>() - 1.0)
            .collect();
        let z: f64 = q_sums.iter().sum();
        let (length, length_deviation) = mean_and_deviation(&lengths);
        let (q, q_deviation) = mean_and_deviation(&q_sums);
        println!("{name:<20} {:>13.4} {:>18.6} {:>24.2e}", length_deviation / length, q / z, q_deviation / z);
        if let Some(path) = std::env::args().nth(2) {
            let rows: Vec<String> = y.rows().into_iter().map(|y| format!("{name},{},{}\n", y[0], y[1])).collect();
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path)?;
            std::io::Write::write_all(&mut &file, rows.concat().as_bytes())?;
        }
    }
    println!("\nA uniform disc has a spread of 0.354, a ring of 0. The paper: 0.0005 and 1.7e-6 for the ring.");
    Ok(())
}

fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt())
}
