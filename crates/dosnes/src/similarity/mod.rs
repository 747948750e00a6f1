//! Pairwise similarities, before they are made doubly stochastic.

mod from_data;

pub use from_data::{Affinity, Reduction, Similarities, SimilarityFacts, SimilarityOptions, similarities};

use crate::{
    error::Error,
    normalization::degrees,
    random::{GOLDEN, mix},
    sparse::{CsrMatrix, into_symmetrized, product_with_transpose, symmetrized},
};

/// Pairwise similarities in the form between the input and the normalisation.
#[derive(Debug, Clone, PartialEq)]
pub enum Similarity<'a> {
    /// A symmetric matrix S ≥ 0, n × n.
    Symmetric(CsrMatrix<'a>),
    /// A square matrix B ≥ 0 that need not be symmetric.
    Directed(CsrMatrix<'a>),
    /// The weighted edges of a graph, n × n, B ≥ 0, in one direction or both.
    Graph(CsrMatrix<'a>),
    /// Similarities of points or distances to their nearest neighbours, n × n, B ≥ 0: the conditional probabilities
    /// p(j|i) of entropic affinities, or a kNN graph.
    Neighbors(CsrMatrix<'a>),
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
            Self::Symmetric(m) | Self::Directed(m) | Self::Graph(m) | Self::Neighbors(m) | Self::Dyadic(m) => m,
        }
    }

    /// The total similarity of each item to all others: the row sums of S without its diagonal. For dyadic data BBᵀ is not
    /// computed for them.
    pub fn degrees(&self) -> Result<Vec<f64>, Error> {
        let Self::Dyadic(b) = self else { return Ok(degrees(&self.symmetric()?)) };
        let mut column_sums = vec![0.0; b.columns()];
        for (_, k, value) in b.iter() {
            column_sums[k] += value;
        }
        // The others' share of each column is exactly zero where an item is alone.
        Ok(b.iter_rows().map(|row| row.iter().map(|(k, value)| value * (column_sums[k] - value)).sum()).collect())
    }

    /// The symmetric similarity S: itself, (B + Bᵀ)/2, or BBᵀ. The diagonal is that of the input.
    pub fn symmetric(&self) -> Result<CsrMatrix<'_>, Error> {
        match self {
            Self::Symmetric(s) => Ok(s.borrowed()),
            Self::Directed(b) | Self::Graph(b) | Self::Neighbors(b) => {
                b.check_square()?;
                Ok(symmetrized(b))
            }
            Self::Dyadic(b) => Ok(product_with_transpose(b, b)?),
        }
    }

    /// The same for similarities that are not needed any more: their memory is used.
    pub(crate) fn into_symmetric(self) -> Result<CsrMatrix<'static>, Error> {
        match self {
            Self::Symmetric(s) => Ok(s.into_owned()),
            Self::Directed(b) | Self::Graph(b) | Self::Neighbors(b) => {
                b.check_square()?;
                Ok(into_symmetrized(b))
            }
            Self::Dyadic(b) => Ok(product_with_transpose(&b, &b)?),
        }
    }

    /// Similarities that own their entries; borrowed ones are copied.
    pub fn into_owned(self) -> Similarity<'static> {
        match self {
            Self::Symmetric(m) => Similarity::Symmetric(m.into_owned()),
            Self::Directed(m) => Similarity::Directed(m.into_owned()),
            Self::Graph(m) => Similarity::Graph(m.into_owned()),
            Self::Neighbors(m) => Similarity::Neighbors(m.into_owned()),
            Self::Dyadic(m) => Similarity::Dyadic(m.into_owned()),
        }
    }

    /// The same similarities, borrowed instead of copied.
    pub fn borrowed(&self) -> Similarity<'_> {
        match self {
            Self::Symmetric(m) => Similarity::Symmetric(m.borrowed()),
            Self::Directed(m) => Similarity::Directed(m.borrowed()),
            Self::Graph(m) => Similarity::Graph(m.borrowed()),
            Self::Neighbors(m) => Similarity::Neighbors(m.borrowed()),
            Self::Dyadic(m) => Similarity::Dyadic(m.borrowed()),
        }
    }
}

/// A symmetric matrix of uniform random numbers with a zero diagonal: the paper's Figure 1.
///
/// The numbers come from a generator that is implemented here (SplitMix64), so they never change.
pub fn random_similarity(n: usize, seed: u64) -> Result<Similarity<'static>, Error> {
    let mut state = seed.wrapping_add(1);
    let mut uniform = || {
        let z = mix(state);
        state = state.wrapping_add(GOLDEN);
        (z >> 11) as f64 / (1_u64 << 53) as f64
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
        let similarity = Similarity::Dyadic(b);
        let dense = similarity.symmetric().unwrap().to_dense();
        let expected = ndarray::arr2(&[[1.0, 1.0, 0.0], [1.0, 2.0, 2.0], [0.0, 2.0, 4.0]]);
        assert_eq!(dense, expected);
        assert_eq!(similarity.degrees().unwrap(), [1.0, 3.0, 2.0]);
    }
}
