//! The tree itself: nodes in depth-first order over the points in Morton order.

use rayon::prelude::*;

/// A cell that holds at least one point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<const D: usize> {
    /// Centre of mass.
    pub(super) centre: [f64; D],
    /// Longest side of the smallest box around its points.
    pub(super) size: f64,
    /// Its points: `start..end` in Morton order.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The node that follows its descendants.
    pub(super) next: u32,
}

impl<const D: usize> Node<D> {
    pub(super) fn count(&self) -> usize {
        (self.end - self.start) as usize
    }
}

/// Points in Morton order, and the cells over them. A walk goes through `nodes` from the front, on to the following node
/// to open a cell, or to its `next` to pass over it.
#[derive(Debug, Default)]
pub(super) struct Cells<const D: usize> {
    /// Depth first, children in Morton order.
    pub(super) nodes: Vec<Node<D>>,
    /// Where each point comes from.
    pub(super) order: Vec<u32>,
    /// The points.
    pub(super) points: Vec<[f64; D]>,
    keys: Vec<(u64, u32)>,
}

/// A cell with no more points than these is not divided.
pub(super) const LEAF: usize = 8;

impl<const D: usize> Cells<D> {
    /// Bits of a Morton code that one axis has.
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

    /// Adds the node of the points `start..end`, whose codes agree above the lowest `level` digits, and all below it.
    /// Returns the box around its points.
    fn divide(&mut self, start: usize, end: usize, level: u32) -> ([f64; D], [f64; D]) {
        let here = self.nodes.len();
        self.nodes.push(Node { centre: [0.0; D], size: 0.0, start: start as u32, end: end as u32, next: 0 });
        // Levels on which all points are in one cell are passed over.
        let differing = 64 - (self.keys[start].0 ^ self.keys[end - 1].0).leading_zeros();
        let level = level.min(differing.div_ceil(D as u32));
        let (low, high, centre);
        if end - start <= LEAF || level == 0 {
            let points = &self.points[start..end];
            (low, high) = bounds(points);
            centre = std::array::from_fn(|k| points.iter().map(|p| p[k]).sum::<f64>() / points.len() as f64);
        } else {
            let shift = (level - 1) * D as u32;
            let (mut box_low, mut box_high, mut sum) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D], [0.0; D]);
            let mut from = start;
            while from < end {
                let digits = self.keys[from].0 >> shift;
                let to = from + self.keys[from..end].partition_point(|key| key.0 >> shift == digits);
                let child = self.nodes.len();
                let (child_low, child_high) = self.divide(from, to, level - 1);
                let mass = (to - from) as f64;
                for k in 0..D {
                    box_low[k] = box_low[k].min(child_low[k]);
                    box_high[k] = box_high[k].max(child_high[k]);
                    sum[k] += mass * self.nodes[child].centre[k];
                }
                from = to;
            }
            (low, high) = (box_low, box_high);
            centre = sum.map(|v| v / (end - start) as f64);
        }
        let next = self.nodes.len() as u32;
        let node = &mut self.nodes[here];
        node.centre = centre;
        node.size = (0..D).map(|k| high[k] - low[k]).fold(0.0, f64::max);
        node.next = next;
        (low, high)
    }

    /// Whether a node has no children.
    pub(super) fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].next as usize == node + 1
    }
}

/// The smallest box around points.
pub(super) fn bounds<const D: usize>(points: &[[f64; D]]) -> ([f64; D], [f64; D]) {
    points.iter().fold(([f64::INFINITY; D], [f64::NEG_INFINITY; D]), |(low, high), p| {
        (std::array::from_fn(|k| low[k].min(p[k])), std::array::from_fn(|k| high[k].max(p[k])))
    })
}

/// The lowest 63/D bits of `v`, D places apart.
fn spread<const D: usize>(v: u64) -> u64 {
    // Each step halves the groups of neighbouring bits: (shift, mask of the bits that are kept).
    let steps: &[(u32, u64)] = if D == 2 {
        &[
            (16, 0x0000_ffff_0000_ffff),
            (8, 0x00ff_00ff_00ff_00ff),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ]
    } else {
        &[
            (32, 0x001f_0000_0000_ffff),
            (16, 0x001f_0000_ff00_00ff),
            (8, 0x100f_00f0_0f00_f00f),
            (4, 0x10c3_0c30_c30c_30c3),
            (2, 0x1249_2492_4924_9249),
        ]
    };
    steps.iter().fold(v, |v, &(shift, mask)| (v | v << shift) & mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread_apart() {
        for bit in 0..31 {
            assert_eq!(spread::<2>(1 << bit), 1 << (2 * bit));
        }
        for bit in 0..21 {
            assert_eq!(spread::<3>(1 << bit), 1 << (3 * bit));
        }
        assert_eq!(spread::<3>(0b1011), 0b001_000_001_001);
    }

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
