//! The command line: what can be asked for, and how it is explained.

#![allow(clippy::doc_markdown, reason = "these comments are the help texts, which have no Markdown")]

mod choice;
mod compare;
mod map;
mod reading;

use choice::choice;
pub(crate) use compare::{CompareArgs, EvaluateArgs, Experiment, ReproduceArgs};
pub(crate) use map::{InitArg, MapArgs, NormalizeArgs, SimilarityArgs};
pub(crate) use reading::ReadArgs;

use crate::images::Size;
use clap::{Args, Parser, Subcommand, ValueEnum};
use dosnes_view::Projection;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  dosnes demo                                         US airports, from data inside the program
  dosnes embed flights.csv -o globe.csv               an edge list: origin,destination,count
  dosnes embed cells.h5ad --array obsm/X_pca -o cells.csv -o cells.json
  dosnes embed papers.mtx --as dyadic --transpose --items authors.txt -o authors.csv
  dosnes info network.graphml                         what the file holds, and what to expect of it

Exit codes: 0 done, 1 failed, 2 the input or the command line is wrong, 130 stopped by Ctrl-C.";

/// Turn similarity data into a globe.
///
/// dosnes makes similarities doubly stochastic, so that popular items no longer crowd the centre of the map, and embeds
/// them on a sphere, which has no centre at all (Lu, Corander and Yang, 2019).
#[derive(Debug, Parser)]
#[command(name = "dosnes", version, after_help = EXAMPLES, propagate_version = true, max_term_width = 110)]
#[command(arg_required_else_help = true)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Options of all commands.
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
}

/// Options of all commands.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Program")]
pub(crate) struct GlobalArgs {
    /// Say nothing but errors.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more: parameters, steps, times.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Number of threads; the result is the same on any [default: all cores].
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Embed a file: read, normalise, embed, write.
    Embed(EmbedArgs),
    /// Make similarities doubly stochastic and write them as a matrix.
    Normalize(NormalizeCommandArgs),
    /// Say what a file holds and what to expect of it; embeds nothing.
    Info(InfoArgs),
    /// Try it on data inside the program.
    Demo(DemoArgs),
    /// Show an embedding file as a globe in the browser.
    View(ViewArgs),
    /// Draw an embedding file as a still figure, .svg or .png.
    Plot(PlotArgs),
    /// Measure how good a map is.
    Evaluate(EvaluateArgs),
    /// Map a file by DOSNES, t-SNE, s-SNE and multidimensional scaling, and measure all of them.
    Compare(CompareArgs),
    /// Make an experiment of the paper again.
    Reproduce(ReproduceArgs),
    /// Print a script that completes commands in a shell.
    #[command(after_help = "Example:\n  dosnes completions bash > ~/.local/share/bash-completion/completions/dosnes")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of dosnes, or write the pages of all commands into a folder.
    #[command(after_help = "Examples:\n  dosnes man | man -l -\n  dosnes man ~/.local/share/man/man1")]
    Man {
        /// Write dosnes.1 and a page for each command here.
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

const EMBED_EXAMPLES: &str = "\
Examples:
  dosnes embed flights.csv --items airports.csv -o globe.csv
  dosnes embed vectors.npy --metric cosine --perplexity 50 -o map.npy --report report.json
  dosnes embed mnist.npz --image-size 28x28 --snapshots -o digits.html
  dosnes embed trade.paj --normalize none --space plane -o tsne.csv     plain t-SNE
  dosnes embed graph.edges -o - | head                                  CSV to a pipe";

/// `dosnes embed`.
#[derive(Debug, Args)]
#[command(after_help = EMBED_EXAMPLES)]
pub(crate) struct EmbedArgs {
    /// The file: CSV/TSV, .npy, .npz, Matrix Market, edge list, Pajek, GraphML, GEXF, .h5ad, .mat; also with .gz.
    pub(crate) input: PathBuf,
    /// Where results go.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// What the page shows besides the map.
    #[command(flatten)]
    pub(crate) page: PageArgs,
    /// How the file is read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How the map is made.
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// When memory does not suffice.
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

/// Where an embedding goes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write the map here, in the format of the name's ending: .html (a globe to turn), .csv, .tsv, .npy,
    /// .json, .geojson, .vec, .paj, .svg, .png; `-` is CSV to the standard output. May be given several times.
    #[arg(short, long, value_name = "FILE", required_unless_present = "report")]
    pub(crate) output: Vec<PathBuf>,
    /// Write an account of the run here, as JSON.
    #[arg(long, value_name = "FILE.json")]
    pub(crate) report: Option<PathBuf>,
}

/// What a page shows besides the map.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Page (.html)")]
pub(crate) struct PageArgs {
    /// Keep states of the optimisation, at most N, for the page to play [default N: 80, fewer above 50,000 items].
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = snapshots)]
    #[allow(clippy::option_option, reason = "the option may stand alone or have a value, as clap takes it")]
    pub(crate) snapshots: Option<Option<usize>>,
    /// Images of the items.
    #[command(flatten)]
    pub(crate) images: ImageArgs,
}

/// Images of the items, instead of points.
#[derive(Debug, Clone, Args)]
pub(crate) struct ImageArgs {
    /// Show each item as an image of so many pixels, such as 28x28: its own row of numbers, or what --images has.
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = crate::images::parse_size)]
    pub(crate) image_size: Option<Size>,
    /// The items' images, in the items' order: a sheet of them side by side (.png), or a file with a row of pixels each.
    #[arg(long, value_name = "FILE", requires = "image_size")]
    pub(crate) images: Option<PathBuf>,
}

