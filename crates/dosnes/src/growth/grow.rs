//! A map with more items: the old ones stay, the new ones settle among them and among each other.

use super::{
    model::{Known, Model, ModelError, directions_of},
    network::NetworkModel,
    place::{FrozenMap, NewItem},
    points::PointModel,
    transform::{place_known, transform_rows},
};
use crate::{
    error::Error,
    init,
    input::{Data, Points},
    observe::{Observer, Part, Stage, report},
    repulsion::RepulsionMethod,
    sparse::CsrMatrix,
    sphere::Vec3,
};
use ndarray::{Array2, Axis, concatenate};
use rayon::prelude::*;

/// Rounds in which all new items move a little, and steps of each item in a round.
pub(super) const ROUNDS: usize = 40;
const STEPS: usize = 3;

/// Adds items to the map of a model. The old items keep their places to the last bit. The new ones are first placed as
/// [`transform`](super::transform()) places them; then they settle among the old items and among each other, so that new groups
/// can form. The similarities of the old items are extended by the new ones, and rescaled. The new items are of the same kind as
/// the data of the map:
///
/// * points with the same columns;
/// * new nodes of a graph, or items with similarities: a matrix with a row for each new item, and a column for each item of the map
///   followed by one for each new item. An entry for an old item is the mean weight of the edges in both directions; between new
///   items, the mean is taken here. [`connect_all`](super::connect_all) makes this matrix from a graph with names;
/// * rows of dyadic data with the same columns.
///
/// The result is a model again, of the old items followed by the new ones.
///
/// ```
/// use dosnes::observe::Silent;
/// use dosnes::{Data, Dosnes, Model, grow};
/// use ndarray::{Array2, s};
///
/// let points = Array2::from_shape_fn((120, 2), |(i, axis)| ((i * (axis + 1)) as f64).sin() + (i % 3 * 5) as f64);
/// let names: Vec<String> = (0..120).map(|i| i.to_string()).collect();
/// let old = points.slice(s![..100, ..]);
/// let model = Model::fit(&Dosnes::sphere().perplexity(10.0), &names[..100], old, &mut Silent)?;
/// let larger = grow(&model, &names[100..], &Data::from(points.slice(s![100.., ..])), &mut Silent)?;
/// assert_eq!(larger.len(), 120);
/// assert_eq!(larger.coordinates().slice(s![..100, ..]), model.coordinates());
/// # Ok::<(), dosnes::growth::ModelError>(())
/// ```
pub fn grow(model: &Model, ids: &[String], new: &Data<'_>, observer: &mut dyn Observer) -> Result<Model, ModelError> {
    let (mut larger, items) = begin(model, ids, new, observer)?;
    let old = model.len();
    let mut directions = larger.directions();
    for round in 0..ROUNDS {
        settle(&larger, &mut directions, old, &items);
        report(observer, 0.5 + 0.5 * (round + 1) as f64 / ROUNDS as f64)?;
    }
    larger.move_to(old, &directions);
    larger.find_signs(old, &items, &directions)?;
    Ok(larger)
}

/// The model with the new items at their first places, and the similarities of the new items.
pub(super) fn begin(
    model: &Model,
    ids: &[String],
    new: &Data<'_>,
    observer: &mut dyn Observer,
) -> Result<(Model, Vec<NewItem>), ModelError> {
    if new.len() != ids.len() {
        return Err(Error::Length { what: "the names", found: ids.len(), expected: new.len() }.into());
    }
    if new.kind() != model.kind() {
        return Err(ModelError::OtherKind { map: model.kind(), new: new.kind() });
    }
    observer.stage(Stage::Neighbors);
    let mut first_half = Part { observer, from: 0.0, to: 0.5 };
    let (known, items, places) = match (&model.known, new) {
        (Known::Points(known), Data::Points(points)) => of_points(model, known, points, &mut first_half)?,
        (Known::Network(_, known), Data::Graph(new) | Data::Similarity(new) | Data::Dyadic(new)) => {
            of_network(model, known, new, &mut first_half)?
        }
        _ => return Err(ModelError::OtherKind { map: model.kind(), new: new.kind() }),
    };
    let mut larger = model.clone();
    larger.generations.push(model.len());
    larger.ids.extend_from_slice(ids);
    larger.coordinates = concatenate(Axis(0), &[model.coordinates.view(), places.view()])
        .map_err(|_| Error::Dimensions { what: "the map", found: places.ncols(), expected: 3 })?;
    larger.z = sum_of_kernel(&larger);
    larger.known = known;
    Ok((larger, items))
}

