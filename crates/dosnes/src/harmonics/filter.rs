//! A symmetric filter along a meridian, continued across the pole and the equator.
//!
//! A field of one order is stored as its even and its odd part about the equator, on the northern rings only. The
//! filter is symmetric too, so it does not mix the two parts.

use crate::simd::{self, Instructions, Lanes, Real, Work};

/// Vectors that are processed in parallel chains.
const VECTORS: usize = 2;

/// How one part of a field continues beyond its northern rings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Continuation<T> {
    /// Factor beyond a pole, where the longitude changes by π: (−1)^m for a scalar, the opposite for a component of a
    /// vector.
    pub(crate) pole: T,
    /// Factor beyond the equator: 1 for the even part, −1 for the odd one.
    pub(crate) equator: T,
}

/// Length of a line of `half` rings that is padded to `padded`, with space for the filter on both sides.
pub(crate) fn line_length(padded: usize, reach: usize) -> usize {
    padded + 2 * reach
}

/// Fills the elements before the first and after the last of the `half` rings of a line.
pub(crate) fn continue_line<T: Real>(line: &mut [T], half: usize, reach: usize, by: Continuation<T>) {
    // The meridian and its opposite form one circle of four quarters.
    let quarter = |mut i: usize, mut sign: T| {
        i %= 4 * half;
        if i >= 2 * half {
            i = 4 * half - 1 - i;
            sign = sign * by.pole;
        }
        if i >= half {
            i = 2 * half - 1 - i;
            sign = sign * by.equator;
        }
        (i, sign)
    };
    for t in 0..reach {
        let (i, sign) = quarter(t, by.pole);
        line[reach - 1 - t] = sign * line[reach + i];
        let (i, sign) = quarter(half + t, T::of(1.0));
        line[reach + half + t] = sign * line[reach + i];
    }
}

/// out_j = h_0 x_j + Σ_t h_t (x_{j−t} + x_{j+t}) for a line with its continuation. The length of `out` is a multiple of
/// the vector length.
pub(crate) fn apply<T: Real>(line: &[T], h: &[T], out: &mut [T]) {
    simd::run(Filter { line, h, out });
}

struct Filter<'a, T> {
    line: &'a [T],
    h: &'a [T],
    out: &'a mut [T],
}

impl<T: Real> Work for Filter<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) {
        filter::<T, T::Vector<S>>(simd, self.line, self.h, self.out);
    }
}

#[inline(always)]
fn filter<T: Real, V: Lanes<T>>(simd: V::Proof, line: &[T], h: &[T], out: &mut [T]) {
    let reach = h.len() - 1;
    let width = VECTORS * T::LANES;
    for (block, out) in out.chunks_exact_mut(width).enumerate() {
        // What this block reads, in slices of known lengths, so that the loops need no other check.
        let around = &line[block * width..][..width + 2 * reach];
        let mut sums = [V::splat(simd, T::default()); VECTORS];
        for v in 0..VECTORS {
            sums[v] = V::load(simd, &around[reach + v * T::LANES..]).mul(V::splat(simd, h[0]));
        }
        for (t, &h) in h.iter().enumerate().skip(1) {
            let h = V::splat(simd, h);
            let (before, after) = (&around[reach - t..][..width], &around[reach + t..][..width]);
            for v in 0..VECTORS {
                let both = V::load(simd, &before[v * T::LANES..]).add(V::load(simd, &after[v * T::LANES..]));
                sums[v] = both.mul_add(h, sums[v]);
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
    use crate::simd::Choice;

    #[test]
    fn the_filter_runs_on_the_circle_through_both_poles_with_any_instructions() {
        for (half, taps) in [(8, 5), (8, 25), (24, 12)] {
            for (pole, equator) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                let north: Vec<f64> = (0..half).map(|j| (j as f64 * 0.9).sin() + 0.1).collect();
                let meridian: Vec<f64> =
                    north.iter().copied().chain(north.iter().rev().map(|value| equator * value)).collect();
                let circle: Vec<f64> =
                    meridian.iter().copied().chain(meridian.iter().rev().map(|value| pole * value)).collect();
                let h: Vec<f64> = (0..=taps).map(|t| 1.0 / (1.0 + t as f64)).collect();
                let mut line = vec![0.0; line_length(half, taps)];
                line[taps..taps + half].copy_from_slice(&north);
                continue_line(&mut line, half, taps, Continuation { pole, equator });
                let filtered = Choice::both(|choice| {
                    let mut out = vec![0.0; half];
                    choice.run(Filter { line: &line, h: &h, out: &mut out });
                    out
                });
                for j in 0..half {
                    let at = |offset: isize| circle[(j as isize + offset).rem_euclid(4 * half as isize) as usize];
                    let expected: f64 =
                        (0..=taps as isize).map(|t| h[t as usize] * if t == 0 { at(0) } else { at(t) + at(-t) }).sum();
                    for out in &filtered {
                        assert!((out[j] - expected).abs() < 1e-12, "{half} {taps} {j}: {} {expected}", out[j]);
                    }
                }
            }
        }
    }
}
