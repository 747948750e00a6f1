//! MATLAB files: version 5 (also 6 and 7) parsed here, version 7.3 through HDF5.
//!
//! The data are the variable that was asked for, else `X`, else the only matrix; vectors, character arrays and cell arrays
//! of texts of the same length travel along as columns.

use std::io::Read;

use dosnes::input::{Column, Values};
use flate2::read::ZlibDecoder;
use ndarray::{Array2, ShapeBuilder};

use crate::columns::{choose_id, is_id_name, items_from};
use crate::error::{Error, Place};
use crate::formats::npz::{compressed, indices};
use crate::interpret::{Matrix, Raw, Understood, understand};
use crate::loaded::Note;
use crate::options::ReadOptions;
use crate::source::Source;

/// The first bytes of every version 5 file.
pub(crate) const MAGIC: &[u8] = b"MATLAB 5.0 MAT-file";
/// The first bytes of every version 7.3 file.
pub(crate) const MAGIC_73: &[u8] = b"MATLAB 7.3 MAT-file";

/// A variable that can be used.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) value: Value,
}

/// Its values, column by column.
#[derive(Debug)]
pub(crate) enum Value {
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

/// Reads a version 5 file.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<(String, Understood), Error> {
    let bytes = source.read_all()?;
    let variables = parse(&bytes).map_err(|problem| Error::malformed(&source.name, Place::default(), problem))?;
    from_variables(&source.name, "MATLAB 5", variables, options)
}

/// Chooses the data among the variables.
pub(crate) fn from_variables(
    file: &str,
    format: &str,
    mut variables: Vec<Variable>,
    options: &ReadOptions,
) -> Result<(String, Understood), Error> {
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
            [] => return Err(Error::shape(file, format!("no variable in it is a matrix; there are {list}"))),
            _ => {
                let problem = format!("several variables are matrices, and none is named X; say which to take: {list}");
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
            if rows == columns { Matrix::Double(x) } else { Matrix::Single(x.mapv(|v| v as f32)) }
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
    let (travelling, others) = travelling(variables, rows);
    let names: Vec<String> = travelling.iter().map(|c| c.name.clone()).collect();
    let id = choose_id(&travelling).filter(|&k| is_id_name(&travelling[k].name));
    let items = (!travelling.is_empty()).then(|| items_from(travelling, id, rows));
    let raw = Raw { matrix, items, partners: None, lines: None, part: Some(name.clone()) };
    let mut understood = understand(file, raw, options)?;
    understood.add_columns(&names);
    if !others.is_empty() {
        understood.notes.push(Note::OtherArrays(others));
    }
    Ok((format!("{format}, variable {name} of {rows} × {columns}"), understood))
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
fn travelling(variables: Vec<Variable>, rows: usize) -> (Vec<Column>, Vec<String>) {
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
    fn number(&self, bytes: &[u8]) -> u32 {
        let bytes = [bytes[0], bytes[1], bytes[2], bytes[3]];
        if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    /// The next tagged element, or `None` at the end.
    fn next(&mut self) -> Result<Option<Element<'a>>, String> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let tag = self.bytes.get(..8).ok_or(TRUNCATED)?;
        let first = self.number(&tag[..4]);
        // A small element holds its size in the upper half of the first word, and its data in the second.
        if first >> 16 != 0 {
            let size = (first >> 16) as usize;
            let data = self.bytes.get(4..4 + size).filter(|_| size <= 4).ok_or("a variable's tag is damaged")?;
            self.bytes = &self.bytes[8..];
            return Ok(Some(Element { kind: first & 0xffff, data }));
        }
        let size = self.number(&tag[4..8]) as usize;
        let end = 8_usize.checked_add(size).ok_or(TRUNCATED)?;
        let data = self.bytes.get(8..end).ok_or(TRUNCATED)?;
        // Compressed elements are not padded, all others are to eight bytes.
        let padded = if first == 15 { end } else { end.div_ceil(8) * 8 };
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
                .chunks_exact(size_of::<$type>())
                .map(|b| {
                    let b = b.try_into().expect("chunks of the element's size");
                    (if big_endian { <$type>::from_be_bytes(b) } else { <$type>::from_le_bytes(b) }) as f64
                })
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

fn parse(bytes: &[u8]) -> Result<Vec<Variable>, String> {
    let header = bytes.get(..128).ok_or("the file ends within its header")?;
    let big_endian = match &header[126..128] {
        b"IM" => false,
        b"MI" => true,
        _ => return Err("the header's byte order is damaged".into()),
    };
    let mut cursor = Cursor { bytes: &bytes[128..], big_endian };
    let mut variables = Vec::new();
    while let Some(element) = cursor.next()? {
        let variable = match element.kind {
            15 => {
                let mut inflated = Vec::new();
                ZlibDecoder::new(element.data)
                    .read_to_end(&mut inflated)
                    .map_err(|e| format!("a compressed variable is truncated or damaged ({e})"))?;
                let mut inner = Cursor { bytes: &inflated, big_endian };
                let inner = inner.expect()?;
                if inner.kind == 14 { Some(matrix(inner.data, big_endian, 0)?) } else { None }
            }
            14 => Some(matrix(element.data, big_endian, 0)?),
            _ => None,
        };
        variables.extend(variable);
    }
    Ok(variables)
}

/// One array. Cells hold arrays in turn; deeper ones than any table has are refused.
fn matrix(bytes: &[u8], big_endian: bool, depth: usize) -> Result<Variable, String> {
    let mut cursor = Cursor { bytes, big_endian };
    let Some(flags) = cursor.next()? else {
        return Ok(Variable { name: String::new(), rows: 0, columns: 0, value: Value::Dense(Vec::new()) });
    };
    let flags = flags.data.get(..4).map(|b| cursor.number(b)).ok_or(TRUNCATED)?;
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
            } else if stored.len() == count {
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
