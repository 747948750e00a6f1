//! The command line: all commands, their options and their help texts.

#![allow(clippy::doc_markdown, reason = "these comments are the help texts, which are not Markdown")]

mod choice;
mod compare;
mod growth;
mod headings;
mod map;
mod reading;

use choice::choice;
pub(crate) use compare::{CompareArgs, EvaluateArgs, Experiment, ReproduceArgs};
pub(crate) use growth::{AlignArgs, GrowArgs, ModelArgs, PlaceArgs, TransformArgs};
pub(crate) use map::{InitArg, MapArgs, NormalizeArgs, RadiusArgs, SimilarityArgs};
pub(crate) use reading::ReadArgs;

use crate::{images::Size, terminal};
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use dosnes_view::Projection;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

// In all examples, what a command does is said in the line above it: columns would not fit into a narrow terminal.
const EXAMPLES: &str = "\
Examples:
  # US airports, with bundled data
  dosnes demo
  # an edge list (origin,destination,count) as a page that opens in the browser
  dosnes embed flights.csv
  # cells by their principal components
  dosnes embed cells.h5ad --array obsm/X_pca -o cells.csv
  # authors who write about the same things
  dosnes embed papers.mtx --as dyadic --transpose --items authors.txt
  # contents of a file, memory and time
  dosnes info network.graphml

Exit codes: 0 success, 1 failure, 2 wrong input or command line, 130 stopped by Ctrl-C, 143 by
SIGTERM.";

/// Turn similarity data into a globe.
///
/// dosnes makes similarities doubly stochastic, so that popular items no longer crowd together in the centre of the map.
/// It then embeds the items on a sphere, which has no centre (Lu, Corander and Yang, 2019).
#[derive(Debug, Parser)]
#[command(name = "dosnes", version, after_help = EXAMPLES, propagate_version = true, max_term_width = 110)]
#[command(arg_required_else_help = true, disable_help_flag = true, disable_version_flag = true)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Options of all commands.
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
}

/// Terminals with fewer columns show the explanation of an option below it, not beside it.
const NARROW: usize = 70;

static GIVEN: OnceLock<Vec<String>> = OnceLock::new();

