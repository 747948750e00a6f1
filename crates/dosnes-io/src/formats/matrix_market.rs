//! Matrix Market: coordinate and array, real, integer and pattern, general and symmetric.

use std::io::{self, Write};

use dosnes::ndarray::Array2;
use dosnes::{CsrMatrix, Kind};

use crate::error::{Error, Place, Quantity};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::raw::{Contents, Matrix, Parsed, RawMatrix};
use crate::source::Source;
use crate::sparse::{SparseCells, check_sparse_shape};
use crate::text::records::{Comments, Record, Records};
use crate::text::separator::Separator;
use crate::write::number;

/// The first bytes of every file, in any case.
const MAGIC: &str = "%matrixmarket";

pub(crate) const LACKS_FIRST_LINE: &str = "a Matrix Market file without its first line; put it above the others: %%MatrixMarket matrix coordinate real general, with \
     pattern instead of real if there are no values, and symmetric instead of general if one half is given";

/// Whether a text begins with the name of the format, after one percent sign or two.
pub(crate) fn looks_like_matrix_market(text: &str) -> bool {
    let text = text.strip_prefix('%').filter(|rest| rest.starts_with('%')).unwrap_or(text);
    text.get(..MAGIC.len()).is_some_and(|start| start.eq_ignore_ascii_case(MAGIC))
}

/// Whether comments, if there are any, stand above a line of three whole numbers, and as many entries follow as the third says, which
/// are within the size that the first two say.
pub(crate) fn lacks_first_line(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.starts_with('%') && !line.trim().is_empty());
    let numbers =
        |line: &str| line.split_whitespace().map(|word| word.parse::<u64>().ok()).collect::<Option<Vec<u64>>>();
    let Some(&[rows, columns, entries]) = lines.next().and_then(numbers).as_deref() else { return false };
    let mut count = 0;
    let fits = lines.all(|line| {
        count += 1;
        let mut words = line.split_whitespace().map(str::parse::<u64>);
        let (row, column) = (words.next(), words.next());
        matches!((row, column), (Some(Ok(row)), Some(Ok(column))) if (1..=rows).contains(&row) && (1..=columns).contains(&column))
    });
    fits && (1..=entries).contains(&count)
}

struct Header {
    array: bool,
    pattern: bool,
    symmetric: bool,
}

/// Reads a file.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let mut reader = Reader::new(source)?;
    let header = reader.header()?;
    let (rows, columns, count) = reader.sizes(header.array)?;
    if header.symmetric && rows != columns {
        let problem = format!("a symmetric matrix must be square, but this one is {rows} × {columns}");
        return Err(Error::malformed(file, Place::line(reader.record.line), problem));
    }
    let (matrix, notes) = if header.array {
        (reader.array(&header, rows, columns)?, Vec::new())
    } else {
        reader.coordinates(&header, (rows, columns), count, options.kind)?
    };
    let entries = match &matrix {
        Matrix::Sparse(x) => format!(" with {} entries", x.count()),
        _ => String::new(),
    };
    let symmetric = if header.symmetric { "symmetric " } else { "" };
    let pattern = if header.pattern { ", no values (each counts 1)" } else { "" };
    let description = format!("Matrix Market, {symmetric}{rows} × {columns}{entries}{pattern}");
    Ok(Parsed { description, contents: Contents::Matrix(RawMatrix::new(matrix)), notes })
}

