//! Properties of similarities before they are normalised.

use super::{Feasibility, Imbalance, degrees, feasibility::of_square};
use crate::{error::Error, similarity::Similarity, sparse::Components};

/// Properties of similarities, and what normalising them can achieve.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Inspection {
    /// Positive similarities between two different items, each counted in both directions.
    pub entries: usize,
    /// How unequal the total similarities are, over the items that have any.
    pub imbalance: Imbalance,
    /// Sizes of the connected components, largest first, without isolated items.
    pub components: Vec<usize>,
    /// Items without a similarity to any other item. They will be left out.
    pub isolated: Vec<usize>,
    /// Whether a zero diagonal has an exact doubly stochastic scaling.
    pub feasibility: Feasibility,
}

impl Inspection {
    /// Inspects similarities.
    pub fn of(similarity: &Similarity<'_>) -> Result<Self, Error> {
        super::check(similarity)?;
        let symmetric = similarity.symmetric()?;
        let sums = degrees(&symmetric);
        let (kept, isolated): (Vec<usize>, Vec<usize>) = (0..sums.len()).partition(|&i| sums[i] > 0.0);
        let positive = symmetric.principal_submatrix(&kept, false);
        Ok(Self {
            entries: positive.nnz(),
            imbalance: Imbalance::of_sums(&kept.iter().map(|&i| sums[i]).collect::<Vec<_>>()),
            components: Components::of(&positive)?.sizes_descending(),
            feasibility: of_square(&positive).renamed(&kept),
            isolated,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::CsrMatrix;

    #[test]
    fn isolated_items_do_not_prevent_a_scaling() {
        // A star of three leaves, a pair, and two isolated items, one of which is similar to itself.
        let arcs = [(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0), (5, 6, 2.0), (7, 7, 1.0)];
        let matrix = CsrMatrix::from_triplets((8, 8), &arcs).unwrap();
        let found = Inspection::of(&Similarity::Directed(matrix)).unwrap();
        assert_eq!(found.isolated, [4, 7]);
        assert_eq!(found.components, [4, 2]);
        assert_eq!(found.entries, 8);
        assert_eq!(found.feasibility, Feasibility::TooFewPartners(vec![1, 2, 3]));
        let pair = CsrMatrix::from_triplets((3, 3), &[(0, 2, 1.0)]).unwrap();
        assert_eq!(Inspection::of(&Similarity::Directed(pair)).unwrap().feasibility, Feasibility::Exact);
    }
}
