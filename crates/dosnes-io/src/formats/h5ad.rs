//! `AnnData` files, from the oldest layout (tables as compound types) to today's.
//!
//! The data are `X` unless `obsm/NAME`, `layers/NAME`, `raw/X` or `obsp/NAME` is asked for; asked for a graph or for
//! distances, `obsp/connectivities` or `obsp/distances`. The index of `obs` names the cells; its columns are metadata.

use dosnes::Kind;
use dosnes::input::{Column, Items, Values};
use dosnes::ndarray::Array2;
use hdf5_pure::Datatype;

use super::h5ad_genes;
use crate::columns::{check_ids, names_from};
use crate::error::{Error, Place};
use crate::hdf5::{Cells, Hdf5, decode, sides_attribute, text_attribute, texts_attribute};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::raw::{Contents, Matrix, Parsed, RawMatrix};

/// Reads an open file.
pub(crate) fn read(hdf5: &Hdf5<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = hdf5.name();
    let arrays = arrays(hdf5);
    let path = choose(file, &arrays, options)?;
    let matrix = read_matrix(hdf5, &path)?;
    let (rows, columns) = matrix.shape();
    if rows == 0 || columns == 0 {
        return Err(Error::empty(file, format!("{path} is {rows} × {columns}")));
    }
    let mut notes = Vec::new();
    let items = read_obs(hdf5, rows, options, &mut notes)?;
    let is_pairwise = path.starts_with("obsp/") || path.starts_with("uns/neighbors/");
    let kind = match path.rsplit('/').next() {
        Some("distances") if is_pairwise => Kind::Distance,
        _ if is_pairwise => Kind::Graph,
        _ => Kind::Points,
    };
    if kind == Kind::Points && !path.starts_with("obsm/") && matrix.holds_counts() {
        notes.push(Note::RawCounts);
    }
    let others: Vec<String> = arrays.into_iter().filter(|a| *a != path).collect();
    if !others.is_empty() {
        notes.push(Note::OtherArrays(others));
    }
    let description = format!("AnnData, {path} of {rows} × {columns}");
    let partners = h5ad_genes::read(hdf5, &path, columns);
    let matrix =
        RawMatrix { items: Some(items), partners, part: Some(path), kind: Some(kind), ..RawMatrix::new(matrix) };
    Ok(Parsed { description, contents: Contents::Matrix(matrix), notes })
}

/// Everything in the file that could be embedded.
fn arrays(hdf5: &Hdf5<'_>) -> Vec<String> {
    let mut all = Vec::new();
    if hdf5.file.dataset("X").is_ok() || hdf5.group("X").is_some() {
        all.push("X".to_owned());
    }
    for parent in ["obsm", "layers", "obsp", "uns/neighbors"] {
        if let Some(group) = hdf5.group(parent) {
            let mut names = group.datasets().unwrap_or_default();
            names.extend(group.groups().unwrap_or_default());
            names.retain(|n| parent != "uns/neighbors" || n == "connectivities" || n == "distances");
            names.sort();
            all.extend(names.into_iter().map(|name| format!("{parent}/{name}")));
        }
    }
    // The oldest layout keeps obsm as one table.
    if let Ok(dataset) = hdf5.file.dataset("obsm")
        && let Ok(Datatype::Compound { members, .. }) = dataset.datatype()
    {
        all.extend(members.iter().map(|m| format!("obsm/{}", m.name)));
    }
    if hdf5.file.dataset("raw/X").is_ok() || hdf5.group("raw/X").is_some() {
        all.push("raw/X".to_owned());
    }
    if hdf5.file.dataset("raw.X").is_ok() || hdf5.group("raw.X").is_some() {
        all.push("raw.X".to_owned());
    }
    if all.is_empty() {
        return matrices(hdf5);
    }
    all
}

