//! What the formats inside HDF5 files share: safe reads of datasets, tables and sparse matrices.

use std::cell::Cell;

use dosnes::input::Values;
use hdf5_pure::{AttrValue, Dataset, Datatype, File, Group};

use crate::error::{Error, Place};
use crate::source::Source;
use crate::sparse::{SparseCells, compressed, indices};

/// The first bytes of every file without a user block.
pub(crate) const MAGIC: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Datasets are read in windows of rows with about this number of bytes, so that the observer is called in between.
const WINDOW: u64 = 1 << 22;

/// An open file; errors carry its name.
pub(crate) struct Hdf5<'a> {
    pub(crate) file: File,
    source: &'a Source<'a>,
    /// Bytes of all datasets read so far.
    read: Cell<u64>,
}

/// A column of values with one or more numbers each.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cells {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

impl<'a> Hdf5<'a> {
    pub(crate) fn open(source: &'a Source<'a>) -> Result<Self, Error> {
        let opened = match source.path() {
            // Reads only what is asked for, so that one matrix of a large file does not need memory for all.
            Some(path) => File::open_streaming(path),
            None => File::from_bytes(source.read_all()?),
        };
        let file = opened.map_err(|e| {
            Error::malformed(&source.name, Place::default(), format!("the HDF5 file is truncated or damaged ({e})"))
        })?;
        Ok(Self { file, source, read: Cell::new(0) })
    }

    /// The file's name.
    pub(crate) fn name(&self) -> &str {
        &self.source.name
    }

    /// Whether coordinates are kept in double precision.
    pub(crate) fn is_double(&self) -> bool {
        self.source.is_double()
    }

    pub(crate) fn error(&self, part: &str, problem: impl Into<String>) -> Error {
        Error::malformed(self.name(), Place::part(part), problem)
    }

    pub(crate) fn damaged(&self, part: &str, error: &hdf5_pure::Error) -> Error {
        self.error(part, format!("it cannot be read ({error})"))
    }

    /// The dataset at `path`, after a check that its claimed size can be true: stored data shrink 1 : 1032 at the most.
    pub(crate) fn dataset(&self, path: &str) -> Result<Dataset, Error> {
        let dataset = self.file.dataset(path).map_err(|e| self.damaged(path, &e))?;
        let shape = dataset.shape().map_err(|e| self.damaged(path, &e))?;
        let size = dataset.element_size().map_err(|e| self.damaged(path, &e))?;
        let bytes = shape.iter().try_fold(size, |product, &side| product.checked_mul(side));
        let limit = self.file.file_size().saturating_mul(1032).saturating_add(1 << 20);
        if bytes.is_none_or(|b| b > limit) {
            return Err(self.error(path, "it claims to be larger than the file can hold"));
        }
        Ok(dataset)
    }

    pub(crate) fn shape(&self, path: &str, dataset: &Dataset) -> Result<Vec<usize>, Error> {
        let shape = dataset.shape().map_err(|e| self.damaged(path, &e))?;
        Ok(shape.into_iter().map(|side| side as usize).collect())
    }

