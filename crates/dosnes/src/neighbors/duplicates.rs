//! Exact duplicates: searched for once, then given neighbours each.
//!
//! Among copies of one point all distances are zero, so the nearest neighbours are a choice. Taking the lowest rows would make
//! hubs of them, and comparing all copies would take time without end. Instead, the distinct points are searched, and their
//! neighbours are spread over the copies: every copy has, and is, a neighbour as often as the others.
//!
//! All neighbours of a copy among many are copies with the same weight, of which fewer would do for the perplexity. But a sparse
//! random graph is harder to lay out than a dense one: with 30 mutual neighbours instead of 90, similarities are a sixth of the size,
//! and 20,000 copies of three points take 650 steps instead of 310, and nearly twice the time.

use super::{NeighborOptions, Neighbors, SearchMethod, by_distance_then_index, find_neighbors};
use crate::error::Error;
use crate::input::Points;
use crate::observe::Observer;
use crate::random::mix;
use rayon::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Rows per task.
const BLOCK: usize = 512;

/// Which items are equal.
pub(crate) struct Duplicates {
    /// The items of each distinct point, point after point, both in order of appearance.
    members: Vec<u32>,
    /// Where the items of each distinct point begin, and the number of items.
    starts: Vec<u32>,
    /// The distinct point of each item.
    group_of: Vec<u32>,
}

impl Duplicates {
    /// The groups of equal points; `None` if all points are distinct.
    pub(crate) fn of(points: &Points<'_>) -> Option<Self> {
        let n = points.shape().0;
        let mut hashes: Vec<(u64, u32)> = (0..n).into_par_iter().map(|i| (hash(points, i), i as u32)).collect();
        hashes.par_sort_unstable();
        // Usually all hashes differ, and nothing more is needed.
        if hashes.windows(2).all(|pair| pair[0].0 != pair[1].0) {
            return None;
        }
        Self::of_hashes(n, &hashes, |i, j| equal(points, i as usize, j as usize))
    }

    /// The same from the hash of each item, in order of hash and item. Different points may have the same hash.
    fn of_hashes(n: usize, hashes: &[(u64, u32)], equal: impl Fn(u32, u32) -> bool) -> Option<Self> {
        // The first item that is equal to each item.
        let mut first: Vec<u32> = (0..n as u32).collect();
        let mut distinct = Vec::new();
        for same in hashes.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            distinct.clear();
            for &(_, i) in same {
                match distinct.iter().find(|&&j| equal(j, i)) {
                    Some(&j) => first[i as usize] = j,
                    None => distinct.push(i),
                }
            }
        }
        let (mut group_of, mut starts) = (vec![0_u32; n], Vec::new());
        for i in 0..n {
            group_of[i] = if first[i] as usize == i {
                starts.push(0);
                starts.len() as u32 - 1
            } else {
                group_of[first[i] as usize]
            };
        }
        if starts.len() == n {
            return None;
        }
        starts.push(0);
        for &group in &group_of {
            starts[group as usize + 1] += 1;
        }
        for group in 1..starts.len() {
            starts[group] += starts[group - 1];
        }
        let (mut next, mut members) = (starts.clone(), first);
        for (i, &group) in group_of.iter().enumerate() {
            let place = &mut next[group as usize];
            members[*place as usize] = i as u32;
            *place += 1;
        }
        Some(Self { members, starts, group_of })
    }

    /// Number of distinct points.
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The items that are equal to a distinct point.
    fn group(&self, group: u32) -> &[u32] {
        &self.members[self.starts[group as usize] as usize..self.starts[group as usize + 1] as usize]
    }

    /// The neighbours of all items, found among distinct points only. `points` are the ones that were grouped, or the same
    /// items after a reduction.
    pub(crate) fn find_neighbors(
        &self,
        points: &Points<'_>,
        options: &NeighborOptions,
        observer: &mut dyn Observer,
    ) -> Result<Neighbors, Error> {
        let (n, k) = (self.group_of.len(), options.k);
        if k == 0 || k + 1 > n || points.shape().1 == 0 {
            // Reports the mistake in the options.
            return find_neighbors(points, options, observer);
        }
        let distinct = if self.len() < 2 {
            None
        } else {
            let first: Vec<usize> = (0..self.len() as u32).map(|group| self.group(group)[0] as usize).collect();
            let search = NeighborOptions { k: k.min(first.len() - 1), ..*options };
            let found = find_neighbors(&points.select(&first), &search, observer);
            Some(found.map_err(|error| in_rows(error, &first))?)
        };
        let steps = Steps::new(k);
        let method = distinct.as_ref().map_or(SearchMethod::Exact, |found| found.method);
        let mut all = Neighbors {
            starts: (0..=n).map(|i| i * k).collect(),
            indices: vec![0; n * k],
            distances: vec![0.0; n * k],
            method,
            recall: distinct.as_ref().and_then(|found| found.recall),
        };
        let rows = all.indices.par_chunks_mut(BLOCK * k).zip(all.distances.par_chunks_mut(BLOCK * k));
        rows.enumerate().for_each(|(block, (indices, distances))| {
            let mut row = Vec::with_capacity(k);
            for (of_block, (indices, distances)) in indices.chunks_mut(k).zip(distances.chunks_mut(k)).enumerate() {
                self.spread(block * BLOCK + of_block, distinct.as_ref(), k, &steps, &mut row);
                for (slot, &(distance, j)) in row.iter().enumerate() {
                    (indices[slot], distances[slot]) = (j, distance);
                }
            }
        });
        Ok(all)
    }

    /// The neighbours of item i: its own copies, then the copies of the nearest distinct points, k in all. Of a group that
    /// does not fit, the copies are taken at steps from the place of i, which are the same for all items.
    fn spread(&self, i: usize, distinct: Option<&Neighbors>, k: usize, steps: &Steps, row: &mut Vec<(f32, u32)>) {
        let own = self.group(self.group_of[i]);
        let place = own.binary_search(&(i as u32)).unwrap_or(0);
        row.clear();
        if own.len() - 1 <= k {
            row.extend(own.iter().filter(|&&j| j as usize != i).map(|&j| (0.0, j)));
        } else {
            row.extend(steps.of(own.len() - 1).map(|step| (0.0, own[(place + 1 + step) % own.len()])));
        }
        let (others, distances) = distinct.map_or((&[][..], &[][..]), |d| d.row(self.group_of[i] as usize));
        for (&group, &distance) in others.iter().zip(distances) {
            let members = self.group(group);
            let free = k - row.len();
            if members.len() <= free {
                row.extend(members.iter().map(|&j| (distance, j)));
            } else {
                // The copies of i begin at different members, evenly spread.
                let start = place * members.len() / own.len();
                row.extend((0..free).map(|t| (distance, members[(start + t) % members.len()])));
            }
            if row.len() == k {
                break;
            }
        }
        row.sort_unstable_by(by_distance_then_index);
    }
}

