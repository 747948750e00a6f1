//! Vectors in a cell: `"[0.1, 0.2]"`, as pandas writes a column of lists or arrays, and fingerprints: `0100110100`.

use super::records::Record;

/// The columns of vectors, with the number of their entries.
#[derive(Debug, Default)]
pub(super) struct VectorCells {
    columns: Vec<(usize, usize)>,
}

impl VectorCells {
    /// A column has vectors if all of its cells are lists of the same number of numbers. The first row may be a header.
    pub(super) fn of(sample: &[Record]) -> Self {
        let rest = sample.get(1..).unwrap_or_default();
        let width = rest.iter().map(Record::len).max().unwrap_or(0);
        let length = |column: usize| {
            let lengths = || rest.iter().map(|record| entries(record.get(column)).map(|all| all.len()));
            let first = lengths().next()??;
            let is_same = first > 1 && lengths().all(|length| length == Some(first));
            // Numbers do not begin with zeros, but fingerprints of molecules may be the only column.
            let cells = || rest.iter().map(|record| record.get(column));
            let is_number = cells().all(|cell| is_bits(cell) && !cell.starts_with('0'));
            (is_same && !is_number).then_some((column, first))
        };
        Self { columns: (0..width).filter_map(length).collect() }
    }

    /// A cell for each entry. Above them, `name` becomes `name[0]`, `name[1]`, ….
    pub(super) fn expand(&self, record: &mut Record) {
        if self.columns.is_empty() {
            return;
        }
        *record = record.expanded(|k, cell| {
            let found = self.columns.binary_search_by_key(&k, |(column, _)| *column).ok()?;
            let (_, length) = self.columns[found];
            match entries(cell) {
                Some(entries) if entries.len() == length => Some(entries.into_iter().map(str::to_owned).collect()),
                // A row whose vector has another length stays as it is, and is refused because of its own length.
                Some(_) => None,
                None => Some((0..length).map(|entry| format!("{cell}[{entry}]")).collect()),
            }
        });
    }
}

/// Numbers between blanks, at least, that are a vector without brackets: fewer may be the digits of a telephone.
const FEWEST_WITHOUT_BRACKETS: usize = 8;

/// Bits without separators, at least: fewer may be a number.
const FEWEST_BITS: usize = 8;

/// Whether a cell has nothing but bits, as RDKit writes a fingerprint: `0100110100`.
fn is_bits(cell: &str) -> bool {
    cell.len() >= FEWEST_BITS && cell.bytes().all(|b| matches!(b, b'0' | b'1'))
}

/// The numbers of a list in brackets, braces or parentheses, as Python, NumPy, `PyTorch` and databases write it, or of many
/// numbers between blanks; or bits.
fn entries(cell: &str) -> Option<Vec<&str>> {
    if is_bits(cell) {
        return Some((0..cell.len()).map(|k| &cell[k..=k]).collect());
    }
    let inner = ["tensor(", "array(", "np.array("].iter().find_map(|start| cell.strip_prefix(start));
    // What follows the list says of what type it is.
    let list = match inner {
        Some(inner) => &inner[..=inner.rfind(']')?],
        None => cell,
    };
    let between = |open: char, close: char| list.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    let inner = between('[', ']').or_else(|| between('(', ')')).or_else(|| between('{', '}'));
    let entries: Vec<&str> = inner
        .unwrap_or(list)
        .split(|c: char| c == ',' && inner.is_some() || c.is_whitespace())
        .filter(|entry| !entry.is_empty())
        .collect();
    let enough = inner.is_some() || entries.len() >= FEWEST_WITHOUT_BRACKETS;
    (enough && entries.iter().all(|entry| entry.parse::<f64>().is_ok())).then_some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_numbers_have_many_forms() {
        for cell in ["[1, 2.5]", "(1 2.5)", "{1,2.5}", "tensor([1, 2.5])", "array([1, 2.5], dtype=float32)"] {
            assert_eq!(entries(cell), Some(vec!["1", "2.5"]), "{cell}");
        }
        assert_eq!(entries("70 80 82 72 58 58 60 63").map(|all| all.len()), Some(8));
        assert_eq!(entries("0100110100").map(|all| all.len()), Some(10));
        for cell in ["01 23 45 67 89", "1 234 567 890", "[a, b]", "1", "", "tensor(", "array(]"] {
            assert_eq!(entries(cell).filter(|all| all.len() > 1), None, "{cell}");
        }
    }
}
