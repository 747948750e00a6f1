//! Positions as integers: small in the file, with an error that is not visible.

use ndarray::{ArrayView1, ArrayView2};

use crate::extent::Extent;

/// Bits per coordinate of final positions. On the sphere the error is below 3e-7 radians: less than a twentieth of a pixel on
/// a globe with a radius of 100,000 pixels.
pub(super) const FINE_BITS: u32 = 24;
/// Bits per coordinate of snapshots, which are visible only during the animation.
pub(super) const COARSE_BITS: u32 = 16;

/// The direction of `v` in octahedral coordinates, each in [-1, 1]: the sphere is projected to an octahedron, whose
/// lower half is unfolded to the corners of a square (Cigolle et al., JCGT 3(2), 2014).
pub(super) fn octahedral(v: ArrayView1<'_, f64>) -> [f64; 2] {
    // Divided by the largest coordinate first, so that tiny and huge vectors do not underflow or overflow.
    let largest = v[0].abs().max(v[1].abs()).max(v[2].abs());
    let (x, y, z) = (v[0] / largest, v[1] / largest, v[2] / largest);
    let sum = x.abs() + y.abs() + z.abs();
    let (x, y, z) = (x / sum, y / sum, z / sum);
    if z >= 0.0 { [x, y] } else { [(1.0 - y.abs()).copysign(x), (1.0 - x.abs()).copysign(y)] }
}

/// Integers for coordinates in [-1, 1].
pub(super) fn quantize(x: f64, bits: u32) -> u32 {
    let steps = f64::from((1_u32 << bits) - 1);
    ((x.clamp(-1.0, 1.0) + 1.0) * 0.5 * steps).round() as u32
}

/// Directions as pairs of integers.
pub(super) fn sphere(positions: ArrayView2<'_, f64>, bits: u32) -> Vec<u32> {
    positions.rows().into_iter().flat_map(octahedral).map(|c| quantize(c, bits)).collect()
}

/// The bounding frame of points: its centre, and half of its longest side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub(super) middle: [f64; 3],
    pub(super) half: f64,
}

impl Frame {
    /// The frame of all these positions together.
    pub(super) fn of<'a>(all: impl Iterator<Item = ArrayView2<'a, f64>>) -> Self {
        let Extent { middle, half } = Extent::of(all);
        let half = half.into_iter().fold(0.0, f64::max);
        Self { middle, half: if half == 0.0 { 1.0 } else { half } }
    }

    /// Positions in this frame, as integers.
    pub(super) fn quantize(&self, positions: ArrayView2<'_, f64>, bits: u32) -> Vec<u32> {
        let mut out = Vec::with_capacity(positions.len());
        for row in positions.rows() {
            out.extend(row.iter().enumerate().map(|(k, &c)| quantize((c - self.middle[k]) / self.half, bits)));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, arr1, arr2};
    use proptest::prelude::*;

    use super::*;

    /// A second decoder, written from the definition; the page has its own.
    fn direction(code: [u32; 2], bits: u32) -> Array1<f64> {
        let steps = f64::from((1_u32 << bits) - 1);
        let [x, y] = code.map(|c| f64::from(c) / steps * 2.0 - 1.0);
        let z = 1.0 - x.abs() - y.abs();
        let v = if z >= 0.0 {
            arr1(&[x, y, z])
        } else {
            arr1(&[(1.0 - y.abs()).copysign(x), (1.0 - x.abs()).copysign(y), z])
        };
        let norm = v.dot(&v).sqrt();
        v / norm
    }

    proptest! {
        /// Rounding moves each coordinate by at most half a step h = 2/(2^bits − 1) / 2; the octahedron's faces are at most
        /// √3 times nearer to the centre than the sphere and tilted by at most a factor √3 more, so the angle is below
        /// 3 √2 h/2 · … < 5 h.
        #[test]
        fn directions_come_back_within_the_step(x in -1.0..1.0_f64, y in -1.0..1.0_f64, z in -1.0..1.0_f64) {
            let v = arr1(&[x, y, z]);
            let norm = v.dot(&v).sqrt();
            prop_assume!(norm > 1e-3);
            for bits in [COARSE_BITS, FINE_BITS] {
                let [a, b] = octahedral(v.view()).map(|c| quantize(c, bits));
                let back = direction([a, b], bits);
                let difference = &back - &(&v / norm);
                prop_assert!(difference.dot(&difference).sqrt() < 5.0 / f64::from((1_u32 << bits) - 1));
            }
        }
    }

    #[test]
    fn the_axes_are_exact() {
        for v in
            [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]
        {
            let v = arr1(&v);
            let [a, b] = octahedral((&v * 1e-300).view()).map(|c| quantize(c, FINE_BITS));
            let difference = &direction([a, b], FINE_BITS) - &v;
            assert!(difference.dot(&difference).sqrt() < 5e-7, "{v}");
        }
    }

    #[test]
    fn a_single_point_lies_in_the_middle_of_its_frame() {
        let x = arr2(&[[7.0, -3.0]]);
        let frame = Frame::of([x.view()].into_iter());
        assert_eq!(frame, Frame { middle: [7.0, -3.0, 0.0], half: 1.0 });
        assert_eq!(frame.quantize(x.view(), 16), [32768, 32768]);
    }
}
