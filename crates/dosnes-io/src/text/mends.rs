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
use crate::note::Note;

/// Lines above a table that are recognised as titles, at most.
const MOST_TITLES: usize = 10;

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
    /// Columns of crosses and empty cells in a table without numbers.
    crosses: Vec<usize>,
    thousands: Option<Thousands>,
    affixes: Vec<Affixes>,
    flags: Flags,
    /// The separator, which a cell is read with.
    separator: Option<Separator>,
    pub(crate) notes: Vec<Note>,
}

impl Mends {
    /// Looks at the first rows, and mends them. Words such as `true` become numbers, unless they are to be kept.
    pub(crate) fn of(sample: &mut Vec<Record>, separator: Separator, keep_words: bool) -> Self {
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
        let is_short = |record: &Record| is_short(record, width, separator);
        let titles = sample.iter().take(MOST_TITLES + 1).take_while(|record| is_short(record)).count();
        // What follows must be a table: a single column, or ragged rows, have no titles.
        if titles > 0
            && titles <= MOST_TITLES
            && sample.len() >= titles + 3
            && table_end(sample, width, separator).is_some_and(|end| end >= titles + 3)
            && !is_sizes(sample, titles)
            && 2 * sample[titles].iter().filter(|cell| !cell.is_empty()).count() >= width
        {
            if has_torn_numbers(&sample[titles - 1], &sample[titles..]) {
                mends.notes.push(Note::TornNumbers { cells: sample[titles - 1].len(), width });
            }
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
        if !keep_words {
            (mends.booleans, mends.crosses) = booleans(sample, separator);
        }
        if !mends.booleans.is_empty() {
            mends.notes.push(Note::Booleans);
        }
        if !mends.crosses.is_empty() {
            mends.notes.push(Note::Crosses);
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
        if mends.thousands.is_none() {
            mends.notes.extend(possible_thousands(sample, separator));
        }
        mends
    }

    /// The columns that are taken out because they are always empty, in the order of the file.
    pub(super) fn empty_columns(&self) -> &[usize] {
        self.empty_columns.as_ref().map_or(&[], |(_, columns)| columns)
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
        if !self.crosses.is_empty() {
            *record = record.mapped(|k, cell| {
                let number = if cell.is_empty() { Some("0") } else { is_cross(cell).then_some("1") };
                number.filter(|_| self.crosses.binary_search(&k).is_ok()).map(str::to_owned)
            });
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

/// Whether a line has far fewer cells than a table of this width, or something in its first cell only, as spreadsheets write
/// titles and remarks.
pub(super) fn is_short(record: &Record, width: usize, separator: Separator) -> bool {
    let padded = matches!(separator, Separator::Character(_))
        && width > 2
        && record.len() == width
        && parse_cell(record.get(0), separator, &mut false) == Cell::Text
        && record.iter().skip(1).all(str::is_empty);
    record.len() + 1 < width || padded
}

/// Whether numbers with decimal commas were cut at these: a header has one cell for two in the rows, which are whole numbers.
fn has_torn_numbers(header: &Record, rows: &[Record]) -> bool {
    let whole = |cell: &str| {
        let digits = cell.trim_start_matches(['-', '+']);
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    };
    let width = common_width(rows);
    let named = width == 2 * header.len() - 1;
    header.len() > 2
        && (named || width == 2 * header.len())
        && rows.iter().all(|record| record.iter().skip(usize::from(named)).all(whole))
}

/// Where the table ends in the sample: short lines of texts may stand below it. `None` if short lines stand between its rows.
fn table_end(sample: &[Record], width: usize, separator: Separator) -> Option<usize> {
    let is_row = |record: &Record| !is_short(record, width, separator);
    let end = sample.iter().rposition(is_row)? + 1;
    let first = sample.iter().position(is_row)?;
    let is_text = |record: &Record| {
        record.iter().all(|cell| cell.is_empty() || parse_cell(cell, separator, &mut false) == Cell::Text)
    };
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
    let is = |words: [&str; 2]| words.iter().any(|word| cell.eq_ignore_ascii_case(word));
    if is(["true", "yes"]) {
        Some(true)
    } else if is(["false", "no"]) {
        Some(false)
    } else {
        None
    }
}

/// A mark that says that something is there.
fn is_cross(cell: &str) -> bool {
    matches!(cell, "x" | "X" | "×" | "✓" | "✔" | "●" | "•" | "+")
}

/// Columns of `true` and `false`, and those of crosses, if they are all that a table has to tell its items apart.
fn booleans(sample: &[Record], separator: Separator) -> (Vec<usize>, Vec<usize>) {
    let rest = sample.get(1..).unwrap_or_default();
    let width = rest.iter().map(Record::len).max().unwrap_or(0);
    if rest.len() < 2 || (0..width).any(|k| sample_column(rest, k, separator).numbers > 0) {
        return (Vec::new(), Vec::new());
    }
    // In a list of edges they are about the edges.
    let names: Vec<String> = sample.first().into_iter().flat_map(Record::iter).map(str::to_owned).collect();
    if matches!(column_names::find_ends(&names), Some((_, _, EndNames::Certain | EndNames::TwoKinds))) {
        return (Vec::new(), Vec::new());
    }
    let cells = |k: usize| rest.iter().map(move |r| r.get(k)).filter(|cell| !cell.is_empty());
    let all = |k: usize, test: &dyn Fn(&str) -> bool| cells(k).next().is_some() && cells(k).all(test);
    let several = |columns: Vec<usize>| if columns.len() > 1 { columns } else { Vec::new() };
    let booleans = (0..width).filter(|&k| all(k, &|cell| truth(cell).is_some())).collect();
    let crosses: Vec<usize> = (0..width).filter(|&k| all(k, &is_cross)).collect();
    let with_gaps = crosses.iter().filter(|&&k| rest.iter().any(|r| r.get(k).is_empty())).count();
    (several(booleans), if with_gaps > 1 { crosses } else { Vec::new() })
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
    let is_long = |cell: &str| cell.matches('.').count() > 1 && has_groups(cell, '.');
    if separator != Separator::Character(b',') && cells().any(|cell| both(cell, '.', ',') || is_long(cell)) {
        return Some(Thousands::Dots);
    }
    // Between commas, a comma within a cell is no decimal comma.
    let is_plain = |cell: &str| separator == Separator::Character(b',') && has_groups(cell, ',');
    cells().any(|cell| both(cell, ',', '.') || is_plain(cell)).then_some(Thousands::Commas)
}

/// A column in which some numbers have a point and three digits after it, and all others are whole and below 1000: the point
/// may separate thousands. Programs write the decimals of a column in all of its numbers.
fn possible_thousands(sample: &[Record], separator: Separator) -> Option<Note> {
    const FEWEST: usize = 3;
    if !matches!(separator, Separator::Character(b';' | b'\t')) {
        return None;
    }
    let rest = sample.get(1..)?;
    let width = rest.iter().map(Record::len).max().unwrap_or(0);
    let is_small = |cell: &str| matches!(cell.len(), 1..=3) && is_decimal(cell);
    (0..width).find_map(|k| {
        let cells = || rest.iter().map(|record| record.get(k)).filter(|cell| !cell.is_empty());
        let grouped = || cells().filter(|cell| has_groups(cell, '.'));
        let fits = cells().all(|cell| has_groups(cell, '.') || is_small(cell))
            && grouped().count() >= FEWEST
            && cells().filter(|cell| is_small(cell) && cell.len() == 3).count() >= FEWEST;
        let example = grouped().next().filter(|_| fits)?.to_owned();
        Some(Note::CouldBeThousands { example })
    })
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
