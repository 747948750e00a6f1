//! MATLAB files: version 5 (also 6 and 7) parsed here, version 7.3 through HDF5.
//!
//! The data are the variable that was asked for, else `X`, else the only matrix; vectors, character arrays and cell arrays
//! of texts of the same length are metadata.

mod v5;
mod v73;

use dosnes::input::{Column, Values};
use dosnes::ndarray::{Array2, ShapeBuilder};

use crate::column_names;
use crate::columns::{choose_id, items_from};
use crate::error::{Error, Place};
use crate::hdf5::Hdf5;
use crate::interpret::matrix::needs_double;
use crate::note::Note;
use crate::options::ReadOptions;
use crate::raw::{Contents, Matrix, Parsed, RawMatrix};
use crate::source::Source;
use crate::sparse::compressed;

pub(crate) use v73::is_matlab;

/// The first bytes of every version 5 file.
pub(crate) const MAGIC: &[u8] = b"MATLAB 5.0 MAT-file";
/// The first bytes of every version 7.3 file.
pub(crate) const MAGIC_73: &[u8] = b"MATLAB 7.3 MAT-file";

/// A variable that can be used.
#[derive(Debug)]
struct Variable {
    name: String,
    rows: usize,
    columns: usize,
    value: Value,
}

/// Its values, column by column.
#[derive(Debug)]
enum Value {
    Dense(Vec<f64>),
    Sparse {
        row_of: Vec<usize>,
        column_starts: Vec<usize>,
        values: Vec<f64>,
    },
    Texts(Vec<String>),
    /// Something else, with what it is.
    Other(&'static str),
}

/// Reads a file of version 5.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    from_variables(&source.name, "5", v5::read(source)?, options)
}

/// Reads an open file of version 7.3.
pub(crate) fn read_73(hdf5: &Hdf5<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    from_variables(hdf5.name(), "7.3", v73::read(hdf5)?, options)
}

/// Chooses the data among the variables.
fn from_variables(
    file: &str,
    version: &str,
    mut variables: Vec<Variable>,
    options: &ReadOptions,
) -> Result<Parsed, Error> {
    let list = variables.iter().map(describe).collect::<Vec<_>>().join(", ");
    let is_matrix = |v: &Variable| {
        v.rows > 1 && v.columns > 1 && matches!(v.value, Value::Dense(_)) || matches!(v.value, Value::Sparse { .. })
    };
    let matrices: Vec<usize> = (0..variables.len()).filter(|&k| is_matrix(&variables[k])).collect();
    let chosen = if let Some(name) = &options.array {
        let found = variables.iter().position(|v| v.name == *name);
        found.ok_or_else(|| Error::option(file, format!("there is no variable \"{name}\"; there are {list}")))?
    } else if let Some(&x) = matrices.iter().find(|&&k| variables[k].name == "X") {
        x
    } else {
        match matrices[..] {
            [only] => only,
            [] => {
                let how = "save a matrix as a variable of its own, such as A = Problem.A; save('A.mat', 'A')";
                return Err(Error::shape(file, format!("no variable in it is a matrix; there are {list}; {how}")));
            }
            _ => {
                let problem =
                    format!("several variables are matrices, and none is named X; choose one with --array: {list}");
                return Err(Error::option(file, problem));
            }
        }
    };
    let Variable { name, rows, columns, value } = variables.remove(chosen);
    let malformed = |problem: String| Error::malformed(file, Place::part(name.clone()), problem);
    let matrix = match value {
        Value::Dense(values) => {
            let x = Array2::from_shape_vec((rows, columns).f(), values)
                .map_err(|_| malformed("the values do not fit the shape".into()))?;
            let x = x.as_standard_layout().into_owned();
            if rows == columns || needs_double(&x) { Matrix::Double(x) } else { Matrix::Single(x.mapv(|v| v as f32)) }
        }
        Value::Sparse { row_of, column_starts, values } => {
            let place = Place::part(name.clone());
            Matrix::Sparse(compressed(file, &place, (rows, columns), &column_starts, &row_of, &values, true)?)
        }
        Value::Texts(_) | Value::Other(_) => return Err(malformed("it is not a matrix of numbers".into())),
    };
    if rows == 0 || columns == 0 {
        return Err(Error::empty(file, format!("the variable {name} is {rows} × {columns}")));
    }
    let (metadata, others) = metadata(variables, rows);
    let id = choose_id(&metadata).filter(|&k| column_names::is_id(&metadata[k].name));
    let id_column = id.map(|k| metadata[k].name.clone());
    let items = (!metadata.is_empty()).then(|| items_from(metadata, id, rows));
    let description = format!("MATLAB {version}, variable {name} of {rows} × {columns}");
    let contents = Contents::Matrix(RawMatrix { items, id_column, part: Some(name), ..RawMatrix::new(matrix) });
    let notes = if others.is_empty() { Vec::new() } else { vec![Note::OtherArrays(others)] };
    Ok(Parsed { description, contents, notes })
}

fn describe(variable: &Variable) -> String {
    let what = match variable.value {
        Value::Dense(_) => "",
        Value::Sparse { .. } => "sparse ",
        Value::Texts(_) => "texts ",
        Value::Other(what) => return format!("{} ({what})", variable.name),
    };
    format!("{} ({what}{} × {})", variable.name, variable.rows, variable.columns)
}

/// Vectors as long as the data, and descriptions of the rest.
fn metadata(variables: Vec<Variable>, rows: usize) -> (Vec<Column>, Vec<String>) {
    let (mut columns, mut others) = (Vec::new(), Vec::new());
    for variable in variables {
        let description = describe(&variable);
        let values = match variable.value {
            Value::Dense(values) if values.len() == rows && (variable.rows == 1 || variable.columns == 1) => {
                Values::Number(values)
            }
            Value::Texts(values) if values.len() == rows => Values::Text(values),
            _ => {
                others.push(description);
                continue;
            }
        };
        columns.push(Column { name: variable.name, values });
    }
    (columns, others)
}
