//! Sums in double precision.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the detected vector instructions")]

use super::{Pull, ROWS};
use crate::{
    kernel::Kernel,
    simd::{self, Instructions, Work},
    sparse::CsrMatrix,
};
use rayon::prelude::*;

pub(super) struct Pairs {
    kernel: Kernel,
    row_starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

impl Pairs {
    pub(super) fn new(p: &CsrMatrix, total: f64, kernel: Kernel) -> Self {
        let (row_starts, indices, mut values) = p.clone().into_parts();
        for value in &mut values {
            *value /= total;
        }
        Self { kernel, row_starts, indices, values }
    }

    pub(super) fn add<const D: usize>(
        &self,
        points: &[[f64; D]],
        scale: f64,
        factor: f64,
        forces: &mut [[f64; D]],
        weights: &mut [f64],
    ) -> Vec<Pull> {
        forces
            .par_chunks_mut(ROWS)
            .zip(weights.par_chunks_mut(ROWS))
            .enumerate()
            .map(|(chunk, (forces, weights))| {
                let mut pull = Pull::default();
                for (offset, (force, weight)) in forces.iter_mut().zip(weights).enumerate() {
                    let (own, own_weight, of_row) = self.row(chunk * ROWS + offset, points, scale);
                    *force = std::array::from_fn(|k| force[k] + factor * own[k]);
                    *weight = own_weight;
                    pull = pull + of_row;
                }
                pull
            })
            .collect()
    }

    /// Force, weight and pull of a point.
    fn row<const D: usize>(&self, i: usize, points: &[[f64; D]], scale: f64) -> ([f64; D], f64, Pull) {
        let range = self.row_starts[i]..self.row_starts[i + 1];
        let (indices, values) = (&self.indices[range.clone()], &self.values[range]);
        match self.kernel {
            Kernel::Cauchy => simd::run(CauchyRow { point: &points[i], points, scale, indices, values }),
            Kernel::Gaussian => gaussian_row(&points[i], points, scale, indices, values),
        }
    }
}

/// Pairs per iteration. Each has its own lane, so the compiler can use vector registers without changing the order of
/// any sum.
const LANES: usize = 8;

/// Force, weight and pull of a point, from its pairs.
#[derive(Clone, Copy)]
struct CauchyRow<'a, const D: usize> {
    point: &'a [f64; D],
    points: &'a [[f64; D]],
    scale: f64,
    indices: &'a [u32],
    values: &'a [f64],
}

impl<const D: usize> Work for CauchyRow<'_, D> {
    type Output = ([f64; D], f64, Pull);

    // Plain loops without fused operations: the same numbers with any instructions.
    #[inline(always)]
    fn run<S: Instructions>(self, _: S) -> Self::Output {
        let Self { point, points, scale, indices, values } = self;
        let mut force = [[0.0; LANES]; D];
        let [mut weight, mut energy, mut slope, mut curvature] = [[0.0; LANES]; 4];
        for (indices, values) in indices.chunks(LANES).zip(values.chunks(LANES)) {
            // The last block is padded with pairs of similarity zero.
            let (mut differences, mut p) = ([[0.0; LANES]; D], [0.0; LANES]);
            p[..values.len()].copy_from_slice(values);
            for (lane, &j) in indices.iter().enumerate() {
                let other = &points[j as usize];
                for k in 0..D {
                    differences[k][lane] = scale * point[k] - scale * other[k];
                }
            }
            for lane in 0..LANES {
                let mut d2 = 0.0;
                for along in &differences {
                    d2 += along[lane] * along[lane];
                }
                let q = 1.0 / (1.0 + d2);
                let w = p[lane] * q;
                weight[lane] += w;
                energy[lane] += p[lane] * ln_from_one(1.0 + d2);
                slope[lane] += w * d2;
                curvature[lane] += w * d2 * q;
                for k in 0..D {
                    force[k][lane] += w * differences[k][lane];
                }
            }
        }
        let total = |lanes: [f64; LANES]| lanes.iter().sum::<f64>();
        let pull = Pull { energy: total(energy), slope: 2.0 * total(slope), curvature: 4.0 * total(curvature) };
        (force.map(total), total(weight), pull)
    }
}

