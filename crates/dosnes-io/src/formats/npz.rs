//! `NumPy` archives, and the sparse matrices that `SciPy` stores in them.
//!
//! The data are the array that was asked for, else `X`, else the only two-dimensional one; one-dimensional arrays of the
//! same length are metadata, and texts named `ids` or the like name the items.

use std::io::{self, BufWriter, Cursor, Read, Write};

use dosnes::CsrMatrix;
use dosnes::input::{Column, Values};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::column_names;
use crate::columns::{choose_id, items_from};
use crate::error::{Error, Place};
use crate::formats::npy::{self, Header, NpyError};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::raw::{Contents, Matrix, Parsed, RawMatrix};
use crate::source::{ReadSeek, Source};
use crate::sparse::{SparseCells, compressed, coordinates, indices};

type Archive<'a> = ZipArchive<Box<dyn ReadSeek + 'a>>;

/// Deflate compresses at most 1 : 1032. A header with a larger size is wrong, and would cost memory.
const LARGEST_RATIO: u64 = 1032;

struct Entry {
    index: usize,
    name: String,
    header: Header,
}

/// Reads an archive.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let damaged = |e: zip::result::ZipError| {
        Error::malformed(file, Place::default(), format!("the zip archive is damaged or truncated ({e})"))
    };
    let mut archive: Archive<'_> = ZipArchive::new(source.open_seekable()?).map_err(damaged)?;
    let (mut entries, mut objects) = (Vec::new(), Vec::new());
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(damaged)?;
        let Some(name) = entry.name().ok().and_then(|n| n.strip_suffix(".npy").map(str::to_owned)) else { continue };
        if entry.size() > entry.compressed_size().saturating_mul(LARGEST_RATIO).saturating_add(1024) {
            let problem = "the zip archive claims an impossible size; it is damaged";
            return Err(Error::malformed(file, Place::part(name), problem));
        }
        match npy::read_header(&mut entry) {
            Ok(header) => entries.push(Entry { index, name, header }),
            Err(error) if options.array.as_deref() == Some(&name) => {
                return Err(error.in_file(source, Place::part(name)));
            }
            // An additional array of Python objects is not a reason to refuse the file.
            Err(_) => objects.push(name),
        }
    }
    let has_pickle =
        (0..archive.len()).any(|k| matches!(archive.name_for_index(k), Some(Ok(name)) if name.ends_with("data.pkl")));
    if entries.is_empty() && has_pickle {
        let problem = "a PyTorch file; save its array in Python: numpy.save(\"x.npy\", torch.load(FILE).numpy())";
        return Err(Error::unknown_format(file, problem));
    }
    if entries.is_empty() {
        let problem = "a zip archive without a NumPy array in it; if it is a spreadsheet, save it as .xlsx or .csv";
        return Err(Error::unknown_format(file, problem));
    }
    let mut arrays = Arrays { source, archive };
    if entries.iter().any(|e| e.name == "format") && entries.iter().any(|e| e.name == "shape") {
        if let Some(name) = &options.array {
            let problem = format!(
                "--array {name} is for archives of several arrays, but this is one sparse matrix; leave it out"
            );
            return Err(Error::option(file, problem));
        }
        let matrix = read_sparse(&mut arrays, &entries)?;
        let (rows, columns) = matrix.known.shape();
        let description = format!("SciPy sparse matrix {rows} × {columns} with {} entries", matrix.count());
        let contents = Contents::Matrix(RawMatrix::new(Matrix::Sparse(matrix)));
        return Ok(Parsed { description, contents, notes: Vec::new() });
    }
    let chosen = choose(file, &entries, options)?;
    let part = entries[chosen].name.clone();
    let matrix = arrays.read(&entries[chosen], |input, header| npy::read_matrix(input, header, source.is_double()))?;
    let (rows, columns) = matrix.shape();
    if rows == 0 || columns == 0 {
        return Err(Error::empty(file, format!("the array {part} has shape ({rows}, {columns})")));
    }
    let (metadata, others) = columns_of(&mut arrays, &entries, chosen, rows)?;
    let id = choose_id(&metadata).filter(|&k| column_names::is_id(&metadata[k].name));
    let id_column = id.map(|k| metadata[k].name.clone());
    let items = (!metadata.is_empty()).then(|| items_from(metadata, id, rows));
    let description = format!("NumPy archive, array {part} of {rows} × {columns}");
    let contents = Contents::Matrix(RawMatrix { items, id_column, part: Some(part), ..RawMatrix::new(matrix) });
    let mut notes = if others.is_empty() { Vec::new() } else { vec![Note::OtherArrays(others)] };
    if !objects.is_empty() {
        notes.push(Note::ObjectsLeftOut(objects));
    }
    Ok(Parsed { description, contents, notes })
}

