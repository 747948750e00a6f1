//! Between points and the nodes of the ring grid: spreading masses, interpolating values and gradients.

use std::f64::consts::PI;

use crate::harmonics::kaiser::{KaiserBessel, MAX_WIDTH};
use crate::simd::{Lanes, Real, dispatch};

/// Columns that a row has on its left beyond one turn; on its right it has `RIGHT`.
pub(crate) const LEFT: usize = MAX_WIDTH / 2 + 1;
const RIGHT: usize = MAX_WIDTH + LEFT;

/// The geometry of the grid and the polynomials of the spreading kernel. Nodes are at θ = (j+½)h, φ = k h, h = π/N.
#[derive(Debug)]
pub(crate) struct Stencil<T> {
    rings: usize,
    width: usize,
    taps: Vec<[T; MAX_WIDTH]>,
}

/// A block of consecutive rows of the grid, from row `first` (rows before the pole are negative).
pub(crate) struct Rows<'a, T> {
    pub(crate) first: isize,
    pub(crate) values: &'a [T],
}

/// Value and gradient of a field at a point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) value: f64,
    /// ∂/∂θ.
    pub(crate) south: f64,
    /// ∂/∂φ, not yet divided by sin θ.
    pub(crate) turn: f64,
}

impl<T: Real> Stencil<T> {
    pub(crate) fn new(kernel: &KaiserBessel, rings: usize, accuracy: f64) -> Self {
        let taps = kernel.taps(accuracy).iter().map(|row| row.map(T::of)).collect();
        Self { rings, width: kernel.width(), taps }
    }

    /// Numbers in a row of the grid.
    pub(crate) fn stride(&self) -> usize {
        (LEFT + 2 * self.rings + RIGHT).next_multiple_of(8)
    }

    /// Rows of the grid that a point may touch above or below the ones next to it.
    pub(crate) fn reach(&self) -> usize {
        self.width / 2 + 1
    }

    /// Vectors of taps.
    fn vectors(&self) -> usize {
        self.width.div_ceil(T::LANES)
    }

    /// Adds unit masses at the points to the rows from `first_row` on.
    pub(crate) fn spread(&self, theta: &[f64], phi: &[f64], first_row: isize, rows: &mut [T]) {
        spread_points::<T>(self, theta, phi, first_row, rows);
    }

    /// Samples the field at the points.
    pub(crate) fn interpolate(&self, rows: &Rows<'_, T>, theta: &[f64], phi: &[f64], samples: &mut [Sample]) {
        interpolate_points::<T>(self, rows, theta, phi, samples);
    }

    /// First node of the kernel's support around a position in nodes, and 2f−1 of the first tap.
    #[inline(always)]
    fn locate(&self, t: f64) -> (isize, T) {
        let left = t - 0.5 * self.width as f64;
        // ceil(), without a call where the instruction set has none.
        let truncated = left as i64;
        let first = truncated + i64::from(left > truncated as f64);
        (first as isize, T::of(2.0 * (first as f64 - left) - 1.0))
    }

    /// Positions in nodes of a point.
    #[inline(always)]
    fn nodes(&self, theta: f64, phi: f64) -> (f64, f64) {
        let per_radian = self.rings as f64 / PI;
        (theta * per_radian - 0.5, phi * per_radian)
    }

    #[inline(always)]
    fn tap_values<V: Lanes<T>, const VECTORS: usize>(&self, s: T) -> [V; VECTORS] {
        let s = V::splat(s);
        let mut value = [V::splat(T::default()); VECTORS];
        for row in self.taps.iter().rev() {
            for v in 0..VECTORS {
                value[v] = value[v].mul_add(s, V::load(&row[v * T::LANES..]));
            }
        }
        value
    }

    #[inline(always)]
    fn tap_slopes<V: Lanes<T>, const VECTORS: usize>(&self, s: T) -> ([V; VECTORS], [V; VECTORS]) {
        let s = V::splat(s);
        let mut value = [V::splat(T::default()); VECTORS];
        let mut slope = value;
        for row in self.taps.iter().rev() {
            for v in 0..VECTORS {
                slope[v] = slope[v].mul_add(s, value[v]);
                value[v] = value[v].mul_add(s, V::load(&row[v * T::LANES..]));
            }
        }
        (value, slope)
    }
}

dispatch! {
    fn spread_points(
        stencil: &Stencil<T>, theta: &[f64], phi: &[f64], first_row: isize, rows: &mut [T],
    ) = spread_kernel
}

#[inline(always)]
fn spread_kernel<T: Real, V: Lanes<T>>(
    stencil: &Stencil<T>,
    theta: &[f64],
    phi: &[f64],
    first_row: isize,
    rows: &mut [T],
) {
    match stencil.vectors() {
        1 => spread_wide::<T, V, 1>(stencil, theta, phi, first_row, rows),
        2 => spread_wide::<T, V, 2>(stencil, theta, phi, first_row, rows),
        3 => spread_wide::<T, V, 3>(stencil, theta, phi, first_row, rows),
        _ => spread_wide::<T, V, 4>(stencil, theta, phi, first_row, rows),
    }
}

