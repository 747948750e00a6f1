//! The sparse matrix that all stages share.

use sprs::CsMatI;

/// Compressed sparse rows with 32-bit column indices, sorted within each row.
pub type Csr = CsMatI<f64, u32, usize>;

/// A matrix of `shape` from (row, column, value) triplets; entries of one place are added up. Returns it with the number
/// of triplets that were added to an earlier one.
///
/// Sums within a place are taken in the order of the triplets, so that the result does not depend on anything else.
///
/// # Panics
/// If a row or column lies outside `shape`.
pub fn csr_from_triplets(shape: (usize, usize), triplets: &[(u32, u32, f64)]) -> (Csr, usize) {
    let (rows, cols) = shape;
    let mut row_starts = vec![0_usize; rows + 1];
    for &(i, j, _) in triplets {
        assert!((i as usize) < rows && (j as usize) < cols, "entry ({i}, {j}) lies outside {rows} × {cols}");
        row_starts[i as usize + 1] += 1;
    }
    for i in 0..rows {
        row_starts[i + 1] += row_starts[i];
    }
    let mut next = row_starts.clone();
    let mut entries = vec![(0_u32, 0.0_f64); triplets.len()];
    for &(i, j, value) in triplets {
        let slot = &mut next[i as usize];
        entries[*slot] = (j, value);
        *slot += 1;
    }
    let mut indptr = Vec::with_capacity(rows + 1);
    let mut indices = Vec::with_capacity(triplets.len());
    let mut values: Vec<f64> = Vec::with_capacity(triplets.len());
    indptr.push(0);
    for i in 0..rows {
        let row = &mut entries[row_starts[i]..row_starts[i + 1]];
        row.sort_by_key(|&(j, _)| j);
        let row_start = indices.len();
        for &(j, value) in row.iter() {
            if indices.len() > row_start && indices.last() == Some(&j) {
                *values.last_mut().expect("an index was pushed with its value") += value;
            } else {
                indices.push(j);
                values.push(value);
            }
        }
        indptr.push(indices.len());
    }
    let repeated = triplets.len() - indices.len();
    (Csr::new((rows, cols), indptr, indices, values), repeated)
}

/// The rows and columns `kept` of a square matrix, without zeros, and without the diagonal unless it is to be kept.
pub(crate) fn principal_submatrix(matrix: &Csr, kept: &[usize], keep_diagonal: bool) -> Csr {
    let mut new_index = vec![u32::MAX; matrix.rows()];
    for (new, &old) in kept.iter().enumerate() {
        new_index[old] = new as u32;
    }
    let mut indptr = vec![0];
    let (mut indices, mut values) = (Vec::new(), Vec::new());
    for &i in kept {
        for (j, &value) in matrix.outer_view(i).expect("i is a row").iter() {
            if value > 0.0 && new_index[j] != u32::MAX && (keep_diagonal || i != j) {
                indices.push(new_index[j]);
                values.push(value);
            }
        }
        indptr.push(indices.len());
    }
    Csr::new((kept.len(), kept.len()), indptr, indices, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_entries_are_added_up() {
        let (matrix, repeated) = csr_from_triplets((2, 3), &[(0, 2, 1.0), (1, 0, 5.0), (0, 1, 2.0), (0, 2, 3.0)]);
        assert_eq!(repeated, 1);
        assert_eq!(matrix.nnz(), 3);
        assert_eq!(matrix.get(0, 2), Some(&4.0));
        assert_eq!(matrix.get(0, 1), Some(&2.0));
        assert_eq!(matrix.get(1, 0), Some(&5.0));
    }
}
