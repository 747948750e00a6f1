//! Pairwise similarities, before they are made doubly stochastic.

mod from_data;

pub use from_data::{Affinity, Reduction, Similarities, SimilarityOptions, similarities};

use crate::{
    error::Error,
    sparse::{CsrMatrix, product_with_transpose, symmetrized},
};

/// Pairwise similarities in the form between the input and the normalisation.
#[derive(Debug, Clone, PartialEq)]
pub enum Similarity<'a> {
    /// A symmetric matrix S ≥ 0, n × n.
    Symmetric(CsrMatrix<'a>),
    /// A square matrix B ≥ 0 that need not be symmetric: edges of a directed graph, or the conditional probabilities
    /// p(j|i) of entropic affinities.
    Directed(CsrMatrix<'a>),
    /// A rectangular matrix B ≥ 0, n × m: dyadic (bipartite) data.
    Dyadic(CsrMatrix<'a>),
}

impl Similarity<'_> {
    /// Number of items.
    pub fn len(&self) -> usize {
        self.stored().rows()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The matrix as it is stored: S or B.
    pub fn stored(&self) -> &CsrMatrix<'_> {
        match self {
            Self::Symmetric(m) | Self::Directed(m) | Self::Dyadic(m) => m,
        }
    }

    /// The symmetric similarity S: itself, (B + Bᵀ)/2, or BBᵀ. The diagonal is that of the input.
    pub fn symmetric(&self) -> Result<CsrMatrix<'_>, Error> {
        match self {
            Self::Symmetric(s) => Ok(s.borrowed()),
            Self::Directed(b) => {
                b.check_square()?;
                Ok(symmetrized(b))
            }
            Self::Dyadic(b) => Ok(product_with_transpose(b, b)?),
        }
    }
}

/// A symmetric matrix of uniform random numbers with a zero diagonal: the paper's Figure 1.
///
/// The numbers come from a generator that is implemented here (SplitMix64), so they never change.
pub fn random_similarity(n: usize, seed: u64) -> Result<Similarity<'static>, Error> {
    let mut state = seed.wrapping_add(1);
    let mut uniform = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut triplets = Vec::new();
    for i in 0..n as u32 {
        for j in 0..i {
            let value = uniform();
            triplets.extend([(i, j, value), (j, i, value)]);
        }
    }
    Ok(Similarity::Symmetric(CsrMatrix::from_triplets((n, n), &triplets)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directed_matrix_is_averaged_with_its_transpose() {
        let b = CsrMatrix::from_triplets((3, 3), &[(0, 1, 4.0), (1, 0, 2.0), (1, 2, 5.0)]).unwrap();
        let similarity = Similarity::Directed(b);
        let s = similarity.symmetric().unwrap();
        assert_eq!(s.get(0, 1), Some(3.0));
        assert_eq!(s.get(1, 0), Some(3.0));
        assert_eq!(s.get(2, 1), Some(2.5));
    }

    #[test]
    fn the_gram_matrix_counts_what_two_items_share() {
        // One paper has two authors; one of them wrote another paper with a third author.
        let b = CsrMatrix::from_triplets((3, 2), &[(0, 0, 1.0), (1, 0, 1.0), (1, 1, 1.0), (2, 1, 2.0)]).unwrap();
        let dense = Similarity::Dyadic(b).symmetric().unwrap().to_dense();
        let expected = ndarray::arr2(&[[1.0, 1.0, 0.0], [1.0, 2.0, 2.0], [0.0, 2.0, 4.0]]);
        assert_eq!(dense, expected);
    }
}
