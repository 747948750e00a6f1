//! `NumPy` arrays: all plain types, both memory orders, both byte orders.
//!
//! The header is parsed here rather than by a crate, since the element type is known only at run time and texts (`<U`)
//! are needed for labels.

use std::io::{self, Read, Write};

use dosnes::input::Items;
use dosnes::ndarray::{Array2, ArrayView2, ShapeBuilder};

use crate::embedding::{Embedding, common_radius};
use crate::error::{Error, Place};
use crate::interpret::coordinates::items_of_pairs;
use crate::raw::{Contents, Matrix, Parsed, RawMatrix};
use crate::source::Source;

/// The first bytes of every `.npy`.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// Why an array cannot be read.
#[derive(Debug)]
pub(crate) enum NpyError {
    /// Reading failed.
    Io(io::Error),
    /// The array is damaged, or not one that can be used.
    Array(String),
}

impl From<String> for NpyError {
    fn from(problem: String) -> Self {
        Self::Array(problem)
    }
}

impl From<&str> for NpyError {
    fn from(problem: &str) -> Self {
        Self::Array(problem.to_owned())
    }
}

impl NpyError {
    /// The error of an array in a file.
    pub(crate) fn in_file(self, source: &Source<'_>, place: Place) -> Error {
        match self {
            Self::Io(error) => source.read_error(error),
            Self::Array(problem) => Error::malformed(&source.name, place, problem),
        }
    }

    /// The data are truncated, or reading failed for another reason.
    fn broken(error: io::Error, problem: impl FnOnce() -> String) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof { Self::Array(problem()) } else { Self::Io(error) }
    }
}

/// The type of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    Bool,
    Signed(usize),
    Unsigned(usize),
    Float(usize),
    /// UTF-32, with this number of characters.
    Unicode(usize),
    /// This number of bytes.
    Bytes(usize),
}

/// What the header says.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    pub(crate) element: Element,
    big_endian: bool,
    fortran: bool,
    pub(crate) shape: Vec<usize>,
}

impl Header {
    pub(crate) fn count(&self) -> Option<usize> {
        self.shape.iter().try_fold(1_usize, |product, &side| product.checked_mul(side))
    }

    pub(crate) fn size(&self) -> usize {
        match self.element {
            Element::Bool => 1,
            Element::Signed(size) | Element::Unsigned(size) | Element::Float(size) | Element::Bytes(size) => size,
            Element::Unicode(characters) => 4 * characters,
        }
    }

    pub(crate) fn is_text(&self) -> bool {
        matches!(self.element, Element::Unicode(_) | Element::Bytes(_))
    }
}

/// Reads the header; the data follow it.
pub(crate) fn read_header(input: &mut dyn Read) -> Result<Header, NpyError> {
    let broken = |error| NpyError::broken(error, || "the array's header breaks off".into());
    let mut start = [0; 8];
    input.read_exact(&mut start).map_err(broken)?;
    if &start[..6] != MAGIC {
        return Err("not a NumPy array".into());
    }
    let length = if start[6] >= 2 {
        let mut bytes = [0; 4];
        input.read_exact(&mut bytes).map_err(broken)?;
        u32::from_le_bytes(bytes) as usize
    } else {
        let mut bytes = [0; 2];
        input.read_exact(&mut bytes).map_err(broken)?;
        u16::from_le_bytes(bytes) as usize
    };
    if length > 1 << 20 {
        return Err(format!("the array's header claims to be {length} bytes long").into());
    }
    let mut text = vec![0; length];
    input.read_exact(&mut text).map_err(broken)?;
    Ok(parse_header(&String::from_utf8_lossy(&text))?)
}

