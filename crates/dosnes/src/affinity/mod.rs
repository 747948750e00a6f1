//! From distances to similarities.
//!
//! [`entropic_affinities`] gives every item the same effective number of neighbours, the perplexity (van der Maaten and
//! Hinton, *Visualizing Data using t-SNE*, JMLR 9, 2008, section 2). [`symmetric_entropic_affinities`] does so with a
//! matrix that is symmetric and doubly stochastic at the same time. [`neighbor_graph`] is the unweighted kNN graph.

mod entropic;
mod graph;
mod symmetric;

pub(crate) use entropic::to_probabilities;
pub use entropic::{entropic_affinities, neighbors_for_perplexity};
pub use graph::{GraphWeight, neighbor_graph};
pub use symmetric::{SymmetricAffinities, SymmetricReport, symmetric_entropic_affinities};

use crate::neighbors::Neighbors;
use crate::sparse::CsrMatrix;
use rayon::prelude::*;

/// The default perplexity.
pub const DEFAULT_PERPLEXITY: f64 = 30.0;

/// Rows per task.
const BLOCK: usize = 512;

/// A matrix with one entry for each neighbour: `fill` turns the distances of a row, nearest first, into its values. Zeros
/// are left out.
///
/// The matrix takes over the lists of the neighbours. With a hundred million of them there should be no second copy.
fn csr_on_neighbors(neighbors: Neighbors, fill: impl Fn(&[f32], &mut [f64]) + Sync) -> CsrMatrix<'static> {
    let n = neighbors.len();
    let (row_starts, mut indices, distances) = neighbors.into_parts();
    let mut values = vec![0.0; indices.len()];
    let mut tasks = Vec::with_capacity(n.div_ceil(BLOCK));
    let (mut indices_left, mut values_left) = (indices.as_mut_slice(), values.as_mut_slice());
    for first in (0..n).step_by(BLOCK) {
        let last = (first + BLOCK).min(n);
        let entries = row_starts[last] - row_starts[first];
        let (of_block, after) = indices_left.split_at_mut(entries);
        let (values_of_block, values_after) = values_left.split_at_mut(entries);
        (indices_left, values_left) = (after, values_after);
        tasks.push((&row_starts[first..=last], of_block, values_of_block));
    }
    tasks.into_par_iter().for_each(|(starts, indices, values)| {
        let mut sorted = Vec::new();
        for bounds in starts.windows(2) {
            let row = bounds[0] - starts[0]..bounds[1] - starts[0];
            let (indices, values) = (&mut indices[row.clone()], &mut values[row]);
            fill(&distances[bounds[0]..bounds[1]], values);
            sorted.clear();
            sorted.extend(indices.iter().copied().zip(values.iter().copied()));
            sorted.sort_unstable_by_key(|&(j, _)| j);
            for (k, &(j, value)) in sorted.iter().enumerate() {
                (indices[k], values[k]) = (j, value);
            }
        }
    });
    drop(distances);
    CsrMatrix::well_formed((n, n), row_starts, indices, values).without_zeros()
}
