//! Spherical harmonics for the far field and cells for the near field: see [`crate::harmonics`].

use super::{SphereRepulsion, Totals};
use crate::harmonics::{self, ZonalSums};
use crate::kernel::Kernel;
use crate::ranks::Share;
use crate::sphere::Vec3;

/// Sums on the sphere with a given tolerance, at a cost that hardly depends on the radius.
pub(crate) struct Harmonic {
    sums: ZonalSums,
}

impl Harmonic {
    pub(crate) fn new(kernel: Kernel) -> Self {
        let kernel = match kernel {
            Kernel::Cauchy => harmonics::Kernel::Cauchy,
            Kernel::Gaussian => harmonics::Kernel::Gaussian,
        };
        let sums = ZonalSums::new(kernel, harmonics::DEFAULT_TOLERANCE).expect("the default tolerance is valid");
        Self { sums }
    }
}

impl SphereRepulsion for Harmonic {
    fn evaluate(&mut self, u: &[Vec3], r: f64, forces: &mut [Vec3]) -> Totals {
        self.evaluate_share(&Share::alone(u.len()), u, r, forces)
    }

    fn evaluate_share(&mut self, share: &Share<'_>, u: &[Vec3], r: f64, forces: &mut [Vec3]) -> Totals {
        let totals = self.sums.evaluate_share(share, u, r, forces);
        let totals = totals.expect("unit vectors, a positive radius and one force per point");
        Totals { z: totals.z, slope: totals.z_slope(), curvature: None }
    }
}
