//! How close a map in the plane is to a ring, as in the paper's Figure 1 for random similarities.

use super::correlation::spearman;
use crate::{error::Error, normalization::degrees, sparse::CsrMatrix};
use ndarray::{ArrayView2, Axis};

/// How close a map in the plane is to a ring around its centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ring {
    /// Standard deviation of the distances from the centre over their mean: 0 for a ring, 0.354 for a uniform disc.
    pub spread: f64,
    /// Mean of Σ_j Q_ij.
    pub mean: f64,
    /// Standard deviation of Σ_j Q_ij.
    pub deviation: f64,
    /// Rank correlation of the items' total similarities and their nearness to the centre.
    pub crowding: f64,
}

impl Ring {
    /// Measures a map of items with these similarities.
    #[allow(clippy::needless_pass_by_value, reason = "array views are references")]
    pub fn of(map: ArrayView2<'_, f64>, similarities: &CsrMatrix<'_>) -> Result<Self, Error> {
        if map.ncols() != 2 {
            return Err(Error::Dimensions { what: "the map", found: map.ncols(), expected: 2 });
        }
        let n = map.nrows();
        if n < 2 {
            return Err(Error::TooFewForNeighbors { items: n, least: 2 });
        }
        similarities.check_square()?;
        if similarities.rows() != n {
            return Err(Error::Length { what: "the map", found: n, expected: similarities.rows() });
        }
        let y = &map - &(map.sum_axis(Axis(0)) / n as f64);
        let lengths: Vec<f64> = y.rows().into_iter().map(|y| y.dot(&y).sqrt()).collect();
        let squared = |i: usize, j: usize| (y[[i, 0]] - y[[j, 0]]).powi(2) + (y[[i, 1]] - y[[j, 1]]).powi(2);
        let sum = |i: usize| (0..n).filter(|&j| j != i).map(|j| 1.0 / (1.0 + squared(i, j))).sum::<f64>();
        let q: Vec<f64> = (0..n).map(sum).collect();
        let z: f64 = q.iter().sum();
        let (length, length_deviation) = moments(&lengths);
        let (mean, deviation) = moments(&q);
        let nearness: Vec<f64> = lengths.iter().map(|length| -length).collect();
        let crowding = spearman(&degrees(similarities), &nearness);
        Ok(Self { spread: length_deviation / length, mean: mean / z, deviation: deviation / z, crowding })
    }
}

fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    #[test]
    fn a_ring_has_no_spread_and_a_disc_has() {
        let n = 400;
        let complete: Vec<_> =
            (0..n as u32).flat_map(|i| (0..i).flat_map(move |j| [(i, j, 1.0), (j, i, 1.0)])).collect();
        let similarities = CsrMatrix::from_triplets((n, n), &complete).unwrap();
        let place = |radius: &dyn Fn(usize) -> f64| {
            Array2::from_shape_fn((n, 2), |(i, k)| {
                let angle = 2.399963 * i as f64;
                radius(i) * if k == 0 { angle.cos() } else { angle.sin() }
            })
        };
        assert!(Ring::of(place(&|_| 3.0).view(), &similarities).unwrap().spread < 0.02);
        let disc = Ring::of(place(&|i| (i as f64).sqrt()).view(), &similarities).unwrap();
        assert!((disc.spread - 0.354).abs() < 0.02, "{}", disc.spread);
        assert!(Ring::of(Array2::zeros((3, 3)).view(), &similarities).is_err());
    }
}
