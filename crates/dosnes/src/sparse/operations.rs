//! Sums, products and parts of sparse matrices.

use super::{CsrMatrix, MatrixError, Number, Row, Stored, keep_strongest};
use crate::error::Error;
use rayon::prelude::*;
use std::ops::Range;

/// Rows of a product per task.
const CHUNK: usize = 256;
/// A matrix is transposed in so many parts, one after the other on each thread.
const TRANSPOSED_PARTS: usize = 64;

impl CsrMatrix<'_> {
    /// Returns an error if the matrix is not square.
    pub(crate) fn check_square(&self) -> Result<(), Error> {
        let (rows, columns) = self.shape();
        if self.is_square() { Ok(()) } else { Err(Error::NotSquare { rows, columns }) }
    }

    /// The transpose.
    #[must_use]
    pub fn transposed(&self) -> CsrMatrix<'static> {
        self.transposed_part(0..self.columns())
    }

    /// Some of the rows, in the given order.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn select_rows(&self, rows: &[usize]) -> CsrMatrix<'static> {
        let mut row_starts = Vec::with_capacity(rows.len() + 1);
        row_starts.push(0);
        let (mut column_indices, mut values) = (Vec::new(), self.values.none());
        for &i in rows {
            let row = self.row(i);
            column_indices.extend_from_slice(row.columns());
            row.iter().for_each(|(_, value)| values.push(value));
            row_starts.push(column_indices.len());
        }
        CsrMatrix::well_formed((rows.len(), self.columns()), row_starts, column_indices, values)
    }

    /// The given rows of the transpose.
    fn transposed_part(&self, rows: Range<usize>) -> CsrMatrix<'static> {
        transposed_rows((0..self.rows()).map(|i| (i, self.row(i))), rows, self.rows())
    }

    /// The entries of a square matrix and of its transpose. Where both store a value, they store the same one.
    pub(crate) fn united_with_transpose(&self) -> CsrMatrix<'static> {
        with_transpose(self, |a, b| a.or(b).unwrap_or(0.0))
    }

    /// A + B, for two matrices of the same shape.
    pub(crate) fn plus(&self, other: &CsrMatrix<'_>) -> CsrMatrix<'static> {
        merged(self, other, |a, b| a.unwrap_or(0.0) + b.unwrap_or(0.0))
    }

    /// The matrix times a number.
    pub(crate) fn times(self, factor: f64) -> CsrMatrix<'static> {
        let shape = self.shape();
        let (row_starts, column_indices, mut values) = self.into_parts();
        for value in &mut values {
            *value *= factor;
        }
        CsrMatrix::well_formed(shape, row_starts, column_indices, values)
    }

    /// The same entries with the values `map(row, column, value)`.
    pub(crate) fn mapped(&self, map: impl Fn(usize, usize, f64) -> f64) -> CsrMatrix<'static> {
        let values: Vec<f64> = self.iter().map(|(i, j, value)| map(i, j, value)).collect();
        CsrMatrix::well_formed(self.shape(), self.row_starts().to_vec(), self.column_indices().to_vec(), values)
    }

    /// The entries for which `keep(row, column, value)` holds.
    pub(crate) fn filtered(&self, keep: impl Fn(usize, usize, f64) -> bool) -> CsrMatrix<'static> {
        let mut row_starts = Vec::with_capacity(self.rows() + 1);
        row_starts.push(0);
        let (mut column_indices, mut values) = (Vec::new(), self.values.none());
        for (i, row) in self.iter_rows().enumerate() {
            for (j, value) in row.iter().filter(|&(j, value)| keep(i, j, value)) {
                column_indices.push(j as u32);
                values.push(value);
            }
            row_starts.push(column_indices.len());
        }
        CsrMatrix::well_formed(self.shape(), row_starts, column_indices, values)
    }

    /// The matrix without the columns that have no entry. Products with the transpose stay the same. This needs memory for the entries
    /// alone: a file may claim any number of columns.
    pub(crate) fn without_empty_columns(&self) -> CsrMatrix<'static> {
        let mut used = self.column_indices().to_vec();
        used.sort_unstable();
        used.dedup();
        let place = |j: &u32| used.partition_point(|other| other < j) as u32;
        let columns: Vec<u32> = self.column_indices().iter().map(place).collect();
        let mut values = self.values.none();
        self.iter().for_each(|(_, _, value)| values.push(value));
        CsrMatrix::well_formed((self.rows(), used.len()), self.row_starts().to_vec(), columns, values)
    }

    /// The matrix without stored zeros, in place.
    pub(crate) fn without_zeros(self) -> CsrMatrix<'static> {
        let shape = self.shape();
        let (mut row_starts, mut columns, values) = self.into_stored_parts();
        let values = match values {
            Stored::Double(values) => drop_zeros(&mut row_starts, &mut columns, values.into_owned()),
            Stored::Single(values) => drop_zeros(&mut row_starts, &mut columns, values.into_owned()),
        };
        CsrMatrix::well_formed(shape, row_starts, columns, values)
    }

    /// As [`principal_submatrix`](Self::principal_submatrix), without a copy if all entries stay.
    pub(crate) fn into_principal_submatrix(self, kept: &[usize], keep_diagonal: bool) -> CsrMatrix<'static> {
        let whole =
            kept.len() == self.rows() && self.iter().all(|(i, j, value)| value > 0.0 && (keep_diagonal || i != j));
        if whole { self.into_owned() } else { self.principal_submatrix(kept, keep_diagonal) }
    }

    /// The positive entries in the rows and columns `kept` (increasing) of a square matrix, with or without the
    /// diagonal.
    pub(crate) fn principal_submatrix(&self, kept: &[usize], keep_diagonal: bool) -> CsrMatrix<'static> {
        let mut new_index = vec![u32::MAX; self.rows()];
        for (new, &old) in kept.iter().enumerate() {
            new_index[old] = new as u32;
        }
        let mut row_starts = Vec::with_capacity(kept.len() + 1);
        row_starts.push(0);
        let (mut column_indices, mut values) = (Vec::new(), self.values.none());
        for &i in kept {
            for (j, value) in self.row(i).iter() {
                if value > 0.0 && new_index[j] != u32::MAX && (keep_diagonal || i != j) {
                    column_indices.push(new_index[j]);
                    values.push(value);
                }
            }
            row_starts.push(column_indices.len());
        }
        CsrMatrix::well_formed((kept.len(), kept.len()), row_starts, column_indices, values)
    }
}

