//! Reading tables as edges or as items.

use dosnes::Kind;
use dosnes::input::Column;

use super::cytoscape;
use crate::error::{Error, Place};
use crate::interpret::layout::{self, Layout, Role};
use crate::note::Note;
use crate::options::{MissingValues, ReadOptions};
use crate::raw::{Contents, Parsed, RawMatrix};
use crate::rows::{ItemRows, RowCells};
use crate::schema::Schema;
use crate::source::Source;
use crate::text::edges::read_edges;
use crate::text::records::{Cell, Comments, Record, parse_cell};
use crate::text::separator::Separator;
use crate::text::table::TextTable;

/// Reads a file of separated values: a list of edges, or a matrix with names and metadata.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    // BLAST repeats its comments above the hits of each query.
    let comments = if source.start(8).starts_with(b"# BLAST") { Comments::Everywhere } else { Comments::AtTop };
    let table = TextTable::open(source, options, comments)?;
    let ratings = matches!(options.kind, None | Some(Kind::Dyadic)) && options.weight_column.is_none();
    if ratings {
        let columns = if table.separator == Separator::Colons {
            layout::of_ratings(&table.schema)
        } else {
            layout::of_timed_ratings(&table.schema)
        };
        if let Some(columns) = columns {
            return read_edges(file, table, &columns, options.missing);
        }
    }
    if let Some(column) = cytoscape::edge_column(&table.schema, table.rows.sample())
        && options.kind != Some(Kind::Points)
    {
        return cytoscape::read(source, table, column, options);
    }
    let beside = table.beside(file, options)?;
    match layout::of_table(file, &table.schema, table.rows.sample(), table.separator, options)? {
        Layout::Edges(columns) => {
            let mut parsed = read_edges(file, table, &columns, options.missing)?;
            parsed.notes.extend(beside);
            Ok(parsed)
        }
        Layout::Items(roles, found) => {
            let header = if table.schema.header { "with header" } else { "without header" };
            let separator = table.separator.name();
            let unread = if options.kind.is_none() {
                layout::unread_numbers(&table.schema, table.rows.sample(), table.separator, &roles, options)
            } else {
                Vec::new()
            };
            let double = source.is_double();
            let rows =
                if double { ItemRows::double(&table.schema, &roles) } else { ItemRows::new(&table.schema, &roles) };
            let TextItems { schema, mut rows, mut notes } = read_items(file, table, rows, options.missing)?;
            let description = format!("{separator}-separated, {header}, {} rows", rows.len());
            let lines = std::mem::take(&mut rows.lines);
            let place = |row: usize| lines.get(row).map_or_else(Place::default, |&line| Place::line(line));
            let (matrix, note) = rows.finish(file, &schema, &roles, options, place)?;
            notes.extend(note);
            notes.extend(beside);
            notes.extend(unread);
            notes.extend(found);
            // Whoever says that these are points has seen how their numbers are read.
            notes.retain(|note| options.kind.is_none() || !matches!(note, Note::CouldBeThousands { .. }));
            let matrix = RawMatrix { lines: Some(lines), ..matrix };
            Ok(Parsed { description, contents: Contents::Matrix(matrix), notes })
        }
    }
}

/// The rows of a text table that are items.
pub(super) struct TextItems {
    schema: Schema,
    pub(super) rows: ItemRows,
    notes: Vec<Note>,
}

