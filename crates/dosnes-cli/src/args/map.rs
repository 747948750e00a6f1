//! Options about the three stages: similarities, normalisation, embedding.

use anyhow::Result;
use clap::{Args, ValueEnum};
use dosnes::{
    Affinity, Reduction, SimilarityParams,
    neighbors::Metric,
    normalize::{self, Diagonal, Method},
    optimize::{self, Optimizer, Space},
    repulsion::{self, Kernel},
};
use std::path::PathBuf;

/// All three stages.
#[derive(Debug, Clone, Args)]
pub(crate) struct MapArgs {
    /// The first.
    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,
    /// The second.
    #[command(flatten)]
    pub(crate) normalize: NormalizeArgs,
    /// The third.
    #[command(flatten)]
    pub(crate) embed: EmbeddingArgs,
}

/// How points and distances become similarities.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Similarities of points and distances")]
pub(crate) struct SimilarityArgs {
    /// The effective number of neighbours of entropic similarities [default: 30, or what few items allow].
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) perplexity: Option<f64>,
    /// Number of neighbours [default: three times the perplexity; 15 for a neighbor-graph].
    #[arg(long, value_name = "N")]
    pub(crate) neighbors: Option<usize>,
    /// The distance between points.
    #[arg(long, value_enum, default_value_t = MetricArg::Euclidean)]
    pub(crate) metric: MetricArg,
    /// How distances become similarities.
    #[arg(long, value_enum, default_value_t = AffinityArg::Entropic)]
    pub(crate) affinity: AffinityArg,
    /// Principal components first: `auto` (50, if there are more than 100 columns), `none`, or their number.
    #[arg(long, value_name = "auto|none|N", default_value = "auto", value_parser = reduction)]
    pub(crate) pca: Reduction,
}

/// How similarities are made doubly stochastic.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Normalisation")]
pub(crate) struct NormalizeArgs {
    /// How similarities are made doubly stochastic.
    #[arg(long, value_enum, default_value_t = MethodArg::Auto)]
    pub(crate) normalize: MethodArg,
    /// When the diagonal is left out.
    #[arg(long, value_enum, default_value_t = DiagonalArg::Zero)]
    pub(crate) diagonal: DiagonalArg,
    /// How soft the scaling is where no exact one exists: smaller is more equal, and takes more from the similarities
    /// between strong items [default: 0.134].
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) softness: Option<f64>,
    /// Fail where no exact scaling exists, and name the items that are in the way.
    #[arg(long)]
    pub(crate) strict: bool,
}

/// How the points are placed.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Embedding")]
pub(crate) struct EmbeddingArgs {
    /// Where the points live.
    #[arg(long, value_enum, default_value_t = SpaceArg::Sphere)]
    pub(crate) space: SpaceArg,
    /// The similarity on the map: cauchy is t-SNE's 1/(1+d²), gaussian is s-SNE's exp(−d²).
    #[arg(long, value_enum, default_value_t = KernelArg::Cauchy)]
    pub(crate) kernel: KernelArg,
    /// How the points are moved.
    #[arg(long, value_enum, default_value_t = OptimizerArg::Auto)]
    pub(crate) optimizer: OptimizerArg,
    /// Where the points start: `auto`, `random`, `spectral`, or a map in a file, matched by id.
    #[arg(long, value_name = "auto|random|spectral|FILE", default_value = "auto", value_parser = init)]
    pub(crate) init: InitArg,
    /// How repulsion is summed.
    #[arg(long, value_enum, default_value_t = RepulsionArg::Auto)]
    pub(crate) repulsion: RepulsionArg,
    /// By how much attraction is exaggerated at first [default: 100 on the sphere, 12 elsewhere, 4 for the paper's].
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) exaggeration: Option<f64>,
    /// Most steps [default: 1500 on the sphere, 1000 elsewhere].
    #[arg(long, value_name = "N")]
    pub(crate) iterations: Option<usize>,
    /// The learning rate of momentum methods (plane, space, the paper's) [default: by size].
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) learning_rate: Option<f64>,
    /// Seed of everything random.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
}

/// The distance between points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum MetricArg {
    Euclidean,
    Cosine,
    Correlation,
    Manhattan,
    Hamming,
    Jaccard,
}

/// How distances become similarities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AffinityArg {
    /// Every item has the same effective number of neighbours.
    Entropic,
    /// The same, symmetric and doubly stochastic from the start (SNEkhorn).
    SymmetricEntropic,
    /// Who is among whose nearest, nothing more.
    NeighborGraph,
}

/// How similarities are made doubly stochastic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodArg {
    /// The walk for dyadic data, sinkhorn otherwise.
    Auto,
    /// Scaling by Sinkhorn and Knopp.
    Sinkhorn,
    /// The paper's two-step random walk.
    Walk,
    /// The nearest doubly stochastic matrix; dense, for a few thousand items.
    ZassShashua,
    /// As they are: plain t-SNE and s-SNE.
    None,
}

