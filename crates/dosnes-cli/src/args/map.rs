//! Options about the three stages: similarities, normalisation, embedding.

use super::{choice, headings};
use clap::Args;
use dosnes::{
    Affinity, Dosnes, EmbedOptions, Kernel, Kind, Normalization, NormalizeOptions, Reduction, RepulsionMethod,
    SimilarityOptions, Space,
    neighbors::Metric,
    normalization::Diagonal,
    optimize::{Optimizer, Radius},
};
use std::path::PathBuf;

/// Options that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Preset {
    /// For drawing graphs: keeps as many neighbours as possible next to each other; sums are not made equal.
    Layout,
}

/// All three stages.
#[derive(Debug, Clone, Args)]
pub(crate) struct MapArgs {
    /// Points and distances to similarities.
    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,
    /// Similarities to doubly stochastic similarities.
    #[command(flatten)]
    pub(crate) normalize: NormalizeArgs,
    /// Options for a purpose. `layout` is for drawing graphs: as many neighbours as possible stay next to each other, and
    /// total similarities are not made equal.
    #[arg(long, value_name = "NAME", value_enum, help_heading = headings::MAP,
        conflicts_with_all = ["normalize", "diagonal", "steps", "softness", "strict", "optimizer", "radius"])]
    pub(crate) preset: Option<Preset>,
    /// Similarities to a map.
    #[command(flatten)]
    pub(crate) embed: EmbeddingArgs,
}

/// How points and distances become similarities.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::SIMILARITY)]
pub(crate) struct SimilarityArgs {
    /// Perplexity: the effective number of neighbours of entropic affinities [default: 30, smaller for few items].
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, help_heading = headings::MOST_USED)]
    pub(crate) perplexity: Option<f64>,
    /// Number of nearest neighbours of each item [default: three times the perplexity; 15 for --affinity neighbor-graph].
    #[arg(long, value_name = "N")]
    pub(crate) neighbors: Option<usize>,
    /// Distance between points [default: euclidean].
    #[arg(long, value_name = "NAME", value_parser = choice::<Metric>(), help_heading = headings::MOST_USED)]
    pub(crate) metric: Option<Metric>,
    /// How distances become similarities [default: entropic].
    #[arg(long, value_name = "NAME", value_parser = choice::<Affinity>())]
    pub(crate) affinity: Option<Affinity>,
    /// Reduce points to principal components first: `auto` (50 components if there are more than 100 columns), `none`, or the number of components [default: auto].
    #[arg(long, value_name = "auto|none|N", value_parser = reduction, help_heading = headings::PREPARATION)]
    pub(crate) pca: Option<Reduction>,
}

/// How similarities are made doubly stochastic.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::NORMALISATION)]
pub(crate) struct NormalizeArgs {
    /// How similarities are made doubly stochastic.
    #[arg(long, value_name = "NAME", value_parser = choice::<Normalization>(), default_value_t = Normalization::Auto)]
    pub(crate) normalize: Normalization,
    /// Longest random walk whose similarities are made equal. 1: only the similarities themselves, as in the paper. 2 to 10:
    /// longer walks and a thin background fill in what direct neighbours leave missing; every graph can then be made equal
    /// [default: 3 for graphs, and for similarities that cannot be made equal; 2 for dyadic data that cannot; otherwise 1].
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<usize>,
    /// How the diagonal (self-similarity) is treated.
    #[arg(long, value_name = "NAME", value_parser = choice::<Diagonal>(), default_value_t = Diagonal::Zero)]
    pub(crate) diagonal: Diagonal,
    /// With one step: softness of the scaling where no exact scaling exists. Smaller values make row sums more equal, but
    /// reduce the similarities between strong items more [default: 1].
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) softness: Option<f64>,
    /// Scale the similarities themselves (--steps 1). If they have no exact scaling, fail and name the items that prevent it.
    #[arg(long)]
    pub(crate) strict: bool,
}

/// The size of the sphere.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = headings::MAP)]
pub(crate) struct RadiusArgs {
    /// How large the sphere may become: `auto` (at most the square root of the number of items; free for points and
    /// distances, and with --fix), `free` (as in the paper), or the largest radius.
    #[arg(long, value_name = "auto|free|NUMBER", default_value = "auto", value_parser = radius, allow_negative_numbers = true)]
    pub(crate) radius: Radius,
}

