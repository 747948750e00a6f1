//! The errors of the sums.

/// The errors of the sums.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The tolerance is outside of the supported range.
    #[error("tolerance {0} is out of range; choose one between 1e-12 and 0.1")]
    Tolerance(f64),
    /// The radius is not a positive, finite number.
    #[error("radius {0} is not a positive, finite number")]
    Radius(f64),
    /// There must be one force for each point.
    #[error("{points} points but {forces} forces; there must be one force for each point")]
    Length {
        /// Number of points.
        points: usize,
        /// Number of forces.
        forces: usize,
    },
    /// Too many points for a 32-bit index.
    #[error("{0} points are more than 2^31")]
    TooMany(usize),
    /// A point is not on the unit sphere.
    #[error("point {index} has length {length}, not 1; divide every point by its length")]
    NotUnit {
        /// The index of the point.
        index: usize,
        /// Its length; NaN if a coordinate is NaN.
        length: f64,
    },
}
