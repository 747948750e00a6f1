//! What people and spreadsheets put around a table, or into its cells: titles, units, commas at the ends of lines, separators
//! of thousands, headers in comments.

use super::affixes::Affixes;
use super::records::{Cell, Record, parse_cell};
use super::separator::Separator;
use super::table::{common_width, sample_column};
use crate::column_names::{self, EndNames};
use crate::loaded::Note;
use std::collections::HashSet;

/// Lines above a table that are recognised as titles, at most.
const MOST_TITLES: usize = 10;
/// Rows of a header, at most.
const MOST_HEADER_ROWS: usize = 4;

/// How the thousands of large numbers are separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thousands {
    /// `1.234,50`
    Dots,
    /// `1,234.50`
    Commas,
}

/// What is mended in every row.
#[derive(Debug, Default)]
pub(crate) struct Mends {
    /// The number of cells of a row whose last cell is always empty.
    empty_end: Option<usize>,
    thousands: Option<Thousands>,
    affixes: Vec<Affixes>,
    /// The separator, which a cell is read with.
    separator: Option<Separator>,
    pub(crate) notes: Vec<Note>,
}

impl Mends {
    /// Looks at the first rows, and mends them.
    pub(crate) fn of(sample: &mut Vec<Record>, separator: Separator) -> Self {
        let mut mends = Self::default();
        let width = common_width(sample);
        let titles = sample.iter().take(MOST_TITLES + 1).take_while(|r| r.len() + 1 < width).count();
        // What follows must be a table: a single column, or ragged rows, have no titles.
        if titles > 0
            && titles <= MOST_TITLES
            && sample.len() >= titles + 3
            && sample[titles..].iter().all(|r| r.len() + 1 >= width)
            && !is_sizes(sample, titles)
        {
            sample.drain(..titles);
            mends.notes.push(Note::LinesSkipped(titles));
        }
        let is_character = matches!(separator, Separator::Character(_));
        let full = || sample.iter().filter(|r| r.len() == width);
        if is_character && width > 2 && full().count() > 1 && full().all(|r| r.get(width - 1).is_empty()) {
            mends.empty_end = Some(width);
        }
        mends.separator = Some(separator);
        mends.affixes = Affixes::of(sample, separator);
        if let (false, Some(header)) = (mends.affixes.is_empty(), sample.first()) {
            mends.notes.push(Note::UnitsTakenOff(mends.affixes.iter().map(|a| a.describe(header)).collect()));
        }
        for record in sample.iter_mut() {
            mends.take_off(record);
        }
        mends.thousands = thousands(sample, separator);
        if let Some(style) = mends.thousands {
            let example = if style == Thousands::Dots { "1.234,50" } else { "1,234.50" };
            mends.notes.push(Note::Thousands(example.to_owned()));
        }
        for record in sample.iter_mut() {
            mends.mend(record);
        }
        mends
    }

    pub(crate) fn mend(&self, record: &mut Record) {
        if self.empty_end == Some(record.len()) && record.get(record.len() - 1).is_empty() {
            record.pop();
        }
        self.take_off(record);
        if let Some(style) = self.thousands {
            *record = record.mapped(|_, cell| without_thousands(cell, style));
        }
    }

    /// Takes signs and units off numbers.
    fn take_off(&self, record: &mut Record) {
        if let (false, Some(separator)) = (self.affixes.is_empty(), self.separator) {
            *record = record.mapped(|k, cell| self.affixes.iter().find_map(|a| a.taken_off(k, cell, separator)));
        }
    }
}

/// The first line of word vectors has two numbers, and is no title.
fn is_sizes(sample: &[Record], titles: usize) -> bool {
    titles == 1
        && sample[0].len() == 2
        && sample[0].iter().all(|cell| cell.parse::<usize>().is_ok())
        && sample[1].len() > 2
        && sample[1].iter().skip(1).all(|cell| cell.parse::<f64>().is_ok())
}

/// Whether digits stand in groups of three, the first of one to three digits and not zero.
fn has_groups(whole: &str, mark: char) -> bool {
    let mut groups = whole.trim_start_matches(['-', '+']).split(mark);
    let first = groups.next().unwrap_or_default();
    let digits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    let mut count = 0;
    let rest = groups.all(|group| {
        count += 1;
        group.len() == 3 && digits(group)
    });
    (1..=3).contains(&first.len()) && digits(first) && !first.starts_with('0') && rest && count > 0
}

