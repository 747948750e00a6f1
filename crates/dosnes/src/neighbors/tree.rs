//! Exact search among points of a map, which have at most three coordinates: a k-d tree.
//!
//! On a map most points are in dense groups that are tiny compared with the whole. There |q|² + |r|² − 2q·r, which the search in many
//! dimensions uses, has no digits left, and every pair of a group would have to be compared. The tree compares a point with
//! a few dozen others, whatever the map looks like.

use rayon::prelude::*;

use super::{Neighbors, SearchMethod};
use crate::error::{Error, Parameter};
use crate::observe::{Observer, report};
use std::ops::Range;

/// Points of a leaf, at most.
const LEAF: usize = 12;
/// Points per task.
const CHUNK: usize = 256;
/// Tasks between two reports to the observer. What they find is kept until then.
const BATCH: usize = 128;

/// The `k` nearest of every point, nearest first, ties by index. If more points than needed are at the same distance, it depends on the
/// tree which of them are chosen, not on their indices.
pub(crate) fn nearest_in_space(points: &[[f64; 3]], k: usize, observer: &mut dyn Observer) -> Result<Neighbors, Error> {
    let n = points.len();
    if k == 0 {
        return Err(Error::zero(Parameter::Neighbors));
    }
    if k >= n {
        return Err(Error::TooManyNeighbors { asked: k, items: n });
    }
    let mut result = Neighbors {
        starts: (0..=n).map(|i| i * k).collect(),
        indices: vec![0; n * k],
        distances: vec![0.0; n * k],
        method: SearchMethod::Exact,
        recall: None,
    };
    visit_nearest(points, k, observer, |i, row| {
        for (slot, found) in (i * k..).zip(row) {
            result.indices[slot] = found.item;
            result.distances[slot] = found.square.sqrt() as f32;
        }
    })?;
    Ok(result)
}

/// Passes the `k` nearest of every point on to `visit`, nearest first, in the order of the tree: lists of all points at once would take
/// much memory. There are more than `k` points, and `k` is not zero.
pub(crate) fn visit_nearest(
    points: &[[f64; 3]],
    k: usize,
    observer: &mut dyn Observer,
    mut visit: impl FnMut(usize, &[Found]),
) -> Result<(), Error> {
    let n = points.len();
    let tree = Tree::new(points);
    report(observer, 0.0)?;
    // Points that are near to each other in the tree visit the same leaves.
    for first in (0..n).step_by(BATCH * CHUNK) {
        let batch = first..(first + BATCH * CHUNK).min(n);
        let tasks: Vec<usize> = batch.clone().step_by(CHUNK).collect();
        let of_task = |&first: &usize| tree.nearest_of(first..(first + CHUNK).min(n), k);
        let found: Vec<Vec<Found>> = tasks.par_iter().map(of_task).collect();
        let rows = found.iter().flat_map(|found| found.chunks_exact(k));
        for (query, row) in tree.placed[batch.clone()].iter().zip(rows) {
            visit(query.item as usize, row);
        }
        report(observer, batch.end as f64 / n as f64)?;
    }
    Ok(())
}

/// A point and its index.
#[derive(Clone, Copy)]
struct Placed {
    point: [f64; 3],
    item: u32,
}

/// One of the nearest points: the square of its distance, and its index.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    square: f64,
    pub(crate) item: u32,
}

/// Where a node is divided: points with a smaller coordinate are on the left, others on the right.
#[derive(Clone, Copy, Default)]
struct Cut {
    axis: u8,
    at: f64,
}

/// A balanced tree. A node is a range of `placed`, whose middle divides it; node i has the children 2i + 1 and 2i + 2.
struct Tree {
    placed: Vec<Placed>,
    cuts: Vec<Cut>,
}

impl Tree {
    fn new(points: &[[f64; 3]]) -> Self {
        let placed = points.iter().zip(0..).map(|(&point, item)| Placed { point, item }).collect();
        let leaves = points.len().div_ceil(LEAF).next_power_of_two();
        let mut tree = Self { placed, cuts: vec![Cut::default(); leaves] };
        Self::divide(&mut tree.placed, 0, &mut tree.cuts);
        tree
    }

    fn divide(placed: &mut [Placed], node: usize, cuts: &mut [Cut]) {
        if placed.len() <= LEAF {
            return;
        }
        let width = |axis: usize| {
            let values = placed.iter().map(|placed| placed.point[axis]);
            let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
            high - low
        };
        let widths: [f64; 3] = std::array::from_fn(width);
        let axis = (1..3).fold(0, |widest, axis| if widths[axis] > widths[widest] { axis } else { widest });
        let middle = placed.len() / 2;
        let by_coordinate = |a: &Placed, b: &Placed| a.point[axis].total_cmp(&b.point[axis]).then(a.item.cmp(&b.item));
        placed.select_nth_unstable_by(middle, by_coordinate);
        cuts[node] = Cut { axis: axis as u8, at: placed[middle].point[axis] };
        let (left, right) = placed.split_at_mut(middle);
        Self::divide(left, 2 * node + 1, cuts);
        Self::divide(right, 2 * node + 2, cuts);
    }

    /// The `k` nearest of each point at these places of the tree, one after the other.
    fn nearest_of(&self, places: Range<usize>, k: usize) -> Vec<Found> {
        let mut all = Vec::with_capacity(places.len() * k);
        let mut nearest = Vec::with_capacity(k + 1);
        for place in places {
            nearest.clear();
            let mut search = Search { place, query: self.placed[place], k, nearest: &mut nearest };
            self.visit(&mut search, 0..self.placed.len(), 0, [0.0; 3]);
            all.extend_from_slice(&nearest);
        }
        all
    }