fn parse_header(text: &str) -> Result<Header, String> {
    let bad = || format!("the array's header is not understood: {}", text.trim());
    let after = |key: &str| {
        let start = text.find(&format!("'{key}'"))? + key.len() + 2;
        Some(text[start..].trim_start().strip_prefix(':')?.trim_start())
    };
    let descr = after("descr").ok_or_else(bad)?;
    if descr.starts_with('[') {
        return Err("the array has several fields (a structured type); save a plain array".into());
    }
    let descr = descr.strip_prefix('\'').and_then(|d| d.split('\'').next()).ok_or_else(bad)?;
    let fortran = after("fortran_order").ok_or_else(bad)?.starts_with("True");
    let shape = after("shape").and_then(|s| s.strip_prefix('(')).and_then(|s| s.split(')').next()).ok_or_else(bad)?;
    let shape = shape
        .split(',')
        .map(str::trim)
        .filter(|s| !s.is_empty())
        .map(|s| s.trim_end_matches('L').parse::<usize>().map_err(|_| bad()))
        .collect::<Result<Vec<_>, _>>()?;
    let (order, kind) = descr.split_at_checked(1).ok_or_else(bad)?;
    let (kind, size) = kind.split_at_checked(1).ok_or_else(bad)?;
    let size = || size.parse::<usize>().ok().filter(|&s| s <= 1 << 24).ok_or_else(bad);
    let element = match kind {
        "b" => Element::Bool,
        "i" => Element::Signed(size()?),
        "u" => Element::Unsigned(size()?),
        "f" => Element::Float(size()?),
        "U" => Element::Unicode(size()?),
        "S" => Element::Bytes(size()?),
        "c" => return Err("the array holds complex numbers; save real ones".into()),
        "O" => return Err("the array holds Python objects, which only Python can read; save numbers or texts".into()),
        _ => {
            return Err(format!("the array's type '{descr}' cannot be read; save numbers or texts"));
        }
    };
    let sizes_ok = match element {
        Element::Signed(size) | Element::Unsigned(size) => matches!(size, 1 | 2 | 4 | 8),
        Element::Float(size) => matches!(size, 2 | 4 | 8),
        _ => true,
    };
    if !sizes_ok {
        return Err(format!("the array's type '{descr}' cannot be read; save it as float64"));
    }
    Ok(Header { element, big_endian: order == ">", fortran, shape })
}

/// Reads `count` elements in pieces and hands each piece to `take`, so that a header that lies about its size cannot
/// make us ask for more memory than the file has bytes.
fn read_pieces(input: &mut dyn Read, count: usize, size: usize, mut take: impl FnMut(&[u8])) -> Result<(), NpyError> {
    let per_piece = ((1 << 16) / size.max(1)).max(1);
    let mut buffer = vec![0; per_piece.min(count) * size];
    let mut left = count;
    while left > 0 {
        let now = left.min(per_piece);
        let piece = &mut buffer[..now * size];
        input.read_exact(piece).map_err(|error| {
            NpyError::broken(error, || {
                format!("the array should have {count} elements, but the file ends {left} of them early")
            })
        })?;
        take(piece);
        left -= now;
    }
    Ok(())
}

fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = ((bits >> 10 & 31) as i32, (bits & 1023) as f64);
    sign * match exponent {
        0 => fraction * 2_f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2_f64.powi(exponent - 15),
    }
}

