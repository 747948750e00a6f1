//! Typical layouts of embeddings on the unit sphere, shared by tests and benchmarks.

use crate::random::{GOLDEN, mix};
use std::f64::consts::PI;

/// A small random number generator (SplitMix64 by Steele, Lea and Flood): layouts are the same on every platform.
pub struct Random(u64);

impl Random {
    /// A generator whose numbers depend on the seed only.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        let z = mix(self.0);
        self.0 = self.0.wrapping_add(GOLDEN);
        (z >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Standard normal, by the Box-Muller method.
    pub fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (2.0 * PI * self.uniform()).cos()
    }

    /// Uniform on the sphere.
    pub fn direction(&mut self) -> [f64; 3] {
        unit([self.normal(), self.normal(), self.normal()])
    }

    /// A point around a centre, from a normal distribution of the given width in radians.
    pub fn around(&mut self, centre: [f64; 3], width: f64) -> [f64; 3] {
        unit(centre.map(|c| c + width * self.normal()))
    }
}

/// A vector of length 1 in the same direction.
pub fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}

/// The kinds of layouts that occur while a map is optimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Uniform on the sphere.
    Uniform,
    /// Ten classes, each a bundle of filaments, as in maps of digits.
    Clusters,
    /// Hubs with tight stars of leaves, with sizes from a power law, as in maps of scale-free graphs.
    Stars,
    /// All points in one small spot, a hundredth of a radian wide.
    Clump,
    /// The same at the north pole, with some points exactly at both poles.
    PolarClump,
    /// Two spots opposite each other.
    Antipodes,
}

/// All layouts.
pub const ALL: [Layout; 6] =
    [Layout::Uniform, Layout::Clusters, Layout::Stars, Layout::Clump, Layout::PolarClump, Layout::Antipodes];

impl Layout {
    /// `n` points of this layout, which depend on the seed.
    pub fn points(self, n: usize, seed: u64) -> Vec<[f64; 3]> {
        let mut random = Random::new(seed);
        match self {
            Self::Uniform => (0..n).map(|_| random.direction()).collect(),
            Self::Clusters => {
                let filaments: Vec<([f64; 3], [f64; 3])> = (0..10)
                    .flat_map(|_| {
                        let centre = random.direction();
                        (0..12).map(|_| (random.around(centre, 0.2), random.around(centre, 0.2))).collect::<Vec<_>>()
                    })
                    .collect();
                (0..n)
                    .map(|i| {
                        let (from, to) = filaments[i % filaments.len()];
                        let t = random.uniform();
                        let on_line = unit(std::array::from_fn(|axis| from[axis] + t * (to[axis] - from[axis])));
                        random.around(on_line, 0.015)
                    })
                    .collect()
            }
            Self::Stars => {
                let mut points = Vec::with_capacity(n);
                while points.len() < n {
                    let hub = random.direction();
                    let leaves = (1.0 / (1.0 - random.uniform()).powf(0.9)).min(n as f64 / 10.0) as usize + 1;
                    let width = 0.002 * (leaves as f64).sqrt() * 250.0 / (n as f64).sqrt();
                    for _ in 0..leaves.min(n - points.len()) {
                        points.push(random.around(hub, width.min(0.2)));
                    }
                }
                points
            }
            Self::Clump => (0..n).map(|_| random.around(unit([0.3, -0.5, 0.4]), 0.01)).collect(),
            Self::PolarClump => (0..n)
                .map(|i| match i % 50 {
                    0 => [0.0, 0.0, 1.0],
                    1 => [0.0, 0.0, -1.0],
                    _ => random.around([0.0, 0.0, 1.0], 0.01),
                })
                .collect(),
            Self::Antipodes => (0..n)
                .map(|i| {
                    let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
                    random.around(unit([0.6, 0.1, -0.3]).map(|x| sign * x), 0.001)
                })
                .collect(),
        }
    }
}

/// Relative error of vectors in the Euclidean norm.
pub fn relative_error(found: &[[f64; 3]], expected: &[[f64; 3]]) -> f64 {
    let (mut error, mut size) = (0.0, 0.0);
    for (a, b) in found.iter().zip(expected) {
        for axis in 0..3 {
            error += (a[axis] - b[axis]).powi(2);
            size += b[axis].powi(2);
        }
    }
    (error / size.max(f64::MIN_POSITIVE)).sqrt()
}