/// How the points are placed.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::OPTIMISATION)]
pub(crate) struct EmbeddingArgs {
    /// Space of the map.
    #[arg(long, value_name = "NAME", value_parser = choice::<Space>(), default_value_t = Space::Sphere,
        help_heading = headings::MOST_USED)]
    pub(crate) space: Space,
    /// Kernel of the similarities on the map: cauchy is 1/(1+d²), as in t-SNE; gaussian is exp(−d²), as in s-SNE.
    #[arg(long, value_name = "NAME", value_parser = choice::<Kernel>(), default_value_t = Kernel::Cauchy,
        help_heading = headings::MAP)]
    pub(crate) kernel: Kernel,
    /// Optimisation method.
    #[arg(long, value_name = "NAME", value_parser = choice::<Optimizer>(), default_value_t = Optimizer::Auto)]
    pub(crate) optimizer: Optimizer,
    /// Initial positions: `auto`, `random`, `spectral`, or an embedding file, matched by id.
    #[arg(long, value_name = "auto|random|spectral|FILE", default_value = "auto", value_parser = init)]
    pub(crate) init: InitArg,
    /// How repulsive forces are computed.
    #[arg(long, value_name = "NAME", value_parser = choice::<RepulsionMethod>(), default_value_t = RepulsionMethod::Auto)]
    pub(crate) repulsion: RepulsionMethod,
    /// Factor of early exaggeration [default: 100 on the sphere, 12 in plane and space, 4 for --optimizer paper].
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) exaggeration: Option<f64>,
    /// Maximum number of steps [default: 1500 on the sphere, 1000 in plane and space].
    #[arg(long, value_name = "N")]
    pub(crate) iterations: Option<usize>,
    /// Learning rate of momentum methods (plane, space, --optimizer paper) [default: depends on the number of items].
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) learning_rate: Option<f64>,
    /// Random seed.
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = headings::MOST_USED)]
    pub(crate) seed: u64,
    /// The size of the sphere.
    #[command(flatten)]
    pub(crate) size: RadiusArgs,
    /// Set by presets.
    #[arg(skip)]
    exaggeration_iterations: Option<usize>,
}

/// The initial positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InitArg {
    /// The optimizer's own choice.
    Auto,
    /// Random positions.
    Random,
    /// Laplacian eigenvectors.
    Spectral,
    /// An embedding file.
    File(PathBuf),
}

impl MapArgs {
    /// The options with those of the preset filled in.
    pub(crate) fn with_preset(mut self) -> Self {
        if self.preset == Some(Preset::Layout) {
            let layout = Dosnes::layout();
            let embed = layout.embed_options();
            self.normalize.normalize = layout.normalize_options().method;
            self.embed.optimizer = embed.optimizer;
            self.embed.size.radius = embed.radius;
            self.embed.exaggeration_iterations = embed.exaggeration_iterations;
            self.embed.iterations = self.embed.iterations.or(embed.max_iterations);
        }
        self
    }
}

impl SimilarityArgs {
    /// The distance between points.
    pub(crate) fn metric(&self) -> Metric {
        self.metric.unwrap_or(Metric::Euclidean)
    }

    /// The options that were given, but that data of this kind cannot use.
    pub(crate) fn unused(&self, kind: Kind) -> Vec<&'static str> {
        let has_neighbors = matches!(kind, Kind::Points | Kind::Distance);
        let all = [
            (self.perplexity.is_some() && !has_neighbors, "--perplexity"),
            (self.neighbors.is_some() && !has_neighbors, "--neighbors"),
            (self.affinity.is_some() && !has_neighbors, "--affinity"),
            (self.metric.is_some() && kind != Kind::Points, "--metric"),
            (self.pca.is_some() && kind != Kind::Points, "--pca"),
        ];
        all.into_iter().filter(|(unused, _)| *unused).map(|(_, name)| name).collect()
    }

    /// The options of the library.
    pub(crate) fn options(&self, seed: u64) -> SimilarityOptions {
        SimilarityOptions {
            affinity: self.affinity.unwrap_or_default(),
            perplexity: self.perplexity,
            neighbors: self.neighbors,
            metric: self.metric(),
            reduction: self.pca.unwrap_or_default(),
            seed,
            ..SimilarityOptions::default()
        }
    }
}

impl NormalizeArgs {
    /// The options of the library.
    pub(crate) fn options(&self, memory_limit: u64) -> NormalizeOptions {
        let defaults = NormalizeOptions::default();
        NormalizeOptions {
            method: self.normalize,
            diagonal: self.diagonal,
            steps: self.steps,
            strict: self.strict,
            softness: self.softness.unwrap_or(defaults.softness),
            memory_limit,
            ..defaults
        }
    }
}

impl EmbeddingArgs {
    /// The options of the library, except for initial positions from a file.
    pub(crate) fn options(&self) -> EmbedOptions {
        EmbedOptions {
            space: self.space,
            kernel: self.kernel,
            optimizer: self.optimizer,
            repulsion: self.repulsion,
            radius: self.size.radius,
            exaggeration: self.exaggeration,
            exaggeration_iterations: self.exaggeration_iterations,
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

fn radius(text: &str) -> Result<Radius, String> {
    match text {
        "auto" => Ok(Radius::Auto),
        "free" => Ok(Radius::Free),
        number => match number.parse() {
            Ok(limit) if limit >= 1.0 => Ok(Radius::AtMost(limit)),
            _ => Err("give `auto`, `free` or a number of at least 1".into()),
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
