//! The whole method as one value: choose the options, check them, fit.

use crate::{
    affinity::SymmetricReport,
    error::Error,
    init::Init,
    input::Data,
    kernel::Kernel,
    neighbors::{Metric, NeighborMethod},
    normalization::{Affinities, Diagonal, Normalization, NormalizeOptions, normalize_owned},
    observe::{Observer, Silent},
    optimize::{EmbedOptions, Embedding, Fixed, Optimizer, Radius, embed, embed_in_place},
    repulsion::RepulsionMethod,
    similarity::{Affinity, Reduction, SimilarityFacts, SimilarityOptions, similarities},
    space::Space,
};

/// All options of a map, from data to coordinates.
///
/// Options that are not set have defaults that suit most data; the option types of the stages document them. Nothing is
/// computed before [`fit`](Self::fit) or [`embed`](Self::embed), which also check the options.
///
/// ```
/// use dosnes::Dosnes;
/// use ndarray::Array2;
///
/// // Sixty points on three rings.
/// let points = Array2::from_shape_fn((60, 2), |(i, axis)| {
///     let angle = i as f64;
///     (1.0 + (i % 3) as f64) * if axis == 0 { angle.cos() } else { angle.sin() }
/// });
/// let fit = Dosnes::sphere().perplexity(5.0).seed(7).fit(&points)?;
/// assert_eq!(fit.embedding.coordinates.dim(), (60, 3));
/// # Ok::<(), dosnes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use]
pub struct Dosnes {
    similarity: SimilarityOptions,
    normalize: NormalizeOptions,
    embed: EmbedOptions,
}

/// A map, the similarities that it shows, and how they were computed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Fit {
    /// The similarities that were embedded.
    pub affinities: Affinities,
    /// The map. Its rows are the items that [`Affinities::kept`] lists.
    pub embedding: Embedding,
    /// Number of principal components that the points were reduced to; `None` if they were not reduced.
    pub components: Option<usize>,
    /// The perplexity, for entropic affinities.
    pub perplexity: Option<f64>,
    /// How well symmetric entropic affinities meet their conditions.
    pub symmetric: Option<SymmetricReport>,
    /// The share of the true neighbours that an approximate search found, measured on a sample.
    pub recall: Option<f64>,
}

impl Dosnes {
    /// DOSNES as in the paper: doubly stochastic similarities on a sphere.
    pub fn sphere() -> Self {
        Self::default()
    }

    /// Doubly stochastic similarities in the plane.
    pub fn plane() -> Self {
        Self::default().space(Space::Plane)
    }

    /// Plain t-SNE in the plane, on the similarities as they are. Use [`space`](Self::space) for t-SNE in another
    /// space.
    pub fn tsne() -> Self {
        Self::plane().normalization(Normalization::None)
    }

    /// For drawing graphs, on a sphere: as many neighbours as possible stay next to each other. Total similarities are not
    /// made equal. The same options for every graph: [`Normalization::Layout`], a radius of at most 2√n, slow cooling, and
    /// both optimizers up to 1,000 items.
    pub fn layout() -> Self {
        Self::sphere()
            .normalization(Normalization::Layout)
            .radius(Radius::AtMostRoots(2.0))
            .optimizer(Optimizer::Both)
            .exaggeration_iterations(1000)
            .max_iterations(2500)
    }

    /// Builds from the options of the single stages.
    pub fn from_options(similarity: SimilarityOptions, normalize: NormalizeOptions, embed: EmbedOptions) -> Self {
        Self { similarity, normalize, embed }
    }

    /// Seed of all random choices. Default: 0.
    pub fn seed(mut self, seed: u64) -> Self {
        self.similarity.seed = seed;
        self.embed.seed = seed;
        self
    }

    /// The effective number of neighbours, for points and distances. Default: 30, or less if there are too few items.
    pub fn perplexity(mut self, perplexity: f64) -> Self {
        self.similarity.perplexity = Some(perplexity);
        self
    }

    /// The number of nearest neighbours. Default: three times the perplexity; 15 for an unweighted kNN graph.
    pub fn neighbors(mut self, neighbors: usize) -> Self {
        self.similarity.neighbors = Some(neighbors);
        self
    }

    /// The distance between points. Default: euclidean.
    pub fn metric(mut self, metric: Metric) -> Self {
        self.similarity.metric = metric;
        self
    }

    /// How nearest neighbours are searched. Default: depends on the number of items.
    pub fn neighbor_search(mut self, method: NeighborMethod) -> Self {
        self.similarity.search = method;
        self
    }

    /// Whether points are reduced to principal components first. Default: only wide data, see [`Reduction::Auto`].
    pub fn reduction(mut self, reduction: Reduction) -> Self {
        self.similarity.reduction = reduction;
        self
    }

    /// How distances become similarities. Default: entropic.
    pub fn affinity(mut self, affinity: Affinity) -> Self {
        self.similarity.affinity = affinity;
        self
    }

    /// How the similarities are made doubly stochastic. Default: depends on the kind of data.
    pub fn normalization(mut self, method: Normalization) -> Self {
        self.normalize.method = method;
        self
    }

    /// The longest random walk whose similarities are scaled, see [`NormalizeOptions::steps`].
    pub fn steps(mut self, steps: usize) -> Self {
        self.normalize.steps = Some(steps);
        self
    }

    /// How the diagonal is handled. Default: it is removed before scaling.
    pub fn diagonal(mut self, diagonal: Diagonal) -> Self {
        self.normalize.diagonal = diagonal;
        self
    }

    /// Scale the similarities themselves, and fail if they have no exact scaling.
    pub fn strict(mut self, strict: bool) -> Self {
        self.normalize.strict = strict;
        self
    }