/// A command line, the first part of which is the name of the program. Ends the process if only help was wanted, or if
/// there is a mistake in it.
pub(crate) fn parse(arguments: Vec<OsString>) -> Cli {
    let narrow = terminal::columns().is_some_and(|columns| columns < NARROW);
    GIVEN.get_or_init(|| arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect());
    let matches = Cli::command().next_line_help(narrow).get_matches_from(arguments);
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// The command line as it was given, for reports and checkpoints.
pub(crate) fn given() -> Vec<String> {
    GIVEN.get().cloned().unwrap_or_default()
}

/// Options of all commands.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::PROGRAM)]
pub(crate) struct GlobalArgs {
    /// Number of threads; it does not change the result [default: all cores].
    #[arg(long, global = true, value_name = "N", help_heading = headings::RESOURCES,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print only errors.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print more: parameters, steps and times.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Print this help. `dosnes help COMMAND` is the same for a command.
    #[arg(short, long, global = true, action = ArgAction::Help)]
    help: Option<bool>,
    /// Print the version.
    #[arg(short = 'V', long, global = true, action = ArgAction::Version)]
    version: Option<bool>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Read a file, normalise its similarities, embed the items and write the map.
    Embed(Box<EmbedArgs>),
    /// Continue an interrupted `dosnes embed --checkpoint FILE`.
    Resume(ResumeArgs),
    /// Make similarities doubly stochastic and write them as a matrix.
    Normalize(NormalizeCommandArgs),
    /// Show what a file contains and estimate memory and time, without embedding it.
    Info(InfoArgs),
    /// Run on bundled example data.
    Demo(DemoArgs),
    /// Show an embedding file as a globe in the browser.
    View(ViewArgs),
    /// Draw an embedding file as a static figure (.svg or .png).
    Plot(PlotArgs),
    /// Measure how good a map is.
    Evaluate(EvaluateArgs),
    /// Embed a file with DOSNES, t-SNE, s-SNE and multidimensional scaling (MDS), and measure each map.
    Compare(CompareArgs),
    /// Place new items on a map, whose items do not move.
    Transform(TransformArgs),
    /// Add new items to a map. The old ones keep their places.
    Grow(GrowArgs),
    /// Rotate a map onto an earlier one, and measure how far each item moved.
    Align(AlignArgs),
    /// Reproduce an experiment of the paper.
    Reproduce(ReproduceArgs),
    /// Print a completion script for a shell.
    #[command(after_help = "Example:\n  dosnes completions bash > ~/.local/share/bash-completion/completions/dosnes")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of dosnes, or write the manual pages of all commands to a folder.
    #[command(after_help = "Examples:\n  dosnes man | man -l -\n  dosnes man ~/.local/share/man/man1")]
    Man {
        /// Write dosnes.1 and one page for each command to this folder.
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

const EMBED_EXAMPLES: &str = "\
Examples:
  # writes flights.html and opens it
  dosnes embed flights.csv
  # names and regions of the airports, from another table
  dosnes embed flights.csv --items airports.csv --color region
  # vectors, compared by their angles
  dosnes embed vectors.npy --metric cosine --perplexity 50 -o map.csv
  # images on the globe, with an animation
  dosnes embed mnist.npz --image-size 28x28 --snapshots -o digits.html
  # plain t-SNE
  dosnes embed trade.paj --normalize none --space plane -o tsne.csv
  # CSV to standard output
  dosnes embed graph.edges -o - | head";

/// `dosnes embed`.
#[derive(Debug, Args)]
#[command(after_help = EMBED_EXAMPLES)]
pub(crate) struct EmbedArgs {
    /// Input file.
    #[arg(help = input_help())]
    pub(crate) input: PathBuf,
    /// Where results go.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// The model of the map.
    #[command(flatten)]
    pub(crate) growth: ModelArgs,
    /// Further contents of the page.
    #[command(flatten)]
    pub(crate) page: PageArgs,
    /// How the file is read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How the map is made.
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// Where items are.
    #[command(flatten)]
    pub(crate) places: PlaceArgs,
    /// Limits of memory.
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    /// Checkpoints of the run.
    #[command(flatten)]
    pub(crate) checkpoint: CheckpointArgs,
}

/// Checkpoints of a run.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::CHECKPOINTS)]
pub(crate) struct CheckpointArgs {
    /// Write the state of the run to this file from time to time. After an interruption `dosnes resume FILE` continues, and
    /// ends with the same map. A finished run removes the file.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Time between two checkpoints, such as 30s or 5min. Large ones are written less often.
    #[arg(long, value_name = "TIME", default_value = "60s", requires = "checkpoint", value_parser = crate::numbers::parse_duration)]
    pub(crate) every: Duration,
    /// After Ctrl-C, let the unfinished map replace an existing file. Without this option it is written beside it, as
    /// NAME.unfinished.EXTENSION.
    #[arg(long)]
    pub(crate) replace_finished: bool,
}

/// `dosnes resume`.
#[derive(Debug, Args)]
#[command(
    after_help = "The input must be unchanged, and in the same place. All options are those of the original command.

Example:
  dosnes embed cells.h5ad -o cells.html --checkpoint cells.checkpoint
  dosnes resume cells.checkpoint"
)]
pub(crate) struct ResumeArgs {
    /// The file of --checkpoint.
    #[arg(value_name = "FILE")]
    pub(crate) checkpoint: PathBuf,
}

/// Where an embedding goes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::OUTPUTS)]
pub(crate) struct OutputArgs {
    /// Output file. The extension sets the format: .html (interactive globe), .csv, .tsv, .npy, .json, .geojson, .vec,
    /// .paj, .svg or .png; `-` writes CSV to standard output. May be given several times [default: a page with the name of the
    /// input, in the current folder, which opens in the browser if this is a terminal].
    #[arg(short, long, value_name = "FILE", help_heading = headings::MOST_USED)]
    pub(crate) output: Vec<PathBuf>,
    /// Write a report of the run to this file, as JSON; `-` is the standard output.
    #[arg(long, value_name = "FILE.json")]
    pub(crate) report: Option<PathBuf>,
    /// Do not open the browser.
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// Further contents of the page.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::PAGE)]
pub(crate) struct PageArgs {
    /// What the page shows at first.
    #[command(flatten)]
    pub(crate) look: LookArgs,
    /// What is written on the page.
    #[command(flatten)]
    pub(crate) caption: CaptionArgs,
    /// Add an animation of the optimisation to the page, with at most N states [default N: 80, fewer above 50,000 items].
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = snapshots)]
    #[allow(clippy::option_option, reason = "the option may stand alone or have a value, as clap takes it")]
    pub(crate) snapshots: Option<Option<usize>>,
    /// Images of the items.
    #[command(flatten)]
    pub(crate) images: ImageArgs,
}

