//! Statements of the paper, checked on the code or on random inputs.

use dosnes::{
    CsrMatrix, EmbedOptions, Normalization, NormalizeOptions, Similarity, Space, embed, init::Init, normalize,
    observe::Silent,
};
use ndarray::Array2;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn squared_distances(y: &Array2<f64>) -> Array2<f64> {
    Array2::from_shape_fn((y.nrows(), y.nrows()), |(i, j)| {
        y.row(i).iter().zip(y.row(j)).map(|(a, b)| (a - b) * (a - b)).sum()
    })
}

fn random_points(n: usize, d: usize, scale: f64, seed: u64) -> Array2<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    Array2::from_shape_fn((n, d), |_| scale * rng.random_range(-1.0..1.0))
}

proptest! {
    /// Proposition 1. Its bounds for one i need only Σ_j q_ij = c for that i.
    #[test]
    fn sums_of_squared_distances_lie_between_the_bounds_of_proposition_1(
        n in 2_usize..40, d in 1_usize..4, scale in 0.01_f64..2.0, seed: u64,
    ) {
        let d2 = squared_distances(&random_points(n, d, scale, seed));
        let nf = n as f64;
        for row in d2.rows() {
            let sum = row.sum();
            let slack = 1e-9 * (1.0 + sum);
            // Gaussian, with b = am + (1−a) − m^a from the appendix; the printed a + (1−a)m − m^a is not what its proof
            // shows.
            let c: f64 = row.iter().map(|v| (-v).exp()).sum();
            let m = row.iter().map(|v| (-v).exp()).fold(1.0, f64::min);
            prop_assert!(nf * (nf / c).ln() <= sum + slack);
            if m < 1.0 {
                let log = (1.0 / m).ln();
                let a = (log / (1.0 - m)).ln() / log;
                let b = a * m + (1.0 - a) - m.powf(a);
                if c > nf * b {
                    prop_assert!(sum <= nf * (nf / (c - nf * b)).ln() + slack);
                }
            }
            // Cauchy.
            let c: f64 = row.iter().map(|v| 1.0 / (1.0 + v)).sum();
            let b = 1.0 + row.iter().copied().fold(0.0, f64::max);
            prop_assert!(nf * nf / c - nf <= sum + slack);
            prop_assert!(sum <= nf * nf / c - nf + nf * (b.sqrt() - 1.0).powi(2) + slack);
        }
    }

    /// Proposition 2, as an inequality for any points: if the sums of squared distances differ by δ, the squared
    /// lengths of the centred points differ by δ/n.
    #[test]
    fn equal_sums_of_squared_distances_mean_equal_lengths(n in 2_usize..40, d in 1_usize..4, seed: u64) {
        let mut y = random_points(n, d, 1.0, seed);
        let mean = y.mean_axis(ndarray::Axis(0)).unwrap();
        y -= &mean;
        let sums: Vec<f64> = squared_distances(&y).rows().into_iter().map(|row| row.sum()).collect();
        let lengths: Vec<f64> = y.rows().into_iter().map(|row| row.dot(&row)).collect();
        for i in 1..n {
            prop_assert!(((sums[i] - sums[0]) / n as f64 - (lengths[i] - lengths[0])).abs() < 1e-10);
        }
    }
}

/// The printed b of Proposition 1 is wrong: there are points for which its upper bound does not hold.
#[test]
fn the_printed_bound_of_proposition_1_fails_where_the_appendix_holds() {
    let mut failures = 0;
    for seed in 0..200 {
        let d2 = squared_distances(&random_points(10, 2, 0.8, seed));
        for row in d2.rows() {
            let c: f64 = row.iter().map(|v| (-v).exp()).sum();
            let m = row.iter().map(|v| (-v).exp()).fold(1.0, f64::min);
            let log = (1.0 / m).ln();
            let a = (log / (1.0 - m)).ln() / log;
            let printed = a + (1.0 - a) * m - m.powf(a);
            let bound = 10.0 * (10.0 / (c - 10.0 * printed)).ln();
            failures += usize::from(row.sum() > bound);
        }
    }
    assert!(failures > 0);
}

struct Figure1 {
    /// Standard deviation of the points' distances from the centre over their mean.
    spread: f64,
    /// Standard deviation of Σ_j Q_ij over its mean.
    q_spread: f64,
}

/// t-SNE in the plane of a matrix of uniform random numbers, as it is or made doubly stochastic.
fn figure_1(n: usize, method: Normalization) -> Figure1 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut triplets = Vec::new();
    for i in 0..n as u32 {
        for j in 0..i {
            let value = rng.random::<f64>();
            triplets.extend([(i, j, value), (j, i, value)]);
        }
    }
    let s = Similarity::Symmetric(CsrMatrix::from_triplets((n, n), &triplets).unwrap());
    let p = normalize(&s, &NormalizeOptions { method, ..NormalizeOptions::default() }, &mut Silent).unwrap();
    let params = EmbedOptions {
        space: Space::Plane,
        init: Init::Random,
        exaggeration: Some(1.0),
        max_iterations: Some(2000),
        ..EmbedOptions::default()
    };
    let map = embed(&p, &params, &mut Silent).unwrap();
    let mean = map.coordinates.mean_axis(ndarray::Axis(0)).unwrap();
    let lengths: Vec<f64> =
        map.coordinates.rows().into_iter().map(|y| (&y - &mean).mapv(|v| v * v).sum().sqrt()).collect();
    let q_sums: Vec<f64> = squared_distances(&map.coordinates)
        .rows()
        .into_iter()
        .map(|row| row.iter().map(|v| 1.0 / (1.0 + v)).sum::<f64>() - 1.0)
        .collect();
    Figure1 { spread: spread(&lengths), q_spread: spread(&q_sums) }
}

fn spread(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt() / mean
}

#[test]
fn a_random_matrix_gives_a_disc_and_a_doubly_stochastic_one_a_ring() {
    let disc = figure_1(300, Normalization::None);
    let ring = figure_1(300, Normalization::Sinkhorn);
    // A uniform disc has a spread of 0.354. A ring has none, but this one has some thickness from the noise of 300
    // items.
    assert!(disc.spread > 0.25, "{}", disc.spread);
    assert!(ring.spread < 0.6 * disc.spread, "{} {}", ring.spread, disc.spread);
    assert!(ring.q_spread < 0.6 * disc.q_spread, "{} {}", ring.q_spread, disc.q_spread);
}
