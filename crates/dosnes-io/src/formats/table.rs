//! Tables: comma-separated values and their kin.

use dosnes::input::{Column, Items, Values};

use crate::columns::{check_ids, choose_id, is_label_name, is_numeric_id_name, items_from};
use crate::dense::DenseBuilder;
use crate::error::{Error, Place};
use crate::formats::edge_list::{edge_columns, read_edges};
use crate::interpret::{Raw, Understood, understand};
use crate::loaded::Note;
use crate::options::{MissingValues, ReadOptions};
use crate::records::{Cell, Comments, Record, Records, parse_cell};
use crate::scan::Scan;
use crate::source::Source;
use dosnes::Kind;

/// What becomes of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Coordinate,
    /// Kept as it stands.
    Text,
    /// Kept as numbers.
    Number,
    Ignored,
}

/// A table with its columns sorted by their roles.
pub(crate) struct Table {
    pub(crate) dense: DenseBuilder,
    pub(crate) coordinate_names: Vec<String>,
    pub(crate) columns: Vec<Column>,
    pub(crate) lines: Vec<u64>,
    pub(crate) notes: Vec<Note>,
}

/// Reads a file of separated values: a list of edges, or a matrix with names and columns.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<(String, Understood), Error> {
    let scan = Scan::new(source, options, Comments::AtTop)?;
    let file = source.name.as_str();
    if !matches!(options.kind, Some(Kind::Points | Kind::Distance))
        && !is_small_square(&scan)
        && let Some(columns) = edge_columns(file, &scan, options)?
    {
        return read_edges(source, &scan, Comments::AtTop, &columns, options);
    }
    let roles = roles(file, &scan, options)?;
    if !roles.contains(&Role::Coordinate) {
        let problem = "no column holds coordinates: all are text, names or labels; if the rows are edges, read the \
                       file as a graph, and if a first row of names was taken for data, say that there is a header";
        return Err(Error::shape(file, problem));
    }
    let width = roles.iter().filter(|r| **r == Role::Coordinate).count();
    let table = read_table(source, &scan, &roles, Comments::AtTop, options.missing, DenseBuilder::new(width))?;
    let rows = table.dense.rows();
    let Table { dense, coordinate_names, columns, lines, mut notes } = table;
    let id = id_column(file, &scan, &columns, &lines, options)?;
    let id_name = id.map(|k| columns[k].name.clone());
    let columns = restore_numbers(columns, id);
    let travelling: Vec<String> =
        columns.iter().enumerate().filter(|&(k, _)| Some(k) != id).map(|(_, c)| c.name.clone()).collect();
    let named = id.is_some() || !columns.is_empty();
    let items = named.then(|| items_from(columns, id, rows));
    let partners = scan.header.then(|| Items { ids: coordinate_names.clone(), columns: Vec::new() });
    if pairs_of_integers(&scan, &roles) && options.kind.is_none() {
        notes.push(Note::CouldBeEdges);
    }
    let raw = Raw { matrix: dense.finish(), items, partners, lines: Some(lines), part: None };
    let mut understood = understand(file, raw, options)?;
    let header = if scan.header { "with header" } else { "without header" };
    let shape = format!("{}-separated, {header}, {rows} rows", scan.separator.name());
    if let Some(name) = id_name {
        let name = if name.is_empty() { "the first column".to_owned() } else { format!("column \"{name}\"") };
        understood.what = format!("{}; {name} is the id", understood.what);
    }
    understood.add_columns(&travelling);
    notes.append(&mut understood.notes);
    understood.notes = notes;
    Ok((shape, understood))
}

/// `,a,b` above `a,0,1` and `b,1,0`: two or three rows named like the columns are a matrix, not edges.
fn is_small_square(scan: &Scan) -> bool {
    scan.header
        && scan.sample.len() + 1 == scan.width()
        && scan.sample.iter().zip(&scan.names[1..]).all(|(r, n)| r.get(0) == n)
}

fn pairs_of_integers(scan: &Scan, roles: &[Role]) -> bool {
    let coordinates: Vec<usize> = (0..scan.width()).filter(|&k| roles[k] == Role::Coordinate).collect();
    matches!(coordinates.len(), 2 | 3)
        && coordinates.len() == scan.width()
        && coordinates[..2].iter().all(|&k| scan.columns[k].is_integer())
}

/// Decides what becomes of each column.
pub(crate) fn roles(file: &str, scan: &Scan, options: &ReadOptions) -> Result<Vec<Role>, Error> {
    let id = options.id_column.as_ref().map(|name| scan.find(file, name)).transpose()?;
    let labels = options.label_columns.iter().map(|n| scan.find(file, n)).collect::<Result<Vec<_>, _>>()?;
    let ignored = options.ignore_columns.iter().map(|n| scan.find(file, n)).collect::<Result<Vec<_>, _>>()?;
    let mut roles: Vec<Role> = (0..scan.width())
        .map(|k| {
            let (name, column) = (&scan.names[k], scan.columns[k]);
            if ignored.contains(&k) {
                Role::Ignored
            } else if Some(k) == id || !column.is_numeric() {
                Role::Text
            } else if labels.contains(&k) {
                Role::Number
            } else if scan.header && (is_numeric_id_name(name) || k == 0 && name.is_empty()) {
                Role::Text
            } else if scan.header && is_label_name(name, &scan.names) {
                Role::Number
            } else {
                Role::Coordinate
            }
        })
        .collect();
    // A label that was asked for and holds texts besides numbers is kept as text.
    for &k in &labels {
        if roles[k] == Role::Number && scan.columns[k].texts > 0 {
            roles[k] = Role::Text;
        }
    }
    Ok(roles)
}

