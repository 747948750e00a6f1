//! Vectors of AVX2 and FMA.
//!
//! Why every `unsafe` block here is sound: an intrinsic may be executed if the processor has its instructions; those
//! without a pointer have no other requirement. An [`Avx2`] is created by [`Avx2::detect`], after it has detected AVX2
//! and FMA, or from a vector. A vector is created from an [`Avx2`] or from another vector. The fields of all three
//! types are private to this file. A value of any of them therefore proves that the processor has these instructions.

#![allow(unsafe_code, reason = "intrinsics, guarded by a proof that the processor has them")]

use super::{Instructions, LOGARITHM, Lanes, ROOT_HALF_BITS, SingleLanes, Work};
#[allow(clippy::wildcard_imports, reason = "forty intrinsics; their prefix shows where they come from")]
use std::arch::x86_64::*;

/// A proof that this processor has AVX2 and FMA.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Queries the processor. The standard library caches the answer, so repeated calls cost almost nothing.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        let found = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
        found.then_some(Self(()))
    }

    /// Runs work that is compiled for these instructions.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx2,fma")]
        fn compiled<W: Work>(simd: Avx2, work: W) -> W::Output {
            work.run(simd)
        }
        // SAFETY: `self` proves that the processor has what the function is compiled for.
        unsafe { compiled(self, work) }
    }
}

impl Instructions for Avx2 {
    const FUSED: bool = true;
    type Single = F32x8;
    type Double = F64x4;
}

/// Eight numbers in single precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct F32x8(__m256);

impl F32x8 {
    /// The proof that this vector was created from.
    #[inline(always)]
    #[allow(clippy::unused_self, reason = "the existence of the value is the proof")]
    fn proof(self) -> Avx2 {
        Avx2(())
    }
}

/// Four numbers in double precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct F64x4(__m256d);

/// Methods that are a single instruction.
macro_rules! lanewise {
    ($($name:ident($($other:ident),+) = $intrinsic:ident;)+) => {$(
        #[inline(always)]
        fn $name(self, $($other: Self),+) -> Self {
            // SAFETY: `self` proves that the processor has the instruction.
            Self(unsafe { $intrinsic(self.0, $($other.0),+) })
        }
    )+};
}

impl Lanes<f32> for F32x8 {
    type Proof = Avx2;

    lanewise! {
        add(other) = _mm256_add_ps;
        sub(other) = _mm256_sub_ps;
        mul(other) = _mm256_mul_ps;
        mul_add(a, b) = _mm256_fmadd_ps;
        max(other) = _mm256_max_ps;
    }

    #[inline(always)]
    fn splat(_: Avx2, x: f32) -> Self {
        // SAFETY: the argument proves that the processor has AVX2.
        Self(unsafe { _mm256_set1_ps(x) })
    }

    #[inline(always)]
    fn load(_: Avx2, x: &[f32]) -> Self {
        let x = &x[..8];
        // SAFETY: the argument proves that the processor has AVX2; the slice has eight elements to read, at any address.
        Self(unsafe { _mm256_loadu_ps(x.as_ptr()) })
    }

    #[inline(always)]
    fn load_offset(simd: Avx2, x: &[f64], scale: f64, origin: f64) -> Self {
        let x = &x[..8];
        let low = F64x4::load_offset(simd, &x[..4], scale, origin);
        let high = F64x4::load_offset(simd, &x[4..], scale, origin);
        // SAFETY: the argument proves that the processor has AVX2.
        Self(unsafe { _mm256_set_m128(_mm256_cvtpd_ps(high.0), _mm256_cvtpd_ps(low.0)) })
    }

