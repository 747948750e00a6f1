//! The connected components of a similarity graph.

use super::CsrMatrix;
use crate::error::Error;

/// Which items are connected, directly or through others. The relative position of two components on a map has no
/// meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    labels: Vec<u32>,
    sizes: Vec<usize>,
}

impl Components {
    /// The components of a square matrix. A stored entry connects its row and its column in both directions.
    pub fn of(matrix: &CsrMatrix<'_>) -> Result<Self, Error> {
        matrix.check_square()?;
        let mut parent: Vec<u32> = (0..matrix.rows() as u32).collect();
        for (i, j, _) in matrix.iter() {
            let (a, b) = (root(&mut parent, i as u32), root(&mut parent, j as u32));
            parent[a.max(b) as usize] = a.min(b);
        }
        // A root is the first item of its component, so components are numbered in the order of their first items.
        let mut labels: Vec<u32> = Vec::with_capacity(parent.len());
        let mut sizes = Vec::new();
        for i in 0..parent.len() as u32 {
            let root = root(&mut parent, i);
            let label = if root == i {
                sizes.push(0);
                sizes.len() as u32 - 1
            } else {
                labels[root as usize]
            };
            sizes[label as usize] += 1;
            labels.push(label);
        }
        Ok(Self { labels, sizes })
    }

    /// The number of the component of each item. Components are numbered in the order of their first items.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Number of items in each component.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Number of components.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The items of the largest component, in order. Of several largest components, the first one is used.
    pub fn largest(&self) -> Vec<usize> {
        let largest = (0..self.sizes.len()).rev().max_by_key(|&c| self.sizes[c]).unwrap_or(0) as u32;
        (0..self.labels.len()).filter(|&i| self.labels[i] == largest).collect()
    }

    /// The sizes, largest first.
    pub fn sizes_descending(&self) -> Vec<usize> {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    }
}

/// The root of `i`'s tree. Paths are halved on the way.
fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn edges_connect_both_ways_and_isolated_items_are_components() {
        let matrix = CsrMatrix::from_triplets((6, 6), &[(0, 2, 1.0), (1, 2, 1.0), (4, 3, 1.0)]).unwrap();
        let components = Components::of(&matrix).unwrap();
        assert_eq!(components.labels(), [0, 0, 0, 1, 1, 2]);
        assert_eq!(components.sizes(), [3, 2, 1]);
        let wide = CsrMatrix::from_triplets((2, 3), &[]).unwrap();
        assert!(Components::of(&wide).is_err());
    }

    /// Reference: spreads the smallest label along every entry until nothing changes.
    fn labels_by_spreading(n: usize, pairs: &[(u32, u32)]) -> Vec<u32> {
        let mut first: Vec<u32> = (0..n as u32).collect();
        loop {
            let before = first.clone();
            for &(i, j) in pairs {
                let least = first[i as usize].min(first[j as usize]);
                first[i as usize] = least;
                first[j as usize] = least;
            }
            if first == before {
                break;
            }
        }
        let mut roots = first.clone();
        roots.sort_unstable();
        roots.dedup();
        first.iter().map(|r| roots.binary_search(r).unwrap() as u32).collect()
    }

    proptest! {
        #[test]
        fn components_agree_with_spreading_labels(
            n in 1_usize..40,
            picks in proptest::collection::vec((0_u32..40, 0_u32..40), 0..40),
        ) {
            let pairs: Vec<_> = picks.into_iter().map(|(i, j)| (i % n as u32, j % n as u32)).collect();
            let triplets: Vec<_> = pairs.iter().map(|&(i, j)| (i, j, 1.0)).collect();
            let components = Components::of(&CsrMatrix::from_triplets((n, n), &triplets).unwrap()).unwrap();
            prop_assert_eq!(components.labels(), &labels_by_spreading(n, &pairs)[..]);
            prop_assert_eq!(components.sizes().iter().sum::<usize>(), n);
        }
    }
}
