//! Leading eigenvectors of the scatter matrix, without computing the matrix.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, Axis, s};
use rand::SeedableRng;
use rand::distr::{Distribution, Uniform};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::eigen::symmetric_eigen;
use super::{BLOCK, rows::Rows};
use crate::error::Error;
use crate::observe::{Observer, report};
use crate::sparse::CsrMatrix;

/// Directions in addition to the wanted ones; more of them give faster convergence.
pub(super) const EXTRA: usize = 10;
/// The iteration ends when no wanted variance grows by more than this share.
const TOLERANCE: f64 = 1e-5;
const MOST_ROUNDS: usize = 30;
/// Number of independent partial sums. Fixed, so that the result does not depend on the number of threads.
pub(super) const PARTS: usize = 8;
/// Directions that a task processes in one pass over the sparse rows: one cache line.
pub(super) const STRIP: usize = 8;

/// The `count` largest eigenvalues of Σ (x − mean)(x − mean)ᵀ and their eigenvectors, as rows.
pub(super) fn leading(
    rows: &Rows,
    mean: &[f64],
    count: usize,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<(Vec<f64>, Array2<f64>), Error> {
    let (n, columns) = rows.shape();
    let width = (count + EXTRA).min(n).min(columns);
    iterate((columns, width), count, seed, |basis| apply(rows, mean, basis), observer)
}

/// The same for sparse data with fewer rows than columns: the iteration runs among the rows, so that it costs what the
/// entries cost, not what all columns would. If X is the centred data, `XXᵀ` has the eigenvalues of `XᵀX`, and its
/// eigenvectors u become those of `XᵀX` as `Xᵀu`.
pub(super) fn leading_of_wide(
    x: &CsrMatrix<'_>,
    mean: &[f64],
    count: usize,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<(Vec<f64>, Array2<f64>), Error> {
    let (n, columns) = x.shape();
    let width = (count + EXTRA).min(n).min(columns);
    let (values, vectors) = iterate((n, width), count, seed, |basis| apply_to_rows(x, mean, basis), observer)?;
    let mut image = Array2::zeros((columns, count));
    for (row, u) in x.iter_rows().zip(vectors.columns()) {
        for (j, v) in row.iter() {
            image.row_mut(j).scaled_add(v, &u);
        }
    }
    let sums = vectors.sum_axis(Axis(1));
    for (mut out, &m) in image.outer_iter_mut().zip(mean) {
        out.scaled_add(-m, &sums);
    }
    orthonormalise(&mut image);
    Ok((values, image.reversed_axes().as_standard_layout().into_owned()))
}

/// W ← orthonormal basis of C·W, repeatedly; the eigenvalues of `WᵀCW` approach those of C from below. W has this shape.
fn iterate(
    shape: (usize, usize),
    count: usize,
    seed: u64,
    apply: impl Fn(&Array2<f64>) -> Array2<f64>,
    observer: &mut dyn Observer,
) -> Result<(Vec<f64>, Array2<f64>), Error> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let uniform = Uniform::new(-1.0, 1.0).expect("a range");
    let mut basis = Array2::from_shape_simple_fn(shape, || uniform.sample(&mut random));
    orthonormalise(&mut basis);
    let mut before = vec![0.0; count];
    for round in 0..MOST_ROUNDS {
        let image = apply(&basis);
        let (values, vectors) = symmetric_eigen(&basis.t().dot(&image), shape.1);
        let growth = values.iter().zip(&before).map(|(now, then)| (now - then) / now.max(f64::MIN_POSITIVE));
        let growth = growth.fold(0.0, f64::max);
        if growth <= TOLERANCE || round + 1 == MOST_ROUNDS {
            let components = vectors.slice(s![..count, ..]).dot(&basis.t());
            return Ok((values, components));
        }
        before = values[..count].to_vec();
        basis = image.dot(&vectors.t());
        orthonormalise(&mut basis);
        report(observer, (round + 1) as f64 / MOST_ROUNDS as f64)?;
    }
    unreachable!("the last round returns")
}

/// `XXᵀ`·W for centred sparse data X.
fn apply_to_rows(x: &CsrMatrix<'_>, mean: &[f64], basis: &Array2<f64>) -> Array2<f64> {
    let (n, _) = x.shape();
    let width = basis.ncols();
    let strip = |first: usize| {
        let in_strip = STRIP.min(width - first);
        let direction = |i: usize| {
            let mut direction = [0.0; STRIP];
            (0..in_strip).for_each(|l| direction[l] = basis[[i, first + l]]);
            direction
        };
        let mut total = [0.0; STRIP];
        for i in 0..n {
            let direction = direction(i);
            (0..STRIP).for_each(|l| total[l] += direction[l]);
        }
        let mut by_column: Vec<[f64; STRIP]> = mean.iter().map(|m| total.map(|t| -m * t)).collect();
        for (i, row) in x.iter_rows().enumerate() {
            let direction = direction(i);
            for (j, v) in row.iter() {
                (0..STRIP).for_each(|l| by_column[j][l] += v * direction[l]);
            }
        }
        let mut offset = [0.0; STRIP];
        for (m, sums) in mean.iter().zip(&by_column) {
            (0..STRIP).for_each(|l| offset[l] += m * sums[l]);
        }
        let of_row = |row: crate::sparse::Row<'_>| {
            let mut score = offset.map(|o| -o);
            for (j, v) in row.iter() {
                (0..STRIP).for_each(|l| score[l] += v * by_column[j][l]);
            }
            score
        };
        x.iter_rows().map(of_row).collect::<Vec<_>>()
    };
    let firsts: Vec<usize> = (0..width).step_by(STRIP).collect();
    let strips: Vec<Vec<[f64; STRIP]>> = firsts.into_par_iter().map(strip).collect();
    Array2::from_shape_fn((n, width), |(i, l)| strips[l / STRIP][i][l % STRIP])
}

