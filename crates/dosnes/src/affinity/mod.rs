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

/// The default perplexity.
pub const DEFAULT_PERPLEXITY: f64 = 30.0;

/// A matrix with one entry for each neighbour. `values` are in the order of the neighbours' rows; zeros are left out.
fn csr_on_neighbors(neighbors: &Neighbors, values: &[f64]) -> CsrMatrix<'static> {
    let n = neighbors.len();
    let mut row_starts = Vec::with_capacity(n + 1);
    row_starts.push(0);
    let mut indices = Vec::with_capacity(values.len());
    let mut data = Vec::with_capacity(values.len());
    let mut sorted = Vec::new();
    let mut rest = values;
    for i in 0..n {
        let (of_row, _) = neighbors.row(i);
        let (row_values, after) = rest.split_at(of_row.len());
        rest = after;
        sorted.clear();
        sorted.extend(of_row.iter().copied().zip(row_values.iter().copied()).filter(|&(_, value)| value != 0.0));
        sorted.sort_unstable_by_key(|&(j, _)| j);
        indices.extend(sorted.iter().map(|&(j, _)| j));
        data.extend(sorted.iter().map(|&(_, value)| value));
        row_starts.push(indices.len());
    }
    CsrMatrix::well_formed((n, n), row_starts, indices, data)
}
