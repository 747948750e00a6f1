//! How much memory and time a run will take, estimated from its data and options before it starts.

use crate::{
    input::{Data, Distances, Points},
    normalization::Normalization,
    optimize::EmbedOptions,
    repulsion::RepulsionMethod,
    similarity::SimilarityOptions,
    sparse::CsrMatrix,
};

/// Bytes of one stored similarity: a 32-bit index and a double.
const ENTRY: u64 = 12;
/// Copies of the similarities that stand beside each other at most: as given, transposed, symmetrised, and P while it is
/// scaled; later P and the optimizer's own.
const COPIES: u64 = 4;
/// Bytes an item that the optimizer keeps: positions, forces and ten pairs of differences, in three coordinates.
const PER_ITEM: u64 = 8 * 3 * 40;
/// The program itself and the system's buffers.
const BASE: u64 = 20_000_000;

/// Pairs of items that one core handles in a second of exact sums. All of these numbers are rough.
const PAIRS_PER_SECOND: f64 = 1.5e8;
/// Similarities that one core handles in a second.
const SIMILARITIES_PER_SECOND: f64 = 2.5e8;
/// Seconds of one core for harmonic sums over n items, which grow as n^1.2, over n^1.2.
const HARMONIC_SECONDS: f64 = 8e-8;
/// Seconds of one core an item, on a grid in the plane.
const FFT_SECONDS: f64 = 5e-7;
/// Seconds of one core an item, over a tree.
const TREE_SECONDS: f64 = 2e-6;
/// Steps that a run usually takes, for few similarities and for many.
const USUAL_STEPS: [f64; 2] = [700.0, 200.0];
/// From this number of similarities on, fewer steps are taken.
const MANY_SIMILARITIES: u64 = 3_000_000;

/// What a run will take.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Entries of the similarity matrix, at most.
    pub entries: u64,
    /// Bytes of memory at the highest point.
    pub bytes: u64,
    /// Seconds that the embedding takes on all threads, roughly.
    pub seconds: f64,
}

impl Estimate {
    /// What a run with these options will take for these data.
    pub fn of(
        data: &Data<'_>,
        similarity: &SimilarityOptions,
        normalization: Normalization,
        embed: &EmbedOptions,
    ) -> Self {
        let n = data.len() as u64;
        let (held, entries) = match data {
            Data::Points(points) => of_points(points, similarity),
            Data::Distance(Distances::Dense(_)) => {
                let k = neighbor_count(data.len(), similarity);
                (4 * n * n + 8 * n * k, 2 * n * k)
            }
            Data::Distance(Distances::Sparse(x)) => (20 * x.nnz() as u64, 2 * x.nnz() as u64),
            Data::Similarity(x) | Data::Graph(x) => (ENTRY * x.nnz() as u64, symmetric_entries(x)),
            Data::Dyadic(x) => (2 * ENTRY * x.nnz() as u64, product_entries(x)),
        };
        let dense = if normalization == Normalization::ZassShashua { 4 * 8 * n * n } else { 0 };
        Self {
            entries,
            bytes: BASE + held + COPIES * ENTRY * entries + PER_ITEM * n + dense,
            seconds: embedding_seconds(data.len(), entries, embed),
        }
    }
}

/// Seconds that embedding `n` items with so many similarities takes on all threads, roughly.
pub fn embedding_seconds(n: usize, similarities: u64, embed: &EmbedOptions) -> f64 {
    let items = n as f64;
    let exact = items.powi(2) / PAIRS_PER_SECOND;
    let repulsion = match embed.repulsion.plan(n, embed.space, embed.optimizer) {
        Ok(RepulsionMethod::Harmonic) => exact.min(HARMONIC_SECONDS * items.powf(1.2)),
        Ok(RepulsionMethod::Fft) => exact.min(FFT_SECONDS * items),
        Ok(RepulsionMethod::Tree) => exact.min(TREE_SECONDS * items),
        _ => exact,
    };
    let attraction = similarities as f64 / SIMILARITIES_PER_SECOND;
    let steps = if similarities < MANY_SIMILARITIES { USUAL_STEPS[0] } else { USUAL_STEPS[1] };
    steps * (repulsion + attraction) / rayon::current_num_threads() as f64
}

/// Bytes that are held besides the similarities, and the number of these.
fn of_points(points: &Points<'_>, similarity: &SimilarityOptions) -> (u64, u64) {
    let (rows, columns) = points.shape();
    let n = rows as u64;
    let k = neighbor_count(rows, similarity);
    let reduced = similarity.components((rows, columns)).unwrap_or(0) as u64;
    let columns = columns as u64;
    let covariance = if reduced > 0 { 8 * columns.pow(2).min(n * columns) } else { 0 };
    // The search works on a padded copy of what it searches.
    let searched = if reduced > 0 { reduced } else { columns };
    let held = match points {
        Points::Dense(_) => 4 * n * (columns + searched) + covariance,
        Points::Dense64(_) => n * (12 * columns + 4 * searched) + covariance,
        Points::Sparse(x) => 2 * ENTRY * x.nnz() as u64 + covariance + 4 * n * reduced,
    };
    // Neighbours and their distances; the union of both directions has up to twice as many.
    (held + 8 * n * k, 2 * n * k)
}

/// The number of neighbours; what cannot be searched takes nothing, and is refused later.
fn neighbor_count(n: usize, similarity: &SimilarityOptions) -> u64 {
    similarity.neighbor_count(n).map_or(0, |(k, _)| k.min(n.saturating_sub(1)) as u64)
}

/// Entries of S + Sᵀ: those whose mirror image is there too are counted once.
fn symmetric_entries(x: &CsrMatrix<'_>) -> u64 {
    let mirrored = x.iter().filter(|&(i, j, _)| x.get(j, i).is_some()).count();
    (2 * x.nnz() - mirrored) as u64
}

/// Entries of `BBᵀ`, at most: all pairs within each column.
fn product_entries(b: &CsrMatrix<'_>) -> u64 {
    let mut in_column = vec![0_u64; b.columns()];
    for &j in b.column_indices() {
        in_column[j as usize] += 1;
    }
    let pairs: u64 = in_column.iter().map(|&c| c * c).sum();
    pairs.min((b.rows() as u64).pow(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    #[test]
    fn the_product_is_bounded_by_the_pairs_in_each_column() {
        let b = CsrMatrix::from_triplets((4, 2), &[(0, 0, 1.0), (1, 0, 1.0), (2, 1, 1.0)]).unwrap();
        assert_eq!(product_entries(&b), 5);
    }

    #[test]
    fn estimates_follow_the_same_defaults_as_the_run() {
        let estimate = |rows: usize, columns: usize| {
            let points = Data::from(Array2::<f32>::zeros((rows, columns)));
            let (similarity, embed) = (SimilarityOptions::default(), EmbedOptions::default());
            Estimate::of(&points, &similarity, Normalization::Auto, &embed)
        };
        // Perplexity 30 has 90 neighbours; 40 items allow a perplexity of 13, which has 39.
        assert_eq!(estimate(1000, 10).entries, 2 * 1000 * 90);
        assert_eq!(estimate(40, 10).entries, 2 * 40 * 39);
        // Few rows are not reduced, however wide they are.
        assert!(estimate(40, 3000).bytes < BASE + 4 * 40 * 6000 + COPIES * ENTRY * 3120 + 40 * (PER_ITEM + 8 * 39) + 1);
    }
}
