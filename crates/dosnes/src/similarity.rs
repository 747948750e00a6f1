//! Similarities of pairs, before they are made doubly stochastic.

use crate::input::Csr;
use std::borrow::Cow;

/// What is known of pairs of items: the value between the input and the normalisation.
#[derive(Debug, Clone)]
pub enum Similarity {
    /// A symmetric matrix S ≥ 0, n × n.
    Symmetric(Csr),
    /// A square matrix B ≥ 0 that need not be symmetric: arcs of a graph, or the conditional probabilities p(j|i) of
    /// entropic affinities.
    Directed(Csr),
    /// A rectangular matrix B ≥ 0, n × m: who takes part in what.
    Dyadic(Csr),
}

impl Similarity {
    /// Number of items.
    pub fn len(&self) -> usize {
        self.stored().rows()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The matrix as it is stored: S or B.
    pub fn stored(&self) -> &Csr {
        match self {
            Self::Symmetric(m) | Self::Directed(m) | Self::Dyadic(m) => m,
        }
    }

    /// The symmetric similarity S: itself, (B + Bᵀ)/2, or BBᵀ. Its diagonal is whatever the input says.
    pub fn symmetric(&self) -> Cow<'_, Csr> {
        match self {
            Self::Symmetric(s) => Cow::Borrowed(s),
            Self::Directed(b) => Cow::Owned(symmetrized(b)),
            Self::Dyadic(b) => Cow::Owned(gram(b)),
        }
    }
}

/// (B + Bᵀ)/2.
fn symmetrized(b: &Csr) -> Csr {
    let transposed = b.transpose_view().to_csr();
    sprs::binop::csmat_binop(b.view(), transposed.view(), |x, y| 0.5 * (x + y))
}

/// BBᵀ, by rows: entry (i, j) is Σ_k B_ik B_jk, taken in the order of k.
pub(crate) fn gram(b: &Csr) -> Csr {
    product_with_transpose(b, b)
}

/// B Cᵀ for two matrices of the same shape, by rows, in parallel.
pub(crate) fn product_with_transpose(b: &Csr, c: &Csr) -> Csr {
    use rayon::prelude::*;
    let n = b.rows();
    let by_column = c.transpose_view().to_csr();
    let chunk = 256;
    let parts: Vec<(Vec<usize>, Vec<u32>, Vec<f64>)> = (0..n.div_ceil(chunk))
        .into_par_iter()
        .map_init(
            || vec![0.0_f64; n],
            |sums, part| {
                let (mut lengths, mut indices, mut values) = (Vec::new(), Vec::new(), Vec::new());
                for i in part * chunk..((part + 1) * chunk).min(n) {
                    let start = indices.len();
                    for (k, &x) in b.outer_view(i).expect("i is a row of b").iter() {
                        if x == 0.0 {
                            continue;
                        }
                        for (j, &y) in by_column.outer_view(k).expect("k is a column of c").iter() {
                            if y == 0.0 {
                                continue;
                            }
                            if sums[j] == 0.0 {
                                indices.push(j as u32);
                            }
                            sums[j] += x * y;
                        }
                    }
                    indices[start..].sort_unstable();
                    for &j in &indices[start..] {
                        values.push(sums[j as usize]);
                        sums[j as usize] = 0.0;
                    }
                    lengths.push(indices.len() - start);
                }
                (lengths, indices, values)
            },
        )
        .collect();
    let mut indptr = vec![0];
    let (mut indices, mut values) = (Vec::new(), Vec::new());
    for (lengths, part_indices, part_values) in parts {
        for length in lengths {
            indptr.push(indptr[indptr.len() - 1] + length);
        }
        indices.extend(part_indices);
        values.extend(part_values);
    }
    Csr::new((n, n), indptr, indices, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::csr_from_triplets;

    #[test]
    fn a_directed_matrix_is_averaged_with_its_transpose() {
        let (b, _) = csr_from_triplets((3, 3), &[(0, 1, 4.0), (1, 0, 2.0), (1, 2, 5.0)]);
        let s = Similarity::Directed(b).symmetric().into_owned();
        assert_eq!(s.get(0, 1), Some(&3.0));
        assert_eq!(s.get(1, 0), Some(&3.0));
        assert_eq!(s.get(2, 1), Some(&2.5));
    }

    #[test]
    fn the_gram_matrix_counts_what_two_items_share() {
        // Two authors of one paper, one of whom wrote another one with a third.
        let (b, _) = csr_from_triplets((3, 2), &[(0, 0, 1.0), (1, 0, 1.0), (1, 1, 1.0), (2, 1, 2.0)]);
        let s = gram(&b);
        let dense = s.to_dense();
        let expected = ndarray::arr2(&[[1.0, 1.0, 0.0], [1.0, 2.0, 2.0], [0.0, 2.0, 4.0]]);
        assert_eq!(dense, expected);
    }
}
