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
