//! The factors of a scaling, from the matrix before and after it.

use super::model::ModelError;
use crate::sparse::CsrMatrix;
use rayon::prelude::*;

/// Rounds in which the factors are found again.
const ROUNDS: usize = 60;

/// ln s of P_ij = s_i s_j S_ij, for symmetric matrices with the same pattern.
pub(crate) fn log_scales(s: &CsrMatrix<'_>, p: &CsrMatrix<'_>) -> Result<Vec<f32>, ModelError> {
    if (s.row_starts(), s.column_indices()) != (p.row_starts(), p.column_indices()) {
        return Err(ModelError::Normalization);
    }
    let logs: Vec<f64> = p.values().par_iter().zip(&*s.values()).map(|(p, s)| (p / s).ln()).collect();
    let mut scales = vec![0.0; s.rows()];
    for _ in 0..ROUNDS {
        scales = (0..s.rows())
            .into_par_iter()
            .map(|i| {
                let range = s.row_starts()[i]..s.row_starts()[i + 1];
                let count = range.len().max(1) as f64;
                let mean = range.map(|at| logs[at] - scales[s.column_indices()[at] as usize]).sum::<f64>() / count;
                0.5 * (scales[i] + mean)
            })
            .collect();
    }
    Ok(scales.into_iter().map(|scale: f64| scale as f32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factors_of_a_scaling_are_found() {
        let factors = [0.5_f64, 2.0, 1.5, 0.1, 3.0];
        let pairs: Vec<(u32, u32, f64)> = (0..5)
            .flat_map(|i| (0..5).filter(move |&j| j != i).map(move |j| (i, j, f64::from(1 + (i * j) % 3))))
            .collect();
        let s = CsrMatrix::from_triplets((5, 5), &pairs).unwrap();
        let p = s.mapped(|i, j, value| factors[i] * factors[j] * value);
        for (found, factor) in log_scales(&s, &p).unwrap().iter().zip(factors) {
            assert!((f64::from(*found) - factor.ln()).abs() < 1e-6);
        }
        let other = s.filtered(|i, j, _| i + j != 3);
        assert_eq!(log_scales(&other, &p), Err(ModelError::Normalization));
    }
}
