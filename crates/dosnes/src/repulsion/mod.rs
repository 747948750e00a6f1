//! The repulsive half of the gradient: sums over all pairs of the map.

mod exact;

pub(crate) use exact::Exact;

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
    /// d²Z/ds².
    pub(crate) curvature: f64,
}

impl std::ops::Add for Totals {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { z: self.z + other.z, slope: self.slope + other.slope, curvature: self.curvature + other.curvature }
    }
}

/// A way to compute the repulsive forces in a space of `D` coordinates.
pub(crate) trait Repulsion<const D: usize> {
    /// Sets `forces[i]` to Σ_j w_ij (y_i − y_j) with w = q² (Cauchy) or q (Gaussian), and returns the totals.
    ///
    /// On a sphere only the tangential part of the forces is used, and a method may leave out the rest.
    fn evaluate(&mut self, y: &[[f64; D]], forces: &mut [[f64; D]]) -> Totals;
}
