//! Classical scaling.

use super::lanczos::largest_eigenpairs;
use crate::{
    error::{Error, Quantity},
    pca::symmetric_eigen,
};
use ndarray::{Array2, Axis};

/// Up to this number of items the whole spectrum is computed.
const WHOLE_SPECTRUM: usize = 300;

/// Classical scaling (Torgerson 1952): the leading eigenvectors of −½ J D² J with J = 1 − 11ᵀ/n, each scaled by the
/// square root of its eigenvalue, one column per dimension. For Euclidean distances in that many dimensions the map is
/// exact. The largest entry of each column is positive.
pub fn classical_scaling(distances: &Array2<f64>, dimensions: usize) -> Result<Array2<f64>, Error> {
    let (rows, columns) = distances.dim();
    if rows != columns {
        return Err(Error::NotSquare { rows, columns });
    }
    if let Some(((row, column), &value)) = distances.indexed_iter().find(|(_, d)| !(d.is_finite() && **d >= 0.0)) {
        return Err(Error::Value { quantity: Quantity::Distance, row, column, value });
    }
    if rows <= dimensions {
        return Err(Error::TooFewForNeighbors { items: rows, least: dimensions + 1 });
    }
    let mut b = distances.mapv(|d| -0.5 * d * d);
    let row_means = b.mean_axis(Axis(1)).ok_or(Error::TooFewForNeighbors { items: rows, least: dimensions + 1 })?;
    let column_means = b.mean_axis(Axis(0)).ok_or(Error::TooFewForNeighbors { items: rows, least: dimensions + 1 })?;
    let mean = row_means.mean().unwrap_or(0.0);
    for ((i, j), value) in b.indexed_iter_mut() {
        *value += mean - row_means[i] - column_means[j];
    }
    let (values, vectors) =
        if rows <= WHOLE_SPECTRUM { symmetric_eigen(&b, dimensions) } else { largest_eigenpairs(&b, dimensions) };
    let mut y = Array2::zeros((rows, dimensions));
    for k in 0..dimensions {
        let vector = vectors.row(k);
        let largest = vector.iter().fold(0.0_f64, |m, &v| if v.abs() > m.abs() { v } else { m });
        let length = values[k].max(0.0).sqrt() * if largest < 0.0 { -1.0 } else { 1.0 };
        y.column_mut(k).assign(&(&vector * length));
    }
    Ok(y)
}
