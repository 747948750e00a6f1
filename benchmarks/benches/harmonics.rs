//! The stages of the sums on the sphere, and whole sums: `cargo bench -p dosnes-benchmarks --bench harmonics`.
#![allow(missing_docs)]

use divan::Bencher;
use dosnes::internals::harmonics::SingleStages;
use dosnes::internals::harmonics::layouts::Layout;
use dosnes::internals::harmonics::{DEFAULT_TOLERANCE, Kernel, ZonalSums};

fn main() {
    divan::main();
}

const POINTS: usize = 70_000;
const RINGS: [usize; 3] = [160, 320, 640];

fn stages(rings: usize) -> SingleStages {
    let mut stages = SingleStages::new(Layout::Clusters.points(POINTS, 1), rings, DEFAULT_TOLERANCE);
    stages.spread();
    stages.rings_forward();
    stages
}

#[divan::bench(args = RINGS)]
fn spread(bencher: Bencher, rings: usize) {
    let mut stages = stages(rings);
    bencher.bench_local(|| stages.spread());
}

#[divan::bench(args = RINGS)]
fn legendre(bencher: Bencher, rings: usize) {
    let mut stages = stages(rings);
    bencher.bench_local(|| stages.legendre());
}

#[divan::bench(args = RINGS)]
fn interpolate(bencher: Bencher, rings: usize) {
    let mut stages = stages(rings);
    stages.legendre();
    stages.rings_backward();
    bencher.bench_local(|| stages.interpolate());
}

#[divan::bench(args = RINGS)]
fn near(bencher: Bencher, rings: usize) {
    let mut stages = stages(rings);
    bencher.bench_local(|| stages.near(1000.0, 8.0, DEFAULT_TOLERANCE));
}

#[divan::bench(args = [20, 75, 300, 1000], consts = [5_000, 20_000, 70_000])]
fn step<const N: usize>(bencher: Bencher, r: u32) {
    let u = Layout::Clusters.points(N, 1);
    let mut forces = vec![[0.0; 3]; N];
    let mut sums = ZonalSums::new(Kernel::Cauchy, DEFAULT_TOLERANCE).expect("a valid tolerance");
    bencher.bench_local(|| sums.evaluate(&u, f64::from(r), &mut forces));
}
