//! Construction of sparse matrices: from parts, from triplets, and from types of other crates.

use super::{CsrMatrix, Stored};
use std::borrow::Cow;

/// Why something is not a sparse matrix in compressed rows. Rows and columns are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// There must be a start for each row, and one more for the end of the last row.
    #[error("there are {found} row starts, but {rows} rows need {}", rows + 1)]
    RowStartCount {
        /// Number of row starts.
        found: usize,
        /// Number of rows.
        rows: usize,
    },
    /// The starts must begin with 0, never decrease, and end with the number of entries.
    #[error("row {row} starts at entry {start}, which is before the row above it or behind the last entry")]
    RowStart {
        /// The row; the number of rows means the end of the last row.
        row: usize,
        /// Its start.
        start: usize,
    },
    /// Each entry has one column and one value.
    #[error("there are {columns} column indices but {values} values")]
    EntryCount {
        /// Number of column indices.
        columns: usize,
        /// Number of values.
        values: usize,
    },
    /// The columns of a row must be strictly increasing.
    #[error("the columns of row {row} are not strictly increasing at column {column}")]
    Order {
        /// The row.
        row: usize,
        /// The first column that is not larger than the one before.
        column: usize,
    },
    /// An entry is outside of the matrix.
    #[error("entry ({row}, {column}) lies outside of {rows} × {columns}")]
    Outside {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A stored value is NaN or infinite.
    #[error("the value in row {row}, column {column} is {value}; it must be a finite number")]
    NotFinite {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// The value.
        value: f64,
    },
    /// Rows and columns are numbered with 32 bits.
    #[error("{rows} × {columns} is too large: a sparse matrix has at most {} rows and columns", u32::MAX)]
    TooLarge {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
}

impl<'a> CsrMatrix<'a> {
    /// A matrix of `shape` from its parts, which are checked and not changed. Slices are borrowed, vectors are moved.
    pub fn new(
        shape: (usize, usize),
        row_starts: impl Into<Cow<'a, [usize]>>,
        column_indices: impl Into<Cow<'a, [u32]>>,
        values: impl Into<Cow<'a, [f64]>>,
    ) -> Result<Self, MatrixError> {
        Self::from_stored(shape, row_starts, column_indices, Stored::Double(values.into()))
    }

    /// The same for values in double or single precision.
    pub fn from_stored(
        shape: (usize, usize),
        row_starts: impl Into<Cow<'a, [usize]>>,
        column_indices: impl Into<Cow<'a, [u32]>>,
        values: impl Into<Stored<'a>>,
    ) -> Result<Self, MatrixError> {
        let matrix =
            Self { shape, row_starts: row_starts.into(), column_indices: column_indices.into(), values: values.into() };
        matrix.check()?;
        Ok(matrix)
    }

    /// A matrix whose parts are well formed by construction. Builds with debug assertions check it.
    pub(crate) fn well_formed(
        shape: (usize, usize),
        row_starts: impl Into<Cow<'a, [usize]>>,
        column_indices: impl Into<Cow<'a, [u32]>>,
        values: impl Into<Stored<'a>>,
    ) -> Self {
        let matrix =
            Self { shape, row_starts: row_starts.into(), column_indices: column_indices.into(), values: values.into() };
        debug_assert_eq!(matrix.check(), Ok(()));
        matrix
    }

    fn check(&self) -> Result<(), MatrixError> {
        let (rows, columns) = self.shape;
        check_shape(self.shape)?;
        if rows.checked_add(1) != Some(self.row_starts.len()) {
            return Err(MatrixError::RowStartCount { found: self.row_starts.len(), rows });
        }
        let entries = self.column_indices.len();
        if entries != self.values.len() {
            return Err(MatrixError::EntryCount { columns: entries, values: self.values.len() });
        }
        let mut least = 0;
        for (row, &start) in self.row_starts.iter().enumerate() {
            if start < least || start > entries || (row == 0 && start != 0) || (row == rows && start != entries) {
                return Err(MatrixError::RowStart { row, start });
            }
            least = start;
        }
        for (row, entries) in self.iter_rows().enumerate() {
            let mut last = None;
            for (column, value) in entries.iter() {
                if column >= columns {
                    return Err(MatrixError::Outside { row, column, rows, columns });
                }
                if last.is_some_and(|last| last >= column) {
                    return Err(MatrixError::Order { row, column });
                }
                if !value.is_finite() {
                    return Err(MatrixError::NotFinite { row, column, value });
                }
                last = Some(column);
            }
        }
        Ok(())
    }
}

impl CsrMatrix<'static> {
    /// A matrix from its rows, each with increasing columns and finite values.
    pub(crate) fn from_rows(shape: (usize, usize), rows: Vec<(Vec<u32>, Vec<f64>)>) -> Self {
        let entries = rows.iter().map(|row| row.0.len()).sum();
        let mut row_starts = Vec::with_capacity(rows.len() + 1);
        row_starts.push(0);
        let (mut column_indices, mut values) = (Vec::with_capacity(entries), Vec::with_capacity(entries));
        for (columns, row_values) in rows {
            column_indices.extend(columns);
            values.extend(row_values);
            row_starts.push(column_indices.len());
        }
        Self::well_formed(shape, row_starts, column_indices, values)
    }

    /// A matrix of `shape` from (row, column, value) triplets in any order. Entries at the same place are added, in the
    /// order of the triplets.
    pub fn from_triplets(shape: (usize, usize), triplets: &[(u32, u32, f64)]) -> Result<Self, MatrixError> {
        let (rows, columns) = shape;
        check_shape(shape)?;
        let mut unsorted_starts = vec![0_usize; rows + 1];
        for &(i, j, value) in triplets {
            let (row, column) = (i as usize, j as usize);
            if row >= rows || column >= columns {
                return Err(MatrixError::Outside { row, column, rows, columns });
            }
            if !value.is_finite() {
                return Err(MatrixError::NotFinite { row, column, value });
            }
            unsorted_starts[row + 1] += 1;
        }
        for i in 0..rows {
            unsorted_starts[i + 1] += unsorted_starts[i];
        }
        let mut next = unsorted_starts.clone();
        let mut entries = vec![(0_u32, 0.0_f64); triplets.len()];
        for &(i, j, value) in triplets {
            let slot = &mut next[i as usize];
            entries[*slot] = (j, value);
            *slot += 1;
        }
        let mut row_starts = Vec::with_capacity(rows + 1);
        let mut column_indices: Vec<u32> = Vec::with_capacity(triplets.len());
        let mut values: Vec<f64> = Vec::with_capacity(triplets.len());
        row_starts.push(0);
        for row in 0..rows {
            let of_row = &mut entries[unsorted_starts[row]..unsorted_starts[row + 1]];
            of_row.sort_by_key(|&(j, _)| j);
            let first = column_indices.len();
            for &(j, value) in of_row.iter() {
                match values.last_mut() {
                    Some(sum) if column_indices.len() > first && column_indices.last() == Some(&j) => {
                        *sum += value;
                        if !sum.is_finite() {
                            return Err(MatrixError::NotFinite { row, column: j as usize, value: *sum });
                        }
                    }
                    _ => {
                        column_indices.push(j);
                        values.push(value);
                    }
                }
            }
            row_starts.push(column_indices.len());
        }
        Ok(Self::well_formed(shape, row_starts, column_indices, values))
    }
}

