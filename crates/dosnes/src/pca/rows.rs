//! The rows of the points, as the sums over them need them.

use ndarray::{Array2, ArrayView2, Axis};
use rayon::prelude::*;
use std::ops::Range;

use super::BLOCK;
use crate::error::{Error, Quantity};
use crate::sparse::CsrMatrix;

/// Blocks whose sum is added to the mean at once.
const BLOCKS_OF_MEAN: usize = 16;

/// The rows of the points, dense or sparse.
pub(super) enum Rows<'a> {
    Dense(Numbers<'a>),
    Sparse(&'a CsrMatrix<'a>),
}

/// Dense rows. They are copied block by block only, whatever their precision and their order in memory are.
pub(super) enum Numbers<'a> {
    Single(ArrayView2<'a, f32>),
    /// Reduced to single precision after these offsets of the columns were subtracted.
    Double(ArrayView2<'a, f64>, Vec<f64>),
}

impl Numbers<'_> {
    pub(super) fn dim(&self) -> (usize, usize) {
        match self {
            Self::Single(x) => x.dim(),
            Self::Double(x, _) => x.dim(),
        }
    }

    /// Returns an error at the first number that is not finite in single precision.
    fn check(&self) -> Result<(), Error> {
        let found = match self {
            Self::Single(x) => x.indexed_iter().find(|(_, v)| !v.is_finite()).map(|(at, &v)| (at, f64::from(v))),
            Self::Double(x, offsets) => {
                // Where a number is not finite, neither is the offset of its column.
                let infinite = x.indexed_iter().find(|(_, v)| !v.is_finite());
                let too_large = || x.indexed_iter().find(|&((_, j), v)| !((v - offsets[j]) as f32).is_finite());
                infinite.or_else(too_large).map(|(at, &v)| (at, v))
            }
        };
        match found {
            Some(((row, column), value)) => Err(Error::Value { quantity: Quantity::Coordinate, row, column, value }),
            None => Ok(()),
        }
    }

    /// Some rows in double precision, minus their mean, in standard layout.
    pub(super) fn centred(&self, rows: Range<usize>, mean: &[f64]) -> Array2<f64> {
        let mut centred = Array2::zeros((rows.len(), self.dim().1));
        let targets = centred.outer_iter_mut();
        match self {
            Self::Single(x) => {
                for (mut target, row) in targets.zip(x.slice_axis(Axis(0), rows.into()).outer_iter()) {
                    for ((target, &v), m) in target.iter_mut().zip(row).zip(mean) {
                        *target = f64::from(v) - m;
                    }
                }
            }
            Self::Double(x, offsets) => {
                for (mut target, row) in targets.zip(x.slice_axis(Axis(0), rows.into()).outer_iter()) {
                    for (((target, v), offset), m) in target.iter_mut().zip(row).zip(offsets).zip(mean) {
                        *target = f64::from((v - offset) as f32) - m;
                    }
                }
            }
        }
        centred
    }

    /// Σ f(block of centred rows), added over a range of blocks, for each range of this many blocks.
    fn sums<T: Send>(
        &self,
        blocks: usize,
        mean: &[f64],
        zero: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, &Array2<f64>) + Sync,
    ) -> Vec<T> {
        let (n, _) = self.dim();
        let of_range = |range: usize| {
            let first = range * blocks * BLOCK;
            let last = (first + blocks * BLOCK).min(n);
            let mut sum = zero();
            for start in (first..last).step_by(BLOCK) {
                add(&mut sum, &self.centred(start..(start + BLOCK).min(last), mean));
            }
            sum
        };
        (0..n.div_ceil(blocks * BLOCK)).into_par_iter().map(of_range).collect()
    }
}

impl Rows<'_> {
    pub(super) fn shape(&self) -> (usize, usize) {
        match self {
            Self::Dense(x) => x.dim(),
            Self::Sparse(x) => x.shape(),
        }
    }

    /// Returns an error at the first number that is not finite. Sparse matrices contain none.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self {
            Self::Dense(x) => x.check(),
            Self::Sparse(_) => Ok(()),
        }
    }

    pub(super) fn mean(&self) -> Vec<f64> {
        let (n, columns) = self.shape();
        let mut sums = vec![0.0; columns];
        match self {
            Self::Dense(x) => {
                let add = |sums: &mut Vec<f64>, block: &Array2<f64>| {
                    for row in block.outer_iter() {
                        sums.iter_mut().zip(row).for_each(|(sum, v)| *sum += v);
                    }
                };
                let origin = vec![0.0; columns];
                for block_sums in x.sums(BLOCKS_OF_MEAN, &origin, || vec![0.0; columns], add) {
                    sums.iter_mut().zip(block_sums).for_each(|(sum, v)| *sum += v);
                }
            }
            Self::Sparse(x) => {
                for (_, j, v) in x.iter() {
                    sums[j] += v;
                }
            }
        }
        for sum in &mut sums {
            *sum /= n as f64;
        }
        sums
    }

    /// Σ |x − mean|² over all rows.
    pub(super) fn total_scatter(&self, mean: &[f64]) -> f64 {
        match self {
            Self::Dense(x) => {
                let squares = |row: ndarray::ArrayView1<'_, f64>| row.iter().map(|v| v * v).sum::<f64>();
                let add = |sum: &mut f64, block: &Array2<f64>| *sum += block.outer_iter().map(squares).sum::<f64>();
                x.sums(1, mean, || 0.0, add).iter().sum()
            }
            Self::Sparse(x) => {
                let squares: f64 = x.values().iter().map(|v| v * v).sum();
                squares - x.rows() as f64 * mean.iter().map(|m| m * m).sum::<f64>()
            }
        }
    }

    /// The rows in the coordinates of the components.
    pub(super) fn project(&self, mean: &[f64], components: &Array2<f64>) -> Array2<f32> {
        let (n, _) = self.shape();
        let count = components.nrows();
        let by_column = components.t().as_standard_layout().into_owned();
        let offsets: Vec<f64> = components.outer_iter().map(|c| c.iter().zip(mean).map(|(c, m)| c * m).sum()).collect();
        let mut scores = vec![0.0_f32; n * count];
        scores.par_chunks_mut(BLOCK * count).enumerate().for_each(|(block, out)| {
            let first = block * BLOCK;
            let last = (first + BLOCK).min(n);
            match self {
                Self::Dense(x) => {
                    let product = x.centred(first..last, mean).dot(&by_column);
                    for (o, v) in out.iter_mut().zip(product.iter()) {
                        *o = *v as f32;
                    }
                }
                Self::Sparse(x) => {
                    for (i, out) in (first..last).zip(out.chunks_mut(count)) {
                        let mut sums: Vec<f64> = offsets.iter().map(|offset| -offset).collect();
                        for (j, v) in x.row(i).iter() {
                            for (sum, c) in sums.iter_mut().zip(by_column.row(j)) {
                                *sum += v * c;
                            }
                        }
                        for (o, sum) in out.iter_mut().zip(sums) {
                            *o = sum as f32;
                        }
                    }
                }
            }
        });
        Array2::from_shape_vec((n, count), scores).expect("a row of scores for each point")
    }
}