/// The values that are not zero; the rows and columns become theirs.
fn drop_zeros<V: Number>(row_starts: &mut [usize], columns: &mut Vec<u32>, mut values: Vec<V>) -> Stored<'static> {
    if values.contains(&V::default()) {
        let mut kept = 0;
        let mut first = 0;
        for end_of_row in row_starts.iter_mut().skip(1) {
            let end = *end_of_row;
            for k in first..end {
                if values[k] != V::default() {
                    (columns[kept], values[kept]) = (columns[k], values[k]);
                    kept += 1;
                }
            }
            first = end;
            *end_of_row = kept;
        }
        columns.truncate(kept);
        values.truncate(kept);
    }
    V::store(values)
}

/// The given rows of the transpose of a matrix with this number of rows, of which `all` are those that are not empty.
pub(super) fn transposed_rows<'a>(
    all: impl Iterator<Item = (usize, Row<'a>)> + Clone,
    rows: Range<usize>,
    columns: usize,
) -> CsrMatrix<'static> {
    // The entries of a row that belong to these rows of the transpose are next to each other.
    let part_of = |row: Row<'_>| {
        let first = row.columns().partition_point(|&j| (j as usize) < rows.start);
        first..first + row.columns()[first..].partition_point(|&j| (j as usize) < rows.end)
    };
    let mut row_starts = vec![0; rows.len() + 1];
    for (_, row) in all.clone() {
        for &j in &row.columns()[part_of(row)] {
            row_starts[j as usize - rows.start + 1] += 1;
        }
    }
    for j in 0..rows.len() {
        row_starts[j + 1] += row_starts[j];
    }
    let mut next = row_starts.clone();
    let total = row_starts[rows.len()];
    let (mut column_indices, mut values) = (vec![0; total], vec![0.0; total]);
    for (i, row) in all {
        let part = part_of(row);
        for (&j, value) in row.columns()[part.clone()].iter().zip(part.map(|k| row.values.get(k))) {
            let slot = &mut next[j as usize - rows.start];
            column_indices[*slot] = i as u32;
            values[*slot] = value;
            *slot += 1;
        }
    }
    CsrMatrix::well_formed((rows.len(), columns), row_starts, column_indices, values)
}

