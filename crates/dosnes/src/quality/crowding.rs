//! Whether popular items crowd together, and how much of the map is used.
//!
//! The paper criticises t-SNE because items with many similarities end up in the centre, on top of each other. In the
//! plane and in space this is measured relative to the centre of the map. A sphere has no centre, so it is measured
//! relative to the local density there; this is also done for all other maps, so that all have one measure in common.

use super::{
    Map,
    cells::{BallCells, DiscCells, SphereCells},
    correlation::spearman,
};
use crate::{error::Error, neighbors::nearest_in_space, observe::Silent, space::Space};
use rayon::prelude::*;

/// How the degrees of the items correlate with centrality or density.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alignment {
    /// Rank correlation of degree and centrality (or density): 0 means no relation, 1 means that the popular
    /// items are in the centre (or in dense regions).
    pub spearman: f64,
    /// Share of the total degree in the inner half of the items (or the denser half); one half means no crowding.
    pub inner_share: f64,
}

/// How crowded a map is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crowding {
    /// Relative to the distance from the centre of gravity. `None` on a sphere, which has no centre, and if all degrees
    /// are equal.
    pub centre: Option<Alignment>,
    /// Relative to the local density: one over the distance to the tenth nearest item. `None` if all degrees are equal:
    /// then no item is more popular than another, and their order is only rounding.
    pub density: Option<Alignment>,
    /// Share of the cells that contain an item, with about as many equal cells as items: cells of the sphere, or of the
    /// disc or ball around the centre of gravity that contains 99 % of the items. Uniformly random positions give 1 −
    /// 1/e ([`UNIFORM_COVERAGE`]).
    pub coverage: f64,
}

/// The coverage of uniformly random positions.
pub const UNIFORM_COVERAGE: f64 = 0.632_120_558_828_557_7;

/// The local density is computed from the distance to this neighbour.
const DENSITY_NEIGHBOR: usize = 10;
/// Share of the items that the disc or ball contains: a few outliers should not determine its size.
const HELD: f64 = 0.99;
/// Degrees that differ by at most this share of their mean count as equal: an iterative normalisation makes them equal
/// only to its tolerance.
const EQUAL: f64 = 1e-6;

/// Measures how crowded a map is. `degrees` are the items' total similarities in the data, before normalisation.
pub fn crowding(map: &Map, degrees: &[f64]) -> Result<Crowding, Error> {
    if degrees.len() != map.len() {
        return Err(Error::Length { what: "the list of degrees", found: degrees.len(), expected: map.len() });
    }
    let density = Alignment::of(degrees, &densities(map)?);
    let (centred, distances) = about_centre(map);
    let centre = if map.space() == Space::Sphere {
        None
    } else {
        let nearness: Vec<f64> = distances.iter().map(|d| -d).collect();
        Alignment::of(degrees, &nearness)
    };
    Ok(Crowding { centre, density, coverage: coverage(map, &centred, &distances) })
}

impl Alignment {
    /// `None` if all degrees, or all centralities, are equal.
    fn of(degrees: &[f64], centrality: &[f64]) -> Option<Self> {
        let total: f64 = degrees.iter().sum();
        let least = degrees.iter().copied().fold(f64::INFINITY, f64::min);
        let most = degrees.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most - least <= EQUAL * total / degrees.len() as f64 {
            return None;
        }
        let mut order: Vec<usize> = (0..degrees.len()).collect();
        order.sort_by(|&a, &b| centrality[b].total_cmp(&centrality[a]).then(a.cmp(&b)));
        let inner: f64 = order[..degrees.len() / 2].iter().map(|&i| degrees[i]).sum();
        let middle = if degrees.len() % 2 == 1 { 0.5 * degrees[order[degrees.len() / 2]] } else { 0.0 };
        let spearman = spearman(degrees, centrality);
        spearman.is_finite().then_some(Self { spearman, inner_share: (inner + middle) / total })
    }
}

/// One over the distance to the tenth nearest item.
fn densities(map: &Map) -> Result<Vec<f64>, Error> {
    let nearest = nearest_in_space(map.points(), DENSITY_NEIGHBOR.min(map.len() - 1), &mut Silent)?;
    let of = |i: usize| nearest.row(i).0.last().map_or(0.0, |&j| 1.0 / map.squared_chord(i, j as usize).sqrt());
    Ok((0..map.len()).into_par_iter().map(of).collect())
}

/// The points relative to their centre of gravity (on a sphere: to its centre), and their distances from it.
fn about_centre(map: &Map) -> (Vec<[f64; 3]>, Vec<f64>) {
    let n = map.len() as f64;
    let centre: [f64; 3] = if map.space() == Space::Sphere {
        [0.0; 3]
    } else {
        std::array::from_fn(|axis| map.points().iter().map(|y| y[axis]).sum::<f64>() / n)
    };
    let centred: Vec<[f64; 3]> =
        map.points().iter().map(|y| std::array::from_fn(|axis| y[axis] - centre[axis])).collect();
    let distances = centred.iter().map(|y| y.iter().map(|v| v * v).sum::<f64>().sqrt()).collect();
    (centred, distances)
}

