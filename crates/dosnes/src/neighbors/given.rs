//! Neighbours from a given matrix of distances.

use rayon::prelude::*;

use super::duplicates::choose_equal;
use super::{Neighbors, SearchMethod, nearest_first};
use crate::error::{Error, Parameter, Quantity};
use crate::input::Distances;

/// The `k` nearest neighbours by given distances. The diagonal is ignored. In a sparse matrix only stored entries are
/// used (an explicit zero is a distance of zero), so an item may have fewer than `k` neighbours, or none.
pub fn neighbors_from_distances(distances: &Distances<'_>, k: usize) -> Result<Neighbors, Error> {
    let (items, columns) = distances.shape();
    if items != columns {
        return Err(Error::NotSquare { rows: items, columns });
    }
    if k == 0 {
        return Err(Error::zero(Parameter::Neighbors));
    }
    let checked = |i: usize, j: usize, value: f64| {
        let good = value >= 0.0 && (value as f32).is_finite();
        if good {
            Ok((value as f32, j as u32))
        } else {
            Err(Error::Value { quantity: Quantity::Distance, row: i, column: j, value })
        }
    };
    let of_row = |i: usize| -> Result<Vec<(f32, u32)>, Error> {
        let row: Result<Vec<_>, Error> = match distances {
            Distances::Dense(matrix) => {
                let row = matrix.row(i);
                let others = row.iter().enumerate().filter(|&(j, _)| j != i);
                others.map(|(j, &value)| checked(i, j, f64::from(value))).collect()
            }
            Distances::Sparse(matrix) => {
                let others = matrix.row(i).iter().filter(|&(j, _)| j != i);
                others.map(|(j, value)| checked(i, j, value)).collect()
            }
        };
        let row = row?;
        let zeros: Vec<u32> = row.iter().filter(|(distance, _)| *distance == 0.0).map(|&(_, j)| j).collect();
        // Of more equal items than needed, the lowest rows would become hubs.
        Ok(if zeros.len() > k { choose_equal(&zeros, i as u32, k) } else { nearest_first(i as u32, row, k) })
    };
    if matches!(distances, Distances::Dense(_)) && k >= items {
        return Err(Error::TooManyNeighbors { asked: k, items });
    }
    // Collected in order, so that the first invalid cell is reported, whichever thread found it.
    let rows: Vec<Result<Vec<(f32, u32)>, Error>> = (0..items).into_par_iter().map(of_row).collect();
    let rows: Result<Vec<_>, Error> = rows.into_iter().collect();
    Ok(Neighbors::from_rows(rows?.into_iter(), SearchMethod::Given))
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::sparse::CsrMatrix;

    #[test]
    fn neighbours_come_nearest_first_and_ties_by_index() {
        let matrix = array![[0.0, 2.0, 1.0, 1.0], [2.0, 0.0, 5.0, 3.0], [1.0, 5.0, 0.0, 0.0], [1.0, 3.0, 0.0, 0.0]];
        let found = neighbors_from_distances(&Distances::Dense(matrix.into()), 2).unwrap();
        assert_eq!(found.row(0), (&[2, 3][..], &[1.0, 1.0][..]));
        assert_eq!(found.row(1), (&[0, 3][..], &[2.0, 3.0][..]));
        assert_eq!(found.row(2), (&[3, 0][..], &[0.0, 1.0][..]));
    }

    #[test]
    fn equal_items_are_neighbours_equally_often() {
        let matrix = ndarray::Array2::<f32>::zeros((40, 40));
        let found = neighbors_from_distances(&Distances::Dense(matrix.into()), 5).unwrap();
        let mut popularity = [0; 40];
        for &j in (0..40).flat_map(|i| found.row(i).0) {
            popularity[j as usize] += 1;
        }
        assert!(popularity.iter().all(|&count| count == 5), "{popularity:?}");
    }

    #[test]
    fn sparse_rows_may_have_fewer_neighbours() {
        let matrix = CsrMatrix::from_triplets((3, 3), &[(0, 0, 0.0), (0, 1, 2.0), (0, 2, 1.0), (1, 0, 2.0)]).unwrap();
        let found = neighbors_from_distances(&Distances::Sparse(matrix), 5).unwrap();
        assert_eq!(found.row(0), (&[2, 1][..], &[1.0, 2.0][..]));
        assert_eq!(found.row(1), (&[0][..], &[2.0][..]));
        assert!(found.row(2).0.is_empty());
    }

    #[test]
    fn invalid_distances_are_reported() {
        let matrix = array![[0.0, 1.0], [-1.0, 0.0]];
        let error = neighbors_from_distances(&Distances::Dense(matrix.into()), 1).unwrap_err();
        assert_eq!(error, Error::Value { quantity: Quantity::Distance, row: 1, column: 0, value: -1.0 });
        let error = neighbors_from_distances(&Distances::Dense(ndarray::Array2::zeros((2, 3)).into()), 1).unwrap_err();
        assert_eq!(error, Error::NotSquare { rows: 2, columns: 3 });
    }
}
