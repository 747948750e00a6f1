//! Vectors of floats, and the choice of the instructions at run time: the only module of the workspace with `unsafe`.
//!
//! A value of a type of [`Instructions`] is a proof that the processor has them: an `Avx2` can only be obtained by a
//! check at run time, [`Portable`] is always valid. Vectors ([`Lanes`]) can only be created from such a value, so a
//! vector proves the same. Therefore no safe function, inside or outside of this module, can execute an instruction
//! that the processor lacks.
//!
//! A kernel is a [`Work`], written once for any instructions. [`run`] executes it with the best ones of this processor;
//! it is compiled once for AVX2 and FMA, and once for the baseline of the target. Some kernels use [`Lanes`], others
//! are plain loops that the compiler turns into vector instructions.
//!
//! Results do not depend on the number of threads, but they may depend on the instructions: a fused multiply-add rounds
//! only once. Kernels whose results must not depend on that do not use it.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the instructions of its caller")]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

#[cfg(test)]
mod tests;

use crate::ranks::Plain;
#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
use portable::Portable;
use std::fmt::Debug;

/// Instructions of a processor; a value proves that they are available.
pub(crate) trait Instructions: Copy {
    /// Whether a fused multiply-add is an instruction, not a slow function.
    const FUSED: bool;
    /// Eight numbers in single precision.
    type Single: SingleLanes<Proof = Self>;
    /// Four numbers in double precision.
    type Double: Lanes<f64, Proof = Self>;
}

/// Work that is compiled for several instruction sets.
pub(crate) trait Work {
    /// The result.
    type Output;
    /// Runs the work with the given instructions. This function and all functions that it calls in its loops must be
    /// `#[inline(always)]`: code that is not inlined is compiled for the baseline of the target, and every single
    /// operation becomes a call.
    fn run<S: Instructions>(self, simd: S) -> Self::Output;
}

/// Runs the work with the best instructions of this processor.
#[inline]
pub(crate) fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = Avx2::detect() {
        return simd.run(work);
    }
    work.run(Portable)
}

/// The name of the instructions that [`run`] uses: their results may differ in the last digits.
pub(crate) fn name() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if Avx2::detect().is_some() {
        return "AVX2";
    }
    "portable"
}

/// The instructions to run some work with, for tests that compare them.
#[cfg(test)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The best ones of this processor.
    Best,
    /// The baseline of the target.
    Portable,
}

#[cfg(test)]
impl Choice {
    /// Runs the work with these instructions.
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Best => run(work),
            Self::Portable => work.run(Portable),
        }
    }

    /// The results of both: with the best instructions, then with the portable ones.
    pub(crate) fn both<R>(task: impl FnMut(Self) -> R) -> [R; 2] {
        [Self::Best, Self::Portable].map(task)
    }
}

/// A floating point number with its vectors.
pub(crate) trait Real: realfft::FftNum + Plain + PartialOrd + Default + Debug + 'static {
    /// The vector type for given instructions.
    type Vector<S: Instructions>: Lanes<Self, Proof = S>;
    /// Lanes of a vector, with any instructions.
    const LANES: usize;
    /// Relative rounding error.
    const EPSILON: f64;
    /// Rounds from `f64`.
    fn of(x: f64) -> Self;
    /// Widens to `f64`.
    fn f64(self) -> f64;
}

/// A short vector of numbers. All operations are lane by lane.
pub(crate) trait Lanes<T>: Copy {
    /// The proof that is needed to create a vector.
    type Proof: Copy;
    /// All lanes equal.
    fn splat(simd: Self::Proof, x: T) -> Self;
    /// The first lanes of a slice.
    fn load(simd: Self::Proof, x: &[T]) -> Self;
    /// `scale · x − origin` of the first lanes of a slice, rounded from double precision at the end.
    fn load_offset(simd: Self::Proof, x: &[f64], scale: f64, origin: f64) -> Self;
    /// Stores into the first lanes of a slice.
    fn store(self, x: &mut [T]);
    /// Sum.
    fn add(self, other: Self) -> Self;
    /// Difference.
    fn sub(self, other: Self) -> Self;
    /// Product.
    fn mul(self, other: Self) -> Self;
    /// `self · a + b`, rounded once if the processor can.
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

/// Vectors in single precision, with the operations for sums over listed pairs of points.
pub(crate) trait SingleLanes: Lanes<f32> {
    /// Eight points (x, y, z, and an unused element) as vectors of x, y and z.
    ///
    /// # Panics
    /// If an index is not below the number of points.
    fn gather(simd: Self::Proof, points: &[[f32; 4]], indices: &[u32; 8]) -> [Self; 3];
    /// log x for x ≥ 1, with an error of 2e-7 relative to the larger of 1 and the result.
    fn ln_from_one(self) -> Self;
}

impl Real for f32 {
    type Vector<S: Instructions> = S::Single;
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
    type Vector<S: Instructions> = S::Double;
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

/// Odd coefficients of 2 artanh(s) = log((1+s)/(1−s)). For a number between √½ and √2, |s| < 0.172; after the term of
/// s⁷ the rest is below 2 · 0.172⁹/9 = 3e-8.
const LOGARITHM: [f32; 4] = [2.0, 2.0 / 3.0, 2.0 / 5.0, 2.0 / 7.0];
/// The bits of √½. After subtracting them from the bits of x, the exponent is the power of two that reduces x to √½ …
/// √2.
const ROOT_HALF_BITS: u32 = 0x3f35_04f3;
