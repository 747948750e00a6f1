//! Exact duplicates: searched for once, then given neighbours each.
//!
//! Among copies of one point all distances are zero, so the nearest neighbours are a choice. Taking the lowest rows would make
//! hubs of them, and comparing all copies would take time without end. Instead, the distinct points are searched, and their
//! neighbours are spread over the copies: every copy has, and is, a neighbour as often as the others.

use super::{NeighborOptions, Neighbors, SearchMethod, by_distance_then_index, find_neighbors};
use crate::error::Error;
use crate::input::Points;
use crate::observe::Observer;
use crate::random::mix;
use rayon::prelude::*;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Which items are equal.
pub(crate) struct Duplicates {
    /// The items of each distinct point, both in order of appearance.
    groups: Vec<Vec<u32>>,
    /// The group of each item.
    group_of: Vec<u32>,
}

impl Duplicates {
    /// The groups of equal points; `None` if all points are distinct.
    pub(crate) fn of(points: &Points<'_>) -> Option<Self> {
        let n = points.shape().0;
        let hashes: Vec<u64> = (0..n).into_par_iter().map(|i| hash(points, i)).collect();
        let mut first_with: HashMap<u64, Vec<u32>> = HashMap::with_capacity(n);
        let (mut groups, mut group_of): (Vec<Vec<u32>>, Vec<u32>) = (Vec::new(), Vec::with_capacity(n));
        for (i, &hash) in hashes.iter().enumerate() {
            // Different points rarely have the same hash.
            let known = first_with.entry(hash).or_default();
            let group = known.iter().copied().find(|&g| equal(points, groups[g as usize][0] as usize, i));
            let group = group.unwrap_or_else(|| {
                groups.push(Vec::new());
                known.push(groups.len() as u32 - 1);
                groups.len() as u32 - 1
            });
            groups[group as usize].push(i as u32);
            group_of.push(group);
        }
        (groups.len() < n).then_some(Self { groups, group_of })
    }

    /// The neighbours of all items, found among distinct points only. `points` are the ones that were grouped, or the same
    /// items after a reduction.
    pub(crate) fn find_neighbors(
        &self,
        points: &Points<'_>,
        options: &NeighborOptions,
        observer: &mut dyn Observer,
    ) -> Result<Neighbors, Error> {
        let n = self.group_of.len();
        if options.k == 0 || options.k + 1 > n || points.shape().1 == 0 {
            // Reports the mistake in the options.
            return find_neighbors(points, options, observer);
        }
        let first: Vec<usize> = self.groups.iter().map(|group| group[0] as usize).collect();
        let distinct = if first.len() < 2 {
            None
        } else {
            let search = NeighborOptions { k: options.k.min(first.len() - 1), ..*options };
            let found = find_neighbors(&points.select(&first), &search, observer);
            Some(found.map_err(|error| in_rows(error, &first))?)
        };
        let steps = Steps::new(options.k);
        let rows: Vec<Vec<(f32, u32)>> =
            (0..n).into_par_iter().map(|i| self.spread(i, distinct.as_ref(), options.k, &steps)).collect();
        let method = distinct.as_ref().map_or(SearchMethod::Exact, |found| found.method);
        let recall = distinct.and_then(|found| found.recall);
        Ok(Neighbors { recall, ..Neighbors::from_rows(rows.into_iter(), method) })
    }

    /// The neighbours of item i: its own copies, then the copies of the nearest distinct points, k in all. Of a group that
    /// does not fit, the copies are taken at steps from the place of i, which are the same for all items.
    fn spread(&self, i: usize, distinct: Option<&Neighbors>, k: usize, steps: &Steps) -> Vec<(f32, u32)> {
        let own = &self.groups[self.group_of[i] as usize];
        let place = own.binary_search(&(i as u32)).unwrap_or(0);
        let mut row = Vec::with_capacity(k);
        if own.len() - 1 <= k {
            row.extend(own.iter().filter(|&&j| j as usize != i).map(|&j| (0.0, j)));
        } else {
            row.extend(steps.of(own.len() - 1).map(|step| (0.0, own[(place + 1 + step) % own.len()])));
        }
        let (others, distances) = distinct.map_or((&[][..], &[][..]), |d| d.row(self.group_of[i] as usize));
        for (&group, &distance) in others.iter().zip(distances) {
            let members = &self.groups[group as usize];
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
        row
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
