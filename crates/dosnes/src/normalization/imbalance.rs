//! How unequal the items' total similarities are.

use crate::{parallel::sum_over, sparse::CsrMatrix};

/// How unequal the row sums of a matrix are, its diagonal left out.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Imbalance {
    /// Standard deviation of the row sums over their mean.
    pub cv: f64,
    /// Smallest row sum.
    pub min: f64,
    /// Largest row sum.
    pub max: f64,
}

impl Imbalance {
    /// The imbalance of given row sums.
    pub fn of_sums(sums: &[f64]) -> Self {
        let n = sums.len() as f64;
        let mean = sum_over(sums.len(), |i| sums[i]) / n;
        let variance = sum_over(sums.len(), |i| (sums[i] - mean).powi(2)) / n;
        Self {
            cv: variance.sqrt() / mean,
            min: sums.iter().copied().fold(f64::INFINITY, f64::min),
            max: sums.iter().copied().fold(0.0, f64::max),
        }
    }

    /// Largest divided by smallest row sum.
    pub fn ratio(&self) -> f64 {
        self.max / self.min
    }
}

/// Row sums without the diagonal.
pub fn degrees(matrix: &CsrMatrix<'_>) -> Vec<f64> {
    use rayon::prelude::*;
    (0..matrix.rows())
        .into_par_iter()
        .map(|i| matrix.row(i).iter().filter(|&(j, _)| j != i).map(|(_, s)| s).sum())
        .collect()
}