/// What is known of all items, the similarities of the new ones, and their first places.
type Extended = (Known, Vec<NewItem>, Array2<f64>);

fn of_points(
    model: &Model,
    known: &PointModel,
    points: &Points<'_>,
    observer: &mut dyn Observer,
) -> Result<Extended, ModelError> {
    let rounded = known.rounded(points)?;
    let placed = transform_rows(model, known, &rounded, observer)?;
    let mut extended = known.clone();
    extended.extend(&rounded)?;
    let items = extended.own_similar(model.len())?;
    Ok((Known::Points(extended), items, placed.coordinates))
}

fn of_network(
    model: &Model,
    known: &NetworkModel,
    new: &CsrMatrix<'_>,
    observer: &mut dyn Observer,
) -> Result<Extended, ModelError> {
    let extended = known.extended(new)?;
    let old = model.len();
    let similar = if known.incidence.is_some() {
        known.similar(new)?
    } else {
        let to_old =
            new.iter_rows().map(|row| row.iter().filter(|link| link.0 < old).map(|(j, v)| (j as u32, v)).unzip());
        known.similar(&CsrMatrix::from_rows((new.rows(), old), to_old.collect()))?
    };
    let placed = place_known(model, &similar, observer)?;
    // Items that are linked to new ones only begin beside these.
    let places = model.directions().into_iter().map(Some).chain(placed).collect();
    let directions = init::directions_between(&extended.s, places, 0);
    let places = Array2::from_shape_fn((new.rows(), 3), |(i, k)| model.radius * directions[old + i][k]);
    let items = extended.own_similar(old);
    Ok((Known::Network(model.kind(), extended), items, places))
}

impl Model {
    /// Gives the items from `first` on these directions.
    pub(super) fn move_to(&mut self, first: usize, directions: &[Vec3]) {
        let radius = self.radius;
        let moved = directions[first..].iter().flatten().map(|v| radius * v);
        self.coordinates.iter_mut().skip(3 * first).zip(moved).for_each(|(to, from)| *to = from);
        self.z = sum_of_kernel(self);
    }

    /// The similarities of all items to each other, for placing them.
    pub(super) fn all_similar(&self) -> Result<Vec<NewItem>, Error> {
        match &self.known {
            Known::Points(points) => points.own_similar(0),
            Known::Network(_, network) => Ok(network.own_similar(0)),
        }
    }

    /// Computes how badly the items from `first` on fit.
    pub(super) fn find_signs(
        &mut self,
        first: usize,
        items: &[NewItem],
        directions: &[Vec3],
    ) -> Result<(), ModelError> {
        let (radius, kernel) = (self.radius, self.kernel);
        match &mut self.known {
            Known::Points(points) => points.add_signs(first, directions, radius, kernel)?,
            Known::Network(_, network) => network.add_signs(items, directions, first, radius, kernel),
        }
        Ok(())
    }
}

/// All items from `first` on move a little on the map as it is, all at once.
pub(super) fn settle(larger: &Model, directions: &mut [Vec3], first: usize, items: &[NewItem]) {
    let map = FrozenMap::new(directions, larger.radius, larger.kernel, larger.z);
    let moved: Vec<Vec3> = items
        .par_iter()
        .enumerate()
        .map_init(
            || map.field(),
            |field, (at, item)| {
                field.forget();
                map.settle(item, directions[first + at], STEPS, field)
            },
        )
        .collect();
    drop(map);
    directions[first..].copy_from_slice(&moved);
}

/// Σ q over all ordered pairs of the map.
fn sum_of_kernel(model: &Model) -> f64 {
    let directions = directions_of(&model.coordinates.view());
    let mut forces = vec![[0.0; 3]; directions.len()];
    let method = RepulsionMethod::Tree.on_sphere(model.kernel);
    method.map_or(f64::NAN, |mut method| method.evaluate(&directions, model.radius, &mut forces).z)
}
