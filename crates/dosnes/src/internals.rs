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
