//! The fast methods against exact sums.

use super::{Exact, Fft, Repulsion, SphereRepulsion, Totals, Tree};
use crate::kernel::Kernel;
use crate::sphere::{Vec3, random_direction};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The layout of the points.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Uniform,
    Clusters,
    Clump,
    Duplicates,
}

fn points<const D: usize>(shape: Shape, n: usize, extent: f64, seed: u64) -> Vec<[f64; D]> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let centres: Vec<[f64; D]> = (0..20).map(|_| std::array::from_fn(|_| rng.random_range(-0.5..0.5))).collect();
    // Clusters further apart have almost no interaction, and nothing would be left to compare.
    let extent = if matches!(shape, Shape::Duplicates) { extent.min(3.0) } else { extent };
    (0..n)
        .map(|i| {
            let noise: [f64; D] = std::array::from_fn(|_| (0..4).map(|_| rng.random_range(-0.25..0.25)).sum());
            std::array::from_fn(|k| {
                extent
                    * match shape {
                        Shape::Uniform => rng.random_range(-0.5..0.5),
                        Shape::Clusters => centres[i % 20][k] + 0.05 * noise[k],
                        // A tenth of the points is spread over the whole extent.
                        Shape::Clump => noise[k] * if i % 10 == 0 { 1.0 } else { 0.05 },
                        Shape::Duplicates => centres[i % 20][k],
                    }
            })
        })
        .collect()
}

struct Errors {
    /// Relative error of the forces, in L2.
    force: f64,
    /// Relative errors of the totals.
    z: f64,
    slope: f64,
}

fn errors<const D: usize>(method: &mut dyn Repulsion<D>, kernel: Kernel, y: &[[f64; D]]) -> Errors {
    let (mut ours, mut exact) = (vec![[0.0; D]; y.len()], vec![[0.0; D]; y.len()]);
    let totals = method.evaluate(y, &mut ours);
    let truth = Exact::<D>::new(kernel).evaluate(y, &mut exact);
    compare(&totals, &truth, &ours, &exact)
}

fn compare<const D: usize>(totals: &Totals, truth: &Totals, ours: &[[f64; D]], exact: &[[f64; D]]) -> Errors {
    let square = |v: f64| v * v;
    let difference: f64 = ours.iter().zip(exact).map(|(a, b)| (0..D).map(|k| square(a[k] - b[k])).sum::<f64>()).sum();
    let size: f64 = exact.iter().map(|f| f.iter().map(|v| v * v).sum::<f64>()).sum();
    Errors {
        force: (difference / size).sqrt(),
        z: (totals.z / truth.z - 1.0).abs(),
        slope: (totals.slope / truth.slope - 1.0).abs(),
    }
}

/// With θ = 0.5 the error is the second moment of a cell, of relative order (s/d)²/12 = 2 %, times the second
/// derivative of the kernel.
const TREE: f64 = 4e-2;
/// The error bound of the grid.
const GRID: f64 = 5e-3;

fn shapes() -> impl Strategy<Value = Shape> {
    prop_oneof![Just(Shape::Uniform), Just(Shape::Clusters), Just(Shape::Clump), Just(Shape::Duplicates)]
}

