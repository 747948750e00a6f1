//! Errors of files, with their positions.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use dosnes::{Kind, MatrixError};

/// The position of an error in a file. An empty place means the whole file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Line of a text file, from 1.
    pub line: Option<u64>,
    /// Name of the array, group or section inside the file.
    pub part: Option<Box<str>>,
    /// Row of a matrix, from 0.
    pub row: Option<usize>,
    /// Name of the column, or its number, counted from 1, if it has no name.
    pub column: Option<Box<str>>,
}

impl Place {
    pub(crate) fn line(line: u64) -> Self {
        Self { line: Some(line), ..Self::default() }
    }

    pub(crate) fn part(part: impl Into<Box<str>>) -> Self {
        Self { part: Some(part.into()), ..Self::default() }
    }

    pub(crate) fn row(mut self, row: usize) -> Self {
        self.row = Some(row);
        self
    }

    /// The place as a text of its own: `line 5, column "b"`.
    pub(crate) fn plain(&self) -> String {
        self.to_string().trim_start_matches(", ").to_owned()
    }

    pub(crate) fn column(mut self, column: impl Into<Box<str>>) -> Self {
        self.column = Some(column.into());
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(part) = &self.part {
            write!(f, ", {part}")?;
        }
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(row) = self.row {
            write!(f, ", row {row} (from 0)")?;
        }
        if let Some(column) = &self.column {
            write!(f, ", column \"{column}\"")?;
        }
        Ok(())
    }
}

/// An error of reading or writing a file. The message says what was wrong, where, and what to do.
///
/// Messages include the error of the operating system; [`Error::io_error`] returns the original.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened.
    #[error("{file}: cannot be opened: {}", why_not_opened(error))]
    Open {
        /// The file.
        file: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The path is a folder, but a file is needed.
    #[error("{file}: is a folder; give the path of a file")]
    Folder {
        /// The folder.
        file: String,
    },
    /// The file, or the needed part of it, is empty.
    #[error("{file}: {what}")]
    Empty {
        /// The file.
        file: String,
        /// What is missing from it.
        what: String,
    },
    /// Reading failed.
    #[error("{file}: reading failed: {error}")]
    Read {
        /// The file.
        file: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A compressed file is truncated or damaged.
    #[error("{file}: the gzip data is truncated or damaged ({error}); download or compress the file again")]
    Gzip {
        /// The file.
        file: String,
        /// The error of the decompressor.
        error: io::Error,
    },
    /// The format of the contents is not known.
    #[error("{file}: {problem}")]
    UnknownFormat {
        /// The file.
        file: String,
        /// What was found, and what can be read.
        problem: String,
    },
    /// The contents violate the rules of their format.
    #[error("{file}{place}: {problem}")]
    Malformed {
        /// The file.
        file: String,
        /// Where.
        place: Place,
        /// What is wrong and what to do.
        problem: String,
    },
    /// A value that cannot be used: NaN, infinite, negative, text.
    #[error("{file}{place}: {problem}")]
    Value {
        /// The file.
        file: String,
        /// Where.
        place: Place,
        /// What is wrong and what to do.
        problem: String,
    },
    /// A number is missing.
    #[error("{file}{place}: {problem}")]
    Missing {
        /// The file.
        file: String,
        /// Where.
        place: Place,
        /// What is wrong and what to do.
        problem: String,
    },
    /// A matrix of this kind must have as many rows as columns.
    #[error(
        "{file}: a {kind} matrix must be square, but this one is {rows} × {columns}; if its rows are vectors, read it as \
         points (--as points); if its rows and columns are different kinds of items, as dyadic (--as dyadic)"
    )]
    NotSquare {
        /// The file.
        file: String,
        /// The requested or detected kind.
        kind: Kind,
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A map needs at least two items.
    #[error("{file}: the file has {}, but a map needs at least 2", counted_items(*items))]
    TooFewItems {
        /// The file.
        file: String,
        /// Number of items.
        items: usize,
    },
    /// Sizes or shapes do not match.
    #[error("{file}: {problem}")]
    Shape {
        /// The file.
        file: String,
        /// What does not match.
        problem: String,
    },
    /// Two items have the same id.
    #[error("{file}{place}: the id \"{id}\" was already given to an earlier item; ids must be unique")]
    DuplicateId {
        /// The file.
        file: String,
        /// The position of the second one.
        place: Place,
        /// The name.
        id: String,
    },
    /// An id that belongs to no item.
    #[error("{file}{place}: {problem}")]
    UnknownId {
        /// The file.
        file: String,
        /// Where.
        place: Place,
        /// What is wrong and what to do.
        problem: String,
    },
    /// An option requests something that the file does not have.
    #[error("{file}: {problem}")]
    Option {
        /// The file.
        file: String,
        /// What was requested, and what exists.
        problem: String,
    },
    /// The reading is a guess, and [`ReadOptions::strict`](crate::ReadOptions::strict) refuses guesses.
    #[error("{file}: unsure how to read it: {doubt} (--strict-input refuses to guess)")]
    Doubtful {
        /// The file.
        file: String,
        /// What is unsure, and the option that decides it.
        doubt: String,
    },
    /// Writing failed. A closed pipe has the kind `BrokenPipe`.
    #[error("{}: cannot be written: {}", path.display(), why_not_written(path, error))]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The requested output cannot be written to this path.
    #[error("{}: cannot be written: {problem}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        problem: OutputProblem,
    },
    /// A checkpoint cannot be used.
    #[error("{file}: {problem}")]
    Checkpoint {
        /// The file.
        file: String,
        /// Why not, and what to do.
        problem: String,
    },
    /// The observer of the caller stopped the reading.
    #[error("stopped before the file was read")]
    Stopped,
}

