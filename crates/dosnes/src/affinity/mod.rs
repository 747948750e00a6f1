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
use crate::repulsion::FEW;
use crate::sparse::CsrMatrix;
use rayon::prelude::*;

/// The default perplexity.
pub const DEFAULT_PERPLEXITY: f64 = 30.0;

/// Smaller similarities count as zero: singles end near 1e-38, and scaling may make similarities smaller.
const TINY: f64 = 1e-30;

/// Rows per task.
const BLOCK: usize = 512;

/// A matrix with one entry for each neighbour: `fill` turns the distances of a row, nearest first, into its values. Zeros are left
/// out.
///
/// The map of few items is made in double precision, and so are their similarities. Those of many items have single precision,
/// and the matrix takes over the lists of the neighbours: with a hundred million of them there should be no second copy.
fn csr_on_neighbors(neighbors: Neighbors, fill: impl Fn(&[f32], &mut [f64]) + Sync) -> CsrMatrix<'static> {
    let n = neighbors.len();
    if n <= FEW {
        return in_double_precision(&neighbors, fill);
    }
    let (row_starts, mut indices, mut values) = neighbors.into_parts();
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
        let (mut of_row, mut sorted) = (Vec::new(), Vec::new());
        for bounds in starts.windows(2) {
            let row = bounds[0] - starts[0]..bounds[1] - starts[0];
            let (indices, values) = (&mut indices[row.clone()], &mut values[row]);
            of_row.clear();
            of_row.resize(values.len(), 0.0);
            fill(values, &mut of_row);
            sorted.clear();
            sorted.extend(
                indices.iter().copied().zip(of_row.iter().map(|&value| if value < TINY { 0.0 } else { value as f32 })),
            );
            sorted.sort_unstable_by_key(|&(j, _)| j);
            for (k, &(j, value)) in sorted.iter().enumerate() {
                (indices[k], values[k]) = (j, value);
            }
        }
    });
    CsrMatrix::well_formed((n, n), row_starts, indices, values).without_zeros()
}

fn in_double_precision(neighbors: &Neighbors, fill: impl Fn(&[f32], &mut [f64])) -> CsrMatrix<'static> {
    let n = neighbors.len();
    let row = |i: usize| {
        let (indices, distances) = neighbors.row(i);
        let mut values = vec![0.0; distances.len()];
        fill(distances, &mut values);
        let mut entries: Vec<(u32, f64)> = indices.iter().copied().zip(values).filter(|entry| entry.1 != 0.0).collect();
        entries.sort_unstable_by_key(|&(j, _)| j);
        entries.into_iter().unzip()
    };
    CsrMatrix::from_rows((n, n), (0..n).map(row).collect())
}
