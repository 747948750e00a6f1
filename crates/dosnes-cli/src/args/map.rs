//! Options about the three stages: similarities, normalisation, embedding.

use super::choice;
use clap::Args;
use dosnes::{
    Affinity, EmbedOptions, Kernel, Normalization, NormalizeOptions, Reduction, RepulsionMethod, SimilarityOptions,
    Space, neighbors::Metric, normalization::Diagonal, optimize::Optimizer,
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
    #[arg(long, value_name = "NAME", value_parser = choice::<Metric>(), default_value_t = Metric::Euclidean)]
    pub(crate) metric: Metric,
    /// How distances become similarities.
    #[arg(long, value_name = "NAME", value_parser = choice::<Affinity>(), default_value_t = Affinity::Entropic)]
    pub(crate) affinity: Affinity,
    /// Principal components first: `auto` (50, if there are more than 100 columns), `none`, or their number.
    #[arg(long, value_name = "auto|none|N", default_value = "auto", value_parser = reduction)]
    pub(crate) pca: Reduction,
}

/// How similarities are made doubly stochastic.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Normalisation")]
pub(crate) struct NormalizeArgs {
    /// How similarities are made doubly stochastic.
    #[arg(long, value_name = "NAME", value_parser = choice::<Normalization>(), default_value_t = Normalization::Auto)]
    pub(crate) normalize: Normalization,
    /// When the diagonal is left out.
    #[arg(long, value_name = "NAME", value_parser = choice::<Diagonal>(), default_value_t = Diagonal::Zero)]
    pub(crate) diagonal: Diagonal,
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
    #[arg(long, value_name = "NAME", value_parser = choice::<Space>(), default_value_t = Space::Sphere)]
    pub(crate) space: Space,
    /// The similarity on the map: cauchy is t-SNE's 1/(1+d²), gaussian is s-SNE's exp(−d²).
    #[arg(long, value_name = "NAME", value_parser = choice::<Kernel>(), default_value_t = Kernel::Cauchy)]
    pub(crate) kernel: Kernel,
    /// How the points are moved.
    #[arg(long, value_name = "NAME", value_parser = choice::<Optimizer>(), default_value_t = Optimizer::Auto)]
    pub(crate) optimizer: Optimizer,
    /// Where the points start: `auto`, `random`, `spectral`, or a map in a file, matched by id.
    #[arg(long, value_name = "auto|random|spectral|FILE", default_value = "auto", value_parser = init)]
    pub(crate) init: InitArg,
    /// How repulsion is summed.
    #[arg(long, value_name = "NAME", value_parser = choice::<RepulsionMethod>(), default_value_t = RepulsionMethod::Auto)]
    pub(crate) repulsion: RepulsionMethod,
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

impl SimilarityArgs {
    /// As the library wants it.
    pub(crate) fn options(&self, seed: u64) -> SimilarityOptions {
        SimilarityOptions {
            affinity: self.affinity,
            perplexity: self.perplexity,
            neighbors: self.neighbors,
            metric: self.metric,
            reduction: self.pca,
            seed,
            ..SimilarityOptions::default()
        }
    }
}

impl NormalizeArgs {
    /// As the library wants it.
    pub(crate) fn options(&self, memory_limit: u64) -> NormalizeOptions {
        let defaults = NormalizeOptions::default();
        NormalizeOptions {
            method: self.normalize,
            diagonal: self.diagonal,
            strict: self.strict,
            softness: self.softness.unwrap_or(defaults.softness),
            memory_limit,
            ..defaults
        }
    }
}

impl EmbeddingArgs {
    /// As the library wants it, but for a start from a file.
    pub(crate) fn options(&self) -> EmbedOptions {
        EmbedOptions {
            space: self.space,
            kernel: self.kernel,
            optimizer: self.optimizer,
            repulsion: self.repulsion,
            exaggeration: self.exaggeration,
            max_iterations: self.iterations,
            learning_rate: self.learning_rate,
            seed: self.seed,
            ..EmbedOptions::default()
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
