//! The stages in a row: from data to similarities, to doubly stochastic ones, to a map.

use crate::{
    affinity::{self, GraphWeight},
    error::Error,
    input::{Data, Distances, Points},
    neighbors::{self, Metric, NeighborMethod, NeighborOptions, Neighbors},
    normalize::{self, DoublyStochastic},
    observe::{Control, Observer, Stage},
    optimize::{self, Embedding},
    pca,
    similarity::Similarity,
};
use std::ops::ControlFlow;

/// How distances between neighbours become similarities.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Affinity {
    /// Entropic affinities: every item has the same effective number of neighbours.
    #[default]
    Entropic,
    /// Symmetric entropic affinities (SNEkhorn): doubly stochastic as they are, with the asked perplexity in every row.
    SymmetricEntropic,
    /// Who is among whose k nearest, nothing more.
    NeighborGraph,
}

/// Whether points are reduced to principal components before neighbours are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reduction {
    /// To [`AUTO_COMPONENTS`] components where there are more than [`WIDE`] columns and the metric is euclidean.
    #[default]
    Auto,
    /// Never.
    None,
    /// To this many components.
    Components(usize),
}

/// Data with more columns than these is reduced by [`Reduction::Auto`].
pub const WIDE: usize = 100;
/// The number of principal components that [`Reduction::Auto`] keeps.
pub const AUTO_COMPONENTS: usize = 50;

/// Parameters of [`similarities`]; they concern points and distances only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimilarityParams {
    /// How distances become similarities. Default: entropic.
    pub affinity: Affinity,
    /// The effective number of neighbours. Default: 30, or what few items allow.
    pub perplexity: Option<f64>,
    /// Number of neighbours. Default: three times the perplexity; 15 for a neighbour graph.
    pub neighbors: Option<usize>,
    /// The distance between points. Default: euclidean.
    pub metric: Metric,
    /// How neighbours are searched. Default: by size.
    pub method: NeighborMethod,
    /// Principal components first? Default: for wide data.
    pub reduction: Reduction,
    /// Seed of approximate searches.
    pub seed: u64,
}

impl Default for SimilarityParams {
    fn default() -> Self {
        Self {
            affinity: Affinity::Entropic,
            perplexity: None,
            neighbors: None,
            metric: Metric::Euclidean,
            method: NeighborMethod::Auto,
            reduction: Reduction::Auto,
            seed: 0,
        }
    }
}

/// Parameters of all stages. All defaults stand in the types of the stages.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Params {
    /// Of [`similarities`].
    pub similarity: SimilarityParams,
    /// Of [`normalize()`](normalize::normalize).
    pub normalize: normalize::Params,
    /// Of [`embed`](optimize::embed).
    pub embed: optimize::Params,
}

/// Similarities, with what is worth telling of how they were made from points or distances.
#[derive(Debug, Clone)]
pub struct Similarities {
    /// The similarities.
    pub similarity: Similarity,
    /// Number of principal components that points were reduced to.
    pub components: Option<usize>,
    /// The perplexity of entropic affinities.
    pub perplexity: Option<f64>,
    /// How well symmetric entropic affinities meet their conditions.
    pub symmetric: Option<affinity::SymmetricAccount>,
    /// The share of the true neighbours that an approximate search found, measured on a sample.
    pub recall: Option<f64>,
}

/// The similarities of the data: as given, or by nearest neighbours for points and distances.
pub fn similarities(
    data: &Data,
    params: &SimilarityParams,
    observer: &mut dyn Observer,
) -> Result<Similarities, Error> {
    let given =
        |similarity| Similarities { similarity, components: None, perplexity: None, symmetric: None, recall: None };
    match data {
        Data::Similarity(s) => square(s.shape()).map(|()| given(Similarity::Directed(s.clone()))),
        Data::Graph(w) => square(w.shape()).map(|()| given(Similarity::Directed(w.clone()))),
        Data::Dyadic(b) => Ok(given(Similarity::Dyadic(b.incidence.clone()))),
        Data::Distance(distances) => {
            let n = distances.shape().0;
            let (k, perplexity) = neighbor_count(n, params)?;
            observer.stage(Stage::Neighbors);
            // The rows of a sparse matrix are the neighbours: there is nothing to choose.
            let k = if matches!(distances, Distances::Sparse(_)) { n.saturating_sub(1).max(1) } else { k };
            let neighbors = neighbors::neighbors_from_distances(distances, k)?;
            observer.stage(Stage::Affinity);
            Ok(from_neighbors(&neighbors, perplexity, params, observer)?)
        }
        Data::Points(points) => {
            let n = points.shape().0;
            let (k, perplexity) = neighbor_count(n, params)?;
            let components = components(points, params);
            let reduced = match components {
                Some(count) => {
                    observer.stage(Stage::Pca);
                    let pca = pca::principal_components(points, count, params.seed, &mut hook(observer))?;
                    Some(Points::Dense(pca.scores))
                }
                None => None,
            };
            observer.stage(Stage::Neighbors);
            let options = NeighborOptions {
                metric: params.metric,
                method: params.method,
                seed: params.seed,
                ..NeighborOptions::new(k)
            };
            let neighbors =
                neighbors::find_neighbors(reduced.as_ref().unwrap_or(points), &options, &mut hook(observer))?;
            observer.stage(Stage::Affinity);
            Ok(Similarities { components, ..from_neighbors(&neighbors, perplexity, params, observer)? })
        }
    }
}

