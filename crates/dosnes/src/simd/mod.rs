//! The only module with `unsafe`: vectors of floats, and the choice of the instruction set at run time.
//!
//! A kernel is written once, generic over [`Lanes`], as an `#[inline(always)]` function; [`dispatch!`] makes two
//! copies of it, one compiled for AVX2 and FMA, one for whatever the target has at least. The sums of a kernel are
//! added in the same order on any number of threads, but not on any instruction set: eight lanes add up in another
//! order than four, and a fused multiply-add rounds once.

#![allow(clippy::inline_always, reason = "only what is inlined is compiled for the instructions of its caller")]

use std::fmt::Debug;

/// A floating point number with its vector types.
pub(crate) trait Real: realfft::FftNum + PartialOrd + Default + Debug + 'static {
    /// The vector of the fast instruction set, 256 bits wide.
    type Fast: Lanes<Self>;
    /// The vector of the plain instruction set, with the same number of lanes.
    type Plain: Lanes<Self>;
    /// Lanes in a vector.
    const LANES: usize;
    /// Relative rounding error.
    const EPSILON: f64;
    /// Rounds from `f64`.
    fn of(x: f64) -> Self;
    /// Widens to `f64`.
    fn f64(self) -> f64;
}

/// A short vector of numbers. All operations are lane by lane.
#[allow(clippy::return_self_not_must_use)] // Arithmetic: nobody computes a sum and drops it.
pub(crate) trait Lanes<T>: Copy {
    /// All lanes equal.
    fn splat(x: T) -> Self;
    /// The first lanes of a slice.
    fn load(x: &[T]) -> Self;
    /// `scale · x − origin` of the first lanes of a slice, rounded from double precision at the end.
    fn load_offset(x: &[f64], scale: f64, origin: f64) -> Self;
    /// Stores into the first lanes of a slice.
    fn store(self, x: &mut [T]);
    /// Sum.
    fn add(self, other: Self) -> Self;
    /// Difference.
    fn sub(self, other: Self) -> Self;
    /// Product.
    fn mul(self, other: Self) -> Self;
    /// `self · a + b`, rounded once where the machine can.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// 1/x to full precision.
    fn recip(self) -> Self;
    /// The larger one.
    fn max(self, other: Self) -> Self;
    /// `self` where `a > 0`, else 0.
    fn where_positive(self, a: Self) -> Self;
    /// eˣ for x ≤ 0, to a few units in the last place; 0 where it would underflow.
    fn exp_nonpositive(self) -> Self;
    /// Sum over the lanes, pairwise.
    fn total(self) -> T;
}

/// Vectors of single precision, with what sums over listed pairs of points need.
#[allow(clippy::return_self_not_must_use)] // As above.
pub(crate) trait SingleLanes: Lanes<f32> {
    /// Eight points (x, y, z, and something) as vectors of x, y and z.
    ///
    /// # Panics
    /// If an index is not below the number of points.
    fn gather(points: &[[f32; 4]], indices: &[u32; 8]) -> [Self; 3];
    /// log x for x ≥ 1, to 2e-7 of itself or of 1, whichever is more.
    fn ln_from_one(self) -> Self;
}

/// Work on vectors of single precision. What `run` calls in its loops must be `#[inline(always)]`: only what is inlined is
/// compiled for the machine that is found.
pub(crate) trait SingleWork {
    /// What comes of it.
    type Output;
    /// Does the work with a given kind of vectors.
    fn run<V: SingleLanes>(self) -> Self::Output;
}

/// Does the work with the best vectors that this machine has.
pub(crate) fn run_single<W: SingleWork>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn run_fast<W: SingleWork>(work: W) -> W::Output {
            work.run::<avx::F32>()
        }
        if fast() {
            // SAFETY: the instruction set was just found to be there.
            return unsafe { run_fast(work) };
        }
    }
    work.run::<Plain<f32, 8>>()
}

/// Odd coefficients of 2 artanh(s) = log((1+s)/(1−s)). A number between √½ and √2 has |s| < 0.172; after the term of
/// s⁷ the rest is below 2 · 0.172⁹/9 = 3e-8.
const LOGARITHM: [f32; 4] = [2.0, 2.0 / 3.0, 2.0 / 5.0, 2.0 / 7.0];
/// The bits of √½: taken from those of x, what is left in the exponent is the power of two that leaves √½ … √2.
const ROOT_HALF_BITS: u32 = 0x3f35_04f3;

