//! Sums over a list of masses, in single precision. This is enough: a cell approximates its points to a percent, and
//! coordinates are relative to a nearby origin.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the detected vector instructions")]

use crate::{
    kernel::Kernel,
    simd::{self, Instructions, Work},
};

/// Entries per iteration of the inner loop. Each has its own sum, so the compiler can use vector registers without
/// changing the order of any sum.
const LANES: usize = 16;

/// Masses and their positions, by axis.
#[derive(Debug)]
pub(super) struct List<const D: usize> {
    axes: [Vec<f32>; D],
    masses: Vec<f32>,
}

impl<const D: usize> Default for List<D> {
    fn default() -> Self {
        Self { axes: std::array::from_fn(|_| Vec::new()), masses: Vec::new() }
    }
}

impl<const D: usize> List<D> {
    pub(super) fn clear(&mut self) {
        self.axes.iter_mut().for_each(Vec::clear);
        self.masses.clear();
    }

    pub(super) fn push(&mut self, at: &[f64; D], mass: f64) {
        for k in 0..D {
            self.axes[k].push(at[k] as f32);
        }
        self.masses.push(mass as f32);
    }

    /// Pads the last block with masses of zero.
    pub(super) fn finish(&mut self) {
        let padded = self.masses.len().next_multiple_of(LANES);
        self.axes.iter_mut().for_each(|axis| axis.resize(padded, 0.0));
        self.masses.resize(padded, 0.0);
    }

    /// Σ m w (y − c) and Σ m q for the point `y`.
    pub(super) fn sums(&self, kernel: Kernel, y: &[f64; D]) -> ([f64; D], f64) {
        let y = y.map(|v| v as f32);
        let sums = match kernel {
            Kernel::Cauchy => simd::run(Cauchy { y: &y, list: self }),
            Kernel::Gaussian => simd::run(Gaussian { y: &y, list: self }),
        };
        let total = |k: usize| sums[k].iter().map(|&v| f64::from(v)).sum::<f64>();
        (std::array::from_fn(total), total(D))
    }
}

/// Lane-wise Σ m q² (y − c) for each axis, then Σ m q.
struct Cauchy<'a, const D: usize> {
    y: &'a [f32; D],
    list: &'a List<D>,
}

impl<const D: usize> Work for Cauchy<'_, D> {
    type Output = [[f32; LANES]; 4];

    // A plain loop without fused operations: the same numbers with any instructions.
    #[inline(always)]
    fn run<S: Instructions>(self, _: S) -> Self::Output {
        let (y, List { axes, masses }) = (self.y, self.list);
        let mut sums = [[0.0; LANES]; 4];
        for (block, masses) in masses.chunks_exact(LANES).enumerate() {
            let (differences, d2) = differences(y, axes, block);
            for lane in 0..LANES {
                let q = 1.0 / (1.0 + d2[lane]);
                let mass_q = masses[lane] * q;
                let w = mass_q * q;
                for k in 0..D {
                    sums[k][lane] += w * differences[k][lane];
                }
                sums[D][lane] += mass_q;
            }
        }
        sums
    }
}

/// Lane-wise Σ m q (y − c) for each axis, then Σ m q.
struct Gaussian<'a, const D: usize> {
    y: &'a [f32; D],
    list: &'a List<D>,
}

impl<const D: usize> Work for Gaussian<'_, D> {
    type Output = [[f32; LANES]; 4];

    // A plain loop without fused operations: the same numbers with any instructions.
    #[inline(always)]
    fn run<S: Instructions>(self, _: S) -> Self::Output {
        let (y, List { axes, masses }) = (self.y, self.list);
        let mut sums = [[0.0; LANES]; 4];
        for (block, masses) in masses.chunks_exact(LANES).enumerate() {
            let (differences, d2) = differences(y, axes, block);
            for lane in 0..LANES {
                let w = masses[lane] * exp_of_minus(d2[lane]);
                for k in 0..D {
                    sums[k][lane] += w * differences[k][lane];
                }
                sums[D][lane] += w;
            }
        }
        sums
    }
}

#[inline(always)]
fn differences<const D: usize>(y: &[f32; D], axes: &[Vec<f32>; D], block: usize) -> ([[f32; LANES]; D], [f32; LANES]) {
    let mut differences = [[0.0; LANES]; D];
    let mut d2 = [0.0; LANES];
    for k in 0..D {
        let values = &axes[k][block * LANES..(block + 1) * LANES];
        for lane in 0..LANES {
            differences[k][lane] = y[k] - values[lane];
            d2[lane] += differences[k][lane] * differences[k][lane];
        }
    }
    (differences, d2)
}

/// exp(−t) for t ≥ 0, without a branch or a call: 2^whole · exp(rest) with |rest| ≤ ln 2/2, where exp(rest) is a power
/// series. From t = 87 on, the limit of single precision, it stays at exp(−87).
#[inline(always)]
fn exp_of_minus(t: f32) -> f32 {
    // Adding this moves the nearest whole number into the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let t = t.min(87.0);
    let shifted = ROUND - t * std::f32::consts::LOG2_E;
    let whole = shifted - ROUND;
    // ln 2 in two parts; the first has few enough digits for an exact product.
    let rest = (-t - whole * 0.693_359_4) + whole * 2.121_944_4e-4;
    let series = 1.0
        + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest / 720.0)))));
    let exponent = shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127) << 23;
    series * f32::from_bits(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Choice;

    #[test]
    fn the_exponential_is_right_to_single_precision() {
        for i in 0..=8700 {
            let t = i as f32 * 0.01;
            let exact = (-f64::from(t)).exp();
            assert!((f64::from(exp_of_minus(t)) / exact - 1.0).abs() < 1e-6, "{t}");
        }
        assert_eq!(exp_of_minus(0.0), 1.0);
        assert!(exp_of_minus(1e30) < 1e-37);
    }
    #[test]
    fn sums_over_a_list_are_the_same_bytes_with_any_instructions() {
        let mut list = List::<3>::default();
        for i in 0..50 {
            let t = 0.9 * f64::from(i);
            list.push(&[t.sin(), 2.0 * t.cos(), 0.1 * t], 1.0 + 0.2 * t);
        }
        list.finish();
        let y = [0.3, -0.2, 0.5];
        let [best, portable] = Choice::both(|choice| choice.run(Cauchy { y: &y, list: &list }));
        assert!(best[3].iter().all(|&z| z > 0.0));
        assert_eq!(best, portable);
        let [best, portable] = Choice::both(|choice| choice.run(Gaussian { y: &y, list: &list }));
        assert!(best[3].iter().all(|&z| z > 0.0));
        assert_eq!(best, portable);
    }
}
