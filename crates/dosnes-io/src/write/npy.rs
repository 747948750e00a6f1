//! `NumPy` arrays.

use std::io::{self, Write};

use ndarray::ArrayView2;

/// Writes the header of a version 1 array; the data follow, row by row, little-endian.
pub(super) fn write_header(out: &mut dyn Write, descr: &str, shape: &str) -> io::Result<()> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    // Magic, version and length take ten bytes; the data start at a multiple of 64, after a line break.
    let padding = (64 - (10 + header.len() + 1) % 64) % 64;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())
}

/// Writes a matrix in double precision.
pub(super) fn write_matrix(out: &mut dyn Write, matrix: &ArrayView2<'_, f64>) -> io::Result<()> {
    write_header(out, "<f8", &format!("({}, {})", matrix.nrows(), matrix.ncols()))?;
    for row in matrix.rows() {
        for value in row {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    Ok(())
}
