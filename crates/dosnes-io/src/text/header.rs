//! Which first rows of a table are its header, and what the columns are called.

use std::collections::{HashMap, HashSet};

use super::records::{Cell, Record, parse_cell};
use super::separator::Separator;
use super::table::sample_column;
use crate::column_names::{self, EndNames};

/// Rows of a header, at most.
const MOST_HEADER_ROWS: usize = 4;
/// Rows of labels or units below a header, at most.
const MOST_LABEL_ROWS: usize = 3;

/// A header has no numbers in it, and stands above a column of numbers or has a name that is usual for one. What pandas
/// writes above row names is one too (`,0,1,2`, with nothing in the first cell), and so are years or 1, 2, 3, … after a text, and
/// other numbers that go up or down in order above rows that do not.
pub(super) fn looks_like_header(sample: &[Record], separator: Separator) -> bool {
    let Some((first, rest)) = sample.split_first() else { return false };
    let cells: Vec<Cell> = first.iter().map(|c| parse_cell(c, separator, &mut false)).collect();
    if cells.first() == Some(&Cell::Missing) && first.get(0).is_empty() && first.len() > 1 {
        return rest.iter().all(|r| r.len() > 0 && !r.get(0).is_empty()) && !rest.is_empty();
    }
    if cells.first() == Some(&Cell::Text) && are_years(&cells) || count_columns(&cells) {
        return true;
    }
    if numbers_name_columns(&cells, rest, separator) {
        return true;
    }
    if cells.iter().any(|c| matches!(c, Cell::Number(_) | Cell::Missing)) {
        return false;
    }
    if rest.is_empty() {
        return true;
    }
    if first.iter().any(column_names::is_only_in_headers) {
        return true;
    }
    let names: Vec<String> = first.iter().map(str::to_owned).collect();
    if matches!(column_names::find_ends(&names), Some((_, _, EndNames::Certain | EndNames::TwoKinds))) {
        return true;
    }
    (0..first.len()).any(|k| {
        let counts = sample_column(rest, k, separator);
        counts.numbers > counts.texts
    }) || has_other_form(first, rest)
        || stands_above_sorts(first, rest)
}

/// Whether a first row of texts stands above the sorts of edges: below one of its cells are few texts, each several times, and none
/// of its cells occurs again anywhere: `head, relation, tail`.
fn stands_above_sorts(first: &Record, rest: &[Record]) -> bool {
    const ENOUGH_ROWS: usize = 8;
    const FEWEST_COLUMNS: usize = 3;
    let full: Vec<&Record> = rest.iter().filter(|record| record.len() == first.len()).collect();
    let names: HashSet<&str> = first.iter().collect();
    if first.len() < FEWEST_COLUMNS || full.len() < ENOUGH_ROWS || names.len() < first.len() {
        return false;
    }
    let mut cells = full.iter().flat_map(|record| record.iter());
    let has_sorts = |k: usize| {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for record in &full {
            *counts.entry(record.get(k)).or_default() += 1;
        }
        3 * counts.len() <= full.len() && counts.values().all(|&count| count > 1)
    };
    !cells.any(|cell| names.contains(cell)) && (0..first.len()).any(has_sorts)
}

/// Whether every cell of a first row lacks something that all cells below it have: a sign that begins them, an `@`, or digits.
fn has_other_form(first: &Record, rest: &[Record]) -> bool {
    const ENOUGH_ROWS: usize = 5;
    let full = || rest.iter().filter(|record| record.len() == first.len());
    let differs = |k: usize| {
        let all = |test: &dyn Fn(&str) -> bool| !test(first.get(k)) && full().all(|record| test(record.get(k)));
        let sign = full().next().and_then(|record| record.get(k).chars().next()).filter(|c| !c.is_alphanumeric());
        sign.is_some_and(|sign| all(&|cell| cell.starts_with(sign)))
            || all(&|cell| cell.contains('@'))
            || all(&|cell| cell.contains(|c: char| c.is_ascii_digit()))
    };
    first.len() > 1 && full().count() >= ENOUGH_ROWS && (0..first.len()).filter(|&k| differs(k)).count() > 1
}