/// The same choice among items that are at distance zero by a given matrix: k of the `zeros`, which are in order.
pub(super) fn choose_equal(zeros: &[u32], i: u32, k: usize) -> Vec<(f32, u32)> {
    let place = zeros.partition_point(|&j| j < i);
    let mut row: Vec<(f32, u32)> =
        Steps::new(k).of(zeros.len()).map(|step| (0.0, zeros[(place + step) % zeros.len()])).collect();
    row.sort_unstable_by(by_distance_then_index);
    row
}

/// Steps from an item to its neighbours among many copies. If they were 1, 2, 3, … the copies would form a ring; random
/// steps connect all of them with each other.
struct Steps(Vec<f64>);

impl Steps {
    fn new(k: usize) -> Self {
        let random = |part: usize| (mix(part as u64) >> 11) as f64 / (1_u64 << 53) as f64;
        // One in each of k equal parts, so that all are distinct.
        Self((0..k).map(|part| (part as f64 + random(part)) / k as f64).collect())
    }

    /// k distinct steps below `most`, which is at least k.
    fn of(&self, most: usize) -> impl Iterator<Item = usize> {
        let k = self.0.len();
        self.0.iter().enumerate().map(move |(part, fraction)| {
            let (low, high) = (part * most / k, (part + 1) * most / k);
            ((fraction * most as f64) as usize).clamp(low, high - 1)
        })
    }
}

