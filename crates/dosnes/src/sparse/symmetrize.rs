//! (B + Bᵀ)/2, with as little memory beside B as possible.
//!
//! The similarities of points to their neighbours are most of the memory of a run, and the symmetric ones are half as many again. So
//! B is divided into parts, which shrink while the result grows: when the rows up to r are done, what is left of these rows is
//! only their entries in columns from r on, which later rows still need from the other side.

use super::{
    CsrMatrix, Number, Row, Stored,
    operations::{halves, merged_row, starts_of, symmetrized, transposed_rows},
};
use rayon::prelude::*;
use std::ops::Range;

/// Most parts of B.
const MOST_PARTS: usize = 16;
/// Entries of a part. The system gets the memory of large vectors back, but not that of small ones.
const PART: usize = 2 << 20;
/// Tasks for each part. Each of them looks at every row that is left.
const TASKS: usize = 4;
/// Smaller matrices are not worth the effort.
const MANY: usize = 1 << 20;

/// (B + Bᵀ)/2 of a square matrix, without zeros: the same as [`symmetrized`].
pub(crate) fn into_symmetrized(b: CsrMatrix<'_>) -> CsrMatrix<'static> {
    if b.nnz() < MANY || !b.is_owned() {
        return symmetrized(&b);
    }
    let (row_starts, columns, values) = b.into_stored_parts();
    match values {
        Stored::Double(values) => in_parts(&row_starts, columns, values.into_owned()),
        Stored::Single(values) => in_parts(&row_starts, columns, values.into_owned()),
    }
}

fn in_parts<V: Number>(row_starts: &[usize], columns: Vec<u32>, values: Vec<V>) -> CsrMatrix<'static> {
    let n = row_starts.len() - 1;
    let mut parts = divided(row_starts, columns, values);
    let tasks: Vec<Range<usize>> = parts.iter().flat_map(Part::tasks).collect();
    let lengths: Vec<Vec<usize>> = tasks
        .par_iter()
        .map(|rows| {
            let transposed = transposed_rows(all_rows(&parts), rows.clone(), n);
            let own = rows_of(&parts, rows.clone());
            own.zip(transposed.iter_rows()).map(|((_, row), other)| merged_row(row, other, &halves).count()).collect()
        })
        .collect();
    let row_starts = starts_of(lengths.into_iter().flatten());
    let total = row_starts[n];
    // The system gives memory only to what is written, so the result takes over what the parts give back.
    let (mut columns, mut values) = (vec![0_u32; total], vec![V::default(); total]);
    let (mut columns_left, mut values_left) = (columns.as_mut_slice(), values.as_mut_slice());
    for done in 0..parts.len() {
        let mut slices = Vec::with_capacity(TASKS);
        for rows in parts[done].tasks() {
            let entries = row_starts[rows.end] - row_starts[rows.start];
            let (of_task, columns_after) = columns_left.split_at_mut(entries);
            let (values_of_task, values_after) = values_left.split_at_mut(entries);
            (columns_left, values_left) = (columns_after, values_after);
            slices.push((rows, of_task, values_of_task));
        }
        slices.into_par_iter().for_each(|(rows, columns, values)| {
            let transposed = transposed_rows(all_rows(&parts), rows.clone(), n);
            let own = rows_of(&parts, rows);
            let entries = own.zip(transposed.iter_rows()).flat_map(|((_, row), other)| merged_row(row, other, &halves));
            for ((column, value), (j, merged)) in columns.iter_mut().zip(values).zip(entries) {
                (*column, *value) = (j as u32, V::of(merged));
            }
        });
        let end = parts[done].end();
        parts[..=done].par_iter_mut().for_each(|part| part.keep_from(end as u32));
    }
    CsrMatrix::well_formed((n, n), row_starts, columns, V::store(values))
}

/// Some rows of a matrix.
struct Part<V> {
    /// The first row.
    first: usize,
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<V>,
}

/// Divides a matrix from its end on, so that there is never a second copy.
fn divided<V: Number>(row_starts: &[usize], mut columns: Vec<u32>, mut values: Vec<V>) -> Vec<Part<V>> {
    let n = row_starts.len() - 1;
    let count = (columns.len() / PART).clamp(2, MOST_PARTS);
    let mut parts: Vec<Part<V>> = (0..count)
        .rev()
        .map(|part| {
            let (first, end) = (n * part / count, n * (part + 1) / count);
            let start = row_starts[first];
            let (columns_of_part, values_of_part) = (columns.split_off(start), values.split_off(start));
            columns.shrink_to_fit();
            values.shrink_to_fit();
            let starts = row_starts[first..=end].iter().map(|at| at - start).collect();
            Part { first, starts, columns: columns_of_part, values: values_of_part }
        })
        .collect();
    parts.reverse();
    parts
}

impl<V: Number> Part<V> {
    /// The row after the last one.
    fn end(&self) -> usize {
        self.first + self.starts.len() - 1
    }

    fn tasks(&self) -> impl Iterator<Item = Range<usize>> + use<V> {
        let (first, rows) = (self.first, self.starts.len() - 1);
        (0..TASKS).map(move |task| first + rows * task / TASKS..first + rows * (task + 1) / TASKS)
    }

    fn row(&self, i: usize) -> Row<'_> {
        let range = self.starts[i - self.first]..self.starts[i - self.first + 1];
        Row { columns: &self.columns[range.clone()], values: V::row(&self.values[range]) }
    }

    /// Drops the entries in smaller columns.
    fn keep_from(&mut self, column: u32) {
        let mut kept = 0;
        let mut first = self.starts[0];
        for row in 1..self.starts.len() {
            let end = self.starts[row];
            let from = first + self.columns[first..end].partition_point(|&j| j < column);
            self.columns.copy_within(from..end, kept);
            self.values.copy_within(from..end, kept);
            kept += end - from;
            first = end;
            self.starts[row] = kept;
        }
        self.columns.truncate(kept);
        self.values.truncate(kept);
        self.columns.shrink_to_fit();
        self.values.shrink_to_fit();
    }
}

fn all_rows<V: Number>(parts: &[Part<V>]) -> impl Iterator<Item = (usize, Row<'_>)> + Clone {
    parts.iter().flat_map(|part| (part.first..part.end()).map(move |i| (i, part.row(i))))
}

/// Rows of a single part.
fn rows_of<V: Number>(parts: &[Part<V>], rows: Range<usize>) -> impl Iterator<Item = (usize, Row<'_>)> {
    let part = parts.iter().find(|part| part.first <= rows.start && rows.end <= part.end());
    rows.filter_map(move |i| part.map(|part| (i, part.row(i))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_that_shrink_give_the_same_matrix(
            n in 1_usize..60,
            entries in prop::collection::vec((0_u32..60, 0_u32..60, 0.0_f64..1.0), 0..400),
        ) {
            let triplets: Vec<(u32, u32, f64)> =
                entries.into_iter().map(|(i, j, value)| (i % n as u32, j % n as u32, value)).collect();
            let b = CsrMatrix::from_triplets((n, n), &triplets).unwrap();
            let (row_starts, columns, values) = b.clone().into_parts();
            prop_assert_eq!(in_parts(&row_starts, columns.clone(), values.clone()), symmetrized(&b));
            let singles: Vec<f32> = values.iter().map(|&value| value as f32).collect();
            let b = CsrMatrix::well_formed((n, n), row_starts.clone(), columns.clone(), singles.clone());
            prop_assert_eq!(in_parts(&row_starts, columns, singles), symmetrized(&b));
        }
    }
}
