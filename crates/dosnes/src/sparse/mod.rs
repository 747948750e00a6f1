//! The sparse matrix that all stages share, and its operations.

mod aggregate;
mod components;
mod construct;
mod operations;
mod permute;
mod stored;
mod strongest;
mod symmetrize;

pub(crate) use aggregate::Groups;
pub use components::Components;
pub use construct::MatrixError;
pub(crate) use operations::{product_with_transpose, strongest_of_product, symmetrized};
pub(crate) use permute::{Parts as MatrixParts, inverse, permuted};
pub(crate) use stored::Number;
pub use stored::Stored;
pub(crate) use strongest::keep_strongest;
pub(crate) use symmetrize::into_symmetrized;

use ndarray::Array2;
use std::borrow::Cow;
use stored::StoredRow;

/// A sparse matrix in compressed rows, owned or borrowed.
///
/// Every value of this type is well formed: the columns of a row are strictly increasing and inside the matrix, and all
/// stored values are finite. The storage is always by rows, never by columns. SciPy's `indptr`, `indices` and `data`
/// are [`row_starts`](Self::row_starts), [`column_indices`](Self::column_indices) and [`values`](Self::values).
///
/// Values are stored in double precision, or in single precision where there may be a hundred million of them: the
/// similarities of points. Everything that reads them gets doubles.
///
/// ```
/// use dosnes::CsrMatrix;
///
/// // Existing parts are borrowed, and checked once.
/// let (row_starts, columns, values) = ([0, 2, 3], [0, 2, 1], [1.0, 2.0, 3.0]);
/// let borrowed = CsrMatrix::new((2, 3), &row_starts[..], &columns[..], &values[..])?;
///
/// // Triplets may come in any order; entries at the same place are added.
/// let owned = CsrMatrix::from_triplets((2, 3), &[(1, 1, 3.0), (0, 2, 1.5), (0, 0, 1.0), (0, 2, 0.5)])?;
/// assert_eq!(borrowed, owned);
/// # Ok::<(), dosnes::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Parts"))]
pub struct CsrMatrix<'a> {
    shape: (usize, usize),
    /// The start of each row, followed by the number of entries: always `rows + 1` numbers.
    row_starts: Cow<'a, [usize]>,
    column_indices: Cow<'a, [u32]>,
    values: Stored<'a>,
}

/// A matrix as it is stored, before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Parts {
    shape: (usize, usize),
    row_starts: Vec<usize>,
    column_indices: Vec<u32>,
    values: Stored<'static>,
}

#[cfg(feature = "serde")]
impl TryFrom<Parts> for CsrMatrix<'_> {
    type Error = MatrixError;

    fn try_from(parts: Parts) -> Result<Self, MatrixError> {
        Self::from_stored(parts.shape, parts.row_starts, parts.column_indices, parts.values)
    }
}

/// The stored entries of one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row<'a> {
    columns: &'a [u32],
    values: StoredRow<'a>,
}

impl<'a> Row<'a> {
    /// The columns of the entries, increasing.
    pub fn columns(self) -> &'a [u32] {
        self.columns
    }

    /// The values of the entries, in the order of the columns: copied if they are stored in single precision.
    pub fn values(self) -> Cow<'a, [f64]> {
        self.values.to_double()
    }

    /// Number of entries.
    pub fn len(self) -> usize {
        self.columns.len()
    }

    /// Whether the row has no entry.
    pub fn is_empty(self) -> bool {
        self.columns.is_empty()
    }

    /// The entries as (column, value).
    pub fn iter(self) -> impl ExactSizeIterator<Item = (usize, f64)> + 'a {
        self.columns.iter().zip(self.values.iter()).map(|(&j, value)| (j as usize, value))
    }

    /// The sum of the values, in their order.
    pub fn sum(self) -> f64 {
        self.values.iter().sum()
    }

    /// The largest value; 0 if there is none above it.
    pub(crate) fn largest(self) -> f64 {
        self.values.iter().fold(0.0, f64::max)
    }
}