fn kernels() -> impl Strategy<Value = Kernel> {
    prop_oneof![Just(Kernel::Cauchy), Just(Kernel::Gaussian)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// From tiny maps, as at the start, to maps as wide as the final ones of t-SNE, with one unit of area per point.
    #[test]
    fn a_grid_gives_the_forces_and_totals_of_every_pair(
        kernel in kernels(), shape in shapes(), n in 30_usize..900, width in -4.0_f64..0.0, seed: u64,
    ) {
        let most = (n as f64).sqrt();
        let y = points::<2>(shape, n, most * 10_f64.powf(width), seed);
        let Errors { force, z, slope } = errors(&mut Fft::new(kernel), kernel, &y);
        prop_assert!(force < GRID && z < GRID && slope < 2.0 * GRID, "{} {} {}", force, z, slope);
    }

    #[test]
    fn a_tree_gives_the_forces_and_totals_of_every_pair_in_the_plane_and_in_space(
        kernel in kernels(), shape in shapes(), n in 30_usize..900, width in -4.0_f64..0.0, seed: u64,
    ) {
        let y = points::<2>(shape, n, (n as f64).sqrt() * 10_f64.powf(width), seed);
        let Errors { force, z, slope } = errors(&mut Tree::<2>::new(kernel), kernel, &y);
        prop_assert!(force < TREE && z < TREE && slope < 2.0 * TREE, "plane: {} {} {}", force, z, slope);
        let y = points::<3>(shape, n, 2.0 * (n as f64).cbrt() * 10_f64.powf(width), seed);
        let Errors { force, z, slope } = errors(&mut Tree::<3>::new(kernel), kernel, &y);
        prop_assert!(force < TREE && z < TREE && slope < 2.0 * TREE, "space: {} {} {}", force, z, slope);
    }

    #[test]
    fn the_repulsion_of_two_points_follows_the_kernel(kernel in kernels(), log_distance in -5.0_f64..0.5) {
        let distance = 10_f64.powf(log_distance);
        let y = [[0.3, -0.2], [0.3 + 0.6 * distance, -0.2 + 0.8 * distance]];
        let on_grid = errors(&mut Fft::new(kernel), kernel, &y);
        let on_tree = errors(&mut Tree::<2>::new(kernel), kernel, &y);
        // The grid's error of the kernel, and of the points' similarity to themselves, which Z does not include.
        let itself = 1e-9 / (1.0 + kernel.less_one(distance * distance));
        // The tree is exact except for single precision: the error of d² becomes a relative error of the Gaussian.
        let single = 3e-7 * (1.0 + distance * distance);
        prop_assert!(on_grid.force < 1e-4 && on_grid.z < 1e-6 + itself, "{} {}", on_grid.force, on_grid.z);
        prop_assert!(on_tree.force < single && on_tree.z < single, "{} {}", on_tree.force, on_tree.z);
    }
}

#[test]
fn a_tree_on_the_sphere_gives_the_forces_of_every_pair() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let u: Vec<Vec3> = (0..1500).map(|_| random_direction(&mut rng)).collect();
    for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
        for r in [0.01, 1.0, 10.0] {
            let (mut ours, mut exact) = (vec![[0.0; 3]; u.len()], vec![[0.0; 3]; u.len()]);
            let totals = SphereRepulsion::evaluate(&mut Tree::<3>::new(kernel), &u, r, &mut ours);
            let truth = SphereRepulsion::evaluate(&mut Exact::<3>::new(kernel), &u, r, &mut exact);
            let Errors { force, z, slope } = compare(&totals, &truth, &ours, &exact);
            assert!(force < TREE && z < TREE && slope < 2.0 * TREE, "{r}: {force} {z} {slope}");
        }
    }
}

#[test]
fn points_in_one_spot_do_not_move() {
    let (y, mut forces) = (vec![[0.7, -3.0]; 100], vec![[1.0; 2]; 100]);
    for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
        for method in [&mut Fft::new(kernel) as &mut dyn Repulsion<2>, &mut Tree::<2>::new(kernel)] {
            let totals = method.evaluate(&y, &mut forces);
            assert!((totals.z / 9900.0 - 1.0).abs() < 1e-6, "{}", totals.z);
            assert!(forces.iter().flatten().all(|force| force.abs() < 1e-9 * 100.0));
        }
    }
}

#[test]
fn a_map_that_is_too_wide_for_the_grid_goes_to_the_tree() {
    let y = points::<2>(Shape::Clusters, 500, 1e5, 4);
    let (mut on_grid, mut on_tree) = (vec![[0.0; 2]; 500], vec![[0.0; 2]; 500]);
    let totals = Fft::new(Kernel::Cauchy).evaluate(&y, &mut on_grid);
    assert_eq!(totals, Tree::<2>::new(Kernel::Cauchy).evaluate(&y, &mut on_tree));
    assert_eq!(on_grid, on_tree);
}

#[test]
fn fast_sums_are_the_same_bytes_on_any_number_of_threads() {
    let y = points::<2>(Shape::Clusters, 5000, 40.0, 5);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut grid, mut tree) = (vec![[0.0; 2]; y.len()], vec![[0.0; 2]; y.len()]);
            let totals = Fft::new(Kernel::Cauchy).evaluate(&y, &mut grid);
            (totals, Tree::<2>::new(Kernel::Cauchy).evaluate(&y, &mut tree), grid, tree)
        })
    };
    let one = on(1);
    assert!(one == on(2) && one == on(7));
}
