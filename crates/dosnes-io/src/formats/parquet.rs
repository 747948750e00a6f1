//! Apache Parquet: the same rules as for a table of text, with the types that the file declares.

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

use crate::error::{Error, Place, Quantity};
use crate::interpret::layout::{self, EdgeColumns, Layout, Role};
use crate::options::{MissingValues, ReadOptions};
use crate::raw::{Contents, Parsed};
use crate::rows::{EdgeRows, ItemRows, RowCells, unused_columns};
use crate::schema::{ColumnSample, Schema};
use crate::source::Source;

/// Number of rows that are examined to distinguish numbers from texts.
const SAMPLE: usize = 1000;
/// The observer is called after this number of rows.
const INTERVAL: usize = 1 << 12;

/// Reads a file.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let damaged = |e: ParquetError| {
        Error::malformed(file, Place::default(), format!("the Parquet file is truncated or damaged ({e})"))
    };
    let reader: Box<dyn FileReader> = match source.path() {
        Some(path) => {
            let opened = std::fs::File::open(path).map_err(|error| Error::Open { file: file.to_owned(), error })?;
            Box::new(SerializedFileReader::new(opened).map_err(damaged)?)
        }
        None => Box::new(SerializedFileReader::new(bytes::Bytes::from(source.read_all()?)).map_err(damaged)?),
    };
    let metadata = reader.metadata().file_metadata();
    let names: Vec<String> =
        metadata.schema_descr().root_schema().get_fields().iter().map(|f| f.name().to_owned()).collect();
    let count = metadata.num_rows().max(1) as f64;
    let mut columns = vec![ColumnSample::default(); names.len()];
    for row in reader.get_row_iter(None).map_err(damaged)?.take(SAMPLE) {
        sample(&mut columns, &row.map_err(damaged)?);
    }
    let schema = Schema { header: true, names, columns, short_header: false };
    let rows = reader.get_row_iter(None).map_err(damaged)?.enumerate().map(|(k, row)| {
        if k % INTERVAL == 0 {
            source.report(k as f64 / count)?;
        }
        row.map_err(damaged)
    });
    match layout::of_table(file, &schema, &[], options)? {
        Layout::Edges(columns) => read_edges(file, &schema, &columns, rows, options),
        Layout::Items(roles) => read_items(file, &schema, &roles, rows, options, source.is_double()),
    }
}

/// Counts the numbers and texts of a row.
fn sample(columns: &mut [ColumnSample], row: &Row) {
    for (counts, (_, field)) in columns.iter_mut().zip(row.get_column_iter()) {
        match number(field) {
            Some(value) => counts.add_number(value),
            None if !matches!(field, Field::Null) => counts.texts += 1,
            None => {}
        }
    }
}

/// A number, `None` for a text or a missing value.
fn number(field: &Field) -> Option<f64> {
    Some(match field {
        Field::Bool(v) => f64::from(u8::from(*v)),
        Field::Byte(v) => f64::from(*v),
        Field::Short(v) => f64::from(*v),
        Field::Int(v) => f64::from(*v),
        Field::Long(v) => *v as f64,
        Field::UByte(v) => f64::from(*v),
        Field::UShort(v) => f64::from(*v),
        Field::UInt(v) => f64::from(*v),
        Field::ULong(v) => *v as f64,
        Field::Float16(v) => f64::from(v.to_f32()),
        Field::Float(v) => f64::from(*v),
        Field::Double(v) => *v,
        _ => return None,
    })
}

fn text(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Bytes(bytes) => String::from_utf8_lossy(bytes.data()).into_owned(),
        other => other.to_string(),
    }
}

fn read_edges(
    file: &str,
    schema: &Schema,
    columns: &EdgeColumns,
    rows: impl Iterator<Item = Result<Row, Error>>,
    options: &ReadOptions,
) -> Result<Parsed, Error> {
    let mut edges = EdgeRows::default();
    for (k, row) in rows.enumerate() {
        let row = TypedRow { file, schema, number: k, missing: MissingValues::Error, row: &row? };
        let weight = match columns.weight {
            None => 1.0,
            Some(column) => {
                let missing = matches!(row.field(column), Field::Null) && options.missing != MissingValues::Error;
                if missing && !edges.lacks_weight(&row.place(column), options.missing) {
                    continue;
                }
                let weight = if missing { Some(f64::NAN) } else { number(row.field(column)) };
                let weight =
                    weight.ok_or_else(|| Error::value(file, row.place(column), "the weight is not a number"))?;
                if let Some(problem) = Quantity::Weight.problem(weight)
                    && !missing
                {
                    return Err(Error::value(file, row.place(column), problem));
                }
                weight
            }
        };
        edges.push(file, &text(row.field(columns.ends.0)), &text(row.field(columns.ends.1)), weight)?;
    }
    let description = format!("Parquet, {} rows: edge list", edges.len());
    let mut notes = columns.notes.clone();
    notes.extend(edges.fill());
    notes.extend(unused_columns(schema, columns));
    Ok(Parsed { description, contents: Contents::Network(edges.finish(file, columns.two_kinds)?), notes })
}

fn read_items(
    file: &str,
    schema: &Schema,
    roles: &[Role],
    rows: impl Iterator<Item = Result<Row, Error>>,
    options: &ReadOptions,
    double: bool,
) -> Result<Parsed, Error> {
    let mut items = if double { ItemRows::double(schema, roles) } else { ItemRows::new(schema, roles) };
    for (k, row) in rows.enumerate() {
        items.push(&mut TypedRow { file, schema, number: k, missing: options.missing, row: &row? })?;
    }
    let mut notes = Vec::new();
    let description = format!("Parquet, {} rows", items.len());
    let (matrix, note) = items.finish(file, schema, roles, options, |row| Place::default().row(row))?;
    notes.extend(note);
    Ok(Parsed { description, contents: Contents::Matrix(matrix), notes })
}

/// A row whose cells have types.
struct TypedRow<'a> {
    file: &'a str,
    schema: &'a Schema,
    /// From 0.
    number: usize,
    missing: MissingValues,
    row: &'a Row,
}

impl TypedRow<'_> {
    fn field(&self, column: usize) -> &Field {
        self.row.get_column_iter().nth(column).map_or(&Field::Null, |(_, field)| field)
    }

    fn place(&self, column: usize) -> Place {
        Place::default().row(self.number).column(self.schema.names[column].clone())
    }
}

impl RowCells for TypedRow<'_> {
    fn coordinate(&mut self, column: usize) -> Result<f64, Error> {
        let field = self.field(column);
        match number(field) {
            Some(value) if value.is_finite() => Ok(value),
            Some(value) if value.is_infinite() => {
                Err(Error::value(self.file, self.place(column), "the coordinate is infinite"))
            }
            None if !matches!(field, Field::Null) => {
                let problem = format!("\"{}\" is not a number, while most of the column is", text(field));
                Err(Error::value(self.file, self.place(column), problem))
            }
            _ if self.missing != MissingValues::Error => Ok(f64::NAN),
            _ => {
                let problem = "the value is missing; fill it in, or use --missing drop or --missing mean";
                Err(Error::missing(self.file, self.place(column), problem))
            }
        }
    }

    fn text(&mut self, column: usize) -> String {
        text(self.field(column))
    }

    fn number(&mut self, column: usize) -> Result<f64, Error> {
        Ok(number(self.field(column)).unwrap_or(f64::NAN))
    }

    fn line(&self) -> u64 {
        self.number as u64 + 1
    }
}
