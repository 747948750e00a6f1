//! A symmetric filter along a meridian, continued across the poles.

use crate::simd::{Lanes, Real, dispatch};

/// Vectors that run side by side.
const VECTORS: usize = 4;

/// A line of values at the rings of one order, with room on both sides for the filter.
#[derive(Debug, Default)]
pub(crate) struct Line<T> {
    values: Vec<T>,
}

impl<T: Real> Line<T> {
    /// Applies h_0 … h_T to `rings` values. Crossing a pole turns the longitude by π: `parity` is (−1)^m for a scalar field,
    /// the opposite for a component of a vector.
    pub(crate) fn filter(&mut self, value: impl Fn(usize) -> T, rings: usize, parity: T, h: &[T], out: &mut Vec<T>) {
        let reach = h.len() - 1;
        let padded = rings.next_multiple_of(VECTORS * T::LANES);
        self.values.resize(padded + 2 * reach, T::default());
        for j in 0..rings {
            self.values[reach + j] = value(j);
        }
        for t in 0..reach {
            self.values[reach - 1 - t] = beyond(t, rings, parity, &value);
            self.values[reach + rings + t] = beyond(t, rings, parity, |j| value(rings - 1 - j));
        }
        out.resize(padded, T::default());
        apply::<T>(&self.values, h, out);
    }
}

/// The value t + 1 rings beyond the pole where `value` begins.
fn beyond<T: Real>(t: usize, rings: usize, parity: T, value: impl Fn(usize) -> T) -> T {
    // A meridian and its opposite are one circle of 2N rings: ring −1−t of the one is ring t of the other.
    let around = t % (2 * rings);
    if around < rings { parity * value(around) } else { value(2 * rings - 1 - around) }
}

dispatch! {
    fn apply(values: &[T], h: &[T], out: &mut [T]) = apply_kernel
}

#[inline(always)]
fn apply_kernel<T: Real, V: Lanes<T>>(values: &[T], h: &[T], out: &mut [T]) {
    let reach = h.len() - 1;
    for (block, out) in out.chunks_exact_mut(VECTORS * T::LANES).enumerate() {
        let at = block * VECTORS * T::LANES + reach;
        let load = |offset: usize, v: usize| V::load(&values[offset + v * T::LANES..]);
        let mut sums: [V; VECTORS] = std::array::from_fn(|v| load(at, v).mul(V::splat(h[0])));
        for (t, &h) in h.iter().enumerate().skip(1) {
            let h = V::splat(h);
            for v in 0..VECTORS {
                sums[v] = load(at - t, v).add(load(at + t, v)).mul_add(h, sums[v]);
            }
        }
        for v in 0..VECTORS {
            sums[v].store(&mut out[v * T::LANES..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_runs_on_the_circle_through_both_poles() {
        for (rings, taps) in [(16, 5), (10, 25), (50, 12)] {
            for parity in [1.0, -1.0] {
                let field: Vec<f64> = (0..rings).map(|j| (j as f64 * 0.9).sin() + 0.1).collect();
                let circle: Vec<f64> =
                    field.iter().copied().chain(field.iter().rev().map(|value| parity * value)).collect();
                let h: Vec<f64> = (0..=taps).map(|t| 1.0 / (1.0 + t as f64)).collect();
                let mut out = Vec::new();
                Line::default().filter(|j| field[j], rings, parity, &h, &mut out);
                for j in 0..rings {
                    let at = |offset: isize| circle[(j as isize + offset).rem_euclid(2 * rings as isize) as usize];
                    let expected: f64 =
                        (0..=taps as isize).map(|t| h[t as usize] * if t == 0 { at(0) } else { at(t) + at(-t) }).sum();
                    assert!((out[j] - expected).abs() < 1e-12, "{rings} {taps} {j}: {} {expected}", out[j]);
                }
            }
        }
    }
}
