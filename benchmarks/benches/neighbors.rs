//! Times of the neighbour searches and of the affinities: `cargo bench -p dosnes-benchmarks --bench neighbors`.

use divan::Bencher;
use dosnes::CsrMatrix;
use dosnes::affinity::entropic_affinities;
use dosnes::input::Points;
use dosnes::neighbors::{Metric, NeighborMethod, NeighborOptions, Neighbors, find_neighbors};
use dosnes::observe::Silent;
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const DIMENSIONS: usize = 50;
const NEIGHBORS: usize = 90;

fn main() {
    divan::main();
}

/// 200 clusters in 50 dimensions.
fn clusters(n: usize) -> Points<'static> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let centres = Array2::from_shape_simple_fn((200, DIMENSIONS), || random.random_range(-3.0..3.0_f32));
    let noise = Array2::from_shape_simple_fn((n, DIMENSIONS), || random.random_range(-1.0..1.0_f32));
    Points::from(Array2::from_shape_fn((n, DIMENSIONS), |(i, j)| centres[[i % 200, j]] + noise[[i, j]]))
}

fn search(points: &Points, metric: Metric, method: NeighborMethod) -> Neighbors {
    let options = NeighborOptions { metric, method, ..NeighborOptions::new(NEIGHBORS) };
    find_neighbors(points, &options, &mut Silent).expect("the points are good")
}

#[divan::bench(args = [5_000, 20_000], sample_count = 3)]
fn exact_euclidean(bencher: Bencher, n: usize) {
    let points = clusters(n);
    bencher.bench(|| search(&points, Metric::Euclidean, NeighborMethod::Exact));
}

#[divan::bench(args = [5_000], sample_count = 3)]
fn exact_manhattan(bencher: Bencher, n: usize) {
    let points = clusters(n);
    bencher.bench(|| search(&points, Metric::Manhattan, NeighborMethod::Exact));
}

#[divan::bench(args = [20_000, 80_000], sample_count = 3)]
fn cells_euclidean(bencher: Bencher, n: usize) {
    let points = clusters(n);
    bencher.bench(|| search(&points, Metric::Euclidean, NeighborMethod::Approximate));
}

/// Rows of 50 entries in 5,000 columns; the first columns are the most frequent.
#[divan::bench(args = [5_000, 10_000], sample_count = 3)]
fn exact_sparse_cosine(bencher: Bencher, n: usize) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut column = || (5_000.0 * random.random::<f64>().powi(3)) as u32;
    let triplets: Vec<_> = (0..50 * n as u32).map(|t| (t / 50, column(), 1.0)).collect();
    let points = Points::Sparse(CsrMatrix::from_triplets((n, 5_000), &triplets).expect("entries inside the matrix"));
    bencher.bench(|| search(&points, Metric::Cosine, NeighborMethod::Exact));
}

#[divan::bench(args = [20_000], sample_count = 10)]
fn affinities(bencher: Bencher, n: usize) {
    let neighbors = search(&clusters(n), Metric::Euclidean, NeighborMethod::Approximate);
    let solve = |neighbors| entropic_affinities(neighbors, 30.0).expect("the perplexity is possible");
    bencher.with_inputs(|| neighbors.clone()).bench_values(solve);
}