/// Hands all numbers, in the order of the file, to `take`.
fn each_number(input: &mut dyn Read, header: &Header, mut take: impl FnMut(f64)) -> Result<(), NpyError> {
    let count = header.count().ok_or("the array's shape is too large")?;
    let size = header.size();
    macro_rules! numbers {
        ($type:ty) => {
            read_pieces(input, count, size, |piece| {
                for &bytes in piece.as_chunks().0 {
                    let value =
                        if header.big_endian { <$type>::from_be_bytes(bytes) } else { <$type>::from_le_bytes(bytes) };
                    take(value as f64);
                }
            })
        };
    }
    match header.element {
        Element::Bool => read_pieces(input, count, 1, |piece| piece.iter().for_each(|&b| take(f64::from(b != 0)))),
        Element::Signed(1) => numbers!(i8),
        Element::Signed(2) => numbers!(i16),
        Element::Signed(4) => numbers!(i32),
        Element::Signed(_) => numbers!(i64),
        Element::Unsigned(1) => numbers!(u8),
        Element::Unsigned(2) => numbers!(u16),
        Element::Unsigned(4) => numbers!(u32),
        Element::Unsigned(_) => numbers!(u64),
        Element::Float(2) => read_pieces(input, count, 2, |piece| {
            for &bytes in piece.as_chunks().0 {
                let bits = if header.big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
                take(half(bits));
            }
        }),
        Element::Float(4) => numbers!(f32),
        Element::Float(_) => numbers!(f64),
        Element::Unicode(_) | Element::Bytes(_) => Err("the array holds texts where numbers are needed".into()),
    }
}

/// A one-dimensional array of numbers (or a single number).
pub(crate) fn read_numbers(input: &mut dyn Read, header: &Header) -> Result<Vec<f64>, NpyError> {
    let mut values = Vec::new();
    each_number(input, header, |v| values.push(v))?;
    Ok(values)
}

/// A one-dimensional array of texts (or a single one).
pub(crate) fn read_texts(input: &mut dyn Read, header: &Header) -> Result<Vec<String>, NpyError> {
    let count = header.count().ok_or("the array's shape is too large")?;
    let size = header.size();
    let mut values = Vec::new();
    if size == 0 {
        // Texts without a character: the count stands in the header alone, so nothing bounds it.
        return Err("the array's texts are all empty".into());
    }
    read_pieces(input, count, size, |piece| {
        for bytes in piece.chunks_exact(size) {
            values.push(if let Element::Unicode(_) = header.element {
                bytes
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&b| if header.big_endian { u32::from_be_bytes(b) } else { u32::from_le_bytes(b) })
                    .take_while(|&c| c != 0)
                    .map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect()
            } else {
                let end = bytes.iter().rposition(|&b| b != 0).map_or(0, |k| k + 1);
                String::from_utf8_lossy(&bytes[..end]).into_owned()
            });
        }
    })?;
    Ok(values)
}

/// A two-dimensional array of numbers.
pub(crate) fn read_matrix(input: &mut dyn Read, header: &Header, double: bool) -> Result<Matrix, NpyError> {
    let [rows, columns] = header.shape[..] else {
        let shape = shape_text(&header.shape);
        return Err(format!(
            "the array has shape {shape}, and a matrix (2-D) is needed{}",
            reshape_hint(&header.shape)
        )
        .into());
    };
    let wrong = |_| NpyError::from("the array's shape does not fit its data");
    let shape = (rows, columns).set_f(header.fortran);
    Ok(if rows == columns || double {
        let mut values: Vec<f64> = Vec::new();
        each_number(input, header, |v| values.push(v))?;
        let x = Array2::from_shape_vec(shape, values).map_err(wrong)?;
        Matrix::Double(if header.fortran { x.as_standard_layout().into_owned() } else { x })
    } else {
        let mut values: Vec<f32> = Vec::new();
        each_number(input, header, |v| values.push(v as f32))?;
        let x = Array2::from_shape_vec(shape, values).map_err(wrong)?;
        Matrix::Single(if header.fortran { x.as_standard_layout().into_owned() } else { x })
    })
}

/// A two-dimensional array of numbers in double precision, row after row.
pub(crate) fn read_in_row_order(input: &mut dyn Read, header: &Header) -> Result<Vec<f64>, NpyError> {
    let [rows, columns] = header.shape[..] else { return Err("a matrix (2-D) is needed".into()) };
    let values = read_numbers(input, header)?;
    if !header.fortran {
        return Ok(values);
    }
    Ok((0..rows * columns).map(|k| values[k % columns * rows + k / columns]).collect())
}

