//! Vectors in binary files: `.fvecs`, `.bvecs`, `.ivecs`, `.fbin`, `.u8bin`, `.i8bin` of benchmarks for neighbour searches, and
//! the binary form of word2vec.

use std::io::{self, Read};

use dosnes::input::Items;
use dosnes::ndarray::Array2;

use crate::columns::first_repeated;
use crate::error::{Error, Place};
use crate::raw::{Contents, Matrix, Parsed, RawMatrix};
use crate::source::Source;

/// Dimensions that a vector may claim.
const LARGEST: usize = 1 << 20;

/// How the numbers of a file are stored.
#[derive(Clone, Copy)]
enum Number {
    Float,
    Integer,
    Unsigned,
    Signed,
}

impl Number {
    fn size(self) -> usize {
        match self {
            Self::Float | Self::Integer => 4,
            Self::Unsigned | Self::Signed => 1,
        }
    }

    fn read(self, bytes: &[u8]) -> f32 {
        match (self, bytes) {
            (Self::Float, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            (Self::Integer, &[a, b, c, d]) => i32::from_le_bytes([a, b, c, d]) as f32,
            (Self::Unsigned, &[a]) => f32::from(a),
            (Self::Signed, &[a]) => f32::from(a as i8),
            _ => f32::NAN,
        }
    }
}

/// Whether the name says that the file holds vectors of this sort.
pub(crate) fn is_vectors(extension: &str) -> bool {
    matches!(extension, "fvecs" | "bvecs" | "ivecs" | "fbin" | "u8bin" | "i8bin" | "ibin")
}

/// Reads a file whose extension says how the numbers are stored.
pub(crate) fn read(source: &Source<'_>) -> Result<Parsed, Error> {
    let extension = source.extension();
    let number = match extension.as_str() {
        "ivecs" | "ibin" => Number::Integer,
        "bvecs" | "u8bin" => Number::Unsigned,
        "i8bin" => Number::Signed,
        _ => Number::Float,
    };
    let mut input = source.open()?;
    let x = if extension.ends_with("bin") {
        with_one_header(source, &mut input, number)
    } else {
        each_with_size(source, &mut input, number)
    }?;
    let (rows, columns) = x.dim();
    let description = format!("vectors (.{extension}), {rows} × {columns}");
    Ok(Parsed { description, contents: Contents::Matrix(RawMatrix::new(Matrix::Single(x))), notes: Vec::new() })
}

/// Fills the buffer, as far as the file goes; returns how much of it was filled.
fn fill(source: &Source<'_>, input: &mut dyn Read, buffer: &mut [u8]) -> Result<usize, Error> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(source.read_error(error)),
        }
    }
    Ok(filled)
}

/// The next size; `None` at the end of the file.
fn next_size(source: &Source<'_>, input: &mut dyn Read) -> Result<Option<usize>, Error> {
    let mut bytes = [0; 4];
    Ok((fill(source, input, &mut bytes)? == bytes.len()).then(|| u32::from_le_bytes(bytes) as usize))
}

/// Two sizes, then all numbers. They are read in pieces: there may be more of them than would fit into memory twice.
fn with_one_header(source: &Source<'_>, input: &mut dyn Read, number: Number) -> Result<Array2<f32>, Error> {
    const PIECE: usize = 1 << 16;
    let damaged = |problem: String| Error::malformed(&source.name, Place::default(), problem);
    let (Some(rows), Some(columns)) = (next_size(source, input)?, next_size(source, input)?) else {
        return Err(damaged("the file ends within its two sizes".into()));
    };
    let another_size =
        || damaged(format!("its first two numbers promise {rows} × {columns} values, but the file has another size"));
    let count = rows.checked_mul(columns).filter(|_| columns > 0).ok_or_else(another_size)?;
    let (mut values, mut piece) = (Vec::new(), vec![0; PIECE]);
    loop {
        let filled = fill(source, input, &mut piece)?;
        if !filled.is_multiple_of(number.size()) || count - values.len() < filled / number.size() {
            return Err(another_size());
        }
        values.extend(piece[..filled].chunks_exact(number.size()).map(|bytes| number.read(bytes)));
        if filled < PIECE {
            break;
        }
    }
    if values.len() != count {
        return Err(another_size());
    }
    Array2::from_shape_vec((rows, columns), values).map_err(|e| damaged(e.to_string()))
}

