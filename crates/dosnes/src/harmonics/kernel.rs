//! The two similarity kernels, as functions of the squared chordal distance.

/// The similarity q(d²) that is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// q = 1/(1+d²), the heavy-tailed kernel of t-SNE and DOSNES.
    Cauchy,
    /// q = e^{−d²}, the kernel of SNE.
    Gaussian,
}

impl Kernel {
    /// q at the squared distance `d2`.
    #[inline]
    pub fn similarity(self, d2: f64) -> f64 {
        match self {
            Self::Cauchy => 1.0 / (1.0 + d2),
            Self::Gaussian => (-d2).exp(),
        }
    }

    /// f = −dq/d(d²), the factor of y_i − y_j in the force: q² (Cauchy) or q (Gaussian).
    #[inline]
    pub fn stiffness(self, d2: f64) -> f64 {
        match self {
            Self::Cauchy => {
                let q = 1.0 / (1.0 + d2);
                q * q
            }
            Self::Gaussian => (-d2).exp(),
        }
    }
}