/// Why an output is not possible, before anything is written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutputProblem {
    /// The path is a folder.
    #[error("it is a folder; give the name of a file")]
    Folder,
    /// The file exists and is write-protected.
    #[error("the file exists and is write-protected")]
    WriteProtected,
    /// The path has no file name.
    #[error("it is not the name of a file")]
    NoFileName,
    /// Files with this extension cannot be written.
    #[error("the name must end in {known}")]
    UnknownExtension {
        /// The possible extensions.
        known: &'static str,
    },
    /// This format cannot be compressed.
    #[error(".{extension} files cannot be compressed; remove .gz from the name")]
    NotCompressible {
        /// The extension before `.gz`.
        extension: String,
    },
    /// Each item needs one row of coordinates, and one value in each column.
    #[error("there are {rows} rows for {items} items")]
    RowCount {
        /// Number of rows.
        rows: usize,
        /// Number of items.
        items: usize,
    },
    /// Maps have two or three coordinates.
    #[error("coordinates have 2 or 3 columns (3 on a sphere), not {columns}")]
    ColumnCount {
        /// Number of columns.
        columns: usize,
    },
    /// The format is only for maps on a sphere.
    #[error("GeoJSON needs positions on a sphere, but this map is not on a sphere; use .csv or .json")]
    NotOnSphere,
}

impl Error {
    /// The error of the operating system, if that is the reason.
    pub fn io_error(&self) -> Option<&io::Error> {
        match self {
            Self::Open { error, .. }
            | Self::Read { error, .. }
            | Self::Gzip { error, .. }
            | Self::Write { error, .. } => Some(error),
            _ => None,
        }
    }

    pub(crate) fn malformed(file: &str, place: Place, problem: impl Into<String>) -> Self {
        Self::Malformed { file: file.to_owned(), place, problem: problem.into() }
    }

    pub(crate) fn value(file: &str, place: Place, problem: impl Into<String>) -> Self {
        Self::Value { file: file.to_owned(), place, problem: problem.into() }
    }

