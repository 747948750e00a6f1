//! Similarities for drawing a graph: as many neighbours as possible stay next to each other, and sums are not made equal.

use super::{
    degrees,
    equalize::{PathSum, Walk, two_steps},
};
use crate::sparse::CsrMatrix;

/// The weight of common neighbours; direct neighbours have the weight 1.
const COMMON_NEIGHBORS: f64 = 0.5;

/// P_ij ∝ S_ij / (d_i d_j)^¼ + common neighbours, for a symmetric S without diagonal and without empty rows.
///
/// The exponent is half-way between the weights as they are, which keep the leaves of a tree at their branches, and the
/// symmetric normalisation, which keeps hubs apart. Two items with several common neighbours are also similar: this keeps
/// meshes from being torn. A single common neighbour does not count, because the leaves of a tree would attract each other
/// instead of their branch.
pub(super) fn for_layout(s: &CsrMatrix<'_>) -> CsrMatrix<'static> {
    let sums = degrees(s);
    let roots: Vec<f64> = sums.iter().map(|sum| sum.powf(-0.25)).collect();
    let values: Vec<f64> = s.iter().map(|(i, j, value)| value * (roots[i] * roots[j])).collect();
    let mean = values.iter().sum::<f64>() / s.rows() as f64;
    let direct = CsrMatrix::well_formed(s.shape(), s.row_starts().to_vec(), s.column_indices().to_vec(), values);
    let common = two_steps(&Walk::new(s, 0.0), PathSum::BeyondStrongest);
    direct.times(1.0 / mean).plus(&common.times(COMMON_NEIGHBORS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n: usize, edges: &[(u32, u32)]) -> CsrMatrix<'static> {
        let both: Vec<_> = edges.iter().flat_map(|&(i, j)| [(i, j, 1.0), (j, i, 1.0)]).collect();
        CsrMatrix::from_triplets((n, n), &both).unwrap()
    }

    #[test]
    fn a_star_keeps_its_pattern_and_a_square_gets_its_diagonals() {
        let star = for_layout(&graph(4, &[(0, 1), (0, 2), (0, 3)]));
        assert_eq!(star.nnz(), 6);
        assert!((degrees(&star).iter().sum::<f64>() - 4.0).abs() < 1e-12);
        let square = for_layout(&graph(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]));
        // R² has 1/2 on each diagonal of the square, from two paths; one of them counts.
        assert!((square.get(0, 2).unwrap() - COMMON_NEIGHBORS * 0.25).abs() < 1e-15);
        assert!((square.get(0, 1).unwrap() - 0.5).abs() < 1e-15);
    }
}
