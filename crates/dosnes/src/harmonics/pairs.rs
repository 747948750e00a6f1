//! The inner loop over pairs: a group of targets against a list of sources, for the near field or for a block of the
//! exact sum.

use std::ops::Range;

use crate::harmonics::kernel::Kernel;
use crate::harmonics::order::SortedPoints;
use crate::harmonics::split::{NearSeries, SERIES_LENGTHS};
use crate::simd::{self, Instructions, Lanes, Real, Work};

/// Targets per iteration: two share the loads of a source. The polynomials need more registers and leave space for only
/// one.
const PAIR: usize = 2;
const ALONE: usize = 1;

/// The function that is summed over pairs.
#[derive(Debug)]
pub(crate) struct PairKernel<T> {
    shape: PairShape,
    /// Squared distance at which it is cut off.
    near_d2: T,
    /// s = 1 + slope·d² (see [`NearSeries`]).
    slope: T,
    /// Coefficients of W and of R, highest power first.
    series: [[T; 2]; MAX_TERMS],
    terms: usize,
}

/// Terms of the longest series.
const MAX_TERMS: usize = SERIES_LENGTHS[SERIES_LENGTHS.len() - 1];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PairShape {
    Cauchy,
    Gaussian,
    /// The Gaussian, cut off at a distance.
    CutGaussian,
    /// Cauchy times the window of the split.
    Windowed,
}

impl<T: Real> PairKernel<T> {
    /// The whole kernel.
    pub(crate) fn whole(kernel: Kernel) -> Self {
        let shape = match kernel {
            Kernel::Cauchy => PairShape::Cauchy,
            Kernel::Gaussian => PairShape::Gaussian,
        };
        Self { shape, near_d2: T::default(), slope: T::default(), series: [[T::default(); 2]; MAX_TERMS], terms: 0 }
    }

    /// The near part of a split.
    pub(crate) fn near(near: &NearSeries) -> Self {
        let shape = match near.kernel {
            Kernel::Cauchy => PairShape::Windowed,
            Kernel::Gaussian => PairShape::CutGaussian,
        };
        let mut series = [[T::default(); 2]; MAX_TERMS];
        let terms = near.window.len();
        for (term, (window, stiffness)) in
            series.iter_mut().zip(near.window.iter().rev().zip(near.stiffness.iter().rev()))
        {
            *term = [T::of(*window), T::of(*stiffness)];
        }
        Self { shape, near_d2: T::of(near.near_d2), slope: T::of(near.slope), series, terms }
    }

    /// The near part of the Cauchy kernel, with a series of `TERMS` terms.
    fn windowed<const TERMS: usize>(&self) -> Windowed<'_, T, TERMS> {
        let series = self.series.first_chunk().expect("no series is longer than the longest");
        Windowed { slope: self.slope, near_d2: self.near_d2, series }
    }

    /// The potential of a point at its own position, with the same arithmetic as the sums.
    pub(crate) fn own(&self) -> f64 {
        let target = Positions { axes: std::array::from_fn(|_| vec![T::default()]), len: 1 };
        let mut source = target.clone();
        source.pad();
        let mut sums = [PairSum::default()];
        sum_pairs(self, &target, &source, &mut sums);
        sums[0].potential
    }
}

/// Positions, coordinate by coordinate.
#[derive(Debug, Default, Clone)]
pub(crate) struct Positions<T> {
    /// Each has at least `len` elements; the elements after these are space for writing whole vectors.
    axes: [Vec<T>; 3],
    len: usize,
}

impl<T: Real> Positions<T> {
    /// Stores r u − origin of the points in the given ranges.
    pub(crate) fn set(&mut self, points: &SortedPoints, ranges: &[Range<usize>], r: f64, origin: [f64; 3]) {
        self.len = ranges.iter().map(Range::len).sum();
        // Whole vectors are written; surplus elements are overwritten by the next range.
        let room = self.len + T::LANES;
        if self.axes[0].len() < room {
            for axis in &mut self.axes {
                axis.resize(2 * room, T::default());
            }
        }
        simd::run(Offset { u: &points.axes, ranges, r, origin, out: &mut self.axes });
    }