/// When memory does not suffice.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Memory")]
pub(crate) struct MemoryArgs {
    /// Refuse what is estimated to need more than this, such as 500MB or 8GB [default: the memory that is free].
    #[arg(long, value_name = "SIZE", value_parser = crate::memory::parse_size)]
    pub(crate) memory_limit: Option<u64>,
    /// Go on even if the memory is estimated not to suffice.
    #[arg(long)]
    pub(crate) force: bool,
}

const NORMALIZE_EXAMPLES: &str = "\
Row i of the matrix is item i of the input; items without any similarity have empty rows.

Examples:
  dosnes normalize flights.csv -o P.mtx --names airports.txt --report report.json
  dosnes embed P.mtx --items airports.txt --normalize none -o globe.csv     go on from there";

/// `dosnes normalize`.
#[derive(Debug, Args)]
#[command(after_help = NORMALIZE_EXAMPLES)]
pub(crate) struct NormalizeCommandArgs {
    /// The file, as for `dosnes embed`.
    pub(crate) input: PathBuf,
    /// Write the doubly stochastic similarities here: .mtx (Matrix Market) or .npz (SciPy). May be given several times.
    #[arg(short, long, value_name = "FILE", required_unless_present = "report", help_heading = "Output")]
    pub(crate) output: Vec<PathBuf>,
    /// Write the items' names here, one a line, in the order of the matrix's rows.
    #[arg(long, value_name = "FILE.txt", help_heading = "Output")]
    pub(crate) names: Option<PathBuf>,
    /// Write an account of the run here, as JSON.
    #[arg(long, value_name = "FILE.json", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,
    /// How the file is read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How points and distances become similarities.
    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,
    /// How they are normalised.
    #[command(flatten)]
    pub(crate) normalize: NormalizeArgs,
    /// Seed of everything random.
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Similarities of points and distances")]
    pub(crate) seed: u64,
    /// When memory does not suffice.
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

/// `dosnes info`.
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// The file, as for `dosnes embed`.
    pub(crate) input: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// How the file is read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How points and distances become similarities.
    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,
}

/// Data inside the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Demo {
    /// US airports and the flights between them: does geography come out?
    Flights,
    /// Film actors and the films they played in.
    Films,
    /// Handwritten digits.
    Digits,
}

/// `dosnes demo`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dosnes demo films -o actors.csv
  dosnes demo flights --save-data data      writes data/flights.csv and data/airports.csv")]
pub(crate) struct DemoArgs {
    /// Which data.
    #[arg(value_enum, default_value_t = Demo::Flights)]
    pub(crate) name: Demo,
    /// Write the map here, as `dosnes embed` does [default: a page in the current folder, such as dosnes-flights.html].
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Vec<PathBuf>,
    /// Write an account of the run here, as JSON.
    #[arg(long, value_name = "FILE.json")]
    pub(crate) report: Option<PathBuf>,
    /// Seed of everything random.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
    /// Do not open the browser.
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Only write the demo's input files to this folder, to be used with other commands. Existing files are never
    /// changed.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["output", "report", "seed", "no_open"])]
    pub(crate) save_data: Option<PathBuf>,
}

/// `dosnes view`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dosnes view globe.csv\n  dosnes view dosnes.csv tsne.csv            side by side, matched by id\n  dosnes view places.csv --color country -o places.html --no-open"
)]
pub(crate) struct ViewArgs {
    /// The embedding: what `dosnes embed` wrote (.csv, .tsv, .json, .npy, .geojson), or any table with x, y, z or lat, lon.
    /// Several of the same items are shown side by side, matched by id; items that one of them lacks are left out.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) input: Vec<PathBuf>,
    /// Write the page here [default: the first input's name with .html, in the current folder].
    #[arg(short, long, value_name = "FILE.html")]
    pub(crate) output: Option<PathBuf>,
    /// The column to colour by at first.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) color: Option<String>,
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
    after_help = "Examples:\n  dosnes plot globe.csv -o figure.svg --color region\n  dosnes plot globe.csv -o map.png --projection equal-earth --dark"
)]
pub(crate) struct PlotArgs {
    /// The embedding, as for `dosnes view`.
    pub(crate) input: PathBuf,
    /// Write the figure here: .svg or .png.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The column to colour by.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) color: Option<String>,
    /// How the sphere is drawn.
    #[arg(long, value_name = "NAME", value_parser = choice::<Projection>(), default_value_t = Projection::Globe)]
    pub(crate) projection: Projection,
    /// The place in the middle, in degrees, such as 40,-100; twice for two pictures [default: two opposite sides of a globe].
    #[arg(long, value_name = "LAT,LON", value_parser = viewpoint, allow_hyphen_values = true)]
    pub(crate) viewpoint: Vec<(f64, f64)>,
    /// Width in pixels.
    #[arg(long, default_value_t = 1600, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(64..=16384))]
    pub(crate) width: u32,
    /// At most so many labels a picture.
    #[arg(long, default_value_t = 60, value_name = "N")]
    pub(crate) labels: usize,
    /// The heading.
    #[arg(long, default_value = "", value_name = "TEXT")]
    pub(crate) title: String,
    /// Light on dark.
    #[arg(long)]
    pub(crate) dark: bool,
    /// Leave the background clear.
    #[arg(long)]
    pub(crate) transparent: bool,
}

fn snapshots(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 2..=1000) => Ok(count),
        _ => Err("give the number of states to keep, 2 to 1000, or nothing after --snapshots".to_owned()),
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
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
