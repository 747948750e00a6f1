//! The unweighted kNN graph.

use super::csr_on_neighbors;
use crate::neighbors::Neighbors;
use crate::sparse::CsrMatrix;

/// The weight of an edge to a neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum GraphWeight {
    /// 1 for each neighbour.
    One,
    /// One over the item's number of neighbours: rows sum to 1.
    #[default]
    Shared,
}

/// The graph with an edge from every item to each of its neighbours. Distances are ignored.
pub fn neighbor_graph(neighbors: Neighbors, weight: GraphWeight) -> CsrMatrix<'static> {
    csr_on_neighbors(neighbors, |distances, values| {
        values.fill(match weight {
            GraphWeight::One => 1.0,
            GraphWeight::Shared => 1.0 / distances.len() as f64,
        });
    })
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::input::Distances;
    use crate::neighbors::neighbors_from_distances;

    #[test]
    fn every_neighbour_has_the_same_weight() {
        let distances = Distances::Dense(array![[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]].into());
        let neighbors = neighbors_from_distances(&distances, 2).unwrap();
        let graph = neighbor_graph(neighbors, GraphWeight::Shared);
        assert_eq!(graph.to_dense(), array![[0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]]);
        let graph = neighbor_graph(neighbors_from_distances(&distances, 1).unwrap(), GraphWeight::One);
        assert_eq!(graph.to_dense(), array![[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    }
}
