//! Attraction against a plain read of the same bytes: `cargo bench -p dosnes-benchmarks --bench attraction`.
//!
//! `shuffled` shows the effect of the order of the points.

use divan::{Bencher, counter::BytesCount};
use dosnes::{
    Kernel,
    internals::attraction::{Attraction, Precision},
};
use dosnes_benchmarks::attraction::{PAIR, POINTS, similarities, spiral};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() {
    divan::main();
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
    evaluate(bencher, Attraction::new(&p, Kernel::Cauchy, Precision::Single), &spiral(), PAIR * p.nnz());
}

#[divan::bench(sample_count = 20)]
fn single_shuffled(bencher: Bencher) {
    let p = similarities();
    let mut order: Vec<u32> = (0..POINTS as u32).collect();
    order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(2));
    let points = spiral();
    let shuffled: Vec<[f64; 3]> = order.iter().map(|&i| points[i as usize]).collect();
    evaluate(bencher, Attraction::reordered(&p, Kernel::Cauchy, &order), &shuffled, PAIR * p.nnz());
}

#[divan::bench(sample_count = 5)]
fn double(bencher: Bencher) {
    let p = similarities();
    evaluate(bencher, Attraction::new(&p, Kernel::Cauchy, Precision::Double), &spiral(), PAIR * p.nnz());
}

/// The speed of memory: the same bytes, read and added by the same number of threads.
#[divan::bench(sample_count = 20)]
fn plain_stream(bencher: Bencher) {
    use rayon::prelude::*;
    let words = vec![1_u64; similarities().nnz() * PAIR / 8];
    bencher
        .counter(BytesCount::new(words.len() * 8))
        .bench(|| words.par_chunks(1 << 16).map(|chunk| chunk.iter().sum::<u64>()).sum::<u64>());
}
