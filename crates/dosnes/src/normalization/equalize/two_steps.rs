//! Similarity by common neighbours: two steps of the walk.

use super::{Walk, at_most_one, kept_per_row};
use crate::{
    random::mix,
    sparse::{CsrMatrix, keep_strongest},
};
use rayon::prelude::*;

/// An item with more neighbours than this is a hub: each of its neighbours meets only this many of the others there.
const HUB: usize = 256;

/// Which paths between two items count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::normalization) enum PathSum {
    /// All of them. Pairs of leaves of a hub with few leaves are left out.
    All,
    /// All but the strongest one: zero on a tree, where no two items have more than one path of two steps.
    BeyondStrongest,
}

/// (R² + (R²)ᵀ)/2 without diagonal, or what [`PathSum`] leaves of it; with many items, the strongest entries of each row.
pub(in crate::normalization) fn two_steps(walk: &Walk<'_>, paths: PathSum) -> CsrMatrix<'static> {
    let n = walk.len();
    let kept = kept_per_row(n);
    let middle = Middle::new(walk);
    let rows: Vec<(Vec<u32>, Vec<f64>)> = (0..n)
        .into_par_iter()
        .map_init(
            || (vec![0.0_f64; n], vec![0.0_f64; n], Vec::new()),
            |(sums, largest, touched), i| {
                middle.meet(i, |j, path| {
                    if sums[j] == 0.0 {
                        touched.push(j as u32);
                    }
                    sums[j] += path;
                    largest[j] = largest[j].max(path);
                });
                let mut entries: Vec<(u32, f64)> = Vec::with_capacity(touched.len());
                for j in touched.drain(..) {
                    let at = j as usize;
                    let total = match paths {
                        PathSum::All if walk.few_siblings(i, at) => 0.0,
                        PathSum::All => sums[at],
                        // A difference of rounding errors is not a second path.
                        PathSum::BeyondStrongest if sums[at] - largest[at] < 1e-9 * sums[at] => 0.0,
                        PathSum::BeyondStrongest => sums[at] - largest[at],
                    };
                    (sums[at], largest[at]) = (0.0, 0.0);
                    let value = at_most_one(0.5 * total * walk.pair_factor(i, at));
                    if value > 0.0 {
                        entries.push((j, value));
                    }
                }
                keep_strongest(i, &mut entries, kept);
                entries.into_iter().unzip()
            },
        )
        .collect();
    CsrMatrix::from_rows((n, n), rows).united_with_transpose()
}

/// R² with its diagonal; with many items, the strongest entries of each row besides it. "Strongest" is meant in both directions.
pub(super) fn squared(walk: &Walk<'_>, kept: usize) -> CsrMatrix<'static> {
    let n = walk.len();
    let middle = Middle::new(walk);
    let rows: Vec<(Vec<u32>, Vec<f64>)> = (0..n)
        .into_par_iter()
        .map_init(
            || (vec![0.0_f64; n], Vec::new()),
            |(sums, touched), i| {
                middle.meet(i, |j, path| {
                    // A path may be too weak for a number: it must not make its end one that was never touched.
                    if sums[j] == 0.0 && path > 0.0 {
                        touched.push(j as u32);
                    }
                    sums[j] += path;
                });
                let in_both = |&j: &u32| (j, sums[j as usize] * walk.pair_factor(i, j as usize));
                let mut entries: Vec<(u32, f64)> = touched.iter().map(in_both).collect();
                keep_strongest(i, &mut entries, kept);
                let one_way = |j: usize, total: f64| at_most_one(total * walk.preference[j] / walk.normalizer[i]);
                for (j, value) in &mut entries {
                    *value = one_way(*j as usize, sums[*j as usize]);
                }
                entries.push((i as u32, one_way(i, middle.back(i))));
                entries.retain(|entry| entry.1 > 0.0);
                entries.sort_unstable_by_key(|entry| entry.0);
                for j in touched.drain(..) {
                    sums[j as usize] = 0.0;
                }
                entries.into_iter().unzip()
            },
        )
        .collect();
    CsrMatrix::from_rows((n, n), rows)
}

/// S diag(w/Z) S, path by path.
struct Middle<'a> {
    s: &'a CsrMatrix<'a>,
    /// (w/Z)^½: half of the middle item's factor for each end, so that a path has the same value from both.
    roots: Vec<f64>,
    /// The neighbours of each hub on a circle, in the order of a hash; empty for other items.
    circles: Vec<Vec<u32>>,
}

impl<'a> Middle<'a> {
    fn new(walk: &'a Walk<'a>) -> Self {
        let roots = walk.preference.iter().zip(&walk.normalizer).map(|(w, z)| (w / z).sqrt()).collect();
        let circles = (0..walk.len())
            .into_par_iter()
            .map(|v| {
                let row = walk.s.row(v);
                let mut circle = Vec::new();
                if row.len() > HUB {
                    circle = (0..row.len() as u32).collect();
                    circle.sort_by_cached_key(|&at| circle_key(v, row.columns()[at as usize]));
                }
                circle
            })
            .collect();
        Self { s: walk.s, roots, circles }
    }

    /// The paths of two steps from `i` back to it.
    fn back(&self, i: usize) -> f64 {
        self.s.row(i).iter().map(|(v, value)| (value * self.roots[v]).powi(2)).sum()
    }

    /// Calls `visit(j, value)` for the paths of two steps from `i` to another item `j`, ordered by their middle item.
    fn meet(&self, i: usize, mut visit: impl FnMut(usize, f64)) {
        for (v, to_middle) in self.s.row(i).iter() {
            let row = self.s.row(v);
            let values = row.values();
            let first = to_middle * self.roots[v];
            let mut path = |at: usize, factor: f64| {
                let j = row.columns()[at] as usize;
                if j != i {
                    visit(j, first * (values[at] * self.roots[v]) * factor);
                }
            };
            let circle = &self.circles[v];
            let d = row.len();
            if circle.is_empty() {
                (0..d).for_each(|at| path(at, 1.0));
            } else {
                let key = circle_key(v, i as u32);
                let place = circle.partition_point(|&at| circle_key(v, row.columns()[at as usize]) < key);
                // Each meets some of the others, and these stand for all.
                let factor = (d - 1) as f64 / HUB as f64;
                for k in 1..=HUB / 2 {
                    path(circle[(place + k) % d] as usize, factor);
                    path(circle[(place + d - k) % d] as usize, factor);
                }
            }
        }
    }
}

/// The place of item `j` on the circle of hub `v`; different for every item.
fn circle_key(v: usize, j: u32) -> (u64, u32) {
    (mix(mix(u64::from(j)) ^ (v as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)), j)
}

#[cfg(test)]
mod tests {
    use super::{super::FEW_LEAVES, *};

    fn graph(n: usize, edges: &[(u32, u32)]) -> CsrMatrix<'static> {
        let both: Vec<_> = edges.iter().flat_map(|&(i, j)| [(i, j, 1.0), (j, i, 1.0)]).collect();
        CsrMatrix::from_triplets((n, n), &both).unwrap()
    }

    #[test]
    fn a_tree_has_nothing_beyond_the_strongest_path() {
        let edges: Vec<(u32, u32)> = (1..31).map(|i| ((i - 1) / 2, i)).collect();
        let tree = graph(31, &edges);
        assert_eq!(two_steps(&Walk::new(&tree, 0.0), PathSum::BeyondStrongest).nnz(), 0);
        // On a square the two diagonals have two paths each.
        let square = graph(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]);
        assert_eq!(two_steps(&Walk::new(&square, 0.0), PathSum::BeyondStrongest).nnz(), 4);
    }

    #[test]
    fn the_leaves_of_a_hub_are_left_out_if_they_are_few() {
        for (leaves, pairs) in [(FEW_LEAVES, 0), (FEW_LEAVES + 1, FEW_LEAVES * (FEW_LEAVES + 1))] {
            let star: Vec<(u32, u32)> = (1..=leaves as u32).map(|i| (0, i)).collect();
            let star = graph(leaves + 1, &star);
            assert_eq!(two_steps(&Walk::new(&star, 0.0), PathSum::All).nnz(), pairs);
        }
    }

    #[test]
    fn at_a_hub_each_meets_some_and_the_sums_are_right_on_average() {
        // More than 2,000 items, so that rows are cut; a ring besides the hub, so that nobody is a leaf.
        let n = 2500;
        let edges: Vec<(u32, u32)> = (1..n as u32).map(|i| (0, i)).chain((2..n as u32).map(|i| (i - 1, i))).collect();
        let wheel = graph(n, &edges);
        let walk = Walk::new(&wheel, 0.0);
        let middle = Middle::new(&walk);
        let exact: f64 = walk
            .steps_from(7)
            .map(|(v, p)| p * walk.steps_from(v).filter(|s| s.0 != 7).map(|s| s.1).sum::<f64>())
            .sum();
        // One direction of R²: each path is f-weighted by 1/Z_i.
        let mut sampled = 0.0;
        middle.meet(7, |_, path| sampled += path / walk.normalizer[7]);
        assert!((sampled / exact - 1.0).abs() < 1e-12, "{sampled} {exact}");
        let far = two_steps(&walk, PathSum::All);
        assert!(far.row(7).len() >= 30 && far.nnz() < n * 100);
        for (i, j, value) in far.iter() {
            assert_eq!(far.get(j, i), Some(value));
        }
    }
}