fn is_decimal(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// How thousands are separated, if a cell shows it beyond doubt.
fn thousands(sample: &[Record], separator: Separator) -> Option<Thousands> {
    let cells = || sample.iter().flat_map(Record::iter);
    let both = |cell: &str, groups: char, decimal: char| {
        cell.split_once(decimal).is_some_and(|(whole, digits)| has_groups(whole, groups) && is_decimal(digits))
    };
    if separator != Separator::Character(b',') && cells().any(|cell| both(cell, '.', ',')) {
        return Some(Thousands::Dots);
    }
    // Between commas, a comma within a cell is no decimal comma.
    let is_plain = |cell: &str| separator == Separator::Character(b',') && has_groups(cell, ',');
    cells().any(|cell| both(cell, ',', '.') || is_plain(cell)).then_some(Thousands::Commas)
}

/// A number without its separators of thousands, with a decimal point; `None` for other cells.
fn without_thousands(cell: &str, style: Thousands) -> Option<String> {
    let (mark, decimal) = match style {
        Thousands::Dots => ('.', ','),
        Thousands::Commas => (',', '.'),
    };
    let (whole, digits) = cell.split_once(decimal).map_or((cell, None), |(whole, digits)| (whole, Some(digits)));
    let plain = is_decimal(whole.trim_start_matches(['-', '+']));
    if !(plain || has_groups(whole, mark)) || digits.is_some_and(|digits| !is_decimal(digits)) {
        return None;
    }
    let whole = whole.replace(mark, "");
    Some(match digits {
        Some(digits) => format!("{whole}.{digits}"),
        None => whole,
    })
}

/// The names in a comment directly above the table: one text for each column.
pub(crate) fn header_in_comment(
    line: &str,
    separator: Separator,
    width: usize,
    sample: &[Record],
) -> Option<Vec<String>> {
    let names = Record::of_line(line.trim_start_matches('#').trim(), separator);
    let texts = names.iter().all(|name| parse_cell(name, separator, &mut false) == Cell::Text);
    let mut distinct: Vec<&str> = names.iter().collect();
    distinct.sort_unstable();
    distinct.dedup();
    let owned: Vec<String> = names.iter().map(str::to_owned).collect();
    let ends = matches!(column_names::find_ends(&owned), Some((_, _, EndNames::Certain | EndNames::TwoKinds)));
    let above_numbers = ends || (0..width).any(|k| sample_column(sample, k, separator).is_numeric());
    let fits = width > 1 && names.len() == width && distinct.len() == width && texts && above_numbers;
    fits.then_some(owned)
}

/// Whether the first row has units (`mm`, `kg`) above columns of numbers.
pub(crate) fn is_units_row(sample: &[Record], separator: Separator) -> bool {
    let Some((first, rest)) = sample.split_first() else { return false };
    if rest.len() < 2 {
        return false;
    }
    let numeric: Vec<usize> = (0..first.len())
        .filter(|&k| {
            let counts = sample_column(rest, k, separator);
            counts.numbers > 0 && counts.texts == 0
        })
        .collect();
    let is_unit = |cell: &str| {
        matches!(parse_cell(cell, separator, &mut false), Cell::Text | Cell::Missing) && cell.chars().count() <= 12
    };
    let any_text = numeric.iter().any(|&k| parse_cell(first.get(k), separator, &mut false) == Cell::Text);
    any_text && numeric.len() > 1 && numeric.iter().all(|&k| is_unit(first.get(k)))
}

/// The names of a header of several rows, which are taken from the sample: pandas writes one for groups of columns, with the
/// name of a group above each of its columns. A header of one row has no name twice.
pub(crate) fn take_grouped_header(sample: &mut Vec<Record>, separator: Separator) -> Option<Vec<String>> {
    let has_number =
        |record: &Record| record.iter().any(|cell| matches!(parse_cell(cell, separator, &mut false), Cell::Number(_)));
    let rows = sample.iter().take(MOST_HEADER_ROWS + 1).take_while(|record| !has_number(record)).count();
    let first = sample.first()?;
    let width = first.len();
    let groups: Vec<&str> = first.iter().filter(|name| !name.is_empty()).collect();
    let distinct: HashSet<&str> = groups.iter().copied().collect();
    let (header, below) = sample.split_at_checked(rows)?;
    let is_numeric = |k: &usize| {
        let counts = sample_column(below, *k, separator);
        counts.numbers > 0 && counts.texts == 0
    };
    let grouped = distinct.len() < groups.len() && header.iter().all(|record| record.len() == width);
    if !(2..=MOST_HEADER_ROWS).contains(&rows) || !grouped || (0..width).filter(is_numeric).count() < 2 {
        return None;
    }
    let name = |k: usize| {
        let parts: Vec<&str> = header.iter().map(|record| record.get(k)).filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    };
    let names = (0..width).map(name).collect();
    sample.drain(..rows);
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_taken_out_of_numbers_only() {
        for (cell, style, expected) in [
            ("1.234,50", Thousands::Dots, Some("1234.50")),
            ("-12.345.678", Thousands::Dots, Some("-12345678")),
            ("0,25", Thousands::Dots, Some("0.25")),
            ("1.5", Thousands::Dots, None),
            ("1,234.5", Thousands::Commas, Some("1234.5")),
            ("12,34", Thousands::Commas, None),
            ("a,b", Thousands::Commas, None),
            ("", Thousands::Commas, None),
        ] {
            assert_eq!(without_thousands(cell, style).as_deref(), expected, "{cell}");
        }
    }
}
