//! Version 7.3: variables as HDF5 datasets, with rows and columns exchanged.

use super::{Value, Variable};
use crate::error::{Error, Place};
use crate::hdf5::{Hdf5, sides_attribute, text_attribute};
use crate::sparse::indices;

/// Whether an HDF5 file was written by MATLAB.
pub(crate) fn is_matlab(hdf5: &Hdf5<'_>) -> bool {
    let root = hdf5.file.root();
    let names = root.datasets().unwrap_or_default();
    names.iter().any(|name| {
        hdf5.file.dataset(name).and_then(|d| d.attrs()).is_ok_and(|attributes| attributes.contains_key("MATLAB_class"))
    })
}

/// Reads all variables.
pub(super) fn read(hdf5: &Hdf5<'_>) -> Result<Vec<Variable>, Error> {
    let root = hdf5.file.root();
    let broken = |e: hdf5_pure::Error| Error::malformed(hdf5.name(), Place::default(), e.to_string());
    let mut variables = Vec::new();
    for name in root.datasets().map_err(broken)? {
        variables.extend(dense(hdf5, &name)?);
    }
    for name in root.groups().map_err(broken)? {
        variables.extend(sparse(hdf5, &name)?);
    }
    Ok(variables)
}

fn dense(hdf5: &Hdf5<'_>, name: &str) -> Result<Option<Variable>, Error> {
    let dataset = hdf5.dataset(name)?;
    let attributes = dataset.attrs().map_err(|e| hdf5.damaged(name, &e))?;
    let class = text_attribute(attributes.get("MATLAB_class")).unwrap_or_default();
    let [columns, rows] = hdf5.shape(name, &dataset)?[..] else { return Ok(None) };
    let value = match class.as_str() {
        "double" | "single" | "logical" | "int8" | "uint8" | "int16" | "uint16" | "int32" | "uint32" | "int64"
        | "uint64" => Value::Dense(hdf5.numbers(name)?),
        "char" if columns > 0 => {
            let units = hdf5.numbers(name)?;
            let text = |i: usize| {
                let line: Vec<u16> = (0..columns).map(|j| units.get(j * rows + i).map_or(32, |&u| u as u16)).collect();
                String::from_utf16_lossy(&line).trim_end().to_owned()
            };
            Value::Texts((0..rows).map(text).collect())
        }
        _ => Value::Other("neither numbers nor text"),
    };
    Ok(Some(Variable { name: name.to_owned(), rows, columns, value }))
}

/// A sparse variable is a group of `data`, `ir` and `jc`; its number of rows is an attribute.
fn sparse(hdf5: &Hdf5<'_>, name: &str) -> Result<Option<Variable>, Error> {
    let Some(group) = hdf5.group(name) else { return Ok(None) };
    let attributes = group.attrs().map_err(|e| hdf5.damaged(name, &e))?;
    let sides = sides_attribute(attributes.get("MATLAB_sparse"));
    let Some(rows) = sides.and_then(|sides| sides.first().copied()) else { return Ok(None) };
    let whole = |part: &str| {
        indices(&hdf5.numbers(&format!("{name}/{part}"))?).ok_or_else(|| hdf5.error(name, "an index is negative"))
    };
    let column_starts = whole("jc")?;
    let columns = column_starts.len().saturating_sub(1);
    let empty = column_starts.last() == Some(&0);
    let (row_of, values) =
        if empty { (Vec::new(), Vec::new()) } else { (whole("ir")?, hdf5.numbers(&format!("{name}/data"))?) };
    let value = Value::Sparse { row_of, column_starts, values };
    Ok(Some(Variable { name: name.to_owned(), rows, columns, value }))
}