/// C·W.
fn apply(rows: &Rows, mean: &[f64], basis: &Array2<f64>) -> Array2<f64> {
    let (n, columns) = rows.shape();
    let width = basis.ncols();
    match rows {
        Rows::Dense(x) => {
            let blocks = n.div_ceil(BLOCK);
            let part = |p: usize| {
                let mut sum = Array2::zeros((columns, width));
                for b in (p..blocks).step_by(PARTS) {
                    let first = b * BLOCK;
                    let block = x.centred(first..(first + BLOCK).min(n), mean);
                    let scores = block.dot(basis);
                    general_mat_mul(1.0, &block.t(), &scores, 1.0, &mut sum);
                }
                sum
            };
            let parts: Vec<Array2<f64>> = (0..PARTS.min(blocks)).into_par_iter().map(part).collect();
            let mut sum = Array2::zeros((columns, width));
            for part in &parts {
                sum += part;
            }
            sum
        }
        Rows::Sparse(x) => {
            // XᵀXW − n mean (meanᵀW).
            let strip = |first: usize| {
                let mut directions = vec![[0.0; STRIP]; columns];
                let in_strip = STRIP.min(width - first);
                for (j, direction) in directions.iter_mut().enumerate() {
                    for l in 0..in_strip {
                        direction[l] = basis[[j, first + l]];
                    }
                }
                let mut offset = [0.0; STRIP];
                for (m, direction) in mean.iter().zip(&directions) {
                    (0..STRIP).for_each(|l| offset[l] += n as f64 * m * direction[l]);
                }
                let mut sum: Vec<[f64; STRIP]> = mean.iter().map(|m| offset.map(|o| -m * o)).collect();
                for row in x.iter_rows() {
                    let mut score = [0.0; STRIP];
                    for (j, v) in row.iter() {
                        (0..STRIP).for_each(|l| score[l] += v * directions[j][l]);
                    }
                    for (j, v) in row.iter() {
                        (0..STRIP).for_each(|l| sum[j][l] += v * score[l]);
                    }
                }
                sum
            };
            let firsts: Vec<usize> = (0..width).step_by(STRIP).collect();
            let strips: Vec<Vec<[f64; STRIP]>> = firsts.into_par_iter().map(strip).collect();
            Array2::from_shape_fn((columns, width), |(j, l)| strips[l / STRIP][j][l % STRIP])
        }
    }
}

/// Gram-Schmidt, applied twice, which is enough for full precision. A direction in the span of the earlier ones is
/// replaced by the first coordinate axis that is not.
fn orthonormalise(basis: &mut Array2<f64>) {
    let mut columns: Vec<Vec<f64>> = basis.columns().into_iter().map(|c| c.to_vec()).collect();
    let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut next_axis = 0;
    for l in 0..columns.len() {
        let (earlier, rest) = columns.split_at_mut(l);
        let current = &mut rest[0];
        let mut before = length(current);
        loop {
            for _ in 0..2 {
                let product = |e: &Vec<f64>| e.iter().zip(current.iter()).map(|(a, b)| a * b).sum::<f64>();
                let products: Vec<f64> = earlier.par_iter().map(product).collect();
                for (e, product) in earlier.iter().zip(products) {
                    current.iter_mut().zip(e).for_each(|(c, v)| *c -= product * v);
                }
            }
            let after = length(current);
            if after > 1e-12 * before || next_axis == current.len() {
                for c in current.iter_mut() {
                    *c /= after;
                }
                break;
            }
            current.fill(0.0);
            current[next_axis] = 1.0;
            next_axis += 1;
            // An axis that almost lies in the span would leave only noise.
            before = 1e6;
        }
    }
    for (mut out, column) in basis.columns_mut().into_iter().zip(&columns) {
        out.iter_mut().zip(column).for_each(|(o, &c)| *o = c);
    }
}