/// Every dataset with two sides, for HDF5 files that are no AnnData: those of the file itself and of its groups.
fn matrices(hdf5: &Hdf5<'_>) -> Vec<String> {
    let root = hdf5.file.root();
    let mut paths = root.datasets().unwrap_or_default();
    for group in root.groups().unwrap_or_default() {
        let names = hdf5.group(&group).and_then(|g| g.datasets().ok()).unwrap_or_default();
        paths.extend(names.into_iter().map(|name| format!("{group}/{name}")));
    }
    paths.retain(|path| {
        hdf5.file
            .dataset(path)
            .and_then(|d| d.shape())
            .is_ok_and(|shape| matches!(shape[..], [rows, columns] if rows > 1 && columns > 1))
    });
    paths.sort();
    paths
}

fn choose(file: &str, arrays: &[String], options: &ReadOptions) -> Result<String, Error> {
    let there = || if arrays.is_empty() { "no matrix".to_owned() } else { arrays.join(", ") };
    if let Some(asked) = &options.array {
        let found = arrays.iter().find(|a| *a == asked);
        let found = found.or_else(|| arrays.iter().find(|a| a.rsplit('/').next() == Some(asked)));
        let problem = || format!("there is no array \"{asked}\"; there are {}", there());
        return found.cloned().ok_or_else(|| Error::option(file, problem()));
    }
    let pairwise = |name: &str| arrays.iter().find(|a| a.ends_with(&format!("/{name}"))).cloned();
    let wanted = match options.kind {
        Some(Kind::Graph | Kind::Similarity) => pairwise("connectivities"),
        Some(Kind::Distance) => pairwise("distances"),
        _ => arrays.iter().find(|a| *a == "X").or(if let [only] = arrays { Some(only) } else { None }).cloned(),
    };
    wanted.ok_or_else(|| {
        let what = match options.kind {
            Some(Kind::Graph | Kind::Similarity) => "obsp/connectivities",
            Some(Kind::Distance) => "obsp/distances",
            _ => "X",
        };
        Error::option(file, format!("there is no {what} in it; choose an array with --array: {}", there()))
    })
}

fn read_matrix(hdf5: &Hdf5<'_>, path: &str) -> Result<Matrix, Error> {
    if let Some(group) = hdf5.group(path) {
        let attributes = group.attrs().map_err(|e| hdf5.damaged(path, &e))?;
        let encoding = text_attribute(attributes.get("encoding-type"))
            .or_else(|| text_attribute(attributes.get("h5sparse_format")))
            .unwrap_or_default();
        let shape =
            sides_attribute(attributes.get("shape")).or_else(|| sides_attribute(attributes.get("h5sparse_shape")));
        let by_columns = match encoding.trim_end_matches("_matrix") {
            "csr" => false,
            "csc" => true,
            other => return Err(hdf5.error(path, format!("its encoding \"{other}\" is not a matrix that can be read"))),
        };
        let shape = shape.ok_or_else(|| hdf5.error(path, "the sparse matrix has no shape"))?;
        return Ok(Matrix::Sparse(hdf5.sparse(path, &shape, by_columns)?));
    }
    if let Some(name) = path.strip_prefix("obsm/")
        && let Ok(dataset) = hdf5.file.dataset("obsm")
    {
        return read_field(hdf5, &dataset, name);
    }
    let dataset = hdf5.dataset(path)?;
    let shape = hdf5.shape(path, &dataset)?;
    let [rows, columns] = shape[..] else {
        let sides = shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(" × ");
        return Err(hdf5.error(path, format!("it is {sides}, and a matrix is needed")));
    };
    let wrong = |_| hdf5.error(path, "its values do not fit its shape");
    Ok(if rows == columns || hdf5.is_double() {
        let values = hdf5.values(path, &dataset, |start, rows| dataset.read_f64_rows(start, rows))?;
        Matrix::Double(Array2::from_shape_vec((rows, columns), values).map_err(wrong)?)
    } else {
        let values = hdf5.values(path, &dataset, |start, rows| dataset.read_f32_rows(start, rows))?;
        Matrix::Single(Array2::from_shape_vec((rows, columns), values).map_err(wrong)?)
    })
}

