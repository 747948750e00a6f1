//! The paper's one-pass normalisation: a two-step random walk from item to column and back.

use crate::{
    error::Error,
    sparse::{CsrMatrix, Row, strongest_of_product},
};

/// P_ij = Σ_k A_ik A_jk / Σ_v A_vk with A_ik = B_ik / Σ_u B_iu (the paper's equations 3 and 4).
///
/// P is symmetric, its rows sum to one (including the diagonal), and one pass is enough. An empty row of B gives an
/// empty row of P. Rows with more than `most` entries keep the strongest ([`strongest_of_product`]); the second value tells
/// whether there were any.
pub(super) fn two_step_walk(b: &CsrMatrix<'_>, most: usize) -> Result<(CsrMatrix<'static>, bool), Error> {
    let row_sums: Vec<f64> = b.iter_rows().map(Row::sum).collect();
    let mut column_sums = vec![0.0; b.columns()];
    let mut values = Vec::with_capacity(b.nnz());
    for (row, sum) in b.iter_rows().zip(&row_sums) {
        for (k, value) in row.iter() {
            let share = if value > 0.0 { value / sum } else { value };
            column_sums[k] += share;
            values.push(share);
        }
    }
    // A diag(1/column sums) Aᵀ as a product with its own transpose: symmetric to the last bit.
    for (value, &k) in values.iter_mut().zip(b.column_indices()).filter(|(value, _)| **value > 0.0) {
        *value /= column_sums[k as usize].sqrt();
    }
    let a = CsrMatrix::new(b.shape(), b.row_starts(), b.column_indices(), values)?;
    Ok(strongest_of_product(&a, most)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_walk_is_symmetric_and_its_rows_sum_to_one(
            n in 1_usize..20,
            m in 1_usize..20,
            picks in proptest::collection::vec((0_u32..20, 0_u32..20, 0.01_f64..10.0), 1..80),
        ) {
            let mut triplets: Vec<_> = picks.into_iter().map(|(i, k, w)| (i % n as u32, k % m as u32, w)).collect();
            triplets.extend((0..n as u32).map(|i| (i, i % m as u32, 1.0)));
            let (p, cut) = two_step_walk(&CsrMatrix::from_triplets((n, m), &triplets).unwrap(), n).unwrap();
            prop_assert!(!cut);
            for (i, row) in p.iter_rows().enumerate() {
                // The sum of a row has at most n·m products, each with a relative error of a few ulps.
                prop_assert!((row.sum() - 1.0).abs() < 1e-13);
                for (j, value) in row.iter() {
                    prop_assert_eq!(Some(value), p.get(j, i));
                }
            }
        }
    }
}
