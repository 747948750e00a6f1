//! Approximate search: every item is compared only with the items in some cells around it.
//!
//! k-means divides the items into about 2√n cells. An item is first compared with the items in the nearest cells. The distance of the
//! farthest of the neighbours that were found there tells which other cells may have nearer ones: seen from a point at the distance
//! d from the centre, the squared distances of the items of a cell have the mean d² + R², where R² is the mean square of their
//! distances to the centre, and the variance ρ R² (R² + 2d²), where ρ is 2 over the number of dimensions in which a cell extends
//! (exactly so for Gaussian cells, and ρ is measured). A cell is searched if the squared distance to beat is not further below
//! this mean than `reach` standard deviations. So an item of a small group searches few cells, and one in a large and even region
//! searches many.
//!
//! Neither number is guessed: for a sample of items, the true neighbours are found by the exact method. Of the pairs of numbers that
//! would have found the requested share of them, the one with the fewest comparisons is taken. A second sample, searched in the same
//! way, gives the reported recall. Within the cells the kernel, the error bounds and the re-ranking are those of the exact method, so
//! the result depends only on which cells were searched.

use rand::SeedableRng;
use rand::seq::index::sample;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::candidates::Candidates;
use super::dense::{self, PackedPoints, Prepared, Scratch};
use super::kmeans::Cells;
use super::rows::{DenseRows, Rows};
use super::tile::Term;
use super::{NeighborOptions, Neighbors, SearchMethod};
use crate::error::Error;
use crate::observe::{Observer, Part, report};

/// Items whose true neighbours determine which cells are searched.
const CALIBRATION: usize = 500;
/// Items whose true neighbours give the recall.
const CHECK: usize = 1000;
/// Numbers of nearest cells that are tried.
const NEAREST: [usize; 6] = [1, 2, 4, 8, 16, 32];
/// Queries per task.
const GROUP: usize = 252;

/// The approximate k nearest neighbours of every row. The search is exact if cells would not save enough: if the sample
/// shows that more than `most_work` of all pairs would have to be compared.
pub(super) fn search(
    rows: &DenseRows,
    options: &NeighborOptions,
    most_work: f64,
    observer: &mut dyn Observer,
) -> Result<Neighbors, Error> {
    let n = rows.len();
    let prepared = Prepared::new(rows);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let cells = Cells::new(&prepared, n, (2.0 * (n as f64).sqrt()) as usize, &mut random);
    let packed = PackedPoints::of(&prepared, &cells);
    report(observer, 0.05)?;

    let (k, mut asked) = (options.k, (CALIBRATION + CHECK).min(n));
    if asked < n {
        asked = asked.max(2);
    }
    let chosen: Vec<u32> = sample(&mut random, n, asked).into_iter().map(|i| i as u32).collect();
    let truth = dense::search_rows(rows, &prepared, &packed, &chosen, k);
    let calibration = asked.div_ceil(3);
    let extent = Extent::of(&cells, &prepared);
    let space = Space { rows, prepared: &prepared, cells: &cells, extent: &extent, packed: &packed, k };
    let Plan { visits, searched, work } =
        space.calibrate(&chosen[..calibration], &truth[..calibration], options.recall);
    report(observer, 0.1)?;
    if work > most_work {
        drop(packed);
        drop(cells);
        return dense::search(rows, k, &mut Part { observer, from: 0.1, to: 1.0 });
    }

    let method = SearchMethod::Cells { cells: cells.members.len(), searched };
    let mut result = space.search_all(visits, method, &mut Part { observer, from: 0.1, to: 1.0 })?;
    let mut found = 0;
    for (&i, truth) in chosen[calibration..].iter().zip(&truth[calibration..]) {
        // Items at the same distance are equally good.
        let farthest = truth.last().map_or(0.0, |&(distance, _)| distance);
        found += result.row(i as usize).1.iter().filter(|&&distance| distance <= farthest).count();
    }
    result.recall = Some(found as f64 / ((asked - calibration) * k).max(1) as f64);
    Ok(result)
}

/// How far the items of the cells are from their centres.
struct Extent {
    /// R²: the mean squared distance of a cell's items to its centre.
    spreads: Vec<f32>,
    /// ρ: the variance of these squared distances, relative to their squared mean, on the average of all cells.
    unevenness: f32,
}

