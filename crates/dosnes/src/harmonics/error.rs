//! What can be wrong with a request.

/// Errors of the sums.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The tolerance is outside of what the sums can reach.
    #[error("tolerance {0} is out of range; choose one between 1e-12 and 0.1")]
    Tolerance(f64),
    /// The radius is not a positive, finite number.
    #[error("radius {0} is not a positive, finite number")]
    Radius(f64),
    /// The forces do not match the points.
    #[error("{points} points but room for {forces} forces; both must be equally many")]
    Length {
        /// Points given.
        points: usize,
        /// Forces given.
        forces: usize,
    },
    /// More points than an index can count.
    #[error("{0} points are more than 2^31")]
    TooMany(usize),
    /// A point is not on the unit sphere.
    #[error("point {index} has length {length}, not 1; divide every point by its length")]
    NotUnit {
        /// Which point.
        index: usize,
        /// Its length; not a number if a coordinate is none.
        length: f64,
    },
}
