//! Types and limits that the optimizers on the sphere share.

use crate::sphere::Vec3;

/// Longest step of a point, in radians.
pub(super) const LONGEST_STEP: f64 = 0.2;
/// Largest change of log r in an iteration.
pub(super) const LONGEST_RADIUS_STEP: f64 = 0.3;
/// The radius does not fall below this. There the kernel is nearly the same for all pairs; a smaller radius would only
/// hide the differences that later iterations, with less exaggeration, need.
pub(super) const SMALLEST_RADIUS: f64 = 0.3;
/// Below this curvature, Newton's step for the radius is not used.
pub(super) const SMALLEST_RADIUS_CURVATURE: f64 = 0.05;

/// The start: a sphere that is small enough for the kernel to connect all points.
pub(super) const START_RADIUS: f64 = 1.0;

/// The current positions and radius of an optimizer.
pub(super) struct SphereState {
    pub(super) u: Vec<Vec3>,
    pub(super) r: f64,
    /// The radius does not exceed this.
    pub(super) largest_r: f64,
}
