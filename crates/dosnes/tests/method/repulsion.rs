//! Fast sums give maps as good as those of exact sums.

use dosnes::{
    Data, EmbedOptions, Embedding, NormalizeOptions, RepulsionMethod, SimilarityOptions, embed, input::Points,
    normalize, observe::Silent, similarities,
};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Clusters of very unequal size in 20 dimensions, each with clusters of its own.
fn mixture(n: usize) -> Points<'static> {
    const DIMENSIONS: usize = 20;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut centres = |count: usize, size: f32| -> Vec<[f32; DIMENSIONS]> {
        (0..count).map(|_| std::array::from_fn(|_| size * (random.random::<f32>() - 0.5))).collect()
    };
    let (coarse, fine, noise) = (centres(12, 20.0), centres(60, 6.0), centres(n, 2.0));
    let mut points = Array2::zeros((n, DIMENSIONS));
    for i in 0..n {
        // The square makes the first clusters the largest.
        let part = (i as f64 / n as f64).powi(2);
        let (group, within) = ((12.0 * part) as usize, (60.0 * part) as usize);
        for k in 0..DIMENSIONS {
            points[[i, k]] = coarse[group][k] + fine[within][k] + noise[i][k];
        }
    }
    Points::from(points)
}

#[test]
fn five_thousand_points_reach_the_same_divergence_by_harmonics_and_by_exact_sums() {
    let data = Data::Points(mixture(5_000));
    let found = similarities(&data, &SimilarityOptions::default(), &mut Silent).unwrap();
    let p = normalize(&found.similarity, &NormalizeOptions::default(), &mut Silent).unwrap();
    let map = |method| -> Embedding {
        let params = EmbedOptions { repulsion: method, ..Default::default() };
        embed(&p, &params, &mut Silent).unwrap()
    };
    let (fast, exact) = (map(RepulsionMethod::Harmonic), map(RepulsionMethod::Exact));
    assert!((fast.kl / exact.kl - 1.0).abs() < 5e-3, "{} {}", fast.kl, exact.kl);
}