    /// Pads to a multiple of the lanes with sources that are too far away to contribute.
    pub(crate) fn pad(&mut self) {
        let padded = self.len.next_multiple_of(T::LANES);
        for axis in &mut self.axes {
            axis.resize(axis.len().max(padded), T::default());
            axis[self.len..padded].fill(T::of(1e15));
        }
        self.len = padded;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

/// r u − origin.
struct Offset<'a, T> {
    u: &'a [Vec<f64>; 3],
    ranges: &'a [Range<usize>],
    r: f64,
    origin: [f64; 3],
    out: &'a mut [Vec<T>; 3],
}

impl<T: Real> Work for Offset<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) {
        offset::<T, T::Vector<S>>(simd, self);
    }
}

#[inline(always)]
fn offset<T: Real, V: Lanes<T>>(simd: V::Proof, work: Offset<'_, T>) {
    let Offset { u, ranges, r, origin, out } = work;
    let lanes = T::LANES;
    let [x, y, z] = u;
    let [out_x, out_y, out_z] = out;
    let mut start = 0;
    for range in ranges {
        // Slices of known and equal length, so that the loop below needs no bounds checks.
        let rounded = range.len().next_multiple_of(lanes);
        let from = range.start..range.start + rounded;
        let (x, y, z) = (&x[from.clone()], &y[from.clone()], &z[from]);
        let to = start..start + rounded;
        let (out_x, out_y, out_z) = (&mut out_x[to.clone()], &mut out_y[to.clone()], &mut out_z[to]);
        let mut k = 0;
        while k < rounded {
            V::load_offset(simd, &x[k..k + lanes], r, origin[0]).store(&mut out_x[k..k + lanes]);
            V::load_offset(simd, &y[k..k + lanes], r, origin[1]).store(&mut out_y[k..k + lanes]);
            V::load_offset(simd, &z[k..k + lanes], r, origin[2]).store(&mut out_z[k..k + lanes]);
            k += lanes;
        }
        start += range.len();
    }
}

/// Sums over the sources for one target: φ = Σ q and F = Σ f (y_i − y_j), self included.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PairSum {
    pub(crate) potential: f64,
    pub(crate) force: [f64; 3],
}

/// Adds the sums over all (padded) sources to every target's sums, and returns Σ f d² over all of these pairs.
pub(crate) fn sum_pairs<T: Real>(
    kernel: &PairKernel<T>,
    targets: &Positions<T>,
    sources: &Positions<T>,
    sums: &mut [PairSum],
) -> f64 {
    let pairs = Pairs { targets, sources, sums };
    // A constant number of terms lets the compiler keep the polynomials in registers. It must match exactly, because
    // the coefficients begin with the highest power.
    const { assert!(matches!(SERIES_LENGTHS, [5, 6, 8, 12, MAX_TERMS])) };
    match (kernel.shape, kernel.terms) {
        (PairShape::Cauchy, _) => pairs.sum::<_, PAIR>(Cauchy),
        (PairShape::Gaussian, _) => pairs.sum::<_, PAIR>(Gaussian),
        (PairShape::CutGaussian, _) => pairs.sum::<_, PAIR>(CutGaussian { near_d2: kernel.near_d2 }),
        (PairShape::Windowed, 5) => pairs.sum::<_, ALONE>(kernel.windowed::<5>()),
        (PairShape::Windowed, 6) => pairs.sum::<_, ALONE>(kernel.windowed::<6>()),
        (PairShape::Windowed, 8) => pairs.sum::<_, ALONE>(kernel.windowed::<8>()),
        (PairShape::Windowed, 12) => pairs.sum::<_, ALONE>(kernel.windowed::<12>()),
        (PairShape::Windowed, _) => pairs.sum::<_, ALONE>(kernel.windowed::<MAX_TERMS>()),
    }
}

/// (q, f) as functions of d².
///
/// These are types with a method, used in plain loops, instead of closures: a closure is not compiled for the
/// instructions of the function that calls it, and if the compiler does not inline it, every single operation is a
/// call.
trait PairFunction<T: Real> {
    fn of<V: Lanes<T>>(&self, simd: V::Proof, d2: V) -> (V, V);
}

#[derive(Clone, Copy)]
struct Cauchy;
#[derive(Clone, Copy)]
struct Gaussian;
#[derive(Clone, Copy)]
struct CutGaussian<T> {
    near_d2: T,
}
#[derive(Clone, Copy)]
struct Windowed<'a, T, const TERMS: usize> {
    slope: T,
    near_d2: T,
    series: &'a [[T; 2]; TERMS],
}

