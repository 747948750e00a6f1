//! MATLAB version 7.3: variables as HDF5 datasets, with rows and columns exchanged.

use crate::error::{Error, Place};
use crate::formats::mat::{Value, Variable, from_variables};
use crate::formats::npz::indices;
use crate::hdf5::{Hdf5, sides_attribute, text_attribute};
use crate::interpret::Understood;
use crate::options::ReadOptions;
use crate::source::Source;

/// Whether an HDF5 file was written by MATLAB.
pub(crate) fn is_matlab(hdf5: &Hdf5) -> bool {
    let root = hdf5.file.root();
    let names = root.datasets().unwrap_or_default();
    names.iter().any(|name| {
        hdf5.file.dataset(name).and_then(|d| d.attrs()).is_ok_and(|attributes| attributes.contains_key("MATLAB_class"))
    })
}

/// Reads a file.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<(String, Understood), Error> {
    let hdf5 = Hdf5::open(source)?;
    let root = hdf5.file.root();
    let broken = |e: hdf5_pure::Error| Error::malformed(&source.name, Place::default(), e.to_string());
    let mut variables = Vec::new();
    for name in root.datasets().map_err(broken)? {
        if let Some(variable) = dense(&hdf5, &name)? {
            variables.push(variable);
        }
    }
    for name in root.groups().map_err(broken)? {
        if let Some(variable) = sparse(&hdf5, &name)? {
            variables.push(variable);
        }
    }
    from_variables(&source.name, "MATLAB 7.3", variables, options)
}

fn dense(hdf5: &Hdf5, name: &str) -> Result<Option<Variable>, Error> {
    let dataset = hdf5.dataset(name)?;
    let attributes = dataset.attrs().map_err(|e| hdf5.damaged(name, &e))?;
    let class = text_attribute(attributes.get("MATLAB_class")).unwrap_or_default();
    let [columns, rows] = hdf5.shape(name, &dataset)?[..] else { return Ok(None) };
    let value = match class.as_str() {
        "double" | "single" | "logical" | "int8" | "uint8" | "int16" | "uint16" | "int32" | "uint32" | "int64"
        | "uint64" => Value::Dense(hdf5.numbers(name)?),
        "char" => {
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
fn sparse(hdf5: &Hdf5, name: &str) -> Result<Option<Variable>, Error> {
    let Some(group) = hdf5.group(name) else { return Ok(None) };
    let attributes = group.attrs().map_err(|e| hdf5.damaged(name, &e))?;
    let Some([rows]) =
        sides_attribute(attributes.get("MATLAB_sparse")).as_deref().and_then(|s| s.first().map(|&r| [r]))
    else {
        return Ok(None);
    };
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
