//! A start for all items of a map, from the places of some of them.

use super::JITTER;
use crate::{
    error::{Error, Quantity},
    normalization::Affinities,
    sparse::CsrMatrix,
    sphere::{Vec3, add_scaled, norm, random_direction, unit},
};
use ndarray::{Array2, ArrayView2};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// Places on a sphere for all items of a map, of which some are `known`: n × 3, one row per kept item. Rows that are not finite
/// numbers are not known.
///
/// Known items stay where they are, on the sphere of their mean radius. All others come to the mean direction of their placed
/// neighbours, weighted by their similarities P: first those that are similar to a known item, then those that are similar to these,
/// and so on. Groups that are not connected with any known item come to random places. All of them are displaced by about half a
/// degree, so that items with the same neighbours do not start at the same place. For [`Init::Given`](super::Init::Given).
///
/// ```
/// use dosnes::{Affinities, CsrMatrix, init::complete};
/// use ndarray::array;
///
/// // A path of four items; the places of the first and the third one are known.
/// let edges = [(0, 1, 1.0), (1, 0, 1.0), (1, 2, 1.0), (2, 1, 1.0), (2, 3, 1.0), (3, 2, 1.0)];
/// let p = Affinities::from_matrix(&CsrMatrix::from_triplets((4, 4), &edges)?)?;
/// let known = array![[2.0, 0.0, 0.0], [f64::NAN; 3], [0.0, 2.0, 0.0], [f64::NAN; 3]];
/// let start = complete(&p, known.view(), 7)?;
/// assert_eq!(start.row(0), known.row(0));
/// // The second one is between its neighbours, the last one beside its only neighbour.
/// assert!((start[[1, 0]] - 1.4).abs() < 0.1 && (start[[1, 1]] - 1.4).abs() < 0.1);
/// assert!((start[[3, 1]] - 2.0).abs() < 0.1);
/// # Ok::<(), dosnes::Error>(())
/// ```
#[allow(clippy::needless_pass_by_value, reason = "array views are references")]
pub fn complete(p: &Affinities, known: ArrayView2<'_, f64>, seed: u64) -> Result<Array2<f64>, Error> {
    let n = p.len();
    if known.nrows() != n {
        return Err(Error::Length { what: "the earlier map", found: known.nrows(), expected: n });
    }
    if known.ncols() != 3 {
        return Err(Error::Dimensions { what: "the earlier map", found: known.ncols(), expected: 3 });
    }
    let mut places: Vec<Option<Vec3>> = Vec::with_capacity(n);
    let mut radii = Vec::new();
    for (row, point) in known.rows().into_iter().enumerate() {
        let point: Vec3 = std::array::from_fn(|k| point[k]);
        if point.iter().any(|v| !v.is_finite()) {
            places.push(None);
            continue;
        }
        let radius = norm(&point);
        if !(radius > 0.0 && radius.is_finite()) {
            return Err(Error::Value { quantity: Quantity::Radius, row, column: 0, value: radius });
        }
        places.push(Some(unit(&point)));
        radii.push(radius);
    }
    let radius = if radii.is_empty() { 1.0 } else { radii.iter().sum::<f64>() / radii.len() as f64 };
    let placed = directions_between(p.matrix(), places, seed);
    // The known ones keep their bytes if all have the same length.
    let exact = radii.iter().all(|r| (r - radius).abs() <= 1e-12 * radius);
    Ok(Array2::from_shape_fn((n, 3), |(i, k)| {
        let given = known[[i, k]];
        if exact && known.row(i).iter().all(|v| v.is_finite()) { given } else { radius * placed[i][k] }
    }))
}

/// The directions of all items with these similarities; those that are given stay.
pub(crate) fn directions_between(p: &CsrMatrix<'_>, mut places: Vec<Option<Vec3>>, seed: u64) -> Vec<Vec3> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let random: Vec<Vec3> = places.iter().map(|_| random_direction(&mut rng)).collect();
    let mut waiting: Vec<usize> = (0..places.len()).filter(|&i| places[i].is_none()).collect();
    while !waiting.is_empty() {
        let found: Vec<Option<Vec3>> = waiting.par_iter().map(|&i| between(p, i, &places, &random[i])).collect();
        if found.iter().all(Option::is_none) {
            // A group of its own begins with its first item.
            let first = waiting.remove(0);
            places[first] = Some(random[first]);
            continue;
        }
        for (&i, place) in waiting.iter().zip(&found) {
            places[i] = *place;
        }
        waiting.retain(|&i| places[i].is_none());
    }
    places.into_iter().zip(random).map(|(place, random)| place.unwrap_or(random)).collect()
}

/// The mean direction of the placed neighbours of an item, slightly displaced.
fn between(p: &CsrMatrix<'_>, item: usize, places: &[Option<Vec3>], displacement: &Vec3) -> Option<Vec3> {
    let (mut sum, mut total) = ([0.0; 3], 0.0);
    for (j, value) in p.row(item).iter() {
        if let Some(place) = &places[j] {
            sum = add_scaled(&sum, value, place);
            total += value;
        }
    }
    // Neighbours on opposite sides cancel each other; then the displacement decides.
    (total > 0.0).then(|| unit(&add_scaled(&sum.map(|v| v / total), JITTER, displacement)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sphere::dot;

    /// Two paths of five and three items that are not connected.
    fn paths() -> Affinities {
        let edges: Vec<(u32, u32, f64)> = [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6), (6, 7)]
            .iter()
            .flat_map(|&(i, j)| [(i, j, 1.0), (j, i, 1.0)])
            .collect();
        Affinities::from_matrix(&CsrMatrix::from_triplets((8, 8), &edges).unwrap()).unwrap()
    }

    #[test]
    fn unknown_items_start_beside_their_neighbours_and_known_ones_keep_their_bytes() {
        let mut known = Array2::from_elem((8, 3), f64::NAN);
        let place = [3.0 * 0.6, 0.0, 3.0 * 0.8];
        for k in 0..3 {
            known[[0, k]] = place[k];
        }
        let start = complete(&paths(), known.view(), 0).unwrap();
        assert_eq!(start.row(0).to_vec(), place);
        let unit = |i: usize| -> Vec3 { std::array::from_fn(|k| start[[i, k]] / 3.0) };
        for i in 0..8 {
            assert!((norm(&unit(i)) - 1.0).abs() < 1e-12);
        }
        // Each step along a path adds at most the displacement.
        for i in 1..5 {
            assert!(dot(&unit(i), &unit(0)) > (i as f64 * JITTER * 1.1).cos(), "{i}");
        }
        assert!(dot(&unit(6), &unit(5)) > 0.999 && dot(&unit(7), &unit(5)) > 0.999);
        assert!(unit(1) != unit(2));
    }

    #[test]
    fn a_start_is_the_same_on_any_number_of_threads() {
        let mut known = Array2::from_elem((8, 3), f64::NAN);
        known[[2, 0]] = 1.0;
        known[[2, 1]] = 0.0;
        known[[2, 2]] = 0.0;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(5).build().unwrap();
        let many = pool.install(|| complete(&paths(), known.view(), 4).unwrap());
        assert_eq!(many, complete(&paths(), known.view(), 4).unwrap());
        assert!(complete(&paths(), known.slice(ndarray::s![..7, ..]), 4).is_err());
        known[[2, 0]] = 0.0;
        assert!(matches!(complete(&paths(), known.view(), 4), Err(Error::Value { row: 2, .. })));
    }
}
