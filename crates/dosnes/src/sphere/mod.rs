//! Geometry of points on the unit sphere.

mod centre;
mod vector;

pub(crate) use centre::{centre, project_to_centred_tangent};
pub(crate) use vector::{Vec3, add_scaled, dot, norm, tangential, unit};

use rand::{Rng, RngExt};

/// A direction drawn uniformly from the sphere.
pub(crate) fn random_direction(rng: &mut impl Rng) -> Vec3 {
    let z: f64 = rng.random_range(-1.0..1.0);
    let angle = rng.random_range(0.0..std::f64::consts::TAU);
    let ring = (1.0 - z * z).sqrt();
    [ring * angle.cos(), ring * angle.sin(), z]
}
