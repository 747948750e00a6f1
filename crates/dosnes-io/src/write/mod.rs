//! Results into files: the format is chosen by the extension (see the crate's documentation), and no file is ever
//! half-written.

mod atomic;
mod geojson;
mod json;
mod npy;
mod pajek;
mod sparse;
mod table;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dosnes::input::Items;
use flate2::Compression;
use flate2::write::GzEncoder;
use ndarray::ArrayView2;

pub use atomic::{atomic_write, check_writable};
pub use sparse::write_matrix;

use crate::error::Error;

/// An embedding with the items' names.
#[derive(Debug, Clone, Copy)]
pub struct EmbeddingTable<'a> {
    /// The items, in the order of the rows.
    pub items: &'a Items,
    /// n × 2 or n × 3, with the true radius on a sphere.
    pub coordinates: ArrayView2<'a, f64>,
    /// The radius, on a sphere.
    pub radius: Option<f64>,
}

/// A format of embedding files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmbeddingFormat {
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// `NumPy` array.
    Npy,
    /// One radius, two angles an item.
    Json,
    /// `GeoJSON`.
    GeoJson,
    /// Pajek vectors.
    Vec,
    /// Pajek project.
    Paj,
}

impl EmbeddingFormat {
    /// The format that the extension of `path` asks for.
    pub fn of(path: &Path) -> Result<Self, Error> {
        let (plain, zipped) = without_gz(path);
        let extension = plain.extension().and_then(OsStr::to_str).unwrap_or_default().to_lowercase();
        let format = match extension.as_str() {
            "csv" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            "npy" => Self::Npy,
            "json" => Self::Json,
            "geojson" => Self::GeoJson,
            "vec" => Self::Vec,
            "paj" => Self::Paj,
            _ => {
                let problem = "the name must end in .csv, .tsv, .npy, .json, .geojson, .vec or .paj".into();
                return Err(Error::Write { path: path.to_owned(), problem });
            }
        };
        if zipped && matches!(format, Self::Npy | Self::Vec | Self::Paj) {
            let problem = format!(".{extension} files are not written compressed; leave out .gz");
            return Err(Error::Write { path: path.to_owned(), problem });
        }
        Ok(format)
    }
}

fn without_gz(path: &Path) -> (PathBuf, bool) {
    let zipped = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"));
    (if zipped { path.with_extension("") } else { path.to_owned() }, zipped)
}

/// Writes an embedding in the format of the path's extension; returns the files that were written.
pub fn write_embedding(path: impl AsRef<Path>, table: &EmbeddingTable<'_>) -> Result<Vec<PathBuf>, Error> {
    let path = path.as_ref();
    let format = EmbeddingFormat::of(path)?;
    check_table(path, format, table)?;
    if format == EmbeddingFormat::Vec {
        return pajek::write_vectors(path, table);
    }
    let zipped = without_gz(path).1;
    atomic_write(path, |out| {
        if zipped {
            let mut encoder = GzEncoder::new(out, Compression::default());
            write_to(&mut encoder, format, table)?;
            encoder.finish().map(drop)
        } else {
            write_to(out, format, table)
        }
    })?;
    Ok(vec![path.to_owned()])
}

/// Writes an embedding to a stream, such as the standard output. Pajek vectors are several files: they are written as the
/// project that holds them all.
pub fn write_embedding_to(
    out: &mut dyn Write,
    format: EmbeddingFormat,
    table: &EmbeddingTable<'_>,
) -> Result<(), Error> {
    let stream = Path::new("the output");
    check_table(stream, format, table)?;
    write_to(out, format, table).map_err(|e| Error::Write { path: stream.to_owned(), problem: e.to_string() })
}

/// Whether the format can hold such an embedding.
fn check_table(path: &Path, format: EmbeddingFormat, table: &EmbeddingTable<'_>) -> Result<(), Error> {
    let (rows, columns) = table.coordinates.dim();
    let refuse = |problem: String| Err(Error::Write { path: path.to_owned(), problem });
    if rows != table.items.len() {
        return refuse(format!("there are {rows} coordinates for {} items", table.items.len()));
    }
    if !matches!(columns, 2 | 3) || (table.radius.is_some() && columns != 3) {
        return refuse(format!("coordinates have 2 or 3 columns (3 on a sphere), not {columns}"));
    }
    if format == EmbeddingFormat::GeoJson && table.radius.is_none() {
        return refuse("GeoJSON holds places on a sphere, and this map is not on one; choose .csv or .json".into());
    }
    Ok(())
}

fn write_to(out: &mut dyn Write, format: EmbeddingFormat, table: &EmbeddingTable<'_>) -> io::Result<()> {
    match format {
        EmbeddingFormat::Csv => table::write(out, b',', table),
        EmbeddingFormat::Tsv => table::write(out, b'\t', table),
        EmbeddingFormat::Npy => npy::write_matrix(out, &table.coordinates),
        EmbeddingFormat::Json => json::write(out, table),
        EmbeddingFormat::GeoJson => geojson::write(out, table),
        EmbeddingFormat::Vec | EmbeddingFormat::Paj => pajek::write_project(out, table),
    }
}

/// Latitude and longitude of a point of a sphere about the origin, in degrees: asin(z/r) and atan2(y, x).
pub fn lat_lon(x: f64, y: f64, z: f64) -> (f64, f64) {
    // atan2 keeps its precision near the poles, where asin(z/r) loses half of the digits; they are the same angle.
    (z.atan2(x.hypot(y)).to_degrees(), y.atan2(x).to_degrees())
}

/// The name under which an item's column is written.
pub(crate) fn column_name(name: &str) -> String {
    if matches!(name.to_lowercase().as_str(), "id" | "x" | "y" | "z" | "lat" | "lon") {
        format!("input_{name}")
    } else {
        name.to_owned()
    }
}

/// A number in the fewest digits that read back as the same number.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-5..1e16).contains(&size) { format!("{value:e}") } else { format!("{value}") }
}
