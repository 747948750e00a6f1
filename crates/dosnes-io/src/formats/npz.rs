//! `NumPy` archives, and the sparse matrices that `SciPy` stores in them.
//!
//! The data are the array that was asked for, else `X`, else the only two-dimensional one; one-dimensional arrays of the
//! same length travel along, and texts named `ids` or the like name the items.

use dosnes::CsrMatrix;
use dosnes::input::{Column, Values};
use zip::ZipArchive;

use crate::columns::{choose_id, is_id_name, items_from};
use crate::error::{Error, Place};
use crate::formats::npy::{self, Header};
use crate::interpret::{Matrix, Raw, Understood, understand};
use crate::loaded::Note;
use crate::options::ReadOptions;
use crate::source::{ReadSeek, Source};

type Archive<'a> = ZipArchive<Box<dyn ReadSeek + 'a>>;

/// Deflate cannot do better than 1 : 1032; a larger claim is a lie that would cost memory.
const LARGEST_RATIO: u64 = 1032;

struct Entry {
    index: usize,
    name: String,
    header: Header,
}

/// Reads an archive.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<(String, Understood), Error> {
    let file = source.name.as_str();
    let damaged = |e: zip::result::ZipError| {
        Error::malformed(file, Place::default(), format!("the zip archive is damaged or truncated ({e})"))
    };
    let mut archive: Archive<'_> = ZipArchive::new(source.open_seekable()?).map_err(damaged)?;
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(damaged)?;
        let Some(name) = entry.name().ok().and_then(|n| n.strip_suffix(".npy").map(str::to_owned)) else { continue };
        if entry.size() > entry.compressed_size().saturating_mul(LARGEST_RATIO).saturating_add(1024) {
            let problem = "the zip archive claims an impossible size; it is damaged";
            return Err(Error::malformed(file, Place::part(name), problem));
        }
        match npy::read_header(&mut entry) {
            Ok(header) => entries.push(Entry { index, name, header }),
            Err(problem) if options.array.as_deref() == Some(&name) => {
                return Err(Error::malformed(file, Place::part(name), problem));
            }
            // An array of Python objects beside the data is no reason to refuse the data.
            Err(_) => {}
        }
    }
    if entries.is_empty() {
        let problem = "a zip archive without a NumPy array in it; if it is a spreadsheet, save it as CSV";
        return Err(Error::unknown_format(file, problem));
    }
    if entries.iter().any(|e| e.name == "format") && entries.iter().any(|e| e.name == "shape") {
        let matrix = read_sparse(file, &mut archive, &entries)?;
        let (rows, columns) = matrix.shape();
        let nnz = matrix.nnz();
        let understood = understand(file, Raw::unnamed(Matrix::Sparse(matrix), None), options)?;
        return Ok((format!("SciPy sparse matrix {rows} × {columns} with {nnz} entries"), understood));
    }
    let chosen = choose(file, &entries, options)?;
    let part = entries[chosen].name.clone();
    let malformed = |problem: String| Error::malformed(file, Place::part(part.clone()), problem);
    let matrix = {
        let mut entry = archive.by_index(entries[chosen].index).map_err(damaged)?;
        let header = npy::read_header(&mut entry).map_err(malformed)?;
        npy::read_matrix(&mut entry, &header).map_err(malformed)?
    };
    let (rows, columns) = matrix.shape();
    if rows == 0 || columns == 0 {
        return Err(Error::empty(file, format!("the array {part} has shape ({rows}, {columns})")));
    }
    let (travelling, others) = columns_of(file, &mut archive, &entries, chosen, rows)?;
    let names: Vec<String> = travelling.iter().map(|c| c.name.clone()).collect();
    let id = choose_id(&travelling).filter(|&k| is_id_name(&travelling[k].name));
    let items = (!travelling.is_empty()).then(|| items_from(travelling, id, rows));
    let raw = Raw { matrix, items, partners: None, lines: None, part: Some(part.clone()) };
    let mut understood = understand(file, raw, options)?;
    understood.add_columns(&names);
    if !others.is_empty() {
        understood.notes.push(Note::OtherArrays(others));
    }
    Ok((format!("NumPy archive, array {part} of {rows} × {columns}"), understood))
}