/// Reads all rows.
pub(super) fn read_items(
    file: &str,
    table: TextTable<'_>,
    mut items: ItemRows,
    missing: MissingValues,
) -> Result<TextItems, Error> {
    let TextTable { schema, separator, mut rows } = table;
    let mut record = Record::default();
    let mut comma = false;
    while rows.next(&mut record)? {
        if record.len() != schema.width() {
            let texts = record.iter().all(|cell| parse_cell(cell, separator, &mut false) == Cell::Text);
            let problem = format!(
                "this line has {} cells where the others have {}; a {} inside a cell needs quotes around it{}{}",
                record.len(),
                schema.width(),
                separator.name(),
                if separator == Separator::Whitespace {
                    "; if each line is a node and its neighbours, use --format adjacency"
                } else {
                    ""
                },
                if schema.header && texts && record.len() > 1 {
                    "; if another table begins here, save it as a file of its own"
                } else {
                    ""
                }
            );
            return Err(Error::malformed(file, Place::line(record.line), problem));
        }
        items.push(&mut TextRow { file, schema: &schema, separator, missing, record: &record, comma: &mut comma })?;
    }
    let mut notes: Vec<Note> = Vec::new();
    notes.extend(rows.notes());
    if comma {
        notes.push(Note::DecimalComma);
    }
    Ok(TextItems { schema, rows: items, notes })
}

struct TextRow<'a> {
    file: &'a str,
    schema: &'a Schema,
    separator: Separator,
    missing: MissingValues,
    record: &'a Record,
    comma: &'a mut bool,
}

impl RowCells for TextRow<'_> {
    fn coordinate(&mut self, column: usize) -> Result<f64, Error> {
        match parse_cell(self.record.get(column), self.separator, self.comma) {
            Cell::Number(number) if number.is_finite() => Ok(number),
            Cell::Missing if self.missing != MissingValues::Error => Ok(f64::NAN),
            other => Err(bad_cell(self.file, self.schema, self.record, column, other)),
        }
    }

    fn text(&mut self, column: usize) -> String {
        self.record.get(column).to_owned()
    }

    fn number(&mut self, column: usize) -> Result<f64, Error> {
        match parse_cell(self.record.get(column), self.separator, self.comma) {
            Cell::Number(number) => Ok(number),
            Cell::Missing => Ok(f64::NAN),
            Cell::Text => Err(bad_cell(self.file, self.schema, self.record, column, Cell::Text)),
        }
    }

    fn line(&self) -> u64 {
        self.record.line
    }
}

fn bad_cell(file: &str, schema: &Schema, record: &Record, column: usize, cell: Cell) -> Error {
    let place = Place::line(record.line).column(schema.names[column].clone());
    let text = record.get(column);
    match cell {
        Cell::Missing => {
            let cell =
                if text.is_empty() { "the cell is empty".into() } else { format!("\"{text}\" is a missing value") };
            let problem =
                format!("{cell}; fill it in, use --missing drop or --missing mean, or leave out the column (--ignore)");
            Error::missing(file, place, problem)
        }
        Cell::Number(_) => Error::value(file, place, format!("\"{text}\" is not finite; coordinates must be finite")),
        Cell::Text => {
            let problem = format!(
                "\"{text}\" is not a number, while most of the column is; correct it, or keep the column as metadata (--labels)"
            );
            Error::value(file, place, problem)
        }
    }
}

/// A table about the items: every column kept, as text.
pub(crate) struct Metadata {
    pub(crate) schema: Schema,
    pub(crate) separator: Separator,
    pub(crate) columns: Vec<Column>,
}

/// Reads every column of a table as text.
pub(crate) fn read_metadata(source: &Source<'_>, header: Option<bool>) -> Result<Metadata, Error> {
    metadata(&source.name, TextTable::metadata(source, header)?)
}

/// Reads every line as one cell.
pub(crate) fn read_lines(source: &Source<'_>) -> Result<Metadata, Error> {
    metadata(&source.name, TextTable::lines(source)?)
}

fn metadata(file: &str, table: TextTable<'_>) -> Result<Metadata, Error> {
    let separator = table.separator;
    let rows = ItemRows::new(&table.schema, &vec![Role::Text; table.schema.width()]);
    let TextItems { schema, rows, .. } = read_items(file, table, rows, MissingValues::Error)?;
    Ok(Metadata { schema, separator, columns: rows.columns })
}