impl Extent {
    fn of(cells: &Cells, prepared: &Prepared<'_>) -> Self {
        // Sums of the squared distances, and of their squares.
        let of_cell = |(cell, items): (usize, &Vec<u32>)| {
            let centre = cells.centres.column(cell).to_vec();
            let squares = items.iter().map(|&i| prepared.row_about(i, &centre).map(|v| f64::from(v * v)).sum::<f64>());
            squares.fold([0.0; 2], |[sum, of_squares], square| [sum + square, of_squares + square * square])
        };
        let sums: Vec<[f64; 2]> = cells.members.par_iter().enumerate().map(of_cell).collect();
        let (mut spreads, mut variance, mut squared_mean) = (Vec::with_capacity(sums.len()), 0.0, 0.0);
        for ([sum, of_squares], items) in sums.into_iter().zip(&cells.members) {
            let size = items.len().max(1) as f64;
            spreads.push((sum / size) as f32);
            variance += (of_squares - sum * sum / size).max(0.0);
            squared_mean += sum * sum / size;
        }
        Self { spreads, unevenness: if squared_mean > 0.0 { (variance / squared_mean) as f32 } else { 0.0 } }
    }

    /// How far the squared distance to beat, `farthest`, is below the mean squared distance of the items of a cell, whose centre is at
    /// the squared distance `d2`; in standard deviations.
    #[inline]
    fn deviations(&self, cell: usize, d2: f32, farthest: f32) -> f32 {
        let spread = self.spreads[cell];
        let mean = d2 + spread;
        // A cell may have a single item, or copies of it.
        let least = 1e-6 * mean + f32::MIN_POSITIVE;
        (mean - farthest) / ((self.unevenness * spread * (spread + 2.0 * d2)).sqrt() + least)
    }
}

/// Which cells an item is compared with.
#[derive(Clone, Copy)]
struct Visits {
    /// The nearest ones, by the distance of their centres, and as many more as are needed to find enough items.
    nearest: usize,
    /// Those of the others that are within this number of deviations, see [`Cells::deviations`].
    reach: f32,
}

/// A choice of cells, and what it costs.
struct Plan {
    visits: Visits,
    /// The mean number of cells of an item.
    searched: usize,
    /// The share of all pairs that must be compared.
    work: f64,
}

/// What is known of an item whose true neighbours are known.
struct Sampled {
    /// The squared distances to all centres.
    distances: Vec<f32>,
    /// The cells, nearest first.
    order: Vec<u32>,
    /// The number of its true neighbours in each cell, by the rank of the cell.
    found_at: Vec<u32>,
    /// For each of [`NEAREST`], the number of cells in which enough items were found, and the squared distance of the farthest one of the
    /// neighbours among them.
    after: Vec<(usize, f32)>,
}

/// The points and their cells.
#[derive(Clone, Copy)]
struct Space<'a> {
    rows: &'a DenseRows<'a>,
    prepared: &'a Prepared<'a>,
    cells: &'a Cells,
    extent: &'a Extent,
    /// The items of each cell.
    packed: &'a PackedPoints,
    /// Number of neighbours.
    k: usize,
}

