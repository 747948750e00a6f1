//! What can be wrong with a page.

/// What can be wrong with a page.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is nothing to show.
    #[error("a page needs at least one view: push an embedding to `views`")]
    NoView,
    /// Something does not have one value for each item.
    #[error("{what} has {found} entries but there are {expected} items; give one for each item, in the same order")]
    WrongLength {
        /// Which part of the page.
        what: String,
        /// Number of items.
        expected: usize,
        /// Number of entries that came.
        found: usize,
    },
    /// A measure does not have a value for each map.
    #[error("the measure {name:?} has {found} values for {expected} maps")]
    BadMeasure {
        /// Its name.
        name: String,
        /// Number of maps.
        expected: usize,
        /// Number of values.
        found: usize,
    },
    /// Positions with a number of coordinates that does not fit the space.
    #[error("{what} has {found} coordinates a point; {space} needs {expected}")]
    WrongDimension {
        /// Which view or snapshot.
        what: String,
        /// The kind of space.
        space: &'static str,
        /// How many coordinates that space has.
        expected: usize,
        /// How many came.
        found: usize,
    },
    /// A coordinate is NaN or infinite, or a point on the sphere lies at its centre.
    #[error("{what}, item {item} ({id:?}): the position is {problem}; every point needs finite coordinates")]
    BadPosition {
        /// Which view or snapshot.
        what: String,
        /// Row of the item.
        item: usize,
        /// Name of the item.
        id: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The initial colour, label or size names a column that is not there.
    #[error("there is no column {name:?} to {purpose} by; the columns are: {known}")]
    UnknownColumn {
        /// The name that was asked for.
        name: String,
        /// What it was asked for.
        purpose: &'static str,
        /// The names that would do.
        known: String,
    },
    /// The images do not have the size that they say.
    #[error(
        "{count} images of {width} × {height} × {channels} make {expected} bytes, but {found} came; channels: 1, 3 or 4"
    )]
    BadSprites {
        /// Number of items.
        count: usize,
        /// Pixels across.
        width: usize,
        /// Pixels down.
        height: usize,
        /// Bytes a pixel.
        channels: usize,
        /// Bytes that there should be.
        expected: usize,
        /// Bytes that there are.
        found: usize,
    },
    /// The header could not be written as JSON, or a block not be compressed.
    #[error("the page could not be put together")]
    Write(#[from] std::io::Error),
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Write(error.into())
    }
}
