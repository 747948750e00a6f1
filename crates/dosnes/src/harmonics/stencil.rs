//! Spreading of masses from points to the nodes of the ring grid, and interpolation of values and gradients back to
//! points.

use std::f64::consts::PI;

use crate::harmonics::kaiser::{KaiserBessel, MAX_WIDTH};
use crate::simd::{self, Instructions, Lanes, Real, Work};

/// Extra columns of a row on its left, beyond one turn; `RIGHT` is the number on its right.
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

    /// Length of a row of the grid.
    pub(crate) fn stride(&self) -> usize {
        (LEFT + 2 * self.rings + RIGHT).next_multiple_of(8)
    }

    /// Rows of the grid that a point may touch above or below the adjacent ones.
    pub(crate) fn reach(&self) -> usize {
        self.width / 2 + 1
    }

    /// Number of vectors that hold the taps.
    fn vectors(&self) -> usize {
        self.width.div_ceil(T::LANES)
    }

    /// Adds unit masses at the points to the rows, which start at `first_row`.
    pub(crate) fn spread(&self, theta: &[f64], phi: &[f64], first_row: isize, rows: &mut [T]) {
        simd::run(Spread { stencil: self, theta, phi, first_row, rows });
    }

    /// Samples the field at the points.
    pub(crate) fn interpolate(&self, rows: &Rows<'_, T>, theta: &[f64], phi: &[f64], samples: &mut [Sample]) {
        simd::run(Interpolate { stencil: self, rows, theta, phi, samples });
    }

    /// First node of the kernel's support around a position (in nodes), and 2f−1 of the first tap.
    #[inline(always)]
    fn locate(&self, t: f64) -> (isize, T) {
        let left = t - 0.5 * self.width as f64;
        // ceil(), without a function call on processors that lack the instruction.
        let truncated = left as i64;
        let first = truncated + i64::from(left > truncated as f64);
        (first as isize, T::of(2.0 * (first as f64 - left) - 1.0))
    }

    /// The position of a point, in nodes.
    #[inline(always)]
    fn nodes(&self, theta: f64, phi: f64) -> (f64, f64) {
        let per_radian = self.rings as f64 / PI;
        (theta * per_radian - 0.5, phi * per_radian)
    }

    #[inline(always)]
    fn tap_values<V: Lanes<T>, const VECTORS: usize>(&self, simd: V::Proof, s: T) -> [V; VECTORS] {
        let s = V::splat(simd, s);
        let mut value = [V::splat(simd, T::default()); VECTORS];
        for row in self.taps.iter().rev() {
            for v in 0..VECTORS {
                value[v] = value[v].mul_add(s, V::load(simd, &row[v * T::LANES..]));
            }
        }
        value
    }

    #[inline(always)]
    fn tap_slopes<V: Lanes<T>, const VECTORS: usize>(&self, simd: V::Proof, s: T) -> ([V; VECTORS], [V; VECTORS]) {
        let s = V::splat(simd, s);
        let mut value = [V::splat(simd, T::default()); VECTORS];
        let mut slope = value;
        for row in self.taps.iter().rev() {
            for v in 0..VECTORS {
                slope[v] = slope[v].mul_add(s, value[v]);
                value[v] = value[v].mul_add(s, V::load(simd, &row[v * T::LANES..]));
            }
        }
        (value, slope)
    }
}

struct Spread<'a, T> {
    stencil: &'a Stencil<T>,
    theta: &'a [f64],
    phi: &'a [f64],
    first_row: isize,
    rows: &'a mut [T],
}

impl<T: Real> Work for Spread<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) {
        match self.stencil.vectors() {
            1 => spread::<T, T::Vector<S>, 1>(simd, self),
            2 => spread::<T, T::Vector<S>, 2>(simd, self),
            3 => spread::<T, T::Vector<S>, 3>(simd, self),
            _ => spread::<T, T::Vector<S>, 4>(simd, self),
        }
    }
}

#[inline(always)]
fn spread<T: Real, V: Lanes<T>, const VECTORS: usize>(simd: V::Proof, work: Spread<'_, T>) {
    let Spread { stencil, theta, phi, first_row, rows } = work;
    let stride = stencil.stride();
    for (&theta, &phi) in theta.iter().zip(phi) {
        let (row, column) = stencil.nodes(theta, phi);
        let (row, row_s) = stencil.locate(row);
        let (column, column_s) = stencil.locate(column);
        let row_taps: [V; VECTORS] = stencil.tap_values(simd, row_s);
        let column_taps: [V; VECTORS] = stencil.tap_values(simd, column_s);
        let mut weights = [T::default(); MAX_WIDTH];
        for v in 0..VECTORS {
            row_taps[v].store(&mut weights[v * T::LANES..]);
        }
        let at = (row - first_row) as usize * stride + (column + LEFT as isize) as usize;
        for (&weight, row) in weights[..stencil.width].iter().zip(rows[at..].chunks_mut(stride)) {
            let weight = V::splat(simd, weight);
            let row = &mut row[..VECTORS * T::LANES];
            for v in 0..VECTORS {
                let cell = &mut row[v * T::LANES..(v + 1) * T::LANES];
                column_taps[v].mul_add(weight, V::load(simd, cell)).store(cell);
            }
        }
    }
}