fn choose(file: &str, entries: &[Entry], options: &ReadOptions) -> Result<usize, Error> {
    let all = || {
        entries
            .iter()
            .map(|e| format!("{} {}", e.name, npy::shape_text(&e.header.shape)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    if let Some(name) = &options.array {
        return entries
            .iter()
            .position(|e| e.name == *name)
            .ok_or_else(|| Error::option(file, format!("there is no array \"{name}\"; there are {}", all())));
    }
    let matrices: Vec<usize> =
        (0..entries.len()).filter(|&k| entries[k].header.shape.len() == 2 && !entries[k].header.is_text()).collect();
    let upper = matrices.iter().copied().find(|&k| entries[k].name == "X");
    match (upper, &matrices[..]) {
        (Some(x), _) => Ok(x),
        (None, [only]) => Ok(*only),
        (None, []) => Err(Error::shape(file, format!("no array in it is a matrix (2-D); there are {}", all()))),
        (None, _) => {
            let problem = format!("several arrays are matrices, and none is named X; say which to take: {}", all());
            Err(Error::option(file, problem))
        }
    }
}

/// The one-dimensional arrays of the right length, and the names of all others.
fn columns_of(
    file: &str,
    archive: &mut Archive<'_>,
    entries: &[Entry],
    chosen: usize,
    rows: usize,
) -> Result<(Vec<Column>, Vec<String>), Error> {
    let (mut columns, mut others) = (Vec::new(), Vec::new());
    for (k, entry) in entries.iter().enumerate() {
        if k == chosen {
            continue;
        }
        let fits = matches!(entry.header.shape[..], [length] if length == rows)
            || matches!(entry.header.shape[..], [length, 1] if length == rows);
        if !fits {
            others.push(format!("{} {}", entry.name, npy::shape_text(&entry.header.shape)));
            continue;
        }
        columns.push(Column { name: entry.name.clone(), values: read_values(file, archive, entry)? });
    }
    Ok((columns, others))
}

fn read_values(file: &str, archive: &mut Archive<'_>, entry: &Entry) -> Result<Values, Error> {
    let malformed = |problem: String| Error::malformed(file, Place::part(entry.name.clone()), problem);
    let mut input = archive.by_index(entry.index).map_err(|e| malformed(e.to_string()))?;
    let header = npy::read_header(&mut input).map_err(malformed)?;
    Ok(if header.is_text() {
        Values::Text(npy::read_texts(&mut input, &header).map_err(malformed)?)
    } else {
        Values::Number(npy::read_numbers(&mut input, &header).map_err(malformed)?)
    })
}

/// `scipy.sparse.save_npz`: `format` says csr, csc or coo.
fn read_sparse(file: &str, archive: &mut Archive<'_>, entries: &[Entry]) -> Result<CsrMatrix<'static>, Error> {
    let malformed = |part: &str, problem: String| Error::malformed(file, Place::part(part), problem);
    let mut values = |name: &str| {
        let entry = entries.iter().find(|e| e.name == name);
        let entry = entry.ok_or_else(|| malformed(name, "the sparse matrix lacks this array".into()))?;
        read_values(file, archive, entry)
    };
    let mut numbers = |name: &str| match values(name)? {
        Values::Number(numbers) => Ok(numbers),
        Values::Text(_) => Err(malformed(name, "texts where numbers are needed".into())),
    };
    let shape = indices(&numbers("shape")?).filter(|s| s.len() == 2);
    let shape = shape.ok_or_else(|| malformed("shape", "a matrix has two sides".into()))?;
    let (rows, columns) = (shape[0], shape[1]);
    let data = numbers("data")?;
    let whole = |name: &str, values: Vec<f64>| {
        indices(&values).ok_or_else(|| malformed(name, "an index is negative or not a whole number".into()))
    };
    let format = match values("format")? {
        Values::Text(texts) => texts.into_iter().next().unwrap_or_default(),
        Values::Number(_) => String::new(),
    };
    let mut numbers = |name: &str| match values(name)? {
        Values::Number(numbers) => Ok(numbers),
        Values::Text(_) => Err(malformed(name, "texts where numbers are needed".into())),
    };
    match format.as_str() {
        "csr" | "csc" => {
            let indptr = whole("indptr", numbers("indptr")?)?;
            let inner = whole("indices", numbers("indices")?)?;
            compressed(file, &Place::default(), (rows, columns), &indptr, &inner, &data, format == "csc")
        }
        "coo" => {
            let (row, col) = (whole("row", numbers("row")?)?, whole("col", numbers("col")?)?);
            coordinates(file, &Place::default(), (rows, columns), &row, &col, &data)
        }
        other => Err(malformed("format", format!("the sparse format \"{other}\" cannot be read; save it as csr"))),
    }
}

/// Whole numbers ≥ 0, or `None`.
pub(crate) fn indices(values: &[f64]) -> Option<Vec<usize>> {
    values.iter().map(|&v| (v >= 0.0 && v.fract() == 0.0 && v < 9e15).then_some(v as usize)).collect()
}

/// A matrix from compressed rows (or columns); entries may be unsorted or repeated.
pub(crate) fn compressed(
    file: &str,
    place: &Place,
    shape: (usize, usize),
    indptr: &[usize],
    inner: &[usize],
    data: &[f64],
    by_columns: bool,
) -> Result<CsrMatrix<'static>, Error> {
    let malformed = |problem: String| Error::malformed(file, place.clone(), problem);
    let outer = if by_columns { shape.1 } else { shape.0 };
    if outer.checked_add(1) != Some(indptr.len()) || inner.len() != data.len() || indptr.last() != Some(&data.len()) {
        return Err(malformed("the index arrays do not fit the shape".into()));
    }
    if indptr.windows(2).any(|w| w[0] > w[1]) {
        return Err(malformed("the row starts go backwards".into()));
    }
    let mut row = Vec::with_capacity(data.len());
    for (k, bounds) in indptr.windows(2).enumerate() {
        row.extend(std::iter::repeat_n(k, bounds[1] - bounds[0]));
    }
    if row.len() != data.len() {
        return Err(malformed("the row starts do not begin at 0".into()));
    }
    let (rows, columns) = if by_columns { (inner, row.as_slice()) } else { (row.as_slice(), inner) };
    coordinates(file, place, shape, rows, columns, data)
}

/// A matrix from coordinates.
pub(crate) fn coordinates(
    file: &str,
    place: &Place,
    shape: (usize, usize),
    rows: &[usize],
    columns: &[usize],
    data: &[f64],
) -> Result<CsrMatrix<'static>, Error> {
    let malformed = |problem: String| Error::malformed(file, place.clone(), problem);
    if rows.len() != data.len() || columns.len() != data.len() {
        return Err(malformed("the index arrays do not fit the data".into()));
    }
    check_sparse_shape(shape, data.len()).map_err(malformed)?;
    let mut triplets = Vec::with_capacity(data.len());
    for ((&i, &j), &value) in rows.iter().zip(columns).zip(data) {
        if i >= shape.0 || j >= shape.1 {
            return Err(malformed(format!("the entry ({i}, {j}) lies outside the shape {} × {}", shape.0, shape.1)));
        }
        if value != 0.0 {
            triplets.push((i as u32, j as u32, value));
        }
    }
    CsrMatrix::from_triplets(shape, &triplets).map_err(|error| Error::matrix(file, place.clone(), error))
}

/// Sides must fit 32 bits, and a side that claims far more rows than there are entries is damage rather than data.
pub(crate) fn check_sparse_shape(shape: (usize, usize), entries: usize) -> Result<(), String> {
    let (rows, columns) = shape;
    if rows == 0 || columns == 0 {
        return Err(format!("the matrix is {rows} × {columns}: there is nothing in it"));
    }
    if u32::try_from(rows).is_err() || u32::try_from(columns).is_err() {
        return Err(format!("the matrix is {rows} × {columns}, and more than 2³² rows or columns cannot be read"));
    }
    let limit = 1_000_000 + 1_000 * entries;
    if rows > limit || columns > limit {
        return Err(format!("the matrix claims to be {rows} × {columns} but has only {entries} entries"));
    }
    Ok(())
}
