//! Vectors for every processor: arrays, which the compiler turns into the target's own vectors if it can.

use super::{Instructions, LOGARITHM, Lanes, ROOT_HALF_BITS, Real, SingleLanes};

/// The instructions that every processor of the target has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Instructions for Portable {
    const FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
    type Single = Plain<f32, 8>;
    type Double = Plain<f64, 4>;
}

/// Lanes in an array.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain<T, const N: usize>([T; N]);

impl<T: Real, const N: usize> Lanes<T> for Plain<T, N> {
    type Proof = Portable;
    #[inline(always)]
    fn splat(_: Portable, x: T) -> Self {
        Self([x; N])
    }
    #[inline(always)]
    fn load(_: Portable, x: &[T]) -> Self {
        let mut lanes = [T::default(); N];
        lanes.copy_from_slice(&x[..N]);
        Self(lanes)
    }
    #[inline(always)]
    fn load_offset(_: Portable, x: &[f64], scale: f64, origin: f64) -> Self {
        let x = &x[..N];
        Self(std::array::from_fn(|lane| T::of(scale * x[lane] - origin)))
    }
    #[inline(always)]
    fn store(self, x: &mut [T]) {
        x[..N].copy_from_slice(&self.0);
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] * other.0[i]))
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        // A fused multiply-add in software would be a hundred times slower than two roundings.
        Self(std::array::from_fn(|i| self.0[i] * a.0[i] + b.0[i]))
    }
    #[inline(always)]
    fn recip(self) -> Self {
        Self(std::array::from_fn(|i| T::of(1.0) / self.0[i]))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| if self.0[i] > other.0[i] { self.0[i] } else { other.0[i] }))
    }
    #[inline(always)]
    fn where_positive(self, a: Self) -> Self {
        Self(std::array::from_fn(|i| if a.0[i] > T::of(0.0) { self.0[i] } else { T::of(0.0) }))
    }
    #[inline(always)]
    fn exp_nonpositive(self) -> Self {
        Self(std::array::from_fn(|i| T::of(self.0[i].f64().exp())))
    }
    #[inline(always)]
    fn total(self) -> T {
        let mut lanes = self.0;
        let mut width = N;
        while width > 1 {
            width /= 2;
            for i in 0..width {
                lanes[i] = lanes[i] + lanes[i + width];
            }
        }
        lanes[0]
    }
}

impl SingleLanes for Plain<f32, 8> {
    #[inline(always)]
    fn gather(_: Portable, points: &[[f32; 4]], indices: &[u32; 8]) -> [Self; 3] {
        std::array::from_fn(|axis| Self(std::array::from_fn(|lane| points[indices[lane] as usize][axis])))
    }
    #[inline(always)]
    fn ln_from_one(self) -> Self {
        Self(self.0.map(|x| {
            let power = x.to_bits().wrapping_sub(ROOT_HALF_BITS) >> 23;
            let rest = f32::from_bits(x.to_bits().wrapping_sub(power << 23));
            let s = (rest - 1.0) / (rest + 1.0);
            let series = LOGARITHM.iter().rev().fold(0.0, |sum, c| sum * s * s + c);
            power as f32 * std::f32::consts::LN_2 + s * series
        }))
    }
}
