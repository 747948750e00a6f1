//! Private code that the benchmarks measure. It needs the feature `internals` and is not part of the public interface:
//! anything here may change at any time.

/// Sums over the pairs of P.
pub mod attraction {
    pub use crate::optimize::attraction::{Attraction, Precision, Pull};
}

/// Sums over all pairs on the sphere.
pub mod harmonics {
    pub use crate::harmonics::stages::{DoubleStages, SingleStages};
    pub use crate::harmonics::{DEFAULT_TOLERANCE, Error, Kernel, Report, Totals, ZonalSums, exact_sums, layouts};
}

/// Sums over all pairs, by any method.
pub mod repulsion {
    use crate::{Kernel, RepulsionMethod};

    pub use crate::repulsion::{Repulsion, SphereRepulsion, Totals};

    /// The method for the plane, if it is one.
    pub fn in_plane(method: RepulsionMethod, kernel: Kernel) -> Option<Box<dyn Repulsion<2>>> {
        method.in_plane(kernel)
    }

    /// The method for space, if it is one.
    pub fn in_space(method: RepulsionMethod, kernel: Kernel) -> Option<Box<dyn Repulsion<3>>> {
        method.in_space(kernel)
    }

    /// The method for the sphere, if it is one.
    pub fn on_sphere(method: RepulsionMethod, kernel: Kernel) -> Option<Box<dyn SphereRepulsion>> {
        method.on_sphere(kernel)
    }
}
