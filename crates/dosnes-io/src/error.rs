//! What can be wrong with a file, and where.

use std::fmt;
use std::io;
use std::path::PathBuf;

use dosnes::MatrixError;

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
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened.
    #[error("{file}: cannot be opened: {problem}")]
    Open {
        /// The file.
        file: String,
        /// Why.
        problem: String,
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
    #[error("{file}: reading broke off: {problem}")]
    Read {
        /// The file.
        file: String,
        /// Why.
        problem: String,
    },
    /// A compressed file ends before its contents do, or is damaged.
    #[error("{file}: the gzip data is truncated or damaged ({problem}); fetch or compress the file again")]
    Gzip {
        /// The file.
        file: String,
        /// What the decompressor said.
        problem: String,
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
    /// The sizes do not fit the kind of data, or each other.
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
    /// A file cannot be written.
    #[error("{path}: cannot be written: {problem}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        problem: String,
    },
}

impl Error {
    /// A file that cannot be opened.
    pub(crate) fn open(file: &str, error: &io::Error) -> Self {
        let problem = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            io::ErrorKind::PermissionDenied => "no permission to read it".to_owned(),
            _ => error.to_string(),
        };
        Self::Open { file: file.to_owned(), problem }
    }

    /// A read that broke off.
    pub(crate) fn read(file: &str, error: &io::Error) -> Self {
        Self::Read { file: file.to_owned(), problem: error.to_string() }
    }

    /// A read of compressed data that broke off; a truncated or damaged stream is told apart from a failing disk.
    pub(crate) fn read_gzip(file: &str, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                Self::Gzip { file: file.to_owned(), problem: error.to_string() }
            }
            _ => Self::read(file, error),
        }
    }

    pub(crate) fn malformed(file: &str, place: Place, problem: impl Into<String>) -> Self {
        Self::Malformed { file: file.to_owned(), place, problem: problem.into() }
    }

    pub(crate) fn value(file: &str, place: Place, problem: impl Into<String>) -> Self {
        Self::Value { file: file.to_owned(), place, problem: problem.into() }
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

    pub(crate) fn option(file: &str, problem: impl Into<String>) -> Self {
        Self::Option { file: file.to_owned(), problem: problem.into() }
    }

    pub(crate) fn empty(file: &str, what: impl Into<String>) -> Self {
        Self::Empty { file: file.to_owned(), what: what.into() }
    }

    pub(crate) fn unknown_format(file: &str, problem: impl Into<String>) -> Self {
        Self::UnknownFormat { file: file.to_owned(), problem: problem.into() }
    }
}

/// The error of a value that a kind of data cannot hold; `None` if the value is fine.
pub(crate) fn forbidden_weight(value: f64, what: &str) -> Option<String> {
    if value.is_nan() {
        Some(format!("{what} is not a number (NaN); {what}s must be numbers ≥ 0"))
    } else if value.is_infinite() {
        Some(format!("{what} \"{value}\" is infinite; {what}s must be finite"))
    } else if value < 0.0 {
        Some(format!("{what} \"{value}\" is negative; {}", must_be_positive(what)))
    } else {
        None
    }
}

fn must_be_positive(what: &str) -> &'static str {
    match what {
        "distance" => "distances must be ≥ 0",
        _ => "similarities must be ≥ 0",
    }
}
