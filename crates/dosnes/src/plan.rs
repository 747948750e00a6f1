//! How much memory and time a run will take, estimated from its data and options before it starts.

use crate::{
    input::{Data, Distances, Points},
    normalization::{Diagonal, Normalization, NormalizeOptions, largest_size, most_partners},
    optimize::EmbedOptions,
    pca,
    repulsion::RepulsionMethod,
    similarity::SimilarityOptions,
    sparse::CsrMatrix,
};

/// Bytes of one stored similarity: a 32-bit index and a double.
const ENTRY: u64 = 12;
/// Largest number of copies of the similarities at the same time: as given, transposed, symmetrised, and P while it is
/// scaled; later P and the optimizer's own copy.
const COPIES: u64 = 4;
/// Bytes per item that the optimizer keeps: positions, forces and ten pairs of differences, in three coordinates.
const PER_ITEM: u64 = 8 * 3 * 40;
/// Memory of the program itself and of system buffers.
const BASE: u64 = 20_000_000;

/// Pairs of items that one core processes per second in exact sums. All of these constants are rough.
const PAIRS_PER_SECOND: f64 = 1.5e8;
/// Similarities that one core processes per second.
const SIMILARITIES_PER_SECOND: f64 = 2.5e8;
/// Harmonic sums over n items take this times n^1.2 seconds on one core.
const HARMONIC_SECONDS: f64 = 8e-8;
/// Seconds per item on one core, for the grid in the plane.
const FFT_SECONDS: f64 = 5e-7;
/// Seconds per item on one core, for the tree.
const TREE_SECONDS: f64 = 2e-6;
/// Usual number of iterations, for few similarities and for many.
const USUAL_STEPS: [f64; 2] = [700.0, 200.0];
/// Above this number of similarities, a run takes fewer iterations.
const MANY_SIMILARITIES: u64 = 3_000_000;

/// The estimated memory and time of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Upper bound of the number of entries of the similarity matrix.
    pub entries: u64,
    /// Peak memory in bytes.
    pub bytes: u64,
    /// Approximate time of the embedding on all threads, in seconds.
    pub seconds: f64,
}

impl Estimate {
    /// Estimates a run with these options on these data.
    pub fn of(
        data: &Data<'_>,
        similarity: &SimilarityOptions,
        normalization: &NormalizeOptions,
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
        let dense = if normalization.method == Normalization::ZassShashua { 4 * 8 * n * n } else { 0 };
        let entries = if may_take_several_steps(data, normalization) { largest_size(n, entries) } else { entries };
        Self {
            entries,
            bytes: BASE + held + COPIES * ENTRY * entries + PER_ITEM * n + dense,
            seconds: embedding_seconds(data.len(), entries, embed),
        }
    }
}

/// Approximate time in seconds, on all threads, to embed `n` items with this number of similarities.
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

/// Bytes that are needed besides the similarities, and the number of similarities.
fn of_points(points: &Points<'_>, similarity: &SimilarityOptions) -> (u64, u64) {
    let (rows, columns) = points.shape();
    let n = rows as u64;
    let k = neighbor_count(rows, similarity);
    let reduced = similarity.components((rows, columns)).unwrap_or(0) as u64;
    let columns = columns as u64;
    let covariance = if reduced > 0 { pca::working_bytes(points, reduced as usize) } else { 0 };
    // The search works on a padded copy of the points.
    let searched = if reduced > 0 { reduced } else { columns };
    let held = match points {
        Points::Dense(_) => 4 * n * (columns + searched) + covariance,
        Points::Dense64(_) => n * (12 * columns + 4 * searched) + covariance,
        Points::Sparse(x) => 2 * ENTRY * x.nnz() as u64 + covariance + 4 * n * reduced,
    };
    // Neighbours and their distances. The union of both directions has up to twice as many entries.
    (held + 8 * n * k, 2 * n * k)
}

/// The number of neighbours; 0 for invalid options, which are rejected later.
fn neighbor_count(n: usize, similarity: &SimilarityOptions) -> u64 {
    similarity.neighbor_count(n).map_or(0, |(k, _)| k.min(n.saturating_sub(1)) as u64)
}

/// Entries of S + Sᵀ: an entry whose mirror image is also stored is counted once.
fn symmetric_entries(x: &CsrMatrix<'_>) -> u64 {
    let mirrored = x.iter().filter(|&(i, j, _)| x.get(j, i).is_some()).count();
    (2 * x.nnz() - mirrored) as u64
}

/// Whether similarities of several steps may be scaled: whether it is so can depend on the similarities themselves.
fn may_take_several_steps(data: &Data<'_>, options: &NormalizeOptions) -> bool {
    let given = matches!(data, Data::Similarity(_) | Data::Graph(_) | Data::Dyadic(_));
    let scaled = matches!(options.method, Normalization::Auto | Normalization::Sinkhorn | Normalization::Walk);
    scaled && options.diagonal == Diagonal::Zero && options.steps.map_or(given, |steps| steps > 1)
}

/// Upper bound of the number of entries of `BBᵀ`: all pairs within each column, or what the items keep of them.
fn product_entries(b: &CsrMatrix<'_>) -> u64 {
    let mut in_column = vec![0_u64; b.columns()];
    for &j in b.column_indices() {
        in_column[j as usize] += 1;
    }
    let pairs: u64 = in_column.iter().map(|&c| c * c).sum();
    pairs.min(b.rows() as u64 * (2 * most_partners(b.rows())).min(b.rows()) as u64)
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
    fn a_hundred_thousand_sparse_columns_are_not_counted_as_if_they_were_dense() {
        let triplets: Vec<(u32, u32, f64)> = (0..100_000_u32).map(|k| (k % 2000, k, 1.0)).collect();
        let points = Data::Points(Points::Sparse(CsrMatrix::from_triplets((2000, 100_000), &triplets).unwrap()));
        let (similarity, embed) = (SimilarityOptions::default(), EmbedOptions::default());
        let bytes = Estimate::of(&points, &similarity, &NormalizeOptions::default(), &embed).bytes;
        // As dense numbers, the data alone would be 800 MB; a run needs about 190 MB.
        assert!((120_000_000..300_000_000).contains(&bytes), "{bytes}");
    }

    #[test]
    fn estimates_follow_the_same_defaults_as_the_run() {
        let estimate = |rows: usize, columns: usize| {
            let points = Data::from(Array2::<f32>::zeros((rows, columns)));
            let (similarity, embed) = (SimilarityOptions::default(), EmbedOptions::default());
            Estimate::of(&points, &similarity, &NormalizeOptions::default(), &embed)
        };
        // Perplexity 30 needs 90 neighbours; 40 items allow a perplexity of 13, which needs 39.
        assert_eq!(estimate(1000, 10).entries, 2 * 1000 * 90);
        assert_eq!(estimate(40, 10).entries, 2 * 40 * 39);
        // Data with few rows is not reduced, even if it is wide.
        assert!(estimate(40, 3000).bytes < BASE + 4 * 40 * 6000 + COPIES * ENTRY * 3120 + 40 * (PER_ITEM + 8 * 39) + 1);
    }
}