/// What pages and figures show at first; readers of a page can change it.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::PAGE)]
pub(crate) struct LookArgs {
    /// Column that sets the initial colours of pages and figures.
    #[arg(long, value_name = "COLUMN", help_heading = headings::MOST_USED)]
    pub(crate) color: Option<String>,
    /// Column of numbers that sets the initial sizes of the points; also `degree` (the total similarity of an item) and
    /// `none` [default: degree, if it differs much].
    #[arg(long, value_name = "COLUMN")]
    pub(crate) size: Option<String>,
    /// Column with the names that are written beside the points [default: the ids; names or titles, if the ids are numbers].
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label: Option<String>,
}

/// What is written on a page.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::PAGE)]
pub(crate) struct CaptionArgs {
    /// Title of pages and figures [default: the words of the input's name].
    #[arg(long, value_name = "TEXT", help_heading = headings::MOST_USED)]
    pub(crate) title: Option<String>,
    /// A sentence below the title that says what the map shows.
    #[arg(long, default_value = "", hide_default_value = true, value_name = "TEXT")]
    pub(crate) subtitle: String,
    /// Where the data are from, in small print on the page.
    #[arg(long, default_value = "", hide_default_value = true, value_name = "TEXT")]
    pub(crate) source: String,
}

/// Images of the items, instead of points.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::PAGE)]
pub(crate) struct ImageArgs {
    /// Show each item as an image of this size in pixels, such as 28x28. The pixels are the item's row in the input, or come from --images.
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = crate::images::parse_size)]
    pub(crate) image_size: Option<Size>,
    /// Images of the items, in the order of the items: a sprite sheet (.png), or a table with one row of pixels for each item.
    #[arg(long, value_name = "FILE", requires = "image_size")]
    pub(crate) images: Option<PathBuf>,
}

/// Limits of memory and time.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = headings::RESOURCES)]
pub(crate) struct MemoryArgs {
    /// Stop if the run needs more memory than this, such as 500MB or 8GB: before the computation by an estimate, and while
    /// it reads and computes [default: the free memory].
    #[arg(long, value_name = "SIZE", value_parser = crate::memory::parse_size)]
    pub(crate) memory_limit: Option<u64>,
    /// Continue even if the run exceeds the available memory.
    #[arg(long)]
    pub(crate) force: bool,
    /// End the run after this time, such as 90s, 10min or 2h, with the map as it is then.
    #[arg(long, value_name = "TIME", value_parser = crate::numbers::parse_duration)]
    pub(crate) time_limit: Option<Duration>,
}

const NORMALIZE_EXAMPLES: &str = "\
Row i of the matrix is item i of the input. Items without any similarity have empty rows.

Examples:
  dosnes normalize flights.csv -o P.mtx --names airports.txt --report report.json
  # embed the result
  dosnes embed P.mtx --items airports.txt --normalize none -o globe.csv";

/// `dosnes normalize`.
#[derive(Debug, Args)]
#[command(after_help = NORMALIZE_EXAMPLES)]
pub(crate) struct NormalizeCommandArgs {
    /// Input file, as for `dosnes embed`.
    pub(crate) input: PathBuf,
    /// Output file for the doubly stochastic similarities: .mtx (Matrix Market) or .npz (SciPy). May be given several times.
    #[arg(short, long, value_name = "FILE", required_unless_present = "report", help_heading = headings::MOST_USED)]
    pub(crate) output: Vec<PathBuf>,
    /// Write the ids of the items to this file, one per line, in the order of the rows of the matrix.
    #[arg(long, value_name = "FILE.txt", help_heading = headings::OUTPUTS)]
    pub(crate) names: Option<PathBuf>,
    /// Write a report of the run to this file, as JSON.
    #[arg(long, value_name = "FILE.json", help_heading = headings::OUTPUTS)]
    pub(crate) report: Option<PathBuf>,
    /// How the file is read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How points and distances become similarities.
    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,
    /// How similarities are normalised.
    #[command(flatten)]
    pub(crate) normalize: NormalizeArgs,
    /// Random seed.
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = headings::MOST_USED)]
    pub(crate) seed: u64,
    /// Limits of memory.
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

/// `dosnes info`.
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Input file, as for `dosnes embed`.
    pub(crate) input: PathBuf,
    /// Print JSON.
    #[arg(long, help_heading = headings::MOST_USED)]
    pub(crate) json: bool,
    /// How the file is read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How points and distances become similarities.
    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,
}

/// Bundled data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Demo {
    /// US airports and the flights between them; compares the map with their true positions.
    Flights,
    /// Actors and the films in which they appeared.
    Films,
    /// Handwritten digits.
    Digits,
}

