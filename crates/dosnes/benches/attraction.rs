//! Attraction against a plain stream of the same bytes: `cargo bench -p dosnes --bench attraction`.
//!
//! The similarities are those of 70,000 points on the sphere with their 120 neighbours along a curve, about what MNIST at
//! perplexity 30 has, in the order of the curve; `shuffled` shows what that order is worth.

use divan::{Bencher, counter::BytesCount};
use dosnes::{
    input::{Csr, csr_from_triplets},
    optimize::measure::{Attraction, Precision},
    repulsion::Kernel,
};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

const POINTS: usize = 70_000;
const NEIGHBORS: usize = 60;
/// A pair: its index and its similarity in single precision.
const PAIR: usize = 8;

fn main() {
    divan::main();
}

/// Points along a spiral from pole to pole, so that neighbours in the order are neighbours on the sphere.
fn points() -> Vec<[f64; 3]> {
    let place = |i: usize| {
        let z: f64 = 1.0 - (2.0 * i as f64 + 1.0) / POINTS as f64;
        let (ring, angle) = ((1.0 - z * z).sqrt(), 600.0 * z);
        [ring * angle.cos(), ring * angle.sin(), z]
    };
    (0..POINTS).map(place).collect()
}

fn similarities() -> Csr {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut triplets = Vec::with_capacity(2 * POINTS * NEIGHBORS);
    for i in 0..POINTS {
        for _ in 0..NEIGHBORS {
            let j = (i + random.random_range(1..2000)) % POINTS;
            triplets.extend([(i as u32, j as u32, 1.0), (j as u32, i as u32, 1.0)]);
        }
    }
    csr_from_triplets((POINTS, POINTS), &triplets).0
}

fn evaluate(bencher: Bencher, mut attraction: Attraction, points: &[[f64; 3]], bytes: usize) {
    let (mut forces, mut weights) = (vec![[0.0; 3]; POINTS], vec![0.0; POINTS]);
    bencher
        .counter(BytesCount::new(bytes))
        .bench_local(|| attraction.evaluate(points, 100.0, &mut forces, &mut weights));
}

#[divan::bench(sample_count = 20)]
fn single(bencher: Bencher) {
    let p = similarities();
    evaluate(bencher, Attraction::new(&p, Kernel::Cauchy, Precision::Single), &points(), PAIR * p.nnz());
}

#[divan::bench(sample_count = 20)]
fn single_shuffled(bencher: Bencher) {
    let p = similarities();
    let mut order: Vec<u32> = (0..POINTS as u32).collect();
    order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(2));
    let points = points();
    let shuffled: Vec<[f64; 3]> = order.iter().map(|&i| points[i as usize]).collect();
    evaluate(bencher, Attraction::reordered(&p, Kernel::Cauchy, &order), &shuffled, PAIR * p.nnz());
}

#[divan::bench(sample_count = 5)]
fn double(bencher: Bencher) {
    let p = similarities();
    evaluate(bencher, Attraction::new(&p, Kernel::Cauchy, Precision::Double), &points(), PAIR * p.nnz());
}

/// What memory gives: the same bytes read and added up by as many threads.
#[divan::bench(sample_count = 20)]
fn plain_stream(bencher: Bencher) {
    use rayon::prelude::*;
    let words = vec![1_u64; similarities().nnz() * PAIR / 8];
    bencher
        .counter(BytesCount::new(words.len() * 8))
        .bench(|| words.par_chunks(1 << 16).map(|chunk| chunk.iter().sum::<u64>()).sum::<u64>());
}
