//! The fast sums against the reference implementation.

use super::layouts::{self, Layout, Random, relative_error, unit};
use super::{DEFAULT_TOLERANCE, Error, Kernel, Totals, ZonalSums, exact_sums};
use proptest::prelude::*;

struct Exact {
    forces: Vec<[f64; 3]>,
    potentials: Vec<f64>,
    totals: Totals,
}

fn exact(kernel: Kernel, u: &[[f64; 3]], r: f64) -> Exact {
    let mut forces = vec![[0.0; 3]; u.len()];
    let mut potentials = vec![0.0; u.len()];
    let totals = exact_sums(kernel, u, r, &mut forces, &mut potentials);
    Exact { forces, potentials, totals }
}

fn fast(kernel: Kernel, tolerance: f64, u: &[[f64; 3]], r: f64) -> (Vec<[f64; 3]>, Totals, ZonalSums) {
    let mut sums = ZonalSums::new(kernel, tolerance).expect("a valid tolerance");
    let mut forces = vec![[0.0; 3]; u.len()];
    let totals = sums.evaluate(u, r, &mut forces).expect("a valid request");
    (forces, totals, sums)
}

/// Forces: mean error of a few tolerances. Z: error of one tolerance. Potentials: error of the tolerance times the
/// largest.
fn check(kernel: Kernel, tolerance: f64, u: &[[f64; 3]], r: f64) -> Result<(), TestCaseError> {
    let expected = exact(kernel, u, r);
    let (forces, totals, sums) = fast(kernel, tolerance, u, r);
    let error = relative_error(&forces, &expected.forces);
    // Rounding of positions: y = r u is known to ε r only, and this error enters the forces.
    let rounding = 1e-12;
    prop_assert!(error <= 5.0 * tolerance + rounding, "force: {error:e} at {tolerance:e}, {:?}", sums.report());
    // Every point itself, q = 1, is included in the sum and subtracted again.
    let own = if sums.report().single { 1.2e-7 } else { 1e-15 };
    if expected.totals.z == 0.0 {
        // A few points far apart: the Gaussian of every pair is below the smallest number, and there is no relative error.
        prop_assert!(totals.z.abs() <= own * u.len() as f64, "Z: {:e} instead of 0", totals.z);
        return Ok(());
    }
    let z_error = (totals.z / expected.totals.z - 1.0).abs();
    let z_bound = tolerance + rounding + own * u.len() as f64 / expected.totals.z;
    prop_assert!(z_error <= z_bound, "Z: {z_error:e} at {tolerance:e}, {:?}", sums.report());
    let largest = expected.potentials.iter().fold(0.0, |a: f64, b| a.max(*b));
    for (found, expected) in sums.potentials().iter().zip(&expected.potentials) {
        let error = (found - expected).abs() / largest;
        prop_assert!(error <= 5.0 * tolerance + own / largest + rounding, "potential: {error:e}, {:?}", sums.report());
    }
    Ok(())
}

fn layout() -> impl Strategy<Value = Layout> {
    prop::sample::select(&layouts::ALL[..])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn forces_potentials_and_totals_are_those_of_the_exact_sums(
        layout in layout(),
        kernel in prop::sample::select(&[Kernel::Cauchy, Kernel::Gaussian][..]),
        n in 2usize..3000,
        log_r in -4.0..3.3f64,
        tolerance in prop::sample::select(&[DEFAULT_TOLERANCE, 1e-5, 1e-8][..]),
        seed in 0u64..1000,
    ) {
        // On a larger sphere the Gaussian is negligible for almost all pairs, and its relative errors mean nothing.
        let r = if kernel == Kernel::Gaussian { 10f64.powf(log_r.min(1.5)) } else { 10f64.powf(log_r) };
        check(kernel, tolerance, &layout.points(n, seed), r)?;
    }
}

