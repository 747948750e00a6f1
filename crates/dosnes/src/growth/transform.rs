//! New items on an old map.

use super::{
    half::HalfRows,
    model::{Known, Model, ModelError},
    place::{FrozenMap, Similar},
    points::PointModel,
};
use crate::{
    error::Error,
    input::{Data, Kind},
    observe::{Observer, Stage, report},
    sphere::Vec3,
};
use ndarray::Array2;
use rayon::prelude::*;

/// The places of new items on a map.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Placed {
    /// One row for each new item, on the sphere of the map.
    pub coordinates: Array2<f64>,
    /// How badly each item fits into the map, from 0 to 1: the share of the map's own items that fit better. Items of a kind that
    /// the map has never seen have values near 1.
    pub misfit: Vec<f64>,
}

/// Items that are placed between two reports.
const BATCH: usize = 2048;

/// Places new items on the map of a model, whose items do not move. They are of the same kind as the data of the map:
///
/// * points with the same columns;
/// * new nodes of a graph, or items with similarities: a matrix with a row for each new item and a column for each item of the
///   map. An entry is the mean weight of the edges in both directions;
/// * rows of dyadic data with the same columns.
///
/// New items do not act on each other: the place of one depends neither on the others nor on their order. A point that is one
/// of the map's own gets its place.
///
/// ```
/// use dosnes::observe::Silent;
/// use dosnes::{Data, Dosnes, Model, transform};
/// use ndarray::Array2;
///
/// // Two hundred points on two rings that are far apart.
/// let ring = |i: usize, axis: usize| match axis {
///     0 => (i as f64).cos() + 10.0 * (i % 2) as f64,
///     1 => (i as f64).sin(),
///     _ => 0.0,
/// };
/// let points = Array2::from_shape_fn((200, 3), |(i, axis)| ring(i, axis));
/// let names: Vec<String> = (0..200).map(|i| i.to_string()).collect();
/// let model = Model::fit(&Dosnes::sphere().perplexity(10.0), &names, &points, &mut Silent)?;
///
/// // A new point of the first ring, and one that is far away from both.
/// let new = Array2::from_shape_fn((2, 3), |(i, axis)| if i == 0 { ring(200, axis) } else { 50.0 });
/// let placed = transform(&model, &Data::from(&new), &mut Silent)?;
/// assert_eq!(placed.coordinates.dim(), (2, 3));
/// assert!(placed.misfit[0] < 0.9 && placed.misfit[1] > 0.99);
/// # Ok::<(), dosnes::growth::ModelError>(())
/// ```
pub fn transform(model: &Model, new: &Data<'_>, observer: &mut dyn Observer) -> Result<Placed, ModelError> {
    observer.stage(Stage::Neighbors);
    match (&model.known, new) {
        (Known::Points(known), Data::Points(points)) => transform_rows(model, known, &known.rounded(points)?, observer),
        (Known::Network(Kind::Dyadic, known), Data::Dyadic(rows))
        | (Known::Network(Kind::Graph, known), Data::Graph(rows))
        | (Known::Network(Kind::Similarity, known), Data::Similarity(rows)) => {
            let similar = known.similar(rows)?;
            if let Some(row) = similar.iter().position(|similar| similar.item.similar.is_empty()) {
                return Err(Error::Unconnected { row }.into());
            }
            place_all(model, similar.len(), observer, |range| Ok(similar[range].to_vec()))
        }
        _ => Err(ModelError::OtherKind { map: model.kind(), new: new.kind() }),
    }
}

/// Places rows that are in the form of the model's own.
pub(super) fn transform_rows(
    model: &Model,
    known: &PointModel,
    rounded: &HalfRows,
    observer: &mut dyn Observer,
) -> Result<Placed, ModelError> {
    place_all(model, rounded.len(), observer, |range| {
        let values = &rounded.values[range.start * rounded.dimensions..range.end * rounded.dimensions];
        known.similar(&HalfRows { values: values.to_vec(), ..rounded.emptied() })
    })
}

/// The directions of items with known similarities; `None` for those without any.
pub(super) fn place_known(
    model: &Model,
    similar: &[Similar],
    observer: &mut dyn Observer,
) -> Result<Vec<Option<Vec3>>, Error> {
    let directions = model.directions();
    let map = FrozenMap::new(&directions, model.radius, model.kernel, model.z);
    let mut placed = Vec::with_capacity(similar.len());
    for batch in similar.chunks(BATCH) {
        placed.par_extend(batch.par_iter().map_init(
            || map.field(),
            |field, similar| (!similar.item.similar.is_empty()).then(|| map.place(&similar.item, field)),
        ));
        report(observer, placed.len() as f64 / similar.len() as f64)?;
    }
    Ok(placed)
}

/// Places `count` items, whose similarities are asked for in batches.
fn place_all(
    model: &Model,
    count: usize,
    observer: &mut dyn Observer,
    similar: impl Fn(std::ops::Range<usize>) -> Result<Vec<Similar>, Error>,
) -> Result<Placed, ModelError> {
    let directions = model.directions();
    let map = FrozenMap::new(&directions, model.radius, model.kernel, model.z);
    let own = model.ranking();
    let mut placed: Vec<(Vec3, f64)> = Vec::with_capacity(count);
    for start in (0..count).step_by(BATCH) {
        let batch = similar(start..(start + BATCH).min(count))?;
        placed.par_extend(batch.par_iter().map_init(
            || map.field(),
            |field, similar| {
                let u = map.place(&similar.item, field);
                (u, similar.misfit(&map, &u, &own))
            },
        ));
        report(observer, placed.len() as f64 / count as f64)?;
    }
    Ok(Placed {
        coordinates: Array2::from_shape_fn((count, 3), |(i, k)| model.radius * placed[i].0[k]),
        misfit: placed.iter().map(|item| item.1).collect(),
    })
}