/// One field of a table in which each field is a row of numbers.
fn read_field(hdf5: &Hdf5<'_>, dataset: &hdf5_pure::Dataset, name: &str) -> Result<Matrix, Error> {
    hdf5.dataset("obsm")?;
    let datatype = dataset.datatype().map_err(|e| hdf5.damaged("obsm", &e))?;
    let Datatype::Compound { members, size } = &datatype else {
        return Err(hdf5.error("obsm", "it is neither a group nor a table"));
    };
    let member = members.iter().find(|m| m.name == name).ok_or_else(|| hdf5.error("obsm", "the field is missing"))?;
    let raw = hdf5.raw("obsm", dataset)?;
    let cells = decode(&raw, &member.datatype, member.byte_offset as usize, *size as usize);
    let Some(Cells::Numbers(values)) = cells else {
        return Err(hdf5.error(&format!("obsm/{name}"), "its type cannot be read"));
    };
    let rows = raw.len() / (*size as usize).max(1);
    let columns = values.len().checked_div(rows).unwrap_or(0);
    let values = values.into_iter().map(|v| v as f32).collect();
    let x = Array2::from_shape_vec((rows, columns), values);
    Ok(Matrix::Single(x.map_err(|_| hdf5.error("obsm", "its values do not fit its shape"))?))
}

/// The cells' names and columns.
fn read_obs(hdf5: &Hdf5<'_>, rows: usize, options: &ReadOptions, notes: &mut Vec<Note>) -> Result<Items, Error> {
    let (index, mut columns) = match hdf5.group("obs") {
        Some(_) => obs_group(hdf5, notes)?,
        None if hdf5.file.dataset("obs").is_ok() => obs_table(hdf5, notes)?,
        None => match &options.id_column {
            Some(asked) => {
                let problem = format!("there is no obs with a column \"{asked}\" for --id; leave it out");
                return Err(Error::option(hdf5.name(), problem));
            }
            None => return Ok(Items::numbered(rows)),
        },
    };
    let mut ids = index.map_or_else(|| Items::numbered(rows).ids, names_from);
    if let Some(asked) = &options.id_column {
        let position = columns.iter().position(|c| c.name == *asked);
        let position = position.ok_or_else(|| Error::option(hdf5.name(), format!("obs has no column \"{asked}\"")))?;
        ids = names_from(columns.remove(position).values);
    }
    if ids.len() != rows {
        let problem = format!("obs has {} rows, but the data have {rows}", ids.len());
        return Err(Error::shape(hdf5.name(), problem));
    }
    check_ids(hdf5.name(), &ids, |row| Place::part("obs").row(row))?;
    columns.retain(|c| c.values.len() == rows);
    Ok(Items { ids, columns })
}

/// Today's layout: a group with one member a column.
fn obs_group(hdf5: &Hdf5<'_>, notes: &mut Vec<Note>) -> Result<(Option<Values>, Vec<Column>), Error> {
    let Some(group) = hdf5.group("obs") else { return Ok((None, Vec::new())) };
    let attributes = group.attrs().map_err(|e| hdf5.damaged("obs", &e))?;
    let index_name = text_attribute(attributes.get("_index")).unwrap_or_else(|| "_index".into());
    let index_path = ["_index", "index"].into_iter().fold(format!("obs/{index_name}"), |path, other| {
        if hdf5.file.dataset(&path).is_ok() { path } else { format!("obs/{other}") }
    });
    let index = hdf5.cells(&index_path).ok().map(Values::from);
    let mut names = group.datasets().map_err(|e| hdf5.damaged("obs", &e))?;
    names.extend(group.groups().map_err(|e| hdf5.damaged("obs", &e))?);
    names.retain(|name| format!("obs/{name}") != index_path && name != "__categories");
    let order = texts_attribute(attributes.get("column-order")).unwrap_or_default();
    names.sort_by_key(|name| (order.iter().position(|o| o == name).unwrap_or(usize::MAX), name.clone()));
    let mut columns = Vec::new();
    for name in names {
        match obs_column(hdf5, &name) {
            Ok(values) => columns.push(Column { name, values }),
            Err(error) => notes.push(Note::ColumnUnreadable { name, reason: error.to_string() }),
        }
    }
    Ok((index, columns))
}