#[test]
fn many_points_are_summed_by_harmonics_and_near_pairs_at_any_radius() {
    for layout in [Layout::Uniform, Layout::Clusters, Layout::Stars] {
        let u = layout.points(20_000, 3);
        for r in [5.0, 60.0, 2000.0] {
            let (_, _, sums) = fast(Kernel::Cauchy, DEFAULT_TOLERANCE, &u, r);
            assert!(sums.report().degree > 0, "{layout:?} at {r}: {:?}", sums.report());
            check(Kernel::Cauchy, DEFAULT_TOLERANCE, &u, r).unwrap();
        }
    }
}

#[test]
fn a_smaller_tolerance_gives_a_smaller_error() {
    let u = Layout::Clusters.points(20_000, 5);
    let expected = exact(Kernel::Cauchy, &u, 5.0);
    for tolerance in [1e-2, 1e-4, 1e-6, 1e-8, 1e-10] {
        let (forces, totals, sums) = fast(Kernel::Cauchy, tolerance, &u, 5.0);
        assert!(sums.report().degree > 0);
        let error = relative_error(&forces, &expected.forces);
        assert!(error < 5.0 * tolerance, "{tolerance:e}: {error:e}");
        assert!((totals.stretch / expected.totals.stretch - 1.0).abs() < tolerance);
    }
}

#[test]
fn dz_by_dlog_r_is_the_slope_of_z() {
    let u = Layout::Clusters.points(4000, 5);
    for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
        let (_, totals, mut sums) = fast(kernel, 1e-8, &u, 3.0);
        let mut forces = vec![[0.0; 3]; u.len()];
        let h = 1e-4f64;
        let above = sums.evaluate(&u, 3.0 * h.exp(), &mut forces).unwrap().z;
        let below = sums.evaluate(&u, 3.0 * (-h).exp(), &mut forces).unwrap().z;
        let slope = (above - below) / (2.0 * h);
        assert!((totals.z_slope() / slope - 1.0).abs() < 1e-6, "{} {slope}", totals.z_slope());
    }
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let u = Layout::Stars.points(20_000, 7);
    for (tolerance, r) in [(1e-3, 300.0), (1e-3, 20.0), (1e-7, 20.0)] {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (forces, totals, sums) = fast(Kernel::Cauchy, tolerance, &u, r);
                (forces, totals, sums.potentials())
            })
        };
        let one = run(1);
        assert!(one == run(2) && one == run(7), "tolerance {tolerance}, r {r}");
    }
}

#[test]
fn a_workspace_that_was_used_before_gives_the_same_bytes_as_a_new_one() {
    let u = Layout::Clusters.points(15_000, 2);
    let (forces, totals, _) = fast(Kernel::Cauchy, 1e-3, &u, 80.0);
    let mut sums = ZonalSums::new(Kernel::Cauchy, 1e-3).unwrap();
    let mut again = vec![[0.0; 3]; 5000];
    sums.evaluate(&Layout::Stars.points(5000, 1), 7.0, &mut again).unwrap();
    again.resize(u.len(), [0.0; 3]);
    sums.evaluate(&u, 500.0, &mut again).unwrap();
    let totals_again = sums.evaluate(&u, 80.0, &mut again).unwrap();
    assert!(again == forces && totals_again == totals);
}

#[test]
fn turning_the_sphere_turns_the_forces() {
    let u = Layout::Clusters.points(20_000, 9);
    let mut random = Random::new(4);
    let (x, towards) = (random.direction(), random.direction());
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let z = unit(cross(x, towards));
    let axes = [x, cross(z, x), z];
    let turn = |v: &[f64; 3]| axes.map(|axis| (0..3).map(|k| axis[k] * v[k]).sum::<f64>());
    let turned: Vec<_> = u.iter().map(turn).map(unit).collect();
    for (tolerance, r) in [(1e-3, 50.0), (1e-8, 5.0)] {
        let (forces, totals, sums) = fast(Kernel::Cauchy, tolerance, &u, r);
        assert!(sums.report().degree > 0);
        let (turned_forces, turned_totals, _) = fast(Kernel::Cauchy, tolerance, &turned, r);
        let expected: Vec<_> = forces.iter().map(turn).collect();
        assert!(relative_error(&turned_forces, &expected) < 5.0 * tolerance);
        assert!((totals.z / turned_totals.z - 1.0).abs() < tolerance);
    }
}

