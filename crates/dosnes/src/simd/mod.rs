//! Vectors of floats, and the choice of the instructions at run time: the only module of the workspace with `unsafe`.
//!
//! A value of a type of [`Instructions`] is a proof that the processor has them: `Avx2` can be had from a check at run time
//! only, [`Portable`] is always true. Vectors ([`Lanes`]) are made from such a value only, so that a vector proves the
//! same. No safe function, in this module or outside of it, can therefore reach an instruction that the processor lacks.
//!
//! A kernel is a [`Work`], written once for any instructions. [`run`] does it with the best ones that this processor has;
//! it is compiled once for AVX2 and FMA and once for what every processor of the target has. Some kernels use [`Lanes`],
//! others are plain loops that the compiler turns into vector instructions.
//!
//! Sums are added in the same order on any number of threads, but not with any instructions: a fused multiply-add rounds
//! once. Where results must not depend on that, kernels do without it.

#![allow(clippy::inline_always, reason = "only what is inlined is compiled for the instructions of its caller")]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
use portable::Portable;
use std::fmt::Debug;

/// Instructions of a processor; a value proves that they are there.
pub(crate) trait Instructions: Copy {
    /// Whether a fused multiply-add is an instruction, and not a slow function.
    const FUSED: bool;
    /// Eight numbers of single precision.
    type Single: SingleLanes<Proof = Self>;
    /// Four numbers of double precision.
    type Double: Lanes<f64, Proof = Self>;
}

/// Work that is compiled for several kinds of instructions.
pub(crate) trait Work {
    /// What comes of it.
    type Output;
    /// Does the work with the given instructions. This and all that it calls in its loops must be `#[inline(always)]`:
    /// what is not inlined is compiled for the instructions of every processor, and called for every single operation.
    fn run<S: Instructions>(self, simd: S) -> Self::Output;
}

/// Does the work with the best instructions that this processor has.
#[inline]
pub(crate) fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = Avx2::detect() {
        return simd.run(work);
    }
    work.run(Portable)
}

/// Which instructions do some work, for tests that hold one kind against the other.
#[cfg(test)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The best ones of this processor.
    Best,
    /// Those of every processor of the target.
    Portable,
}

#[cfg(test)]
impl Choice {
    /// Does the work with these instructions.
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Best => run(work),
            Self::Portable => work.run(Portable),
        }
    }

    /// What comes of both: by the best instructions, then by the portable ones.
    pub(crate) fn both<R>(task: impl FnMut(Self) -> R) -> [R; 2] {
        [Self::Best, Self::Portable].map(task)
    }
}

/// A floating point number with its vectors.
pub(crate) trait Real: realfft::FftNum + PartialOrd + Default + Debug + 'static {
    /// The vector of given instructions.
    type Vector<S: Instructions>: Lanes<Self, Proof = S>;
    /// Lanes in a vector, with any instructions.
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
    /// What must be shown to make one.
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
    /// `self · a + b`, rounded once where the processor can.
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
pub(crate) trait SingleLanes: Lanes<f32> {
    /// Eight points (x, y, z, and something) as vectors of x, y and z.
    ///
    /// # Panics
    /// If an index is not below the number of points.
    fn gather(simd: Self::Proof, points: &[[f32; 4]], indices: &[u32; 8]) -> [Self; 3];
    /// log x for x ≥ 1, to 2e-7 of itself or of 1, whichever is more.
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

/// Odd coefficients of 2 artanh(s) = log((1+s)/(1−s)). A number between √½ and √2 has |s| < 0.172; after the term of
/// s⁷ the rest is below 2 · 0.172⁹/9 = 3e-8.
const LOGARITHM: [f32; 4] = [2.0, 2.0 / 3.0, 2.0 / 5.0, 2.0 / 7.0];
/// The bits of √½: taken from those of x, what is left in the exponent is the power of two that leaves √½ … √2.
const ROOT_HALF_BITS: u32 = 0x3f35_04f3;
