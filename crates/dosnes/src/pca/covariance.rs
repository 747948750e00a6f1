//! The scatter matrix Σ (x − mean)(x − mean)ᵀ.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, s};
use rayon::prelude::*;

use super::BLOCK;
use super::rows::{Numbers, Rows};
use crate::error::Error;
use crate::observe::{Observer, report};

/// Columns per tile; the upper triangle is filled in square tiles.
const TILE: usize = 256;
/// Number of independent partial sums. Fixed, so that the result does not depend on the number of threads.
const PARTS: usize = 8;

/// Σ (x − mean)(x − mean)ᵀ over all rows.
pub(super) fn scatter(rows: &Rows, mean: &[f64], observer: &mut dyn Observer) -> Result<Array2<f64>, Error> {
    match rows {
        Rows::Dense(x) => dense(x, mean, observer),
        Rows::Sparse(x) => Ok(sparse(x, mean)),
    }
}

fn dense(x: &Numbers<'_>, mean: &[f64], observer: &mut dyn Observer) -> Result<Array2<f64>, Error> {
    let (n, columns) = x.dim();
    let blocks = n.div_ceil(BLOCK);
    let mut parts: Vec<Array2<f64>> = (0..PARTS.min(blocks)).map(|_| Array2::zeros((columns, columns))).collect();
    // In each round every part adds a few blocks; the observer is notified in between.
    let rounds = blocks.div_ceil(PARTS * 4);
    for round in 0..rounds {
        parts.par_iter_mut().enumerate().for_each(|(p, part)| {
            for b in 0..4 {
                let first = ((round * 4 + b) * PARTS + p) * BLOCK;
                if first < n {
                    add_products(&x.centred(first..(first + BLOCK).min(n), mean), part);
                }
            }
        });
        report(observer, (round + 1) as f64 / rounds as f64)?;
    }
    let mut sum = Array2::zeros((columns, columns));
    for part in &parts {
        sum += part;
    }
    for i in 0..columns {
        for j in 0..i {
            sum[[i, j]] = sum[[j, i]];
        }
    }
    Ok(sum)
}

/// Adds bᵀb to the tiles on and above the diagonal.
fn add_products(block: &Array2<f64>, sum: &mut Array2<f64>) {
    let columns = block.ncols();
    for i in (0..columns).step_by(TILE) {
        let i_end = (i + TILE).min(columns);
        let left = block.slice(s![.., i..i_end]);
        let right = block.slice(s![.., i..]);
        general_mat_mul(1.0, &left.t(), &right, 1.0, &mut sum.slice_mut(s![i..i_end, i..]));
    }
}

fn sparse(x: &crate::sparse::CsrMatrix, mean: &[f64]) -> Array2<f64> {
    let columns = x.columns();
    let transposed = x.transposed();
    let n = x.rows() as f64;
    let mut sum = vec![0.0; columns * columns];
    sum.par_chunks_mut(columns).enumerate().for_each(|(j, out)| {
        let column = transposed.row(j);
        for (i, v) in column.iter() {
            let row = x.row(i);
            for (l, w) in row.iter() {
                out[l] += v * w;
            }
        }
        for (o, m) in out.iter_mut().zip(mean) {
            *o -= n * mean[j] * m;
        }
    });
    Array2::from_shape_vec((columns, columns), sum).expect("a square")
}