/// The arrays of an open archive.
struct Arrays<'a> {
    source: &'a Source<'a>,
    archive: Archive<'a>,
}

impl Arrays<'_> {
    /// Reads one array.
    fn read<T>(
        &mut self,
        entry: &Entry,
        read: impl FnOnce(&mut dyn Read, &Header) -> Result<T, NpyError>,
    ) -> Result<T, Error> {
        let source = self.source;
        let place = || Place::part(entry.name.clone());
        let input =
            self.archive.by_index(entry.index).map_err(|e| Error::malformed(&source.name, place(), e.to_string()))?;
        let mut input = source.watched(input);
        let header = npy::read_header(&mut input).map_err(|error| error.in_file(source, place()))?;
        read(&mut input, &header).map_err(|error| error.in_file(source, place()))
    }

    fn values(&mut self, entry: &Entry) -> Result<Values, Error> {
        self.read(entry, |input, header| {
            Ok(if header.is_text() {
                Values::Text(npy::read_texts(input, header)?)
            } else {
                Values::Number(npy::read_numbers(input, header)?)
            })
        })
    }
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
            let problem =
                format!("several arrays are matrices, and none is named X; choose one with --array: {}", all());
            Err(Error::option(file, problem))
        }
    }
}

/// The one-dimensional arrays of the right length, and the names of all others.
fn columns_of(
    arrays: &mut Arrays<'_>,
    entries: &[Entry],
    chosen: usize,
    rows: usize,
) -> Result<(Vec<Column>, Vec<String>), Error> {
    let (mut columns, mut others) = (Vec::new(), Vec::new());
    for (_, entry) in entries.iter().enumerate().filter(|&(k, _)| k != chosen) {
        if matches!(entry.header.shape[..], [length] | [length, 1] if length == rows) {
            columns.push(Column { name: entry.name.clone(), values: arrays.values(entry)? });
        } else {
            others.push(format!("{} {}", entry.name, npy::shape_text(&entry.header.shape)));
        }
    }
    Ok((columns, others))
}

/// `scipy.sparse.save_npz`: `format` says csr, csc or coo.
fn read_sparse(arrays: &mut Arrays<'_>, entries: &[Entry]) -> Result<SparseCells, Error> {
    let file = arrays.source.name.as_str();
    let malformed = |part: &str, problem: String| Error::malformed(file, Place::part(part), problem);
    let mut values = |name: &str| {
        let entry = entries.iter().find(|e| e.name == name);
        arrays.values(entry.ok_or_else(|| malformed(name, "the sparse matrix lacks this array".into()))?)
    };
    let format = match values("format")? {
        Values::Text(texts) => texts.into_iter().next().unwrap_or_default(),
        Values::Number(_) => String::new(),
    };
    let mut numbers = |name: &str| match values(name)? {
        Values::Number(numbers) => Ok(numbers),
        Values::Text(_) => Err(malformed(name, "texts where numbers are needed".into())),
    };
    let mut whole = |name: &str| {
        let values = numbers(name)?;
        indices(&values).ok_or_else(|| malformed(name, "an index is negative or not a whole number".into()))
    };
    let [rows, columns] = whole("shape")?[..] else { return Err(malformed("shape", "a matrix has two sides".into())) };
    match format.as_str() {
        "csr" | "csc" => {
            let (starts, inner) = (whole("indptr")?, whole("indices")?);
            let data = numbers("data")?;
            compressed(file, &Place::default(), (rows, columns), &starts, &inner, &data, format == "csc")
        }
        "coo" => {
            let (row, column) = (whole("row")?, whole("col")?);
            coordinates(file, &Place::default(), (rows, columns), &row, &column, &numbers("data")?)
        }
        other => Err(malformed("format", format!("the sparse format \"{other}\" cannot be read; save it as csr"))),
    }
}

/// What `scipy.sparse.load_npz` reads: the three arrays of compressed rows, the shape and the format.
pub(crate) fn write_sparse(out: &mut dyn Write, matrix: &CsrMatrix<'_>) -> io::Result<()> {
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
        npy::write_header(&mut out, kind, shape)?;
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
