//! What the optimizers on the sphere share.

use crate::sphere::Vec3;

/// Longest step of a point, in radians.
pub(super) const LONGEST_STEP: f64 = 0.2;
/// Largest change of log r in a step.
pub(super) const LONGEST_RADIUS_STEP: f64 = 0.3;
/// The radius does not fall below this. At it the kernel is nearly the same for all pairs, so that less would only hide
/// the differences that later, less exaggerated steps need.
pub(super) const SMALLEST_RADIUS: f64 = 0.3;
/// Below this curvature Newton's step for the radius is not trusted.
pub(super) const SMALLEST_RADIUS_CURVATURE: f64 = 0.05;

/// Where an optimizer is.
pub(super) struct SphereState {
    pub(super) u: Vec<Vec3>,
    pub(super) r: f64,
}

/// How a run ended.
pub(super) struct Outcome {
    pub(super) kl: f64,
    pub(super) iterations: usize,
    pub(super) stopped: bool,
}