fn gaussian_row<const D: usize>(
    point: &[f64; D],
    points: &[[f64; D]],
    scale: f64,
    indices: &[u32],
    values: &[f64],
) -> ([f64; D], f64, Pull) {
    let (mut force, mut weight, mut energy) = ([0.0; D], 0.0, 0.0);
    for (&j, &p) in indices.iter().zip(values) {
        for k in 0..D {
            let difference = scale * point[k] - scale * points[j as usize][k];
            force[k] += p * difference;
            energy += p * difference * difference;
        }
        weight += p;
    }
    (force, weight, Pull { energy, slope: 2.0 * energy, curvature: 4.0 * energy })
}

/// log x for x ≥ 1, with an error of 3e-16 relative to the larger of 1 and the result. Without branches or calls, so
/// that it becomes vector instructions.
#[inline(always)]
fn ln_from_one(x: f64) -> f64 {
    // x = 2^power · m, with m between √½ and √2.
    const ROOT_HALF_BITS: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    const MANTISSA: u32 = f64::MANTISSA_DIGITS - 1;
    const TWO_TO_MANTISSA: f64 = (1_u64 << MANTISSA) as f64;
    let bits = x.to_bits();
    let power = (bits - ROOT_HALF_BITS) >> MANTISSA;
    let m = f64::from_bits(bits - (power << MANTISSA));
    // There is no vector instruction for the conversion, but an addition does it.
    let power = f64::from_bits(TWO_TO_MANTISSA.to_bits() | power) - TWO_TO_MANTISSA;
    // log m = 2 artanh s = 2 Σ s^(2k+1) / (2k+1), |s| < 0.172.
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let mut series = 0.0;
    let mut k = 11;
    while k > 0 {
        k -= 1;
        series = series * square + 2.0 / f64::from(2 * k + 1);
    }
    power * std::f64::consts::LN_2 + s * series
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Choice;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn logarithms_are_those_of_the_library(exponent in 0.0..300.0_f64) {
            for x in [1.0, 1.0 + 10_f64.powf(-exponent / 20.0), 10_f64.powf(exponent), std::f64::consts::SQRT_2] {
                prop_assert!((ln_from_one(x) - x.ln()).abs() <= 3e-16 * x.ln().max(1.0), "{x}");
            }
        }

        /// Rows of any length, with a full or a partial last block.
        #[test]
        fn a_row_is_the_sum_over_its_pairs_with_any_instructions(others in prop::collection::vec(prop::array::uniform4(-3.0..3.0_f64), 0..40)) {
            let scale = 1.7;
            let points: Vec<[f64; 3]> =
                std::iter::once([0.3, -0.2, 0.9]).chain(others.iter().map(|o| [o[0], o[1], o[2]])).collect();
            let indices: Vec<u32> = (1..points.len() as u32).collect();
            let values: Vec<f64> = others.iter().map(|o| 10_f64.powf(o[3])).collect();
            let row = CauchyRow { point: &points[0], points: &points, scale, indices: &indices, values: &values };
            let [(force, weight, pull), portable] = Choice::both(|choice| choice.run(row));
            prop_assert_eq!((force, weight, pull), portable);
            let (mut expected_force, mut expected_weight, mut expected) = ([0.0; 3], 0.0, Pull::default());
            for (&j, &p) in indices.iter().zip(&values) {
                let difference: [f64; 3] = std::array::from_fn(|k| scale * (points[0][k] - points[j as usize][k]));
                let d2: f64 = difference.iter().map(|v| v * v).sum();
                let w = p / (1.0 + d2);
                expected_weight += w;
                for k in 0..3 {
                    expected_force[k] += w * difference[k];
                }
                expected = expected
                    + Pull { energy: p * d2.ln_1p(), slope: 2.0 * w * d2, curvature: 4.0 * w * d2 / (1.0 + d2) };
            }
            let scale = values.iter().sum::<f64>() * 10.0;
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-14 * scale;
            prop_assert!((0..3).all(|k| near(force[k], expected_force[k])) && near(weight, expected_weight));
            prop_assert!(near(pull.energy, expected.energy), "{pull:?} {expected:?}");
            prop_assert!(near(pull.slope, expected.slope) && near(pull.curvature, expected.curvature));
        }
    }
}