/// Each vector begins with its number of dimensions.
fn each_with_size(source: &Source<'_>, input: &mut dyn Read, number: Number) -> Result<Array2<f32>, Error> {
    let damaged = |problem: String| Error::malformed(&source.name, Place::default(), problem);
    let columns = next_size(source, input)?.filter(|&c| c > 0 && c <= LARGEST);
    let columns = columns.ok_or_else(|| damaged("its first number is not a number of dimensions".into()))?;
    let mut vector = vec![0; columns * number.size()];
    let (mut values, mut rows) = (Vec::new(), 0);
    loop {
        if fill(source, input, &mut vector)? < vector.len() {
            return Err(damaged(format!("the last vector of {columns} dimensions is not complete")));
        }
        values.extend(vector.chunks_exact(number.size()).map(|bytes| number.read(bytes)));
        rows += 1;
        let mut size = [0; 4];
        match fill(source, input, &mut size)? {
            0 => break,
            4 if u32::from_le_bytes(size) as usize == columns => {}
            4 => {
                let place = Place::default().row(rows);
                return Err(Error::malformed(&source.name, place, "it has another number of dimensions"));
            }
            _ => return Err(damaged(format!("the last vector of {columns} dimensions is not complete"))),
        }
    }
    Array2::from_shape_vec((rows, columns), values).map_err(|e| damaged(e.to_string()))
}

/// Number of words and of dimensions in the first line of a binary word2vec file.
fn word2vec_sizes(start: &[u8]) -> Option<(usize, usize, usize)> {
    let end = start.iter().take(64).position(|&b| b == b'\n')?;
    let line = std::str::from_utf8(&start[..end]).ok()?;
    let (words, dimensions) = line.trim().split_once(' ')?;
    let (words, dimensions) = (words.parse().ok()?, dimensions.parse().ok()?);
    (dimensions > 0 && dimensions <= LARGEST).then_some((words, dimensions, end + 1))
}

/// Whether a file with zero bytes begins as binary word2vec does.
pub(crate) fn looks_like_word2vec(start: &[u8]) -> bool {
    word2vec_sizes(start).is_some()
}

/// Reads the binary form of word2vec: a line of sizes, then each word, a blank, and its numbers.
pub(crate) fn read_word2vec(source: &Source<'_>) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let bytes = source.read_all()?;
    let damaged = |problem: String| Error::malformed(file, Place::default(), problem);
    let Some((words, dimensions, mut at)) = word2vec_sizes(&bytes) else {
        return Err(damaged("the first line must have the number of words and of dimensions".into()));
    };
    let (mut ids, mut values) = (Vec::new(), Vec::new());
    while ids.len() < words {
        while bytes.get(at).is_some_and(|b| matches!(b, b'\n' | b'\r')) {
            at += 1;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let end = rest.iter().position(|&b| b == b' ');
        let numbers = end.and_then(|end| rest.get(end + 1..end + 1 + 4 * dimensions));
        let (Some(end), Some(numbers)) = (end, numbers) else {
            return Err(damaged(format!(
                "the first line promises {words} words, but the file ends after {}",
                ids.len()
            )));
        };
        ids.push(String::from_utf8_lossy(&rest[..end]).into_owned());
        values.extend(numbers.chunks_exact(4).map(|piece| Number::Float.read(piece)));
        at += end + 1 + 4 * dimensions;
    }
    if let Some(row) = first_repeated(&ids) {
        return Err(Error::DuplicateId {
            file: file.to_owned(),
            place: Place::default().row(row),
            id: ids[row].clone(),
        });
    }
    let x = Array2::from_shape_vec((words, dimensions), values).map_err(|e| damaged(e.to_string()))?;
    let items = Some(Items { ids, columns: Vec::new() });
    let matrix = RawMatrix { items, ..RawMatrix::new(Matrix::Single(x)) };
    let description = format!("word2vec (binary), {words} words");
    Ok(Parsed { description, contents: Contents::Matrix(matrix), notes: Vec::new() })
}