    pub(crate) fn missing(file: &str, place: Place, problem: impl Into<String>) -> Self {
        Self::Missing { file: file.to_owned(), place, problem: problem.into() }
    }

    /// A sparse matrix that cannot be built. The error contains the position of a value that is not finite.
    pub(crate) fn matrix(file: &str, place: Place, error: MatrixError) -> Self {
        match error {
            MatrixError::NotFinite { row, column, value } => {
                let problem = format!("the value \"{value}\" is not finite; values must be finite");
                Self::value(file, place.row(row).column(column.to_string()), problem)
            }
            other => Self::malformed(file, place, other.to_string()),
        }
    }

    pub(crate) fn shape(file: &str, problem: impl Into<String>) -> Self {
        Self::Shape { file: file.to_owned(), problem: problem.into() }
    }

    /// Nodes are numbered with 32 bits.
    pub(crate) fn too_many_names(file: &str) -> Self {
        Self::shape(file, "there are more than 2³² − 1 names in it")
    }

    pub(crate) fn option(file: &str, problem: impl Into<String>) -> Self {
        Self::Option { file: file.to_owned(), problem: problem.into() }
    }

    pub(crate) fn empty(file: &str, what: impl Into<String>) -> Self {
        Self::Empty { file: file.to_owned(), what: what.into() }
    }

    pub(crate) fn unknown_format(file: &str, problem: impl Into<String>) -> Self {
        Self::UnknownFormat { file: file.to_owned(), problem: problem.into() }
    }

    pub(crate) fn output(path: &Path, problem: OutputProblem) -> Self {
        Self::Output { path: path.to_owned(), problem }
    }
}

fn why_not_opened(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "no permission to read it".into(),
        _ => error.to_string(),
    }
}

fn why_not_written(path: &Path, error: &io::Error) -> String {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match error.kind() {
        io::ErrorKind::NotFound => format!("the folder {} does not exist", folder.display()),
        io::ErrorKind::PermissionDenied => {
            format!("no permission to write in the folder {}", folder.display())
        }
        _ => error.to_string(),
    }
}

fn counted_items(items: usize) -> String {
    match items {
        1 => "1 item".into(),
        n => format!("{n} items"),
    }
}

/// Squares of larger coordinates and distances overflow in single precision.
pub(crate) const LARGEST_COORDINATE: f64 = 1e18;

/// The quantity of a value ≥ 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    Weight,
    Similarity,
    Distance,
}

impl Quantity {
    fn name(self) -> &'static str {
        match self {
            Self::Weight => "weight",
            Self::Similarity => "similarity",
            Self::Distance => "distance",
        }
    }

    fn plural(self) -> &'static str {
        match self {
            Self::Weight => "weights",
            Self::Similarity => "similarities",
            Self::Distance => "distances",
        }
    }

    /// Why the quantity cannot have this value; `None` if it can.
    pub(crate) fn problem(self, value: f64) -> Option<String> {
        let (name, plural) = (self.name(), self.plural());
        if value.is_nan() {
            Some(format!("{name} is not a number (NaN); {plural} must be numbers ≥ 0"))
        } else if value.is_infinite() {
            Some(format!("{name} \"{value}\" is infinite; {plural} must be finite"))
        } else if value < 0.0 {
            // A weight is the similarity of the two ends.
            let what = if self == Self::Distance { "distances" } else { "similarities" };
            Some(format!("{name} \"{value}\" is negative; {what} must be ≥ 0"))
        } else if value > self.largest() {
            let limit = self.largest();
            Some(format!("{name} \"{value:e}\" is larger than {limit:e}; divide all {plural} by the same number"))
        } else {
            None
        }
    }

    /// Sums of similarities, and squares of distances in single precision, must not overflow. The weights of a network are
    /// divided by a common factor instead.
    fn largest(self) -> f64 {
        match self {
            Self::Weight => f64::MAX,
            Self::Similarity => 1e150,
            Self::Distance => LARGEST_COORDINATE,
        }
    }
}
