//! How much memory and time a run will take, estimated from its data and options before it starts.

use crate::{
    input::{Data, Distances, Points},
    normalization::{
        Diagonal, MAX_STEPS, Normalization, NormalizeOptions, PARTNERS, USUAL_STEPS as USUAL_WALKS, kept_to_complete,
        largest_size, most_partners,
    },
    observe::Stage,
    optimize::EmbedOptions,
    pca,
    repulsion::RepulsionMethod,
    similarity::{Affinity, SimilarityOptions},
    sparse::CsrMatrix,
};

/// Bytes of one stored similarity: a 32-bit index and a double.
const ENTRY: u64 = 12;
/// Bytes of one similarity in single precision, and of one neighbour: a 32-bit index and a single.
const SINGLE_ENTRY: u64 = 8;
/// Bytes per item of the optimizer: positions, forces, sums over harmonics, and the item's name.
const PER_ITEM: u64 = 770;
/// The same where P is put into another order in its own memory, without the grids of the harmonics.
const PER_POINT: u64 = 430;
/// Bytes of these grids, relative to the root of the number of points: they become finer more slowly than the points become more.
const GRIDS: f64 = 134_000.0;
/// Bytes per item of the search, besides the neighbours: its name, its cell and the like.
const SEARCHED_ITEM: u64 = 140;
/// Bytes per item while neighbours are scaled: its name, its matching and its factor.
const SCALED_ITEM: u64 = 300;
/// Memory of the program itself and of system buffers.
const BASE: u64 = 14_000_000;
/// Symmetric similarities of points, relative to all their neighbours: of mutual neighbours one is saved. From 1.4 to 1.65 on
/// images, cells and mixtures of Gaussians.
const SYMMETRIC_SHARE: f64 = 1.5;
/// Entries of a power of the walk, relative to all walks, where a row keeps all: some walks end at the same item.
const WALKS_SHARE: f64 = 0.8;
/// Similarities that longer walks add, relative to the entries of all powers of the walk. Entries of two rows are often the same pair,
/// and items that miss nothing get none. From 0.70 to 0.88 on GitHub, Debian, WordNet and Enron.
const FILLED_SHARE: f64 = 0.77;
/// Bytes per entry of all powers of the walk while these are computed and added up: for many items, and for few, of which all
/// pairs are similar in the end.
const WALKED_ENTRY: u64 = 61;
const WALKED_ENTRY_OF_FEW: u64 = 22;
/// Bytes per symmetric similarity in single precision while a matrix, which becomes smaller, is added to its transpose.
const SYMMETRIZED_ENTRY: f64 = 8.4;
/// Bytes per similarity while given similarities are scaled, and where walks are added.
const SCALED_ENTRY: u64 = 25;
/// Bytes per similarity that the sums over walks leave in the heap, and their largest number.
const LEFT_ENTRY: u64 = 10;
const MOST_LEFT: u64 = 40_000_000;

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
/// Products of numbers that one core computes per second for principal components.
const PRODUCTS_PER_SECOND: f64 = 1.6e10;
/// Seconds per neighbour and 50 columns on one core.
const NEIGHBOR_SECONDS: f64 = 1e-6;
/// Seconds per neighbour on one core, for its similarity.
const AFFINITY_SECONDS: f64 = 1.5e-7;
/// Seconds per similarity on one core, for all rounds of the scaling.
const SCALING_SECONDS: f64 = 6e-7;
/// Usual number of iterations, for few similarities and for many.
const USUAL_STEPS: [f64; 2] = [700.0, 200.0];
/// Above this number of similarities, a run takes fewer iterations.
const MANY_SIMILARITIES: u64 = 3_000_000;

/// The estimated memory and time of a run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Upper bound of the number of entries of the similarity matrix.
    pub entries: u64,
    /// Peak memory in bytes: that of the stage that needs most.
    pub bytes: u64,
    /// Approximate time of the embedding on all threads, in seconds.
    pub seconds: f64,
    /// Memory and time of each stage, in their order. The data are counted in all of them.
    pub stages: Vec<StageEstimate>,
}

