//! Times of the principal components: `cargo bench -p dosnes-benchmarks --bench pca`.

use divan::Bencher;
use dosnes::input::Points;
use dosnes::observe::Silent;
use dosnes::pca::{Pca, principal_components};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() {
    divan::main();
}

/// Columns whose variance decreases slowly, as in images.
fn points(n: usize, columns: usize) -> Points<'static> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let noise = Array2::from_shape_simple_fn((n, columns), || random.random_range(-1.0..1.0_f32));
    let mixed = |(i, j): (usize, usize)| noise[[i, j]] / (1.0 + j as f32).sqrt() + noise[[i, j % 60]] * 0.3;
    Points::from(Array2::from_shape_fn((n, columns), mixed))
}

fn solve(points: &Points) -> Pca {
    principal_components(points, 50, 0, &mut Silent).expect("the points are good")
}

#[divan::bench(sample_count = 3)]
fn covariance_10000_by_784(bencher: Bencher) {
    let points = points(10_000, 784);
    bencher.bench(|| solve(&points));
}

#[divan::bench(sample_count = 3)]
fn subspace_5000_by_2000(bencher: Bencher) {
    let points = points(5_000, 2_000);
    bencher.bench(|| solve(&points));
}
