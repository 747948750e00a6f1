//! Joins peaks of a map to regions, step by step: Ward's method with heights as weights.
//!
//! Each step joins the two touching regions A and B that lose least by it: w(A) w(B) / (w(A) + w(B)) · |m(A) − m(B)|², where
//! m is the mean position of a region and w its excess above the saddle between the two, Σ max(0, log density − saddle). A deep
//! valley keeps two regions apart, and so does a long way: with heights alone, regions would reach around others.

use super::peaks::Peaks;
use crate::{error::Error, neighbors::nearest_in_space, observe::Silent, quality::Map};
use std::{
    cmp::{Ordering, Reverse},
    collections::{BTreeMap, BinaryHeap},
};

/// Regions that only the sea separates are compared with so many of the nearest others.
const ACROSS_THE_SEA: usize = 6;

/// Which regions are joined, in this order: the second into the first. Regions are known by one of their peaks; at the end there is
/// one.
pub(super) fn joins(map: &Map, peaks: &Peaks) -> Result<Vec<(u32, u32)>, Error> {
    let mut regions = Regions::of(map, peaks);
    let mut joins = Vec::with_capacity(peaks.count.saturating_sub(1));
    // What no neighbours connect has no saddle: the sea is as high as the loneliest item.
    let sea = peaks.log_density.iter().copied().fold(f64::INFINITY, f64::min);
    while joins.len() + 1 < peaks.count {
        regions.bridge(sea)?;
        regions.join_all(&mut joins);
    }
    Ok(joins)
}

struct Regions {
    /// None for those that have been joined into another one.
    parts: Vec<Option<Region>>,
    /// How often a region has changed: older steps no longer count.
    changes: Vec<u32>,
    steps: BinaryHeap<Reverse<Step>>,
}

struct Region {
    size: f64,
    /// The sum of the positions of its items.
    sum: [f64; 3],
    heights: Heights,
    /// The regions that it touches, with the saddles.
    touching: BTreeMap<u32, f64>,
}

/// The heights of the items of a region, in sorted runs, each more than twice as long as the next.
#[derive(Default)]
struct Heights {
    runs: Vec<Run>,
}

struct Run {
    /// Highest first.
    heights: Vec<f64>,
    /// The sum of those before each.
    sums: Vec<f64>,
}

/// A possible join, by what is lost.
#[derive(PartialEq)]
struct Step {
    loss: f64,
    of: (u32, u32),
    changes: (u32, u32),
}

impl Regions {
    fn of(map: &Map, peaks: &Peaks) -> Self {
        let mut items: Vec<(Vec<f64>, [f64; 3])> = (0..peaks.count).map(|_| (Vec::new(), [0.0; 3])).collect();
        for ((&peak, &height), point) in peaks.of_item.iter().zip(&peaks.log_density).zip(map.points()) {
            let (heights, sum) = &mut items[peak as usize];
            heights.push(height);
            (0..3).for_each(|axis| sum[axis] += point[axis]);
        }
        let region = |(mut heights, sum): (Vec<f64>, [f64; 3])| {
            heights.sort_unstable_by(|a, b| b.total_cmp(a));
            let size = heights.len() as f64;
            Some(Region { size, sum, heights: Heights { runs: vec![Run::of(heights)] }, touching: BTreeMap::new() })
        };
        let parts = items.into_iter().map(region).collect();
        let mut all = Self { parts, changes: vec![0; peaks.count], steps: BinaryHeap::new() };
        for pass in &peaks.passes {
            all.touch(pass.peaks.0, pass.peaks.1, pass.saddle);
        }
        all
    }

    fn get(&self, number: u32) -> Option<&Region> {
        self.parts[number as usize].as_ref()
    }

    /// The regions touch each other at this height, if they do not at a higher one.
    fn touch(&mut self, a: u32, b: u32, saddle: f64) {
        for (from, to) in [(a, b), (b, a)] {
            if let Some(region) = &mut self.parts[from as usize] {
                let known = region.touching.entry(to).or_insert(saddle);
                *known = known.max(saddle);
            }
        }
    }

    /// Every region touches the nearest ones across the sea.
    fn bridge(&mut self, sea: f64) -> Result<(), Error> {
        let left: Vec<u32> = (0..self.parts.len() as u32).filter(|&a| self.get(a).is_some()).collect();
        let means: Vec<[f64; 3]> = left.iter().filter_map(|&a| self.get(a)).map(Region::mean).collect();
        let nearest = nearest_in_space(&means, ACROSS_THE_SEA.min(left.len() - 1), &mut Silent)?;
        for (place, &a) in left.iter().enumerate() {
            for &other in nearest.row(place).0 {
                self.touch(a, left[other as usize], sea);
            }
        }
        for &a in &left {
            self.consider(a, |b| a < b);
        }
        Ok(())
    }

