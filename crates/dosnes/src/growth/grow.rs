//! A map with more items: the old ones stay, the new ones settle among them and among each other.

use super::{
    model::{Known, Model, ModelError, directions_of},
    place::{FrozenMap, NewItem},
    transform::transform_rows,
};
use crate::{
    error::Error,
    input::Data,
    observe::{Observer, Part, Stage, report},
    repulsion::RepulsionMethod,
    sphere::Vec3,
};
use ndarray::{Axis, concatenate};
use rayon::prelude::*;

/// Rounds in which all new items move a little, and steps of each item in a round.
const ROUNDS: usize = 40;
const STEPS: usize = 3;

/// Adds points to the map of a model. The old items keep their places to the last bit. The new ones are first placed as
/// [`transform`](super::transform()) places them; then they settle among the old items and among each other, so that new groups
/// can form. The similarities of the old items are extended by the new ones, and rescaled.
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
#[allow(clippy::missing_panics_doc, reason = "both maps have three columns")]
pub fn grow(model: &Model, ids: &[String], new: &Data<'_>, observer: &mut dyn Observer) -> Result<Model, ModelError> {
    let Known::Points(known) = &model.known else { return Err(ModelError::NoGrowth(model.kind())) };
    let Data::Points(points) = new else {
        return Err(ModelError::OtherKind { map: model.kind(), new: new.kind() });
    };
    if points.shape().0 != ids.len() {
        let (what, found, expected) = ("the names", ids.len(), points.shape().0);
        return Err(Error::Length { what, found, expected }.into());
    }
    observer.stage(Stage::Neighbors);
    let rounded = known.rounded(points)?;
    let placed = transform_rows(model, known, &rounded, &mut Part { observer, from: 0.0, to: 0.5 })?;
    let old = model.len();
    let mut extended = known.clone();
    extended.extend(&rounded)?;
    let items = extended.own_similar(old)?;
    let mut larger = model.clone();
    larger.generations.push(old);
    larger.ids.extend_from_slice(ids);
    larger.coordinates =
        concatenate(Axis(0), &[model.coordinates.view(), placed.coordinates.view()]).expect("both have three columns");
    larger.z = sum_of_kernel(&larger);
    let mut directions = larger.directions();
    for round in 0..ROUNDS {
        settle(&mut larger, &mut directions, old, &items);
        report(observer, 0.5 + 0.5 * (round + 1) as f64 / ROUNDS as f64)?;
    }
    let (start, radius) = (old * 3, larger.radius);
    let moved = directions[old..].iter().flatten().map(|v| radius * v);
    larger.coordinates.iter_mut().skip(start).zip(moved).for_each(|(to, from)| *to = from);
    larger.z = sum_of_kernel(&larger);
    extended.add_misfits(old, &directions, larger.radius, larger.kernel)?;
    larger.known = Known::Points(extended);
    Ok(larger)
}

/// All new items move a little on the map as it is, all at once.
fn settle(larger: &mut Model, directions: &mut [Vec3], old: usize, items: &[NewItem]) {
    let map = FrozenMap::new(directions, larger.radius, larger.kernel, larger.z);
    let moved: Vec<Vec3> = items
        .par_iter()
        .enumerate()
        .map_init(
            || map.field(),
            |field, (at, item)| {
                field.forget();
                map.settle(item, directions[old + at], STEPS, field)
            },
        )
        .collect();
    drop(map);
    directions[old..].copy_from_slice(&moved);
}

/// Σ q over all ordered pairs of the map.
fn sum_of_kernel(model: &Model) -> f64 {
    let directions = directions_of(&model.coordinates.view());
    let mut forces = vec![[0.0; 3]; directions.len()];
    let method = RepulsionMethod::Tree.on_sphere(model.kernel);
    method.map_or(f64::NAN, |mut method| method.evaluate(&directions, model.radius, &mut forces).z)
}