struct Reader<'a> {
    file: &'a str,
    source: &'a Source<'a>,
    records: Records<'a>,
    record: Record,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Source<'a>) -> Result<Self, Error> {
        let records = Records::new(source, Separator::Whitespace, Comments::Everywhere)?;
        Ok(Self { file: &source.name, source, records, record: Record::first_line() })
    }

    fn error(&self, problem: impl Into<String>) -> Error {
        Error::malformed(self.file, Place::line(self.record.line), problem)
    }

    fn next(&mut self) -> Result<bool, Error> {
        self.records.next(&mut self.record)
    }

    fn header(&mut self) -> Result<Header, Error> {
        // The header looks like a comment, so it is read apart from the records.
        let start = self.source.start(1024);
        let first_line =
            String::from_utf8_lossy(start.split(|&b| b == b'\n').next().unwrap_or_default()).to_lowercase();
        let words: Vec<&str> = first_line.split_whitespace().collect();
        let [_, "matrix", layout, field, symmetry] = words[..] else {
            return Err(self.error("the first line must be: %%MatrixMarket matrix coordinate|array TYPE SYMMETRY"));
        };
        let array = match layout {
            "array" => true,
            "coordinate" => false,
            other => return Err(self.error(format!("\"{other}\" is neither coordinate nor array"))),
        };
        let pattern = match field {
            "pattern" if array => return Err(self.error("an array must have values, so it cannot be a pattern")),
            "pattern" => true,
            "real" | "integer" | "double" => false,
            "complex" => {
                return Err(self.error("complex numbers cannot be embedded; save real ones"));
            }
            other => return Err(self.error(format!("\"{other}\" is none of real, integer, pattern"))),
        };
        let symmetric = match symmetry {
            "general" => false,
            "symmetric" => true,
            "skew-symmetric" | "hermitian" => {
                return Err(self.error(format!("a {symmetry} matrix has no meaning here; save it as general")));
            }
            other => return Err(self.error(format!("\"{other}\" is neither general nor symmetric"))),
        };
        Ok(Header { array, pattern, symmetric })
    }

    /// Rows, columns and, unless it is an array, entries.
    fn sizes(&mut self, array: bool) -> Result<(usize, usize, usize), Error> {
        if !self.next()? {
            return Err(Error::empty(self.file, "the line with the matrix's size is missing"));
        }
        let sizes: Vec<usize> = self.record.iter().filter_map(|cell| cell.parse().ok()).collect();
        match sizes[..] {
            [rows, columns] if array && self.record.len() == 2 => Ok((rows, columns, 0)),
            [rows, columns, count] if !array && self.record.len() == 3 => Ok((rows, columns, count)),
            _ => Err(self.error(format!("the size must be {} integers", if array { 2 } else { 3 }))),
        }
    }

    fn index(&self, cell: usize, limit: usize, what: &str) -> Result<u32, Error> {
        let text = self.record.get(cell);
        match text.parse::<usize>() {
            Ok(k) if (1..=limit).contains(&k) => Ok((k - 1) as u32),
            _ => Err(self.error(format!("{what} \"{text}\" is not between 1 and {limit}"))),
        }
    }

    fn value(&self, cell: usize, kind: Option<Kind>) -> Result<f64, Error> {
        let text = self.record.get(cell);
        let value: f64 = text.parse().map_err(|_| self.error(format!("\"{text}\" is not a number")))?;
        let problem = match kind {
            _ if value.is_nan() => None,
            None | Some(Kind::Points) if value.is_finite() => None,
            None | Some(Kind::Points) => Some(format!("the value \"{text}\" is infinite; values must be finite")),
            Some(Kind::Distance) => Quantity::Distance.problem(value),
            Some(_) => Quantity::Weight.problem(value),
        };
        match problem {
            Some(problem) => Err(Error::value(self.file, Place::line(self.record.line), problem)),
            None => Ok(value),
        }
    }

    fn coordinates(
        &mut self,
        header: &Header,
        shape: (usize, usize),
        count: usize,
        kind: Option<Kind>,
    ) -> Result<(Matrix, Vec<Note>), Error> {
        check_sparse_shape(shape, count).map_err(|problem| self.error(problem))?;
        let cells = if header.pattern { 2 } else { 3 };
        let mut triplets: Vec<(u32, u32, f64)> = Vec::new();
        let mut read = 0;
        while self.next()? {
            if self.record.len() != cells {
                return Err(
                    self.error(format!("an entry has {cells} numbers, but this line has {}", self.record.len()))
                );
            }
            read += 1;
            if read > count {
                return Err(self.error(format!("the size line promises {count} entries, and this is one more")));
            }
            let (i, j) = (self.index(0, shape.0, "row")?, self.index(1, shape.1, "column")?);
            let value = if header.pattern { 1.0 } else { self.value(2, kind)? };
            if value == 0.0 {
                continue;
            }
            triplets.push((i, j, value));
            if header.symmetric && i != j {
                triplets.push((j, i, value));
            }
        }
        if read < count {
            let problem = format!("the size line promises {count} entries, but the file ends after {read}");
            return Err(self.error(problem));
        }
        if check_sparse_shape(shape, read).is_err() {
            return Err(self.error("the matrix has far more rows than entries"));
        }
        let entries = triplets.len();
        let matrix = SparseCells::from_triplets(self.file, &Place::default(), shape, triplets)?;
        let repeated = entries - matrix.count();
        let repeated = if header.symmetric { repeated.div_ceil(2) } else { repeated };
        let notes = if repeated > 0 { vec![Note::RepeatedEdges(repeated)] } else { Vec::new() };
        Ok((Matrix::Sparse(matrix), notes))
    }

    /// Values column by column; of a symmetric matrix the lower triangle.
    fn array(&mut self, header: &Header, rows: usize, columns: usize) -> Result<Matrix, Error> {
        let full = rows.checked_mul(columns).ok_or_else(|| self.error("the matrix is too large"))?;
        if full == 0 {
            return Err(Error::empty(self.file, format!("the matrix is {rows} × {columns}")));
        }
        // n (n + 1)/2, without overflow.
        let expected = if header.symmetric { full.div_ceil(2) + rows / 2 } else { full };
        let mut values: Vec<f64> = Vec::new();
        while self.next()? {
            for cell in 0..self.record.len() {
                values.push(self.value(cell, None)?);
            }
            if values.len() > expected {
                return Err(
                    self.error(format!("a {rows} × {columns} matrix has {expected} values here, and these are more"))
                );
            }
        }
        if values.len() < expected {
            let problem = format!("{expected} values are needed, but the file ends after {}", values.len());
            return Err(self.error(problem));
        }
        let mut matrix = Array2::zeros((rows, columns));
        let mut next = values.into_iter();
        for j in 0..columns {
            for i in if header.symmetric { j..rows } else { 0..rows } {
                let value = next.next().unwrap_or(0.0);
                matrix[[i, j]] = value;
                if header.symmetric {
                    matrix[[j, i]] = value;
                }
            }
        }
        let double = rows == columns || self.source.is_double();
        Ok(if double { Matrix::Double(matrix) } else { Matrix::Single(matrix.mapv(|v| v as f32)) })
    }
}

/// Writes a matrix; only its lower triangle when it is symmetric to the last bit.
pub(crate) fn write(out: &mut dyn Write, matrix: &CsrMatrix<'_>) -> io::Result<()> {
    let symmetric = matrix.is_square() && matrix.iter().all(|(i, j, value)| matrix.get(j, i) == Some(value));
    let (name, entries) = if symmetric {
        ("symmetric", matrix.iter().filter(|(i, j, _)| j <= i).count())
    } else {
        ("general", matrix.nnz())
    };
    writeln!(out, "%%MatrixMarket matrix coordinate real {name}")?;
    writeln!(out, "{} {} {entries}", matrix.rows(), matrix.columns())?;
    for (i, j, value) in matrix.iter() {
        if !symmetric || j <= i {
            writeln!(out, "{} {} {}", i + 1, j + 1, number(value))?;
        }
    }
    Ok(())
}