    /// Considers to join a region with those that it touches.
    fn consider(&mut self, a: u32, with: impl Fn(u32) -> bool) {
        let Some(region) = self.get(a) else { return };
        let others = region.touching.iter().filter(|&(&b, _)| with(b));
        let steps: Vec<Step> = others
            .filter_map(|(&b, &saddle)| {
                let (of, other) = ((a.min(b), a.max(b)), self.get(b)?);
                let changes = (self.changes[of.0 as usize], self.changes[of.1 as usize]);
                // The smaller number first, so that rounding does not depend on who asks.
                let (first, second) = if a < b { (region, other) } else { (other, region) };
                Some(Step { loss: loss(first, second, saddle), of, changes })
            })
            .collect();
        self.steps.extend(steps.into_iter().map(Reverse));
    }

    fn join_all(&mut self, joins: &mut Vec<(u32, u32)>) {
        while let Some(Reverse(step)) = self.steps.pop() {
            let (a, b) = step.of;
            if step.changes != (self.changes[a as usize], self.changes[b as usize]) {
                continue;
            }
            let larger = |a: &Region, b: &Region| a.size >= b.size;
            let a_stays = self.get(a).zip(self.get(b)).is_some_and(|(a, b)| larger(a, b));
            let (stays, goes) = if a_stays { (a, b) } else { (b, a) };
            self.join(stays, goes);
            joins.push((stays, goes));
        }
    }

    fn join(&mut self, stays: u32, goes: u32) {
        let Some(joined) = self.parts[goes as usize].take() else { return };
        self.changes[goes as usize] += 1;
        self.changes[stays as usize] += 1;
        for (other, saddle) in joined.touching {
            if let Some(other) = &mut self.parts[other as usize] {
                other.touching.remove(&goes);
            }
            if other != stays {
                self.touch(stays, other, saddle);
            }
        }
        if let Some(region) = &mut self.parts[stays as usize] {
            region.size += joined.size;
            (0..3).for_each(|axis| region.sum[axis] += joined.sum[axis]);
            region.heights.add(joined.heights);
        }
        self.consider(stays, |_| true);
    }
}

impl Region {
    fn mean(&self) -> [f64; 3] {
        self.sum.map(|sum| sum / self.size)
    }
}

fn loss(a: &Region, b: &Region, saddle: f64) -> f64 {
    let (above_a, above_b) = (a.heights.above(saddle), b.heights.above(saddle));
    let (from, to) = (a.mean(), b.mean());
    let distance2: f64 = (0..3).map(|axis| (from[axis] - to[axis]).powi(2)).sum();
    // Two that do not rise above their saddle lose nothing.
    if above_a.min(above_b) > 0.0 { above_a * above_b / (above_a + above_b) * distance2 } else { 0.0 }
}

impl Heights {
    /// Σ max(0, height − saddle).
    fn above(&self, saddle: f64) -> f64 {
        self.runs.iter().map(|run| run.above(saddle)).sum()
    }

    /// Few runs are as fast to ask as one, and no item is merged more often than its region doubles.
    fn add(&mut self, other: Self) {
        self.runs.extend(other.runs);
        self.runs.sort_by_key(|run| Reverse(run.heights.len()));
        let mut sorted: Vec<Run> = Vec::new();
        for mut run in self.runs.drain(..) {
            while let Some(last) = sorted.pop_if(|last| last.heights.len() < 2 * run.heights.len()) {
                run = last.merged(&run);
            }
            sorted.push(run);
        }
        self.runs = sorted;
    }
}

impl Run {
    fn of(heights: Vec<f64>) -> Self {
        let mut sum = 0.0;
        let sums = std::iter::once(0.0)
            .chain(heights.iter().map(|height| {
                sum += height;
                sum
            }))
            .collect();
        Self { heights, sums }
    }

    fn above(&self, saddle: f64) -> f64 {
        let count = self.heights.partition_point(|&height| height > saddle);
        (self.sums[count] - count as f64 * saddle).max(0.0)
    }

    fn merged(self, other: &Self) -> Self {
        let mut all = self.heights;
        all.extend(&other.heights);
        // The sort of the standard library finds the two runs and merges them.
        all.sort_by(|a, b| b.total_cmp(a));
        Self::of(all)
    }
}

impl Eq for Step {}