    /// How soft a softened scaling is, see [`NormalizeOptions::softness`].
    pub fn softness(mut self, softness: f64) -> Self {
        self.normalize.softness = softness;
        self
    }

    /// The space of the map. Default: a sphere.
    pub fn space(mut self, space: Space) -> Self {
        self.embed.space = space;
        self
    }

    /// The kernel: the similarity of two points of the map. Default: Cauchy, as in t-SNE.
    pub fn kernel(mut self, kernel: Kernel) -> Self {
        self.embed.kernel = kernel;
        self
    }

    /// The optimizer. Default: the best one for the space and the number of points.
    pub fn optimizer(mut self, optimizer: Optimizer) -> Self {
        self.embed.optimizer = optimizer;
        self
    }

    /// Where the points start. Default: spectral; random for the paper's optimizer.
    pub fn init(mut self, init: Init) -> Self {
        self.embed.init = init;
        self
    }

    /// Factor by which attraction is exaggerated at first.
    pub fn exaggeration(mut self, exaggeration: f64) -> Self {
        self.embed.exaggeration = Some(exaggeration);
        self
    }

    /// Number of iterations with exaggeration.
    pub fn exaggeration_iterations(mut self, iterations: usize) -> Self {
        self.embed.exaggeration_iterations = Some(iterations);
        self
    }

    /// Largest number of iterations in total.
    pub fn max_iterations(mut self, iterations: usize) -> Self {
        self.embed.max_iterations = Some(iterations);
        self
    }

    /// Learning rate of the momentum methods.
    pub fn learning_rate(mut self, rate: f64) -> Self {
        self.embed.learning_rate = Some(rate);
        self
    }

    /// How large the sphere may become. Default: at most √n, but free for points.
    pub fn radius(mut self, radius: Radius) -> Self {
        self.embed.radius = radius;
        self
    }

    /// Items that stay at given directions while the others settle. Default: none.
    ///
    /// ```
    /// use dosnes::{CsrMatrix, Data, Dosnes, optimize::Fixed};
    ///
    /// // A ring of twelve items; two of them are fixed at opposite places.
    /// let edges: Vec<(u32, u32, f64)> = (0..12).map(|i| (i, (i + 1) % 12, 1.0)).collect();
    /// let graph = Data::Graph(CsrMatrix::from_triplets((12, 12), &edges)?);
    /// let fixed = [(0, [0.0, 0.0, 1.0]), (6, [0.0, 0.0, -1.0])].map(|(item, direction)| Fixed { item, direction });
    /// let map = Dosnes::sphere().fixed(fixed.to_vec()).fit(graph)?.embedding;
    /// assert!((map.coordinates[[0, 2]] - map.radius.unwrap()).abs() < 1e-9);
    /// # Ok::<(), dosnes::Error>(())
    /// ```
    pub fn fixed(mut self, fixed: Vec<Fixed>) -> Self {
        self.embed.fixed = fixed;
        self
    }

    /// How repulsion is computed. Default: depends on the space and the number of points.
    pub fn repulsion(mut self, method: RepulsionMethod) -> Self {
        self.embed.repulsion = method;
        self
    }

    /// Largest number of bytes that a method on dense matrices may use. Default: 8 GB.
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.normalize.memory_limit = bytes;
        self
    }

    /// The options of [`similarities`].
    pub fn similarity_options(&self) -> &SimilarityOptions {
        &self.similarity
    }

    /// The options of [`normalize`](crate::normalize).
    pub fn normalize_options(&self) -> &NormalizeOptions {
        &self.normalize
    }

    /// The options of [`embed`](crate::embed).
    pub fn embed_options(&self) -> &EmbedOptions {
        &self.embed
    }

    /// Computes a map of the data: similarities, normalisation, embedding.
    ///
    /// ```
    /// use dosnes::{CsrMatrix, Data, Dosnes};
    ///
    /// // A ring of twelve items; one of them is far more popular than the others.
    /// let arcs: Vec<(u32, u32, f64)> =
    ///     (0..12).flat_map(|i| [(i, (i + 1) % 12, 1.0), (i, 0, if i == 0 { 0.0 } else { 20.0 })]).collect();
    /// let graph = Data::Graph(CsrMatrix::from_triplets((12, 12), &arcs)?);
    /// let fit = Dosnes::sphere().fit(&graph)?;
    /// let report = fit.affinities.report();
    /// assert!(report.after.cv < 1e-9);
    /// # Ok::<(), dosnes::Error>(())
    /// ```
    pub fn fit<'a>(&self, data: impl Into<Data<'a>>) -> Result<Fit, Error> {
        self.fit_observed(data, &mut Silent)
    }

    /// As [`fit`](Self::fit), with an observer that is notified of progress and can stop the run.
    pub fn fit_observed<'a>(&self, data: impl Into<Data<'a>>, observer: &mut dyn Observer) -> Result<Fit, Error> {
        let data = data.into();
        let similarities = similarities(&data, &self.similarity, observer)?;
        let SimilarityFacts { components, perplexity, symmetric, recall } = similarities.facts();
        let mut affinities = normalize_owned(similarities.similarity, &self.normalize, observer)?;
        let embedding = embed_in_place(&mut affinities, &self.embed, observer)?;
        Ok(Fit { affinities, embedding, components, perplexity, symmetric, recall })
    }

    /// Embeds similarities that were computed elsewhere.
    pub fn embed(&self, affinities: &Affinities) -> Result<Embedding, Error> {
        embed(affinities, &self.embed, &mut Silent)
    }
}
