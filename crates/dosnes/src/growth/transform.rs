//! New items on an old map.

use super::{
    half::HalfRows,
    model::{Model, ModelError},
    place::FrozenMap,
    points::{PointModel, Similar},
};
use crate::{
    input::Data,
    observe::{Observer, Stage, report},
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

/// Places new points on the map of a model, whose items do not move.
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
/// let new = Array2::from_shape_fn((2, 3), |(i, axis)| if i == 0 { ring(0, axis) + 0.01 } else { 50.0 });
/// let placed = transform(&model, &Data::from(&new), &mut Silent)?;
/// assert_eq!(placed.coordinates.dim(), (2, 3));
/// assert!(placed.misfit[0] < 0.9 && placed.misfit[1] > 0.99);
/// # Ok::<(), dosnes::growth::ModelError>(())
/// ```
pub fn transform(model: &Model, new: &Data<'_>, observer: &mut dyn Observer) -> Result<Placed, ModelError> {
    let Data::Points(points) = new else { return Err(ModelError::OtherKind(new.kind())) };
    observer.stage(Stage::Neighbors);
    let rounded = model.points.rounded(points)?;
    transform_rows(model, &rounded, observer)
}

/// Places rows that are in the form of the model's own.
pub(super) fn transform_rows(
    model: &Model,
    rounded: &HalfRows,
    observer: &mut dyn Observer,
) -> Result<Placed, ModelError> {
    let directions = model.directions();
    let map = FrozenMap::new(&directions, model.radius, model.kernel, model.z);
    let mut sorted = model.points.misfits.clone();
    sorted.sort_by(f32::total_cmp);
    let count = rounded.len();
    let mut placed = Vec::with_capacity(count);
    for start in (0..count).step_by(BATCH) {
        let range = start * rounded.dimensions..(start + BATCH).min(count) * rounded.dimensions;
        let batch = HalfRows { values: rounded.values[range].to_vec(), ..rounded.emptied() };
        let similar = model.points.similar(&batch)?;
        placed.par_extend(similar.par_iter().map_init(
            || map.field(),
            |field, Similar { item, shares, strangeness }| {
                let u = map.place(item, field);
                let misfit = PointModel::misfit(&map, shares, *strangeness, &u) as f32;
                (u, quantile_of(&sorted, misfit))
            },
        ));
        report(observer, placed.len() as f64 / count as f64)?;
    }
    Ok(Placed {
        coordinates: Array2::from_shape_fn((count, 3), |(i, k)| model.radius * placed[i].0[k]),
        misfit: placed.iter().map(|item| item.1).collect(),
    })
}

/// The share of the sorted values that are smaller, with half of those that are equal.
fn quantile_of(sorted: &[f32], value: f32) -> f64 {
    let below = sorted.partition_point(|&v| v < value);
    let equal = sorted[below..].partition_point(|&v| v <= value);
    (below as f64 + 0.5 * equal as f64) / sorted.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_count_half_of_the_equal_ones() {
        let sorted = [1.0, 2.0, 2.0, 3.0];
        for (value, expected) in [(0.0, 0.0), (1.0, 0.125), (2.0, 0.5), (2.5, 0.75), (9.0, 1.0)] {
            assert_eq!(quantile_of(&sorted, value), expected);
        }
    }
}
