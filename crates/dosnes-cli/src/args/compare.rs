//! Options of the commands that measure and compare maps.

use super::{MemoryArgs, NormalizeArgs, ReadArgs, SimilarityArgs, choice};
use clap::{Args, ValueEnum};
use dosnes::{Kernel, compare::Method};
use std::path::PathBuf;

const EVALUATE_EXAMPLES: &str = "\
Neighbours in the data are the nearest points, or the most similar items: of the similarities as given, and of those that
--normalize makes equal. Up to 6,000 items everything is exact; beyond that ± is half of a 95 % confidence interval.

Examples:
  dosnes evaluate globe.csv --against flights.csv
  dosnes evaluate umap.npy --against cells.h5ad --array obsm/X_pca --classes louvain --report measures.json";

/// `dosnes evaluate`.
#[derive(Debug, Args)]
#[command(after_help = EVALUATE_EXAMPLES)]
pub(crate) struct EvaluateArgs {
    /// The map: any embedding file that `dosnes view` reads; items are matched by id.
    pub(crate) embedding: PathBuf,
    /// The data that it is a map of, as for `dosnes embed`.
    #[arg(long, value_name = "INPUT")]
    pub(crate) against: PathBuf,
    /// Write the measures here: .csv, .json or .md. May be given several times.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Vec<PathBuf>,
    /// The same as an output in .json.
    #[arg(long, value_name = "FILE.json", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,
    /// What is measured.
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// The similarity on the map, for KL: cauchy is t-SNE's, gaussian s-SNE's.
    #[arg(long, value_name = "NAME", value_parser = choice::<Kernel>(), default_value_t = Kernel::Cauchy, help_heading = "Measures")]
    pub(crate) kernel: Kernel,
    /// How the data are read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How points and distances become similarities.
    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,
    /// How they are normalised.
    #[command(flatten)]
    pub(crate) normalize: NormalizeArgs,
    /// When memory does not suffice.
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

/// What is measured.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Measures")]
pub(crate) struct MeasureArgs {
    /// The column with known classes: are they together on the map?
    #[arg(long, value_name = "COLUMN")]
    pub(crate) classes: Option<String>,
    /// Seed of samples, and of everything random.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
}

const COMPARE_EXAMPLES: &str = "\
Finished maps are kept in a folder beside the first output (compare.maps), with a figure of each, and used again when input,
options and program are the same: a comparison that was stopped goes on where it was.

Examples:
  dosnes compare flights.csv --items airports.csv -o compare.html -o compare.md
  dosnes compare digits.csv --classes label --only dosnes,tsne-2d --seeds 5 -o digits.csv";

/// `dosnes compare`.
#[derive(Debug, Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub(crate) struct CompareArgs {
    /// The file, as for `dosnes embed`.
    pub(crate) input: PathBuf,
    /// Write the comparison here: .html (maps side by side, and the table), .md, .csv or .json (the table). May be given several times.
    #[arg(short, long, value_name = "FILE", required = true, help_heading = "Output")]
    pub(crate) output: Vec<PathBuf>,
    /// Only these methods.
    #[arg(long, value_parser = choice::<Method>(), value_delimiter = ',', value_name = "METHOD", help_heading = "Comparison")]
    pub(crate) only: Vec<Method>,
    /// Make so many maps with each stochastic method, and show the mean ± the standard deviation.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Comparison")]
    pub(crate) seeds: u32,
    /// The methods that the page shows side by side [default: the first four that were made].
    #[arg(long, value_parser = choice::<Method>(), value_delimiter = ',', value_name = "METHOD", help_heading = "Comparison")]
    pub(crate) views: Vec<Method>,
    /// The column that figures and page are coloured by [default: the classes].
    #[arg(long, value_name = "COLUMN", help_heading = "Comparison")]
    pub(crate) color: Option<String>,
    /// Width of the figures in pixels; .svg where it is 0.
    #[arg(long, default_value_t = 0, value_name = "PIXELS", help_heading = "Comparison")]
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
    /// How DOSNES' similarities are normalised; the others take them as they are.
    #[command(flatten)]
    pub(crate) normalize: NormalizeArgs,
    /// When memory does not suffice.
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

/// An experiment of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Experiment {
    /// Trade in metal between 80 countries (the paper's figures 3 and 5).
    Worldtrade,
    /// Authors of NIPS papers, 1987 to 2015 (figures 2 and 5).
    Nips,
    /// A matrix of random numbers, as it is and doubly stochastic (figure 1).
    Figure1,
}

/// `dosnes reproduce`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dosnes reproduce worldtrade --data data -o worldtrade\n  dosnes reproduce figure1 -o figure1\n\nThe data are not ours to bundle: docs/paper.md says where they are from."
)]
pub(crate) struct ReproduceArgs {
    /// Which experiment.
    #[arg(value_enum)]
    pub(crate) experiment: Experiment,
    /// The folder with worldtrade/world_trade.paj, or nips/nips_lcc_paper_author.mtx and nips/nips_lcc_authors.txt.
    #[arg(long, value_name = "DIR", required_if_eq_any([("experiment", "worldtrade"), ("experiment", "nips")]))]
    pub(crate) data: Option<PathBuf>,
    /// The folder that pictures and tables go to.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Only these methods.
    #[arg(long, value_parser = choice::<Method>(), value_delimiter = ',', value_name = "METHOD")]
    pub(crate) only: Vec<Method>,
    /// Size of figure 1's random matrix.
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u32).range(50..=20000))]
    pub(crate) size: u32,
    /// Seed of everything random.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
}
