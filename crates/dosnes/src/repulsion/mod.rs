//! The repulsive half of the gradient: sums over all pairs of the map.

mod exact;
mod harmonic;

pub(crate) use exact::Exact;
pub(crate) use harmonic::Harmonic;

use crate::sphere::Vec3;

/// The similarity of two points of the map as a function of their squared distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kernel {
    /// q = 1/(1 + d²): t-SNE's.
    #[default]
    Cauchy,
    /// q = exp(−d²): s-SNE's.
    Gaussian,
}

/// Sums over all ordered pairs i ≠ j.
///
/// Scaling the whole map by e^s changes Z; its first two derivatives at s = 0 let the radius be solved for on its own.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Totals {
    /// Z = Σ q_ij.
    pub(crate) z: f64,
    /// dZ/ds.
    pub(crate) slope: f64,
    /// d²Z/ds², where the method computes it.
    pub(crate) curvature: Option<f64>,
}

/// How repulsion is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// By size: exact for few points, else the fastest method for the space.
    #[default]
    Auto,
    /// Every pair.
    Exact,
    /// Spherical harmonics and cells, on the sphere.
    Harmonic,
}

/// A way to compute the repulsive forces in the plane or in space.
pub(crate) trait Repulsion<const D: usize> {
    /// Sets `forces[i]` to Σ_j w_ij (y_i − y_j) with w = q² (Cauchy) or q (Gaussian), and returns the totals.
    fn evaluate(&mut self, y: &[[f64; D]], forces: &mut [[f64; D]]) -> Totals;
}

/// A way to compute the repulsive forces on the sphere of radius `r` at the directions `u`.
pub(crate) trait SphereRepulsion {
    /// Sets `forces[i]` to Σ_j w_ij (y_i − y_j), y = r u, as [`Repulsion::evaluate`]. Only the tangential part is used, and a
    /// method may leave out the rest.
    fn evaluate(&mut self, u: &[Vec3], r: f64, forces: &mut [Vec3]) -> Totals;
}
