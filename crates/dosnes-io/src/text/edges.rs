//! The rows of a text table as edges.

use super::records::{Cell, Record, parse_cell};
use super::separator::Separator;
use super::table::TextTable;
use crate::error::{Error, Place, Quantity};
use crate::interpret::layout::EdgeColumns;
use crate::note::Note;
use crate::options::MissingValues;
use crate::raw::{Contents, Parsed};
use crate::rows::{EdgeRows, unused_columns};
use crate::schema::Schema;

/// Reads all rows. They are read one at a time; an edge takes 16 bytes, a name its own bytes once.
pub(crate) fn read_edges(
    file: &str,
    table: TextTable<'_>,
    columns: &EdgeColumns,
    missing: MissingValues,
) -> Result<Parsed, Error> {
    let TextTable { schema, separator, mut rows } = table;
    let several = if columns.asked { None } else { several_names(&schema, rows.sample(), columns) };
    let mut edges = EdgeRows::default();
    let mut record = Record::default();
    let mut comma = false;
    let needed = columns.ends.0.max(columns.ends.1) + 1;
    let mut undirected = columns.direction.is_some();
    while rows.next(&mut record)? {
        if record.len() < needed {
            let problem = format!("an edge needs {needed} cells, but this line has {}", record.len());
            return Err(Error::malformed(file, Place::line(record.line), problem));
        }
        // The attributes of NetworkX have blanks in them.
        if record.len() > schema.width() && !record.iter().any(|cell| cell.starts_with('{')) {
            let problem = format!(
                "this line has {} cells where the others have {}; if each line is a node and its neighbours, use --format \
                 adjacency",
                record.len(),
                schema.width()
            );
            return Err(Error::malformed(file, Place::line(record.line), problem));
        }
        let weight = match columns.weight {
            Some(column) => match weight_of(file, &schema, separator, &record, column, &mut comma) {
                Err(Error::Missing { place, .. }) if missing != MissingValues::Error => {
                    if !edges.lacks_weight(&place, missing) {
                        continue;
                    }
                    f64::NAN
                }
                weight => weight?,
            },
            None => 1.0,
        };
        let (from, to) = (record.get(columns.ends.0), record.get(columns.ends.1));
        if from.is_empty() || to.is_empty() {
            if missing == MissingValues::Drop {
                edges.lacks_weight(&Place::line(record.line), missing);
                continue;
            }
            let problem =
                "an end of the edge is empty; every edge needs two names (--missing drop leaves out the edge)";
            return Err(Error::malformed(file, Place::line(record.line), problem));
        }
        undirected &= columns.direction.is_some_and(|k| record.get(k).eq_ignore_ascii_case("undirected"));
        edges.push(file, from, to, weight)?;
    }
    let mut notes = columns.notes.clone();
    notes.extend(several);
    notes.extend(edges.fill());
    notes.extend(rows.notes());
    if comma {
        notes.push(Note::DecimalComma);
    }
    notes.extend(unused_columns(&schema, columns, undirected));
    let description = describe(&schema, separator, columns, edges.len());
    let mut network = edges.finish(file, columns)?;
    if undirected {
        network.edges = std::mem::take(&mut network.arcs);
    }
    Ok(Parsed { description, contents: Contents::Network(network), notes })
}

/// A column of ends in which most cells have several names: `a; b; c`.
fn several_names(schema: &Schema, sample: &[Record], columns: &EdgeColumns) -> Option<Note> {
    let is_list = |cell: &str| {
        [';', '|', ','].iter().any(|&mark| {
            let parts = || cell.split(mark).map(str::trim).filter(|part| !part.is_empty());
            // A name may have a comma in it, but an address has none.
            let are_names = |part: &str| part.chars().count() < 60 && (mark != ',' || part.contains('@'));
            parts().count() > 1 && parts().all(are_names)
        })
    };
    [columns.ends.0, columns.ends.1].into_iter().find_map(|k| {
        let lists = || sample.iter().map(|record| record.get(k)).filter(|cell| is_list(cell));
        let example = lists().next()?.to_owned();
        (3 * lists().count() > sample.len()).then(|| Note::SeveralNames { column: schema.names[k].clone(), example })
    })
}

fn describe(schema: &Schema, separator: Separator, columns: &EdgeColumns, lines: usize) -> String {
    let header = if schema.header { "with header" } else { "without header" };
    let named = if schema.header {
        let used = [Some(columns.ends.0), Some(columns.ends.1), columns.weight];
        let names: Vec<&str> = used.into_iter().flatten().map(|k| schema.names[k].as_str()).collect();
        format!(" ({})", names.join(", "))
    } else if columns.weight.is_some() {
        " with weights".into()
    } else {
        String::new()
    };
    format!("{}-separated, {header}, {lines} rows: edge list{named}", separator.name())
}

/// The weight in a line: a number, or `NetworkX`'s `{'weight': number}`.
fn weight_of(
    file: &str,
    schema: &Schema,
    separator: Separator,
    record: &Record,
    column: usize,
    comma: &mut bool,
) -> Result<f64, Error> {
    let place = || Place::line(record.line).column(schema.names[column].clone());
    if record.len() <= column {
        let problem = "the weight is missing from this line, while others have one";
        return Err(Error::malformed(file, Place::line(record.line), problem));
    }
    let cell = record.get(column);
    if cell.starts_with('{') {
        return weight_in_dictionary(record, column).map_err(|problem| Error::value(file, place(), problem));
    }
    let value = match parse_cell(cell, separator, comma) {
        Cell::Number(value) => value,
        Cell::Missing => {
            let problem = format!(
                "the weight \"{cell}\" is missing; every edge needs a number here (--missing drop leaves out the edge)"
            );
            return Err(Error::missing(file, place(), problem));
        }
        Cell::Text => return Err(Error::value(file, place(), format!("weight \"{cell}\" is not a number"))),
    };
    match Quantity::Weight.problem(value) {
        // As it stands in the file.
        Some(_) if value < 0.0 && value.is_finite() => {
            let problem = format!(
                "weight \"{cell}\" is negative; similarities must be ≥ 0; leave out such edges, or use --ignore {} so that all \
                 count the same",
                schema.names[column]
            );
            Err(Error::value(file, place(), problem))
        }
        Some(problem) => Err(Error::value(file, place(), problem)),
        None => Ok(value),
    }
}

/// `{}` is 1; `{'weight': 3}` is 3. The dictionary may have been cut into several cells at its blanks.
fn weight_in_dictionary(record: &Record, column: usize) -> Result<f64, String> {
    let text: String = (column..record.len()).map(|k| record.get(k)).collect::<Vec<_>>().join(" ");
    let Some(start) = ["'weight'", "\"weight\"", "weight"].iter().find_map(|k| Some(text.find(k)? + k.len())) else {
        return Ok(1.0);
    };
    let value = text[start..].trim_start().trim_start_matches(':').trim_start();
    let end = value.find([',', '}', ' ']).unwrap_or(value.len());
    let number: f64 = value[..end].parse().map_err(|_| format!("the weight in {text} is not a number"))?;
    match Quantity::Weight.problem(number) {
        Some(problem) => Err(problem),
        None => Ok(number),
    }
}
