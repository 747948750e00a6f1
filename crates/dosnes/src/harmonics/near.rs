//! Sums over pairs: the near field by cells, and the exact sum over all pairs in blocks.

use std::ops::Range;
use std::slice::from_ref;

use rayon::prelude::*;

use crate::harmonics::kernel::Kernel;
use crate::harmonics::order::SortedPoints;
use crate::harmonics::pairs::{PairKernel, PairSum, Positions, sum_pairs};
use crate::harmonics::plan::near_angle;
use crate::harmonics::scratch::Pool;
use crate::harmonics::split::Split;
use crate::ranks::{Plain, Share};
use crate::simd::Real;

/// Targets per task, and the largest size of a group.
pub(crate) const TASK: usize = 256;
/// Width of a group of targets, in bands.
const WIDTH: f64 = 2.0;
/// The smallest group for which the search for sources pays off.
const SHARED: usize = 6;
/// Targets per task of the exact sum.
const BLOCK: usize = 64;
/// Sources that are converted at a time in the exact sum. They fit into the first-level cache.
const SOURCES: usize = 2048;

/// Buffers of the sums over pairs.
#[derive(Debug, Default)]
pub(crate) struct PairWorkspace<T: Real> {
    tasks: Vec<Task>,
    /// For every band and every offset, the half-width in longitude that the reach covers there.
    arcs: Vec<f64>,
    pool: Pool<GroupScratch<T>>,
}

/// The results of a task.
#[derive(Debug, Clone, Copy, Default)]
struct Task {
    /// Σ f d².
    stretch: f64,
    /// Number of pairs.
    pairs: u64,
}

impl Plain for Task {
    const BYTES: usize = 16;

    fn put(self, bytes: &mut [u8]) {
        let (stretch, pairs) = bytes.split_at_mut(8);
        self.stretch.put(stretch);
        self.pairs.put(pairs);
    }

    fn get(bytes: &[u8]) -> Self {
        let (stretch, pairs) = bytes.split_at(8);
        Self { stretch: f64::get(stretch), pairs: u64::get(pairs) }
    }
}

/// Which sum over pairs is wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WantedPairs<'a> {
    /// The radius of the sphere.
    pub(crate) r: f64,
    /// How the kernel is split; `None` for the whole kernel over all pairs.
    pub(crate) split: Option<&'a Split>,
    pub(crate) kernel: Kernel,
    /// The relative error that is allowed.
    pub(crate) tolerance: f64,
}

/// The results of a sum over pairs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairTotals {
    /// Σ f d².
    pub(crate) stretch: f64,
    /// Number of pairs that were computed.
    pub(crate) pairs: u64,
    /// The contribution of each point to its own potential. A kernel that is approximated to a tolerance is not exactly
    /// 1 at distance 0, and if all other points are far away, this error would dominate Z.
    pub(crate) own: f64,
}

#[derive(Debug, Default)]
struct GroupScratch<T> {
    ranges: Vec<Range<usize>>,
    targets: Positions<T>,
    sources: Positions<T>,
}

impl<T: Real> PairWorkspace<T> {
    /// Adds the sums over the near part of a split, or over all pairs if there is no split, to `sums`, which are those of this
    /// rank's own points. Every point counts as its own neighbour.
    pub(crate) fn sum(
        &mut self,
        points: &SortedPoints,
        share: &Share<'_>,
        wanted: &WantedPairs<'_>,
        sums: &mut [PairSum],
    ) -> PairTotals {
        let WantedPairs { r, split, kernel, tolerance } = *wanted;
        let own = if let Some(split) = split {
            let kernel = PairKernel::near(&split.near_series(0.3 * tolerance));
            self.sum_near(points, share.own().start, r, near_angle(split, r), &kernel, sums);
            kernel.own()
        } else {
            let kernel = PairKernel::whole(kernel);
            self.sum_all(points, share.own().start, r, &kernel, sums);
            kernel.own()
        };
        let tasks = share.gather(std::mem::take(&mut self.tasks));
        let stretch = tasks.iter().map(|task| task.stretch).sum();
        let pairs = tasks.iter().map(|task| task.pairs).sum();
        self.tasks = tasks;
        PairTotals { stretch, pairs, own }
    }