/// Whether the fast instruction set is there.
#[inline]
pub(crate) fn fast() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// `dispatch!(name(arguments) -> result = body)` defines `name`, which calls `body::<T, V>` compiled for the
/// machine that it finds.
macro_rules! dispatch {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $body:ident) => {
        $(#[$meta])*
        #[allow(clippy::too_many_arguments)]
        $vis fn $name<T: $crate::simd::Real>($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                #[allow(clippy::too_many_arguments)]
                fn fast<T: $crate::simd::Real>($($arg: $ty),*) $(-> $ret)? {
                    $body::<T, T::Fast>($($arg),*)
                }
                if $crate::simd::fast() {
                    // SAFETY: the instruction set was just found to be there.
                    return unsafe { fast::<T>($($arg),*) };
                }
            }
            $body::<T, T::Plain>($($arg),*)
        }
    };
}
pub(crate) use dispatch;

/// Taylor coefficients of eˣ: with |x| ≤ ln2/2 the series reaches `f32` at degree 6 and
/// `f64` at degree 13.
const TAYLOR: [f64; 14] = [
    1.0,
    1.0,
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40320.0,
    1.0 / 362880.0,
    1.0 / 3628800.0,
    1.0 / 39916800.0,
    1.0 / 479001600.0,
    1.0 / 6227020800.0,
];

/// Lanes of the plain instruction set: an array.
#[derive(Clone, Copy)]
pub(crate) struct Plain<T, const N: usize>([T; N]);

