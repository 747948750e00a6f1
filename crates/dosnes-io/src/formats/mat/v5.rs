//! Version 5 (also 6 and 7): tagged elements, each compressed or not.

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::{Value, Variable};
use crate::error::{Error, Place};
use crate::source::Source;
use crate::sparse::indices;

/// The kinds of elements that hold variables.
const MATRIX: u32 = 14;
const COMPRESSED: u32 = 15;

/// A cursor over the bytes of one element.
struct Cursor<'a> {
    bytes: &'a [u8],
    big_endian: bool,
}

struct Element<'a> {
    kind: u32,
    data: &'a [u8],
}

const TRUNCATED: &str = "the file ends in the middle of a variable";

impl<'a> Cursor<'a> {
    /// The number in the first four bytes.
    fn number(&self, bytes: &[u8]) -> Option<u32> {
        let bytes = *bytes.first_chunk()?;
        Some(if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    /// The next tagged element, or `None` at the end.
    fn next(&mut self) -> Result<Option<Element<'a>>, String> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let tag = self.bytes.get(..8).ok_or(TRUNCATED)?;
        let first = self.number(tag).ok_or(TRUNCATED)?;
        // A small element holds its size in the upper half of the first word, and its data in the second.
        if first >> 16 != 0 {
            let size = (first >> 16) as usize;
            let data = tag.get(4..4 + size).ok_or("a variable's tag is damaged")?;
            self.bytes = self.bytes.get(8..).unwrap_or_default();
            return Ok(Some(Element { kind: first & 0xffff, data }));
        }
        let size = tag.get(4..).and_then(|b| self.number(b)).ok_or(TRUNCATED)? as usize;
        let end = 8_usize.checked_add(size).ok_or(TRUNCATED)?;
        let data = self.bytes.get(8..end).ok_or(TRUNCATED)?;
        // Compressed elements are not padded, all others are to eight bytes.
        let padded = if first == COMPRESSED { end } else { end.div_ceil(8) * 8 };
        self.bytes = self.bytes.get(padded..).unwrap_or_default();
        Ok(Some(Element { kind: first, data }))
    }

    fn expect(&mut self) -> Result<Element<'a>, String> {
        self.next()?.ok_or_else(|| TRUNCATED.into())
    }

    fn numbers(&mut self) -> Result<Vec<f64>, String> {
        let element = self.expect()?;
        numbers(&element, self.big_endian)
    }
}

fn numbers(element: &Element<'_>, big_endian: bool) -> Result<Vec<f64>, String> {
    macro_rules! read {
        ($type:ty) => {
            element
                .data
                .as_chunks()
                .0
                .iter()
                .map(|&b| (if big_endian { <$type>::from_be_bytes(b) } else { <$type>::from_le_bytes(b) }) as f64)
                .collect()
        };
    }
    Ok(match element.kind {
        1 => read!(i8),
        2 | 16 => read!(u8),
        3 => read!(i16),
        4 | 17 => read!(u16),
        5 => read!(i32),
        6 | 18 => read!(u32),
        7 => read!(f32),
        9 => read!(f64),
        12 => read!(i64),
        13 => read!(u64),
        other => return Err(format!("a variable's data have the unknown type {other}")),
    })
}

/// A text in any of the encodings of a character array.
fn characters(element: &Element<'_>, big_endian: bool) -> Result<String, String> {
    if element.kind == 16 {
        return Ok(String::from_utf8_lossy(element.data).into_owned());
    }
    let units = numbers(element, big_endian)?;
    Ok(String::from_utf16_lossy(&units.iter().map(|&u| u as u16).collect::<Vec<_>>()))
}

/// Reads all variables.
pub(super) fn read(source: &Source<'_>) -> Result<Vec<Variable>, Error> {
    let bytes = source.read_all()?;
    let malformed = |problem: String| Error::malformed(&source.name, Place::default(), problem);
    let (big_endian, body) = header(&bytes).map_err(malformed)?;
    let mut cursor = Cursor { bytes: body, big_endian };
    let mut variables = Vec::new();
    while let Some(element) = cursor.next().map_err(malformed)? {
        let inflated;
        let element = if element.kind == COMPRESSED {
            inflated = inflate(source, element.data)?;
            Cursor { bytes: &inflated, big_endian }.expect().map_err(malformed)?
        } else {
            element
        };
        if element.kind == MATRIX {
            variables.push(matrix(element.data, big_endian, 0).map_err(malformed)?);
        }
        source.report(1.0 - cursor.bytes.len() as f64 / bytes.len() as f64)?;
    }
    Ok(variables)
}

