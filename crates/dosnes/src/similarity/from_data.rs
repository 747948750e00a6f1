//! Similarities from data: as given, or by nearest neighbours for points and distances.

use super::Similarity;
use crate::{
    affinity::{self, GraphWeight},
    error::Error,
    input::{Data, Distances, Points},
    named,
    neighbors::{self, Metric, NeighborMethod, NeighborOptions, Neighbors},
    observe::{Observer, Stage, report},
    pca,
    sparse::CsrMatrix,
};

/// How distances between neighbours become similarities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Affinity {
    /// Entropic affinities: every item has the same effective number of neighbours.
    #[default]
    Entropic,
    /// Symmetric entropic affinities (SNEkhorn): doubly stochastic, with the requested perplexity in every row.
    SymmetricEntropic,
    /// The unweighted kNN graph.
    NeighborGraph,
}

named!(Affinity, "affinity", {
    Entropic => ("entropic", "every item has the same effective number of neighbours"),
    SymmetricEntropic => ("symmetric-entropic", "as entropic, but symmetric and doubly stochastic (SNEkhorn)"),
    NeighborGraph => ("neighbor-graph", "the unweighted kNN graph"),
});

/// Whether points are reduced to principal components before the search for neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reduction {
    /// To 50 components if there are more than 100 columns, enough rows, and the metric is euclidean.
    #[default]
    Auto,
    /// Never.
    None,
    /// To this many components.
    Components(usize),
}

/// [`Reduction::Auto`] reduces data with more columns than this.
const WIDE: usize = 100;
/// The number of principal components that [`Reduction::Auto`] keeps.
const AUTO_COMPONENTS: usize = 50;
/// The number of neighbours in an unweighted kNN graph.
const GRAPH_NEIGHBORS: usize = 15;

/// Options of [`similarities`]. They apply to points and distances only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimilarityOptions {
    /// How distances become similarities. Default: entropic.
    pub affinity: Affinity,
    /// The effective number of neighbours. Default: 30, or less if there are too few items.
    pub perplexity: Option<f64>,
    /// Number of neighbours. Default: three times the perplexity; 15 for a kNN graph.
    pub neighbors: Option<usize>,
    /// The distance between points. Default: euclidean.
    pub metric: Metric,
    /// How neighbours are searched. Default: depends on the number of items.
    pub search: NeighborMethod,
    /// Whether points are reduced to principal components first. Default: only wide data.
    pub reduction: Reduction,
    /// Seed of approximate searches. Default: 0.
    pub seed: u64,
}

impl Default for SimilarityOptions {
    fn default() -> Self {
        Self {
            affinity: Affinity::Entropic,
            perplexity: None,
            neighbors: None,
            metric: Metric::Euclidean,
            search: NeighborMethod::Auto,
            reduction: Reduction::Auto,
            seed: 0,
        }
    }
}

impl SimilarityOptions {
    /// The number of neighbours to search among `n` items, and the perplexity for entropic affinities.
    pub(crate) fn neighbor_count(&self, n: usize) -> Result<(usize, Option<f64>), Error> {
        match self.affinity {
            Affinity::NeighborGraph => {
                Ok((self.neighbors.unwrap_or(GRAPH_NEIGHBORS.min(n.saturating_sub(1)).max(1)), None))
            }
            Affinity::Entropic | Affinity::SymmetricEntropic => {
                let largest = (n.saturating_sub(1) as f64 / 3.0).max(1.0);
                let perplexity = self.perplexity.unwrap_or(affinity::DEFAULT_PERPLEXITY.min(largest));
                let k = affinity::neighbors_for_perplexity(perplexity, n)?;
                Ok((self.neighbors.unwrap_or(k), Some(perplexity)))
            }
        }
    }

    /// The number of principal components for points of this shape; `None` if they are not reduced.
    pub(crate) fn components(&self, (rows, columns): (usize, usize)) -> Option<usize> {
        match self.reduction {
            Reduction::Components(count) => Some(count),
            Reduction::Auto if columns > WIDE && rows > AUTO_COMPONENTS && self.metric == Metric::Euclidean => {
                Some(AUTO_COMPONENTS)
            }
            Reduction::Auto | Reduction::None => None,
        }
    }
}

/// Similarities, with information on how they were computed from points or distances.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Similarities<'a> {
    /// The similarities.
    pub similarity: Similarity<'a>,
    /// Number of principal components that the points were reduced to; `None` if they were not reduced.
    pub components: Option<usize>,
    /// The perplexity, for entropic affinities.
    pub perplexity: Option<f64>,
    /// How well symmetric entropic affinities meet their conditions.
    pub symmetric: Option<affinity::SymmetricReport>,
    /// The share of the true neighbours that an approximate search found, measured on a sample.
    pub recall: Option<f64>,
}

