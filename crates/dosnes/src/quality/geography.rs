//! How well a map of places agrees with the earth.

use super::{Map, correlation::spearman};
use crate::error::Error;

/// Mean radius of the earth, in kilometres.
const EARTH_KM: f64 = 6371.0;
/// Number of neighbours on the map whose true distances are measured.
const NEAREST: usize = 10;

/// How a map agrees with the earth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Geography {
    /// Rank correlation of the distances of all pairs, on the map and on the earth.
    pub spearman: f64,
    /// Median true distance to the ten nearest places on the map, in kilometres.
    pub median_km: f64,
}

/// Compares the map with the true positions of its items, in degrees.
pub fn geography(map: &Map, latitudes: &[f64], longitudes: &[f64]) -> Result<Geography, Error> {
    map.check_length(latitudes.len())?;
    map.check_length(longitudes.len())?;
    let place = |(lat, lon): (&f64, &f64)| {
        let (lat, lon) = (lat.to_radians(), lon.to_radians());
        [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
    };
    let places: Vec<[f64; 3]> = latitudes.iter().zip(longitudes).map(place).collect();
    let km = |i: usize, j: usize| {
        let chord = (0..3).map(|k| (places[i][k] - places[j][k]).powi(2)).sum::<f64>().sqrt();
        2.0 * EARTH_KM * (chord / 2.0).min(1.0).asin()
    };
    let pairs = || (0..map.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    // Chords have the same order as arcs, so the ranks are the same.
    let on_map: Vec<f64> = pairs().map(|(i, j)| map.squared_chord(i, j).sqrt()).collect();
    let on_earth: Vec<f64> = pairs().map(|(i, j)| km(i, j)).collect();
    let mut near: Vec<f64> = Vec::new();
    for i in 0..map.len() {
        near.extend(map.nearest(i, NEAREST, |_| true).iter().map(|&(_, j)| km(i, j as usize)));
    }
    near.sort_unstable_by(f64::total_cmp);
    Ok(Geography { spearman: spearman(&on_map, &on_earth), median_km: median(&near) })
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Space;
    use ndarray::{Array2, array};

    #[test]
    fn a_quarter_of_the_equator_is_ten_thousand_kilometres() {
        let map = Map::new(array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].view(), Space::Sphere).unwrap();
        let measured = geography(&map, &[0.0, 0.0], &[0.0, 90.0]).unwrap();
        assert!((measured.median_km - 10_007.5).abs() < 1.0);
        assert!(geography(&map, &[0.0], &[0.0]).is_err());
    }

    #[test]
    fn a_correct_map_has_rank_correlation_one() {
        let lat = [10.0_f64, 20.0, -30.0, 40.0, 5.0, 60.0];
        let lon = [0.0_f64, 50.0, 100.0, -150.0, 20.0, -80.0];
        let y = Array2::from_shape_fn((6, 3), |(i, k)| {
            let (lat, lon) = (lat[i].to_radians(), lon[i].to_radians());
            7.0 * [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()][k]
        });
        let map = Map::new(y.view(), Space::Sphere).unwrap();
        assert!((geography(&map, &lat, &lon).unwrap().spearman - 1.0).abs() < 1e-12);
    }
}