fn coverage(map: &Map, centred: &[[f64; 3]], distances: &[f64]) -> f64 {
    let n = map.len();
    let mut sorted = distances.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let radius = sorted[((HELD * n as f64).ceil() as usize).clamp(1, n) - 1].max(f64::MIN_POSITIVE);
    let scaled = |y: &[f64; 3]| y.map(|v| v / radius);
    let cells: (Vec<Option<usize>>, usize) = match map.space() {
        Space::Sphere => {
            let cells = SphereCells::new(n);
            (centred.iter().map(|y| Some(cells.cell(y))).collect(), n)
        }
        Space::Plane => {
            let cells = DiscCells::new(n);
            let cell = |y: &[f64; 3]| {
                let [x, y, _] = scaled(y);
                cells.cell(x, y)
            };
            (centred.iter().map(cell).collect(), cells.count())
        }
        Space::Volume => {
            let cells = BallCells::new(n);
            (centred.iter().map(|y| cells.cell(&scaled(y))).collect(), cells.count())
        }
    };
    let (places, count) = cells;
    let mut used = vec![false; count];
    for cell in places.into_iter().flatten() {
        used[cell] = true;
    }
    used.iter().filter(|&&used| used).count() as f64 / count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sphere::random_direction;
    use ndarray::Array2;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn random_positions_have_the_uniform_coverage() {
        let n = 3000;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let sphere = Array2::from_shape_vec((n, 3), (0..n).flat_map(|_| random_direction(&mut rng)).collect()).unwrap();
        let disc: Vec<f64> = std::iter::repeat_with(|| [rng.random_range(-1.0..1.0_f64), rng.random_range(-1.0..1.0)])
            .filter(|y: &[f64; 2]| y[0].hypot(y[1]) < 1.0)
            .take(n)
            .flatten()
            .collect();
        let disc = Array2::from_shape_vec((n, 2), disc).unwrap();
        for (coordinates, space) in [(sphere, Space::Sphere), (disc, Space::Plane)] {
            let map = Map::new(coordinates.view(), space).unwrap();
            // The smallest difference of degrees that does not count as equal: any half of the items then has half of
            // the sum.
            let slight = 2.0 * EQUAL;
            let degrees: Vec<f64> = (0..n).map(|i| 1.0 + slight * (i % 2) as f64).collect();
            let crowding = crowding(&map, &degrees).unwrap();
            // The number of empty cells has a standard deviation of √(n(1/e − 2/e²)) < 1 % of n.
            assert!((crowding.coverage - UNIFORM_COVERAGE).abs() < 0.04, "{space:?}: {}", crowding.coverage);
            let density = crowding.density.unwrap();
            assert!((density.inner_share - 0.5).abs() < slight, "{space:?}: {}", density.inner_share);
        }
    }

    #[test]
    fn crowding_is_undefined_if_all_degrees_are_equal() {
        let y = Array2::from_shape_fn((40, 2), |(i, axis)| ((3 * i + axis) as f64 * 1.7).sin() * i as f64);
        let map = Map::new(y.view(), Space::Plane).unwrap();
        let rounding: Vec<f64> = (0..40).map(|i| 1.0 + 1e-9 * (i as f64).sin()).collect();
        let measured = crowding(&map, &rounding).unwrap();
        assert_eq!((measured.centre, measured.density), (None, None));
        let unequal: Vec<f64> = (0..40).map(|i| 1.0 + 1e-3 * (i as f64).sin()).collect();
        let measured = crowding(&map, &unequal).unwrap();
        assert!(measured.centre.is_some() && measured.density.is_some());
        let one_place = Map::new(Array2::zeros((40, 2)).view(), Space::Plane).unwrap();
        assert_eq!(crowding(&one_place, &unequal).unwrap().density, None);
    }

    #[test]
    fn a_popular_centre_is_detected() {
        // Rings with decreasing degrees.
        let n = 120;
        let place = |i: usize| (1.0 + i as f64, 2.4 * i as f64);
        let y = Array2::from_shape_fn((n, 2), |(i, axis)| {
            let (r, angle) = place(i);
            r * if axis == 0 { angle.cos() } else { angle.sin() }
        });
        let degrees: Vec<f64> = (0..n).map(|i| 1.0 / (1.0 + i as f64)).collect();
        let map = Map::new(y.view(), Space::Plane).unwrap();
        let measured = crowding(&map, &degrees).unwrap();
        let centre = measured.centre.unwrap();
        assert!(centre.spearman > 0.99, "{}", centre.spearman);
        assert!(centre.inner_share > 0.85, "{}", centre.inner_share);
        assert!(measured.density.unwrap().spearman > 0.9);
    }
}
