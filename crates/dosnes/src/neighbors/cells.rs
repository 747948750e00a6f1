//! Approximate search: every item is compared only with the items in the cells whose centres are nearest to it.
//!
//! k-means divides the items into about 2√n cells. The number of cells to search is not guessed: for a sample of items,
//! the true neighbours are found by the exact method, and the number is the smallest one that would have found the
//! requested share of them. A second sample, searched in the same way, gives the reported recall. Within the cells the
//! kernel, the error bounds and the re-ranking are those of the exact method, so the result depends only on which cells
//! were searched.

use ndarray::{Array2, ArrayView2, s};
use rand::seq::index::sample;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::candidates::Candidates;
use super::dense::{self, PackedPoints, Prepared, Scratch};
use super::rows::{DenseRows, Rows};
use super::{NeighborOptions, Neighbors, SearchMethod};
use crate::error::Error;
use crate::observe::{Observer, Part, report};

/// Items whose true neighbours determine how many cells are searched.
const CALIBRATION: usize = 500;
/// Items whose true neighbours give the recall.
const CHECK: usize = 1000;
/// Rounds of k-means, and the number of items per cell that are used: larger numbers hardly change the result.
const ROUNDS: usize = 6;
const ITEMS_PER_CENTRE: usize = 40;
/// Queries per task.
const GROUP: usize = 252;
/// Rows per block when distances to the centres are computed.
const BLOCK: usize = 512;

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
    let cells = Cells::new(&prepared, &mut random);
    report(observer, 0.05)?;

    let (k, mut asked) = (options.k, (CALIBRATION + CHECK).min(n));
    if asked < n {
        asked = asked.max(2);
    }
    let chosen: Vec<u32> = sample(&mut random, n, asked).into_iter().map(|i| i as u32).collect();
    let all = PackedPoints::new(&prepared, (0..n as u32).collect());
    let truth = dense::search_rows(rows, &prepared, &all, &chosen, k);
    drop(all);
    let calibration = asked.div_ceil(3);
    let (searched, work) = cells.calibrate(&prepared, &chosen[..calibration], &truth[..calibration], options.recall);
    report(observer, 0.1)?;
    if work > most_work {
        drop(cells);
        return dense::search(rows, k, &mut Part { observer, from: 0.1, to: 1.0 });
    }

    let method = SearchMethod::Cells { cells: cells.members.len(), searched };
    let mut result =
        cells.search_all(rows, &prepared, k, searched, method, &mut Part { observer, from: 0.1, to: 1.0 })?;
    let mut found = 0;
    for (&i, truth) in chosen[calibration..].iter().zip(&truth[calibration..]) {
        // Items at the same distance are equally good.
        let farthest = truth.last().map_or(0.0, |&(distance, _)| distance);
        found += result.row(i as usize).1.iter().filter(|&&distance| distance <= farthest).count();
    }
    result.recall = Some(found as f64 / ((asked - calibration) * k).max(1) as f64);
    Ok(result)
}

/// The items, divided by their nearest centre.
struct Cells {
    /// D × cells: a block of rows times this matrix gives all products.
    centres: Array2<f32>,
    /// |centre|².
    squares: Vec<f32>,
    /// The items of each cell, in order.
    members: Vec<Vec<u32>>,
    cell_of: Vec<u32>,
}

