//! Vectors in a cell: `"[0.1, 0.2]"`, as pandas writes a column of lists or arrays.

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
            (first > 1 && lengths().all(|length| length == Some(first))).then_some((column, first))
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

/// The numbers of a list in brackets or parentheses.
fn entries(cell: &str) -> Option<Vec<&str>> {
    let inner = cell.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let inner = inner.or_else(|| cell.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')))?;
    let entries: Vec<&str> =
        inner.split(|c: char| c == ',' || c.is_whitespace()).filter(|entry| !entry.is_empty()).collect();
    entries.iter().all(|entry| entry.parse::<f64>().is_ok()).then_some(entries)
}