    #[inline(always)]
    fn store(self, x: &mut [f32]) {
        let x = &mut x[..8];
        // SAFETY: `self` proves that the processor has AVX2; the slice has eight elements to write, at any address.
        unsafe { _mm256_storeu_ps(x.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn recip(self) -> Self {
        // One Newton step improves the estimate from 12 to 23 bits.
        // SAFETY: `self` proves that the processor has AVX2 and FMA.
        Self(unsafe {
            let estimate = _mm256_rcp_ps(self.0);
            _mm256_mul_ps(estimate, _mm256_fnmadd_ps(self.0, estimate, _mm256_set1_ps(2.0)))
        })
    }

    #[inline(always)]
    fn where_positive(self, a: Self) -> Self {
        // SAFETY: `self` proves that the processor has AVX2.
        Self(unsafe { _mm256_and_ps(self.0, _mm256_cmp_ps::<_CMP_GT_OQ>(a.0, _mm256_setzero_ps())) })
    }

    #[inline(always)]
    fn exp_nonpositive(self) -> Self {
        // SAFETY: `self` proves that the processor has AVX2 and FMA.
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

impl SingleLanes for F32x8 {
    #[inline(always)]
    fn gather(_: Avx2, points: &[[f32; 4]], indices: &[u32; 8]) -> [Self; 3] {
        // One load per point and a few shuffles: a gather instruction for each axis would take several times as long.
        let load = |lane: usize| {
            let point = &points[indices[lane] as usize];
            // SAFETY: the argument proves that the processor has AVX2; the point has four elements to read.
            unsafe { _mm_loadu_ps(point.as_ptr()) }
        };
        // SAFETY: the argument proves that the processor has AVX2.
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
        let simd = self.proof();
        // SAFETY: `self` proves that the processor has AVX2.
        let (power, rest) = unsafe {
            let bits = _mm256_castps_si256(self.0);
            let power = _mm256_srli_epi32::<23>(_mm256_sub_epi32(bits, _mm256_set1_epi32(ROOT_HALF_BITS as i32)));
            let rest = _mm256_castsi256_ps(_mm256_sub_epi32(bits, _mm256_slli_epi32::<23>(power)));
            (Self(_mm256_cvtepi32_ps(power)), Self(rest))
        };
        let one = Self::splat(simd, 1.0);
        let s = rest.sub(one).mul(rest.add(one).recip());
        let square = s.mul(s);
        let mut series = Self::splat(simd, LOGARITHM[3]);
        for degree in (0..3).rev() {
            series = series.mul_add(square, Self::splat(simd, LOGARITHM[degree]));
        }
        s.mul_add(series, power.mul(Self::splat(simd, std::f32::consts::LN_2)))
    }
}

impl Lanes<f64> for F64x4 {
    type Proof = Avx2;

    lanewise! {
        add(other) = _mm256_add_pd;
        sub(other) = _mm256_sub_pd;
        mul(other) = _mm256_mul_pd;
        mul_add(a, b) = _mm256_fmadd_pd;
        max(other) = _mm256_max_pd;
    }

    #[inline(always)]
    fn splat(_: Avx2, x: f64) -> Self {
        // SAFETY: the argument proves that the processor has AVX2.
        Self(unsafe { _mm256_set1_pd(x) })
    }

    #[inline(always)]
    fn load(_: Avx2, x: &[f64]) -> Self {
        let x = &x[..4];
        // SAFETY: the argument proves that the processor has AVX2; the slice has four elements to read, at any address.
        Self(unsafe { _mm256_loadu_pd(x.as_ptr()) })
    }

    #[inline(always)]
    fn load_offset(simd: Avx2, x: &[f64], scale: f64, origin: f64) -> Self {
        Self::splat(simd, scale).mul(Self::load(simd, x)).sub(Self::splat(simd, origin))
    }

    #[inline(always)]
    fn store(self, x: &mut [f64]) {
        let x = &mut x[..4];
        // SAFETY: `self` proves that the processor has AVX2; the slice has four elements to write, at any address.
        unsafe { _mm256_storeu_pd(x.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn recip(self) -> Self {
        // SAFETY: `self` proves that the processor has AVX2.
        Self(unsafe { _mm256_div_pd(_mm256_set1_pd(1.0), self.0) })
    }

    #[inline(always)]
    fn where_positive(self, a: Self) -> Self {
        // SAFETY: `self` proves that the processor has AVX2.
        Self(unsafe { _mm256_and_pd(self.0, _mm256_cmp_pd::<_CMP_GT_OQ>(a.0, _mm256_setzero_pd())) })
    }

    #[inline(always)]
    fn exp_nonpositive(self) -> Self {
        // ln 2 is subtracted in two parts, so that the rest keeps all its bits.
        // SAFETY: `self` proves that the processor has AVX2 and FMA.
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
