//! Peaks of the density on a map, and which of them touch each other.

use crate::{
    error::Error,
    neighbors::{Neighbors, nearest_in_space},
    observe::Observer,
    quality::Map,
};

/// The density at an item is estimated from the distance of this neighbour.
const NEIGHBORS: usize = 10;

/// Peaks of the density.
#[derive(Debug)]
pub(super) struct Peaks {
    /// The peak of each item.
    pub(super) of_item: Vec<u32>,
    /// Number of peaks.
    pub(super) count: usize,
    /// The passes between peaks whose items are neighbours, each once, in the order of their peaks.
    pub(super) passes: Vec<Pass>,
    /// The logarithm of the density at each item, but for a constant.
    pub(super) log_density: Vec<f64>,
}

/// Where two peaks touch each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pass {
    pub(super) peaks: (u32, u32),
    /// The log density where it is highest.
    pub(super) saddle: f64,
}

impl Peaks {
    /// The peaks of a map.
    pub(super) fn of(map: &Map, observer: &mut dyn Observer) -> Result<Self, Error> {
        let neighbors = nearest_in_space(map.points(), NEIGHBORS.min(map.len() - 1), observer)?;
        let log_density = log_densities(&neighbors);
        let (of_item, count) = climb(&neighbors, &log_density);
        let passes = passes(&neighbors, &log_density, &of_item);
        Ok(Self { of_item, count, passes, log_density })
    }
}

/// log of the density at each item, but for a constant: −2 log of the distance of the last neighbour, since a map is a
/// surface.
fn log_densities(neighbors: &Neighbors) -> Vec<f64> {
    let last = |i: usize| neighbors.row(i).1.last().map_or(0.0, |&distance| f64::from(distance));
    let distances: Vec<f64> = (0..neighbors.len()).map(last).collect();
    // Items at one position would have an infinite density, and a single pair of them would outweigh everything.
    let positive = distances.iter().copied().filter(|&distance| distance > 0.0);
    let least = positive.fold(f64::INFINITY, f64::min);
    let least = if least.is_finite() { least } else { 1.0 };
    distances.iter().map(|distance| -2.0 * distance.max(least).ln()).collect()
}

/// Pairs of neighbours, in either direction.
fn pairs(neighbors: &Neighbors) -> impl Iterator<Item = (u32, u32)> {
    (0..neighbors.len() as u32).flat_map(|i| neighbors.row(i as usize).0.iter().map(move |&j| (i, j)))
}

/// The peak of each item, which is reached by going to the densest neighbour again and again; and the number of peaks.
fn climb(neighbors: &Neighbors, log_density: &[f64]) -> (Vec<u32>, usize) {
    let n = neighbors.len();
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_unstable_by(|&a, &b| log_density[b as usize].total_cmp(&log_density[a as usize]).then(a.cmp(&b)));
    let mut rank = vec![0; n];
    for (place, &i) in order.iter().enumerate() {
        rank[i as usize] = place as u32;
    }
    let mut uphill = rank.clone();
    for (i, j) in pairs(neighbors) {
        for (from, to) in [(i, j), (j, i)] {
            uphill[from as usize] = uphill[from as usize].min(rank[to as usize]);
        }
    }
    let mut of_item = vec![0; n];
    let mut count = 0;
    for &i in &order {
        let next = order[uphill[i as usize] as usize];
        of_item[i as usize] = if next == i {
            count += 1;
            count - 1
        } else {
            of_item[next as usize]
        };
    }
    (of_item, count as usize)
}

fn passes(neighbors: &Neighbors, log_density: &[f64], of_item: &[u32]) -> Vec<Pass> {
    let mut found: Vec<Pass> = pairs(neighbors)
        .map(|(i, j)| (i as usize, j as usize))
        .filter(|&(i, j)| of_item[i] != of_item[j])
        .map(|(i, j)| Pass {
            peaks: (of_item[i].min(of_item[j]), of_item[i].max(of_item[j])),
            saddle: log_density[i].min(log_density[j]),
        })
        .collect();
    found.sort_unstable_by(|a, b| a.peaks.cmp(&b.peaks).then(b.saddle.total_cmp(&a.saddle)));
    found.dedup_by_key(|pass| pass.peaks);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{observe::Silent, space::Space};
    use ndarray::Array2;

    #[test]
    fn two_discs_that_touch_have_a_pass_lower_than_both_peaks() {
        // Discs of 200 points by sunflower spirals, which are denser in the middle.
        let place = |i: usize, axis: usize| {
            let (radius, angle) = ((i % 200) as f64 / 200.0, (i % 200) as f64 * 2.399_963_229_728_653);
            if axis == 0 { 1.7 * (i / 200) as f64 + radius * angle.cos() } else { radius * angle.sin() }
        };
        let positions = Array2::from_shape_fn((400, 2), |(i, axis)| place(i, axis));
        let peaks = Peaks::of(&Map::new(positions.view(), Space::Plane).unwrap(), &mut Silent).unwrap();
        let (left, right) = (peaks.of_item[0], peaks.of_item[200]);
        assert_ne!(left, right);
        let height = |peak: u32| {
            let items = (0..400).filter(|&i| peaks.of_item[i] == peak);
            items.map(|i| peaks.log_density[i]).fold(f64::NEG_INFINITY, f64::max)
        };
        for pass in &peaks.passes {
            assert!(pass.peaks.0 < pass.peaks.1);
            assert!(pass.saddle <= height(pass.peaks.0).min(height(pass.peaks.1)), "{pass:?}");
        }
        assert!(peaks.passes.iter().all(|pass| pass.saddle < height(left) - 1.0 || pass.peaks != (left, right)));
    }

    #[test]
    fn items_at_one_position_have_a_finite_density() {
        let positions = Array2::from_shape_fn((40, 2), |(i, _)| if i < 20 { 0.0 } else { i as f64 });
        let map = Map::new(positions.view(), Space::Plane).unwrap();
        let peaks = Peaks::of(&map, &mut Silent).unwrap();
        assert!(peaks.log_density.iter().all(|height| height.is_finite()));
        assert!(peaks.passes.iter().all(|pass| pass.saddle.is_finite()));
    }
}
