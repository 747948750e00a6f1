//! Row normalisation: the simplest way to reduce the influence of popular items.

use super::degrees;
use crate::sparse::CsrMatrix;

/// (D⁻¹S + SD⁻¹)/2 for a symmetric S without diagonal, where D are the row sums.
///
/// Each item divides its similarities by their sum, and each pair takes the mean of what its two items say. This always
/// exists and needs no iteration. The result is symmetric, but its row sums are not equal: they lie above 1/2, and a hub with
/// many weak neighbours can have a large one.
pub(super) fn row_normalized(s: &CsrMatrix<'_>) -> CsrMatrix<'static> {
    let sums = degrees(s);
    let mut values = Vec::with_capacity(s.nnz());
    for (i, j, value) in s.iter() {
        values.push(0.5 * (value / sums[i] + value / sums[j]));
    }
    CsrMatrix::well_formed(s.shape(), s.row_starts().to_vec(), s.column_indices().to_vec(), values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn leaves_keep_at_least_half_of_their_sum() {
        // A hub with three leaves: each leaf gives all to the hub, the hub a third to each leaf.
        let star: Vec<_> = (1..4).flat_map(|i| [(0, i, 5.0), (i, 0, 5.0)]).collect();
        let p = row_normalized(&CsrMatrix::from_triplets((4, 4), &star).unwrap());
        assert!((p.get(0, 1).unwrap() - 2.0 / 3.0).abs() < 1e-15);
        let sums = degrees(&p);
        assert!((sums[0] - 2.0).abs() < 1e-15 && (sums[1] - 2.0 / 3.0).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn row_normalisation_is_the_mean_of_both_walks(
            n in 2_usize..12,
            picks in proptest::collection::vec((0_u32..12, 0_u32..12, 1e-3_f64..1e3), 1..40),
        ) {
            let pairs = picks.into_iter().map(|(i, j, w)| (i % n as u32, j % n as u32, w)).filter(|p| p.0 != p.1);
            let both: Vec<_> = pairs.flat_map(|(i, j, w)| [(i, j, w), (j, i, w)]).collect();
            let s = CsrMatrix::from_triplets((n, n), &both).unwrap();
            let p = row_normalized(&s).to_dense();
            let dense = s.to_dense();
            let sums = dense.sum_axis(ndarray::Axis(1));
            for i in 0..n {
                for j in 0..n {
                    let expected = if dense[[i, j]] == 0.0 { 0.0 } else { dense[[i, j]] * (1.0 / sums[i] + 1.0 / sums[j]) / 2.0 };
                    prop_assert!((p[[i, j]] - expected).abs() <= 1e-14 * expected);
                    prop_assert_eq!(p[[i, j]], p[[j, i]]);
                }
            }
            prop_assert!((p.sum() - (0..n).filter(|&i| sums[i] > 0.0).count() as f64).abs() < 1e-9);
        }
    }
}