/// Half of each. Both halves are exact, and their sum cannot overflow.
pub(super) fn halves(a: Option<f64>, b: Option<f64>) -> f64 {
    0.5 * a.unwrap_or(0.0) + 0.5 * b.unwrap_or(0.0)
}

/// (B + Bᵀ)/2 of a square matrix, without zeros.
pub(crate) fn symmetrized(b: &CsrMatrix<'_>) -> CsrMatrix<'static> {
    with_transpose(b, halves)
}

/// `combine` of each pair of entries at the same place of a square matrix and of its transpose, without zeros. Places
/// that neither of them stores are left out.
///
/// There is never a whole transpose: each task transposes only the part that its own rows need. The rows are counted
/// first, so that the result is allocated once. It has the precision of the matrix.
fn with_transpose(
    matrix: &CsrMatrix<'_>,
    combine: impl Fn(Option<f64>, Option<f64>) -> f64 + Sync,
) -> CsrMatrix<'static> {
    match matrix.stored_values() {
        Stored::Double(_) => with_transpose_in::<f64>(matrix, combine),
        Stored::Single(_) => with_transpose_in::<f32>(matrix, combine),
    }
}

fn with_transpose_in<V: Number>(
    matrix: &CsrMatrix<'_>,
    combine: impl Fn(Option<f64>, Option<f64>) -> f64 + Sync,
) -> CsrMatrix<'static> {
    let n = matrix.rows();
    let block = n.div_ceil(TRANSPOSED_PARTS).max(1);
    let blocks: Vec<Range<usize>> = (0..n).step_by(block).map(|first| first..(first + block).min(n)).collect();
    let lengths: Vec<Vec<usize>> = blocks
        .par_iter()
        .map(|rows| {
            let transposed = matrix.transposed_part(rows.clone());
            let length = |(i, other)| merged_row(matrix.row(i), other, &combine).count();
            rows.clone().zip(transposed.iter_rows()).map(length).collect()
        })
        .collect();
    let row_starts = starts_of(lengths.into_iter().flatten());
    let total = row_starts[n];
    let (mut column_indices, mut values) = (vec![0_u32; total], vec![V::default(); total]);
    let mut tasks = Vec::with_capacity(blocks.len());
    let (mut columns_left, mut values_left) = (column_indices.as_mut_slice(), values.as_mut_slice());
    for rows in blocks {
        let entries = row_starts[rows.end] - row_starts[rows.start];
        let (columns, columns_after) = columns_left.split_at_mut(entries);
        let (of_block, values_after) = values_left.split_at_mut(entries);
        (columns_left, values_left) = (columns_after, values_after);
        tasks.push((rows, columns, of_block));
    }
    tasks.into_par_iter().for_each(|(rows, columns, values)| {
        let transposed = matrix.transposed_part(rows.clone());
        let entries =
            rows.zip(transposed.iter_rows()).flat_map(|(i, other)| merged_row(matrix.row(i), other, &combine));
        for ((column, value), (j, merged)) in columns.iter_mut().zip(values).zip(entries) {
            (*column, *value) = (j as u32, V::of(merged));
        }
    });
    CsrMatrix::well_formed((n, n), row_starts, column_indices, V::store(values))
}

/// The start of each row and the end of the last one, for rows of these lengths.
pub(super) fn starts_of(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let ends = lengths.scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// `combine` of each pair of entries at the same place of two rows, without zeros.
pub(super) fn merged_row<'a>(
    a: Row<'a>,
    b: Row<'a>,
    combine: &'a impl Fn(Option<f64>, Option<f64>) -> f64,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let mut a = a.iter().peekable();
    let mut b = b.iter().peekable();
    std::iter::from_fn(move || {
        let next = match (a.peek(), b.peek()) {
            (Some(&(j, _)), Some(&(k, _))) => j.min(k),
            (Some(&(j, _)), None) | (None, Some(&(j, _))) => j,
            (None, None) => return None,
        };
        let at = |entry: Option<(usize, f64)>| entry.map(|(_, value)| value);
        Some((next, combine(at(a.next_if(|&(j, _)| j == next)), at(b.next_if(|&(j, _)| j == next)))))
    })
    .filter(|&(_, value)| value != 0.0)
}