    /// The near sums of the points from `own` on.
    fn sum_near(
        &mut self,
        points: &SortedPoints,
        own: usize,
        r: f64,
        reach: f64,
        kernel: &PairKernel<T>,
        sums: &mut [PairSum],
    ) {
        let bands_away = (reach / points.band_height()) as usize + 1;
        self.find_arcs(points, reach, bands_away);
        let (arcs, pool) = (&self.arcs, &self.pool);
        self.tasks.resize(sums.len().div_ceil(TASK), Task::default());
        sums.par_chunks_mut(TASK).zip(&mut self.tasks).enumerate().for_each(|(task, (sums, total))| {
            pool.with(|scratch| {
                *total = Task::default();
                let mut first = own + task * TASK;
                let mut rest = sums;
                while !rest.is_empty() {
                    let group = Group::new(points, first, rest.len());
                    let (sums, after) = rest.split_at_mut(group.count);
                    let origin = points.position(first, r);
                    scratch.ranges.clear();
                    let low_band = group.band.saturating_sub(bands_away);
                    let high_band = (group.band + bands_away).min(points.bands() - 1);
                    for band in low_band..=high_band {
                        let arc = arcs[group.band * (2 * bands_away + 1) + band + bands_away - group.band];
                        let ranges = points.arc_points(band, group.low - arc, group.high + arc);
                        scratch.ranges.extend(ranges.into_iter().filter(|range| !range.is_empty()));
                    }
                    scratch.sources.set(points, &scratch.ranges, r, origin);
                    total.pairs += (scratch.sources.len() * group.count) as u64;
                    scratch.sources.pad();
                    scratch.targets.set(points, from_ref(&(first..first + group.count)), r, origin);
                    total.stretch += sum_pairs(kernel, &scratch.targets, &scratch.sources, sums);
                    first += group.count;
                    rest = after;
                }
            });
        });
    }

    fn sum_all(&mut self, points: &SortedPoints, own: usize, r: f64, kernel: &PairKernel<T>, sums: &mut [PairSum]) {
        let pool = &self.pool;
        self.tasks.resize(sums.len().div_ceil(BLOCK), Task::default());
        sums.par_chunks_mut(BLOCK).zip(&mut self.tasks).enumerate().for_each(|(task, (sums, total))| {
            pool.with(|scratch| {
                let first = own + task * BLOCK;
                let origin = points.position(first, r);
                scratch.targets.set(points, from_ref(&(first..first + sums.len())), r, origin);
                *total = Task { stretch: 0.0, pairs: (points.len() * sums.len()) as u64 };
                for start in (0..points.len()).step_by(SOURCES) {
                    scratch.sources.set(points, from_ref(&(start..(start + SOURCES).min(points.len()))), r, origin);
                    scratch.sources.pad();
                    total.stretch += sum_pairs(kernel, &scratch.targets, &scratch.sources, sums);
                }
            });
        });
    }

    /// Two points at polar angles θ, θ' and longitudes Δφ apart are at the angle δ with sin²(δ/2) = sin²(Δθ/2) + sin θ sin θ'
    /// sin²(Δφ/2); solved for the largest Δφ that two bands allow.
    fn find_arcs(&mut self, points: &SortedPoints, reach: f64, bands_away: usize) {
        let height = points.band_height();
        let smallest_sine = |band: usize| {
            let (top, bottom) = (band as f64 * height, ((band + 1) as f64 * height).min(std::f64::consts::PI));
            top.sin().min(bottom.sin()).max(0.0)
        };
        self.arcs.clear();
        for band in 0..points.bands() {
            for offset in 0..=2 * bands_away {
                let away = offset.abs_diff(bands_away);
                let other = (band + offset).saturating_sub(bands_away).min(points.bands() - 1);
                let apart = away.saturating_sub(1) as f64 * height;
                let left = (0.5 * reach).sin().powi(2) - (0.5 * apart).sin().powi(2);
                let ratio = left.max(0.0) / (smallest_sine(band) * smallest_sine(other));
                // NaN and infinity, at the poles, mean the whole ring.
                let arc = if ratio < 1.0 { 2.0 * ratio.sqrt().asin() } else { std::f64::consts::PI };
                self.arcs.push(arc * (1.0 + 1e-9) + 1e-12);
            }
        }
    }
}

/// Consecutive points of one band that share their sources.
struct Group {
    band: usize,
    count: usize,
    low: f64,
    high: f64,
}

impl Group {
    /// The group that starts with the point `first`, of at most `limit` points.
    fn new(points: &SortedPoints, first: usize, limit: usize) -> Self {
        let band = points.band(points.theta[first]);
        let sine = points.band_sine(band).max(0.5 * points.band_height());
        let limit = limit.min(points.band_points(band..band + 1).end - first);
        // A longer group has more sources for every target. But if points are sparse, the search for sources dominates
        // the cost, and a longer group shares it.
        let width = WIDTH * points.band_height() / sine;
        let mut group = Self { band, count: 1, low: points.phi[first], high: points.phi[first] };
        for i in first + 1..first + limit {
            let phi = points.phi[i];
            let (low, high) = (group.low.min(phi), group.high.max(phi));
            let limit = if group.count < SHARED { 3.0 * width } else { width };
            if high - low > limit {
                break;
            }
            (group.low, group.high) = (low, high);
            group.count += 1;
        }
        group
    }
}
