//! Apache Parquet: the same rules as for a table of text, with the types that the file declares.

use dosnes::input::{Column, Items, Values};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

use crate::columns::{check_ids, choose_id, items_from};
use crate::dense::DenseBuilder;
use crate::error::{Error, Place, forbidden_weight};
use crate::formats::edge_list::{EdgeColumns, Edges, edge_columns, unused_columns};
use crate::formats::table::{Role, roles};
use crate::interpret::{Raw, Understood, understand};
use crate::loaded::Note;
use crate::options::{MissingValues, ReadOptions};
use crate::records::Separator;
use crate::scan::{ColumnSample, Scan, find_column};
use crate::source::Source;
use dosnes::Kind;

type Reader = Box<dyn FileReader>;

/// Reads a file.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<(String, Understood), Error> {
    let file = source.name.as_str();
    let damaged = |e: parquet::errors::ParquetError| {
        Error::malformed(file, Place::default(), format!("the Parquet file is truncated or damaged ({e})"))
    };
    let reader: Reader = match source.path() {
        Some(path) => {
            let opened = std::fs::File::open(path).map_err(|error| Error::open(file, &error))?;
            Box::new(SerializedFileReader::new(opened).map_err(damaged)?)
        }
        None => Box::new(SerializedFileReader::new(bytes::Bytes::from(source.read_all()?)).map_err(damaged)?),
    };
    let scan = scan(file, &reader)?;
    let rows = reader.get_row_iter(None).map_err(damaged)?;
    let rows = rows.map(|row| row.map_err(damaged));
    if !matches!(options.kind, Some(Kind::Points | Kind::Distance))
        && let Some(columns) = edge_columns(file, &scan, options)?
    {
        return read_edges(file, &scan, &columns, rows, options);
    }
    read_points(file, &scan, rows, options)
}