#[inline(always)]
fn spread_wide<T: Real, V: Lanes<T>, const VECTORS: usize>(
    stencil: &Stencil<T>,
    theta: &[f64],
    phi: &[f64],
    first_row: isize,
    rows: &mut [T],
) {
    let stride = stencil.stride();
    for (&theta, &phi) in theta.iter().zip(phi) {
        let (row, column) = stencil.nodes(theta, phi);
        let (row, row_s) = stencil.locate(row);
        let (column, column_s) = stencil.locate(column);
        let row_taps: [V; VECTORS] = stencil.tap_values(row_s);
        let column_taps: [V; VECTORS] = stencil.tap_values(column_s);
        let mut weights = [T::default(); MAX_WIDTH];
        for v in 0..VECTORS {
            row_taps[v].store(&mut weights[v * T::LANES..]);
        }
        let at = (row - first_row) as usize * stride + (column + LEFT as isize) as usize;
        for (&weight, row) in weights[..stencil.width].iter().zip(rows[at..].chunks_mut(stride)) {
            let weight = V::splat(weight);
            let row = &mut row[..VECTORS * T::LANES];
            for v in 0..VECTORS {
                let cell = &mut row[v * T::LANES..(v + 1) * T::LANES];
                column_taps[v].mul_add(weight, V::load(cell)).store(cell);
            }
        }
    }
}

dispatch! {
    fn interpolate_points(
        stencil: &Stencil<T>, rows: &Rows<'_, T>, theta: &[f64], phi: &[f64], samples: &mut [Sample],
    ) = interpolate_kernel
}

#[inline(always)]
fn interpolate_kernel<T: Real, V: Lanes<T>>(
    stencil: &Stencil<T>,
    rows: &Rows<'_, T>,
    theta: &[f64],
    phi: &[f64],
    samples: &mut [Sample],
) {
    match stencil.vectors() {
        1 => interpolate_wide::<T, V, 1>(stencil, rows, theta, phi, samples),
        2 => interpolate_wide::<T, V, 2>(stencil, rows, theta, phi, samples),
        3 => interpolate_wide::<T, V, 3>(stencil, rows, theta, phi, samples),
        _ => interpolate_wide::<T, V, 4>(stencil, rows, theta, phi, samples),
    }
}

#[inline(always)]
fn interpolate_wide<T: Real, V: Lanes<T>, const VECTORS: usize>(
    stencil: &Stencil<T>,
    rows: &Rows<'_, T>,
    theta: &[f64],
    phi: &[f64],
    samples: &mut [Sample],
) {
    let stride = stencil.stride();
    // A tap is a polynomial in s = 2f − 1, and f falls by one from node to node: d/dθ = −(2/h) d/ds.
    let slope_scale = -2.0 * stencil.rings as f64 / PI;
    for ((&theta, &phi), sample) in theta.iter().zip(phi).zip(samples) {
        let (row, column) = stencil.nodes(theta, phi);
        let (row, row_s) = stencil.locate(row);
        let (column, column_s) = stencil.locate(column);
        let (row_taps, row_slopes): ([V; VECTORS], [V; VECTORS]) = stencil.tap_slopes(row_s);
        let (column_taps, column_slopes): ([V; VECTORS], [V; VECTORS]) = stencil.tap_slopes(column_s);
        let mut weights = [[T::default(); MAX_WIDTH]; 2];
        for v in 0..VECTORS {
            row_taps[v].store(&mut weights[0][v * T::LANES..]);
            row_slopes[v].store(&mut weights[1][v * T::LANES..]);
        }
        let at = (row - rows.first) as usize * stride + (column + LEFT as isize) as usize;
        let mut along = [V::splat(T::default()); VECTORS];
        let mut across = along;
        for (t, row) in rows.values[at..].chunks(stride).take(stencil.width).enumerate() {
            let row = &row[..VECTORS * T::LANES];
            let (weight, slope) = (V::splat(weights[0][t]), V::splat(weights[1][t]));
            for v in 0..VECTORS {
                let values = V::load(&row[v * T::LANES..]);
                along[v] = values.mul_add(weight, along[v]);
                across[v] = values.mul_add(slope, across[v]);
            }
        }
        let mut sums = [V::splat(T::default()); 3];
        for v in 0..VECTORS {
            sums[0] = along[v].mul_add(column_taps[v], sums[0]);
            sums[1] = across[v].mul_add(column_taps[v], sums[1]);
            sums[2] = along[v].mul_add(column_slopes[v], sums[2]);
        }
        *sample = Sample {
            value: sums[0].total().f64(),
            south: slope_scale * sums[1].total().f64(),
            turn: slope_scale * sums[2].total().f64(),
        };
    }
}