fn check_shape((rows, columns): (usize, usize)) -> Result<(), MatrixError> {
    // The largest number is kept free: it can stand for "no column".
    if u32::try_from(rows.max(columns)).is_ok() { Ok(()) } else { Err(MatrixError::TooLarge { rows, columns }) }
}

/// From any layout: columns are converted to rows, and 32-bit indices are moved.
#[cfg(feature = "sprs")]
impl TryFrom<sprs::CsMatI<f64, u32, usize>> for CsrMatrix<'static> {
    type Error = MatrixError;

    fn try_from(matrix: sprs::CsMatI<f64, u32, usize>) -> Result<Self, MatrixError> {
        let matrix = if matrix.is_csr() { matrix } else { matrix.to_csr() };
        let shape = matrix.shape();
        let (row_starts, column_indices, values) = matrix.into_raw_storage();
        Self::new(shape, row_starts, column_indices, values)
    }
}

/// From any layout and index type: the entries are copied.
#[cfg(feature = "sprs")]
impl TryFrom<&sprs::CsMat<f64>> for CsrMatrix<'static> {
    type Error = MatrixError;

    fn try_from(matrix: &sprs::CsMat<f64>) -> Result<Self, MatrixError> {
        let (rows, columns) = matrix.shape();
        check_shape(matrix.shape())?;
        let by_rows;
        let matrix = if matrix.is_csr() {
            matrix
        } else {
            by_rows = matrix.to_csr();
            &by_rows
        };
        let column_indices: Vec<u32> = matrix.indices().iter().map(|&j| j as u32).collect();
        Self::new((rows, columns), matrix.indptr().to_proper().into_owned(), column_indices, matrix.data().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_entries_are_added_up() {
        let triplets = [(0, 2, 1.0), (1, 0, 5.0), (0, 1, 2.0), (0, 2, 3.0)];
        let matrix = CsrMatrix::from_triplets((2, 3), &triplets).unwrap();
        assert_eq!(matrix.nnz(), 3);
        assert_eq!(matrix.get(0, 2), Some(4.0));
        assert_eq!(matrix.get(0, 1), Some(2.0));
        assert_eq!(matrix.get(1, 0), Some(5.0));
        assert_eq!(matrix.get(1, 1), None);
        assert_eq!(matrix.get(7, 7), None);
    }

    #[test]
    fn triplets_outside_or_without_a_finite_sum_are_rejected() {
        let outside = MatrixError::Outside { row: 2, column: 0, rows: 2, columns: 2 };
        assert_eq!(CsrMatrix::from_triplets((2, 2), &[(2, 0, 1.0)]), Err(outside));
        let huge = CsrMatrix::from_triplets((2, 2), &[(0, 1, f64::MAX), (0, 1, f64::MAX)]);
        assert!(matches!(huge, Err(MatrixError::NotFinite { row: 0, column: 1, .. })));
        assert!(matches!(
            CsrMatrix::from_triplets((1, 1), &[(0, 0, f64::NAN)]),
            Err(MatrixError::NotFinite { row: 0, column: 0, .. })
        ));
    }

    #[test]
    fn parts_that_are_not_compressed_rows_are_rejected() {
        let new = |starts: &[usize], columns: &[u32], values: &[f64]| {
            CsrMatrix::new((2, 3), starts.to_vec(), columns.to_vec(), values.to_vec()).map(|_| ())
        };
        assert_eq!(new(&[0, 1, 2], &[0, 2], &[1.0, 1.0]), Ok(()));
        assert_eq!(new(&[0, 2], &[0, 2], &[1.0, 1.0]), Err(MatrixError::RowStartCount { found: 2, rows: 2 }));
        assert_eq!(new(&[0, 1, 2], &[0, 2], &[1.0]), Err(MatrixError::EntryCount { columns: 2, values: 1 }));
        assert_eq!(new(&[1, 1, 2], &[0, 2], &[1.0, 1.0]), Err(MatrixError::RowStart { row: 0, start: 1 }));
        assert_eq!(new(&[0, 3, 2], &[0, 2], &[1.0, 1.0]), Err(MatrixError::RowStart { row: 1, start: 3 }));
        assert_eq!(new(&[0, 2, 1], &[0, 2], &[1.0, 1.0]), Err(MatrixError::RowStart { row: 2, start: 1 }));
        assert_eq!(new(&[0, 2, 2], &[2, 0], &[1.0, 1.0]), Err(MatrixError::Order { row: 0, column: 0 }));
        assert_eq!(new(&[0, 2, 2], &[1, 1], &[1.0, 1.0]), Err(MatrixError::Order { row: 0, column: 1 }));
        let outside = MatrixError::Outside { row: 1, column: 3, rows: 2, columns: 3 };
        assert_eq!(new(&[0, 0, 1], &[3], &[1.0]), Err(outside));
        let infinite = new(&[0, 0, 1], &[2], &[f64::INFINITY]);
        assert_eq!(infinite, Err(MatrixError::NotFinite { row: 1, column: 2, value: f64::INFINITY }));
        let wide = CsrMatrix::new((0, usize::MAX), vec![0], vec![], vec![]).map(|_| ());
        assert_eq!(wide, Err(MatrixError::TooLarge { rows: 0, columns: usize::MAX }));
        assert!(matches!(CsrMatrix::from_triplets((usize::MAX, 1), &[]), Err(MatrixError::TooLarge { .. })));
    }

    #[cfg(feature = "sprs")]
    #[test]
    fn matrices_of_sprs_are_accepted_in_either_layout() {
        let expected = CsrMatrix::from_triplets((2, 3), &[(0, 2, 4.0), (1, 0, 5.0)]).unwrap();
        let mut triplets = sprs::TriMat::new((2, 3));
        triplets.add_triplet(0, 2, 4.0);
        triplets.add_triplet(1, 0, 5.0);
        let (rows, columns): (sprs::CsMat<f64>, sprs::CsMat<f64>) = (triplets.to_csr(), triplets.to_csc());
        assert_eq!(CsrMatrix::try_from(&rows), Ok(expected.clone()));
        assert_eq!(CsrMatrix::try_from(&columns), Ok(expected.clone()));
        let small = sprs::CsMatI::<f64, u32, usize>::new_csc((2, 3), vec![0, 1, 1, 2], vec![1, 0], vec![5.0, 4.0]);
        assert_eq!(CsrMatrix::try_from(small), Ok(expected));
    }
}
