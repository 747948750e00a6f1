//! Sparse matrices: Matrix Market and `SciPy`'s archives.

use std::ffi::OsStr;
use std::io::{self, BufWriter, Cursor, Write};
use std::path::Path;

use dosnes::CsrMatrix;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::npy::write_header;
use super::{atomic_write, number};
use crate::error::Error;

/// Writes a matrix as `.mtx` or `.npz`; `.mtx` holds the lower triangle only when the matrix is symmetric to the last bit.
pub fn write_matrix(path: impl AsRef<Path>, matrix: &CsrMatrix<'_>) -> Result<(), Error> {
    let path = path.as_ref();
    match path.extension().and_then(OsStr::to_str).unwrap_or_default().to_lowercase().as_str() {
        "mtx" => atomic_write(path, |out| write_matrix_market(out, matrix)),
        "npz" => atomic_write(path, |out| write_npz(out, matrix)),
        _ => {
            let problem = "the name of a matrix file must end in .mtx or .npz".into();
            Err(Error::Write { path: path.to_owned(), problem })
        }
    }
}

fn write_matrix_market(out: &mut dyn Write, matrix: &CsrMatrix<'_>) -> io::Result<()> {
    let symmetric = matrix.is_square() && matrix.iter().all(|(i, j, value)| matrix.get(j, i) == Some(value));
    let (name, entries) = if symmetric {
        ("symmetric", matrix.iter().filter(|(i, j, _)| j <= i).count())
    } else {
        ("general", matrix.nnz())
    };
    writeln!(out, "%%MatrixMarket matrix coordinate real {name}")?;
    writeln!(out, "{} {} {entries}", matrix.rows(), matrix.columns())?;
    for (i, j, value) in matrix.iter() {
        if !symmetric || j <= i {
            writeln!(out, "{} {} {}", i + 1, j + 1, number(value))?;
        }
    }
    Ok(())
}

/// What `scipy.sparse.load_npz` reads: the three arrays of compressed rows, the shape and the format.
fn write_npz(out: &mut dyn Write, matrix: &CsrMatrix<'_>) -> io::Result<()> {
    // A fixed date, so that the same matrix gives the same bytes. Indices shrink to a third at little cost; similarities, of
    // which all digits count, shrink by nothing at a great one.
    let stored = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .large_file(matrix.nnz() > 1 << 28);
    let deflated = stored.compression_method(CompressionMethod::Deflated).compression_level(Some(1));
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    // 32-bit indices where they suffice, as SciPy itself chooses.
    let wide = i32::try_from(matrix.nnz()).is_err() || i32::try_from(matrix.rows().max(matrix.columns())).is_err();
    let index_type = if wide { "<i8" } else { "<i4" };
    let index = |out: &mut dyn Write, value: usize| {
        if wide { out.write_all(&(value as i64).to_le_bytes()) } else { out.write_all(&(value as i32).to_le_bytes()) }
    };
    let mut array = |name: &str, options, kind: &str, shape: &str, fill: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        archive.start_file(name, options)?;
        let mut out = BufWriter::new(&mut archive);
        write_header(&mut out, kind, shape)?;
        fill(&mut out)?;
        out.flush()
    };
    array("indices.npy", deflated, index_type, &format!("({},)", matrix.nnz()), &|out| {
        matrix.column_indices().iter().try_for_each(|&j| index(out, j as usize))
    })?;
    array("indptr.npy", deflated, index_type, &format!("({},)", matrix.rows() + 1), &|out| {
        matrix.row_starts().iter().try_for_each(|&start| index(out, start))
    })?;
    array("format.npy", deflated, "|S3", "()", &|out| out.write_all(b"csr"))?;
    array("shape.npy", deflated, "<i8", "(2,)", &|out| {
        out.write_all(&(matrix.rows() as i64).to_le_bytes())?;
        out.write_all(&(matrix.columns() as i64).to_le_bytes())
    })?;
    array("data.npy", stored, "<f8", &format!("({},)", matrix.nnz()), &|out| {
        matrix.values().iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
    })?;
    let bytes = archive.finish()?.into_inner();
    out.write_all(&bytes)
}
