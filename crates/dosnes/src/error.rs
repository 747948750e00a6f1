//! The errors of the library.

use crate::{normalization::Feasibility, sparse::MatrixError};
use std::fmt;

/// The errors of the library. Items are identified by their row, counted from 0; the caller knows their names.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter is out of range.
    #[error("{parameter} is {value}, but {expected}")]
    Parameter {
        /// The parameter.
        parameter: Parameter,
        /// Its value.
        value: String,
        /// The values that are allowed.
        expected: &'static str,
    },
    /// Two things that describe the same items have different lengths.
    #[error("{what} has {found} items, but {expected} are needed")]
    Length {
        /// What has the wrong length.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that it should have.
        expected: usize,
    },
    /// Coordinates have the wrong number of columns for the space.
    #[error("{what} has {found} columns, but there are {expected} coordinates in this space")]
    Dimensions {
        /// What has the wrong number of columns.
        what: &'static str,
        /// Its number of columns.
        found: usize,
        /// The number of coordinates.
        expected: usize,
    },
    /// New points have another number of columns than those of the map.
    #[error("the new points have {found} columns, but those of the map have {expected}")]
    Columns {
        /// Number of columns of the new points.
        found: usize,
        /// Number of columns of the map's points.
        expected: usize,
    },
    /// A new item is similar to no item of the map.
    #[error(
        "the new item in row {row} has no similarity to any item of the map, so it has no place there; leave it out"
    )]
    Unconnected {
        /// The row of the new item.
        row: usize,
    },
    /// The parts do not form a valid sparse matrix.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// Fewer than two items have any similarity.
    #[error("only {kept} of {n} items have a similarity to another item; a map needs at least two")]
    TooFewItems {
        /// Items with a similarity to another one.
        kept: usize,
        /// All items.
        n: usize,
    },
    /// A matrix of pairwise values is not square.
    #[error("the matrix is {rows} × {columns}, but similarities and distances of pairs need as many rows as columns")]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A value that is not allowed for its quantity.
    #[error("the {quantity} in row {row}, column {column} is {value}; {}", quantity.requirement())]
    Value {
        /// The quantity.
        quantity: Quantity,
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// The value.
        value: f64,
    },
    /// A matrix must be symmetric, but is not.
    #[error("the matrix is not symmetric: row {row}, column {column} differs from row {column}, column {row}")]
    NotSymmetric {
        /// Row of the first entry that differs.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// In strict mode: no diagonal scaling makes the matrix doubly stochastic.
    #[error("no exact doubly stochastic scaling exists: {0}")]
    NoExactScaling(Feasibility),
    /// A method on dense matrices needs more memory than the limit.
    #[error("{method} works on a full matrix: {n} items would take {} of memory, and the limit is {}", bytes(*.needed), bytes(*.limit))]
    TooLarge {
        /// The method.
        method: DenseMethod,
        /// Number of items.
        n: usize,
        /// Bytes that it needs.
        needed: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The metric is not defined for a row.
    #[error(
        "row {row} {reason}, so its {metric} distance to other rows is not defined; leave it out, or use another metric"
    )]
    UndefinedDistance {
        /// The row.
        row: usize,
        /// The metric's name.
        metric: &'static str,
        /// What is wrong with the row.
        reason: &'static str,
    },
    /// More neighbours were asked for than there are other items.
    #[error("{asked} neighbours were asked for, but {items} items allow at most {}", items.saturating_sub(1))]
    TooManyNeighbors {
        /// Number of neighbours asked for.
        asked: usize,
        /// Number of items.
        items: usize,
    },
    /// The perplexity is too large for the number of items.
    #[error(
        "perplexity {perplexity} is too large for {items} items, as three times as many neighbours are needed; \
         the largest possible is {largest:.2}"
    )]
    PerplexityTooLarge {
        /// The perplexity asked for.
        perplexity: f64,
        /// Number of items.
        items: usize,
        /// The largest that is possible: (n − 1)/3.
        largest: f64,
    },
    /// There are too few items.
    #[error("{items} items are too few: at least {least} are needed")]
    TooFewForNeighbors {
        /// Number of items.
        items: usize,
        /// The smallest number that is possible.
        least: usize,
    },
    /// More principal components were asked for than the data can have.
    #[error("{asked} principal components were asked for, but {rows} × {columns} data has at most {}", rows.min(columns))]
    TooManyComponents {
        /// Number of components asked for.
        asked: usize,
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// An item cannot be fixed at a direction.
    #[error("the item in row {row} cannot be fixed at a direction: {reason}")]
    Fixed {
        /// Its row on the map.
        row: usize,
        /// Why not.
        reason: &'static str,
    },
    /// The state of an optimizer does not belong to these similarities and options.
    #[error("the state of the optimizer does not belong to these similarities and options")]
    ForeignState,
    /// The ranks of a run would compute different numbers.
    #[error(
        "the ranks are different versions of the program, or their processors or systems compute different last digits; use the \
         same program on computers of the same kind"
    )]
    DifferentRanks,
    /// The observer stopped the run before there was a result.
    #[error("stopped before there was a result")]
    Stopped,
}

