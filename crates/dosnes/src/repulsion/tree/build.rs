//! The tree: nodes in depth-first order over points in Morton order.

use crate::morton::spread;
use rayon::prelude::*;

/// A cell that contains at least one point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<const D: usize> {
    /// Centre of mass.
    pub(super) centre: [f64; D],
    /// Longest side of the bounding box of its points, or, if that is larger, the side of a uniformly filled box with
    /// the same second moment. The second moment is the error of replacing the points by one mass: points at the ends
    /// of a box have a larger one than the box suggests.
    pub(super) size: f64,
    /// Its points: `start..end` in Morton order.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The first node after its descendants.
    pub(super) next: u32,
}

impl<const D: usize> Node<D> {
    pub(super) fn count(&self) -> usize {
        (self.end - self.start) as usize
    }
}

/// Points in Morton order, and the cells over them. A traversal visits `nodes` in order: it goes to the following node
/// to open a cell, or to its `next` to skip its descendants.
#[derive(Debug, Default)]
pub(super) struct Cells<const D: usize> {
    /// Depth first, children in Morton order.
    pub(super) nodes: Vec<Node<D>>,
    /// The original index of each point.
    pub(super) order: Vec<u32>,
    /// The points.
    pub(super) points: Vec<[f64; D]>,
    keys: Vec<(u64, u32)>,
}

/// A cell with at most this many points is not divided.
pub(super) const LEAF: usize = 8;

impl<const D: usize> Cells<D> {
    /// Bits of a Morton code for one axis.
    const BITS: u32 = 63 / D as u32;

    /// Builds the tree over `y`.
    pub(super) fn build(&mut self, y: &[[f64; D]]) {
        let (low, high) = bounds(y);
        let extent = (0..D).map(|k| high[k] - low[k]).fold(0.0, f64::max);
        let side = (1_u64 << Self::BITS) as f64;
        let scale = if extent > 0.0 { side * (1.0 - 1e-12) / extent } else { 0.0 };
        y.par_iter()
            .with_min_len(1024)
            .enumerate()
            .map(|(i, y)| {
                let code = (0..D).fold(0, |code, k| code | spread::<D>(((y[k] - low[k]) * scale) as u64) << k);
                (code, i as u32)
            })
            .collect_into_vec(&mut self.keys);
        self.keys.par_sort_unstable();
        self.order.clear();
        self.order.extend(self.keys.iter().map(|key| key.1));
        self.points.clear();
        self.points.extend(self.order.iter().map(|&i| y[i as usize]));
        self.nodes.clear();
        if !y.is_empty() {
            self.divide(0, y.len(), Self::BITS);
        }
    }

    /// Adds the node of the points `start..end`, whose codes agree above the lowest `level` digits, and all its
    /// descendants. Returns the extent of its points.
    fn divide(&mut self, start: usize, end: usize, level: u32) -> Extent<D> {
        let here = self.nodes.len();
        self.nodes.push(Node { centre: [0.0; D], size: 0.0, start: start as u32, end: end as u32, next: 0 });
        // Levels at which all points are in one cell are skipped.
        let differing = 64 - (self.keys[start].0 ^ self.keys[end - 1].0).leading_zeros();
        let level = level.min(differing.div_ceil(D as u32));
        let extent = if end - start <= LEAF || level == 0 {
            Extent::of(self.points[start..end].iter().map(|&point| Extent::point(point)))
        } else {
            let shift = (level - 1) * D as u32;
            let (mut children, mut count) = ([Extent::point([0.0; D]); 8], 0);
            let mut from = start;
            while from < end {
                let digits = self.keys[from].0 >> shift;
                let to = from + self.keys[from..end].partition_point(|key| key.0 >> shift == digits);
                children[count] = self.divide(from, to, level - 1);
                count += 1;
                from = to;
            }
            Extent::of(children[..count].iter().copied())
        };
        let next = self.nodes.len() as u32;
        let node = &mut self.nodes[here];
        node.centre = extent.centre;
        node.size = extent.size();
        node.next = next;
        extent
    }

    /// Whether a node has no children.
    pub(super) fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].next as usize == node + 1
    }
}

/// The extent of points: their number, bounding box, mean, and sum of squared distances from the mean, by axis.
#[derive(Debug, Clone, Copy)]
struct Extent<const D: usize> {
    mass: f64,
    low: [f64; D],
    high: [f64; D],
    centre: [f64; D],
    spread: [f64; D],
}

impl<const D: usize> Extent<D> {
    fn point(at: [f64; D]) -> Self {
        Self { mass: 1.0, low: at, high: at, centre: at, spread: [0.0; D] }
    }

    /// The extent of all `parts` together.
    fn of(parts: impl Iterator<Item = Self> + Clone) -> Self {
        let mut all = Self {
            mass: 0.0,
            low: [f64::INFINITY; D],
            high: [f64::NEG_INFINITY; D],
            centre: [0.0; D],
            spread: [0.0; D],
        };
        for part in parts.clone() {
            all.mass += part.mass;
            for k in 0..D {
                all.low[k] = all.low[k].min(part.low[k]);
                all.high[k] = all.high[k].max(part.high[k]);
                all.centre[k] += part.mass * part.centre[k];
            }
        }
        all.centre = all.centre.map(|sum| sum / all.mass);
        for part in parts {
            for k in 0..D {
                let from_centre = part.centre[k] - all.centre[k];
                all.spread[k] += part.spread[k] + part.mass * from_centre * from_centre;
            }
        }
        all
    }

    /// See [`Node::size`]: points that fill a box of side s uniformly have the variance s²/12.
    fn size(&self) -> f64 {
        (0..D).map(|k| (self.high[k] - self.low[k]).max((12.0 * self.spread[k] / self.mass).sqrt())).fold(0.0, f64::max)
    }
}

/// The bounding box of points.
pub(super) fn bounds<const D: usize>(points: &[[f64; D]]) -> ([f64; D], [f64; D]) {
    points.iter().fold(([f64::INFINITY; D], [f64::NEG_INFINITY; D]), |(low, high), p| {
        (std::array::from_fn(|k| low[k].min(p[k])), std::array::from_fn(|k| high[k].max(p[k])))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_holds_the_points_of_its_children_and_every_point_is_in_one_leaf() {
        let y: Vec<[f64; 3]> =
            (0..500).map(|i| [f64::from(i % 7), f64::from(i * 37 % 101), f64::from(i / 50) * 0.1]).collect();
        let mut cells = Cells::default();
        cells.build(&y);
        let mut seen = vec![false; y.len()];
        for &i in &cells.order {
            assert!(!std::mem::replace(&mut seen[i as usize], true));
        }
        let mut at = 0;
        for (i, node) in cells.nodes.iter().enumerate() {
            let points = &cells.points[node.start as usize..node.end as usize];
            for k in 0..3 {
                let mean = points.iter().map(|p| p[k]).sum::<f64>() / points.len() as f64;
                assert!((node.centre[k] - mean).abs() < 1e-12);
            }
            if cells.is_leaf(i) {
                assert_eq!(node.start, at);
                at = node.end;
                assert!(node.count() <= LEAF || node.size == 0.0);
            }
        }
        assert_eq!(at as usize, y.len());
    }
}
