//! Whether popular items crowd, and how much of the map is used.
//!
//! The paper's complaint about t-SNE is that items with many similarities end up in the middle, one upon the other. In the
//! plane and in space that is measured against the centre of the map; a sphere has none, so it is measured there against
//! the local density, and everywhere else too, so that all maps have a measure in common.

use super::{
    Map, QualityOptions,
    cells::{BallCells, DiscCells, SphereCells},
    correlation::spearman,
};
use crate::{
    error::Error,
    input::Points,
    neighbors::{NeighborOptions, find_neighbors},
    observe::Silent,
    space::Space,
};
use ndarray::Array2;
use rayon::prelude::*;

/// How the items' degrees go with a place's being central, or crowded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alignment {
    /// Rank correlation of degree and centrality (or density): 0 is none, 1 puts the popular in the middle (or the crowd).
    pub spearman: f64,
    /// Share of the total degree that the inner half of the items has (or the half that lies most densely); one half is even.
    pub inner_share: f64,
}

/// How a map is crowded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crowding {
    /// Against nearness to the centre of gravity; `None` on a sphere, which has no centre, and as below.
    pub centre: Option<Alignment>,
    /// Against local density: one over the distance to the tenth nearest item. `None` where all degrees are equal: their
    /// order is then rounding, and nothing is more popular than anything else.
    pub density: Option<Alignment>,
    /// Share of the cells that hold an item, of about as many equal cells as there are items: of the sphere, or of the disc
    /// or ball about the centre of gravity that holds 99 % of them. Places drawn at random give 1 − 1/e
    /// ([`UNIFORM_COVERAGE`]).
    pub coverage: f64,
}

/// The coverage of places that are drawn at random.
pub const UNIFORM_COVERAGE: f64 = 0.632_120_558_828_557_7;

/// The neighbour whose distance tells the local density.
const DENSITY_NEIGHBOR: usize = 10;
/// The disc or ball is as large as to hold so much of the items: a few runaways should not decide.
const HELD: f64 = 0.99;
/// Degrees that differ by no more than this part of their mean are equal: similarities that an iteration made doubly
/// stochastic are so to its tolerance.
const EQUAL: f64 = 1e-6;

/// Measures how a map is crowded. `degrees` are the items' total similarities as the data have them, before anything is
/// made equal.
pub fn crowding(map: &Map, degrees: &[f64], options: &QualityOptions) -> Result<Crowding, Error> {
    if degrees.len() != map.len() {
        return Err(Error::Length { what: "the list of degrees", found: degrees.len(), expected: map.len() });
    }
    let density = Alignment::of(degrees, &densities(map, options)?);
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
    /// `None` where the degrees, or the places, are all alike.
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
fn densities(map: &Map, options: &QualityOptions) -> Result<Vec<f64>, Error> {
    let n = map.len();
    let k = DENSITY_NEIGHBOR.min(n - 1);
    if n <= options.exact_up_to {
        let of = |i: usize| map.nearest(i, k, |_| true).last().map_or(0.0, |&(squared, _)| 1.0 / squared.sqrt());
        return Ok((0..n).into_par_iter().map(of).collect());
    }
    // For many items the search is in single precision; the distance is then taken in double.
    let points = Array2::from_shape_fn((n, 3), |(i, axis)| map.points()[i][axis] as f32);
    let nearest = find_neighbors(&Points::from(points), &NeighborOptions::new(k), &mut Silent)?;
    let of = |i: usize| nearest.row(i).0.last().map_or(0.0, |&j| 1.0 / map.squared_chord(i, j as usize).sqrt());
    Ok((0..n).into_par_iter().map(of).collect())
}

/// The points from their centre of gravity (on a sphere: from its centre), and their distances from there.
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
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn places_drawn_at_random_cover_what_chance_covers() {
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
            // As equal as degrees can be that are not taken for equal: any half of the items then has half of the sum.
            let slight = 2.0 * EQUAL;
            let degrees: Vec<f64> = (0..n).map(|i| 1.0 + slight * (i % 2) as f64).collect();
            let crowding = crowding(&map, &degrees, &QualityOptions::default()).unwrap();
            // The number of empty cells has a standard deviation of √(n(1/e − 2/e²)) < 1 % of n.
            assert!((crowding.coverage - UNIFORM_COVERAGE).abs() < 0.04, "{space:?}: {}", crowding.coverage);
            let density = crowding.density.unwrap();
            assert!((density.inner_share - 0.5).abs() < slight, "{space:?}: {}", density.inner_share);
        }
    }

    #[test]
    fn nothing_crowds_where_nothing_is_more_popular() {
        let y = Array2::from_shape_fn((40, 2), |(i, axis)| ((3 * i + axis) as f64 * 1.7).sin() * i as f64);
        let map = Map::new(y.view(), Space::Plane).unwrap();
        let rounding: Vec<f64> = (0..40).map(|i| 1.0 + 1e-9 * (i as f64).sin()).collect();
        let measured = crowding(&map, &rounding, &QualityOptions::default()).unwrap();
        assert_eq!((measured.centre, measured.density), (None, None));
        let unequal: Vec<f64> = (0..40).map(|i| 1.0 + 1e-3 * (i as f64).sin()).collect();
        let measured = crowding(&map, &unequal, &QualityOptions::default()).unwrap();
        assert!(measured.centre.is_some() && measured.density.is_some());
        let one_place = Map::new(Array2::zeros((40, 2)).view(), Space::Plane).unwrap();
        assert_eq!(crowding(&one_place, &unequal, &QualityOptions::default()).unwrap().density, None);
    }

    #[test]
    fn a_popular_centre_is_seen() {
        // Rings with falling degrees.
        let n = 120;
        let place = |i: usize| (1.0 + i as f64, 2.4 * i as f64);
        let y = Array2::from_shape_fn((n, 2), |(i, axis)| {
            let (r, angle) = place(i);
            r * if axis == 0 { angle.cos() } else { angle.sin() }
        });
        let degrees: Vec<f64> = (0..n).map(|i| 1.0 / (1.0 + i as f64)).collect();
        let map = Map::new(y.view(), Space::Plane).unwrap();
        let measured = crowding(&map, &degrees, &QualityOptions::default()).unwrap();
        let centre = measured.centre.unwrap();
        assert!(centre.spearman > 0.99, "{}", centre.spearman);
        assert!(centre.inner_share > 0.85, "{}", centre.inner_share);
        assert!(measured.density.unwrap().spearman > 0.9);
    }
}