/// The names of the columns, and whether their first value is a number.
fn scan(file: &str, reader: &Reader) -> Result<Scan, Error> {
    let schema = reader.metadata().file_metadata().schema_descr();
    let names: Vec<String> = schema.root_schema().get_fields().iter().map(|f| f.name().to_owned()).collect();
    let mut columns = vec![ColumnSample::default(); names.len()];
    let damaged = |e: parquet::errors::ParquetError| {
        Error::malformed(file, Place::default(), format!("the Parquet file is truncated or damaged ({e})"))
    };
    for row in reader.get_row_iter(None).map_err(damaged)?.take(1000) {
        let row = row.map_err(damaged)?;
        for (counts, (_, field)) in columns.iter_mut().zip(row.get_column_iter()) {
            match number(field) {
                Some(value) => {
                    counts.numbers += 1;
                    counts.integers += usize::from(value.fract() == 0.0);
                }
                None if !matches!(field, Field::Null) => counts.texts += 1,
                None => {}
            }
        }
    }
    Ok(Scan {
        separator: Separator::Never,
        header: true,
        names,
        columns,
        sample: Vec::new(),
        short_header: false,
        skip: 0,
    })
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

fn fields(row: &Row) -> Vec<&Field> {
    row.get_column_iter().map(|(_, field)| field).collect()
}

fn read_edges(
    file: &str,
    scan: &Scan,
    columns: &EdgeColumns,
    rows: impl Iterator<Item = Result<Row, Error>>,
    options: &ReadOptions,
) -> Result<(String, Understood), Error> {
    let mut edges = Edges::new(file, options)?;
    for (k, row) in rows.enumerate() {
        let row = row?;
        let fields = fields(&row);
        let weight = match columns.weight {
            None => 1.0,
            Some(column) => {
                let place = || Place::default().row(k).column(scan.names[column].clone());
                let weight = number(fields[column]);
                let weight = weight.ok_or_else(|| Error::value(file, place(), "the weight is not a number"))?;
                if let Some(problem) = forbidden_weight(weight, "weight") {
                    return Err(Error::value(file, place(), problem));
                }
                weight
            }
        };
        edges.push(&text(fields[columns.ends.0]), &text(fields[columns.ends.1]), weight);
    }
    let shape = format!("Parquet, {} rows: edge list", edges.len());
    let notes = unused_columns(scan, columns).into_iter().collect();
    Ok((shape, edges.finish(file, options, notes)?))
}

fn read_points(
    file: &str,
    scan: &Scan,
    rows: impl Iterator<Item = Result<Row, Error>>,
    options: &ReadOptions,
) -> Result<(String, Understood), Error> {
    let roles = roles(file, scan, options)?;
    let coordinates: Vec<usize> = (0..scan.width()).filter(|&k| roles[k] == Role::Coordinate).collect();
    if coordinates.is_empty() {
        return Err(Error::shape(file, "no column holds numbers to use as coordinates"));
    }
    let kept: Vec<usize> = (0..scan.width()).filter(|&k| matches!(roles[k], Role::Text | Role::Number)).collect();
    let mut columns: Vec<Column> = kept
        .iter()
        .map(|&k| Column {
            name: scan.names[k].clone(),
            values: if roles[k] == Role::Text { Values::Text(Vec::new()) } else { Values::Number(Vec::new()) },
        })
        .collect();
    let mut dense = DenseBuilder::new(coordinates.len());
    let mut cells = vec![0.0; coordinates.len()];
    let (mut dropped, mut first_dropped) = (0, 0);
    'rows: for (i, row) in rows.enumerate() {
        let row = row?;
        let fields = fields(&row);
        for (cell, &k) in cells.iter_mut().zip(&coordinates) {
            let place = || Place::default().row(i).column(scan.names[k].clone());
            *cell = match number(fields[k]) {
                Some(value) if value.is_finite() => value,
                None if !matches!(fields[k], Field::Null) => {
                    let problem = format!("\"{}\" is not a number, while most of the column is", text(fields[k]));
                    return Err(Error::value(file, place(), problem));
                }
                Some(value) if value.is_infinite() => {
                    return Err(Error::value(file, place(), "the coordinate is infinite"));
                }
                _ if options.missing == MissingValues::Drop => {
                    if dropped == 0 {
                        first_dropped = i as u64 + 1;
                    }
                    dropped += 1;
                    continue 'rows;
                }
                _ => {
                    let problem = "the value is missing; fill it in, or leave out rows with missing values".into();
                    return Err(Error::Missing { file: file.to_owned(), place: place(), problem });
                }
            };
        }
        dense.push_row(&cells);
        for (column, &k) in columns.iter_mut().zip(&kept) {
            match &mut column.values {
                Values::Text(values) => values.push(text(fields[k])),
                Values::Number(values) => values.push(number(fields[k]).unwrap_or(f64::NAN)),
            }
        }
    }
    let rows = dense.rows();
    let id = match &options.id_column {
        Some(asked) => {
            columns.iter().position(|c| find_column(&scan.names, asked).is_some_and(|k| scan.names[k] == c.name))
        }
        None => choose_id(&columns),
    };
    if let (Some(Values::Text(ids)), Some(name)) = (id.map(|k| &columns[k].values), &options.id_column) {
        check_ids(file, ids, |row| Place::default().row(row).column(name.clone()))?;
    }
    let travelling: Vec<String> =
        columns.iter().enumerate().filter(|&(k, _)| Some(k) != id).map(|(_, c)| c.name.clone()).collect();
    let items = (!columns.is_empty()).then(|| items_from(columns, id, rows));
    let names = coordinates.iter().map(|&k| scan.names[k].clone()).collect();
    let partners = Some(Items { ids: names, columns: Vec::new() });
    let raw = Raw { matrix: dense.finish(), items, partners, lines: None, part: None };
    let mut understood = understand(file, raw, options)?;
    understood.add_columns(&travelling);
    if dropped > 0 {
        understood.notes.push(Note::RowsDropped { count: dropped, first_line: first_dropped });
    }
    Ok((format!("Parquet, {rows} rows"), understood))
}