/// The column that names the items, among the text columns. What was asked for may be a header or a number.
fn id_column(
    file: &str,
    scan: &Scan,
    columns: &[Column],
    lines: &[u64],
    options: &ReadOptions,
) -> Result<Option<usize>, Error> {
    let name_of = |asked: &String| scan.find(file, asked).map(|k| scan.names[k].clone());
    let Some(asked) = &options.id_column else {
        let labels = options.label_columns.iter().map(name_of).collect::<Result<Vec<_>, _>>()?;
        return Ok(choose_id(columns).filter(|&k| !labels.contains(&columns[k].name)));
    };
    let name = name_of(asked)?;
    let position = columns.iter().position(|c| c.name == name);
    if let Some(Values::Text(ids)) = position.map(|k| &columns[k].values) {
        check_ids(file, ids, |row| Place::line(lines[row]).column(name.clone()))?;
    }
    Ok(position)
}

/// Numbers that were kept as text since their column could have been the id, and was not.
fn restore_numbers(columns: Vec<Column>, id: Option<usize>) -> Vec<Column> {
    columns
        .into_iter()
        .enumerate()
        .map(|(k, column)| match column.values {
            Values::Text(values) if Some(k) != id && is_numeric_id_name(&column.name) => {
                Column { values: crate::columns::numbers_if_possible(values), name: column.name }
            }
            values => Column { name: column.name, values },
        })
        .collect()
}

/// Reads all rows.
pub(crate) fn read_table(
    source: &Source<'_>,
    scan: &Scan,
    roles: &[Role],
    comments: Comments,
    missing: MissingValues,
    mut dense: DenseBuilder,
) -> Result<Table, Error> {
    let file = source.name.as_str();
    let mut records = Records::new(source, scan.separator, comments)?;
    let mut record = Record::default();
    for _ in 0..scan.skip {
        records.next(&mut record)?;
    }
    let coordinates: Vec<usize> = (0..scan.width()).filter(|&k| roles[k] == Role::Coordinate).collect();
    let kept: Vec<usize> = (0..scan.width()).filter(|&k| matches!(roles[k], Role::Text | Role::Number)).collect();
    let mut columns: Vec<Column> = kept
        .iter()
        .map(|&k| Column {
            name: scan.names[k].clone(),
            values: if roles[k] == Role::Text { Values::Text(Vec::new()) } else { Values::Number(Vec::new()) },
        })
        .collect();
    let mut row = vec![0.0; coordinates.len()];
    let (mut lines, mut notes, mut comma) = (Vec::new(), Vec::new(), false);
    let (mut dropped, mut first_dropped) = (0, 0);
    'rows: while records.next(&mut record)? {
        if record.len() != scan.width() {
            let problem = format!(
                "this line has {} cells where the others have {}; a {} inside a cell needs quotes around it",
                record.len(),
                scan.width(),
                scan.separator.name()
            );
            return Err(Error::malformed(file, Place::line(record.line), problem));
        }
        for (value, &k) in row.iter_mut().zip(&coordinates) {
            *value = match parse_cell(record.get(k), scan.separator, &mut comma) {
                Cell::Number(number) if number.is_finite() => number,
                Cell::Missing if missing == MissingValues::Drop => {
                    if dropped == 0 {
                        first_dropped = record.line;
                    }
                    dropped += 1;
                    continue 'rows;
                }
                other => return Err(bad_cell(file, scan, &record, k, other)),
            };
        }
        dense.push_row(&row);
        lines.push(record.line);
        for (column, &k) in columns.iter_mut().zip(&kept) {
            let cell = record.get(k);
            match &mut column.values {
                Values::Text(values) => values.push(cell.to_owned()),
                Values::Number(values) => match parse_cell(cell, scan.separator, &mut comma) {
                    Cell::Number(number) => values.push(number),
                    Cell::Missing => values.push(f64::NAN),
                    Cell::Text => return Err(bad_cell(file, scan, &record, k, Cell::Text)),
                },
            }
        }
    }
    if dropped > 0 {
        notes.push(Note::RowsDropped { count: dropped, first_line: first_dropped });
    }
    if records.skipped > 0 {
        notes.push(Note::CommentsSkipped(records.skipped));
    }
    if records.latin1 {
        notes.push(Note::Latin1);
    }
    if comma {
        notes.push(Note::DecimalComma);
    }
    let coordinate_names = coordinates.iter().map(|&k| scan.names[k].clone()).collect();
    Ok(Table { dense, coordinate_names, columns, lines, notes })
}

fn bad_cell(file: &str, scan: &Scan, record: &Record, column: usize, cell: Cell) -> Error {
    let place = Place::line(record.line).column(scan.names[column].clone());
    let text = record.get(column);
    match cell {
        Cell::Missing => {
            let cell =
                if text.is_empty() { "the cell is empty".into() } else { format!("\"{text}\" is a missing value") };
            let problem = format!("{cell}; fill it in, leave out rows with missing values, or ignore the column");
            Error::Missing { file: file.to_owned(), place, problem }
        }
        Cell::Number(_) => Error::value(file, place, format!("\"{text}\" is not finite; coordinates must be finite")),
        Cell::Text => {
            let problem = format!(
                "\"{text}\" is not a number, while most of the column is; correct it, or name the column as a label"
            );
            Error::value(file, place, problem)
        }
    }
}

/// A side table: every column kept, as text.
pub(crate) fn read_columns(source: &Source<'_>) -> Result<(Scan, Vec<Column>), Error> {
    let scan = Scan::new(source, &ReadOptions::default(), Comments::AtTop)?;
    let roles = vec![Role::Text; scan.width()];
    let table = read_table(source, &scan, &roles, Comments::AtTop, MissingValues::Error, DenseBuilder::new(0))?;
    Ok((scan, table.columns))
}
