//! The choice of the repulsion method, by the space and the number of points.

use super::{Exact, Fft, Harmonic, Repulsion, RepulsionMethod, SphereRepulsion, Tree};
use crate::{
    error::{Error, Parameter},
    kernel::Kernel,
    optimize::Optimizer,
    space::Space,
};

/// Up to this number of points all sums are exact, in double precision. (The faster methods win from a few hundred
/// points on, but saving a few milliseconds per iteration is not worth an error.)
pub(crate) const FEW: usize = 1000;

impl RepulsionMethod {
    /// The method that is used for `n` points: never [`RepulsionMethod::Auto`]. The paper's optimizer sums over every pair, unless it
    /// is told otherwise.
    pub(crate) fn plan(self, n: usize, space: Space, optimizer: Optimizer) -> Result<Self, Error> {
        let on_sphere = space == Space::Sphere && optimizer == Optimizer::Auto;
        let wrong = |expected| Err(Error::parameter(Parameter::Repulsion, self.name(), expected));
        match self {
            Self::Auto if optimizer == Optimizer::Paper => Ok(Self::Exact),
            Self::Auto => Ok(match space {
                Space::Sphere if n > FEW => Self::Harmonic,
                Space::Plane if n > FEW => Self::Fft,
                Space::Volume if n > FEW => Self::Tree,
                _ => Self::Exact,
            }),
            Self::Harmonic if !on_sphere => {
                wrong("harmonics need the sphere and its own optimizer; use auto, exact or tree")
            }
            Self::Fft if space != Space::Plane => wrong("the grid lies in the plane; use auto, exact or tree"),
            Self::Exact | Self::Harmonic | Self::Fft | Self::Tree => Ok(self),
        }
    }

    /// The method for the plane; none where it is not for the plane, or still to be chosen by [`RepulsionMethod::plan`].
    pub(crate) fn in_plane(self, kernel: Kernel) -> Option<Box<dyn Repulsion<2>>> {
        match self {
            Self::Exact => Some(Box::new(Exact::<2>::new(kernel))),
            Self::Fft => Some(Box::new(Fft::new(kernel))),
            Self::Tree => Some(Box::new(Tree::<2>::new(kernel))),
            Self::Auto | Self::Harmonic => None,
        }
    }

    /// The method for space, as [`RepulsionMethod::in_plane`].
    pub(crate) fn in_space(self, kernel: Kernel) -> Option<Box<dyn Repulsion<3>>> {
        match self {
            Self::Exact => Some(Box::new(Exact::<3>::new(kernel))),
            Self::Tree => Some(Box::new(Tree::<3>::new(kernel))),
            Self::Auto | Self::Harmonic | Self::Fft => None,
        }
    }

    /// The method for the sphere, as [`RepulsionMethod::in_plane`].
    pub(crate) fn on_sphere(self, kernel: Kernel) -> Option<Box<dyn SphereRepulsion>> {
        match self {
            Self::Exact => Some(Box::new(Exact::<3>::new(kernel))),
            Self::Harmonic => Some(Box::new(Harmonic::new(kernel))),
            Self::Tree => Some(Box::new(Tree::<3>::new(kernel))),
            Self::Auto | Self::Fft => None,
        }
    }
}
