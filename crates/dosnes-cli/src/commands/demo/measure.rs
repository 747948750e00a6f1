//! How well a map of airports agrees with the earth.

use dosnes::quality::spearman;
use ndarray::Array2;

/// Mean radius of the earth, in kilometres.
const EARTH_KM: f64 = 6371.0;

/// Places, and how far apart they are.
pub(crate) enum Map<'a> {
    /// A map's coordinates. On a sphere about the origin the chord grows with the angle, so that ranks are the same.
    Coordinates(&'a Array2<f64>),
    /// Unit vectors of places on the earth.
    Earth(Vec<[f64; 3]>),
}

/// How a map agrees with the earth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Geography {
    /// Rank correlation of the distances of all pairs, on the map and on the earth.
    pub(crate) spearman: f64,
    /// Median true distance to the ten that are nearest on the map.
    pub(crate) median_km: f64,
}

impl Map<'_> {
    /// Places on the earth, from degrees.
    pub(crate) fn on_earth(lat: &[f64], lon: &[f64]) -> Self {
        let place = |(lat, lon): (&f64, &f64)| {
            let (lat, lon) = (lat.to_radians(), lon.to_radians());
            [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
        };
        Self::Earth(lat.iter().zip(lon).map(place).collect())
    }

    fn len(&self) -> usize {
        match self {
            Self::Coordinates(y) => y.nrows(),
            Self::Earth(places) => places.len(),
        }
    }

    /// Euclidean on a map; along the great circle, in kilometres, on the earth.
    fn distance(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Coordinates(y) => y.row(i).iter().zip(y.row(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt(),
            Self::Earth(places) => {
                let chord = (0..3).map(|k| (places[i][k] - places[j][k]).powi(2)).sum::<f64>().sqrt();
                2.0 * EARTH_KM * (chord / 2.0).min(1.0).asin()
            }
        }
    }

    /// The `count` nearest to `i`, nearest first.
    pub(crate) fn nearest(&self, i: usize, count: usize) -> Vec<usize> {
        let mut others: Vec<(f64, usize)> =
            (0..self.len()).filter(|&j| j != i).map(|j| (self.distance(i, j), j)).collect();
        others.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        others.into_iter().take(count).map(|(_, j)| j).collect()
    }
}

/// How `map` agrees with the `earth`.
pub(crate) fn geography(map: &Map<'_>, earth: &Map<'_>) -> Geography {
    let n = map.len();
    let pairs = || (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
    let on_map: Vec<f64> = pairs().map(|(i, j)| map.distance(i, j)).collect();
    let on_earth: Vec<f64> = pairs().map(|(i, j)| earth.distance(i, j)).collect();
    let mut near: Vec<f64> =
        (0..n).flat_map(|i| map.nearest(i, 10).into_iter().map(move |j| earth.distance(i, j))).collect();
    near.sort_unstable_by(f64::total_cmp);
    Geography { spearman: spearman(&on_map, &on_earth), median_km: median(&near) }
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_equator_is_ten_thousand_kilometres() {
        let earth = Map::on_earth(&[0.0, 0.0], &[0.0, 90.0]);
        assert!((earth.distance(0, 1) - 10_007.5).abs() < 1.0);
    }

    #[test]
    fn a_true_map_has_rank_correlation_one() {
        let lat = [10.0, 20.0, -30.0, 40.0, 5.0, 60.0];
        let lon = [0.0, 50.0, 100.0, -150.0, 20.0, -80.0];
        let Map::Earth(places) = Map::on_earth(&lat, &lon) else { unreachable!() };
        let y = Array2::from_shape_fn((6, 3), |(i, k)| 7.0 * places[i][k]);
        let measured = geography(&Map::Coordinates(&y), &Map::Earth(places));
        assert!((measured.spearman - 1.0).abs() < 1e-12);
    }
}
