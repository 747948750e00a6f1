//! Where the points start.

mod complete;
mod spectral;

pub use complete::complete;
pub(crate) use complete::directions_between;

use crate::{
    error::Error,
    observe::Observer,
    sparse::{Components, CsrMatrix},
    sphere::{Vec3, add_scaled, random_direction, unit},
};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Where the points start.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Init {
    /// Spectral; random for the paper's optimizer.
    #[default]
    Auto,
    /// At random positions.
    Random,
    /// By the leading nontrivial eigenvectors of the similarity graph's Laplacian. If the graph has several components,
    /// this holds for the largest; each of the others starts as a whole at one random place.
    Spectral,
    /// At these coordinates, one row per item. If all rows have the same length, the sphere begins with that radius; otherwise only
    /// their directions count.
    Given(Array2<f64>),
}

/// Random displacement of a point from its spectral position, relative to the sphere's radius: items with equal
/// eigenvector entries must not start at the same place.
const JITTER: f64 = 0.01;

/// Unit vectors to start from.
pub(crate) fn directions(
    p: &CsrMatrix<'_>,
    init: &Init,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Vec<Vec3>, Error> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let n = p.rows();
    Ok(match init {
        Init::Given(start) => (0..n).map(|i| unit(&std::array::from_fn(|k| start[[i, k]]))).collect(),
        Init::Random => (0..n).map(|_| random_direction(&mut rng)).collect(),
        Init::Auto | Init::Spectral => spectral_coordinates::<3>(p, &mut rng, observer)?
            .iter()
            .map(|v| unit(&add_scaled(&unit(v), JITTER, &random_direction(&mut rng))))
            .collect(),
    })
}

/// The radius to start from: that of the given positions, if they are on a sphere.
pub(crate) fn radius(init: &Init) -> Option<f64> {
    const SAME: f64 = 1e-6;
    let Init::Given(start) = init else { return None };
    let lengths = || start.rows().into_iter().map(|row| row.dot(&row).sqrt());
    let first = lengths().next().filter(|r| *r > 0.0 && r.is_finite())?;
    lengths().all(|r| (r - first).abs() <= SAME * first).then_some(first)
}

/// Coordinates in the plane or in space to start from, with standard deviation `spread` along the first axis.
pub(crate) fn euclidean<const D: usize>(
    p: &CsrMatrix<'_>,
    init: &Init,
    spread: f64,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Vec<[f64; D]>, Error> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let n = p.rows();
    Ok(match init {
        Init::Given(start) => (0..n).map(|i| std::array::from_fn(|k| start[[i, k]])).collect(),
        Init::Random => (0..n).map(|_| std::array::from_fn(|_| spread * standard_normal(&mut rng))).collect(),
        Init::Auto | Init::Spectral => {
            let mut y = spectral_coordinates::<D>(p, &mut rng, observer)?;
            let variance = y.iter().map(|y| y[0] * y[0]).sum::<f64>() / n as f64;
            let scale = spread / variance.sqrt().max(f64::MIN_POSITIVE);
            for y in &mut y {
                *y = y.map(|v| scale * v + JITTER * spread * standard_normal(&mut rng));
            }
            y
        }
    })
}

/// Laplacian coordinates of the largest component; each other component gets one random place.
fn spectral_coordinates<const D: usize>(
    p: &CsrMatrix<'_>,
    rng: &mut Xoshiro256PlusPlus,
    observer: &mut dyn Observer,
) -> Result<Vec<[f64; D]>, Error> {
    let components = Components::of(p)?;
    let members = components.largest();
    let largest = members.first().map_or(0, |&i| components.labels()[i]);
    let mut y = vec![[0.0; D]; p.rows()];
    // A small component has too few eigenvectors; any start is as good.
    if members.len() > D + 1 {
        // No copy: the matrix may be most of the memory.
        let vectors = spectral::laplacian_eigenvectors::<D>(p, &members, rng, observer)?;
        for (&i, v) in members.iter().zip(vectors) {
            y[i] = v;
        }
    } else {
        for &i in &members {
            y[i] = std::array::from_fn(|_| standard_normal(rng));
        }
    }
    let places: Vec<[f64; D]> =
        components.sizes().iter().map(|_| std::array::from_fn(|_| standard_normal(rng))).collect();
    for (y, &label) in y.iter_mut().zip(components.labels()) {
        if label != largest {
            *y = places[label as usize];
        }
    }
    Ok(y)
}

/// A standard normal number, by the Box-Muller method.
fn standard_normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
}
