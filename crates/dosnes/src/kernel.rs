//! The similarity of two points of a map.

use crate::named;

/// The similarity of two points of a map as a function of their squared distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Kernel {
    /// q = 1/(1 + d²), as in t-SNE.
    #[default]
    Cauchy,
    /// q = exp(−d²), as in s-SNE.
    Gaussian,
}

named!(Kernel, "kernel", {
    Cauchy => ("cauchy", "1/(1+d²), as in t-SNE"),
    Gaussian => ("gaussian", "exp(−d²), as in s-SNE"),
});

impl Kernel {
    /// q − 1 at the squared distance `d2`, accurate also for small `d2`.
    #[inline]
    pub(crate) fn less_one(self, d2: f64) -> f64 {
        match self {
            Self::Cauchy => -d2 / (1.0 + d2),
            Self::Gaussian => (-d2).exp_m1(),
        }
    }
}