/// `dosnes demo`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dosnes demo films -o actors.csv
  # only write data/flights.csv and data/airports.csv
  dosnes demo flights --save-data data")]
pub(crate) struct DemoArgs {
    /// The example data.
    #[arg(value_enum, default_value_t = Demo::Flights)]
    pub(crate) name: Demo,
    /// Output file, as for `dosnes embed` [default: a page in the current folder, such as dosnes-flights.html].
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Vec<PathBuf>,
    /// Write a report of the run to this file, as JSON.
    #[arg(long, value_name = "FILE.json")]
    pub(crate) report: Option<PathBuf>,
    /// Random seed.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
    /// Do not open the browser.
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Only write the input files of the demo to this folder, for use with other commands. Existing files are never
    /// overwritten.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["output", "report", "seed", "no_open"])]
    pub(crate) save_data: Option<PathBuf>,
}

/// `dosnes view`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dosnes view globe.csv\n  # side by side, matched by id\n  dosnes view dosnes.csv tsne.csv\n  dosnes view places.csv --color country -o places.html --no-open"
)]
pub(crate) struct ViewArgs {
    /// Embedding file: an output of `dosnes embed` (.csv, .tsv, .json, .npy, .geojson), or any table with columns x, y, z
    /// or lat, lon. Several files are shown side by side and matched by id; items that are not in all files are left out.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) input: Vec<PathBuf>,
    /// Write the page to this file [default: the name of the first input with .html, in the current folder].
    #[arg(short, long, value_name = "FILE.html")]
    pub(crate) output: Option<PathBuf>,
    /// What the page shows at first.
    #[command(flatten)]
    pub(crate) look: LookArgs,
    /// What is written on the page.
    #[command(flatten)]
    pub(crate) caption: CaptionArgs,
    /// Images of the items.
    #[command(flatten)]
    pub(crate) images: ImageArgs,
    /// Do not open the browser.
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// `dosnes plot`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dosnes plot globe.csv -o figure.svg --color region\n  dosnes plot globe.csv -o map.png --projection equal-earth --dark\n  dosnes plot globe.csv -o turn.gif --color region"
)]
pub(crate) struct PlotArgs {
    /// Embedding file, as for `dosnes view`.
    pub(crate) input: PathBuf,
    /// Output file: .svg, .png, or .gif for a globe that turns.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Number of frames of a turn, 2 to 3600 [default: 72 for .gif]. With .png, each frame is a file: turn-001.png, …
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=3600))]
    pub(crate) frames: Option<u16>,
    /// Time of a turn in a .gif [default: 6].
    #[arg(long, value_name = "SECONDS")]
    pub(crate) seconds: Option<f64>,
    /// What the figure shows.
    #[command(flatten)]
    pub(crate) look: LookArgs,
    /// Map projection of the sphere.
    #[arg(long, value_name = "NAME", value_parser = choice::<Projection>(), default_value_t = Projection::Globe)]
    pub(crate) projection: Projection,
    /// Centre of the view, in degrees, such as 40,-100; give it twice for two views [default: two opposite sides of the globe,
    /// one for a turn, which begins there].
    #[arg(long, value_name = "LAT,LON", value_parser = viewpoint, allow_hyphen_values = true)]
    pub(crate) viewpoint: Vec<(f64, f64)>,
    /// Width in pixels [default: 1600, for a turn 800].
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(64..=16384))]
    pub(crate) width: Option<u32>,
    /// Maximum number of labels in each view.
    #[arg(long, default_value_t = 60, value_name = "N")]
    pub(crate) labels: usize,
    /// Title of the figure.
    #[arg(long, default_value = "", value_name = "TEXT")]
    pub(crate) title: String,
    /// Draw on a dark background.
    #[arg(long)]
    pub(crate) dark: bool,
    /// Draw on a transparent background.
    #[arg(long)]
    pub(crate) transparent: bool,
}

/// What can be read, from the reader's own list.
fn input_help() -> String {
    format!(
        "Input file, or - for standard input. Formats: {}. May be compressed (gzip, bzip2, xz, zstd, zip).",
        dosnes_io::Format::list()
    )
}

fn snapshots(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 2..=1000) => Ok(count),
        _ => Err("give the maximum number of states, 2 to 1000, or --snapshots without a number".to_owned()),
    }
}

fn viewpoint(text: &str) -> Result<(f64, f64), String> {
    let parts: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match parts[..] {
        [latitude, longitude] if latitude.abs() <= 90.0 && longitude.abs() <= 360.0 => Ok((latitude, longitude)),
        _ => Err("a viewpoint is a latitude and a longitude in degrees, such as 40,-100".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
