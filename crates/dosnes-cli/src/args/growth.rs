//! Options of the commands for maps that grow.

use super::headings;
use super::{MemoryArgs, ReadArgs};
use clap::Args;
use std::path::PathBuf;

/// `dosnes align`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dosnes align yesterday.csv today.csv -o today-aligned.csv\n  dosnes align seed1.csv seed2.csv -o both.html      both maps side by side, coloured by how far items moved"
)]
pub(crate) struct AlignArgs {
    /// The map that stays as it is: an embedding file, as for `dosnes view`, on a sphere.
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The map that is rotated, and mirrored if necessary, until the items that are in both maps are as close as possible to
    /// their old places. Items that moved far hardly count.
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// Output file, as for `dosnes embed`: the new map after the rotation, with the column `moved` (degrees). A page shows the
    /// items that are in both maps, both maps side by side. May be given several times.
    #[arg(short, long, value_name = "FILE", required = true)]
    pub(crate) output: Vec<PathBuf>,
}

/// The model of a map, beside its other outputs.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::OUTPUTS)]
pub(crate) struct ModelArgs {
    /// Write the map with everything that is needed to go on with it (on a sphere): `dosnes transform` places new items on
    /// it, `dosnes grow` adds them.
    #[arg(long, value_name = "FILE.dosnes")]
    pub(crate) model: Option<PathBuf>,
}

/// Where items are, before or beside the optimisation.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = headings::MAP)]
pub(crate) struct PlaceArgs {
    /// Begin with an earlier map on a sphere, and lay the result onto it by a rotation: items in common start at their old places,
    /// the others beside their neighbours. Adds the column `moved` (degrees); a page shows both maps.
    #[arg(long, value_name = "OLD")]
    pub(crate) like: Option<PathBuf>,
    /// Keep items at given directions while the others settle (on a sphere): a table with the columns id, lon and lat (degrees), or
    /// id, x, y and z. Items that are not in the data have no effect.
    #[arg(long, value_name = "FILE")]
    pub(crate) fix: Option<PathBuf>,
    /// For very many points: embed only N of them, which stand for all, and place the others on their map. Adds the columns `part`
    /// (landmark or placed) and `misfit`; --model writes the model of the landmarks.
    #[arg(long, value_name = "N")]
    pub(crate) landmarks: Option<usize>,
}

/// `dosnes transform`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dosnes embed cells.csv --model map.dosnes -o map.csv\n  dosnes transform map.dosnes more.csv -o more-map.csv\n  dosnes transform map.dosnes more.csv -o both.html     old and new items in one page"
)]
pub(crate) struct TransformArgs {
    /// The model of the map: the file that `dosnes embed --model` wrote.
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// New items: points or rows of dyadic data with the same columns as the data of the map, or a graph with edges between new
    /// nodes and those of the map.
    #[arg(value_name = "NEW")]
    pub(crate) input: PathBuf,
    /// Output file, as for `dosnes embed`: the new items, with the column `misfit` (0 to 1: the share of the map's own items that
    /// fit better). Pages and figures also show the items of the map. May be given several times.
    #[arg(short, long, value_name = "FILE", required = true)]
    pub(crate) output: Vec<PathBuf>,
    /// How the file is read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Limits of memory.
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

/// `dosnes grow`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dosnes grow map.dosnes more.csv --model map2.dosnes -o map2.csv\n  dosnes grow map.dosnes more.csv --model map2.dosnes -o map2.html"
)]
pub(crate) struct GrowArgs {
    /// The model of the map: the file that `dosnes embed --model` or `dosnes grow` wrote.
    #[arg(value_name = "MODEL")]
    pub(crate) old: PathBuf,
    /// New items: points or rows of dyadic data with the same columns as the data of the map, or a graph with edges between new
    /// nodes and those of the map, and among new nodes.
    #[arg(value_name = "NEW")]
    pub(crate) input: PathBuf,
    /// Write the model of the larger map to this file.
    #[arg(long, value_name = "FILE.dosnes")]
    pub(crate) model: PathBuf,
    /// Output file for the larger map, as for `dosnes embed`, with the column `part` (old or new). May be given several times.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Vec<PathBuf>,
    /// Let old items move too, held at their places by springs, and lay the result onto the old map. Adds the column `moved` (degrees).
    #[arg(long)]
    pub(crate) free: bool,
    /// How the file is read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Limits of memory.
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}
