//! Writing vectors and projects.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dosnes::ndarray::ArrayView1;

use crate::embedding::EmbeddingTable;
use crate::error::Error;
use crate::write::{atomic_write, number};

const AXES: [&str; 3] = ["x", "y", "z"];

/// One file an axis, since a Pajek vector is one number a vertex.
pub(crate) fn write_vectors(path: &Path, table: &EmbeddingTable<'_>) -> Result<Vec<PathBuf>, Error> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut written = Vec::new();
    for (axis, column) in AXES.iter().zip(table.coordinates.columns()) {
        let file = path.with_file_name(format!("{stem}_{axis}.vec"));
        atomic_write(&file, |out| write_vector(out, &column))?;
        written.push(file);
    }
    Ok(written)
}

fn write_vector(out: &mut dyn Write, values: &ArrayView1<'_, f64>) -> io::Result<()> {
    write!(out, "*Vertices {}\r\n", values.len())?;
    for &value in values {
        write!(out, "{}\r\n", number(value))?;
    }
    Ok(())
}

/// The vertices with their labels, placed between 0 and 1 as Pajek draws them, and the true coordinates as vectors.
pub(crate) fn write_project(out: &mut dyn Write, table: &EmbeddingTable<'_>) -> io::Result<()> {
    let largest = table.coordinates.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let scaled = |v: f64| if largest > 0.0 { 0.5 + 0.5 * v / largest } else { 0.5 };
    write!(out, "*Network embedding\r\n*Vertices {}\r\n", table.items.len())?;
    for (i, row) in table.coordinates.rows().into_iter().enumerate() {
        // A label stands between quotes and cannot hold one, nor a line break.
        let label = table.items.ids[i].replace('"', "'").replace(['\n', '\r'], " ");
        write!(out, "{} \"{label}\"", i + 1)?;
        for &value in row {
            write!(out, " {:.6}", scaled(value))?;
        }
        write!(out, "\r\n")?;
    }
    for (axis, column) in AXES.iter().zip(table.coordinates.columns()) {
        write!(out, "*Vector {axis}\r\n")?;
        write_vector(out, &column)?;
    }
    Ok(())
}
