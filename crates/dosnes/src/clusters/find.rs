//! The hierarchy of clusters.

use super::{merge::joins, peaks::Peaks};
use crate::{error::Error, observe::Observer, quality::Map};

/// At most so many clusters are on each level: continents, countries, cities, and two more for large maps. A reader takes in
/// five things at a glance, and tells fifteen colours or names apart.
pub const LEVELS: [usize; 5] = [5, 15, 45, 135, 405];

/// Clusters have at least so many items on the average.
const ITEMS_PER_CLUSTER: usize = 40;

/// The level that is meant where only one is asked for: countries.
const FLAT: usize = 1;

/// Clusters of a map on several levels.
#[derive(Debug, Clone, PartialEq)]
pub struct Clusters {
    levels: Vec<Vec<u32>>,
    density: Vec<f64>,
}

/// Finds the clusters of a map.
pub fn find_clusters(map: &Map, observer: &mut dyn Observer) -> Result<Clusters, Error> {
    let peaks = Peaks::of(map, observer)?;
    let joins = joins(map, &peaks)?;
    let most = (map.len() / ITEMS_PER_CLUSTER).clamp(1, peaks.count);
    let mut counts: Vec<usize> = Vec::new();
    for count in LEVELS.map(|count| count.min(most)) {
        // A level that divides hardly anything would only repeat the one before it.
        if counts.last().is_none_or(|&before| 2 * count >= 3 * before) {
            counts.push(count);
        }
    }
    let levels = counts.into_iter().map(|count| level(&peaks, &joins, count)).collect();
    Ok(Clusters { levels, density: peaks.log_density })
}

impl Clusters {
    /// The cluster of each item on every level, from continents to cities. Each level divides clusters of the one before it.
    /// Clusters are numbered from 0, the largest first.
    pub fn levels(&self) -> &[Vec<u32>] {
        &self.levels
    }

    /// The logarithm of the density of the map at each item, but for a constant.
    pub fn density(&self) -> &[f64] {
        &self.density
    }

    /// One level, for tests.
    #[cfg(test)]
    pub(super) fn for_test(level: Vec<u32>) -> Self {
        Self { density: vec![0.0; level.len()], levels: vec![level] }
    }

    /// The cluster of each item on the level of countries.
    pub fn flat(&self) -> &[u32] {
        &self.levels[FLAT.min(self.levels.len() - 1)]
    }
}

/// Joins peaks until so many regions are left.
fn level(peaks: &Peaks, joins: &[(u32, u32)], count: usize) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..peaks.count as u32).collect();
    for &(stays, goes) in &joins[..peaks.count - count] {
        parent[goes as usize] = stays;
    }
    let roots: Vec<u32> = (0..peaks.count as u32).map(|peak| root(&parent, peak)).collect();
    let of_item: Vec<u32> = peaks.of_item.iter().map(|&peak| roots[peak as usize]).collect();
    largest_first(&of_item, peaks.count)
}

/// The peak that stands for all that are joined with a peak.
fn root(parent: &[u32], mut peak: u32) -> u32 {
    while parent[peak as usize] != peak {
        peak = parent[peak as usize];
    }
    peak
}

/// Numbers clusters by size, the largest first; of equal ones, the one whose first item comes first.
fn largest_first(of_item: &[u32], count: usize) -> Vec<u32> {
    let mut sizes = vec![0_usize; count];
    let mut first = vec![usize::MAX; count];
    for (i, &cluster) in of_item.iter().enumerate() {
        sizes[cluster as usize] += 1;
        first[cluster as usize] = first[cluster as usize].min(i);
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&cluster| (std::cmp::Reverse(sizes[cluster]), first[cluster]));
    let mut number = vec![0; count];
    for (place, &cluster) in order.iter().enumerate() {
        number[cluster] = place as u32;
    }
    of_item.iter().map(|&cluster| number[cluster as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{observe::Silent, space::Space, sphere::random_direction, sphere::unit};
    use ndarray::Array2;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Groups of 100 items around random directions.
    fn globe(groups: usize) -> Array2<f64> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let centres: Vec<[f64; 3]> = (0..groups).map(|_| random_direction(&mut rng)).collect();
        let mut positions = Array2::zeros((100 * groups, 3));
        for i in 0..100 * groups {
            let step = random_direction(&mut rng);
            let point = unit(&std::array::from_fn(|axis| centres[i / 100][axis] + 0.06 * step[axis]));
            (0..3).for_each(|axis| positions[[i, axis]] = 7.0 * point[axis]);
        }
        positions
    }

    fn found(positions: &Array2<f64>, threads: usize) -> Clusters {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let map = Map::new(positions.view(), Space::Sphere).unwrap();
        pool.install(|| find_clusters(&map, &mut Silent).unwrap())
    }

    #[test]
    fn separate_groups_are_the_clusters() {
        let clusters = found(&globe(15), 2);
        for group in clusters.flat().chunks(100) {
            assert!(group.iter().all(|cluster| *cluster == group[0]), "{group:?}");
        }
        assert_eq!(clusters.flat().iter().max(), Some(&14));
    }

    #[test]
    fn levels_are_nested_and_numbered_by_size() {
        let clusters = found(&globe(23), 2);
        assert_eq!(clusters.levels().len(), 3);
        for pair in clusters.levels().windows(2) {
            let mut outer = vec![None; pair[1].len()];
            for (&inner, &wider) in pair[1].iter().zip(&pair[0]) {
                assert_eq!(*outer[inner as usize].get_or_insert(wider), wider);
            }
        }
        for level in clusters.levels() {
            let mut sizes = vec![0; 1 + *level.iter().max().unwrap() as usize];
            for &cluster in level {
                sizes[cluster as usize] += 1;
            }
            assert!(sizes.is_sorted_by(|a, b| a >= b) && sizes.iter().all(|&size| size > 0), "{sizes:?}");
        }
    }

    #[test]
    fn clusters_are_the_same_on_any_number_of_threads() {
        let positions = globe(40);
        assert_eq!(found(&positions, 1), found(&positions, 3));
    }

    #[test]
    fn a_few_items_are_one_cluster() {
        let positions = globe(1).slice_move(ndarray::s![..3, ..]);
        assert_eq!(found(&positions, 1).levels(), [[0, 0, 0]]);
    }
}