struct Interpolate<'a, T> {
    stencil: &'a Stencil<T>,
    rows: &'a Rows<'a, T>,
    theta: &'a [f64],
    phi: &'a [f64],
    samples: &'a mut [Sample],
}

impl<T: Real> Work for Interpolate<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) {
        match self.stencil.vectors() {
            1 => interpolate::<T, T::Vector<S>, 1>(simd, self),
            2 => interpolate::<T, T::Vector<S>, 2>(simd, self),
            3 => interpolate::<T, T::Vector<S>, 3>(simd, self),
            _ => interpolate::<T, T::Vector<S>, 4>(simd, self),
        }
    }
}

#[inline(always)]
fn interpolate<T: Real, V: Lanes<T>, const VECTORS: usize>(simd: V::Proof, work: Interpolate<'_, T>) {
    let Interpolate { stencil, rows, theta, phi, samples } = work;
    let stride = stencil.stride();
    // A tap is a polynomial in s = 2f − 1, and f decreases by one from node to node: d/dθ = −(2/h) d/ds.
    let slope_scale = -2.0 * stencil.rings as f64 / PI;
    for ((&theta, &phi), sample) in theta.iter().zip(phi).zip(samples) {
        let (row, column) = stencil.nodes(theta, phi);
        let (row, row_s) = stencil.locate(row);
        let (column, column_s) = stencil.locate(column);
        let (row_taps, row_slopes): ([V; VECTORS], [V; VECTORS]) = stencil.tap_slopes(simd, row_s);
        let (column_taps, column_slopes): ([V; VECTORS], [V; VECTORS]) = stencil.tap_slopes(simd, column_s);
        let mut weights = [[T::default(); MAX_WIDTH]; 2];
        for v in 0..VECTORS {
            row_taps[v].store(&mut weights[0][v * T::LANES..]);
            row_slopes[v].store(&mut weights[1][v * T::LANES..]);
        }
        let at = (row - rows.first) as usize * stride + (column + LEFT as isize) as usize;
        let mut along = [V::splat(simd, T::default()); VECTORS];
        let mut across = along;
        for (t, row) in rows.values[at..].chunks(stride).take(stencil.width).enumerate() {
            let row = &row[..VECTORS * T::LANES];
            let (weight, slope) = (V::splat(simd, weights[0][t]), V::splat(simd, weights[1][t]));
            for v in 0..VECTORS {
                let values = V::load(simd, &row[v * T::LANES..]);
                along[v] = values.mul_add(weight, along[v]);
                across[v] = values.mul_add(slope, across[v]);
            }
        }
        let mut sums = [V::splat(simd, T::default()); 3];
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Choice;

    /// Compares both kinds of instructions, on a few points of a grid of 40 rings.
    fn compare<T: Real>(width: usize) {
        let rings = 40;
        let stencil = Stencil::<T>::new(&KaiserBessel::new(width), rings, 1e-6);
        let reach = stencil.reach() as isize;
        let first_row = -reach;
        let cells = stencil.stride() * (rings + 2 * stencil.reach() + 1);
        let theta: Vec<f64> = (0..30).map(|i| 0.1 + 0.098 * f64::from(i)).collect();
        let phi: Vec<f64> = (0..30).map(|i| (2.4 * f64::from(i)).rem_euclid(2.0 * PI)).collect();
        let field: Vec<T> = (0..cells).map(|i| T::of((0.37 * i as f64).sin())).collect();
        let [best, portable] = Choice::both(|choice| {
            let mut rows = vec![T::default(); cells];
            choice.run(Spread { stencil: &stencil, theta: &theta, phi: &phi, first_row, rows: &mut rows });
            let mut samples = vec![Sample::default(); theta.len()];
            let rows_of_field = Rows { first: first_row, values: &field };
            choice.run(Interpolate {
                stencil: &stencil,
                rows: &rows_of_field,
                theta: &theta,
                phi: &phi,
                samples: &mut samples,
            });
            (rows, samples)
        });
        // A tap is a polynomial of about twenty terms, none much larger than 1; a sample adds width² products.
        let bound = 100.0 * T::EPSILON;
        let total: f64 = best.0.iter().map(|x| x.f64()).sum();
        assert!(total > 0.0);
        for (best, portable) in best.0.iter().zip(&portable.0) {
            assert!((best.f64() - portable.f64()).abs() <= bound, "{best:?} {portable:?}");
        }
        let samples = (width * width) as f64 * bound;
        for (best, portable) in best.1.iter().zip(&portable.1) {
            assert!((best.value - portable.value).abs() <= samples, "{best:?} {portable:?}");
            let slopes = samples * rings as f64;
            assert!((best.south - portable.south).abs() <= slopes, "{best:?} {portable:?}");
            assert!((best.turn - portable.turn).abs() <= slopes, "{best:?} {portable:?}");
        }
    }

    #[test]
    fn spreading_and_interpolating_are_the_same_to_rounding_with_any_instructions() {
        for width in [4, 7, 12] {
            compare::<f32>(width);
            compare::<f64>(width);
        }
    }
}
