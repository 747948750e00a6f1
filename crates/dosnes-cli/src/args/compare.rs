//! Options of the commands that measure and compare maps.

use super::{MemoryArgs, NormalizeArgs, RadiusArgs, ReadArgs, SimilarityArgs, choice, headings};
use clap::{Args, ValueEnum};
use dosnes::{Kernel, compare::Method};
use std::path::PathBuf;

const EVALUATE_EXAMPLES: &str = "\
Neighbours in the data are the nearest points or the most similar items. For similarities, each measure is given twice: for
the input as it is, and after --normalize (\"made equal\"). Up to 6,000 items all measures are exact. Above that, samples are
used, and ± is half of a 95 % confidence interval.

Examples:
  dosnes evaluate globe.csv --against flights.csv
  dosnes evaluate umap.npy --against cells.h5ad --array obsm/X_pca --classes louvain --report measures.json";

/// `dosnes evaluate`.
#[derive(Debug, Args)]
#[command(after_help = EVALUATE_EXAMPLES)]
pub(crate) struct EvaluateArgs {
    /// Embedding file, as for `dosnes view`; items are matched by id.
    pub(crate) embedding: PathBuf,
    /// The data from which the map was made: an input file as for `dosnes embed`.
    #[arg(long, value_name = "INPUT", help_heading = headings::MOST_USED)]
    pub(crate) against: PathBuf,
    /// Output file for the measures: .csv, .json or .md. May be given several times.
    #[arg(short, long, value_name = "FILE", help_heading = headings::MOST_USED)]
    pub(crate) output: Vec<PathBuf>,
    /// The same as --output with a .json file.
    #[arg(long, value_name = "FILE.json", help_heading = headings::OUTPUTS)]
    pub(crate) report: Option<PathBuf>,
    /// What is measured.
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// Kernel of the similarities on the map, for KL: cauchy as in t-SNE, gaussian as in s-SNE.
    #[arg(long, value_name = "NAME", value_parser = choice::<Kernel>(), default_value_t = Kernel::Cauchy, help_heading = headings::MEASURES)]
    pub(crate) kernel: Kernel,
    /// How the data are read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How points and distances become similarities.
    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,
    /// How similarities are normalised.
    #[command(flatten)]
    pub(crate) normalize: NormalizeArgs,
    /// Limits of memory.
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

/// What is measured.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::MEASURES)]
pub(crate) struct MeasureArgs {
    /// Column with known classes; measures how well the map separates them.
    #[arg(long, value_name = "COLUMN", help_heading = headings::MOST_USED)]
    pub(crate) classes: Option<String>,
    /// Random seed, also for samples.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
}

const COMPARE_EXAMPLES: &str = "\
Finished maps and a figure of each are stored in a folder next to the first output (compare.maps). They are reused when the
input, the options and the program are the same, so an interrupted comparison can be continued.

With several seeds, maps on the sphere are laid onto each other. How far each item moves from seed to seed (median angle in
degrees) is in the column seed_angle_METHOD of the page and of compare.maps/stability.csv, and in .json.

Examples:
  dosnes compare flights.csv --items airports.csv -o compare.html -o compare.md
  dosnes compare digits.csv --classes label --only dosnes,tsne-2d --seeds 5 -o digits.csv";

/// `dosnes compare`.
#[derive(Debug, Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub(crate) struct CompareArgs {
    /// Input file, as for `dosnes embed`.
    pub(crate) input: PathBuf,
    /// Output file: .html (maps side by side, and the table), .md, .csv or .json (the table). May be given several times.
    #[arg(short, long, value_name = "FILE", required = true, help_heading = headings::MOST_USED)]
    pub(crate) output: Vec<PathBuf>,
    /// Use only these methods.
    #[arg(long, value_parser = choice::<Method>(), value_delimiter = ',', value_name = "METHOD", help_heading = headings::COMPARISON)]
    pub(crate) only: Vec<Method>,
    /// Number of maps to make with each stochastic method; the table shows mean ± standard deviation. On the sphere, also how far
    /// each item moves from seed to seed.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = headings::COMPARISON)]
    pub(crate) seeds: u32,
    /// Methods that the page shows side by side [default: the first four that were made].
    #[arg(long, value_parser = choice::<Method>(), value_delimiter = ',', value_name = "METHOD", help_heading = headings::COMPARISON)]
    pub(crate) views: Vec<Method>,
    /// Column that sets the colours of figures and page [default: the column of --classes].
    #[arg(long, value_name = "COLUMN", help_heading = headings::COMPARISON)]
    pub(crate) color: Option<String>,
    /// Width of .png figures in pixels; 0 writes .svg figures.
    #[arg(long, default_value_t = 0, value_name = "PIXELS", help_heading = headings::COMPARISON)]
    pub(crate) figure_width: u32,
    /// What is measured.
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// How the file is read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How points and distances become similarities.
    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,
    /// How similarities are normalised for DOSNES; the other methods use them as they are.
    #[command(flatten)]
    pub(crate) normalize: NormalizeArgs,
    /// The size of the spheres.
    #[command(flatten)]
    pub(crate) size: RadiusArgs,
    /// Limits of memory.
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

/// An experiment of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Experiment {
    /// Trade in metal between 80 countries (figures 3 and 5 of the paper).
    Worldtrade,
    /// Authors of NIPS papers, 1987 to 2015 (figures 2 and 5).
    Nips,
    /// A random matrix, as it is and made doubly stochastic (figure 1).
    Figure1,
}

/// `dosnes reproduce`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dosnes reproduce worldtrade --data data -o worldtrade\n  dosnes reproduce figure1 -o figure1\n\nThe data cannot be bundled for legal reasons; docs/paper.md names the sources."
)]
pub(crate) struct ReproduceArgs {
    /// The experiment.
    #[arg(value_enum)]
    pub(crate) experiment: Experiment,
    /// Folder with worldtrade/world_trade.paj, or with nips/nips_lcc_paper_author.mtx and nips/nips_lcc_authors.txt.
    #[arg(long, value_name = "DIR", required_if_eq_any([("experiment", "worldtrade"), ("experiment", "nips")]))]
    pub(crate) data: Option<PathBuf>,
    /// Output folder for figures and tables.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Use only these methods.
    #[arg(long, value_parser = choice::<Method>(), value_delimiter = ',', value_name = "METHOD")]
    pub(crate) only: Vec<Method>,
    /// Number of rows of the random matrix of figure 1.
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u32).range(50..=20000))]
    pub(crate) size: u32,
    /// Random seed.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
}
