//! How far items move from one map to another of the same data.

use super::align::align;
use crate::error::Error;
use ndarray::ArrayView2;
use rayon::prelude::*;

/// Up to this number of maps, all pairs of them are compared.
const ALL_PAIRS: usize = 16;
/// Of more maps, each is compared with this many that follow it; after the last one comes the first.
const FOLLOWING: usize = 8;

/// For each item, the median angle in degrees between its places on two of the maps, which are laid onto each other first by
/// [`align()`]. The maps are on spheres, with the same items in the same order: for example those of several seeds. An item with a
/// large angle has a place that is partly chance.
///
/// Up to 16 maps all pairs are compared; of more maps, each with the eight that follow it.
///
/// ```
/// use dosnes::growth::stability;
/// use ndarray::array;
///
/// let first = array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
/// // The same map, mirrored; the last item is elsewhere.
/// let mut second = first.clone();
/// second.column_mut(0).mapv_inplace(|x| -x);
/// second.row_mut(4).assign(&array![0.0, 0.0, -1.0]);
/// let angles = stability(&[first.view(), second.view()])?;
/// assert!(angles[..4].iter().all(|angle| *angle < 1e-3) && (angles[4] - 90.0).abs() < 1e-3);
/// # Ok::<(), dosnes::Error>(())
/// ```
pub fn stability(maps: &[ArrayView2<'_, f64>]) -> Result<Vec<f64>, Error> {
    let Some(n) = maps.first().map(ArrayView2::nrows) else { return Ok(Vec::new()) };
    let angles: Vec<Vec<f64>> = pairs(maps.len())
        .into_iter()
        .map(|(i, j)| Ok(align(maps[i].view(), maps[j].view())?.moved))
        .collect::<Result<_, Error>>()?;
    let of_item = |item: usize| median(angles.iter().map(|of_pair| of_pair[item]).collect());
    Ok((0..n).into_par_iter().map(of_item).collect())
}

/// The pairs of maps that are compared.
fn pairs(count: usize) -> Vec<(usize, usize)> {
    if count <= ALL_PAIRS {
        return (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))).collect();
    }
    (0..count).flat_map(|i| (1..=FOLLOWING).map(move |step| (i, (i + step) % count))).collect()
}

/// The mean of the two middle values if their number is even; 0 if there are none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match (values.len() / 2, values.len() % 2) {
        (0, 0) => 0.0,
        (middle, 0) => 0.5 * (values[middle - 1] + values[middle]),
        (middle, _) => values[middle],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sphere::{Vec3, dot, random_direction, unit};
    use ndarray::Array2;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// A rotation around an axis, by Rodrigues' formula.
    fn rotated(v: &Vec3, axis: &Vec3, angle: f64) -> Vec3 {
        let (sin, cos) = angle.sin_cos();
        let cross = [axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]];
        let along = dot(axis, v) * (1.0 - cos);
        std::array::from_fn(|k| cos * v[k] + sin * cross[k] + along * axis[k])
    }

    fn array(points: &[Vec3]) -> Array2<f64> {
        Array2::from_shape_fn((points.len(), 3), |(i, k)| points[i][k])
    }

    /// Most items of a map keep their places; some are anywhere.
    fn maps(seed: u64, n: usize, restless: usize, count: usize) -> Vec<Vec<Vec3>> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let first: Vec<Vec3> = (0..n).map(|_| random_direction(&mut rng)).collect();
        let another = |_| {
            let mut map = first.clone();
            for place in &mut map[..restless] {
                *place = random_direction(&mut rng);
            }
            map
        };
        (0..count).map(another).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// The slow twin knows the rotations: it measures the angles before the maps are turned, by the arc cosine, pair by pair.
        #[test]
        fn stability_is_the_median_angle_of_maps_that_were_never_turned(
            seed in 0_u64..1000, n in 30_usize..60, count in 2_usize..6,
        ) {
            let restless = n / 5;
            let still = maps(seed, n, restless, count);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed + 1);
            let turned: Vec<Array2<f64>> = still
                .iter()
                .map(|map| {
                    let (axis, angle) = (random_direction(&mut rng), rng.random_range(0.0..6.0));
                    let mirror = if rng.random_range(0.0..1.0) < 0.5 { -1.0 } else { 1.0 };
                    let turn = |v: &Vec3| rotated(&[v[0] * mirror, v[1], v[2]], &axis, angle).map(|c| 3.0 * c);
                    array(&map.iter().map(turn).collect::<Vec<_>>())
                })
                .collect();
            let found = stability(&turned.iter().map(|map| map.view()).collect::<Vec<_>>()).unwrap();
            for item in 0..n {
                let mut angles = Vec::new();
                for i in 0..count {
                    for j in 0..i {
                        let cosine = dot(&unit(&still[i][item]), &unit(&still[j][item])).clamp(-1.0, 1.0);
                        angles.push(cosine.acos().to_degrees());
                    }
                }
                angles.sort_by(f64::total_cmp);
                let expected = 0.5 * (angles[(angles.len() - 1) / 2] + angles[angles.len() / 2]);
                // The arc cosine of nearly 1 is right to the root of the rounding error.
                prop_assert!((found[item] - expected).abs() < 1e-5, "{item}: {} {expected}", found[item]);
            }
        }
    }

    #[test]
    fn of_many_maps_each_is_compared_with_those_that_follow() {
        assert_eq!(pairs(16).len(), 120);
        let many = pairs(20);
        assert_eq!(many.len(), 160);
        assert!((0..20).all(|i| many.iter().filter(|pair| pair.0 == i || pair.1 == i).count() == 16));
        assert!(many.iter().all(|(i, j)| i != j));
        let maps = maps(5, 40, 4, 20);
        let arrays: Vec<Array2<f64>> = maps.iter().map(|map| array(map)).collect();
        let angles = stability(&arrays.iter().map(|map| map.view()).collect::<Vec<_>>()).unwrap();
        assert!(angles[..4].iter().all(|angle| *angle > 30.0) && angles[4..].iter().all(|angle| *angle < 1e-6));
    }

    #[test]
    fn one_map_does_not_move_and_maps_of_other_items_are_refused() {
        assert_eq!(stability(&[]).unwrap(), Vec::<f64>::new());
        let map = array(&maps(1, 5, 0, 1)[0]);
        assert_eq!(stability(&[map.view()]).unwrap(), vec![0.0; 5]);
        assert!(stability(&[map.view(), map.slice(ndarray::s![..4, ..])]).is_err());
    }
}
