//! Cells of items that are near each other, by k-means.

use ndarray::{Array2, ArrayView1, ArrayView2, s};
use rand::Rng;
use rand::seq::index::sample;
use rayon::prelude::*;

use super::dense::Prepared;

/// Rounds of k-means, and the number of items per cell that are used: larger numbers hardly change the result.
const ROUNDS: usize = 6;
const ITEMS_PER_CENTRE: usize = 40;
/// Rows per block when distances to the centres are computed.
const BLOCK: usize = 512;

/// Items, divided by their nearest centre.
pub(super) struct Cells {
    /// D × cells: a block of rows times this matrix gives all products.
    pub(super) centres: Array2<f32>,
    /// |centre|².
    squares: Vec<f32>,
    /// The items of each cell, in order.
    pub(super) members: Vec<Vec<u32>>,
    pub(super) cell_of: Vec<u32>,
}

impl Cells {
    /// The first `n` items in `count` cells.
    pub(super) fn new(prepared: &Prepared<'_>, n: usize, count: usize, random: &mut impl Rng) -> Self {
        let (dimensions, count) = (prepared.dimensions, count.clamp(1, n.max(1)));
        if count == 1 {
            let (centres, squares) = (Array2::zeros((dimensions, 1)), vec![0.0]);
            return Self { centres, squares, members: vec![(0..n as u32).collect()], cell_of: vec![0; n] };
        }
        let chosen = sample(random, n, (ITEMS_PER_CENTRE * count).min(n)).into_vec();
        let training = prepared.block(chosen.iter().map(|&i| i as u32));
        let mut centres = training.slice(s![..count, ..]).t().as_standard_layout().into_owned();
        let mut squares = squares_of(&centres);
        for _ in 0..ROUNDS {
            let blocks: Vec<ArrayView2<'_, f32>> = training.axis_chunks_iter(ndarray::Axis(0), BLOCK).collect();
            let of_block = |block: ArrayView2<'_, f32>| nearest_centres(&block, &centres, &squares);
            let nearest = blocks.into_par_iter().map(of_block).collect::<Vec<_>>().concat();
            let nearest = nearest.iter().map(|&(_, cell)| cell);
            let mut sums = Array2::<f64>::zeros((count, dimensions));
            let mut sizes = vec![0_u32; count];
            for (row, cell) in training.outer_iter().zip(nearest) {
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
        let nearest = (0..n.div_ceil(BLOCK)).into_par_iter().map(of_block).collect::<Vec<_>>().concat();
        let cell_of: Vec<u32> = nearest.into_iter().map(|(_, cell)| cell).collect();
        let mut members = vec![Vec::new(); count];
        for (&cell, i) in cell_of.iter().zip(0..) {
            members[cell as usize].push(i);
        }
        Self { centres, squares, members, cell_of }
    }

    /// The nearest cells of an item at these distances from the centres: the first `most`, and as many more as are needed to find `k`
    /// items besides the item itself.
    pub(super) fn nearest(&self, distances: &ArrayView1<'_, f32>, most: usize, k: usize) -> Vec<u32> {
        let mut order: Vec<(f32, u32)> = distances.iter().copied().zip(0..).collect();
        let mut enough = most.min(order.len());
        if enough < order.len() {
            order.select_nth_unstable_by(enough, super::by_distance_then_index);
        }
        let size = |&(_, cell): &(f32, u32)| self.members[cell as usize].len();
        let mut items: usize = order[..enough].iter().map(size).sum();
        if items <= k {
            order[enough..].sort_unstable_by(super::by_distance_then_index);
            while enough < order.len() && items <= k {
                items += size(&order[enough]);
                enough += 1;
            }
        }
        order[..enough].iter().map(|&(_, cell)| cell).collect()
    }

    /// The squared distances of some rows to all centres.
    pub(super) fn distances_to_centres(&self, block: &ArrayView2<'_, f32>) -> Array2<f32> {
        let mut distances = distances_to(block, &self.centres, &self.squares);
        for (mut distances, row) in distances.outer_iter_mut().zip(block.outer_iter()) {
            let square: f32 = row.iter().map(|v| v * v).sum();
            distances.mapv_inplace(|distance| (distance + square).max(0.0));
        }
        distances
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

/// The nearest centre of each row, ties by index, and its squared distance less the row's own square.
fn nearest_centres(rows: &ArrayView2<f32>, centres: &Array2<f32>, squares: &[f32]) -> Vec<(f32, u32)> {
    let nearest = |row: ArrayView1<f32>| {
        let least = |best: (f32, u32), next: (f32, u32)| if next.0 < best.0 { next } else { best };
        row.iter().copied().zip(0..).fold((f32::INFINITY, 0), least)
    };
    distances_to(rows, centres, squares).outer_iter().map(nearest).collect()
}
