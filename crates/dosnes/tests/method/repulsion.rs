//! Fast sums lead to maps as good as exact ones do.

use dosnes::{
    Embedding, SimilarityParams, embed,
    input::{Data, Points},
    normalize,
    observe::Silent,
    optimize, repulsion, similarities,
};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Groups of very unequal size in 20 dimensions, each with groups of its own.
fn mixture(n: usize) -> Points {
    const DIMENSIONS: usize = 20;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut centres = |count: usize, size: f32| -> Vec<[f32; DIMENSIONS]> {
        (0..count).map(|_| std::array::from_fn(|_| size * (random.random::<f32>() - 0.5))).collect()
    };
    let (coarse, fine, noise) = (centres(12, 20.0), centres(60, 6.0), centres(n, 2.0));
    let mut points = Array2::zeros((n, DIMENSIONS));
    for i in 0..n {
        // The square makes the first groups the largest.
        let part = (i as f64 / n as f64).powi(2);
        let (group, within) = ((12.0 * part) as usize, (60.0 * part) as usize);
        for k in 0..DIMENSIONS {
            points[[i, k]] = coarse[group][k] + fine[within][k] + noise[i][k];
        }
    }
    Points::Dense(points)
}

#[test]
fn five_thousand_points_reach_the_same_divergence_by_harmonics_and_by_exact_sums() {
    let found = similarities(&Data::Points(mixture(5_000)), &SimilarityParams::default(), &mut Silent).unwrap();
    let p = normalize(&found.similarity, &normalize::Params::default()).unwrap();
    let map = |method| -> Embedding {
        let params = optimize::Params { repulsion: method, ..Default::default() };
        embed(&p, &params, &mut Silent).unwrap()
    };
    let (fast, exact) = (map(repulsion::Method::Harmonic), map(repulsion::Method::Exact));
    assert!((fast.kl / exact.kl - 1.0).abs() < 5e-3, "{} {}", fast.kl, exact.kl);
}
