//! The repulsive half of the gradient: sums over all pairs of the map.

mod exact;
mod fft;
mod harmonic;
mod plan;
mod tree;

#[cfg(test)]
mod tests;

pub(crate) use exact::Exact;
pub(crate) use fft::Fft;
pub(crate) use harmonic::Harmonic;
pub(crate) use plan::FEW;
pub(crate) use tree::{Field, FixedMap, Tree};

use crate::{named, parallel::sum_over, ranks::Share, sphere::Vec3};

/// Sums over all ordered pairs i ≠ j.
///
/// Scaling the whole map by e^s changes Z. The first two derivatives at s = 0 allow a separate Newton step for the
/// radius.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Z = Σ q_ij.
    pub z: f64,
    /// dZ/ds.
    pub slope: f64,
    /// d²Z/ds², if the method computes it.
    pub curvature: Option<f64>,
}

/// How repulsion is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum RepulsionMethod {
    /// Depends on the size: exact for few points, otherwise the fastest method for the space.
    #[default]
    Auto,
    /// Every pair.
    Exact,
    /// Spherical harmonics and cells; only on the sphere.
    Harmonic,
    /// Interpolation from a grid, on which the sums are convolutions; only in the plane. The tree is used for a map
    /// that is too wide for the grid.
    Fft,
    /// A Barnes-Hut tree; in any space.
    Tree,
}

named!(RepulsionMethod, "method of repulsion", {
    Auto => ("auto", "exact for few items, otherwise the fastest one for the space"),
    Exact => ("exact", "every pair"),
    Harmonic => ("harmonic", "spherical harmonics and cells; only on the sphere"),
    Fft => ("fft", "a grid and Fourier transforms; only in the plane"),
    Tree => ("tree", "a Barnes-Hut tree; in any space"),
});

/// A way to compute the repulsive forces in the plane or in space.
pub trait Repulsion<const D: usize> {
    /// Sets `forces[i]` to Σ_j w_ij (y_i − y_j) with w = q² (Cauchy) or q (Gaussian), and returns the totals.
    fn evaluate(&mut self, y: &[[f64; D]], forces: &mut [[f64; D]]) -> Totals;
}

/// A way to compute the repulsive forces on the sphere of radius `r` at the directions `u`.
pub trait SphereRepulsion {
    /// Sets `forces[i]` to Σ_j w_ij (y_i − y_j), y = r u, as [`Repulsion::evaluate`]. Only the tangential part is used;
    /// a method may omit the rest.
    fn evaluate(&mut self, u: &[Vec3], r: f64, forces: &mut [Vec3]) -> Totals;

    /// The same on several ranks, which all have all directions: `forces` are those of this rank's own points. A method that does
    /// not divide its work computes all of them on every rank.
    #[allow(private_interfaces, reason = "the trait is public for benchmarks only, which do not use this")]
    fn evaluate_share(&mut self, share: &Share<'_>, u: &[Vec3], r: f64, forces: &mut [Vec3]) -> Totals {
        if share.is_alone() {
            return self.evaluate(u, r, forces);
        }
        let mut all = vec![[0.0; 3]; u.len()];
        let totals = self.evaluate(u, r, &mut all);
        forces.copy_from_slice(&all[share.own()]);
        totals
    }
}

/// dZ/ds = −4 Σ_i y_i · Σ_j w_ij (y_i − y_j), from the forces alone: dq/ds is −2 w d² for both kernels,
/// and by symmetry the sum over i is half of Σ_ij w d².
fn virial<const D: usize>(y: &[[f64; D]], forces: &[[f64; D]]) -> f64 {
    -4.0 * sum_over(y.len(), |i| (0..D).map(|k| y[i][k] * forces[i][k]).sum::<f64>())
}