impl<T: Real, const N: usize> Lanes<T> for Plain<T, N> {
    #[inline(always)]
    fn splat(x: T) -> Self {
        Self([x; N])
    }
    #[inline(always)]
    fn load(x: &[T]) -> Self {
        let mut lanes = [T::default(); N];
        lanes.copy_from_slice(&x[..N]);
        Self(lanes)
    }
    #[inline(always)]
    fn load_offset(x: &[f64], scale: f64, origin: f64) -> Self {
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
    fn gather(points: &[[f32; 4]], indices: &[u32; 8]) -> [Self; 3] {
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

#[cfg(target_arch = "x86_64")]
mod avx {
    // Every function here is inlined into a caller that `dispatch!` compiled for AVX2 and FMA, and that runs only where
    // both were found: this is what makes each call of an intrinsic below sound.
    use super::{LOGARITHM, Lanes, ROOT_HALF_BITS, SingleLanes, TAYLOR};
    #[allow(clippy::wildcard_imports)] // Forty intrinsics: their prefix says where they come from.
    use std::arch::x86_64::*;

    #[derive(Clone, Copy)]
    pub(crate) struct F32(__m256);
    #[derive(Clone, Copy)]
    pub(crate) struct F64(__m256d);

    impl Lanes<f32> for F32 {
        #[inline(always)]
        fn splat(x: f32) -> Self {
            // SAFETY: AVX2 is there (see the head of this module).
            Self(unsafe { _mm256_set1_ps(x) })
        }
        #[inline(always)]
        fn load(x: &[f32]) -> Self {
            let x = &x[..8];
            // SAFETY: AVX2 is there, and eight elements can be read.
            Self(unsafe { _mm256_loadu_ps(x.as_ptr()) })
        }
        #[inline(always)]
        fn load_offset(x: &[f64], scale: f64, origin: f64) -> Self {
            let x = &x[..8];
            // SAFETY: AVX2 is there, and eight elements can be read.
            unsafe {
                let (scale, origin) = (_mm256_set1_pd(scale), _mm256_set1_pd(origin));
                let low = _mm256_sub_pd(_mm256_mul_pd(scale, _mm256_loadu_pd(x.as_ptr())), origin);
                let high = _mm256_sub_pd(_mm256_mul_pd(scale, _mm256_loadu_pd(x.as_ptr().add(4))), origin);
                Self(_mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low)))
            }
        }
        #[inline(always)]
        fn store(self, x: &mut [f32]) {
            let x = &mut x[..8];
            // SAFETY: AVX2 is there, and eight elements can be written.
            unsafe { _mm256_storeu_ps(x.as_mut_ptr(), self.0) }
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: AVX2 is there.
            Self(unsafe { _mm256_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: AVX2 is there.
            Self(unsafe { _mm256_sub_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: AVX2 is there.
            Self(unsafe { _mm256_mul_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn mul_add(self, a: Self, b: Self) -> Self {
            // SAFETY: FMA is there.
            Self(unsafe { _mm256_fmadd_ps(self.0, a.0, b.0) })
        }
        #[inline(always)]
        fn recip(self) -> Self {
            // SAFETY: AVX2 and FMA are there. One Newton step takes the estimate's 12 bits to 23.
            Self(unsafe {
                let estimate = _mm256_rcp_ps(self.0);
                _mm256_mul_ps(estimate, _mm256_fnmadd_ps(self.0, estimate, _mm256_set1_ps(2.0)))
            })
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: AVX2 is there.
            Self(unsafe { _mm256_max_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn where_positive(self, a: Self) -> Self {
            // SAFETY: AVX2 is there.
            Self(unsafe { _mm256_and_ps(self.0, _mm256_cmp_ps::<_CMP_GT_OQ>(a.0, _mm256_setzero_ps())) })
        }
        #[inline(always)]
        fn exp_nonpositive(self) -> Self {
            // SAFETY: AVX2 and FMA are there.
            Self(unsafe {
                let x = _mm256_max_ps(self.0, _mm256_set1_ps(-87.0));
                let k = _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(_mm256_mul_ps(
                    x,
                    _mm256_set1_ps(std::f32::consts::LOG2_E),
                ));
                let rest = _mm256_fnmadd_ps(k, _mm256_set1_ps(std::f32::consts::LN_2), x);
                let mut series = _mm256_set1_ps(TAYLOR[6] as f32);
                for degree in (0..6).rev() {
                    series = _mm256_fmadd_ps(series, rest, _mm256_set1_ps(TAYLOR[degree] as f32));
                }
                let power = _mm256_slli_epi32::<23>(_mm256_add_epi32(_mm256_cvtps_epi32(k), _mm256_set1_epi32(127)));
                let value = _mm256_mul_ps(series, _mm256_castsi256_ps(power));
                _mm256_and_ps(value, _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, _mm256_set1_ps(-87.0)))
            })
        }
        #[inline(always)]
        fn total(self) -> f32 {
            let mut lanes = [0.0; 8];
            self.store(&mut lanes);
            ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
        }
    }

    impl SingleLanes for F32 {
        #[inline(always)]
        fn gather(points: &[[f32; 4]], indices: &[u32; 8]) -> [Self; 3] {
            // One load a point and a few shuffles: a gather instruction for each axis would take several times as long.
            let load = |lane: usize| {
                let point = &points[indices[lane] as usize];
                // SAFETY: AVX2 is there, and four elements can be read.
                unsafe { _mm_loadu_ps(point.as_ptr()) }
            };
            // SAFETY: AVX2 is there.
            unsafe {
                let pair = |lane: usize| _mm256_set_m128(load(lane + 4), load(lane));
                let (a, b, c, d) = (pair(0), pair(1), pair(2), pair(3));
                let (xy_ab, xy_cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
                let (z_ab, z_cd) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
                [
                    Self(_mm256_shuffle_ps::<0x44>(xy_ab, xy_cd)),
                    Self(_mm256_shuffle_ps::<0xee>(xy_ab, xy_cd)),
                    Self(_mm256_shuffle_ps::<0x44>(z_ab, z_cd)),
                ]
            }
        }
        #[inline(always)]
        fn ln_from_one(self) -> Self {
            // SAFETY: AVX2 and FMA are there.
            unsafe {
                let bits = _mm256_castps_si256(self.0);
                let power = _mm256_srli_epi32::<23>(_mm256_sub_epi32(bits, _mm256_set1_epi32(ROOT_HALF_BITS as i32)));
                let rest = _mm256_castsi256_ps(_mm256_sub_epi32(bits, _mm256_slli_epi32::<23>(power)));
                let one = Self::splat(1.0);
                let s = Self(rest).sub(one).mul(Self(rest).add(one).recip());
                let square = s.mul(s);
                let mut series = Self::splat(LOGARITHM[3]);
                for degree in (0..3).rev() {
                    series = series.mul_add(square, Self::splat(LOGARITHM[degree]));
                }
                let whole = Self(_mm256_mul_ps(_mm256_cvtepi32_ps(power), _mm256_set1_ps(std::f32::consts::LN_2)));
                s.mul_add(series, whole)
            }
        }
    }

    impl Lanes<f64> for F64 {
        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: AVX2 is there.
            Self(unsafe { _mm256_set1_pd(x) })
        }
        #[inline(always)]
        fn load(x: &[f64]) -> Self {
            let x = &x[..4];
            // SAFETY: AVX2 is there, and four elements can be read.
            Self(unsafe { _mm256_loadu_pd(x.as_ptr()) })
        }
        #[inline(always)]
        fn load_offset(x: &[f64], scale: f64, origin: f64) -> Self {
            Self::splat(scale).mul(Self::load(x)).sub(Self::splat(origin))
        }
        #[inline(always)]
        fn store(self, x: &mut [f64]) {
            let x = &mut x[..4];
            // SAFETY: AVX2 is there, and four elements can be written.
            unsafe { _mm256_storeu_pd(x.as_mut_ptr(), self.0) }
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: AVX2 is there.
            Self(unsafe { _mm256_add_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: AVX2 is there.
            Self(unsafe { _mm256_sub_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: AVX2 is there.
            Self(unsafe { _mm256_mul_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn mul_add(self, a: Self, b: Self) -> Self {
            // SAFETY: FMA is there.
            Self(unsafe { _mm256_fmadd_pd(self.0, a.0, b.0) })
        }
        #[inline(always)]
        fn recip(self) -> Self {
            // SAFETY: AVX2 is there.
            Self(unsafe { _mm256_div_pd(_mm256_set1_pd(1.0), self.0) })
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: AVX2 is there.
            Self(unsafe { _mm256_max_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn where_positive(self, a: Self) -> Self {
            // SAFETY: AVX2 is there.
            Self(unsafe { _mm256_and_pd(self.0, _mm256_cmp_pd::<_CMP_GT_OQ>(a.0, _mm256_setzero_pd())) })
        }
        #[inline(always)]
        fn exp_nonpositive(self) -> Self {
            // SAFETY: AVX2 and FMA are there. ln 2 is subtracted in two parts, so that the rest keeps all its bits.
            Self(unsafe {
                let x = _mm256_max_pd(self.0, _mm256_set1_pd(-708.0));
                let k = _mm256_round_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(_mm256_mul_pd(
                    x,
                    _mm256_set1_pd(std::f64::consts::LOG2_E),
                ));
                let rest = _mm256_fnmadd_pd(k, _mm256_set1_pd(6.931_471_803_691_238e-1), x);
                let rest = _mm256_fnmadd_pd(k, _mm256_set1_pd(1.908_214_929_270_587_7e-10), rest);
                let mut series = _mm256_set1_pd(TAYLOR[13]);
                for degree in (0..13).rev() {
                    series = _mm256_fmadd_pd(series, rest, _mm256_set1_pd(TAYLOR[degree]));
                }
                let integer = _mm256_cvtepi32_epi64(_mm256_cvtpd_epi32(k));
                let power = _mm256_slli_epi64::<52>(_mm256_add_epi64(integer, _mm256_set1_epi64x(1023)));
                let value = _mm256_mul_pd(series, _mm256_castsi256_pd(power));
                _mm256_and_pd(value, _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, _mm256_set1_pd(-708.0)))
            })
        }
        #[inline(always)]
        fn total(self) -> f64 {
            let mut lanes = [0.0; 4];
            self.store(&mut lanes);
            (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
        }
    }
}

impl Real for f32 {
    #[cfg(target_arch = "x86_64")]
    type Fast = avx::F32;
    #[cfg(not(target_arch = "x86_64"))]
    type Fast = Plain<f32, 8>;
    type Plain = Plain<f32, 8>;
    const LANES: usize = 8;
    const EPSILON: f64 = f32::EPSILON as f64;
    #[inline(always)]
    fn of(x: f64) -> Self {
        x as f32
    }
    #[inline(always)]
    fn f64(self) -> f64 {
        f64::from(self)
    }
}

impl Real for f64 {
    #[cfg(target_arch = "x86_64")]
    type Fast = avx::F64;
    #[cfg(not(target_arch = "x86_64"))]
    type Fast = Plain<f64, 4>;
    type Plain = Plain<f64, 4>;
    const LANES: usize = 4;
    const EPSILON: f64 = f64::EPSILON;
    #[inline(always)]
    fn of(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn f64(self) -> f64 {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The logarithms, and points gathered by their own indices.
    struct Check([f32; 8]);

    impl SingleWork for Check {
        type Output = ([f32; 8], [[f32; 8]; 3]);
        #[inline(always)]
        fn run<V: SingleLanes>(self) -> Self::Output {
            let mut logarithms = [0.0; 8];
            V::load(&self.0).ln_from_one().store(&mut logarithms);
            let points: Vec<[f32; 4]> = (0..20).map(|i| std::array::from_fn(|k| (10 * i + k) as f32)).collect();
            let axes = V::gather(&points, &[3, 19, 0, 7, 7, 2, 11, 5]).map(|axis| {
                let mut lanes = [0.0; 8];
                axis.store(&mut lanes);
                lanes
            });
            (logarithms, axes)
        }
    }

    #[test]
    fn logarithms_and_gathered_points_are_right_with_any_instructions() {
        let mut x = 1.0_f32;
        while x < 1e9 {
            let lanes: [f32; 8] = std::array::from_fn(|lane| x * (1.0 + lane as f32 * 0.013));
            for (logarithms, axes) in [run_single(Check(lanes)), Check(lanes).run::<Plain<f32, 8>>()] {
                for (fast, x) in logarithms.into_iter().zip(lanes) {
                    let slow = f64::from(x).ln();
                    assert!((f64::from(fast) - slow).abs() <= 2e-7 * slow.max(1.0), "{x}: {fast} {slow}");
                }
                for (k, axis) in axes.into_iter().enumerate() {
                    assert_eq!(axis, [3, 19, 0, 7, 7, 2, 11, 5].map(|i| (10 * i + k) as f32));
                }
            }
            x *= 1.09;
        }
    }
}