impl<T: Real> PairFunction<T> for Cauchy {
    #[inline(always)]
    fn of<V: Lanes<T>>(&self, simd: V::Proof, d2: V) -> (V, V) {
        let q = d2.add(V::splat(simd, T::of(1.0))).recip();
        (q, q.mul(q))
    }
}

impl<T: Real> PairFunction<T> for Gaussian {
    #[inline(always)]
    fn of<V: Lanes<T>>(&self, simd: V::Proof, d2: V) -> (V, V) {
        let q = V::splat(simd, T::default()).sub(d2).exp_nonpositive();
        (q, q)
    }
}

impl<T: Real> PairFunction<T> for CutGaussian<T> {
    #[inline(always)]
    fn of<V: Lanes<T>>(&self, simd: V::Proof, d2: V) -> (V, V) {
        let q =
            V::splat(simd, T::default()).sub(d2).exp_nonpositive().where_positive(V::splat(simd, self.near_d2).sub(d2));
        (q, q)
    }
}

impl<T: Real, const TERMS: usize> PairFunction<T> for Windowed<'_, T, TERMS> {
    #[inline(always)]
    fn of<V: Lanes<T>>(&self, simd: V::Proof, d2: V) -> (V, V) {
        let one = V::splat(simd, T::of(1.0));
        // Beyond the reach a polynomial may overflow, and infinity times zero is NaN.
        let s = d2.mul_add(V::splat(simd, self.slope), one).max(V::splat(simd, T::of(-1.0)));
        let mut window = V::splat(simd, self.series[0][0]);
        let mut stiffness = V::splat(simd, self.series[0][1]);
        let mut term = 1;
        while term < TERMS {
            window = window.mul_add(s, V::splat(simd, self.series[term][0]));
            stiffness = stiffness.mul_add(s, V::splat(simd, self.series[term][1]));
            term += 1;
        }
        let q = d2.add(one).recip().where_positive(V::splat(simd, self.near_d2).sub(d2));
        (q.mul(window), q.mul(q).mul(stiffness))
    }
}

/// The pairs of some targets and sources, and the destination of their sums.
struct Pairs<'a, T> {
    targets: &'a Positions<T>,
    sources: &'a Positions<T>,
    sums: &'a mut [PairSum],
}

impl<T: Real> Pairs<'_, T> {
    /// Sums a function over the pairs, `TARGETS` targets at a time.
    fn sum<F: PairFunction<T>, const TARGETS: usize>(self, function: F) -> f64 {
        simd::run(PairSums::<_, _, TARGETS> { pairs: self, function })
    }
}

struct PairSums<'a, T, F, const TARGETS: usize> {
    pairs: Pairs<'a, T>,
    function: F,
}

impl<T: Real, F: PairFunction<T>, const TARGETS: usize> Work for PairSums<'_, T, F, TARGETS> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) -> f64 {
        sum_by::<T, T::Vector<S>, F, TARGETS>(simd, self.pairs, &self.function)
    }
}