/// How to make a matrix of an array with more sides.
fn reshape_hint(shape: &[usize]) -> String {
    match shape {
        [rows, rest @ ..] if rest.len() > 1 => {
            let columns = rest.iter().fold(1_usize, |product, &side| product.saturating_mul(side));
            format!("; if each of the {rows} entries is an item, save x.reshape({rows}, {columns})")
        }
        [pairs] => items_of_pairs(*pairs).map_or_else(String::new, |items| {
            format!(
                "; if these are the distances of all pairs of {items} items, save scipy.spatial.distance.squareform(x)"
            )
        }),
        _ => String::new(),
    }
}

/// A shape as Python prints it.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    match shape {
        [only] => format!("({only},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Reads a file with one array.
pub(crate) fn read(source: &Source<'_>) -> Result<Parsed, Error> {
    let mut input = source.open()?;
    let error = |problem: NpyError| problem.in_file(source, Place::default());
    let header = read_header(&mut input).map_err(error)?;
    let matrix = read_matrix(&mut input, &header, source.is_double()).map_err(error)?;
    let (rows, columns) = matrix.shape();
    if rows == 0 || columns == 0 {
        return Err(Error::empty(&source.name, format!("the array has shape {}", shape_text(&header.shape))));
    }
    let contents = Contents::Matrix(RawMatrix::new(matrix));
    Ok(Parsed { description: format!("NumPy array {rows} × {columns}"), contents, notes: Vec::new() })
}

/// Reads an array of n × 2 or n × 3 coordinates.
pub(crate) fn read_embedding(source: &Source<'_>) -> Result<Embedding, Error> {
    let error = |problem: NpyError| problem.in_file(source, Place::default());
    let mut input = source.open()?;
    let header = read_header(&mut input).map_err(error)?;
    let [rows, columns] = header.shape[..] else {
        let shape = shape_text(&header.shape);
        return Err(error(format!("the array has shape {shape}, and n × 2 or n × 3 is needed").into()));
    };
    if !matches!(columns, 2 | 3) {
        return Err(error(format!("the array is {rows} × {columns}, and n × 2 or n × 3 is needed").into()));
    }
    let values = read_in_row_order(&mut input, &header).map_err(error)?;
    let coordinates = Array2::from_shape_vec((rows, columns), values).map_err(|e| error(e.to_string().into()))?;
    let radius = common_radius(&coordinates);
    Ok(Embedding { items: Items::numbered(rows), coordinates, radius })
}

/// Writes the header of a version 1 array; the data follow, row by row, little-endian.
pub(crate) fn write_header(out: &mut dyn Write, descr: &str, shape: &str) -> io::Result<()> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    // Magic, version and length take ten bytes; the data start at a multiple of 64, after a line break.
    let padding = (64 - (10 + header.len() + 1) % 64) % 64;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())
}

/// Writes a matrix in double precision.
pub(crate) fn write_matrix(out: &mut dyn Write, matrix: &ArrayView2<'_, f64>) -> io::Result<()> {
    write_header(out, "<f8", &format!("({}, {})", matrix.nrows(), matrix.ncols()))?;
    for row in matrix.rows() {
        for value in row {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_whatever_the_order_of_its_keys() {
        let header = parse_header("{'shape': (3, 4), 'fortran_order': True, 'descr': '>i4'}  \n").unwrap();
        assert_eq!((header.element, header.big_endian, header.fortran), (Element::Signed(4), true, true));
        assert_eq!(header.shape, [3, 4]);
    }

    #[test]
    fn half_precision_is_exact() {
        for (bits, value) in [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333251953125), (1, 5.960464477539063e-8)] {
            assert_eq!(half(bits), value);
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }

    #[test]
    fn python_objects_and_structured_types_are_refused_with_advice() {
        let object = parse_header("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }").unwrap_err();
        assert!(object.contains("Python objects"), "{object}");
        let fields = parse_header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }").unwrap_err();
        assert!(fields.contains("several fields"), "{fields}");
    }
}
