//! The methods that are compared, and how each computes its map.

use crate::{
    baseline::{ScalingOptions, nonmetric_scaling},
    error::Error,
    kernel::Kernel,
    named,
    normalization::Affinities,
    observe::Observer,
    optimize::{EmbedOptions, Radius, embed},
    quality::Subject,
    space::Space,
};
use ndarray::Array2;

/// A method that the paper proposes or compares with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Doubly stochastic similarities, on the sphere.
    Dosnes,
    /// Row-normalised similarities, on the sphere: the simplest way to reduce the influence of popular items.
    Rows,
    /// t-SNE in the plane.
    Tsne2,
    /// t-SNE in space.
    Tsne3,
    /// Gaussian s-SNE in the plane.
    Ssne2,
    /// Gaussian s-SNE in space.
    Ssne3,
    /// Non-metric multidimensional scaling in the plane.
    Mds2,
    /// Non-metric multidimensional scaling in space.
    Mds3,
    /// Non-metric multidimensional scaling on the sphere.
    MdsSphere,
}

named!(Method, "method", {
    Dosnes => ("dosnes", "doubly stochastic similarities on the sphere"),
    Rows => ("rows", "row-normalised similarities on the sphere, without equal sums"),
    Tsne2 => ("tsne-2d", "t-SNE in the plane"),
    Tsne3 => ("tsne-3d", "t-SNE in space"),
    Ssne2 => ("ssne-2d", "Gaussian s-SNE in the plane"),
    Ssne3 => ("ssne-3d", "Gaussian s-SNE in space"),
    Mds2 => ("mds-2d", "non-metric multidimensional scaling in the plane"),
    Mds3 => ("mds-3d", "non-metric multidimensional scaling in space"),
    MdsSphere => ("mds-sphere", "non-metric multidimensional scaling on the sphere"),
});

/// A map by one of the methods.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodMap {
    /// One row per item.
    pub coordinates: Array2<f64>,
    /// Kruskal's stress, for multidimensional scaling.
    pub stress: Option<f64>,
    /// Number of landmarks, if there were too many items for all pairs.
    pub landmarks: Option<usize>,
}

impl Method {
    /// The methods, the most informative first: the order for a page.
    pub const TELLING: [Self; 9] = [
        Self::Dosnes,
        Self::Tsne2,
        Self::Mds2,
        Self::Rows,
        Self::MdsSphere,
        Self::Ssne2,
        Self::Tsne3,
        Self::Ssne3,
        Self::Mds3,
    ];

    /// Its display name.
    pub fn label(self) -> &'static str {
        match self {
            Self::Dosnes => "DOSNES",
            Self::Rows => "rows, sphere",
            Self::Tsne2 => "t-SNE 2D",
            Self::Tsne3 => "t-SNE 3D",
            Self::Ssne2 => "s-SNE 2D",
            Self::Ssne3 => "s-SNE 3D",
            Self::Mds2 => "MDS 2D",
            Self::Mds3 => "MDS 3D",
            Self::MdsSphere => "MDS sphere",
        }
    }

    /// The space of its maps.
    pub fn space(self) -> Space {
        match self {
            Self::Dosnes | Self::Rows | Self::MdsSphere => Space::Sphere,
            Self::Tsne2 | Self::Ssne2 | Self::Mds2 => Space::Plane,
            Self::Tsne3 | Self::Ssne3 | Self::Mds3 => Space::Volume,
        }
    }

    /// The kernel of its Q. Multidimensional scaling has no kernel of its own and is measured with that of t-SNE.
    pub fn kernel(self) -> Kernel {
        if matches!(self, Self::Ssne2 | Self::Ssne3) { Kernel::Gaussian } else { Kernel::Cauchy }
    }

    /// Whether it is multidimensional scaling, where only the choice of landmarks is random.
    pub fn is_scaling(self) -> bool {
        matches!(self, Self::Mds2 | Self::Mds3 | Self::MdsSphere)
    }

    /// The similarities that it embeds: doubly stochastic for DOSNES, row-normalised, or as given.
    pub fn affinities<'a>(self, subject: &'a Subject<'_>) -> &'a Affinities {
        match self {
            Self::Dosnes => subject.affinities(),
            Self::Rows => subject.row_normalized(),
            _ => subject.given(),
        }
    }

    /// Computes its map. Multidimensional scaling may use `memory_limit` bytes; `radius` is for the other methods on the
    /// sphere.
    pub fn make(
        self,
        subject: &Subject<'_>,
        radius: Radius,
        seed: u64,
        memory_limit: u64,
        observer: &mut dyn Observer,
    ) -> Result<MethodMap, Error> {
        if self.is_scaling() {
            let options = ScalingOptions { space: self.space(), memory_limit, seed, ..ScalingOptions::default() };
            let scaling = nonmetric_scaling(&subject.distances()?, &options, observer)?;
            if scaling.stopped {
                return Err(Error::Stopped);
            }
            Ok(MethodMap {
                coordinates: scaling.coordinates,
                stress: Some(scaling.stress),
                landmarks: scaling.landmarks,
            })
        } else {
            let options =
                EmbedOptions { space: self.space(), kernel: self.kernel(), radius, seed, ..EmbedOptions::default() };
            let embedding = embed(self.affinities(subject), &options, observer)?;
            if embedding.stopped {
                return Err(Error::Stopped);
            }
            Ok(MethodMap { coordinates: embedding.coordinates, stress: None, landmarks: None })
        }
    }
}
