//! Rows of numbers in half precision: 11 significant bits, which is enough for the order of neighbours.

use ndarray::{Array2, ArrayView2};

/// Rows in half precision: a value is `half · scale + offset` of its column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HalfRows {
    pub(crate) dimensions: usize,
    /// Powers of two, so that scaling causes no rounding.
    pub(crate) scales: Vec<f32>,
    pub(crate) offsets: Vec<f32>,
    /// Row by row.
    pub(crate) values: Vec<u16>,
}

impl HalfRows {
    /// Chooses scales for `rows`, and rounds them. `centred`: a column that is not exact in half precision is centred first,
    /// so that its differences are as exact as possible.
    pub(crate) fn new(rows: &ArrayView2<'_, f32>, centred: bool) -> Self {
        let mut half = Self {
            dimensions: rows.ncols(),
            scales: Vec::with_capacity(rows.ncols()),
            offsets: Vec::with_capacity(rows.ncols()),
            values: Vec::new(),
        };
        for column in rows.columns() {
            let is_exact = column.iter().all(|&v| to_f32(from_f32(v)) == v);
            let mean = column.iter().map(|&v| f64::from(v) / column.len().max(1) as f64).sum::<f64>() as f32;
            let offset = if centred && !is_exact { mean } else { 0.0 };
            let largest = column.iter().fold(0.0_f32, |m, &v| m.max((v - offset).abs()));
            let scale = if is_exact || largest == 0.0 { 1.0 } else { largest.log2().ceil().exp2() };
            half.scales.push(scale);
            half.offsets.push(offset);
        }
        half.append(rows);
        half
    }

    /// Appends rows, rounded with the scales of the others. Values beyond the range are cut off.
    pub(crate) fn append(&mut self, rows: &ArrayView2<'_, f32>) {
        for row in rows.rows() {
            for ((&v, scale), offset) in row.iter().zip(&self.scales).zip(&self.offsets) {
                self.values.push(from_f32(((v - offset) / scale).clamp(-LARGEST, LARGEST)));
            }
        }
    }

    /// The rows without any, for rows that are rounded in the same way.
    pub(crate) fn emptied(&self) -> Self {
        Self { values: Vec::new(), ..self.clone() }
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len() / self.dimensions.max(1)
    }

    /// The rounded rows.
    pub(crate) fn to_array(&self) -> Array2<f32> {
        Array2::from_shape_fn((self.len(), self.dimensions), |(i, j)| {
            to_f32(self.values[i * self.dimensions + j]) * self.scales[j] + self.offsets[j]
        })
    }
}

/// The largest number in half precision.
const LARGEST: f32 = 65504.0;

/// The nearest number in half precision (IEEE 754 binary16), ties to even.
pub(crate) fn from_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = ((bits >> 16) & 0x8000) as u16;
    let size = bits & 0x7fff_ffff;
    if size >= 0x4780_0000 {
        // Too large, infinite, or not a number.
        return sign | if size > 0x7f80_0000 { 0x7e00 } else { 0x7c00 };
    }
    if size < 0x3880_0000 {
        // Subnormal: a multiple of 2⁻²⁴. Adding 0.5 in single precision rounds to these multiples.
        let rounded = f32::from_bits(size) + 0.5;
        return sign | (rounded.to_bits() - 0.5_f32.to_bits()) as u16;
    }
    let odd = (size >> 13) & 1;
    sign | ((size + 0x0fff + odd - 0x3800_0000) >> 13) as u16
}

/// The value of a number in half precision.
pub(crate) fn to_f32(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let size = u32::from(half & 0x7fff);
    let value = match size >> 10 {
        0 => size as f32 * 2.0_f32.powi(-24),
        31 => f32::from_bits(0x7f80_0000 | (size & 0x3ff) << 13),
        _ => f32::from_bits((size << 13) + 0x3800_0000),
    };
    f32::from_bits(sign | value.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_half_comes_back() {
        for half in 0..=u16::MAX {
            let value = to_f32(half);
            if value.is_nan() {
                assert!(to_f32(from_f32(value)).is_nan());
            } else {
                assert_eq!(from_f32(value), half, "{value}");
            }
        }
    }

    proptest! {
        #[test]
        fn rounding_is_to_the_nearest(value in -7e4_f32..7e4, exponent in -30_i32..1) {
            let value = value * 2.0_f32.powi(exponent);
            let half = from_f32(value);
            let error = |half: u16| (f64::from(to_f32(half)) - f64::from(value)).abs();
            // Beyond the largest number by less than half a step, the nearest one is the largest.
            if to_f32(half).is_finite() {
                prop_assert!(error(half) <= error(half ^ 1).min(error(half.wrapping_add(1))), "{value}");
                prop_assert!(half.trailing_zeros() >= 15 || error(half) <= error(half - 1), "{value}");
            } else {
                prop_assert!(value.abs() >= 65520.0);
            }
        }
    }

    #[test]
    fn whole_numbers_are_exact_and_others_nearly() {
        let rows = Array2::from_shape_fn((100, 2), |(i, j)| if j == 0 { i as f32 } else { 1e6 + (i as f32).sin() });
        let half = HalfRows::new(&rows.view(), true);
        let back = half.to_array();
        for i in 0..100 {
            assert_eq!(back[[i, 0]], rows[[i, 0]]);
            // Single precision has steps of 1/16 at a million, and half precision 2⁻¹¹ of the deviation from the mean.
            assert!((back[[i, 1]] - rows[[i, 1]]).abs() < 0.07);
        }
    }
}