impl CsrMatrix<'_> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.shape.0
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.shape.1
    }

    /// Number of rows and of columns.
    pub fn shape(&self) -> (usize, usize) {
        self.shape
    }

    /// Whether there are as many columns as rows.
    pub fn is_square(&self) -> bool {
        self.shape.0 == self.shape.1
    }

    /// Number of stored entries.
    pub fn nnz(&self) -> usize {
        self.column_indices.len()
    }

    /// The start of each row's entries, followed by the number of entries.
    pub fn row_starts(&self) -> &[usize] {
        &self.row_starts
    }

    /// The columns of all entries, row after row.
    pub fn column_indices(&self) -> &[u32] {
        &self.column_indices
    }

    /// The values of all entries, row after row: copied if they are stored in single precision.
    pub fn values(&self) -> Cow<'_, [f64]> {
        self.values.to_double()
    }

    /// The values of all entries, row after row, in the precision in which they are stored.
    pub fn stored_values(&self) -> &Stored<'_> {
        &self.values
    }

    /// The entries of row `i`; `None` if there is no such row.
    pub fn get_row(&self, i: usize) -> Option<Row<'_>> {
        (i < self.shape.0).then(|| self.row(i))
    }

    /// The entries of row `i`, which exists.
    pub(crate) fn row(&self, i: usize) -> Row<'_> {
        let range = self.row_starts[i]..self.row_starts[i + 1];
        Row { columns: &self.column_indices[range.clone()], values: self.values.part(range) }
    }

    /// All rows, in order.
    pub fn iter_rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        (0..self.shape.0).map(|i| self.row(i))
    }

    /// All entries as (row, column, value), row after row.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.shape.0).flat_map(|i| self.row(i).iter().map(move |(j, value)| (i, j, value)))
    }

    /// The stored value in row `i` and column `j`, if there is one.
    pub fn get(&self, i: usize, j: usize) -> Option<f64> {
        let row = self.get_row(i)?;
        let column = u32::try_from(j).ok()?;
        row.columns.binary_search(&column).ok().map(|k| row.values.get(k))
    }

    /// The matrix with every entry, zeros included.
    pub fn to_dense(&self) -> Array2<f64> {
        let mut dense = Array2::zeros(self.shape);
        for (i, j, value) in self.iter() {
            dense[[i, j]] = value;
        }
        dense
    }

    /// Whether the matrix owns its entries.
    pub(crate) fn is_owned(&self) -> bool {
        matches!(self.column_indices, Cow::Owned(_)) && self.values.is_owned()
    }

    /// The same matrix, borrowed instead of copied.
    pub fn borrowed(&self) -> CsrMatrix<'_> {
        CsrMatrix {
            shape: self.shape,
            row_starts: Cow::Borrowed(&self.row_starts),
            column_indices: Cow::Borrowed(&self.column_indices),
            values: self.values.borrowed(),
        }
    }

    /// A matrix that owns its entries; borrowed ones are copied.
    pub fn into_owned(self) -> CsrMatrix<'static> {
        CsrMatrix {
            shape: self.shape,
            row_starts: Cow::Owned(self.row_starts.into_owned()),
            column_indices: Cow::Owned(self.column_indices.into_owned()),
            values: self.values.into_owned(),
        }
    }

    /// The row starts, column indices and values; borrowed ones are copied, and so are values in single precision.
    pub fn into_parts(self) -> (Vec<usize>, Vec<u32>, Vec<f64>) {
        (self.row_starts.into_owned(), self.column_indices.into_owned(), self.values.into_double())
    }

    /// The same, with the values in the precision in which they are stored.
    pub(crate) fn into_stored_parts(self) -> (Vec<usize>, Vec<u32>, Stored<'static>) {
        (self.row_starts.into_owned(), self.column_indices.into_owned(), self.values.into_owned())
    }
}