/// Names of columns such as `1990, 1991, 1995`.
fn are_years(cells: &[Cell]) -> bool {
    let years: Vec<f64> = cells.iter().filter_map(|c| if let Cell::Number(v) = c { Some(*v) } else { None }).collect();
    years.len() > 1
        && years.iter().all(|y| (1500.0..2200.0).contains(y) && y.fract() == 0.0)
        && years.windows(2).all(|pair| pair[0] < pair[1])
}

/// Names of columns that count them, as above the wells of a plate: a text, and then 1, 2, 3, …
fn count_columns(cells: &[Cell]) -> bool {
    const FEWEST: usize = 5;
    let Some((Cell::Text, numbers)) = cells.split_first() else { return false };
    numbers.len() >= FEWEST
        && numbers.iter().enumerate().all(|(k, cell)| matches!(cell, Cell::Number(v) if *v == (k + 1) as f64))
}

/// The numbers of a row, after a text in the first cell if there is one; `None` if another cell is no number.
fn numbers_of(cells: &[Cell]) -> Option<Vec<f64>> {
    let cells = if cells.first() == Some(&Cell::Text) { &cells[1..] } else { cells };
    cells.iter().map(|cell| if let Cell::Number(v) = cell { Some(*v) } else { None }).collect()
}

/// Each number larger than the one before, or each smaller.
fn is_in_order(numbers: &[f64]) -> bool {
    numbers.windows(2).all(|pair| pair[0] < pair[1]) || numbers.windows(2).all(|pair| pair[0] > pair[1])
}

/// Names of columns that are numbers: 0, 1, 2, … as pandas writes for columns without names, or wavelengths and the like, which
/// go up or down while most rows below do not. The first row of a square matrix may be 0, 1, 2, … too, and so may an edge.
fn numbers_name_columns(cells: &[Cell], rest: &[Record], separator: Separator) -> bool {
    const FEWEST_IN_ORDER: usize = 8;
    const FEWEST_BESIDE_NAMES: usize = 5;
    const FEWEST_INTEGERS: usize = 5;
    let Some(numbers) = numbers_of(cells).filter(|numbers| numbers.len() > 1 && is_in_order(numbers)) else {
        return false;
    };
    let counts =
        |numbers: &[f64]| matches!(numbers[0], 0.0 | 1.0) && numbers.windows(2).all(|pair| pair[1] - pair[0] == 1.0);
    let parse = |record: &Record| record.iter().map(|c| parse_cell(c, separator, &mut false)).collect::<Vec<Cell>>();
    let like_first = |test: &dyn Fn(&[f64]) -> bool| {
        let is_like = |row: Vec<f64>| !row.is_empty() && test(&row);
        rest.iter().filter(|record| numbers_of(&parse(record)).is_some_and(is_like)).count()
    };
    let regular = rest.len() > 1 && rest.iter().all(|record| record.len() == cells.len());
    if !regular || rest.len() + 1 == numbers.len() {
        return false;
    }
    // A few rows may be in order by chance.
    let in_order = 4 * like_first(&is_in_order) <= rest.len();
    if cells.first() == Some(&Cell::Text) {
        let named = rest.iter().all(|record| parse_cell(record.get(0), separator, &mut false) == Cell::Text);
        return named && in_order && numbers.len() >= FEWEST_BESIDE_NAMES;
    }
    let has_fractions = |k: &usize| {
        let column = sample_column(rest, *k, separator);
        column.numbers > column.integers
    };
    let fractions = (0..cells.len()).filter(has_fractions).count();
    let fewest = if 2 * fractions > cells.len() { 2 } else { FEWEST_INTEGERS };
    let counted = counts(&numbers) && numbers.len() >= fewest && like_first(&counts) == 0;
    counted || in_order && numbers.len() >= FEWEST_IN_ORDER && 2 * fractions > cells.len()
}