#[test]
fn coincident_points_feel_no_force_and_no_result_is_nan() {
    for n in [1, 2, 3, 500, 20_000] {
        for (tolerance, r) in [(1e-3, 1e-4), (1e-3, 1.0), (1e-3, 100.0), (1e-3, 2000.0), (1e-9, 3.0)] {
            for point in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], unit([1.0, 2.0, -0.5])] {
                let u = vec![point; n];
                if tolerance < 1e-3 && n > 500 {
                    continue;
                }
                let (forces, totals, sums) = fast(Kernel::Cauchy, tolerance, &u, r);
                let n = n as f64;
                // In single precision the point's own q = 1, which is subtracted again, has an error of about 1e-7.
                let z_error = (totals.z - n * (n - 1.0)).abs();
                assert!(z_error <= tolerance * n * (n - 1.0) + 1e-6 * n, "{n} {r}: {}", totals.z);
                assert!(forces.iter().flatten().all(|x| x.abs() <= tolerance * n), "{n} {r}");
                assert!(sums.potentials().iter().all(|phi| phi.is_finite()));
            }
        }
    }
}

#[test]
fn two_points_push_each_other_apart() {
    let u = [[1.0, 0.0, 0.0], unit([1.0, 1e-3, 0.0])];
    let (forces, _, _) = fast(Kernel::Cauchy, 1e-3, &u, 10.0);
    assert!(forces[0][1] < 0.0 && forces[1][1] > 0.0);
    let expected = exact(Kernel::Cauchy, &u, 10.0);
    assert!(relative_error(&forces, &expected.forces) < 1e-5);
}

#[test]
fn three_points_at_right_angles_have_six_pairs_of_one_ninth() {
    let u = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // The distance is 2√2.
    let (_, totals, _) = fast(Kernel::Cauchy, 1e-3, &u, 2.0);
    assert!((totals.z - 6.0 / 9.0).abs() < 1e-6, "{}", totals.z);
}

#[test]
fn sums_over_no_points_are_zero() {
    let (_, totals, sums) = fast(Kernel::Cauchy, 1e-3, &[], 1.0);
    assert_eq!(totals, Totals::default());
    assert!(sums.potentials().is_empty());
}

#[test]
fn invalid_requests_are_errors() {
    assert!(matches!(ZonalSums::new(Kernel::Cauchy, f64::NAN), Err(Error::Tolerance(_))));
    assert!(matches!(ZonalSums::new(Kernel::Cauchy, 1.0), Err(Error::Tolerance(_))));
    let mut sums = ZonalSums::new(Kernel::Cauchy, 1e-3).unwrap();
    let mut forces = [[0.0; 3]; 2];
    let pole = [0.0, 0.0, 1.0];
    assert_eq!(sums.evaluate(&[pole; 2], 0.0, &mut forces), Err(Error::Radius(0.0)));
    assert_eq!(sums.evaluate(&[pole; 3], 1.0, &mut forces), Err(Error::Length { points: 3, forces: 2 }));
    let error = sums.evaluate(&[pole, [0.0, 0.0, 2.0]], 1.0, &mut forces).unwrap_err();
    assert_eq!(error.to_string(), "point 1 has length 2, not 1; divide every point by its length");
    assert!(matches!(
        sums.evaluate(&[pole, [f64::NAN, 0.0, 1.0]], 1.0, &mut forces),
        Err(Error::NotUnit { index: 1, .. })
    ));
}
