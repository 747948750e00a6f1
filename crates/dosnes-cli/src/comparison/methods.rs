//! The methods that are compared, and how each makes its map.

use crate::{comparison::Subject, failure, progress::Watch};
use anyhow::Result;
use clap::ValueEnum;
use dosnes::{
    DoublyStochastic,
    baseline::{ScalingParams, nonmetric_scaling},
    optimize::{self, Space},
    repulsion::Kernel,
};
use ndarray::Array2;

/// A method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// Doubly stochastic similarities, on the sphere.
    Dosnes,
    /// t-SNE in the plane.
    #[value(name = "tsne-2d")]
    Tsne2,
    /// Non-metric multidimensional scaling in the plane.
    #[value(name = "mds-2d")]
    Mds2,
    /// Non-metric multidimensional scaling on the sphere.
    MdsSphere,
    /// Gaussian s-SNE in the plane.
    #[value(name = "ssne-2d")]
    Ssne2,
    /// t-SNE in space.
    #[value(name = "tsne-3d")]
    Tsne3,
    /// Gaussian s-SNE in space.
    #[value(name = "ssne-3d")]
    Ssne3,
    /// Non-metric multidimensional scaling in space.
    #[value(name = "mds-3d")]
    Mds3,
}

/// A map, and what is worth telling of how it was made.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    /// One row an item.
    pub(crate) coordinates: Array2<f64>,
    /// Seconds that it took.
    pub(crate) seconds: f64,
    /// Kruskal's stress, of multidimensional scaling.
    pub(crate) stress: Option<f64>,
    /// Landmarks, where there were too many items for all pairs.
    pub(crate) landmarks: Option<usize>,
}

/// All that maps are made of.
pub(crate) struct Recipe<'a> {
    /// The data.
    pub(crate) subject: &'a Subject<'a>,
    /// The similarities as given, not normalised.
    pub(crate) given: &'a DoublyStochastic,
    /// Bytes that multidimensional scaling may take.
    pub(crate) memory_limit: u64,
}

impl Method {
    /// All methods, in the order of tables and pages.
    pub(crate) const ALL: [Self; 8] =
        [Self::Dosnes, Self::Tsne2, Self::Tsne3, Self::Ssne2, Self::Ssne3, Self::Mds2, Self::Mds3, Self::MdsSphere];

    /// Its name in files.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Dosnes => "dosnes",
            Self::Tsne2 => "tsne-2d",
            Self::Tsne3 => "tsne-3d",
            Self::Ssne2 => "ssne-2d",
            Self::Ssne3 => "ssne-3d",
            Self::Mds2 => "mds-2d",
            Self::Mds3 => "mds-3d",
            Self::MdsSphere => "mds-sphere",
        }
    }

    /// Its name for people.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Dosnes => "DOSNES",
            Self::Tsne2 => "t-SNE 2D",
            Self::Tsne3 => "t-SNE 3D",
            Self::Ssne2 => "s-SNE 2D",
            Self::Ssne3 => "s-SNE 3D",
            Self::Mds2 => "MDS 2D",
            Self::Mds3 => "MDS 3D",
            Self::MdsSphere => "MDS sphere",
        }
    }

    /// Where its points live.
    pub(crate) fn space(self) -> Space {
        match self {
            Self::Dosnes | Self::MdsSphere => Space::Sphere,
            Self::Tsne2 | Self::Ssne2 | Self::Mds2 => Space::Plane,
            Self::Tsne3 | Self::Ssne3 | Self::Mds3 => Space::Space,
        }
    }

    /// The kernel that its Q has; scaling has none of its own and is judged by t-SNE's.
    pub(crate) fn kernel(self) -> Kernel {
        if matches!(self, Self::Ssne2 | Self::Ssne3) { Kernel::Gaussian } else { Kernel::Cauchy }
    }

    /// Whether it is multidimensional scaling, which knows no chance.
    pub(crate) fn is_scaling(self) -> bool {
        matches!(self, Self::Mds2 | Self::Mds3 | Self::MdsSphere)
    }

    /// Makes its map; `None` if Ctrl-C stopped it.
    pub(crate) fn make(self, recipe: &Recipe<'_>, seed: u64, watch: &mut Watch) -> Result<Option<Made>> {
        let started = std::time::Instant::now();
        let of_library = |error| failure::of_library(error, &recipe.subject.items);
        let made = if self.is_scaling() {
            let params = ScalingParams {
                space: self.space(),
                memory_limit: recipe.memory_limit,
                seed,
                ..ScalingParams::default()
            };
            let scaling = recipe
                .subject
                .with_distances(|rows| nonmetric_scaling(rows, &params, watch))
                .map_err(of_library)?
                .map_err(of_library)?;
            if scaling.stopped {
                return Ok(None);
            }
            (scaling.coordinates, Some(scaling.stress), scaling.landmarks)
        } else {
            let p = if self == Self::Dosnes { recipe.subject.p } else { recipe.given };
            let params =
                optimize::Params { space: self.space(), kernel: self.kernel(), seed, ..optimize::Params::default() };
            let embedding = dosnes::embed(p, &params, watch).map_err(of_library)?;
            if embedding.stopped {
                return Ok(None);
            }
            (embedding.coordinates, None, None)
        };
        watch.end();
        let (coordinates, stress, landmarks) = made;
        Ok(Some(Made { coordinates, seconds: started.elapsed().as_secs_f64(), stress, landmarks }))
    }
}
