//! What can go wrong.

/// What can go wrong, and what to do about it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A coordinate is NaN or infinite.
    #[error(
        "row {row}, column {column} is {value}; points must be finite numbers (leave the row out, or fill the gap)"
    )]
    NotFinite {
        /// Row of the cell, from 0.
        row: usize,
        /// Column of the cell, from 0.
        column: usize,
        /// What stands there.
        value: f64,
    },
    /// The metric is not defined for a row.
    #[error(
        "row {row} {reason}, so its {metric} distance to other rows is not defined; leave it out, or use another metric"
    )]
    UndefinedDistance {
        /// The row, from 0.
        row: usize,
        /// The metric's name.
        metric: &'static str,
        /// What is the matter with the row.
        reason: &'static str,
    },
    /// A given distance is negative, NaN or infinite.
    #[error("the distance from {row} to {column} is {value}; distances must be finite and ≥ 0")]
    BadDistance {
        /// Row of the cell, from 0.
        row: usize,
        /// Column of the cell, from 0.
        column: usize,
        /// What stands there.
        value: f64,
    },
    /// A matrix of distances between the same items has to be square.
    #[error("a matrix of distances must be square, this one is {rows} × {columns}")]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// More neighbours were asked for than there are other items.
    #[error("{asked} neighbours were asked for, but {items} items have only {} others each; ask for no more", items.saturating_sub(1))]
    TooManyNeighbors {
        /// Number of neighbours asked for.
        asked: usize,
        /// Number of items.
        items: usize,
    },
    /// A count that must be positive is zero.
    #[error("{what} must be at least 1")]
    Zero {
        /// Which one.
        what: &'static str,
    },
    /// A perplexity must be a number ≥ 1.
    #[error(
        "perplexity {perplexity} is not possible; it is an effective number of neighbours, so it must be at least 1"
    )]
    BadPerplexity {
        /// The perplexity asked for.
        perplexity: f64,
    },
    /// The perplexity is too large for so few items.
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
    /// There are too few items for any perplexity.
    #[error("{items} items are too few for neighbour similarities, which need at least 4")]
    TooFewItems {
        /// Number of items.
        items: usize,
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
    /// The caller's hook asked to stop.
    #[error("stopped on request")]
    Stopped,
}
