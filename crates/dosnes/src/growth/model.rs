//! A map with everything that is needed to go on with it.

use super::{misfit::Ranking, network::NetworkModel, points::PointModel};
use crate::{
    builder::Dosnes,
    error::Error,
    input::{Data, Kind, Points},
    kernel::Kernel,
    normalization::{Affinities, normalize},
    observe::Observer,
    optimize::{Embedding, embed},
    similarity::{Similarities, SimilarityOptions, similarities},
    space::Space,
    sphere::{Vec3, unit},
};
use ndarray::{Array2, ArrayView2};

/// A map on a sphere, and what is needed to place further items on it: [`transform`](super::transform()) and
/// [`grow`](super::grow()).
///
/// It has the rows of the points, or their principal components, in half precision, or the similarities of a network, so it is not
/// much larger than these and the map.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The names of the items of the map.
    pub(crate) ids: Vec<String>,
    /// n × 3.
    pub(crate) coordinates: Array2<f64>,
    pub(crate) radius: f64,
    pub(crate) kernel: Kernel,
    /// Σ q over all ordered pairs.
    pub(crate) z: f64,
    /// The items from which on they were added by growing.
    pub(crate) generations: Vec<usize>,
    /// What is known of the items.
    pub(crate) known: Known,
}

/// What a model keeps of the data.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Known {
    Points(PointModel),
    Network(Kind, NetworkModel),
}

/// What a model is made from: the results of all stages.
#[derive(Debug, Clone, Copy)]
pub struct ModelParts<'a, 'data, 'similarities> {
    /// The names of all items of the data.
    pub ids: &'a [String],
    /// The names of the columns of points or of dyadic data, if they are known.
    pub columns: Option<&'a [String]>,
    /// The data.
    pub data: &'a Data<'data>,
    /// How the similarities were made.
    pub options: &'a SimilarityOptions,
    /// The similarities before normalisation.
    pub similarities: &'a Similarities<'similarities>,
    /// The similarities after it.
    pub affinities: &'a Affinities,
    /// The map.
    pub embedding: &'a Embedding,
    /// The kernel of the map.
    pub kernel: Kernel,
}

/// Why there can be no model of a map.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Distances have no models.
    #[error("a model can only be made of points, graphs, similarities and dyadic data, and these data are {0}")]
    Kind(Kind),
    /// Walks of more than two steps on dyadic data.
    #[error("a model of dyadic data needs at most two steps, and there were {0} (--steps 2)")]
    Steps(usize),
    /// Only maps on a sphere have models.
    #[error("a model can only be made of a map on a sphere (--space sphere)")]
    Space,
    /// The similarities were not made from distances to neighbours by a perplexity.
    #[error("a model needs the affinity entropic (--affinity entropic)")]
    Affinity,
    /// The metric compares sets, which half precision does not keep.
    #[error("a model cannot be made with the metric {0}; use another one (--metric)")]
    Metric(crate::neighbors::Metric),
    /// P is not a scaling of the similarities.
    #[error("a model needs a normalisation that scales the similarities, or none (--normalize auto)")]
    Normalization,
    /// New items of another kind than those of the map.
    #[error("the map is of {map}, and the new data are {new}; read them in the same way (--as {map})")]
    OtherKind {
        /// The kind of the map's data.
        map: Kind,
        /// The kind of the new data.
        new: Kind,
    },
    /// Sparse points that were not reduced.
    #[error(
        "a model of sparse points needs their principal components, and {0} columns are too many without them; reduce the \
         points (--pca 50)"
    )]
    Sparse(usize),
    /// An error of the computation.
    #[error(transparent)]
    Library(#[from] Error),
}

impl Model {
    /// The model of a map on a sphere.
    pub fn new(parts: &ModelParts<'_, '_, '_>, observer: &mut dyn Observer) -> Result<Self, ModelError> {
        let (Space::Sphere, Some(radius)) = (parts.embedding.space, parts.embedding.radius) else {
            return Err(ModelError::Space);
        };
        let n = parts.data.len();
        for (what, found) in [("the names", parts.ids.len()), ("the similarities", parts.similarities.similarity.len())]
        {
            if found != n {
                return Err(Error::Length { what, found, expected: n }.into());
            }
        }
        let kept = parts.affinities.kept();
        let coordinates = parts.embedding.coordinates.clone();
        if coordinates.dim() != (kept.len(), 3) {
            let (what, found) = ("the map", coordinates.nrows());
            return Err(Error::Length { what, found, expected: kept.len() }.into());
        }
        let directions = directions_of(&coordinates.view());
        let z = total(&directions, radius, parts.kernel, parts.embedding);
        let kind = parts.data.kind();
        let known = match parts.data {
            Data::Points(points) => Known::Points(PointModel::new(points, parts, &directions, radius, observer)?),
            Data::Distance(_) => return Err(ModelError::Kind(kind)),
            Data::Dyadic(b) => Known::Network(kind, NetworkModel::new(parts, Some(b), &directions, radius, observer)?),
            Data::Graph(_) | Data::Similarity(_) => {
                Known::Network(kind, NetworkModel::new(parts, None, &directions, radius, observer)?)
            }
        };
        Ok(Self {
            ids: kept.iter().map(|&i| parts.ids[i].clone()).collect(),
            coordinates,
            radius,
            kernel: parts.kernel,
            z,
            generations: Vec::new(),
            known,
        })
    }