impl Cells {
    fn new(prepared: &Prepared<'_>, random: &mut impl Rng) -> Self {
        let (n, dimensions) = (prepared.len(), prepared.dimensions);
        let count = ((2.0 * (n as f64).sqrt()) as usize).clamp(1, n);
        let chosen = sample(random, n, (ITEMS_PER_CENTRE * count).min(n)).into_vec();
        let training = prepared.block(chosen.iter().map(|&i| i as u32));
        let mut centres = training.slice(s![..count, ..]).t().as_standard_layout().into_owned();
        let mut squares = squares_of(&centres);
        for _ in 0..ROUNDS {
            let blocks: Vec<ArrayView2<'_, f32>> = training.axis_chunks_iter(ndarray::Axis(0), BLOCK).collect();
            let of_block = |block: ArrayView2<'_, f32>| nearest_centres(&block, &centres, &squares);
            let nearest = blocks.into_par_iter().map(of_block).collect::<Vec<_>>().concat();
            let mut sums = Array2::<f64>::zeros((count, dimensions));
            let mut sizes = vec![0_u32; count];
            for (row, &cell) in training.outer_iter().zip(&nearest) {
                sizes[cell as usize] += 1;
                sums.row_mut(cell as usize).iter_mut().zip(row).for_each(|(sum, &v)| *sum += f64::from(v));
            }
            // A cell that lost all its items keeps its centre.
            for (c, &size) in sizes.iter().enumerate().filter(|&(_, &size)| size > 0) {
                for d in 0..dimensions {
                    centres[[d, c]] = (sums[[c, d]] / f64::from(size)) as f32;
                }
            }
            squares = squares_of(&centres);
        }
        let of_block = |block: usize| {
            let rows = (block * BLOCK) as u32..((block + 1) * BLOCK).min(n) as u32;
            nearest_centres(&prepared.block(rows).view(), &centres, &squares)
        };
        let cell_of = (0..n.div_ceil(BLOCK)).into_par_iter().map(of_block).collect::<Vec<_>>().concat();
        let mut members = vec![Vec::new(); count];
        for (i, &cell) in cell_of.iter().enumerate() {
            members[cell as usize].push(i as u32);
        }
        Self { centres, squares, members, cell_of }
    }

    /// The nearest cells of each of `rows`, by the distance of their centres: the first `most`, in no particular order,
    /// and as many more as are needed to find `k` items besides the row itself.
    fn cells_near(&self, rows: &ArrayView2<'_, f32>, most: usize, k: usize) -> Vec<Vec<u32>> {
        let distances = distances_to(rows, &self.centres, &self.squares);
        let of_row = |distances: ndarray::ArrayView1<f32>| {
            let mut order: Vec<(f32, u32)> = distances.iter().copied().zip(0..).collect();
            let mut most = most.min(order.len());
            loop {
                if most < order.len() {
                    order.select_nth_unstable_by(most, super::by_distance_then_index);
                }
                let cells = order[..most].iter().map(|&(_, cell)| cell);
                if most == order.len() || cells.clone().map(|c| self.members[c as usize].len()).sum::<usize>() > k {
                    return cells.collect();
                }
                most = (2 * most).min(order.len());
            }
        };
        distances.outer_iter().map(of_row).collect()
    }

    /// The number of cells to search such that the share `recall` of the true neighbours is found, and the share of all
    /// pairs that must then be compared.
    fn calibrate(
        &self,
        prepared: &Prepared<'_>,
        items: &[u32],
        truth: &[Vec<(f32, u32)>],
        recall: f64,
    ) -> (usize, f64) {
        let count = self.members.len();
        let n = prepared.len();
        let distances = distances_to(&prepared.block(items.iter().copied()).view(), &self.centres, &self.squares);
        let mut neighbors_at_rank = vec![0_usize; count];
        let mut items_at_rank = vec![0_usize; count];
        for (distances, truth) in distances.outer_iter().zip(truth) {
            let mut order: Vec<(f32, u32)> = distances.iter().copied().zip(0..).collect();
            order.sort_unstable_by(super::by_distance_then_index);
            let mut rank_of = vec![0; count];
            for (rank, &(_, cell)) in order.iter().enumerate() {
                rank_of[cell as usize] = rank;
                items_at_rank[rank] += self.members[cell as usize].len();
            }
            for &(_, j) in truth {
                neighbors_at_rank[rank_of[self.cell_of[j as usize] as usize]] += 1;
            }
        }
        let wanted = recall * neighbors_at_rank.iter().sum::<usize>() as f64;
        let mut found = 0;
        let enough = neighbors_at_rank.iter().position(|&more| {
            found += more;
            found as f64 >= wanted
        });
        let searched = enough.map_or(count, |rank| rank + 1);
        let compared: usize = items_at_rank[..searched].iter().sum();
        // Finding the cells takes two comparisons with each centre.
        let work = compared as f64 / items.len().max(1) as f64 + 2.0 * count as f64;
        (searched, work / n as f64)
    }

