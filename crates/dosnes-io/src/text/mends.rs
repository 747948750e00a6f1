//! What people and spreadsheets put around a table, or into its cells: titles, units, commas at the ends of lines, separators
//! of thousands, headers in comments.

use super::affixes::Affixes;
use super::flags::Flags;
use super::groups::DigitGroups;
use super::records::{Cell, Record, parse_cell};
use super::separator::Separator;
use super::spaced::SpacedNames;
use super::table::{common_width, sample_column};
use super::vectors::VectorCells;
use crate::column_names::{self, EndNames};
use crate::loaded::Note;
use std::collections::HashSet;

/// Lines above a table that are recognised as titles, at most.
const MOST_TITLES: usize = 10;
/// Rows of a header, at most.
const MOST_HEADER_ROWS: usize = 4;
/// Rows of labels or units below a header, at most.
const MOST_LABEL_ROWS: usize = 3;

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
    /// Names of several words before the numbers.
    names: Option<SpacedNames>,
    /// The number of cells of a row, and those that are always empty.
    empty_columns: Option<(usize, Vec<usize>)>,
    vectors: VectorCells,
    groups: DigitGroups,
    /// Columns of `true` and `false` in a table without numbers.
    booleans: Vec<usize>,
    thousands: Option<Thousands>,
    affixes: Vec<Affixes>,
    flags: Flags,
    /// The separator, which a cell is read with.
    separator: Option<Separator>,
    pub(crate) notes: Vec<Note>,
}

impl Mends {
    /// Looks at the first rows, and mends them.
    pub(crate) fn of(sample: &mut Vec<Record>, separator: Separator) -> Self {
        let mut mends = Self::default();
        if separator == Separator::Whitespace {
            mends.names = SpacedNames::of(sample);
        }
        if let Some(names) = mends.names {
            mends.notes.extend(sample.iter().find_map(|record| names.name(record)).map(Note::BlanksInNames));
            for record in sample.iter_mut() {
                names.join(record);
            }
        }
        let width = common_width(sample);
        let titles = sample.iter().take(MOST_TITLES + 1).take_while(|r| r.len() + 1 < width).count();
        // What follows must be a table: a single column, or ragged rows, have no titles.
        if titles > 0
            && titles <= MOST_TITLES
            && sample.len() >= titles + 3
            && table_end(sample, width, separator).is_some_and(|end| end >= titles + 3)
            && !is_sizes(sample, titles)
        {
            sample.drain(..titles);
            mends.notes.push(Note::LinesSkipped(titles));
        }
        mends.empty_columns = empty_columns(sample, width, separator);
        if let Some((_, columns)) = &mends.empty_columns {
            if columns.len() > 1 {
                mends.notes.push(Note::EmptyColumns(columns.len()));
            }
            for record in sample.iter_mut() {
                mends.take_out(record);
            }
        }
        mends.separator = Some(separator);
        mends.vectors = VectorCells::of(sample);
        for record in sample.iter_mut() {
            mends.vectors.expand(record);
        }
        mends.affixes = Affixes::of(sample, separator);
        if let (false, Some(header)) = (mends.affixes.is_empty(), sample.first()) {
            mends.notes.push(Note::UnitsTakenOff(mends.affixes.iter().map(|a| a.describe(header)).collect()));
        }
        for record in sample.iter_mut() {
            mends.take_off(record);
        }
        mends.flags = Flags::of(sample, separator);
        if !mends.flags.is_empty() {
            mends.notes.push(Note::FlagsTakenOff(mends.flags.found.clone()));
        }
        for record in sample.iter_mut() {
            mends.take_off(record);
        }
        mends.groups = DigitGroups::of(sample, separator);
        if let Some(example) = &mends.groups.example {
            mends.notes.push(Note::Thousands(example.clone()));
        }
        mends.booleans = booleans(sample, separator);
        if !mends.booleans.is_empty() {
            mends.notes.push(Note::Booleans);
        }
        for record in sample.iter_mut() {
            mends.regroup(record);
        }
        mends.thousands = thousands(sample, separator);
        if let Some(style) = mends.thousands {
            let example = if style == Thousands::Dots { "1.234,50" } else { "1,234.50" };
            mends.notes.push(Note::Thousands(example.to_owned()));
        }
        for record in sample.iter_mut() {
            mends.join_thousands(record);
        }
        mends
    }

    pub(crate) fn mend(&self, record: &mut Record) {
        if let Some(names) = self.names {
            names.join(record);
        }
        self.take_out(record);
        self.vectors.expand(record);
        self.take_off(record);
        self.regroup(record);
        self.join_thousands(record);
    }

    /// Takes out the cells of columns that are always empty. A row with something in one of them stays as it is, and is
    /// refused because of its length.
    fn take_out(&self, record: &mut Record) {
        if let Some((width, columns)) = &self.empty_columns
            && record.len() == *width
            && columns.iter().all(|&k| record.get(k).is_empty())
        {
            *record = record.without(columns);
        }
    }

    /// Takes blanks and apostrophes out of numbers, and makes numbers of `true` and `false`.
    fn regroup(&self, record: &mut Record) {
        if !self.groups.is_empty() {
            *record = record.mapped(|k, cell| self.groups.joined(k, cell));
        }
        if !self.booleans.is_empty() {
            *record = record.mapped(|k, cell| {
                let number = truth(cell).map(|truth| if truth { "1" } else { "0" }.to_owned());
                number.filter(|_| self.booleans.binary_search(&k).is_ok())
            });
        }
    }