/// The estimated memory and time of one stage.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct StageEstimate {
    /// Which one.
    pub stage: Stage,
    /// Memory of the process in bytes.
    pub bytes: u64,
    /// Approximate time on all threads, in seconds.
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
        let mut stages = Vec::new();
        let held = BASE + held_bytes(data);
        let (entries, usual) = match data {
            Data::Points(points) => of_points(points, held, similarity, &mut stages),
            Data::Distance(distances) => {
                let neighbors = match distances {
                    Distances::Dense(_) => n * neighbor_count(data.len(), similarity),
                    Distances::Sparse(x) => x.nnz() as u64,
                };
                of_neighbors(n, neighbors, held, similarity, &mut stages)
            }
            Data::Similarity(x) | Data::Graph(x) => of_pairs(x, held, normalization, data, &mut stages),
            Data::Dyadic(x) => {
                let product = product_entries(x);
                let entries =
                    if may_take_several_steps(data, normalization) { largest_size(n, product) } else { product };
                stages.push(scaling(held + SCALED_ENTRY * entries, entries));
                (entries, entries)
            }
        };
        if normalization.method == Normalization::ZassShashua {
            stages.push(scaling(held + 4 * 8 * n * n, n * n));
        }
        let seconds = embedding_seconds(data.len(), usual, embed);
        let direct = match data {
            Data::Graph(x) | Data::Similarity(x) if may_take_several_steps(data, normalization) => {
                ENTRY * symmetric_entries(x) + (LEFT_ENTRY * usual).min(MOST_LEFT)
            }
            _ => 0,
        };
        let optimizer = if are_single(data, similarity) {
            SINGLE_ENTRY * usual + PER_POINT * n + (GRIDS * (n as f64).sqrt()) as u64
        } else {
            (ENTRY + SINGLE_ENTRY) * usual + PER_ITEM * n
        };
        let bytes = held + direct + optimizer;
        stages.push(StageEstimate { stage: Stage::Optimize, bytes, seconds });
        let bytes = stages.iter().map(|stage| stage.bytes).max().unwrap_or(held);
        Self { entries, bytes, seconds, stages }
    }
}

impl Estimate {
    /// The same for a program that drops the data as soon as their similarities are known.
    #[must_use]
    pub fn without_data(mut self, data: &Data<'_>) -> Self {
        let later = |stage: Stage| matches!(stage, Stage::Normalize | Stage::Initialize | Stage::Optimize);
        for stage in self.stages.iter_mut().filter(|stage| later(stage.stage)) {
            stage.bytes = stage.bytes.saturating_sub(held_bytes(data));
        }
        self.bytes = self.stages.iter().map(|stage| stage.bytes).max().unwrap_or(self.bytes);
        self
    }
}

/// Whether the similarities have single precision: those of points and distances to their neighbours.
fn are_single(data: &Data<'_>, similarity: &SimilarityOptions) -> bool {
    matches!(data, Data::Points(_) | Data::Distance(_)) && similarity.affinity != Affinity::SymmetricEntropic
}

/// Bytes of the data themselves.
fn held_bytes(data: &Data<'_>) -> u64 {
    match data {
        Data::Points(Points::Dense(x)) | Data::Distance(Distances::Dense(x)) => 4 * x.len() as u64,
        Data::Points(Points::Dense64(x) | Points::Rounded(x)) => 8 * x.len() as u64,
        Data::Points(Points::Sparse(x))
        | Data::Distance(Distances::Sparse(x))
        | Data::Similarity(x)
        | Data::Graph(x)
        | Data::Dyadic(x) => ENTRY * x.nnz() as u64,
    }
}

fn on_all_threads(seconds: f64) -> f64 {
    seconds / rayon::current_num_threads() as f64
}