/// The byte order, and what follows the header.
fn header(bytes: &[u8]) -> Result<(bool, &[u8]), String> {
    let (header, body) = bytes.split_at_checked(128).ok_or("the file ends within its header")?;
    match header.get(126..) {
        Some(b"IM") => Ok((false, body)),
        Some(b"MI") => Ok((true, body)),
        _ => Err("the header's byte order is damaged".into()),
    }
}

fn inflate(source: &Source<'_>, data: &[u8]) -> Result<Vec<u8>, Error> {
    let mut inflated = Vec::new();
    source.watched(ZlibDecoder::new(data)).read_to_end(&mut inflated).map_err(|e| {
        let problem = format!("a compressed variable is truncated or damaged ({e})");
        Error::malformed(&source.name, Place::default(), problem)
    })?;
    Ok(inflated)
}

/// One array. Cells hold arrays in turn; deeper ones than any table has are refused.
fn matrix(bytes: &[u8], big_endian: bool, depth: usize) -> Result<Variable, String> {
    let mut cursor = Cursor { bytes, big_endian };
    let Some(flags) = cursor.next()? else {
        return Ok(Variable { name: String::new(), rows: 0, columns: 0, value: Value::Dense(Vec::new()) });
    };
    let flags = cursor.number(flags.data).ok_or(TRUNCATED)?;
    let (class, complex) = (flags & 0xff, flags & 0x800 != 0);
    let sides = indices(&cursor.numbers()?).ok_or("a variable has a negative side")?;
    let name = String::from_utf8_lossy(cursor.expect()?.data).into_owned();
    let other = |what| Variable { name: name.clone(), rows: 0, columns: 0, value: Value::Other(what) };
    let [rows, columns] = sides[..] else { return Ok(other("not a matrix")) };
    let count = rows.checked_mul(columns).ok_or("a variable is too large")?;
    if complex {
        return Ok(other("complex numbers"));
    }
    let value = match class {
        6..=15 => {
            let values = cursor.numbers()?;
            if values.len() != count {
                return Err(format!("the variable {name} has {} values for {rows} × {columns}", values.len()));
            }
            Value::Dense(values)
        }
        5 => {
            let row_of = indices(&cursor.numbers()?).ok_or("a sparse variable has a negative index")?;
            let column_starts = indices(&cursor.numbers()?).ok_or("a sparse variable has a negative index")?;
            let values = cursor.numbers()?;
            // MATLAB may reserve more room than is used.
            let used = column_starts.last().copied().unwrap_or(0);
            if used > row_of.len() || used > values.len() {
                return Err(format!("the sparse variable {name} is damaged"));
            }
            Value::Sparse { row_of: row_of[..used].to_vec(), column_starts, values: values[..used].to_vec() }
        }
        4 => {
            let element = cursor.expect()?;
            let text = characters(&element, big_endian)?;
            let stored: Vec<char> = text.chars().collect();
            if rows == 1 {
                Value::Texts(vec![text.trim_end().to_owned()])
            } else if columns > 0 && stored.len() == count {
                let line = |i: usize| (0..columns).map(|j| stored[j * rows + i]).collect::<String>();
                Value::Texts((0..rows).map(|i| line(i).trim_end().to_owned()).collect())
            } else {
                return Ok(other("text"));
            }
        }
        1 if depth == 0 => {
            let mut texts = Vec::new();
            for _ in 0..count {
                let element = cursor.expect()?;
                match matrix(element.data, big_endian, depth + 1)?.value {
                    Value::Texts(mut cell) if cell.len() == 1 => texts.append(&mut cell),
                    Value::Texts(cell) if cell.is_empty() => texts.push(String::new()),
                    Value::Dense(values) if values.is_empty() => texts.push(String::new()),
                    _ => return Ok(other("cells")),
                }
            }
            Value::Texts(texts)
        }
        1 => return Ok(other("cells")),
        2 | 3 => return Ok(other("structure")),
        _ => return Ok(other("unknown class")),
    };
    Ok(Variable { name, rows, columns, value })
}