    /// Offers the points of a node to a search. `outside`: how far the query is outside of the node, along each axis.
    fn visit(&self, search: &mut Search<'_>, range: Range<usize>, node: usize, outside: [f64; 3]) {
        if range.len() <= LEAF {
            self.placed[range].iter().for_each(|placed| search.offer(placed));
            return;
        }
        let middle = range.start + range.len() / 2;
        let left = (range.start..middle, 2 * node + 1);
        let right = (middle..range.end, 2 * node + 2);
        // Before the query's own place is reached, the nearer side is the one that has it: with many points at one position,
        // each begins among others.
        let Cut { axis, at } = self.cuts[node];
        let axis = usize::from(axis);
        let beyond = search.query.point[axis] - at;
        let is_left = if range.contains(&search.place) { search.place < middle } else { beyond < 0.0 };
        let (near, far) = if is_left { (left, right) } else { (right, left) };
        self.visit(search, near.0, near.1, outside);
        let mut outside = outside;
        outside[axis] = beyond.abs();
        if search.wants(square(&outside)) {
            self.visit(search, far.0, far.1, outside);
        }
    }
}

/// The nearest points of one query so far.
struct Search<'a> {
    /// The place of the query in the tree.
    place: usize,
    query: Placed,
    k: usize,
    /// Nearest first, ties by index.
    nearest: &'a mut Vec<Found>,
}

impl Search<'_> {
    /// Whether a point at this distance would be among the nearest. Of points at the same distance, those that came first stay: many
    /// points at one position are not all visited.
    fn wants(&self, square: f64) -> bool {
        self.nearest.len() < self.k || self.nearest.last().is_some_and(|last| square < last.square)
    }

    #[inline]
    fn offer(&mut self, placed: &Placed) {
        let difference = std::array::from_fn(|axis| placed.point[axis] - self.query.point[axis]);
        let found = Found { square: square(&difference), item: placed.item };
        if placed.item == self.query.item || !self.wants(found.square) {
            return;
        }
        let comes_before = |other: &Found| (other.square, other.item) <= (found.square, found.item);
        let at = self.nearest.partition_point(comes_before);
        self.nearest.insert(at, found);
        self.nearest.truncate(self.k);
    }
}

fn square(v: &[f64; 3]) -> f64 {
    v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use proptest::prelude::*;

    /// The distances of the nearest points of each, by sorting all.
    fn naive(points: &[[f64; 3]], k: usize) -> Vec<Vec<f32>> {
        let of_point = |i: usize| {
            let others = points.iter().enumerate().filter(|&(j, _)| j != i);
            let mut squares: Vec<f64> =
                others.map(|(_, p)| square(&std::array::from_fn(|axis| p[axis] - points[i][axis]))).collect();
            squares.sort_by(f64::total_cmp);
            squares[..k].iter().map(|square| square.sqrt() as f32).collect()
        };
        (0..points.len()).map(of_point).collect()
    }

    fn check(points: &[[f64; 3]], k: usize) {
        let found = nearest_in_space(points, k, &mut Silent).unwrap();
        for (i, expected) in naive(points, k).iter().enumerate() {
            let (indices, distances) = found.row(i);
            assert_eq!(distances, expected, "{i}");
            let mut distinct: Vec<u32> = indices.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            assert!(distinct.len() == k && !distinct.contains(&(i as u32)), "{i}: {indices:?}");
            for (&j, &distance) in indices.iter().zip(distances) {
                let away = square(&std::array::from_fn(|axis| points[j as usize][axis] - points[i][axis])).sqrt();
                assert_eq!(away as f32, distance, "{i} {j}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_tree_finds_what_sorting_finds(
            // Few different numbers, so that many points are at the same distance, or at the same position.
            points in prop::collection::vec([-3_i32..4, -3_i32..4, -1_i32..2], 2..200),
            scale in 1e-3_f64..1e3,
            k in 1_usize..30,
        ) {
            let points: Vec<[f64; 3]> = points.iter().map(|p| p.map(|v| scale * f64::from(v))).collect();
            check(&points, k.min(points.len() - 1));
        }

        #[test]
        fn also_in_dense_groups_that_are_far_apart(seeds in prop::collection::vec(any::<u64>(), 2..300), k in 1_usize..20) {
            let place = |seed: u64, axis: u64| {
                let bits = crate::random::mix(seed ^ axis);
                700.0 * ((bits % 5) as f64) + 1e-6 * (bits >> 40) as f64 / 1e6
            };
            let points: Vec<[f64; 3]> = seeds.iter().map(|&seed| [place(seed, 0), place(seed, 1), place(seed, 2)]).collect();
            check(&points, k.min(points.len() - 1));
        }
    }

    #[test]
    fn many_points_at_one_position_are_not_all_compared() {
        // All pairs of a million would take hours.
        let found = nearest_in_space(&vec![[1.0, 2.0, 3.0]; 1_000_000], 5, &mut Silent).unwrap();
        assert!((0..found.len()).all(|i| found.row(i).1 == [0.0; 5]));
        // Nobody is everybody's neighbour.
        let mut chosen = vec![0_u32; found.len()];
        for i in 0..found.len() {
            found.row(i).0.iter().for_each(|&j| chosen[j as usize] += 1);
        }
        assert!(chosen.iter().all(|&count| count <= LEAF as u32), "{:?}", chosen.iter().max());
    }

    #[test]
    fn the_result_is_the_same_on_any_number_of_threads() {
        let points: Vec<[f64; 3]> =
            (0..5000).map(|i| std::array::from_fn(|axis| (f64::from(i) * (axis as f64 + 0.7)).sin())).collect();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| nearest_in_space(&points, 15, &mut Silent).unwrap())
        };
        assert_eq!(run(1), run(3));
    }
}