/// `combine` of each pair of entries at the same place of two matrices of the same shape, without zeros. Places that
/// neither of them stores are left out.
fn merged(
    a: &CsrMatrix<'_>,
    b: &CsrMatrix<'_>,
    combine: impl Fn(Option<f64>, Option<f64>) -> f64,
) -> CsrMatrix<'static> {
    let mut row_starts = Vec::with_capacity(a.rows() + 1);
    row_starts.push(0);
    let (mut column_indices, mut values) = (Vec::with_capacity(a.nnz()), Vec::with_capacity(a.nnz()));
    for (a, b) in a.iter_rows().zip(b.iter_rows()) {
        for (j, value) in merged_row(a, b, &combine) {
            column_indices.push(j as u32);
            values.push(value);
        }
        row_starts.push(column_indices.len());
    }
    CsrMatrix::well_formed(a.shape(), row_starts, column_indices, values)
}

/// B Cᵀ for two matrices of the same shape, by rows, in parallel: entry (i, j) is Σ_k B_ik C_jk, in the order of k.
pub(crate) fn product_with_transpose(b: &CsrMatrix<'_>, c: &CsrMatrix<'_>) -> Result<CsrMatrix<'static>, MatrixError> {
    Ok(rows_of_product(b, c, b.rows())?.0)
}

/// The entries of `BBᵀ` that are among the strongest `most` of their row or of their column, without the diagonal of
/// the rows that were cut; and whether any row was cut.
pub(crate) fn strongest_of_product(b: &CsrMatrix<'_>, most: usize) -> Result<(CsrMatrix<'static>, bool), MatrixError> {
    let (product, cut) = rows_of_product(b, b, most)?;
    Ok(if cut { (product.united_with_transpose(), true) } else { (product, false) })
}

/// Some rows of a product.
struct Part {
    lengths: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// Whether a row was cut.
    cut: bool,
}