/// The loop over targets and sources around a function of d².
#[inline(always)]
fn sum_by<T: Real, V: Lanes<T>, F: PairFunction<T>, const TARGETS: usize>(
    simd: V::Proof,
    pairs: Pairs<'_, T>,
    function: &F,
) -> f64 {
    let Pairs { targets, sources, sums } = pairs;
    let lanes = T::LANES;
    let blocks = sources.len() / lanes;
    // Slices of known and equal length, so that the loop below needs no bounds checks.
    let (sx, sy, sz) =
        (&sources.axes[0][..blocks * lanes], &sources.axes[1][..blocks * lanes], &sources.axes[2][..blocks * lanes]);
    let zero = V::splat(simd, T::default());
    let mut stretched = zero;
    for (number, sums) in sums.chunks_mut(TARGETS).enumerate() {
        let mut at = [[zero; 3]; TARGETS];
        for (t, at) in at.iter_mut().enumerate() {
            // A last target without a partner is computed twice, and the duplicate is ignored.
            let index = number * TARGETS + t.min(sums.len() - 1);
            for axis in 0..3 {
                at[axis] = V::splat(simd, targets.axes[axis][index]);
            }
        }
        let partner = V::splat(simd, T::of(if sums.len() == TARGETS { 1.0 } else { 0.0 }));
        let mut potential = [zero; TARGETS];
        let mut force = [[zero; 3]; TARGETS];
        for block in 0..blocks {
            let start = block * lanes;
            let source = [
                V::load(simd, &sx[start..start + lanes]),
                V::load(simd, &sy[start..start + lanes]),
                V::load(simd, &sz[start..start + lanes]),
            ];
            for t in 0..TARGETS {
                let [x, y, z] = [at[t][0].sub(source[0]), at[t][1].sub(source[1]), at[t][2].sub(source[2])];
                let d2 = x.mul_add(x, y.mul_add(y, z.mul(z)));
                let (q, f) = function.of(simd, d2);
                potential[t] = potential[t].add(q);
                force[t] = [f.mul_add(x, force[t][0]), f.mul_add(y, force[t][1]), f.mul_add(z, force[t][2])];
                let d2 = if t == 0 { d2 } else { d2.mul(partner) };
                stretched = f.mul_add(d2, stretched);
            }
        }
        for (t, sum) in sums.iter_mut().enumerate() {
            sum.potential += potential[t].total().f64();
            for axis in 0..3 {
                sum.force[axis] += force[t][axis].total().f64();
            }
        }
    }
    stretched.total().f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harmonics::layouts::Layout;
    use crate::harmonics::split::Split;
    use crate::simd::Choice;

    const TARGETS: usize = 23;
    const SOURCES: usize = 61;
    const R: f64 = 400.0;

    fn positions<T: Real>(count: usize, choice: Choice) -> Positions<T> {
        let mut points = SortedPoints::default();
        points.sort(&Layout::Clump.points(SOURCES, 5), 16);
        let mut out = std::array::from_fn(|_| vec![T::default(); count + T::LANES]);
        let ranges = [0..3, 3..count];
        choice.run(Offset { u: &points.axes, ranges: &ranges, r: R, origin: points.position(0, R), out: &mut out });
        let mut positions = Positions { axes: out, len: count };
        positions.pad();
        positions
    }

    /// The sums by both kinds of instructions agree to rounding: each adds fewer than 100 numbers, which are results of
    /// fewer than 50 operations each, and none is larger than `largest`.
    fn check<T: Real, F: PairFunction<T> + Copy, const AT_ONCE: usize>(function: F, largest: f64) {
        let [best, portable] = Choice::both(|choice| {
            let (targets, sources) = (positions::<T>(TARGETS, choice), positions(SOURCES, choice));
            let mut sums = [PairSum::default(); TARGETS];
            let pairs = Pairs { targets: &targets, sources: &sources, sums: &mut sums };
            let stretch = choice.run(PairSums::<_, _, AT_ONCE> { pairs, function });
            (sums, stretch)
        });
        let bound = 150.0 * T::EPSILON * SOURCES as f64 * largest;
        for (best, portable) in best.0.iter().zip(&portable.0) {
            assert!(best.potential != 0.0, "{} sums to nothing", std::any::type_name::<F>());
            assert!((best.potential - portable.potential).abs() <= bound, "{best:?} {portable:?}");
            for axis in 0..3 {
                assert!((best.force[axis] - portable.force[axis]).abs() <= bound, "{best:?} {portable:?}");
            }
        }
        assert!((best.1 - portable.1).abs() <= bound * TARGETS as f64, "{} {}", best.1, portable.1);
    }

    fn check_all<T: Real>(accuracy: f64) {
        check::<T, _, PAIR>(Cauchy, 1.0);
        check::<T, _, PAIR>(Gaussian, 1.0);
        check::<T, _, PAIR>(CutGaussian { near_d2: T::of(2.0) }, 1.0);
        let kernel = PairKernel::<T>::near(&Split::at_band(R, 8.0, 60.0).near_series(accuracy));
        // The terms of a series are larger than their sum.
        let largest = 2.0 * kernel.series[..kernel.terms].iter().flatten().map(|c| c.f64().abs()).sum::<f64>();
        match kernel.terms {
            5 => check::<T, _, ALONE>(kernel.windowed::<5>(), largest),
            6 => check::<T, _, ALONE>(kernel.windowed::<6>(), largest),
            8 => check::<T, _, ALONE>(kernel.windowed::<8>(), largest),
            12 => check::<T, _, ALONE>(kernel.windowed::<12>(), largest),
            _ => check::<T, _, ALONE>(kernel.windowed::<MAX_TERMS>(), largest),
        }
    }

    #[test]
    fn sums_over_pairs_are_the_same_to_rounding_with_any_instructions() {
        check_all::<f32>(1e-3);
        check_all::<f32>(1e-5);
        check_all::<f64>(1e-8);
        check_all::<f64>(1e-12);
    }
}