impl Space<'_> {
    /// The cheapest way to find the share `recall` of the true neighbours of a sample.
    fn calibrate(&self, items: &[u32], truth: &[Vec<(f32, u32)>], recall: f64) -> Plan {
        let count = self.cells.members.len();
        // Only products have a mean and a variance of squares.
        let by_deviations = self.prepared.term == Term::Product;
        let sampled: Vec<Sampled> = items
            .par_iter()
            .zip(truth)
            .map_init(
                || Scratch::new(self.k, self.rows.dimensions, 1),
                |scratch, (&i, truth)| self.sampled(i, truth, by_deviations, scratch),
            )
            .collect();
        let size = |cell: u32| self.cells.members[cell as usize].len();
        let mut at_rank = vec![(0_usize, 0_usize); count];
        for of_item in &sampled {
            for ((found, items), (&more, &cell)) in at_rank.iter_mut().zip(of_item.found_at.iter().zip(&of_item.order))
            {
                *found += more as usize;
                *items += size(cell);
            }
        }
        let wanted = recall * at_rank.iter().map(|&(found, _)| found).sum::<usize>() as f64;
        let plan = |visits: Visits, cells: usize, compared: usize| {
            let of_item = |total: usize| total as f64 / items.len().max(1) as f64;
            // Finding the cells takes two comparisons with each centre.
            let work = (of_item(compared) + 2.0 * count as f64) / self.prepared.len() as f64;
            Plan { visits, searched: of_item(cells).round() as usize, work }
        };
        let mut found = 0;
        let enough = at_rank.iter().position(|&(more, _)| {
            found += more;
            found as f64 >= wanted
        });
        let nearest = enough.map_or(count, |rank| rank + 1);
        let compared = at_rank[..nearest].iter().map(|&(_, items)| items).sum();
        let mut best = plan(Visits { nearest, reach: f32::NEG_INFINITY }, nearest * items.len(), compared);
        for (level, &nearest) in NEAREST.iter().enumerate().filter(|_| by_deviations) {
            let beyond = |of_item: &Sampled, rank: usize| {
                let cell = of_item.order[rank] as usize;
                self.extent.deviations(cell, of_item.distances[cell], of_item.after[level].1)
            };
            let (mut found, mut further) = (0, Vec::new());
            for of_item in &sampled {
                for (rank, &more) in of_item.found_at.iter().enumerate().filter(|&(_, &more)| more > 0) {
                    if rank < of_item.after[level].0 {
                        found += more;
                    } else {
                        further.push((beyond(of_item, rank), more));
                    }
                }
            }
            further.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let mut reach = f32::NEG_INFINITY;
            for (deviations, more) in further {
                if f64::from(found) >= wanted {
                    break;
                }
                (found, reach) = (found + more, deviations);
            }
            let (mut cells, mut compared) = (0, 0);
            for of_item in &sampled {
                for (rank, &cell) in of_item.order.iter().enumerate() {
                    if rank < of_item.after[level].0 || beyond(of_item, rank) <= reach {
                        cells += 1;
                        compared += size(cell);
                    }
                }
            }
            let next = plan(Visits { nearest, reach }, cells, compared);
            if next.work < best.work {
                best = next;
            }
        }
        best
    }

    fn sampled(&self, i: u32, truth: &[(f32, u32)], by_deviations: bool, scratch: &mut Scratch) -> Sampled {
        let Self { prepared, cells, packed, k, .. } = *self;
        let block = prepared.block(std::iter::once(i));
        let distances = self.cells.distances_to_centres(&block.view()).into_raw_vec_and_offset().0;
        let mut order: Vec<u32> = (0..distances.len() as u32).collect();
        let by_distance = |a: &u32, b: &u32| distances[*a as usize].total_cmp(&distances[*b as usize]).then(a.cmp(b));
        order.sort_unstable_by(by_distance);
        let mut found_at = vec![0; order.len()];
        let mut rank_of = vec![0_u32; order.len()];
        for (rank, &cell) in order.iter().enumerate() {
            rank_of[cell as usize] = rank as u32;
        }
        for &(_, j) in truth {
            found_at[rank_of[cells.cell_of[j as usize] as usize] as usize] += 1;
        }
        let mut after = Vec::new();
        if by_deviations {
            scratch.candidates.iter_mut().for_each(Candidates::clear);
            let (mut rank, mut items) = (0, 0);
            for nearest in NEAREST {
                while rank < order.len() && (rank < nearest || items <= k) {
                    let cell = order[rank] as usize;
                    scratch.scan(prepared, packed, cell, &[(0, i)]);
                    items += cells.members[cell].len();
                    rank += 1;
                }
                after.push((rank, scratch.farthest(0)));
            }
        }
        Sampled { distances, order, found_at, after }
    }

    fn search_all(
        &self,
        visits: Visits,
        method: SearchMethod,
        observer: &mut dyn Observer,
    ) -> Result<Neighbors, Error> {
        let (n, k) = (self.rows.len(), self.k);
        let groups: Vec<&[u32]> = self.cells.members.iter().flat_map(|items| items.chunks(GROUP)).collect();
        let mut result = Neighbors {
            starts: (0..=n).map(|i| i * k).collect(),
            indices: vec![0; n * k],
            distances: vec![0.0; n * k],
            method,
            recall: None,
        };
        // Between two batches the observer is notified and can stop.
        let mut done = 0;
        for batch in groups.chunks((groups.len() / 50).max(16)) {
            let of_group = |scratch: &mut Scratch, group: &&[u32]| self.search_group(group, visits, scratch);
            let found = batch.par_iter().map_init(|| Scratch::new(k, self.rows.dimensions, GROUP), of_group);
            for (group, found) in batch.iter().zip(found.collect::<Vec<_>>()) {
                for (&i, row) in group.iter().zip(found.chunks_exact(k)) {
                    let start = i as usize * k;
                    for (slot, &(distance, j)) in (start..start + k).zip(row) {
                        result.indices[slot] = j;
                        result.distances[slot] = distance;
                    }
                }
                done += group.len();
            }
            report(observer, done as f64 / n as f64)?;
        }
        Ok(result)
    }

    /// The k nearest of each item of a group from one cell, one item after the other.
    fn search_group(&self, group: &[u32], visits: Visits, scratch: &mut Scratch) -> Vec<(f32, u32)> {
        let Self { rows, prepared, cells, extent, k, .. } = *self;
        scratch.candidates.iter_mut().for_each(Candidates::clear);
        let home = cells.cell_of[group[0] as usize];
        let block = prepared.block(group.iter().copied());
        let mut distances = self.cells.distances_to_centres(&block.view());
        let mut pairs: Vec<(bool, u32, usize)> = Vec::new();
        for (slot, mut distances) in distances.outer_iter_mut().enumerate() {
            for cell in cells.nearest(&distances.view(), visits.nearest, k) {
                pairs.push((cell != home, cell, slot));
                // It is neither near nor far any more.
                distances[cell as usize] = f32::NAN;
            }
        }
        // The group's own cell first: there the distances to beat fall most.
        self.compare(group, &mut pairs, scratch);
        if visits.reach > f32::NEG_INFINITY {
            pairs.clear();
            for (slot, distances) in distances.outer_iter().enumerate() {
                let farthest = scratch.farthest(slot);
                for (cell, &d2) in distances.iter().enumerate() {
                    if extent.deviations(cell, d2, farthest) <= visits.reach {
                        pairs.push((true, cell as u32, slot));
                    }
                }
            }
            self.compare(group, &mut pairs, scratch);
        }
        let mut found = Vec::with_capacity(group.len() * k);
        for (slot, &i) in group.iter().enumerate() {
            found.extend(scratch.nearest(rows, slot, i, k));
        }
        found
    }

    /// Compares pairs of a cell and an item of a group, cell by cell.
    fn compare(&self, group: &[u32], pairs: &mut [(bool, u32, usize)], scratch: &mut Scratch) {
        pairs.sort_unstable();
        let mut queries = Vec::new();
        for of_cell in pairs.chunk_by(|a, b| a.1 == b.1) {
            queries.clear();
            queries.extend(of_cell.iter().map(|&(_, _, slot)| (slot, group[slot])));
            scratch.scan(self.prepared, self.packed, of_cell[0].1 as usize, &queries);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::Metric;
    use crate::observe::Silent;
    use crate::random::mix;
    use ndarray::{Array2, ArrayView1};
    use proptest::prelude::*;

    fn noise(seed: u64, a: usize, b: usize) -> f32 {
        (mix(seed ^ (a as u64) << 32 ^ b as u64) >> 40) as f32 / (1 << 24) as f32 - 0.5
    }

    /// Groups of very different sizes: half of the items are in one wide group, the others in small ones.
    fn uneven(n: usize, dimensions: usize, seed: u64) -> Array2<f32> {
        Array2::from_shape_fn((n, dimensions), |(i, j)| {
            if i % 2 == 0 {
                4.0 * noise(seed, i, j)
            } else {
                let group = (i / 2) % (1 + n / 100);
                20.0 * noise(seed + 1, group, j) + 0.5 * noise(seed, i, j)
            }
        })
    }

    fn squared(a: &ArrayView1<'_, f32>, b: &ArrayView1<'_, f32>) -> f64 {
        a.iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum()
    }

    fn cells_of(prepared: &Prepared<'_>, seed: u64) -> Cells {
        let n = prepared.len();
        Cells::new(prepared, n, (2.0 * (n as f64).sqrt()) as usize, &mut Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn the_items_of_all_cells_within_reach_are_compared(
            seed in 0_u64..1000,
            n in 200_usize..600,
            nearest in 1_usize..6,
            reach in -1.0_f32..4.0,
        ) {
            let (x, k) = (uneven(n, 6, seed), 7);
            let view = x.view();
            let rows = DenseRows::new(&view, Metric::Euclidean).unwrap();
            let prepared = Prepared::new(&rows);
            let cells = cells_of(&prepared, seed);
            let (packed, extent) = (PackedPoints::of(&prepared, &cells), Extent::of(&cells, &prepared));
            let space = Space { rows: &rows, prepared: &prepared, cells: &cells, extent: &extent, packed: &packed, k };
            let visits = Visits { nearest, reach };
            let found = space.search_all(visits, SearchMethod::Exact, &mut Silent).unwrap();
            let points = prepared.block(0..n as u32);
            for i in 0..n {
                let square = |j: usize| squared(&points.row(i), &points.row(j));
                let to_centre = |c: usize| squared(&points.row(i), &cells.centres.column(c));
                let mut order: Vec<usize> = (0..cells.members.len()).collect();
                order.sort_by(|&a, &b| to_centre(a).total_cmp(&to_centre(b)));
                let mut near = nearest.min(order.len());
                while near < order.len() && order[..near].iter().map(|&c| cells.members[c].len()).sum::<usize>() <= k {
                    near += 1;
                }
                let items_of = |c: usize| cells.members[c].iter().map(|&j| j as usize).filter(|&j| j != i);
                let mut squares: Vec<f64> = order[..near].iter().flat_map(|&c| items_of(c)).map(square).collect();
                squares.sort_by(f64::total_cmp);
                // What is compared are upper bounds of the squared distances, in single precision: by so much they may be larger.
                let slack = |j: usize| {
                    let centre = cells.centres.column(cells.cell_of[j] as usize);
                    let bases = squared(&points.row(i), &centre) + squared(&points.row(j), &centre);
                    prepared.upper(square(j) as f32, bases as f32) - square(j) as f32
                };
                let slack = (0..n).map(slack).fold(0.0, f32::max);
                let (mut surely, mut perhaps) = (order[..near].to_vec(), Vec::new());
                for &c in &order[near..] {
                    let farthest = squares[k - 1] as f32;
                    let least = |by: f32| extent.deviations(c, to_centre(c) as f32, farthest + by * slack) - reach;
                    let rounding = 1e-3 * (1.0 + reach.abs());
                    if least(-1.0) < -rounding {
                        surely.push(c);
                    } else if least(2.0) < rounding {
                        perhaps.push(c);
                    }
                }
                let (indices, distances) = found.row(i);
                let of_cells = |cells: &[usize]| {
                    let pairs = cells.iter().flat_map(|&c| items_of(c)).map(|j| (rows.distance(i, j) as f32, j as u32));
                    super::super::nearest_first(i as u32, pairs.collect(), k)
                };
                let least = of_cells(&surely);
                prop_assert!(distances.iter().zip(&least).all(|(&distance, least)| distance <= least.0));
                if perhaps.is_empty() {
                    let all: Vec<u32> = least.iter().map(|&(_, j)| j).collect();
                    prop_assert_eq!(indices, &all[..]);
                } else {
                    surely.extend(perhaps);
                    prop_assert!(indices.iter().all(|&j| surely.contains(&(cells.cell_of[j as usize] as usize))));
                }
            }
        }
    }

    #[test]
    fn uneven_groups_are_searched_with_fewer_comparisons_than_the_nearest_cells_alone_need() {
        let (n, k) = (6000, 10);
        let x = uneven(n, 10, 3);
        let view = x.view();
        let rows = DenseRows::new(&view, Metric::Euclidean).unwrap();
        let prepared = Prepared::new(&rows);
        let cells = cells_of(&prepared, 1);
        let (packed, extent) = (PackedPoints::of(&prepared, &cells), Extent::of(&cells, &prepared));
        let items: Vec<u32> = (0..n as u32).step_by(20).map(|i| i + i / 20 % 2).collect();
        let truth = dense::search_rows(&rows, &prepared, &packed, &items, k);
        let space = Space { rows: &rows, prepared: &prepared, cells: &cells, extent: &extent, packed: &packed, k };
        let plan = space.calibrate(&items, &truth, 0.98);
        // The number of nearest cells that has the same share of the neighbours, and what they cost.
        let points = prepared.block(items.iter().copied());
        let (mut found_at, mut items_at) = (vec![0; cells.members.len()], vec![0; cells.members.len()]);
        for (row, truth) in points.outer_iter().zip(&truth) {
            let mut order: Vec<usize> = (0..cells.members.len()).collect();
            order.sort_by(|&a, &b| {
                squared(&row, &cells.centres.column(a)).total_cmp(&squared(&row, &cells.centres.column(b)))
            });
            for (rank, &cell) in order.iter().enumerate() {
                items_at[rank] += cells.members[cell].len();
                found_at[rank] += truth.iter().filter(|&&(_, j)| cells.cell_of[j as usize] as usize == cell).count();
            }
        }
        let wanted = (0.98 * (items.len() * k) as f64).ceil() as usize;
        let enough = (1..found_at.len()).find(|&ranks| found_at[..ranks].iter().sum::<usize>() >= wanted).unwrap();
        let compared = items_at[..enough].iter().sum::<usize>() as f64 / items.len() as f64;
        let of_plan = plan.work * n as f64 - 2.0 * cells.members.len() as f64;
        assert!(of_plan < 0.8 * compared, "{of_plan} of {compared}");
        let found = space.search_all(plan.visits, SearchMethod::Exact, &mut Silent).unwrap();
        let hits: usize = items
            .iter()
            .zip(&truth)
            .map(|(&i, truth)| truth.iter().filter(|pair| found.row(i as usize).0.contains(&pair.1)).count())
            .sum();
        assert!(hits >= wanted, "{hits} of {wanted}");
    }
}