/// The `most` strongest entries of each row of B Cᵀ, and whether any row had more.
fn rows_of_product(
    b: &CsrMatrix<'_>,
    c: &CsrMatrix<'_>,
    most: usize,
) -> Result<(CsrMatrix<'static>, bool), MatrixError> {
    let n = b.rows();
    let by_column = c.transposed();
    let parts: Vec<Part> = (0..n.div_ceil(CHUNK))
        .into_par_iter()
        .map_init(
            || vec![0.0_f64; n],
            |sums, part| {
                let (mut lengths, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
                let mut cut = false;
                for i in part * CHUNK..((part + 1) * CHUNK).min(n) {
                    let start = columns.len();
                    for (k, x) in b.row(i).iter().filter(|&(_, x)| x != 0.0) {
                        for (j, y) in by_column.row(k).iter().filter(|&(_, y)| y != 0.0) {
                            if sums[j] == 0.0 {
                                columns.push(j as u32);
                            }
                            sums[j] += x * y;
                        }
                    }
                    if columns.len() - start > most {
                        cut = true;
                        let mut entries: Vec<(u32, f64)> = columns[start..]
                            .iter()
                            .map(|&j| (j, std::mem::take(&mut sums[j as usize])))
                            .filter(|entry| entry.0 as usize != i)
                            .collect();
                        keep_strongest(i, &mut entries, most);
                        columns.truncate(start);
                        for (j, value) in entries {
                            columns.push(j);
                            values.push(value);
                        }
                    } else {
                        columns[start..].sort_unstable();
                        for &j in &columns[start..] {
                            values.push(std::mem::take(&mut sums[j as usize]));
                        }
                    }
                    lengths.push(columns.len() - start);
                }
                Part { lengths, columns, values, cut }
            },
        )
        .collect();
    let mut row_starts = vec![0];
    let (mut column_indices, mut values) = (Vec::new(), Vec::new());
    let mut cut = false;
    for part in parts {
        cut |= part.cut;
        for length in part.lengths {
            row_starts.push(row_starts[row_starts.len() - 1] + length);
        }
        column_indices.extend(part.columns);
        values.extend(part.values);
    }
    // Products of huge numbers may overflow: this must be checked.
    Ok((CsrMatrix::new((n, n), row_starts, column_indices, values)?, cut))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrices() -> impl Strategy<Value = (CsrMatrix<'static>, CsrMatrix<'static>)> {
        let entry = (0_u32..9, 0_u32..9, prop_oneof![Just(0.0), 0.1..5.0_f64]);
        let entries = || proptest::collection::vec(entry.clone(), 0..30);
        (1_usize..9, 1_usize..9, entries(), entries()).prop_map(|(rows, columns, a, b)| {
            let build = |entries: Vec<(u32, u32, f64)>| {
                let inside: Vec<_> =
                    entries.into_iter().map(|(i, j, v)| (i % rows as u32, j % columns as u32, v)).collect();
                CsrMatrix::from_triplets((rows, columns), &inside).unwrap()
            };
            (build(a), build(b))
        })
    }

    /// Memory for all columns of this matrix would be 32 GB.
    #[test]
    fn columns_without_entries_can_be_left_out_however_many_there_are() {
        let last = u32::MAX - 1;
        let triplets = [(0, 5, 1.0), (0, last, 2.0), (1, last, 3.0)];
        let narrow = CsrMatrix::from_triplets((2, u32::MAX as usize), &triplets).unwrap().without_empty_columns();
        assert_eq!(narrow, CsrMatrix::from_triplets((2, 2), &[(0, 0, 1.0), (0, 1, 2.0), (1, 1, 3.0)]).unwrap());
    }

    proptest! {
        #[test]
        fn products_do_not_depend_on_columns_without_entries((b, _) in matrices()) {
            let narrow = b.without_empty_columns();
            prop_assert!(narrow.columns() <= b.nnz());
            prop_assert_eq!(product_with_transpose(&narrow, &narrow), product_with_transpose(&b, &b));
        }

        #[test]
        fn operations_are_those_of_dense_matrices((b, c) in matrices()) {
            prop_assert_eq!(b.transposed().to_dense(), b.to_dense().t().to_owned());
            let product = product_with_transpose(&b, &c).unwrap().to_dense();
            let expected = b.to_dense().dot(&c.to_dense().t());
            prop_assert!((&product - &expected).iter().all(|d| d.abs() < 1e-12), "{} {}", product, expected);
            let square = product_with_transpose(&b, &c).unwrap();
            let dense = square.to_dense();
            prop_assert_eq!(symmetrized(&square).to_dense(), (&dense + &dense.t()) / 2.0);
            let kept: Vec<usize> = (0..b.rows()).filter(|i| i % 2 == 0).collect();
            prop_assert_eq!(b.select_rows(&kept).to_dense(), b.to_dense().select(ndarray::Axis(0), &kept));
            for keep_diagonal in [false, true] {
                let part = square.principal_submatrix(&kept, keep_diagonal);
                for (a, &i) in kept.iter().enumerate() {
                    for (b, &j) in kept.iter().enumerate() {
                        let expected = if i == j && !keep_diagonal { 0.0 } else { dense[[i, j]] };
                        prop_assert_eq!(part.get(a, b).unwrap_or(0.0), expected);
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_cut_product_keeps_what_one_of_the_two_items_keeps((b, _) in matrices(), most in 1_usize..9) {
            let whole = product_with_transpose(&b, &b).unwrap();
            let kept: Vec<Vec<u32>> = whole
                .iter_rows()
                .enumerate()
                .map(|(i, row)| {
                    let mut entries: Vec<(u32, f64)> = row.iter().map(|(j, value)| (j as u32, value)).collect();
                    if entries.len() > most {
                        entries.retain(|entry| entry.0 as usize != i);
                        keep_strongest(i, &mut entries, most);
                    }
                    entries.into_iter().map(|entry| entry.0).collect()
                })
                .collect();
            let (found, cut) = strongest_of_product(&b, most).unwrap();
            prop_assert_eq!(cut, whole.iter_rows().any(|row| row.len() > most));
            for i in 0..b.rows() {
                for j in 0..b.rows() {
                    let either = kept[i].contains(&(j as u32)) || kept[j].contains(&(i as u32));
                    prop_assert_eq!(found.get(i, j), if either { whole.get(i, j) } else { None }, "{} {}", i, j);
                }
            }
        }
    }

    #[test]
    fn a_product_that_overflows_is_rejected() {
        let huge = CsrMatrix::from_triplets((2, 1), &[(0, 0, 1e200), (1, 0, 1e200)]).unwrap();
        assert!(matches!(product_with_transpose(&huge, &huge), Err(MatrixError::NotFinite { row: 0, .. })));
    }
}