fn hash(points: &Points<'_>, i: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    match points {
        // Adding zero makes −0 equal to 0, as it is for distances.
        Points::Dense(x) => x.row(i).iter().for_each(|v| (v + 0.0).to_bits().hash(&mut hasher)),
        Points::Dense64(x) => x.row(i).iter().for_each(|v| (v + 0.0).to_bits().hash(&mut hasher)),
        Points::Rounded(x) => x.row(i).iter().for_each(|&v| (v as f32 + 0.0).to_bits().hash(&mut hasher)),
        Points::Sparse(x) => {
            for (j, v) in x.row(i).iter().filter(|(_, v)| *v != 0.0) {
                j.hash(&mut hasher);
                v.to_bits().hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

fn equal(points: &Points<'_>, i: usize, j: usize) -> bool {
    match points {
        Points::Dense(x) => x.row(i) == x.row(j),
        Points::Dense64(x) => x.row(i) == x.row(j),
        Points::Rounded(x) => x.row(i).iter().zip(x.row(j)).all(|(&a, &b)| a as f32 == b as f32),
        Points::Sparse(x) => {
            let entries = |row: usize| x.row(row).iter().filter(|(_, v)| *v != 0.0);
            entries(i).eq(entries(j))
        }
    }
}

/// The same error, with the row of the item instead of that of the distinct point.
fn in_rows(error: Error, rows: &[usize]) -> Error {
    match error {
        Error::Value { quantity, row, column, value } => Error::Value { quantity, row: rows[row], column, value },
        Error::UndefinedDistance { row, metric, reason } => Error::UndefinedDistance { row: rows[row], metric, reason },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use ndarray::Array2;

    fn copies(n: usize, places: usize) -> Array2<f32> {
        Array2::from_shape_fn((n, 2), |(i, j)| ((i % places) * (j + 1)) as f32)
    }

    fn find(x: &Array2<f32>, k: usize) -> Neighbors {
        let points = Points::from(x);
        let duplicates = Duplicates::of(&points).expect("there are duplicates");
        duplicates.find_neighbors(&points, &NeighborOptions::new(k), &mut Silent).unwrap()
    }

    #[test]
    fn distinct_points_are_no_duplicates() {
        assert!(Duplicates::of(&Points::from(&copies(20, 20))).is_none());
        assert!(Duplicates::of(&Points::from(&copies(20, 19))).is_some());
    }

    #[test]
    fn groups_are_those_of_comparing_all_pairs_even_where_hashes_are_equal() {
        for (n, kinds, hashes) in [(40_u32, 7_u32, 3_u32), (40, 40, 5), (60, 60, 60), (50, 1, 1), (30, 29, 29)] {
            let kind = |i: u32| (i * 11 + i / 7) % kinds;
            let mut of_items: Vec<(u64, u32)> = (0..n).map(|i| (u64::from(kind(i) % hashes), i)).collect();
            of_items.sort_unstable();
            let found = Duplicates::of_hashes(n as usize, &of_items, |i, j| kind(i) == kind(j));
            let mut groups: Vec<Vec<u32>> = Vec::new();
            for i in 0..n {
                match groups.iter_mut().find(|group| kind(group[0]) == kind(i)) {
                    Some(group) => group.push(i),
                    None => groups.push(vec![i]),
                }
            }
            assert_eq!(found.is_some(), groups.len() < n as usize);
            let Some(found) = found else { continue };
            assert_eq!(found.len(), groups.len());
            for (number, group) in groups.iter().enumerate() {
                assert_eq!(found.group(number as u32), group);
                assert!(group.iter().all(|&i| found.group_of[i as usize] as usize == number));
            }
        }
    }

    #[test]
    fn every_copy_is_a_neighbour_as_often_as_the_others() {
        let found = find(&copies(3000, 3), 20);
        let mut popularity = vec![0; 3000];
        for i in 0..3000 {
            let (indices, distances) = found.row(i);
            assert_eq!(indices.len(), 20);
            assert!(distances.iter().all(|&d| d == 0.0) && indices.iter().all(|&j| j as usize % 3 == i % 3));
            assert!(indices.windows(2).all(|pair| pair[0] < pair[1]) && !indices.contains(&(i as u32)));
            for &j in indices {
                popularity[j as usize] += 1;
            }
        }
        assert!(popularity.iter().all(|&count| count == 20));
    }

    #[test]
    fn few_copies_have_the_distances_of_a_search_among_all() {
        let x = copies(60, 13);
        let (points, options) = (Points::from(&x), NeighborOptions::new(17));
        let all = find_neighbors(&points, &options, &mut Silent).unwrap();
        let spread = find(&x, 17);
        for i in 0..60 {
            assert_eq!(spread.row(i).1, all.row(i).1, "row {i}");
        }
    }

    #[test]
    fn copies_of_one_point_have_neighbours_too() {
        let found = find(&Array2::ones((50, 3)), 49);
        assert_eq!(found.row(7).0.len(), 49);
    }

    #[test]
    fn an_undefined_distance_is_reported_with_the_row_of_the_item() {
        let x = ndarray::array![[1.0_f32, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 2.0]];
        let points = Points::from(&x);
        let options = NeighborOptions { metric: super::super::Metric::Cosine, ..NeighborOptions::new(2) };
        let duplicates = Duplicates::of(&points).unwrap();
        let error = duplicates.find_neighbors(&points, &options, &mut Silent).unwrap_err();
        assert!(matches!(error, Error::UndefinedDistance { row: 3, .. }), "{error}");
    }
}