    fn join_thousands(&self, record: &mut Record) {
        if let Some(style) = self.thousands {
            *record = record.mapped(|_, cell| without_thousands(cell, style));
        }
    }

    /// Takes signs, units and flags off numbers.
    fn take_off(&self, record: &mut Record) {
        if let (false, Some(separator)) = (self.affixes.is_empty(), self.separator) {
            *record = record.mapped(|k, cell| Affixes::find(&self.affixes, k)?.taken_off(cell, separator));
        }
        if let (false, Some(separator)) = (self.flags.is_empty(), self.separator) {
            *record = record.mapped(|k, cell| self.flags.taken_off(k, cell, separator));
        }
    }
}

/// Where the table ends in the sample: short lines of texts may stand below it. `None` if short lines stand between its rows.
fn table_end(sample: &[Record], width: usize, separator: Separator) -> Option<usize> {
    let is_row = |record: &Record| record.len() + 1 >= width;
    let end = sample.iter().rposition(is_row)? + 1;
    let first = sample.iter().position(is_row)?;
    let is_text = |record: &Record| record.iter().all(|cell| parse_cell(cell, separator, &mut false) == Cell::Text);
    (sample[first..end].iter().all(is_row) && sample[end..].iter().all(is_text)).then_some(end)
}

/// The columns in which the sample has neither a name nor a value, as spreadsheets write them beside a table.
fn empty_columns(sample: &[Record], width: usize, separator: Separator) -> Option<(usize, Vec<usize>)> {
    let full = || sample.iter().filter(|r| r.len() == width);
    if !matches!(separator, Separator::Character(_)) || width < 3 || full().count() < 2 {
        return None;
    }
    let columns: Vec<usize> = (0..width).filter(|&k| full().all(|r| r.get(k).is_empty())).collect();
    (!columns.is_empty() && columns.len() + 2 <= width).then_some((width, columns))
}

fn truth(cell: &str) -> Option<bool> {
    if cell.eq_ignore_ascii_case("true") {
        Some(true)
    } else if cell.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}

/// Columns of `true` and `false`, if they are all that a table has to tell its items apart.
fn booleans(sample: &[Record], separator: Separator) -> Vec<usize> {
    let rest = sample.get(1..).unwrap_or_default();
    let width = rest.iter().map(Record::len).max().unwrap_or(0);
    if rest.len() < 2 || (0..width).any(|k| sample_column(rest, k, separator).numbers > 0) {
        return Vec::new();
    }
    let cells = |k: usize| rest.iter().map(move |r| r.get(k)).filter(|cell| !cell.is_empty());
    let found: Vec<usize> =
        (0..width).filter(|&k| cells(k).next().is_some() && cells(k).all(|cell| truth(cell).is_some())).collect();
    if found.len() > 1 { found } else { Vec::new() }
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

/// The number of rows at the top that say something about columns of numbers below them: units (`mm`, `kg`), or the
/// questions of a survey.
pub(crate) fn label_rows(sample: &[Record], separator: Separator) -> usize {
    let kind = |record: &Record, k: usize| parse_cell(record.get(k), separator, &mut false);
    let is_table_below = |rows: &usize| {
        let (labels, below) = sample.split_at(*rows);
        let is_numeric = |k: &usize| {
            let counts = sample_column(below, *k, separator);
            counts.numbers > 0 && counts.texts == 0
        };
        let numeric: Vec<usize> = (0..sample[0].len()).filter(is_numeric).collect();
        let is_label = |record: &Record| {
            numeric.iter().all(|&k| matches!(kind(record, k), Cell::Text | Cell::Missing))
                && numeric.iter().any(|&k| kind(record, k) == Cell::Text)
        };
        numeric.len() > 1 && labels.iter().all(is_label)
    };
    (1..=MOST_LABEL_ROWS).filter(|rows| sample.len() > rows + 1).find(is_table_below).unwrap_or(0)
}

/// The names of a header of several rows, which are taken from the sample: pandas writes one for groups of columns, with the
/// name of a group above each of its columns, and spreadsheets one above the first of them. A header of one row has no name
/// twice.
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
    // Merged cells of a spreadsheet leave the cells beside a name empty, above a complete row of names.
    let merged = groups.len() < width
        && groups.len() > 1
        && header.get(1..).is_some_and(|rest| rest.len() == 1 && rest[0].iter().all(|name| !name.is_empty()));
    let grouped = (distinct.len() < groups.len() || merged) && header.iter().all(|record| record.len() == width);
    if !(2..=MOST_HEADER_ROWS).contains(&rows) || !grouped || (0..width).filter(is_numeric).count() < 2 {
        return None;
    }
    let group = |k: usize| (0..=k).rev().map(|before| header[0].get(before)).find(|name| !name.is_empty());
    let name = |k: usize| {
        let above = if merged { group(k).unwrap_or_default() } else { header[0].get(k) };
        let below = header[1..].iter().map(|record| record.get(k));
        let parts: Vec<&str> = std::iter::once(above).chain(below).filter(|part| !part.is_empty()).collect();
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
