//! Blanks and apostrophes between groups of three digits: `12 345,6` in France and Sweden, `12\'345.6` in Switzerland.

use super::records::{Cell, Record, parse_cell};
use super::separator::Separator;

/// The marks: a blank, those that do not break a line, a thin one, and two apostrophes.
const MARKS: [char; 6] = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\'', '\u{2019}'];

/// The columns with such numbers.
#[derive(Debug, Default)]
pub(super) struct DigitGroups {
    columns: Vec<usize>,
    /// The first such number, for the user.
    pub(super) example: Option<String>,
}

impl DigitGroups {
    /// A column has them if all of its cells are numbers, with or without. The first row may be a header.
    pub(super) fn of(sample: &[Record], separator: Separator) -> Self {
        let mut groups = Self::default();
        if !matches!(separator, Separator::Character(_)) {
            return groups;
        }
        let rest = sample.get(1..).unwrap_or_default();
        let width = rest.iter().map(Record::len).max().unwrap_or(0);
        for column in 0..width {
            let cells = || rest.iter().map(|record| record.get(column));
            let Some(example) = cells().find(|cell| without_marks(cell).is_some()) else { continue };
            let is_number =
                |cell: &str| without_marks(cell).is_some() || parse_cell(cell, separator, &mut false) != Cell::Text;
            if cells().all(is_number) {
                groups.columns.push(column);
                groups.example.get_or_insert_with(|| example.to_owned());
            }
        }
        groups
    }

    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The cell without its marks, if it is such a number.
    pub(super) fn joined(&self, column: usize, cell: &str) -> Option<String> {
        if self.columns.binary_search(&column).is_ok() { without_marks(cell) } else { None }
    }
}

/// `12 345,6` is `12345,6`; `None` if there are no groups of three digits.
fn without_marks(cell: &str) -> Option<String> {
    let unsigned = cell.trim_start_matches(['-', '+', '\u{2212}']);
    let mark = unsigned.chars().find(|c| MARKS.contains(c))?;
    let end = unsigned.find(['.', ',']).unwrap_or(unsigned.len());
    let (whole, decimals) = unsigned.split_at(end);
    let mut groups = whole.split(mark);
    let digits = |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    let first = groups.next().filter(|first| first.len() <= 3 && !first.starts_with('0') && digits(first));
    let fits = first.is_some()
        && groups.all(|group| group.len() == 3 && digits(group))
        && (decimals.is_empty() || digits(&decimals[1..]));
    fits.then(|| cell.replace(mark, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_three_digits_are_joined_and_nothing_else() {
        for (cell, expected) in [
            ("12 345,6", Some("12345,6")),
            ("1\u{202f}234\u{202f}567", Some("1234567")),
            ("-1'234.5", Some("-1234.5")),
            ("12 34", None),
            ("012 345", None),
            ("12345", None),
            ("1 234 Main Street", None),
            ("1 234,", None),
        ] {
            assert_eq!(without_marks(cell).as_deref(), expected, "{cell}");
        }
    }
}
