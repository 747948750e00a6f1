//! Errors of pages and figures.

/// An error of a page or a figure.
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
    /// The number of coordinates does not match the space.
    #[error("{what}: points have {found} coordinates, but the {space} needs {expected}")]
    WrongDimension {
        /// Which view, snapshot or figure.
        what: String,
        /// The kind of space.
        space: &'static str,
        /// Number of coordinates of this space.
        expected: usize,
        /// Number of coordinates that were given.
        found: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("{what}, item {item} ({id:?}): every point needs finite coordinates")]
    NotFinite {
        /// Which view, snapshot or figure.
        what: String,
        /// Row of the item.
        item: usize,
        /// Id of the item.
        id: String,
    },
    /// A point is at the centre of the sphere, so it has no direction.
    #[error("{what}, item {item} ({id:?}): the point is at the centre of the sphere, so it has no direction")]
    AtCentre {
        /// Which view, snapshot or figure.
        what: String,
        /// Row of the item.
        item: usize,
        /// Id of the item.
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
    /// An item is in a cluster that has no name.
    #[error("item {item} is in cluster {cluster} (from 0), but there are {names} names; give a name for each cluster")]
    BadCluster {
        /// Row of the item.
        item: usize,
        /// Its cluster.
        cluster: usize,
        /// Number of names.
        names: usize,
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
    /// The number of bytes does not match the size of the images.
    #[error(
        "{count} images of {width} × {height} pixels and {channels} bytes per pixel (1, 3 or 4) need {expected} bytes, \
         but {found} were given"
    )]
    BadSprites {
        /// Number of items.
        count: usize,
        /// Width in pixels.
        width: usize,
        /// Height in pixels.
        height: usize,
        /// Bytes per pixel.
        channels: usize,
        /// Bytes that are needed.
        expected: usize,
        /// Bytes that were given.
        found: usize,
    },
    /// A figure that is too narrow, or too wide for a PNG.
    #[error("the width of a figure is {0} pixels; it must be 16 to 16384")]
    BadWidth(u32),
    /// Points in the plane have no axis to turn around.
    #[error("points in the plane do not turn; draw them as .svg or .png")]
    NothingTurns,
    /// A turn of too few or too many frames.
    #[error("a turn of {0} frames; it must have 2 to 3600")]
    BadFrames(usize),
    /// Too little or too much time for a turn.
    #[error("a turn of {frames} frames in {seconds} seconds; it must take {} to 600 seconds", *frames as f64 * 0.02)]
    BadSeconds {
        /// Time of a turn.
        seconds: f64,
        /// Number of frames.
        frames: usize,
    },
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
