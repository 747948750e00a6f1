//! What can go wrong in the library.

use crate::normalize::Feasibility;

/// What can go wrong in the library. Items are named by their row: the caller knows their ids.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter is outside its range.
    #[error("{name} is {value}, but {expected}")]
    Parameter {
        /// The parameter's name.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// Fewer than two items with any similarity.
    #[error("only {kept} of {n} items have a similarity to another item; a map needs at least two")]
    TooFewItems {
        /// Items with a similarity to another one.
        kept: usize,
        /// All items.
        n: usize,
    },
    /// A matrix of pairs is not square.
    #[error("the matrix is {rows} × {columns}, but similarities and distances of pairs need as many rows as columns")]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A value that no similarity, distance or coordinate may have.
    #[error("the value in row {row}, column {column} is {value}; {expected}")]
    Value {
        /// Its row, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
        /// The value.
        value: f64,
        /// What it should be.
        expected: &'static str,
    },
    /// In strict mode: no diagonal scaling makes the matrix doubly stochastic.
    #[error("no exact doubly stochastic scaling exists: {}", explain(.0))]
    NoExactScaling(Feasibility),
    /// A method that works on the full matrix was asked for too many items.
    #[error("{method} works on a full matrix: {n} items would take {} of memory, and the limit is {}", bytes(*.needed), bytes(*.limit))]
    TooLarge {
        /// The method.
        method: &'static str,
        /// Number of items.
        n: usize,
        /// Bytes it would take.
        needed: u64,
        /// Bytes it may take.
        limit: u64,
    },
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
    TooFewForNeighbors {
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
    /// The caller's observer stopped the run before there was any result.
    #[error("stopped before there was a result")]
    Stopped,
}

fn explain(feasibility: &Feasibility) -> String {
    match feasibility {
        Feasibility::Exact => "yet one does".to_owned(),
        Feasibility::VanishingEntries(rows) => format!("similarities of {} items would have to vanish", rows.len()),
        Feasibility::TooFewPartners(rows) => {
            format!("{} items have, taken together, fewer partners than they are", rows.len())
        }
    }
}

/// A number of bytes as people write it.
pub(crate) fn bytes(n: u64) -> String {
    match n {
        0..1_000_000 => format!("{:.1} kB", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", n as f64 / 1e6),
        _ => format!("{:.1} GB", n as f64 / 1e9),
    }
}
