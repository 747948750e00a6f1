//! Peaks of the density on a map, and the saddles between them.

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
    /// One fewer than there are peaks: together they join all of them.
    pub(super) splits: Vec<Split>,
    /// The logarithm of the density at each item, but for a constant.
    pub(super) log_density: Vec<f64>,
}

/// Two peaks that are separated by a saddle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Split {
    pub(super) lower: u32,
    pub(super) higher: u32,
    /// Σ log(density / density of the saddle) over the items above the saddle, on the side where it is smaller.
    pub(super) excess: f64,
}

impl Peaks {
    /// The peaks of a map.
    pub(super) fn of(map: &Map, observer: &mut dyn Observer) -> Result<Self, Error> {
        let neighbors = nearest_in_space(map.points(), NEIGHBORS.min(map.len() - 1), observer)?;
        let log_density = log_densities(&neighbors);
        let uphill = Uphill::of(&neighbors, &log_density);
        Ok(Self::from_density(map.points(), log_density, &uphill))
    }

    fn from_density(points: &[[f64; 3]], log_density: Vec<f64>, uphill: &Uphill) -> Self {
        let mut land = Land::new(log_density.len());
        let mut of_item = vec![0; log_density.len()];
        let mut tops: Vec<u32> = Vec::new();
        let mut splits = Vec::new();
        for &i in &uphill.order {
            let higher = uphill.row(i);
            match higher.first() {
                None => {
                    of_item[i as usize] = tops.len() as u32;
                    tops.push(i);
                }
                Some(&highest) => of_item[i as usize] = of_item[highest as usize],
            }
            land.rise(i, log_density[i as usize]);
            for &j in higher {
                splits.extend(land.join(i, j, log_density[i as usize], uphill));
            }
        }
        // Islands: what lies between them has at most the density of the loneliest item.
        let sea = log_density.iter().copied().fold(f64::INFINITY, f64::min);
        let islands = Islands::of(points, &mut land);
        for (smaller, larger) in islands.bridges() {
            splits.extend(land.join(smaller, larger, sea, uphill));
        }
        let split = |(lower, higher, excess): (u32, u32, f64)| Split {
            lower: of_item[lower as usize],
            higher: of_item[higher as usize],
            excess,
        };
        let splits = splits.into_iter().map(split).collect();
        Self { count: tops.len(), splits, of_item, log_density }
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

/// For each item, its neighbours in either direction that are denser, densest first.
struct Uphill {
    /// The items, densest first, ties by index.
    order: Vec<u32>,
    rank: Vec<u32>,
    starts: Vec<usize>,
    higher: Vec<u32>,
}

impl Uphill {
    fn of(neighbors: &Neighbors, log_density: &[f64]) -> Self {
        let n = neighbors.len();
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_unstable_by(|&a, &b| log_density[b as usize].total_cmp(&log_density[a as usize]).then(a.cmp(&b)));
        let mut rank = vec![0; n];
        for (place, &i) in order.iter().enumerate() {
            rank[i as usize] = place as u32;
        }
        let pairs = || {
            (0..n as u32)
                .flat_map(|i| neighbors.row(i as usize).0.iter().map(move |&j| (i, j)))
                .map(|(i, j)| if rank[i as usize] < rank[j as usize] { (j, i) } else { (i, j) })
        };
        let mut starts = vec![0; n + 1];
        for (i, _) in pairs() {
            starts[i as usize + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut higher = vec![0; starts[n]];
        for (i, j) in pairs() {
            higher[next[i as usize]] = j;
            next[i as usize] += 1;
        }
        for i in 0..n {
            higher[starts[i]..starts[i + 1]].sort_unstable_by_key(|&j| rank[j as usize]);
        }
        Self { order, rank, starts, higher }
    }

    fn row(&self, i: u32) -> &[u32] {
        &self.higher[self.starts[i as usize]..self.starts[i as usize + 1]]
    }
}

/// The land above the sea, which falls: connected parts, each known by its highest item.
struct Land {
    parent: Vec<u32>,
    /// Of each part's highest item: how many items it has, and the sum of their log densities.
    size: Vec<u32>,
    sum: Vec<f64>,
}

impl Land {
    fn new(n: usize) -> Self {
        Self { parent: (0..n as u32).collect(), size: vec![0; n], sum: vec![0.0; n] }
    }

    fn rise(&mut self, i: u32, log_density: f64) {
        self.size[i as usize] = 1;
        self.sum[i as usize] = log_density;
    }

    fn top(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            self.parent[i as usize] = self.parent[self.parent[i as usize] as usize];
            i = self.parent[i as usize];
        }
        i
    }

    fn excess(&self, top: u32, saddle: f64) -> f64 {
        self.sum[top as usize] - f64::from(self.size[top as usize]) * saddle
    }

    /// Joins the parts of two items at a saddle; returns the two tops and the smaller excess, if they were separate and
    /// both had a peak.
    fn join(&mut self, i: u32, j: u32, saddle: f64, uphill: &Uphill) -> Option<(u32, u32, f64)> {
        let (a, b) = (self.top(i), self.top(j));
        if a == b {
            return None;
        }
        let a_is_higher = uphill.rank[a as usize] < uphill.rank[b as usize];
        let (lower, higher) = if a_is_higher { (b, a) } else { (a, b) };
        // An item that has just risen and has denser neighbours is no peak.
        let is_peak = uphill.row(lower).is_empty();
        let excess = self.excess(lower, saddle).min(self.excess(higher, saddle));
        self.parent[lower as usize] = higher;
        self.size[higher as usize] += self.size[lower as usize];
        self.sum[higher as usize] += self.sum[lower as usize];
        is_peak.then_some((lower, higher, excess))
    }
}

/// Parts of the map that no neighbours connect.
struct Islands {
    /// Largest first, ties by their tops: the top, and the mean position.
    islands: Vec<(u32, [f64; 3])>,
}

impl Islands {
    fn of(points: &[[f64; 3]], land: &mut Land) -> Self {
        let n = points.len();
        let mut sums = vec![[0.0; 3]; n];
        for (i, point) in points.iter().enumerate() {
            let top = land.top(i as u32) as usize;
            for axis in 0..3 {
                sums[top][axis] += point[axis];
            }
        }
        let mut tops: Vec<u32> = (0..n as u32).filter(|&i| land.parent[i as usize] == i).collect();
        tops.sort_by_key(|&top| (std::cmp::Reverse(land.size[top as usize]), top));
        let mean = |top: u32| sums[top as usize].map(|sum| sum / f64::from(land.size[top as usize]));
        Self { islands: tops.iter().map(|&top| (top, mean(top))).collect() }
    }

    /// The smallest island first: each with the nearest of the larger ones.
    fn bridges(&self) -> Vec<(u32, u32)> {
        let apart = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>();
        let nearest = |(place, (top, mean)): (usize, &(u32, [f64; 3]))| {
            let larger = self.islands[..place].iter();
            let best = larger.min_by(|a, b| apart(&a.1, mean).total_cmp(&apart(&b.1, mean)));
            best.map(|&(other, _)| (*top, other))
        };
        self.islands.iter().enumerate().rev().filter_map(nearest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::space::Space;
    use ndarray::Array2;

    /// Discs of points around centres, by sunflower spirals: denser in the middle.
    fn discs(centres: &[[f64; 2]], each: usize) -> Map {
        let place = |i: usize, axis: usize| {
            let (disc, step) = (i / each, (i % each) as f64);
            let (radius, angle) = (step / each as f64, step * 2.399_963_229_728_653);
            centres[disc][axis] + radius * if axis == 0 { angle.cos() } else { angle.sin() }
        };
        let positions = Array2::from_shape_fn((centres.len() * each, 2), |(i, axis)| place(i, axis));
        Map::new(positions.view(), Space::Plane).unwrap()
    }

    #[test]
    fn every_disc_has_its_peak_and_islands_are_bridged() {
        let map = discs(&[[0.0, 0.0], [1.6, 0.0], [9.0, 0.0]], 200);
        let peaks = Peaks::of(&map, &mut Silent).unwrap();
        assert_eq!(peaks.splits.len() + 1, peaks.count);
        let mut splits = peaks.splits.clone();
        splits.sort_by(|a, b| b.excess.total_cmp(&a.excess));
        // The island first, then the two discs that touch; everything else is far smaller.
        assert!(splits[1].excess > 5.0 * splits.get(2).map_or(0.0, |split| split.excess), "{splits:?}");
    }

    #[test]
    fn items_at_one_position_have_a_finite_density() {
        let positions = Array2::from_shape_fn((40, 2), |(i, _)| if i < 20 { 0.0 } else { i as f64 });
        let map = Map::new(positions.view(), Space::Plane).unwrap();
        let peaks = Peaks::of(&map, &mut Silent).unwrap();
        assert!(peaks.splits.iter().all(|split| split.excess.is_finite()));
    }
}
