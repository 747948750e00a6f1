//! What can be wrong with a file, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use dosnes::{Kind, MatrixError};

/// Where in a file something is wrong. An empty place means the file as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Line of a text file, from 1.
    pub line: Option<u64>,
    /// Name of the array, group or section inside the file.
    pub part: Option<Box<str>>,
    /// Row of a matrix, from 0.
    pub row: Option<usize>,
    /// Name of the column, or its number from 1 where it has none.
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

/// Everything that can go wrong between a file and a dataset. The message says what was wrong, where, and what to do.
///
/// Messages include what the operating system said; [`Error::io_error`] gives it as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened.
    #[error("{file}: cannot be opened: {}", why_not_opened(error))]
    Open {
        /// The file.
        file: String,
        /// What the operating system said.
        error: io::Error,
    },
    /// A folder was given where a file is needed.
    #[error("{file}: is a folder; give a file in it")]
    Folder {
        /// The folder.
        file: String,
    },
    /// The file, or the part of it that is needed, holds nothing.
    #[error("{file}: {what}")]
    Empty {
        /// The file.
        file: String,
        /// What is missing from it.
        what: String,
    },
    /// Reading broke off.
    #[error("{file}: reading broke off: {error}")]
    Read {
        /// The file.
        file: String,
        /// What the operating system said.
        error: io::Error,
    },
    /// A compressed file ends before its contents do, or is damaged.
    #[error("{file}: the gzip data is truncated or damaged ({error}); fetch or compress the file again")]
    Gzip {
        /// The file.
        file: String,
        /// What the decompressor said.
        error: io::Error,
    },
    /// The contents are of no known format.
    #[error("{file}: {problem}")]
    UnknownFormat {
        /// The file.
        file: String,
        /// What was found, and what can be read.
        problem: String,
    },
    /// The contents break the rules of their format.
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
    /// A value is missing where a number is needed.
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
         points, if its rows and columns are two kinds of things, as dyadic"
    )]
    NotSquare {
        /// The file.
        file: String,
        /// The kind that was asked for or found.
        kind: Kind,
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A map needs at least two items.
    #[error("{file}: there {} in it, and a map needs at least 2", counted_items(*items))]
    TooFewItems {
        /// The file.
        file: String,
        /// Number of items.
        items: usize,
    },
    /// The sizes do not fit each other, or nothing has the shape that is needed.
    #[error("{file}: {problem}")]
    Shape {
        /// The file.
        file: String,
        /// What does not fit.
        problem: String,
    },
    /// Two items have the same name.
    #[error("{file}{place}: the id \"{id}\" was already given to an earlier item; ids must be unique")]
    DuplicateId {
        /// The file.
        file: String,
        /// Where the second one is.
        place: Place,
        /// The name.
        id: String,
    },
    /// A name that belongs to no item.
    #[error("{file}{place}: {problem}")]
    UnknownId {
        /// The file.
        file: String,
        /// Where.
        place: Place,
        /// What is wrong and what to do.
        problem: String,
    },
    /// An option asks for something that the file does not have.
    #[error("{file}: {problem}")]
    Option {
        /// The file.
        file: String,
        /// What was asked for, and what there is.
        problem: String,
    },
    /// Writing failed. A reader that closed the pipe is found by the error's kind.
    #[error("{}: cannot be written: {}", path.display(), why_not_written(path, error))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: io::Error,
    },
    /// What was asked for cannot be written there.
    #[error("{}: cannot be written: {problem}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        problem: OutputProblem,
    },
    /// The caller's observer stopped the reading.
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
    #[error("the file is there already and is write-protected")]
    WriteProtected,
    /// The path has no file name.
    #[error("it is not the name of a file")]
    NoFileName,
    /// The extension is none that can be written.
    #[error("the name must end in {known}")]
    UnknownExtension {
        /// The ones that can be.
        known: &'static str,
    },
    /// This format is not written compressed.
    #[error(".{extension} files are not written compressed; leave out .gz")]
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
    /// The format holds only maps on a sphere.
    #[error("GeoJSON holds places on a sphere, and this map is not on one; choose .csv or .json")]
    NotOnSphere,
}

impl Error {
    /// What the operating system said, where that is the reason.
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

    /// A sparse matrix that cannot be made. A value that is not finite is named with its place.
    pub(crate) fn matrix(file: &str, place: Place, error: MatrixError) -> Self {
        match error {
            MatrixError::NotFinite { row, column, value } => {
                let problem = if value.is_nan() {
                    "the value is missing (NaN); fill it in".to_owned()
                } else {
                    format!("the value \"{value}\" is infinite; values must be finite")
                };
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
        1 => "is 1 item".into(),
        n => format!("are {n} items"),
    }
}

/// What a value ≥ 0 is.
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
        } else {
            None
        }
    }
}
