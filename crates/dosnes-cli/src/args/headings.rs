//! The groups of options in the help, named after what a user wants to do.
//!
//! A struct of options has the group of most of its options (`next_help_heading`); an option that belongs elsewhere has its own
//! (`help_heading`). The help shows the groups in the order of their first options. Headings are short, since clap does not
//! wrap them in a narrow terminal. A flattened struct with another group stands last: clap gives its group to the options
//! that follow.

/// The ten options that most people need first.
pub(super) const MOST_USED: &str = "Most used";
/// Further files.
pub(super) const OUTPUTS: &str = "More outputs";
/// What the page shows at first.
pub(super) const PAGE: &str = "Design pages and figures";
/// Which data are in the file.
pub(super) const READING: &str = "Read the file differently";
/// What the rows and columns of a table are.
pub(super) const TABLES: &str = "Explain a table to the reader";
/// What is done with the data before anything else.
pub(super) const PREPARATION: &str = "Prepare the data";
/// How points and distances become similarities.
pub(super) const SIMILARITY: &str = "Decide what is similar";
/// How similarities are made doubly stochastic.
pub(super) const NORMALISATION: &str = "Make all items equal";
/// What the map looks like.
pub(super) const MAP: &str = "Shape the map";
/// How it is found.
pub(super) const OPTIMISATION: &str = "Control the optimisation";
/// What is measured.
pub(super) const MEASURES: &str = "Choose the measures";
/// What is compared.
pub(super) const COMPARISON: &str = "Choose what is compared";
/// What the program may use.
pub(super) const RESOURCES: &str = "Limit memory, time, threads";
/// What happens to a run that is interrupted.
pub(super) const CHECKPOINTS: &str = "Interrupt and continue";
/// What the program prints.
pub(super) const PROGRAM: &str = "Messages and help";