/// The parameters that are checked. Callers may have their own names for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parameter {
    /// The effective number of neighbours.
    Perplexity,
    /// The number of neighbours.
    Neighbors,
    /// The number of columns of the data.
    Columns,
    /// The number of principal components.
    Components,
    /// The softness of a softened scaling.
    Softness,
    /// The number of steps of the walk.
    Steps,
    /// The largest radius of the sphere.
    Radius,
    /// The exaggeration of attraction.
    Exaggeration,
    /// The learning rate.
    LearningRate,
    /// How repulsion is computed.
    Repulsion,
    /// The number of neighbours that vote on a class.
    ClassNeighbors,
    /// The number of classes.
    Classes,
    /// The number of landmarks.
    Landmarks,
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Perplexity => "the perplexity",
            Self::Neighbors => "the number of neighbours",
            Self::Columns => "the number of columns",
            Self::Components => "the number of principal components",
            Self::Softness => "the softness",
            Self::Steps => "the number of steps",
            Self::Radius => "the radius",
            Self::Exaggeration => "the exaggeration",
            Self::LearningRate => "the learning rate",
            Self::Repulsion => "the method of repulsion",
            Self::ClassNeighbors => "the number of neighbours that vote on a class",
            Self::Classes => "the number of classes",
            Self::Landmarks => "the number of landmarks",
        })
    }
}

/// The quantity that a value of the input stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// A coordinate of a point.
    Coordinate,
    /// A similarity of two items.
    Similarity,
    /// A distance between two items.
    Distance,
    /// A coordinate of a map.
    MapCoordinate,
    /// The length of a point of a sphere.
    Radius,
}

impl Quantity {
    /// The condition that its values must meet.
    pub fn requirement(self) -> &'static str {
        match self {
            Self::Coordinate => "points must be finite numbers (leave the row out, or fill the gap)",
            Self::Similarity => "similarities must be finite and ≥ 0",
            Self::Distance => "distances must be finite and ≥ 0",
            Self::MapCoordinate => "the coordinates of a map must be finite numbers",
            Self::Radius => "all points of a sphere must have the same length",
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Coordinate => "value",
            Self::Similarity => "similarity",
            Self::Distance => "distance",
            Self::MapCoordinate => "map coordinate",
            Self::Radius => "length of the point",
        })
    }
}

/// The methods on dense matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DenseMethod {
    /// Zass and Shashua's normalisation.
    ZassShashua,
    /// Non-metric multidimensional scaling.
    MultidimensionalScaling,
}

impl fmt::Display for DenseMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ZassShashua => "zass-shashua",
            Self::MultidimensionalScaling => "multidimensional scaling",
        })
    }
}

impl Error {
    /// A parameter that is outside of its range.
    pub(crate) fn parameter(parameter: Parameter, value: impl Into<String>, expected: &'static str) -> Self {
        Self::Parameter { parameter, value: value.into(), expected }
    }

    /// A count that must be at least 1.
    pub(crate) fn zero(parameter: Parameter) -> Self {
        Self::parameter(parameter, "0", "it must be at least 1")
    }
}

/// A number of bytes in a suitable unit.
pub(crate) fn bytes(n: u64) -> String {
    match n {
        0..1_000_000 => format!("{:.1} kB", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", n as f64 / 1e6),
        _ => format!("{:.1} GB", n as f64 / 1e9),
    }
}
