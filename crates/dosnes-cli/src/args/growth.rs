//! Options of the commands for maps that grow.

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
