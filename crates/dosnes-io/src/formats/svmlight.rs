//! svmlight (LIBSVM): `label index:value index:value …`, one item a line.

use dosnes::input::{Column, Items};

use crate::columns::numbers_if_possible;
use crate::error::{Error, Place};
use crate::raw::{Contents, Matrix, Parsed, RawMatrix};
use crate::source::Source;
use crate::sparse::{SparseCells, check_sparse_shape};
use crate::text::records::{Comments, Record, Records};
use crate::text::separator::Separator;

/// An entry `index:value`.
fn entry(cell: &str) -> Option<(u32, f64)> {
    let (index, value) = cell.split_once(':')?;
    Some((index.parse().ok()?, value.parse().ok()?))
}

/// Whether the first lines are labels with entries.
pub(crate) fn looks_like_svmlight(text: &str) -> bool {
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).take(20).collect();
    let is_row = |line: &&str| {
        let mut cells = line.split('#').next().unwrap_or_default().split_whitespace();
        let label = cells.next().is_some_and(|label| label.split(',').all(|part| part.parse::<f64>().is_ok()));
        label && cells.filter(|cell| !cell.starts_with("qid:")).all(|cell| entry(cell).is_some())
    };
    // The last line of the examined text may be cut off.
    let complete = lines.len().saturating_sub(1).max(1);
    lines.iter().take(complete).all(is_row) && lines.iter().any(|line| line.contains(':'))
}

/// Reads a file. The labels are a column of metadata.
pub(crate) fn read(source: &Source<'_>) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let mut records = Records::new(source, Separator::Whitespace, Comments::Everywhere)?;
    let mut record = Record::default();
    let (mut labels, mut triplets) = (Vec::new(), Vec::new());
    let (mut lowest, mut highest) = (u32::MAX, 0);
    while records.next(&mut record)? {
        let row = labels.len() as u32;
        labels.push(record.get(0).to_owned());
        for k in 1..record.len() {
            let cell = record.get(k);
            if cell.starts_with('#') {
                break;
            }
            if cell.starts_with("qid:") {
                continue;
            }
            let Some((index, value)) = entry(cell) else {
                let problem = format!("\"{cell}\" is not an entry such as 3:0.5");
                return Err(Error::malformed(file, Place::line(record.line), problem));
            };
            if value.is_infinite() {
                let problem = format!("the value in \"{cell}\" is infinite; values must be finite");
                return Err(Error::value(file, Place::line(record.line), problem));
            }
            lowest = lowest.min(index);
            highest = highest.max(index);
            triplets.push((row, index, value));
        }
    }
    if triplets.is_empty() {
        return Err(Error::empty(file, "there are no entries in it"));
    }
    // Columns are counted from 1, or from 0 as scikit-learn writes them.
    let base = u32::from(lowest > 0);
    for (_, index, _) in &mut triplets {
        *index -= base;
    }
    let shape = (labels.len(), (highest - base) as usize + 1);
    check_sparse_shape(shape, triplets.len()).map_err(|problem| Error::malformed(file, Place::default(), problem))?;
    let matrix = SparseCells::from_triplets(file, &Place::default(), shape, triplets)?;
    let label = Column { name: "label".into(), values: numbers_if_possible(labels) };
    let items = Items { columns: vec![label], ..Items::numbered(shape.0) };
    let description = format!("svmlight, {} rows × {} columns with {} entries", shape.0, shape.1, matrix.count());
    let kind = Some(dosnes::Kind::Points);
    let raw = RawMatrix { items: Some(items), kind, ..RawMatrix::new(Matrix::Sparse(matrix)) };
    Ok(Parsed { description, contents: Contents::Matrix(raw), notes: Vec::new() })
}