impl Ord for Step {
    fn cmp(&self, other: &Self) -> Ordering {
        self.loss.total_cmp(&other.loss).then(self.of.cmp(&other.of)).then(self.changes.cmp(&other.changes))
    }
}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{observe::Silent, space::Space};
    use ndarray::Array2;
    use rand::{Rng, RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Groups of different density in the plane; some touch each other, some are islands.
    fn groups(count: usize, rng: &mut impl Rng) -> Map {
        let centres: Vec<[f64; 3]> =
            (0..count).map(|_| [rng.random(), rng.random(), 0.01 + 0.1 * rng.random::<f64>()]).collect();
        let positions = Array2::from_shape_fn((30 * count, 2), |(i, axis)| {
            let [x, y, wide] = centres[i / 30];
            (if axis == 0 { x } else { y }) + wide * (rng.random::<f64>() + rng.random::<f64>() - 1.0)
        });
        Map::new(positions.view(), Space::Plane).unwrap()
    }

    /// The slow twin: every loss is computed from all items, in each step.
    fn slow(map: &Map, peaks: &Peaks) -> Vec<(u32, u32)> {
        let mut items: Vec<Vec<usize>> = vec![Vec::new(); peaks.count];
        peaks.of_item.iter().enumerate().for_each(|(i, &peak)| items[peak as usize].push(i));
        let mut saddles: BTreeMap<(u32, u32), f64> = peaks.passes.iter().map(|p| (p.peaks, p.saddle)).collect();
        let sea = peaks.log_density.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = |of: &[usize]| -> [f64; 3] {
            std::array::from_fn(|axis| of.iter().map(|&i| map.points()[i][axis]).sum::<f64>() / of.len() as f64)
        };
        let apart = |a: &[usize], b: &[usize]| {
            let (from, to) = (mean(a), mean(b));
            (0..3).map(|axis| (from[axis] - to[axis]).powi(2)).sum::<f64>()
        };
        let above =
            |of: &[usize], saddle: f64| of.iter().map(|&i| (peaks.log_density[i] - saddle).max(0.0)).sum::<f64>();
        let mut joins = Vec::new();
        while joins.len() + 1 < peaks.count {
            if saddles.is_empty() || joins.is_empty() {
                let left: Vec<u32> = (0..peaks.count as u32).filter(|&a| !items[a as usize].is_empty()).collect();
                for &a in &left {
                    let mut others: Vec<u32> = left.iter().copied().filter(|&b| b != a).collect();
                    let from = |b: u32| apart(&items[a as usize], &items[b as usize]);
                    others.sort_by(|&b, &c| from(b).total_cmp(&from(c)));
                    for &b in others.iter().take(ACROSS_THE_SEA) {
                        saddles.entry((a.min(b), a.max(b))).or_insert(sea);
                    }
                }
            }
            let loss = |&(a, b): &(u32, u32), saddle: f64| {
                let (a, b) = (&items[a as usize], &items[b as usize]);
                let (above_a, above_b) = (above(a, saddle), above(b, saddle));
                if above_a.min(above_b) > 0.0 { above_a * above_b / (above_a + above_b) * apart(a, b) } else { 0.0 }
            };
            let losses = saddles.iter().map(|(pair, &saddle)| (loss(pair, saddle), *pair));
            let (_, (a, b)) = losses.min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1))).unwrap();
            let a_stays = items[a as usize].len() >= items[b as usize].len();
            let (stays, goes) = if a_stays { (a, b) } else { (b, a) };
            joins.push((stays, goes));
            let moved = std::mem::take(&mut items[goes as usize]);
            items[stays as usize].extend(moved);
            let known: Vec<((u32, u32), f64)> = saddles.iter().map(|(&pair, &saddle)| (pair, saddle)).collect();
            saddles.clear();
            for ((a, b), saddle) in known {
                let (a, b) = (if a == goes { stays } else { a }, if b == goes { stays } else { b });
                if a != b {
                    let pass = saddles.entry((a.min(b), a.max(b))).or_insert(saddle);
                    *pass = pass.max(saddle);
                }
            }
        }
        joins
    }

    #[test]
    fn the_same_regions_are_joined_as_if_all_losses_were_computed_in_each_step() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for count in [1, 2, 3, 8, 20, 40] {
            let map = groups(count, &mut rng);
            let peaks = Peaks::of(&map, &mut Silent).unwrap();
            assert_eq!(joins(&map, &peaks).unwrap(), slow(&map, &peaks), "{count} groups");
        }
    }

    #[test]
    fn small_islands_join_the_near_ones_and_not_one_that_reaches_around_all() {
        // A ring of twelve islands around a larger one. The largest region of four has not collected islands on both sides.
        let place = |i: usize| {
            let (disc, step) = (i / 60, (i % 60) as f64);
            let (far, turn) = if disc == 0 { (0.0, 0.0) } else { (9.0, disc as f64 * std::f64::consts::TAU / 12.0) };
            let (radius, angle) = (step.sqrt() / 8.0, step * 2.399_963_229_728_653);
            [far * turn.cos() + radius * angle.cos(), far * turn.sin() + radius * angle.sin()]
        };
        let positions = Array2::from_shape_fn((13 * 60, 2), |(i, axis)| place(i)[axis]);
        let map = Map::new(positions.view(), Space::Plane).unwrap();
        let clusters = super::super::find_clusters(&map, &mut Silent).unwrap();
        let continents = &clusters.levels()[0];
        for a in 1..13 {
            for b in 1..13_usize {
                let steps = usize::abs_diff(a, b).min(12 - usize::abs_diff(a, b));
                assert!(steps < 5 || continents[60 * a] != continents[60 * b], "{a} and {b}");
            }
        }
    }
}
