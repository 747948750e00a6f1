//! What can be wrong with a figure.

/// What can be wrong with a figure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something does not have one value for each item.
    #[error("{what} has {found} entries but there are {expected} items; give one for each item, in the same order")]
    WrongLength {
        /// Which part of the figure.
        what: &'static str,
        /// Number of items.
        expected: usize,
        /// Number of entries that came.
        found: usize,
    },
    /// Positions with a number of coordinates that does not fit the space.
    #[error("points have {found} coordinates; the {space} needs {expected}")]
    WrongDimension {
        /// The kind of space.
        space: &'static str,
        /// How many coordinates that space has.
        expected: usize,
        /// How many came.
        found: usize,
    },
    /// A coordinate is NaN or infinite, or a point on the sphere lies at its centre.
    #[error("item {item} ({id:?}) has no place: every point needs finite coordinates away from the sphere's centre")]
    BadPosition {
        /// Row of the item.
        item: usize,
        /// Name of the item.
        id: String,
    },
    /// The colour or label names a column that is not there.
    #[error("there is no column {name:?}; the columns are: {known}")]
    UnknownColumn {
        /// The name that was asked for.
        name: String,
        /// The names that would do.
        known: String,
    },
    /// A width of zero, or one that no picture has.
    #[error("a figure is 16 to 16384 pixels wide, not {0}")]
    BadWidth(u32),
    /// The picture could not be drawn.
    #[error("the picture could not be drawn: {0}")]
    Raster(String),
}
