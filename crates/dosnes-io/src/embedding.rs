//! Embeddings to and from files: our own formats, and any table with `x`, `y`, `z` or `lat`, `lon`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use dosnes::Space;
use dosnes::input::Items;
use dosnes::ndarray::{Array2, ArrayView2};
use dosnes::observe::{Observer, Silent};
use serde_json::Value;

use crate::columns::check_ids;
use crate::error::{Error, OutputProblem, Place};
use crate::formats::{geojson, json, npy, table};
use crate::progress::Observed;
use crate::source::Source;

/// An embedding as it was read.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Embedding {
    /// The items, with their metadata.
    pub items: Items,
    /// n × 2 or n × 3.
    pub coordinates: Array2<f64>,
    /// The radius, when the points lie on a sphere about the origin.
    pub radius: Option<f64>,
}

impl Embedding {
    /// Where its points lie.
    pub fn space(&self) -> Space {
        match (self.radius, self.coordinates.ncols()) {
            (Some(_), _) => Space::Sphere,
            (None, 2) => Space::Plane,
            (None, _) => Space::Volume,
        }
    }

    /// A view of it for the writers.
    pub fn table(&self) -> EmbeddingTable<'_> {
        EmbeddingTable { items: &self.items, coordinates: self.coordinates.view(), radius: self.radius }
    }
}

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
                let known = ".csv, .tsv, .npy, .json, .geojson, .vec or .paj";
                return Err(Error::output(path, OutputProblem::UnknownExtension { known }));
            }
        };
        if zipped && matches!(format, Self::Npy | Self::Vec | Self::Paj) {
            return Err(Error::output(path, OutputProblem::NotCompressible { extension }));
        }
        Ok(format)
    }
}

pub(crate) fn without_gz(path: &Path) -> (PathBuf, bool) {
    let zipped = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"));
    (if zipped { path.with_extension("") } else { path.to_owned() }, zipped)
}

/// Points count as lying on a sphere when their distances from the origin agree to this relative accuracy.
const SAME_RADIUS: f64 = 1e-6;

/// Reads an embedding: `.csv`, `.tsv`, `.json`, `.geojson` or `.npy`, told apart by their contents. The observer is called in
/// between, and may stop it.
pub fn read_embedding(path: impl AsRef<Path>, observer: &mut dyn Observer) -> Result<Embedding, Error> {
    let progress = Observed::begin(observer);
    let source = Source::file(path.as_ref(), &progress)?;
    read_source(&source)
}

/// The same from bytes in memory; `name` is used in messages.
pub fn read_embedding_bytes(name: &str, bytes: &[u8]) -> Result<Embedding, Error> {
    let mut silent = Silent;
    let progress = Observed::begin(&mut silent);
    let source = Source::bytes(name, bytes, &progress)?;
    read_source(&source)
}

fn read_source(source: &Source<'_>) -> Result<Embedding, Error> {
    let start = source.start(1 << 12);
    let embedding = if start.starts_with(npy::MAGIC) {
        npy::read_embedding(source)?
    } else if start.contains(&0) {
        let problem = "a binary file, and not a NumPy array; an embedding is needed";
        return Err(Error::unknown_format(&source.name, problem));
    } else if start.trim_ascii_start().starts_with(b"{") {
        read_json(source)?
    } else {
        table::read_embedding(source)?
    };
    check_ids(&source.name, &embedding.items.ids, |row| Place::default().row(row).column("id"))?;
    let bad = embedding.coordinates.indexed_iter().find(|(_, v)| !v.is_finite());
    if let Some(((row, column), value)) = bad {
        let place = Place::default().row(row).column(column.to_string());
        return Err(Error::value(&source.name, place, format!("the coordinate {value} is not finite")));
    }
    Ok(embedding)
}

/// Our own compact form, or `GeoJSON`.
fn read_json(source: &Source<'_>) -> Result<Embedding, Error> {
    let malformed = |problem: String| Error::malformed(&source.name, Place::default(), problem);
    let bytes = source.read_all()?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|e| {
        Error::malformed(&source.name, Place::line(e.line() as u64), format!("the JSON is damaged or truncated ({e})"))
    })?;
    if geojson::is_geojson(&value) {
        geojson::embedding_from(&value).map_err(malformed)
    } else if json::is_embedding(&value) {
        json::embedding_from(&value).map_err(malformed)
    } else {
        Err(Error::unknown_format(&source.name, "JSON, but neither an embedding nor GeoJSON"))
    }
}

/// Whether the format can hold such an embedding.
pub(crate) fn check_table(path: &Path, format: EmbeddingFormat, table: &EmbeddingTable<'_>) -> Result<(), Error> {
    let (rows, columns) = table.coordinates.dim();
    let refuse = |problem| Err(Error::output(path, problem));
    let items = table.items.len();
    let lengths = table.items.columns.iter().map(|column| column.values.len());
    if let Some(rows) = std::iter::once(rows).chain(lengths).find(|&length| length != items) {
        return refuse(OutputProblem::RowCount { rows, items });
    }
    if !matches!(columns, 2 | 3) || (table.radius.is_some() && columns != 3) {
        return refuse(OutputProblem::ColumnCount { columns });
    }
    if format == EmbeddingFormat::GeoJson && table.radius.is_none() {
        return refuse(OutputProblem::NotOnSphere);
    }
    Ok(())
}

/// The common distance from the origin of points in space, if there is one.
pub(crate) fn common_radius(coordinates: &Array2<f64>) -> Option<f64> {
    if coordinates.ncols() != 3 || coordinates.nrows() == 0 {
        return None;
    }
    let norms: Vec<f64> = coordinates.rows().into_iter().map(|row| row.dot(&row).sqrt()).collect();
    let mean = norms.iter().sum::<f64>() / norms.len() as f64;
    (mean > 0.0 && norms.iter().all(|n| (n - mean).abs() <= SAME_RADIUS * mean)).then_some(mean)
}

/// A point of the sphere from latitude and longitude in degrees.
pub(crate) fn on_sphere(radius: f64, lat: f64, lon: f64) -> [f64; 3] {
    let (lat, lon) = (lat.to_radians(), lon.to_radians());
    [radius * lat.cos() * lon.cos(), radius * lat.cos() * lon.sin(), radius * lat.sin()]
}

/// Latitude and longitude of a point of a sphere about the origin, in degrees: asin(z/r) and atan2(y, x).
pub fn lat_lon(x: f64, y: f64, z: f64) -> (f64, f64) {
    // atan2 keeps its precision near the poles, where asin(z/r) loses half of the digits; they are the same angle.
    (z.atan2(x.hypot(y)).to_degrees(), y.atan2(x).to_degrees())
}
