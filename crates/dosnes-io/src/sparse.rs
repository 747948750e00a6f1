//! Sparse matrices from the arrays of a file.

use dosnes::CsrMatrix;

use crate::error::{Error, Place};

/// The cells of a sparse matrix that are not zero. Missing ones are kept apart, since a [`CsrMatrix`] has finite values only.
#[derive(Debug)]
pub(crate) struct SparseCells {
    pub(crate) known: CsrMatrix<'static>,
    /// Row and column of each cell whose value is missing (NaN).
    pub(crate) missing: Vec<(u32, u32)>,
}

impl SparseCells {
    /// Builds the matrix; repeated cells are added up.
    pub(crate) fn from_triplets(
        file: &str,
        place: &Place,
        shape: (usize, usize),
        mut triplets: Vec<(u32, u32, f64)>,
    ) -> Result<Self, Error> {
        let missing: Vec<(u32, u32)> = triplets.iter().filter(|t| t.2.is_nan()).map(|t| (t.0, t.1)).collect();
        if !missing.is_empty() {
            triplets.retain(|t| !t.2.is_nan());
        }
        let known = CsrMatrix::from_triplets(shape, &triplets).map_err(|e| Error::matrix(file, place.clone(), e))?;
        Ok(Self { known, missing })
    }

    /// Number of cells that are not zero.
    pub(crate) fn count(&self) -> usize {
        self.known.nnz() + self.missing.len()
    }

    pub(crate) fn transposed(&self) -> Self {
        let missing = self.missing.iter().map(|&(i, j)| (j, i)).collect();
        Self { known: self.known.transposed(), missing }
    }
}

/// Number of entries on the diagonal.
pub(crate) fn self_loops(matrix: &CsrMatrix<'_>) -> usize {
    (0..matrix.rows()).filter(|&i| matrix.get(i, i).is_some_and(|w| w != 0.0)).count()
}

/// Integers ≥ 0, or `None`.
pub(crate) fn indices(values: &[f64]) -> Option<Vec<usize>> {
    values.iter().map(|&v| (v >= 0.0 && v.fract() == 0.0 && v < 9e15).then_some(v as usize)).collect()
}

/// A matrix from compressed rows (or columns); entries may be unsorted or repeated.
pub(crate) fn compressed(
    file: &str,
    place: &Place,
    shape: (usize, usize),
    indptr: &[usize],
    inner: &[usize],
    data: &[f64],
    by_columns: bool,
) -> Result<SparseCells, Error> {
    let malformed = |problem: String| Error::malformed(file, place.clone(), problem);
    let outer = if by_columns { shape.1 } else { shape.0 };
    if outer.checked_add(1) != Some(indptr.len()) || inner.len() != data.len() || indptr.last() != Some(&data.len()) {
        return Err(malformed("the index arrays do not fit the shape".into()));
    }
    if indptr.windows(2).any(|w| w[0] > w[1]) {
        return Err(malformed("the row starts go backwards".into()));
    }
    let mut row = Vec::with_capacity(data.len());
    for (k, bounds) in indptr.windows(2).enumerate() {
        row.extend(std::iter::repeat_n(k, bounds[1] - bounds[0]));
    }
    if row.len() != data.len() {
        return Err(malformed("the row starts do not begin at 0".into()));
    }
    let (rows, columns) = if by_columns { (inner, row.as_slice()) } else { (row.as_slice(), inner) };
    coordinates(file, place, shape, rows, columns, data)
}

/// A matrix from coordinates.
pub(crate) fn coordinates(
    file: &str,
    place: &Place,
    shape: (usize, usize),
    rows: &[usize],
    columns: &[usize],
    data: &[f64],
) -> Result<SparseCells, Error> {
    let malformed = |problem: String| Error::malformed(file, place.clone(), problem);
    if rows.len() != data.len() || columns.len() != data.len() {
        return Err(malformed("the index arrays do not fit the data".into()));
    }
    check_sparse_shape(shape, data.len()).map_err(malformed)?;
    let mut triplets = Vec::with_capacity(data.len());
    for ((&i, &j), &value) in rows.iter().zip(columns).zip(data) {
        if i >= shape.0 || j >= shape.1 {
            return Err(malformed(format!("the entry ({i}, {j}) lies outside the shape {} × {}", shape.0, shape.1)));
        }
        if value != 0.0 {
            triplets.push((i as u32, j as u32, value));
        }
    }
    SparseCells::from_triplets(file, place, shape, triplets)
}

/// Numbers of rows and columns must fit in 32 bits. If they are much larger than the number of entries, the file is damaged.
pub(crate) fn check_sparse_shape(shape: (usize, usize), entries: usize) -> Result<(), String> {
    let (rows, columns) = shape;
    if rows == 0 || columns == 0 {
        return Err(format!("the matrix is {rows} × {columns}, so it is empty"));
    }
    if u32::try_from(rows).is_err() || u32::try_from(columns).is_err() {
        return Err(format!("the matrix is {rows} × {columns}, but at most 2³² rows or columns can be read"));
    }
    let limit = entries.saturating_mul(1_000).saturating_add(1_000_000);
    if rows > limit || columns > limit {
        return Err(format!("the matrix claims to be {rows} × {columns} but has only {entries} entries"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_infinite_value_is_named_with_its_file_array_row_and_column() {
        let place = Place::part("X");
        let by_columns = [0, 0, 1, 1];
        let infinite = compressed("m.mat", &place, (2, 3), &by_columns, &[1], &[f64::INFINITY], true).unwrap_err();
        assert!(matches!(&infinite, Error::Value { place, .. } if place.row == Some(1)), "{infinite}");
        assert!(infinite.to_string().contains("column \"1\": the value \"inf\" is not finite"), "{infinite}");
    }

    #[test]
    fn missing_values_are_kept_apart() {
        let nan = f64::NAN;
        let cells = compressed("m.h5ad", &Place::default(), (2, 3), &[0, 1, 3], &[0, 1, 2], &[1.0, nan, 2.0], false);
        let cells = cells.unwrap();
        assert_eq!((cells.count(), &cells.missing[..]), (3, &[(1, 1)][..]));
        assert_eq!(cells.transposed().missing, [(1, 1)]);
        assert_eq!(cells.known.iter().collect::<Vec<_>>(), [(0, 0, 1.0), (1, 2, 2.0)]);
    }

    #[test]
    fn arrays_that_do_not_fit_are_refused() {
        let place = Place::default();
        let try_starts = |starts: &[usize]| compressed("m.npz", &place, (2, 2), starts, &[0, 1], &[1.0, 2.0], false);
        assert!(try_starts(&[0, 1, 2]).is_ok());
        for starts in [&[0, 2][..], &[0, 1, 1], &[1, 1, 2], &[0, 3, 2]] {
            assert!(matches!(try_starts(starts), Err(Error::Malformed { .. })), "{starts:?}");
        }
        let outside = coordinates("m.npz", &place, (2, 2), &[2], &[0], &[1.0]).unwrap_err();
        assert!(outside.to_string().contains("lies outside"), "{outside}");
    }
}