impl<'a> Similarities<'a> {
    fn given(similarity: Similarity<'a>) -> Self {
        Self { similarity, components: None, perplexity: None, symmetric: None, recall: None }
    }
}

impl Similarities<'static> {
    /// Similarities of points or distances to their neighbours that were computed before.
    pub fn of_neighbors(matrix: CsrMatrix<'static>, facts: SimilarityFacts) -> Self {
        let SimilarityFacts { components, perplexity, symmetric, recall } = facts;
        Self { similarity: Similarity::Neighbors(matrix), components, perplexity, symmetric, recall }
    }
}

/// How similarities were computed from points or distances: what [`Similarities`] says besides the similarities.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SimilarityFacts {
    /// See [`Similarities::components`].
    pub components: Option<usize>,
    /// See [`Similarities::perplexity`].
    pub perplexity: Option<f64>,
    /// See [`Similarities::symmetric`].
    pub symmetric: Option<affinity::SymmetricReport>,
    /// See [`Similarities::recall`].
    pub recall: Option<f64>,
}

impl Similarities<'_> {
    /// The same without a reference to the data; given ones are copied, computed ones are not.
    pub fn into_owned(self) -> Similarities<'static> {
        let Self { similarity, components, perplexity, symmetric, recall } = self;
        Similarities { similarity: similarity.into_owned(), components, perplexity, symmetric, recall }
    }

    /// How they were computed.
    pub fn facts(&self) -> SimilarityFacts {
        let &Self { components, perplexity, symmetric, recall, .. } = self;
        SimilarityFacts { components, perplexity, symmetric, recall }
    }
}

/// The similarities of the data: as given, without a copy, or by nearest neighbours for points and distances.
pub fn similarities<'a>(
    data: &'a Data<'_>,
    options: &SimilarityOptions,
    observer: &mut dyn Observer,
) -> Result<Similarities<'a>, Error> {
    match data {
        Data::Similarity(s) => {
            s.check_square()?;
            Ok(Similarities::given(Similarity::Directed(s.borrowed())))
        }
        Data::Graph(s) => {
            s.check_square()?;
            Ok(Similarities::given(Similarity::Graph(s.borrowed())))
        }
        Data::Dyadic(b) => Ok(Similarities::given(Similarity::Dyadic(b.borrowed()))),
        Data::Distance(distances) => {
            let n = distances.shape().0;
            let (k, perplexity) = options.neighbor_count(n)?;
            observer.stage(Stage::Neighbors);
            // The stored entries of a sparse matrix are the neighbours: all of them are used.
            let k = if matches!(distances, Distances::Sparse(_)) { n.saturating_sub(1).max(1) } else { k };
            let neighbors = neighbors::neighbors_from_distances(distances, k)?;
            from_neighbors(neighbors, perplexity, options, observer)
        }
        Data::Points(points) => {
            let (k, perplexity) = options.neighbor_count(points.shape().0)?;
            let components = options.components(points.shape());
            let duplicates = neighbors::Duplicates::of(points);
            let reduced;
            let searched = if let Some(count) = components {
                observer.stage(Stage::Pca);
                let pca = pca::principal_components(points, count, options.seed, observer)?;
                reduced = Points::from(pca.scores);
                &reduced
            } else {
                points
            };
            observer.stage(Stage::Neighbors);
            let search = NeighborOptions {
                metric: options.metric,
                method: options.search,
                seed: options.seed,
                ..NeighborOptions::new(k)
            };
            let neighbors = match duplicates {
                None => neighbors::find_neighbors(searched, &search, observer)?,
                Some(duplicates) => duplicates.find_neighbors(searched, &search, observer)?,
            };
            Ok(Similarities { components, ..from_neighbors(neighbors, perplexity, options, observer)? })
        }
    }
}

fn from_neighbors(
    neighbors: Neighbors,
    perplexity: Option<f64>,
    options: &SimilarityOptions,
    observer: &mut dyn Observer,
) -> Result<Similarities<'static>, Error> {
    observer.stage(Stage::Affinity);
    let recall = neighbors.recall;
    let mut symmetric = None;
    let similarity = match (options.affinity, perplexity) {
        (Affinity::SymmetricEntropic, Some(perplexity)) => {
            let affinities = affinity::symmetric_entropic_affinities(&neighbors, perplexity, observer)?;
            symmetric = Some(affinities.report);
            Similarity::Neighbors(affinities.matrix)
        }
        (Affinity::Entropic, Some(perplexity)) => {
            Similarity::Neighbors(affinity::entropic_affinities(neighbors, perplexity)?)
        }
        _ => Similarity::Neighbors(affinity::neighbor_graph(neighbors, GraphWeight::One)),
    };
    report(observer, 1.0)?;
    Ok(Similarities { similarity, components: None, perplexity, symmetric, recall })
}