/// A plain column, a categorical of either layout, or one with a mask of missing values.
fn obs_column(hdf5: &Hdf5<'_>, name: &str) -> Result<Values, Error> {
    let path = format!("obs/{name}");
    if hdf5.group(&path).is_some() {
        if hdf5.file.dataset(&format!("{path}/codes")).is_ok() {
            let codes = hdf5.numbers(&format!("{path}/codes"))?;
            return Ok(categorical(&codes, hdf5.cells(&format!("{path}/categories"))?));
        }
        let mut cells = hdf5.cells(&format!("{path}/values"))?;
        let mask = hdf5.numbers(&format!("{path}/mask"))?;
        match &mut cells {
            Cells::Numbers(values) => {
                values.iter_mut().zip(&mask).filter(|(_, m)| **m != 0.0).for_each(|(v, _)| *v = f64::NAN);
            }
            Cells::Texts(values) => {
                values.iter_mut().zip(&mask).filter(|(_, m)| **m != 0.0).for_each(|(v, _)| v.clear());
            }
        }
        return Ok(cells.into());
    }
    let cells = hdf5.cells(&path)?;
    let categories = format!("obs/__categories/{name}");
    match cells {
        Cells::Numbers(codes) if hdf5.file.dataset(&categories).is_ok() => {
            Ok(categorical(&codes, hdf5.cells(&categories)?))
        }
        cells => Ok(cells.into()),
    }
}

/// Code −1, or any other that has no category, is a missing value.
fn categorical(codes: &[f64], categories: Cells) -> Values {
    let at = |code: f64| if code >= 0.0 { Some(code as usize) } else { None };
    match categories {
        Cells::Texts(texts) => {
            Values::Text(codes.iter().map(|&c| at(c).and_then(|k| texts.get(k)).cloned().unwrap_or_default()).collect())
        }
        Cells::Numbers(numbers) => Values::Number(
            codes.iter().map(|&c| at(c).and_then(|k| numbers.get(k)).copied().unwrap_or(f64::NAN)).collect(),
        ),
    }
}

/// The oldest layout: one table, with the categories in `uns`.
fn obs_table(hdf5: &Hdf5<'_>, notes: &mut Vec<Note>) -> Result<(Option<Values>, Vec<Column>), Error> {
    let dataset = hdf5.dataset("obs")?;
    let datatype = dataset.datatype().map_err(|e| hdf5.damaged("obs", &e))?;
    let Datatype::Compound { members, size } = &datatype else {
        return Err(hdf5.error("obs", "it is neither a group nor a table"));
    };
    let raw = hdf5.raw("obs", &dataset)?;
    let (mut index, mut columns) = (None, Vec::new());
    for member in members {
        let name = member.name.clone();
        let Some(cells) = decode(&raw, &member.datatype, member.byte_offset as usize, *size as usize) else {
            notes.push(Note::ColumnUnreadable { name, reason: "its type cannot be read".into() });
            continue;
        };
        if name == "index" || name == "_index" {
            index = Some(cells.into());
            continue;
        }
        let categories = format!("uns/{name}_categories");
        let values = match cells {
            Cells::Numbers(codes) if hdf5.file.dataset(&categories).is_ok() => {
                categorical(&codes, hdf5.cells(&categories)?)
            }
            cells => cells.into(),
        };
        columns.push(Column { name, values });
    }
    Ok((index, columns))
}