/// Whether a row has nothing but numbers.
pub(super) fn is_numbers(record: &Record, separator: Separator) -> bool {
    record.len() > 0 && record.iter().all(|cell| matches!(parse_cell(cell, separator, &mut false), Cell::Number(_)))
}

/// Whether all rows have one cell more than the first.
fn is_one_short(sample: &[Record]) -> bool {
    sample.len() > 1 && sample[1..].iter().all(|record| record.len() == sample[0].len() + 1)
}

/// Whether the cells of a first column can be the names of rows: texts or integers.
fn first_column_names_rows(rest: &[Record], separator: Separator) -> bool {
    let column = sample_column(rest, 0, separator);
    !column.is_numeric() || column.is_integer()
}

/// Whether the header has no cell for the first column, as R writes it: texts, or numbers that go up.
pub(super) fn has_short_header(sample: &[Record], separator: Separator) -> bool {
    let Some((first, rest)) = sample.split_first() else { return false };
    let cells: Vec<Cell> = first.iter().map(|cell| parse_cell(cell, separator, &mut false)).collect();
    let texts = cells.iter().all(|cell| *cell == Cell::Text);
    let numbers = numbers_of(&cells).is_some_and(|n| n.len() > 2 && n.len() == cells.len() && is_in_order(&n));
    is_one_short(sample)
        && (texts || numbers && rest.len() > 1)
        && first_column_names_rows(rest, separator)
        && !rest.iter().all(|r| r.get(0).starts_with('\'') && !r.get(0).ends_with('\''))
}

/// Whether a first line of texts, one cell short, stands above rows of numbers that have no names: `20×3 Matrix{Float64}:`.
pub(super) fn is_title(sample: &[Record], separator: Separator) -> bool {
    let Some((first, rest)) = sample.split_first() else { return false };
    is_one_short(sample)
        && rest.len() > 1
        && first.iter().all(|cell| parse_cell(cell, separator, &mut false) == Cell::Text)
        && rest.iter().all(|record| is_numbers(record, separator))
        && !first_column_names_rows(rest, separator)
}

/// The names in a comment directly above the table: one text for each column.
pub(crate) fn header_in_comment(
    line: &str,
    separator: Separator,
    width: usize,
    sample: &[Record],
) -> Option<Vec<String>> {
    let inner = line.trim_start_matches('#').trim();
    // A first column that is called `#` numbers the rows.
    let numbers_rows = matches!(separator, Separator::Character(c) if line.as_bytes().get(1) == Some(&c));
    let names = Record::of_line(if numbers_rows { line } else { inner }, separator);
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
        let is_empty = |record: &Record| numeric.iter().all(|&k| record.get(k).is_empty());
        let is_label = |record: &Record| {
            numeric.iter().all(|&k| matches!(kind(record, k), Cell::Text | Cell::Missing))
                && numeric.iter().any(|&k| kind(record, k) == Cell::Text)
        };
        // Below a row of labels, another one may say something about other columns only.
        let (first, further) = labels.split_at(1);
        numeric.len() > 1
            && is_label(&first[0])
            && further.iter().all(|record| is_label(record) || is_empty(record))
            && (below.iter().take(1).all(|record| !is_empty(record)))
    };
    (1..=MOST_LABEL_ROWS).filter(|rows| sample.len() > rows + 1).find(is_table_below).unwrap_or(0)
}

/// The names of a header of several rows, which are taken from the sample: pandas writes one for groups of columns, with the
/// name of a group above each of its columns, and spreadsheets one above the first of them. A header of one row has no name
/// twice.
pub(crate) fn take_grouped_header(sample: &mut Vec<Record>, separator: Separator) -> Option<Vec<String>> {
    // What says that a value is missing (`NA`) stands in a row of values.
    let is_value = |cell: &str| match parse_cell(cell, separator, &mut false) {
        Cell::Number(_) => true,
        Cell::Missing => !cell.trim().is_empty(),
        Cell::Text => false,
    };
    let rows = sample.iter().take(MOST_HEADER_ROWS + 1).take_while(|record| !record.iter().any(is_value)).count();
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
