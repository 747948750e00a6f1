//! Flags after numbers, as offices of statistics and papers write them: `12.3 b`, `0.45**`. They are taken off.

use std::collections::BTreeSet;

use super::affixes::UNITS;
use super::records::{Cell, Record, parse_cell};
use super::separator::Separator;

/// Letters of a flag, at most.
const LONGEST: usize = 3;

/// The columns with flags.
#[derive(Debug, Default)]
pub(super) struct Flags {
    columns: Vec<usize>,
    /// All flags that were found.
    pub(super) found: Vec<String>,
}

impl Flags {
    /// A column has flags if all of its cells are numbers or missing, most without a flag or with different ones. The first row
    /// may be a header.
    pub(super) fn of(sample: &[Record], separator: Separator) -> Self {
        let mut flags = Self::default();
        if !matches!(separator, Separator::Character(_)) {
            return flags;
        }
        let rest = sample.get(1..).unwrap_or_default();
        let width = rest.iter().map(Record::len).max().unwrap_or(0);
        let is_plain = |cell: &str| parse_cell(cell, separator, &mut false) != Cell::Text;
        let mut found = BTreeSet::new();
        for column in 0..width {
            let cells = || rest.iter().map(|record| record.get(column));
            let flagged = || cells().filter(|cell| !is_plain(cell));
            let numbers = cells().filter(|cell| split(cell, separator).is_some_and(|(n, _)| !is_missing(n, separator)));
            // Flags of offices of statistics that look like units.
            let is_unit =
                |cell| split(cell, separator).is_some_and(|(_, f)| UNITS.contains(&f) && !matches!(f, "s" | "bp"));
            let fits = flagged().next().is_some()
                && !flagged().any(is_unit)
                && cells().all(|cell| is_plain(cell) || split(cell, separator).is_some())
                && (cells().any(is_plain) || numbers.count() > 1);
            if fits {
                flags.columns.push(column);
                found.extend(flagged().filter_map(|cell| Some(split(cell, separator)?.1.to_owned())));
            }
        }
        flags.found = found.into_iter().collect();
        flags
    }

    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The number of a cell with a flag.
    pub(super) fn taken_off(&self, column: usize, cell: &str, separator: Separator) -> Option<String> {
        if self.columns.binary_search(&column).is_err() || parse_cell(cell, separator, &mut false) != Cell::Text {
            return None;
        }
        split(cell, separator).map(|(number, _)| number.to_owned())
    }
}

fn is_missing(cell: &str, separator: Separator) -> bool {
    parse_cell(cell, separator, &mut false) == Cell::Missing
}

/// A number, or the sign of a missing one, and its flag: stars and daggers, or small letters after a blank.
fn split(cell: &str, separator: Separator) -> Option<(&str, &str)> {
    let cell = cell.trim();
    let signs = cell.trim_end_matches(['*', '†', '‡', '#']);
    let (number, flag) = if signs.len() < cell.len() { cell.split_at(signs.len()) } else { cell.rsplit_once(' ')? };
    let number = number.trim();
    let is_flag = flag.chars().count() <= LONGEST
        && flag.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '*' | '†' | '‡' | '#'));
    let is_number = !number.is_empty() && parse_cell(number, separator, &mut false) != Cell::Text;
    (is_flag && is_number).then_some((number, flag))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(column: &[&str]) -> Vec<String> {
        let separator = Separator::Character(b'\t');
        let rows: Vec<Record> = column.iter().map(|cell| Record::of_line(cell, separator)).collect();
        Flags::of(&rows, separator).found
    }

    #[test]
    fn flags_after_some_numbers_are_found() {
        assert_eq!(found(&["2015", "12.3 b", "7.5", ": c", "3.1 bp"]), ["b", "bp", "c"]);
        assert_eq!(found(&["r", ".45***", "-.2*", "1"]), ["*", "***"]);
    }

    #[test]
    fn names_are_no_flags() {
        assert!(found(&["length", "150 cm", "1.6 m", "2"]).is_empty());
        for column in [["id", "s 1", "s 2"], ["id", "12a", "13"], ["id", "5 Main", "6 oak"], ["id", "b", "c"]] {
            assert!(found(&column).is_empty(), "{column:?}");
        }
    }
}
