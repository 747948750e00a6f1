//! The result of reading a file.

use std::fmt;

use dosnes::input::Dataset;

use crate::options::Format;

/// A dataset, and how it was interpreted.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Loaded {
    /// The data.
    pub dataset: Dataset,
    /// The format of the file.
    pub format: Format,
    /// How the file was interpreted, in one sentence for the user.
    pub detected: String,
    /// Notes for the user.
    pub notes: Vec<Note>,
}

/// A note about something that happened during reading.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Edges that were given more than once; their weights were added up.
    RepeatedEdges(usize),
    /// Edges from an item to itself.
    SelfLoops(usize),
    /// The similarities are not symmetric; they are symmetrised later.
    Asymmetric,
    /// The distances are not symmetric; each row is used as it is.
    AsymmetricDistances,
    /// Comment lines that were skipped.
    CommentsSkipped(usize),
    /// Rows that were left out because a coordinate was missing.
    RowsDropped {
        /// How many.
        count: usize,
        /// The line of the first one.
        first_line: u64,
    },
    /// Columns that were not used.
    ColumnsIgnored(Vec<String>),
    /// Pairs of integers that were read as points could be edges.
    CouldBeEdges,
    /// No name of the first column occurs in the second: they may be different kinds of items.
    CouldBeDyadic,
    /// Numbers were written with a decimal comma.
    DecimalComma,
    /// The text is not UTF-8; it was read as Latin-1.
    Latin1,
    /// Other arrays in the same file that could be read.
    OtherArrays(Vec<String>),
    /// Ids in a side file that belong to no item.
    UnknownInSideFile {
        /// The side file.
        file: String,
        /// How many.
        count: usize,
        /// The first one.
        example: String,
    },
    /// Items without metadata in a side file.
    AbsentFromSideFile {
        /// The side file.
        file: String,
        /// How many.
        count: usize,
        /// The first one.
        example: String,
    },
    /// The names in a side file are not unique, so they are metadata.
    NamesNotUnique {
        /// The side file.
        file: String,
        /// A name that occurs twice.
        example: String,
    },
    /// A column of the file could not be read and was left out.
    ColumnUnreadable {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RepeatedEdges(1) => write!(f, "1 edge was given more than once; the weights were added up"),
            Self::RepeatedEdges(n) => write!(f, "{n} repeated edges; their weights were added up"),
            Self::SelfLoops(1) => write!(f, "1 item has an edge to itself"),
            Self::SelfLoops(n) => write!(f, "{n} items have an edge to themselves"),
            Self::Asymmetric => write!(f, "the similarities are not symmetric; (S + Sᵀ)/2 is used"),
            Self::AsymmetricDistances => {
                write!(f, "the distances are not symmetric; each row's own distances are used")
            }
            Self::CommentsSkipped(1) => write!(f, "1 comment line was skipped"),
            Self::CommentsSkipped(n) => write!(f, "{n} comment lines were skipped"),
            Self::RowsDropped { count: 1, first_line } => {
                write!(f, "1 row with a missing value was left out: line {first_line}")
            }
            Self::RowsDropped { count, first_line } => {
                write!(f, "{count} rows with missing values were left out, the first in line {first_line}")
            }
            Self::ColumnsIgnored(names) => write!(f, "not used: column {}", quoted(names)),
            Self::CouldBeEdges => {
                write!(f, "the rows are pairs of integers; if they are edges, read the file as a graph")
            }
            Self::CouldBeDyadic => write!(
                f,
                "no name of the first column occurs in the second; if they are different kinds of items (authors and \
                 papers), read the file as dyadic"
            ),
            Self::DecimalComma => write!(f, "numbers have a decimal comma"),
            Self::Latin1 => write!(f, "the text is not UTF-8; it was read as Latin-1"),
            Self::OtherArrays(names) => write!(f, "the file also contains {}", names.join(", ")),
            Self::UnknownInSideFile { file, count, example } => {
                write!(f, "{file}: {count} of its ids are not in the data (such as \"{example}\") and were ignored")
            }
            Self::AbsentFromSideFile { file, count, example } => {
                write!(f, "{file}: has no metadata for {count} of the items (such as \"{example}\")")
            }
            Self::NamesNotUnique { file, example } => {
                write!(f, "{file}: names occur more than once (such as \"{example}\"), so they are a label, not the id")
            }
            Self::ColumnUnreadable { name, reason } => write!(f, "column \"{name}\" was left out: {reason}"),
        }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}