/// When the diagonal is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiagonalArg {
    /// Before scaling, so that the sums over other items become equal.
    Zero,
    /// After scaling, as in the authors' code.
    Dropped,
}

/// Where the points live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpaceArg {
    /// A sphere of free radius.
    Sphere,
    /// Two coordinates.
    Plane,
    /// Three coordinates.
    Space,
}

/// The similarity on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the option's help says it")]
pub(crate) enum KernelArg {
    Cauchy,
    Gaussian,
}

/// How the points are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OptimizerArg {
    /// The best one for the space.
    Auto,
    /// The paper's, to the letter.
    Paper,
}

/// How repulsion is summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RepulsionArg {
    /// Exactly for few items, else the fastest way for the space.
    Auto,
    /// Over every pair.
    Exact,
    /// By spherical harmonics and cells; on the sphere.
    Harmonic,
    /// On a grid, by Fourier transforms; in the plane.
    Fft,
    /// Over Barnes and Hut's tree; anywhere.
    Tree,
}

/// Where the points start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InitArg {
    /// The optimizer's own choice.
    Auto,
    /// At random.
    Random,
    /// Laplacian eigenvectors.
    Spectral,
    /// A map in a file.
    File(PathBuf),
}

impl KernelArg {
    /// As the library wants it.
    pub(crate) fn kernel(self) -> Kernel {
        match self {
            Self::Cauchy => Kernel::Cauchy,
            Self::Gaussian => Kernel::Gaussian,
        }
    }
}

impl SimilarityArgs {
    /// As the library wants it.
    pub(crate) fn params(&self, seed: u64) -> SimilarityParams {
        SimilarityParams {
            affinity: match self.affinity {
                AffinityArg::Entropic => Affinity::Entropic,
                AffinityArg::SymmetricEntropic => Affinity::SymmetricEntropic,
                AffinityArg::NeighborGraph => Affinity::NeighborGraph,
            },
            perplexity: self.perplexity,
            neighbors: self.neighbors,
            metric: match self.metric {
                MetricArg::Euclidean => Metric::Euclidean,
                MetricArg::Cosine => Metric::Cosine,
                MetricArg::Correlation => Metric::Correlation,
                MetricArg::Manhattan => Metric::Manhattan,
                MetricArg::Hamming => Metric::Hamming,
                MetricArg::Jaccard => Metric::Jaccard,
            },
            reduction: self.pca,
            seed,
            ..SimilarityParams::default()
        }
    }
}

impl NormalizeArgs {
    /// As the library wants it.
    pub(crate) fn params(&self, memory_limit: u64) -> normalize::Params {
        let defaults = normalize::Params::default();
        normalize::Params {
            method: match self.normalize {
                MethodArg::Auto => Method::Auto,
                MethodArg::Sinkhorn => Method::Sinkhorn,
                MethodArg::Walk => Method::Walk,
                MethodArg::ZassShashua => Method::ZassShashua,
                MethodArg::None => Method::None,
            },
            diagonal: match self.diagonal {
                DiagonalArg::Zero => Diagonal::Zero,
                DiagonalArg::Dropped => Diagonal::Dropped,
            },
            strict: self.strict,
            softness: self.softness.unwrap_or(defaults.softness),
            memory_limit,
            ..defaults
        }
    }
}

impl EmbeddingArgs {
    /// As the library wants it, but for a start from a file.
    pub(crate) fn params(&self) -> optimize::Params {
        optimize::Params {
            space: match self.space {
                SpaceArg::Sphere => Space::Sphere,
                SpaceArg::Plane => Space::Plane,
                SpaceArg::Space => Space::Space,
            },
            kernel: self.kernel.kernel(),
            optimizer: match self.optimizer {
                OptimizerArg::Auto => Optimizer::Auto,
                OptimizerArg::Paper => Optimizer::Paper,
            },
            repulsion: match self.repulsion {
                RepulsionArg::Auto => repulsion::Method::Auto,
                RepulsionArg::Exact => repulsion::Method::Exact,
                RepulsionArg::Harmonic => repulsion::Method::Harmonic,
                RepulsionArg::Fft => repulsion::Method::Fft,
                RepulsionArg::Tree => repulsion::Method::Tree,
            },
            exaggeration: self.exaggeration,
            max_iterations: self.iterations,
            learning_rate: self.learning_rate,
            seed: self.seed,
            ..optimize::Params::default()
        }
    }
}

fn reduction(text: &str) -> Result<Reduction, String> {
    match text {
        "auto" => Ok(Reduction::Auto),
        "none" => Ok(Reduction::None),
        number => match number.parse() {
            Ok(count) if count > 0 => Ok(Reduction::Components(count)),
            _ => Err("give `auto`, `none` or a number of components".into()),
        },
    }
}

#[allow(clippy::unnecessary_wraps, reason = "clap's parsers may fail")]
fn init(text: &str) -> Result<InitArg, String> {
    Ok(match text {
        "auto" => InitArg::Auto,
        "random" => InitArg::Random,
        "spectral" => InitArg::Spectral,
        file => InitArg::File(file.into()),
    })
}
