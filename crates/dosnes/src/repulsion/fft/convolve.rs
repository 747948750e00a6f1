//! Convolution of a grid with the kernel minus one, by real Fourier transforms of a padded grid.

use super::spline::response;
use crate::kernel::Kernel;
use rayon::prelude::*;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex, num_complex::Complex64};
use rustfft::{Fft, FftPlanner};
use std::sync::Arc;

/// Rows or columns per task: at least one cache line of complex numbers.
const BLOCK: usize = 8;
const PLANNED: &str = "the lengths match the plan";

/// Everything that depends only on the size and the spacing of the grid.
pub(super) struct Convolution {
    /// Nodes along each axis, with the margin.
    padded: [usize; 2],
    /// The transform of the kernel minus one, corrected for the splines on both sides: for each frequency of the second
    /// axis (half of them, since the grid is real), those of the first axis (half of them, since the kernel is even).
    transform: Vec<f64>,
    forward_rows: Arc<dyn RealToComplex<f64>>,
    backward_rows: Arc<dyn ComplexToReal<f64>>,
    forward_columns: Arc<dyn Fft<f64>>,
    backward_columns: Arc<dyn Fft<f64>>,
    spectrum: Vec<Complex64>,
    columns: Vec<Complex64>,
}

impl Convolution {
    pub(super) fn new(kernel: Kernel, spacing: f64, padded: [usize; 2]) -> Self {
        let (mut along_rows, mut along_columns) = (RealFftPlanner::new(), FftPlanner::new());
        Self {
            padded,
            transform: transform(kernel, spacing, padded),
            forward_rows: along_rows.plan_fft_forward(padded[1]),
            backward_rows: along_rows.plan_fft_inverse(padded[1]),
            forward_columns: along_columns.plan_fft_forward(padded[0]),
            backward_columns: along_columns.plan_fft_inverse(padded[0]),
            spectrum: Vec::new(),
            columns: Vec::new(),
        }
    }

    /// Nodes along each axis, with the margin.
    pub(super) fn padded(&self) -> [usize; 2] {
        self.padded
    }

    /// Replaces `grid`, `rows` rows of `padded[1]` nodes, by its convolution with the kernel minus one. The rows of the
    /// margin are not stored: they are zero before, and not needed after.
    pub(super) fn apply(&mut self, grid: &mut [f64], rows: usize) {
        let [padded_rows, padded_columns] = self.padded;
        let half = padded_columns / 2 + 1;
        let zero = Complex64::default();
        self.spectrum.resize(rows * half, zero);
        self.columns.resize(half * rows, zero);
        let scratch = || self.forward_rows.make_scratch_vec();
        self.spectrum.par_chunks_mut(half).zip(grid.par_chunks_mut(padded_columns)).with_min_len(BLOCK).for_each_init(
            scratch,
            |scratch, (spectrum, row)| {
                self.forward_rows.process_with_scratch(row, spectrum, scratch).expect(PLANNED);
            },
        );
        let spectrum = &self.spectrum;
        let longest =
            self.forward_columns.get_inplace_scratch_len().max(self.backward_columns.get_inplace_scratch_len());
        let scratch = || (vec![zero; BLOCK * padded_rows], vec![zero; longest]);
        self.columns.par_chunks_mut(BLOCK * rows).enumerate().for_each_init(
            scratch,
            |(block, scratch), (at, columns)| {
                let first = at * BLOCK;
                let count = columns.len() / rows;
                for (row, values) in spectrum.chunks_exact(half).enumerate() {
                    for (column, value) in values[first..first + count].iter().enumerate() {
                        block[column * padded_rows + row] = *value;
                    }
                }
                for (column, target) in columns.chunks_exact_mut(rows).enumerate() {
                    let values = &mut block[column * padded_rows..(column + 1) * padded_rows];
                    values[rows..].fill(zero);
                    self.forward_columns.process_with_scratch(values, scratch);
                    let middle = padded_rows / 2 + 1;
                    let factors = &self.transform[(first + column) * middle..(first + column + 1) * middle];
                    for (value, factor) in values.iter_mut().zip(factors) {
                        *value *= factor;
                    }
                    for (value, factor) in
                        values[middle..].iter_mut().zip(factors[1..=padded_rows - middle].iter().rev())
                    {
                        *value *= factor;
                    }
                    self.backward_columns.process_with_scratch(values, scratch);
                    target.copy_from_slice(&values[..rows]);
                }
            },
        );
        let columns = &self.columns;
        let scratch = || (vec![zero; BLOCK * half], self.backward_rows.make_scratch_vec());
        grid.par_chunks_mut(BLOCK * padded_columns).enumerate().for_each_init(
            scratch,
            |(block, scratch), (at, grid)| {
                let first = at * BLOCK;
                let count = grid.len() / padded_columns;
                for (column, values) in columns.chunks_exact(rows).enumerate() {
                    for (row, value) in values[first..first + count].iter().enumerate() {
                        block[row * half + column] = *value;
                    }
                }
                for (row, values) in grid.chunks_exact_mut(padded_columns).zip(block.chunks_exact_mut(half)) {
                    // For a real grid these are real. Rounding may change that, and the inverse transform would reject
                    // it.
                    values[0].im = 0.0;
                    if padded_columns % 2 == 0 {
                        values[half - 1].im = 0.0;
                    }
                    self.backward_rows.process_with_scratch(values, row, scratch).expect(PLANNED);
                }
            },
        );
    }
}

/// The transform of the kernel minus one, sampled on the padded grid, divided by the splines' response on both sides
/// and by the normalisation of the transforms.
fn transform(kernel: Kernel, spacing: f64, padded: [usize; 2]) -> Vec<f64> {
    let half = padded.map(|size| size / 2 + 1);
    let over: [Vec<f64>; 2] =
        std::array::from_fn(|axis| (0..half[axis]).map(|k| response(k, padded[axis]).powi(-2)).collect());
    let factor = 1.0 / (padded[0] * padded[1]) as f64;
    // First along the second axis, for each distance along the first. Both are even, so half of the samples are enough.
    let mut planner = RealFftPlanner::new();
    let along_rows = planner.plan_fft_forward(padded[1]);
    let mut rows = vec![0.0; half[0] * half[1]];
    rows.par_chunks_mut(half[1]).enumerate().for_each(|(i, out)| {
        let mut row: Vec<f64> = (0..padded[1])
            .map(|j| {
                let distance = [i, j.min(padded[1] - j)].map(|steps| steps as f64 * spacing);
                kernel.less_one(distance[0] * distance[0] + distance[1] * distance[1])
            })
            .collect();
        let mut spectrum = vec![Complex64::default(); half[1]];
        along_rows.process(&mut row, &mut spectrum).expect(PLANNED);
        out.iter_mut().zip(&spectrum).for_each(|(out, value)| *out = value.re);
    });
    let along_columns = planner.plan_fft_forward(padded[0]);
    let mut transform = vec![0.0; half[1] * half[0]];
    transform.par_chunks_mut(half[0]).enumerate().for_each(|(k, out)| {
        let mut column: Vec<f64> = (0..padded[0]).map(|i| rows[i.min(padded[0] - i) * half[1] + k]).collect();
        let mut spectrum = vec![Complex64::default(); half[0]];
        along_columns.process(&mut column, &mut spectrum).expect(PLANNED);
        for (l, (out, value)) in out.iter_mut().zip(&spectrum).enumerate() {
            *out = value.re * over[0][l] * over[1][k] * factor;
        }
    });
    transform
}
