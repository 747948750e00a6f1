//! Times of one sum of the repulsive forces: `cargo bench -p dosnes-benchmarks --bench repulsion`.
//!
//! The maps have clusters, and are as wide as t-SNE's maps of the same number of points.

use divan::Bencher;
use dosnes::{Kernel, RepulsionMethod, internals::repulsion};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const SIZES: [usize; 4] = [2_000, 5_000, 20_000, 70_000];
/// All pairs of the larger maps would take minutes.
const EXACT_SIZES: [usize; 3] = [2_000, 5_000, 20_000];

fn main() {
    divan::main();
}

fn clusters<const D: usize>(n: usize, extent: f64) -> Vec<[f64; D]> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut place = |width: f64| -> [f64; D] { std::array::from_fn(|_| random.random_range(-0.5..0.5) * width) };
    let centres: Vec<[f64; D]> = (0..50).map(|_| place(0.8 * extent)).collect();
    (0..n)
        .map(|i| {
            let noise = place(0.2 * extent);
            std::array::from_fn(|k| centres[i % 50][k] + noise[k])
        })
        .collect()
}

fn plane(n: usize) -> Vec<[f64; 2]> {
    clusters(n, 0.45 * (n as f64).sqrt())
}

fn space(n: usize) -> Vec<[f64; 3]> {
    clusters(n, 1.5 * (n as f64).cbrt())
}

fn in_plane(bencher: Bencher<'_, '_>, method: RepulsionMethod, kernel: Kernel, n: usize) {
    let y = plane(n);
    let mut forces = vec![[0.0; 2]; n];
    let mut repulsion = repulsion::in_plane(method, kernel).expect("a method for the plane");
    repulsion.evaluate(&y, &mut forces);
    bencher.bench_local(|| repulsion.evaluate(&y, &mut forces).z);
}

fn in_space(bencher: Bencher<'_, '_>, method: RepulsionMethod, kernel: Kernel, n: usize) {
    let y = space(n);
    let mut forces = vec![[0.0; 3]; n];
    let mut repulsion = repulsion::in_space(method, kernel).expect("a method for space");
    bencher.bench_local(|| repulsion.evaluate(&y, &mut forces).z);
}

#[divan::bench(args = EXACT_SIZES, sample_count = 3)]
fn plane_exact(bencher: Bencher<'_, '_>, n: usize) {
    in_plane(bencher, RepulsionMethod::Exact, Kernel::Cauchy, n);
}

#[divan::bench(args = SIZES, sample_count = 5)]
fn plane_fft(bencher: Bencher<'_, '_>, n: usize) {
    in_plane(bencher, RepulsionMethod::Fft, Kernel::Cauchy, n);
}

#[divan::bench(args = SIZES, sample_count = 5)]
fn plane_fft_gaussian(bencher: Bencher<'_, '_>, n: usize) {
    in_plane(bencher, RepulsionMethod::Fft, Kernel::Gaussian, n);
}

#[divan::bench(args = SIZES, sample_count = 5)]
fn plane_tree(bencher: Bencher<'_, '_>, n: usize) {
    in_plane(bencher, RepulsionMethod::Tree, Kernel::Cauchy, n);
}

#[divan::bench(args = EXACT_SIZES, sample_count = 3)]
fn space_exact(bencher: Bencher<'_, '_>, n: usize) {
    in_space(bencher, RepulsionMethod::Exact, Kernel::Cauchy, n);
}

#[divan::bench(args = SIZES, sample_count = 5)]
fn space_tree(bencher: Bencher<'_, '_>, n: usize) {
    in_space(bencher, RepulsionMethod::Tree, Kernel::Cauchy, n);
}