/// All stages: similarities, normalisation, embedding.
///
/// ```
/// use dosnes::{Params, input::{Data, csr_from_triplets}, observe::Silent, run};
///
/// // A ring of twelve, in which one is far more popular than the others.
/// let arcs: Vec<(u32, u32, f64)> =
///     (0..12).flat_map(|i| [(i, (i + 1) % 12, 1.0), (i, 0, if i == 0 { 0.0 } else { 20.0 })]).collect();
/// let graph = Data::Graph(csr_from_triplets((12, 12), &arcs).0);
/// let (p, map) = run(&graph, &Params::default(), &mut Silent)?;
/// assert_eq!(map.coordinates.dim(), (12, 3));
/// assert!(p.account().after.cv < p.account().before.cv);
/// # Ok::<(), dosnes::Error>(())
/// ```
pub fn run(data: &Data, params: &Params, observer: &mut dyn Observer) -> Result<(DoublyStochastic, Embedding), Error> {
    let similarity = similarities(data, &params.similarity, observer)?.similarity;
    observer.stage(Stage::Normalize);
    let p = normalize::normalize(&similarity, &params.normalize)?;
    drop(similarity);
    let embedding = optimize::embed(&p, &params.embed, observer)?;
    Ok((p, embedding))
}

fn from_neighbors(
    neighbors: &Neighbors,
    perplexity: Option<f64>,
    params: &SimilarityParams,
    observer: &mut dyn Observer,
) -> Result<Similarities, Error> {
    let mut symmetric = None;
    let similarity = match (params.affinity, perplexity) {
        (Affinity::SymmetricEntropic, Some(perplexity)) => {
            let affinities = affinity::symmetric_entropic_affinities(neighbors, perplexity, &mut hook(observer))?;
            symmetric = Some(affinities.account);
            Similarity::Symmetric(affinities.matrix)
        }
        (Affinity::Entropic, Some(perplexity)) => {
            Similarity::Directed(affinity::entropic_affinities(neighbors, perplexity)?)
        }
        _ => Similarity::Directed(affinity::neighbor_graph(neighbors, GraphWeight::One)),
    };
    Ok(Similarities { similarity, components: None, perplexity, symmetric, recall: neighbors.recall })
}

/// Number of neighbours, and the perplexity where it is an entropic one.
fn neighbor_count(n: usize, params: &SimilarityParams) -> Result<(usize, Option<f64>), Error> {
    const GRAPH_NEIGHBORS: usize = 15;
    match params.affinity {
        Affinity::NeighborGraph => {
            Ok((params.neighbors.unwrap_or(GRAPH_NEIGHBORS.min(n.saturating_sub(1)).max(1)), None))
        }
        Affinity::Entropic | Affinity::SymmetricEntropic => {
            let largest = (n.saturating_sub(1) as f64 / 3.0).max(1.0);
            let perplexity = params.perplexity.unwrap_or(affinity::DEFAULT_PERPLEXITY.min(largest));
            let k = affinity::neighbors_for_perplexity(perplexity, n)?;
            Ok((params.neighbors.unwrap_or(k), Some(perplexity)))
        }
    }
}

fn components(points: &Points, params: &SimilarityParams) -> Option<usize> {
    let (rows, columns) = points.shape();
    match params.reduction {
        Reduction::Components(count) => Some(count),
        Reduction::Auto if columns > WIDE && rows > AUTO_COMPONENTS && params.metric == Metric::Euclidean => {
            Some(AUTO_COMPONENTS)
        }
        Reduction::Auto | Reduction::None => None,
    }
}

fn square((rows, columns): (usize, usize)) -> Result<(), Error> {
    if rows == columns { Ok(()) } else { Err(Error::NotSquare { rows, columns }) }
}

fn hook(observer: &mut dyn Observer) -> impl FnMut(f32) -> ControlFlow<()> {
    |done| match observer.progress(f64::from(done)) {
        Control::Continue => ControlFlow::Continue(()),
        Control::Stop => ControlFlow::Break(()),
    }
}
