//! What can be wrong with a page or a figure.

/// What can be wrong with a page or a figure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A page without an embedding.
    #[error("a page needs at least one view: push an embedding to `views`")]
    NoView,
    /// Something does not have one value for each item.
    #[error("{what} has {found} entries but there are {expected} items; give one for each item, in the same order")]
    WrongLength {
        /// Which part of the page or figure.
        what: String,
        /// Number of items.
        expected: usize,
        /// Number of entries that were given.
        found: usize,
    },
    /// The number of coordinates does not fit the space.
    #[error("{what}: points have {found} coordinates; the {space} needs {expected}")]
    WrongDimension {
        /// Which view, snapshot or figure.
        what: String,
        /// The kind of space.
        space: &'static str,
        /// How many coordinates that space has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("{what}, item {item} ({id:?}): every point needs finite coordinates")]
    NotFinite {
        /// Which view, snapshot or figure.
        what: String,
        /// Row of the item.
        item: usize,
        /// Name of the item.
        id: String,
    },
    /// A point that should be on the sphere lies at its centre, so that it has no direction.
    #[error("{what}, item {item} ({id:?}): the point lies at the sphere's centre, so it has no direction")]
    AtCentre {
        /// Which view, snapshot or figure.
        what: String,
        /// Row of the item.
        item: usize,
        /// Name of the item.
        id: String,
    },
    /// The colour or label names a column that does not exist.
    #[error("there is no column {name:?}; {}", listed(known))]
    UnknownColumn {
        /// The name that was given.
        name: String,
        /// The names of the columns.
        known: Vec<String>,
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
    /// The images do not have the size that they claim.
    #[error(
        "{count} images of {width} × {height} pixels and {channels} bytes a pixel (1, 3 or 4) need {expected} bytes, \
         but {found} were given"
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
        /// Bytes that are needed.
        expected: usize,
        /// Bytes that were given.
        found: usize,
    },
    /// A figure of no width, or wider than a PNG can be drawn.
    #[error("a figure is 16 to 16384 pixels wide, not {0}")]
    BadWidth(u32),
    /// The page could not be assembled.
    #[error("the page could not be assembled")]
    Write(#[from] std::io::Error),
    /// The figure could not be drawn as a PNG.
    #[error("the figure could not be drawn: {0}")]
    Raster(String),
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Write(error.into())
    }
}

fn listed(columns: &[String]) -> String {
    if columns.is_empty() {
        "the items have no columns".to_owned()
    } else {
        format!("the columns are: {}", columns.join(", "))
    }
}
