//! Results into files: the format is chosen by the extension (see the crate's documentation), and no file is ever
//! half-written. What a format looks like is in [`crate::formats`].

mod atomic;
mod leftovers;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dosnes::CsrMatrix;
use flate2::Compression;
use flate2::write::GzEncoder;

pub use atomic::{atomic_write, check_writable};

use crate::embedding::{EmbeddingFormat, EmbeddingTable, check_table, without_gz};
use crate::error::{Error, OutputProblem};
use crate::formats::{geojson, json, matrix_market, npy, npz, pajek, table};

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
    write_to(out, format, table).map_err(|error| Error::Write { path: stream.to_owned(), error })
}

fn write_to(out: &mut dyn Write, format: EmbeddingFormat, table: &EmbeddingTable<'_>) -> io::Result<()> {
    match format {
        EmbeddingFormat::Csv => table::write_embedding(out, b',', table),
        EmbeddingFormat::Tsv => table::write_embedding(out, b'\t', table),
        EmbeddingFormat::Npy => npy::write_matrix(out, &table.coordinates),
        EmbeddingFormat::Json => json::write_embedding(out, table),
        EmbeddingFormat::GeoJson => geojson::write_embedding(out, table),
        EmbeddingFormat::Vec | EmbeddingFormat::Paj => pajek::write_project(out, table),
    }
}

/// Writes a matrix as `.mtx` or `.npz`; `.mtx` holds the lower triangle only when the matrix is symmetric to the last bit.
pub fn write_matrix(path: impl AsRef<Path>, matrix: &CsrMatrix<'_>) -> Result<(), Error> {
    let path = path.as_ref();
    match path.extension().and_then(OsStr::to_str).unwrap_or_default().to_lowercase().as_str() {
        "mtx" => atomic_write(path, |out| matrix_market::write(out, matrix)),
        "npz" => atomic_write(path, |out| npz::write_sparse(out, matrix)),
        _ => Err(Error::output(path, OutputProblem::UnknownExtension { known: ".mtx or .npz" })),
    }
}

/// A number in the fewest digits that read back as the same number.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-5..1e16).contains(&size) { format!("{value:e}") } else { format!("{value}") }
}