fn scaling(bytes: u64, entries: u64) -> StageEstimate {
    StageEstimate { stage: Stage::Normalize, bytes, seconds: on_all_threads(SCALING_SECONDS * entries as f64) }
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

/// The stages up to the scaling for points. Returns the largest and the usual number of similarities.
fn of_points(
    points: &Points<'_>,
    held: u64,
    similarity: &SimilarityOptions,
    stages: &mut Vec<StageEstimate>,
) -> (u64, u64) {
    let (rows, columns) = points.shape();
    let (n, columns) = (rows as u64, columns as u64);
    let neighbors = n * neighbor_count(rows, similarity);
    let reduced = similarity.components(points.shape()).map(|count| count as u64);
    // Numbers in double precision are reduced to single for the search; principal components take them as they are.
    let single = match points {
        Points::Dense64(_) | Points::Rounded(_) if reduced.is_none() => 4 * n * columns,
        _ => 0,
    };
    let width = match points {
        Points::Sparse(x) => (x.nnz() as u64).div_ceil(n.max(1)),
        Points::Dense(_) | Points::Dense64(_) | Points::Rounded(_) => columns,
    };
    let scores = 4 * n * reduced.unwrap_or(0);
    if let Some(count) = reduced {
        let bytes = held + scores + pca::working_bytes(points, count as usize);
        let products = n as f64 * width as f64 * width.min(10 * count) as f64;
        stages.push(StageEstimate {
            stage: Stage::Pca,
            bytes,
            seconds: on_all_threads(products / PRODUCTS_PER_SECOND),
        });
    }
    // The search works on a copy of the points, in an order that suits it.
    let searched = match reduced {
        Some(count) => 4 * n * count,
        None if matches!(points, Points::Sparse(_)) => ENTRY * n * width,
        None => 4 * n * columns,
    };
    let effort = reduced.unwrap_or(width) as f64 / 50.0;
    stages.push(StageEstimate {
        stage: Stage::Neighbors,
        bytes: held + single + scores + searched + SINGLE_ENTRY * neighbors + SEARCHED_ITEM * n,
        seconds: on_all_threads(NEIGHBOR_SECONDS * neighbors as f64 * effort.max(0.2)),
    });
    of_neighbors(n, neighbors, held, similarity, stages)
}

/// The stages from neighbours to scaled similarities. Returns the largest and the usual number of similarities.
fn of_neighbors(
    n: u64,
    neighbors: u64,
    held: u64,
    similarity: &SimilarityOptions,
    stages: &mut Vec<StageEstimate>,
) -> (u64, u64) {
    let single = similarity.affinity != Affinity::SymmetricEntropic;
    let computed = if single { 0 } else { ENTRY * neighbors };
    stages.push(StageEstimate {
        stage: Stage::Affinity,
        bytes: held + computed + SINGLE_ENTRY * neighbors + SEARCHED_ITEM * n,
        seconds: on_all_threads(AFFINITY_SECONDS * neighbors as f64),
    });
    let usual = ((SYMMETRIC_SHARE * neighbors as f64) as u64).min(n * n.saturating_sub(1));
    let symmetric = if single { (SYMMETRIZED_ENTRY * usual as f64) as u64 } else { 2 * ENTRY * usual };
    stages.push(scaling(held + symmetric + SCALED_ITEM * n, usual));
    (2 * neighbors, usual)
}

/// The scaling of given similarities. Returns the largest and the usual number of similarities.
fn of_pairs(
    x: &CsrMatrix<'_>,
    held: u64,
    normalization: &NormalizeOptions,
    data: &Data<'_>,
    stages: &mut Vec<StageEstimate>,
) -> (u64, u64) {
    let n = x.rows() as u64;
    let direct = symmetric_entries(x);
    if !may_take_several_steps(data, normalization) {
        stages.push(scaling(held + SCALED_ENTRY * direct, direct));
        return (direct, direct);
    }
    let most = kept_to_complete(x.rows()) as u64;
    let steps = normalization.steps.unwrap_or(USUAL_WALKS).min(MAX_STEPS);
    let walked = walked_entries(x, direct, most, steps);
    let pairs = n * n.saturating_sub(1);
    if most >= n {
        stages.push(scaling(held + SCALED_ENTRY * pairs + WALKED_ENTRY_OF_FEW * walked, pairs));
        return (pairs, pairs);
    }
    let background = n * PARTNERS;
    let usual = direct + background + (FILLED_SHARE * walked as f64) as u64;
    stages.push(scaling(held + (WALKED_ENTRY * walked).max(SCALED_ENTRY * usual), usual));
    let largest = direct + background + 2 * n * most * (steps as u64 - 1);
    (largest.min(pairs), usual.min(pairs))
}

/// The usual number of entries of the powers 2 to `steps` of the walk: a row keeps `most`, and has no more than there are walks.
fn walked_entries(x: &CsrMatrix<'_>, direct: u64, most: u64, steps: usize) -> u64 {
    // An edge that is stored in both directions counts half each time.
    let share = direct as f64 / (2 * x.nnz().max(1)) as f64;
    let over_edges = |of_item: &[f64]| {
        let mut sums = vec![0.0; x.rows()];
        for (i, j, _) in x.iter() {
            sums[i] += share * of_item[j];
            sums[j] += share * of_item[i];
        }
        sums
    };
    let kept = |walks: f64| if walks > most as f64 { most as f64 } else { WALKS_SHARE * walks };
    // A walk of two steps does not end where it began.
    let mut onward: Vec<f64> = over_edges(&vec![1.0; x.rows()]).iter().map(|degree| (degree - 1.0).max(0.0)).collect();
    let mut total = 0.0;
    for _ in 2..=steps {
        onward = over_edges(&onward).into_iter().map(kept).collect();
        total += onward.iter().sum::<f64>();
    }
    total as u64
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
        // As dense numbers, the data alone would be 800 MB; a run needs about 110 MB.
        assert!((90_000_000..300_000_000).contains(&bytes), "{bytes}");
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
        assert!(estimate(40, 3000).stages.iter().all(|stage| stage.stage != Stage::Pca));
        let large = estimate(3000, 3000);
        let stages: Vec<Stage> = large.stages.iter().map(|stage| stage.stage).collect();
        assert_eq!(stages, [Stage::Pca, Stage::Neighbors, Stage::Affinity, Stage::Normalize, Stage::Optimize]);
        assert_eq!(large.bytes, large.stages.iter().map(|stage| stage.bytes).max().unwrap());
    }
}