    fn search_all(
        &self,
        rows: &DenseRows,
        prepared: &Prepared<'_>,
        k: usize,
        searched: usize,
        method: SearchMethod,
        observer: &mut dyn Observer,
    ) -> Result<Neighbors, Error> {
        let n = rows.len();
        let packed: Vec<PackedPoints> =
            self.members.par_iter().map(|items| PackedPoints::new(prepared, items.clone())).collect();
        let groups: Vec<&[u32]> = self.members.iter().flat_map(|items| items.chunks(GROUP)).collect();
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
            let of_group = |scratch: &mut Scratch, group: &&[u32]| {
                self.search_group(rows, prepared, &packed, group, k, searched, scratch)
            };
            let found = batch.par_iter().map_init(|| Scratch::new(k, rows.dimensions, GROUP), of_group);
            for (group, found) in batch.iter().zip(found.collect::<Vec<_>>()) {
                for (&i, row) in group.iter().zip(found) {
                    let start = i as usize * k;
                    for (slot, (distance, j)) in (start..start + k).zip(row) {
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

    /// The k nearest of a group of items from one cell.
    #[allow(clippy::too_many_arguments, reason = "the state of the search, and one group")]
    fn search_group(
        &self,
        rows: &DenseRows,
        prepared: &Prepared<'_>,
        packed: &[PackedPoints],
        group: &[u32],
        k: usize,
        searched: usize,
        scratch: &mut Scratch,
    ) -> Vec<Vec<(f32, u32)>> {
        scratch.candidates.iter_mut().for_each(Candidates::clear);
        let home = self.cell_of[group[0] as usize];
        let block = prepared.block(group.iter().copied());
        let mut visits: Vec<(bool, u32, usize)> = Vec::with_capacity(group.len() * searched);
        for (slot, cells) in self.cells_near(&block.view(), searched, k).into_iter().enumerate() {
            visits.extend(cells.into_iter().map(|cell| (cell != home, cell, slot)));
        }
        // Cell by cell, the group's own cell first: there the thresholds fall most.
        visits.sort_unstable();
        let mut queries = Vec::new();
        for visit in visits.chunk_by(|a, b| a.1 == b.1) {
            queries.clear();
            queries.extend(visit.iter().map(|&(_, _, slot)| (slot, group[slot])));
            scratch.scan(prepared, &packed[visit[0].1 as usize], &block.view(), &queries);
        }
        (0..group.len()).map(|slot| scratch.nearest(rows, prepared, slot, group[slot], k)).collect()
    }
}

fn squares_of(centres: &Array2<f32>) -> Vec<f32> {
    centres.columns().into_iter().map(|c| c.iter().map(|v| v * v).sum()).collect()
}

/// |centre|² − 2 row·centre: the squared distances, less the rows' own squares.
fn distances_to(rows: &ArrayView2<f32>, centres: &Array2<f32>, squares: &[f32]) -> Array2<f32> {
    let mut products = rows.dot(centres);
    for mut row in products.outer_iter_mut() {
        row.iter_mut().zip(squares).for_each(|(p, square)| *p = square - 2.0 * *p);
    }
    products
}

/// The nearest centre of each row, ties by index.
fn nearest_centres(rows: &ArrayView2<f32>, centres: &Array2<f32>, squares: &[f32]) -> Vec<u32> {
    let nearest = |row: ndarray::ArrayView1<f32>| {
        let least = |best: (f32, u32), next: (f32, u32)| if next.0 < best.0 { next } else { best };
        row.iter().copied().zip(0..).fold((f32::INFINITY, 0), least).1
    };
    distances_to(rows, centres, squares).outer_iter().map(nearest).collect()
}