    /// Reads a dataset by `read(first_row, rows)`, and hands over what each window of rows holds.
    fn in_windows<T>(
        &self,
        path: &str,
        dataset: &Dataset,
        read: impl Fn(u64, u64) -> Result<Vec<T>, hdf5_pure::Error>,
        mut take: impl FnMut(Vec<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let damaged = |e: hdf5_pure::Error| self.damaged(path, &e);
        let shape = dataset.shape().map_err(damaged)?;
        let (rows, sides) = shape.split_first().map_or((1, &[][..]), |(&rows, sides)| (rows, sides));
        let size = dataset.element_size().map_err(damaged)?;
        let row_bytes = sides.iter().fold(size, |product, &side| product.saturating_mul(side)).max(1);
        // Whole chunks, so that none is decompressed twice.
        let chunk = dataset.chunk_shape().ok().flatten().and_then(|sides| sides.first().copied()).unwrap_or(1).max(1);
        let window = (WINDOW / row_bytes).max(1).checked_next_multiple_of(chunk).unwrap_or(u64::MAX);
        let mut start = 0;
        while start < rows {
            take(read(start, window).map_err(damaged)?)?;
            let count = window.min(rows - start);
            start += count;
            self.read.set(self.read.get().saturating_add(count.saturating_mul(row_bytes)));
            self.source.report(self.read.get() as f64 / self.source.size().max(1) as f64)?;
        }
        Ok(())
    }

    /// All values of a dataset, read by `read(first_row, rows)`.
    pub(crate) fn values<T>(
        &self,
        path: &str,
        dataset: &Dataset,
        read: impl Fn(u64, u64) -> Result<Vec<T>, hdf5_pure::Error>,
    ) -> Result<Vec<T>, Error> {
        let mut values = Vec::new();
        self.in_windows(path, dataset, read, |mut window| {
            if values.is_empty() {
                values = window;
            } else {
                values.append(&mut window);
            }
            Ok(())
        })?;
        Ok(values)
    }

    /// The bytes of a dataset.
    pub(crate) fn raw(&self, path: &str, dataset: &Dataset) -> Result<Vec<u8>, Error> {
        self.values(path, dataset, |start, rows| dataset.read_raw_rows(start, rows))
    }

    /// All values of a dataset, as numbers or as texts.
    pub(crate) fn cells(&self, path: &str) -> Result<Cells, Error> {
        let dataset = self.dataset(path)?;
        let datatype = dataset.datatype().map_err(|e| self.damaged(path, &e))?;
        if let Datatype::VariableLength { is_string: true, .. } = datatype {
            let texts = self.values(path, &dataset, |start, rows| dataset.read_string_rows(start, rows))?;
            return Ok(Cells::Texts(texts));
        }
        let size = datatype.type_size() as usize;
        let mut cells = decode(&[], &datatype, 0, size).ok_or_else(|| self.error(path, "its type cannot be read"))?;
        self.in_windows(
            path,
            &dataset,
            |start, rows| dataset.read_raw_rows(start, rows),
            |raw| match (decode(&raw, &datatype, 0, size), &mut cells) {
                (Some(Cells::Numbers(mut more)), Cells::Numbers(all)) => {
                    all.append(&mut more);
                    Ok(())
                }
                (Some(Cells::Texts(mut more)), Cells::Texts(all)) => {
                    all.append(&mut more);
                    Ok(())
                }
                _ => Err(self.error(path, "its type cannot be read")),
            },
        )?;
        Ok(cells)
    }

    pub(crate) fn numbers(&self, path: &str) -> Result<Vec<f64>, Error> {
        match self.cells(path)? {
            Cells::Numbers(values) => Ok(values),
            Cells::Texts(_) => Err(self.error(path, "it holds texts where numbers are needed")),
        }
    }

    /// A sparse matrix in a group of `data`, `indices` and `indptr`.
    pub(crate) fn sparse(&self, path: &str, shape: &[usize], by_columns: bool) -> Result<SparseCells, Error> {
        let [rows, columns] = shape[..] else {
            return Err(self.error(path, "the sparse matrix does not have two sides"));
        };
        let part = |name: &str| self.numbers(&format!("{path}/{name}"));
        let whole = |name: &str| {
            indices(&part(name)?).ok_or_else(|| self.error(path, format!("{name} holds a negative or broken number")))
        };
        let (data, inner, starts) = (part("data")?, whole("indices")?, whole("indptr")?);
        compressed(self.name(), &Place::part(path), (rows, columns), &starts, &inner, &data, by_columns)
    }

    pub(crate) fn group(&self, path: &str) -> Option<Group> {
        self.file.group(path).ok()
    }
}

/// A text attribute.
pub(crate) fn text_attribute(value: Option<&AttrValue>) -> Option<String> {
    match value? {
        AttrValue::String(text)
        | AttrValue::AsciiString(text)
        | AttrValue::VarLenString(text)
        | AttrValue::VarLenAsciiString(text) => Some(text.clone()),
        AttrValue::StringSized { value, .. } | AttrValue::AsciiStringSized { value, .. } => Some(value.clone()),
        _ => None,
    }
}

/// An attribute of several texts.
pub(crate) fn texts_attribute(value: Option<&AttrValue>) -> Option<Vec<String>> {
    match value? {
        AttrValue::StringArray(texts)
        | AttrValue::AsciiStringArray(texts)
        | AttrValue::VarLenStringArray(texts)
        | AttrValue::VarLenAsciiStringArray(texts) => Some(texts.clone()),
        AttrValue::StringArraySized { values, .. } | AttrValue::AsciiStringArraySized { values, .. } => {
            Some(values.clone())
        }
        _ => None,
    }
}

/// An attribute of integers ≥ 0.
pub(crate) fn sides_attribute(value: Option<&AttrValue>) -> Option<Vec<usize>> {
    let numbers: Vec<i64> = match value? {
        AttrValue::I64Array(v) => v.clone(),
        AttrValue::I32Array(v) => v.iter().map(|&x| i64::from(x)).collect(),
        AttrValue::U64Array(v) => v.iter().map(|&x| x as i64).collect(),
        AttrValue::U32Array(v) => v.iter().map(|&x| i64::from(x)).collect(),
        AttrValue::U64(v) => vec![*v as i64],
        AttrValue::I64(v) => vec![*v],
        AttrValue::U32(v) => vec![i64::from(*v)],
        AttrValue::I32(v) => vec![i64::from(*v)],
        _ => return None,
    };
    numbers.into_iter().map(|v| usize::try_from(v).ok()).collect()
}

/// The values at `offset` of every record of `stride` bytes.
pub(crate) fn decode(raw: &[u8], datatype: &Datatype, offset: usize, stride: usize) -> Option<Cells> {
    if stride == 0 {
        return None;
    }
    let size = datatype.type_size() as usize;
    let pieces = || raw.chunks_exact(stride).map(move |record| record.get(offset..offset.checked_add(size)?));
    let number = |bytes: &[u8]| match datatype {
        Datatype::Enumeration { base_type, .. } => scalar(bytes, base_type),
        other => scalar(bytes, other),
    };
    match datatype {
        Datatype::String { .. } => pieces()
            .map(|bytes| {
                let bytes = bytes?;
                let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
                Some(String::from_utf8_lossy(&bytes[..end]).trim_end().to_owned())
            })
            .collect::<Option<Vec<_>>>()
            .map(Cells::Texts),
        Datatype::Array { base_type, .. } => {
            let inner = base_type.type_size() as usize;
            if inner == 0 {
                return None;
            }
            let mut values = Vec::new();
            for bytes in pieces() {
                for element in bytes?.chunks_exact(inner) {
                    values.push(scalar(element, base_type)?);
                }
            }
            Some(Cells::Numbers(values))
        }
        _ => pieces().map(|bytes| number(bytes?)).collect::<Option<Vec<_>>>().map(Cells::Numbers),
    }
}

/// One number of a plain type in either byte order.
fn scalar(bytes: &[u8], datatype: &Datatype) -> Option<f64> {
    use hdf5_pure::DatatypeByteOrder::BigEndian;
    let (order, signed, float) = match datatype {
        Datatype::FixedPoint { byte_order, layout, .. } => (byte_order, layout.signed, false),
        Datatype::FloatingPoint { byte_order, .. } => (byte_order, true, true),
        Datatype::BitField { byte_order, .. } => (byte_order, false, false),
        _ => return None,
    };
    let mut word = [0_u8; 8];
    let size = bytes.len();
    if size == 0 || size > 8 {
        return None;
    }
    word[..size].copy_from_slice(bytes);
    if *order == BigEndian {
        word[..size].reverse();
    }
    let bits = u64::from_le_bytes(word);
    match (float, size) {
        (true, 4) => Some(f64::from(f32::from_bits(bits as u32))),
        (true, 8) => Some(f64::from_bits(bits)),
        (true, _) => None,
        (false, _) if signed => {
            let shift = 64 - 8 * size as u32;
            Some(((bits << shift) as i64 >> shift) as f64)
        }
        (false, _) => Some(bits as f64),
    }
}

impl From<Cells> for Values {
    fn from(cells: Cells) -> Self {
        match cells {
            Cells::Numbers(values) => Self::Number(values),
            Cells::Texts(values) => Self::Text(values),
        }
    }
}
