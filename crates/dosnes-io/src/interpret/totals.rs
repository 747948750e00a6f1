//! The sums that spreadsheets put beside and below a table.

use dosnes::input::Values;
use dosnes::ndarray::Array2;

use crate::column_names;
use crate::note::Note;
use crate::raw::{Matrix, RawMatrix};

/// Rows and columns beside the sums, at least.
const FEWEST: usize = 3;

/// Leaves out a last row and a last column that are called totals and are the sums of all others; a last row that is called a
/// mean or the like is a doubt.
pub(super) fn leave_out(raw: &mut RawMatrix) -> Vec<Note> {
    let mut notes = Vec::new();
    // The sums of a table with a header and names.
    let (Some(items), Some(partners)) = (&raw.items, &raw.partners) else { return notes };
    let named = raw.id_column.is_some() && raw.lines.is_some();
    let (rows, columns) = raw.matrix.shape();
    if named && rows > FEWEST && items.len() == rows && partners.len() == columns {
        let last_row = items.ids[rows - 1].clone();
        let last_column = partners.ids.last().cloned().unwrap_or_default();
        let has_row = column_names::is_total(&last_row) && of(&raw.matrix, is_sum_of_rows);
        let has_column = columns > FEWEST
            && column_names::is_total(&last_column)
            && of(&raw.matrix, |x| is_sum_of_rows(&x.t().to_owned()));
        let kept = (rows - usize::from(has_row), columns - usize::from(has_column));
        if has_row {
            raw.items = Some(items.select(&(0..kept.0).collect::<Vec<_>>()));
            raw.lines.iter_mut().for_each(|lines| lines.truncate(kept.0));
            notes.push(Note::TotalsLeftOut { what: "row", name: last_row });
        } else if column_names::is_summary(&last_row) {
            notes.push(Note::LastRowIsSummary { name: last_row });
        }
        if has_column {
            raw.partners = Some(partners.select(&(0..kept.1).collect::<Vec<_>>()));
            notes.push(Note::TotalsLeftOut { what: "column", name: last_column });
        }
        if kept != (rows, columns) {
            raw.matrix = match std::mem::replace(&mut raw.matrix, Matrix::Single(Array2::zeros((0, 0)))) {
                Matrix::Double(x) => Matrix::Double(Array2::from_shape_fn(kept, |place| x[place])),
                Matrix::Single(x) => Matrix::Single(Array2::from_shape_fn(kept, |place| x[place])),
                sparse @ Matrix::Sparse(_) => sparse,
            };
        }
    }
    notes
}

/// Rows between the others that are called totals, and are the sums of the rows since the one before them.
pub(super) fn between(raw: &RawMatrix) -> Option<Note> {
    let items = raw.items.as_ref().filter(|_| raw.lines.is_some())?;
    let texts = || {
        items
            .columns
            .iter()
            .filter_map(|column| if let Values::Text(texts) = &column.values { Some(texts) } else { None })
    };
    let name = |i: usize| {
        let mut names = texts().map(|texts| &texts[i]).chain(items.ids.get(i));
        names.find(|name| column_names::has_total_in_name(name)).cloned()
    };
    let named: Vec<(usize, String)> = (0..items.len()).filter_map(|i| Some((i, name(i)?))).collect();
    if named.is_empty() || 2 * named.len() > items.len() {
        return None;
    }
    let starts = std::iter::once(0).chain(named.iter().map(|(i, _)| i + 1));
    let are_sums = |start: usize, end: usize| {
        let columns = raw.matrix.shape().1;
        let rows = |value: &dyn Fn(usize, usize) -> f64| {
            Array2::from_shape_fn((end + 1 - start, columns), |(i, j)| value(start + i, j))
        };
        end > start + 1
            && match &raw.matrix {
                Matrix::Double(x) => is_sum_of_rows(&rows(&|i, j| x[[i, j]])),
                Matrix::Single(x) => is_sum_of_rows(&rows(&|i, j| f64::from(x[[i, j]]))),
                Matrix::Sparse(_) => false,
            }
    };
    let mut found = starts.zip(&named).filter(|(start, (end, _))| are_sums(*start, *end)).map(|(_, (_, name))| name);
    let first = found.next()?.clone();
    Some(Note::RowsOfTotals { count: 1 + found.count(), first })
}

fn of(matrix: &Matrix, test: impl Fn(&Array2<f64>) -> bool) -> bool {
    match matrix {
        Matrix::Double(x) => test(x),
        Matrix::Single(x) => test(&x.mapv(f64::from)),
        Matrix::Sparse(_) => false,
    }
}

/// Whether the last row is the sum of all others, up to their rounding.
fn is_sum_of_rows(x: &Array2<f64>) -> bool {
    let last = x.nrows() - 1;
    let mut different = 0;
    let sums = x.columns().into_iter().all(|column| {
        let sum: f64 = column.iter().take(last).sum();
        let size: f64 = column.iter().take(last).map(|v| v.abs()).sum();
        different += usize::from(sum != 0.0);
        (column[last] - sum).abs() <= 1e-3 * size
    });
    sums && different > 1
}
