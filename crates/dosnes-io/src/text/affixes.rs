//! Signs and units in the cells of a column: `50 %`, `$1,000`, `150 cm`. They are taken off if the whole column has the same.

use super::records::{Cell, Record, parse_cell};
use super::separator::Separator;

/// Signs before or after a number.
const SIGNS: [&str; 9] = ["%", "‰", "$", "€", "£", "¥", "US$", "°", "~"];
/// Units that may stand directly after a number; others need a blank, since `12a` and `13a` are names.
pub(super) const UNITS: [&str; 20] = [
    "mm", "cm", "m", "km", "g", "kg", "mg", "s", "ms", "min", "h", "°C", "°F", "Hz", "kHz", "bp", "kb", "Mb", "px",
    "ml",
];
/// Letters of a unit, at most.
const LONGEST_UNIT: usize = 8;

/// What stands before and after the numbers of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Affixes {
    column: usize,
    before: String,
    after: String,
}

impl Affixes {
    /// Those of all columns, in their order. The first row may be a header.
    pub(super) fn of(sample: &[Record], separator: Separator) -> Vec<Self> {
        let rest = sample.get(1..).unwrap_or_default();
        let width = rest.iter().map(Record::len).max().unwrap_or(0);
        (0..width).filter_map(|column| Self::of_column(rest, column, separator)).collect()
    }

    /// Those of one column, of the affixes of all.
    pub(super) fn find(all: &[Self], column: usize) -> Option<&Self> {
        all.binary_search_by_key(&column, |affixes| affixes.column).ok().map(|found| &all[found])
    }

    fn of_column(rows: &[Record], column: usize, separator: Separator) -> Option<Self> {
        let cells = || {
            let all = rows.iter().filter(|r| r.len() > column).map(|r| r.get(column).trim());
            all.filter(|cell| parse_cell(cell, separator, &mut false) != Cell::Missing)
        };
        let first = cells().next()?;
        if cells().nth(1).is_none() || parse_cell(first, separator, &mut false) != Cell::Text {
            return None;
        }
        let digits = first.find(|c: char| c.is_ascii_digit())?;
        // A sign of the number itself belongs to it.
        let start = first[..digits].trim_end_matches(['-', '+', '.']).len();
        let end = first.rfind(|c: char| c.is_ascii_digit())? + 1;
        let (before, after) = (first[..start].trim(), first[end..].trim());
        let blank = first[end..].starts_with(' ');
        let is_unit = |unit: &str| {
            UNITS.contains(&unit)
                || blank
                    && unit.chars().count() <= LONGEST_UNIT
                    && unit.chars().all(|c| c.is_alphabetic() || "/²³%µ°".contains(c))
        };
        let fits = (before.is_empty() || SIGNS.contains(&before))
            && (after.is_empty() || SIGNS.contains(&after) || is_unit(after))
            && !(before.is_empty() && after.is_empty());
        let affixes = Self { column, before: before.to_owned(), after: after.to_owned() };
        (fits && cells().all(|cell| affixes.number_in(cell, separator).is_some())).then_some(affixes)
    }

    /// The number of a cell, if the cell has these affixes and a number; separators of thousands may be in it.
    fn number_in<'a>(&self, cell: &'a str, separator: Separator) -> Option<&'a str> {
        let cell = cell.trim().strip_prefix(self.before.as_str())?.trim();
        let number = cell.strip_suffix(self.after.as_str())?.trim();
        let is_number = matches!(parse_cell(number, separator, &mut false), Cell::Number(_))
            || number.contains([',', '.'])
                && number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+'));
        is_number.then_some(number)
    }

    /// The cell without them, if it has them.
    pub(super) fn taken_off(&self, cell: &str, separator: Separator) -> Option<String> {
        self.number_in(cell, separator).map(str::to_owned)
    }

    /// For the user: the sign, and the column by its name in the header or its number.
    pub(super) fn describe(&self, header: &Record) -> String {
        let sign: Vec<&str> =
            [self.before.as_str(), self.after.as_str()].into_iter().filter(|s| !s.is_empty()).collect();
        let name = header.get(self.column);
        let is_name = !name.is_empty() && !name.chars().any(|c| c.is_ascii_digit());
        let column = if is_name { format!("\"{name}\"") } else { format!("\"{}\"", self.column + 1) };
        format!("\"{}\" of column {column}", sign.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(column: &[&str]) -> Option<(String, String)> {
        let comma = Separator::Character(b';');
        let rows: Vec<Record> = column.iter().map(|cell| Record::of_line(cell, comma)).collect();
        Affixes::of(&rows, comma).pop().map(|a| (a.before, a.after))
    }

    #[test]
    fn signs_and_units_of_a_whole_column_are_found() {
        let some = |before: &str, after: &str| Some((before.to_owned(), after.to_owned()));
        assert_eq!(found(&["share", "5%", "-7.5 %", "NA"]), some("", "%"));
        assert_eq!(found(&["price", "$1,000.50", "$7"]), some("$", ""));
        assert_eq!(found(&["height", "150 cm", "151.5 cm"]), some("", "cm"));
        assert_eq!(found(&["height", "150cm", "151cm"]), some("", "cm"));
    }

    #[test]
    fn names_keep_their_numbers() {
        for column in [["id", "12a", "13a"], ["id", "s1", "s2"], ["id", "5 cm", "5 kg"], ["id", "1-2", "3-4"]] {
            assert_eq!(found(&column), None, "{column:?}");
        }
    }
}
