//! Error messages with the ids of the items, and exit codes.

use crate::{
    interrupt::{self, Reason},
    memory,
    numbers::{bytes, count},
};
use dosnes::{DenseMethod, Quantity, input::Items, normalization::Feasibility};
use std::process::ExitCode;

/// Failures of the command itself; the libraries have their own errors.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input or the command line is wrong.
    BadInput(String),
    /// It is not possible on this machine.
    NotPossible(String),
    /// The run ended early, before there was a result.
    Interrupted,
}

impl std::error::Error for Failure {}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BadInput(text) | Self::NotPossible(text) => f.write_str(text),
            Self::Interrupted => {
                match interrupt::reason() {
                    Some(Reason::TimeLimit) => {
                        write!(
                            f,
                            "--time-limit ended before there was a result; nothing was written. Give it more time"
                        )?;
                    }
                    Some(Reason::Memory) => f.write_str(&memory::problem())?,
                    _ => f.write_str("stopped before there was a result; nothing was written")?,
                }
                match &*interrupt::continuation() {
                    Some(command) => write!(f, ". To continue: {command}"),
                    None => Ok(()),
                }
            }
        }
    }
}

/// 2 for bad input, 130 for Ctrl-C, 143 for a request to end, 1 for everything else.
pub(crate) fn exit_code(error: &anyhow::Error) -> ExitCode {
    ExitCode::from(if let Some(failure) = error.downcast_ref::<Failure>() {
        match failure {
            Failure::BadInput(_) => 2,
            Failure::NotPossible(_) => 1,
            Failure::Interrupted => return interrupted(),
        }
    } else if let Some(error) = error.downcast_ref::<dosnes_io::Error>() {
        match error {
            dosnes_io::Error::Write { .. } | dosnes_io::Error::Output { .. } | dosnes_io::Error::Read { .. } => 1,
            dosnes_io::Error::Stopped => return interrupted(),
            _ => 2,
        }
    } else {
        1
    })
}

fn interrupted() -> ExitCode {
    match interrupt::reason() {
        Some(reason @ Reason::Signal(_)) => reason.exit_code(),
        _ => ExitCode::FAILURE,
    }
}

/// A hint at the option that may help.
pub(crate) fn hint(error: &anyhow::Error) -> Option<&'static str> {
    match error.downcast_ref::<dosnes_io::Error>()? {
        dosnes_io::Error::Missing { .. } => {
            Some("--missing drop leaves out items with missing values, --missing mean fills them in")
        }
        dosnes_io::Error::NotSquare { .. } => {
            Some("set the kind of data with --as points|similarity|distance|graph|dyadic")
        }
        _ => None,
    }
}

/// The error of the readers. That reading was stopped is said as for all stages.
pub(crate) fn of_reader(error: dosnes_io::Error) -> anyhow::Error {
    if matches!(error, dosnes_io::Error::Stopped) { Failure::Interrupted.into() } else { error.into() }
}

/// The error of the library, with ids instead of row numbers.
pub(crate) fn of_library(error: dosnes::Error, items: &Items) -> Failure {
    let id = |row: usize| items.ids.get(row).map_or_else(|| format!("row {row}"), |id| format!("\"{id}\""));
    match error {
        dosnes::Error::Stopped => Failure::Interrupted,
        dosnes::Error::NoExactScaling(why) => Failure::BadInput(no_exact_scaling(&why, items)),
        dosnes::Error::TooLarge { method: method @ DenseMethod::MultidimensionalScaling, n, needed, limit } => {
            Failure::NotPossible(format!(
                "{method} of {} items would need {} of memory, but the limit is {}; leave this method out with --only, \
                 or raise --memory-limit",
                count(n),
                bytes(needed),
                bytes(limit)
            ))
        }
        dosnes::Error::TooLarge { method, n, needed, limit } => Failure::NotPossible(format!(
            "--normalize {method} needs the full matrix: {} items would need {} of memory, but the limit is {}; use \
             --normalize sinkhorn, or raise --memory-limit",
            count(n),
            bytes(needed),
            bytes(limit)
        )),
        dosnes::Error::Value { quantity: Quantity::Coordinate, row, column, value } => Failure::BadInput(format!(
            "item {}, column {column} (counted from 0) is {value}; points must be finite numbers",
            id(row)
        )),
        dosnes::Error::Value {
            quantity: quantity @ (Quantity::Distance | Quantity::Similarity),
            row,
            column,
            value,
        } => {
            let (from, to) = (id(row), id(column));
            Failure::BadInput(format!("the {quantity} from {from} to {to} is {value}; {}", quantity.requirement()))
        }
        dosnes::Error::UndefinedDistance { row, metric, reason } => Failure::BadInput(format!(
            "item {} {reason}, so its {metric} distance to other items is not defined; remove the item, or use \
             another --metric",
            id(row)
        )),
        dosnes::Error::PerplexityTooLarge { perplexity, items, largest } => Failure::BadInput(format!(
            "perplexity {perplexity} is too large for {} items, because it needs three times as many neighbours; use \
             --perplexity {} or less",
            count(items),
            (largest * 10.0).floor() / 10.0
        )),
        dosnes::Error::Unconnected { row } => Failure::BadInput(format!(
            "the new item {} has no similarity to any item of the map, so it has no place there; leave it out",
            id(row)
        )),
        dosnes::Error::Fixed { row, reason } => {
            Failure::BadInput(format!("the item {} cannot be fixed at a direction (--fix): {reason}", id(row)))
        }
        other => Failure::BadInput(other.to_string()),
    }
}

fn no_exact_scaling(why: &Feasibility, items: &Items) -> String {
    let rows = why.obstacles();
    let reason = match why {
        Feasibility::VanishingEntries(_) => "have similarities that would have to become zero",
        _ => "form a group with too few distinct neighbours",
    };
    format!(
        "no exact doubly stochastic scaling exists: {} of the {} items {reason}: {}. Without --strict, dosnes \
         uses a softened scaling",
        count(rows.len()),
        count(items.len()),
        some_names(rows, items)
    )
}

/// The first ten names, and how many more there are.
pub(crate) fn some_names(rows: &[usize], items: &Items) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<&str> = rows.iter().take(SHOWN).map(|&row| items.ids[row].as_str()).collect();
    let more = if rows.len() > SHOWN { format!(" and {} more", count(rows.len() - SHOWN)) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_ten_names_are_shown() {
        let items = Items::numbered(13);
        let rows: Vec<usize> = (0..13).collect();
        assert_eq!(some_names(&rows, &items), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 3 more");
        assert_eq!(some_names(&rows[..2], &items), "0, 1");
    }
}
