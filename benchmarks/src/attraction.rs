//! Data for measurements of attraction: 70,000 points on the sphere with 120 neighbours each along a curve, sorted
//! along the curve. This is about the size of MNIST at perplexity 30.

use dosnes::CsrMatrix;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Number of points.
pub const POINTS: usize = 70_000;
/// Number of similarities of a point with the points that follow it.
const NEIGHBORS: usize = 60;
/// Bytes of a pair: its index and its similarity in single precision.
pub const PAIR: usize = 8;

/// Points along a spiral from pole to pole: neighbours in the order are neighbours on the sphere.
pub fn spiral() -> Vec<[f64; 3]> {
    let place = |i: usize| {
        let z: f64 = 1.0 - (2.0 * i as f64 + 1.0) / POINTS as f64;
        let (ring, angle) = ((1.0 - z * z).sqrt(), 600.0 * z);
        [ring * angle.cos(), ring * angle.sin(), z]
    };
    (0..POINTS).map(place).collect()
}

/// Similarities of each point with some of the points that follow it.
#[allow(clippy::missing_panics_doc, reason = "all entries are inside the matrix")]
pub fn similarities() -> CsrMatrix<'static> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut triplets = Vec::with_capacity(2 * POINTS * NEIGHBORS);
    for i in 0..POINTS {
        for _ in 0..NEIGHBORS {
            let j = (i + random.random_range(1..2000)) % POINTS;
            triplets.extend([(i as u32, j as u32, 1.0), (j as u32, i as u32, 1.0)]);
        }
    }
    CsrMatrix::from_triplets((POINTS, POINTS), &triplets).expect("entries inside the matrix")
}