    /// Makes a map of data on a sphere, and the model of it.
    ///
    /// ```
    /// use dosnes::{Dosnes, Model, observe::Silent};
    /// use ndarray::Array2;
    ///
    /// let points = Array2::from_shape_fn((60, 2), |(i, axis)| ((i * (axis + 2)) as f64).sin());
    /// let names: Vec<String> = (0..60).map(|i| format!("item {i}")).collect();
    /// let model = Model::fit(&Dosnes::sphere().perplexity(5.0), &names, &points, &mut Silent)?;
    /// assert_eq!(model.coordinates().dim(), (60, 3));
    /// assert_eq!(Model::from_bytes(&model.to_bytes())?, model);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fit<'a>(
        method: &Dosnes,
        ids: &[String],
        data: impl Into<Data<'a>>,
        observer: &mut dyn Observer,
    ) -> Result<Self, ModelError> {
        let data = data.into();
        let options = method.similarity_options();
        let similarities = similarities(&data, options, observer)?;
        let affinities = normalize(&similarities.similarity, method.normalize_options(), observer)?;
        let embedding = embed(&affinities, method.embed_options(), observer)?;
        let parts = ModelParts {
            ids,
            columns: None,
            data: &data,
            options,
            similarities: &similarities,
            affinities: &affinities,
            embedding: &embedding,
            kernel: method.embed_options().kernel,
        };
        Self::new(&parts, observer)
    }

    /// Number of items of the map.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The names of the items of the map.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// The positions of the items of the map, n × 3.
    pub fn coordinates(&self) -> ArrayView2<'_, f64> {
        self.coordinates.view()
    }

    /// The sphere's radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The kernel of the map.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The kind of data.
    pub fn kind(&self) -> Kind {
        match &self.known {
            Known::Points(_) => Kind::Points,
            Known::Network(kind, _) => *kind,
        }
    }

    /// The names of the columns that new points or new rows of dyadic data must have, if they are known.
    pub fn columns(&self) -> &[String] {
        match &self.known {
            Known::Points(points) => &points.columns,
            Known::Network(_, network) => network.incidence.as_ref().map_or(&[], |incidence| &incidence.partners),
        }
    }

    /// Number of columns that new points or new rows must have. For graphs and similarities: one for each item of the map.
    pub fn dimensions(&self) -> usize {
        match &self.known {
            Known::Points(points) => points.dimensions,
            Known::Network(_, network) => network.columns(),
        }
    }

    /// Number of principal components that points are reduced to; `None` if they are not reduced.
    pub fn components(&self) -> Option<usize> {
        let projection = self.points()?.projection.as_ref()?;
        Some(projection.components.ncols())
    }

    /// The effective number of neighbours of points.
    pub fn perplexity(&self) -> Option<f64> {
        self.points().map(|points| points.perplexity)
    }

    /// The distance between points.
    pub fn metric(&self) -> Option<crate::neighbors::Metric> {
        self.points().map(|points| points.metric)
    }

    pub(crate) fn points(&self) -> Option<&PointModel> {
        match &self.known {
            Known::Points(points) => Some(points),
            Known::Network(..) => None,
        }
    }

    /// The signs of the items of the map, for comparing new ones with them.
    pub(crate) fn ranking(&self) -> Ranking {
        match &self.known {
            Known::Points(points) => Ranking::new(&points.signs.lists()),
            Known::Network(_, network) => Ranking::new(&[&network.scattered]),
        }
    }

    /// How often items were added by [`grow`](super::grow()), and how many in total.
    pub fn growth(&self) -> (usize, usize) {
        (self.generations.len(), self.generations.first().map_or(0, |&first| self.len() - first))
    }

    pub(crate) fn directions(&self) -> Vec<Vec3> {
        directions_of(&self.coordinates.view())
    }
}

pub(crate) fn directions_of(coordinates: &ArrayView2<'_, f64>) -> Vec<Vec3> {
    coordinates.rows().into_iter().map(|row| unit(&[row[0], row[1], row[2]])).collect()
}

/// Σ q over all ordered pairs, by the method that made the map.
fn total(directions: &[Vec3], radius: f64, kernel: Kernel, embedding: &Embedding) -> f64 {
    let method = embedding.repulsion.on_sphere(kernel).or_else(|| crate::RepulsionMethod::Tree.on_sphere(kernel));
    let mut forces = vec![[0.0; 3]; directions.len()];
    method.map_or(f64::NAN, |mut method| method.evaluate(directions, radius, &mut forces).z)
}

/// Points as dense rows in single precision, or an error where they would be too wide.
pub(crate) fn dense_rows(points: &Points<'_>) -> Result<Array2<f32>, ModelError> {
    match points {
        Points::Dense(x) => Ok(x.to_owned()),
        Points::Dense64(x) | Points::Rounded(x) => Ok(x.mapv(|v| v as f32)),
        Points::Sparse(x) if x.columns() <= WIDEST_SPARSE => Ok(x.to_dense().mapv(|v| v as f32)),
        Points::Sparse(x) => Err(ModelError::Sparse(x.columns())),
    }
}

/// Sparse points with more columns than this are not made dense.
const WIDEST_SPARSE: usize = 1000;
