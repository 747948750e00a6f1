//! The inner loop over pairs: some targets against a list of sources, as a compact piece of the near field or as a
//! block of the exact sum.

use std::ops::Range;

use crate::harmonics::kernel::Kernel;
use crate::harmonics::order::SortedPoints;
use crate::harmonics::split::{NearSeries, SERIES_LENGTHS};
use crate::simd::{Lanes, Real, dispatch};

/// Targets that run side by side: two share the loads of a source; the polynomials leave registers for one only.
const PAIR: usize = 2;
const ALONE: usize = 1;

/// What is summed over pairs.
#[derive(Debug)]
pub(crate) struct PairKernel<T> {
    shape: PairShape,
    /// Squared distance at which it ends.
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
    /// The Gaussian up to a distance.
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

    /// The potential of a point in its own place, by the very arithmetic of the sums.
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
    /// Of at least `len` numbers each; what comes after these is room to write.
    axes: [Vec<T>; 3],
    len: usize,
}

impl<T: Real> Positions<T> {
    /// Takes r u − origin of the points in some ranges.
    pub(crate) fn set(&mut self, points: &SortedPoints, ranges: &[Range<usize>], r: f64, origin: [f64; 3]) {
        self.len = ranges.iter().map(Range::len).sum();
        // A vector is written whole, and what is too much of it then overwritten.
        let room = self.len + T::LANES;
        if self.axes[0].len() < room {
            for axis in &mut self.axes {
                axis.resize(2 * room, T::default());
            }
        }
        offset::<T>(&points.axes, ranges, r, origin, &mut self.axes);
    }

    /// Fills up to a multiple of the lanes with sources so far away that they count for nothing.
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

dispatch! {
    /// r u − origin.
    fn offset(u: &[Vec<f64>; 3], ranges: &[Range<usize>], r: f64, origin: [f64; 3], out: &mut [Vec<T>; 3]) = offset_body
}

#[inline(always)]
fn offset_body<T: Real, V: Lanes<T>>(
    u: &[Vec<f64>; 3],
    ranges: &[Range<usize>],
    r: f64,
    origin: [f64; 3],
    out: &mut [Vec<T>; 3],
) {
    let lanes = T::LANES;
    let [x, y, z] = u;
    let [out_x, out_y, out_z] = out;
    let mut start = 0;
    for range in ranges {
        // Slices of one known length each, so that the loop below needs no other check.
        let rounded = range.len().next_multiple_of(lanes);
        let from = range.start..range.start + rounded;
        let (x, y, z) = (&x[from.clone()], &y[from.clone()], &z[from]);
        let to = start..start + rounded;
        let (out_x, out_y, out_z) = (&mut out_x[to.clone()], &mut out_y[to.clone()], &mut out_z[to]);
        let mut k = 0;
        while k < rounded {
            V::load_offset(&x[k..k + lanes], r, origin[0]).store(&mut out_x[k..k + lanes]);
            V::load_offset(&y[k..k + lanes], r, origin[1]).store(&mut out_y[k..k + lanes]);
            V::load_offset(&z[k..k + lanes], r, origin[2]).store(&mut out_z[k..k + lanes]);
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

/// Adds the sums over all (padded) sources to every target's, and returns Σ f d² over all of these pairs.
pub(crate) fn sum_pairs<T: Real>(
    kernel: &PairKernel<T>,
    targets: &Positions<T>,
    sources: &Positions<T>,
    sums: &mut [PairSum],
) -> f64 {
    match kernel.shape {
        PairShape::Cauchy => sum_cauchy::<T>(kernel, targets, sources, sums),
        PairShape::Gaussian => sum_gaussian::<T>(kernel, targets, sources, sums),
        PairShape::CutGaussian => sum_cut_gaussian::<T>(kernel, targets, sources, sums),
        PairShape::Windowed => sum_windowed::<T>(kernel, targets, sources, sums),
    }
}

dispatch! {
    fn sum_cauchy(
        kernel: &PairKernel<T>, targets: &Positions<T>, sources: &Positions<T>, sums: &mut [PairSum],
    ) -> f64 = cauchy_body
}
dispatch! {
    fn sum_gaussian(
        kernel: &PairKernel<T>, targets: &Positions<T>, sources: &Positions<T>, sums: &mut [PairSum],
    ) -> f64 = gaussian_body
}
dispatch! {
    fn sum_cut_gaussian(
        kernel: &PairKernel<T>, targets: &Positions<T>, sources: &Positions<T>, sums: &mut [PairSum],
    ) -> f64 = cut_gaussian_body
}
dispatch! {
    fn sum_windowed(
        kernel: &PairKernel<T>, targets: &Positions<T>, sources: &Positions<T>, sums: &mut [PairSum],
    ) -> f64 = windowed_body
}

/// (q, f) as functions of d².
///
/// Types with a method, and plain loops below, rather than closures: a closure is not compiled for the instructions of
/// the function that it ends up in, and where the compiler does not inline it, every single operation is a call.
trait PairFunction<T: Real, V: Lanes<T>> {
    fn of(&self, d2: V) -> (V, V);
}

struct Cauchy;
struct Gaussian;
struct CutGaussian<T> {
    near_d2: T,
}
struct Windowed<'a, T, const TERMS: usize> {
    slope: T,
    near_d2: T,
    series: &'a [[T; 2]; TERMS],
}

impl<T: Real, V: Lanes<T>> PairFunction<T, V> for Cauchy {
    #[inline(always)]
    fn of(&self, d2: V) -> (V, V) {
        let q = d2.add(V::splat(T::of(1.0))).recip();
        (q, q.mul(q))
    }
}

impl<T: Real, V: Lanes<T>> PairFunction<T, V> for Gaussian {
    #[inline(always)]
    fn of(&self, d2: V) -> (V, V) {
        let q = V::splat(T::default()).sub(d2).exp_nonpositive();
        (q, q)
    }
}

impl<T: Real, V: Lanes<T>> PairFunction<T, V> for CutGaussian<T> {
    #[inline(always)]
    fn of(&self, d2: V) -> (V, V) {
        let q = V::splat(T::default()).sub(d2).exp_nonpositive().where_positive(V::splat(self.near_d2).sub(d2));
        (q, q)
    }
}

impl<T: Real, V: Lanes<T>, const TERMS: usize> PairFunction<T, V> for Windowed<'_, T, TERMS> {
    #[inline(always)]
    fn of(&self, d2: V) -> (V, V) {
        let one = V::splat(T::of(1.0));
        // Beyond the reach a polynomial may overflow, and infinity times nothing is not a number.
        let s = d2.mul_add(V::splat(self.slope), one).max(V::splat(T::of(-1.0)));
        let mut window = V::splat(self.series[0][0]);
        let mut stiffness = V::splat(self.series[0][1]);
        let mut term = 1;
        while term < TERMS {
            window = window.mul_add(s, V::splat(self.series[term][0]));
            stiffness = stiffness.mul_add(s, V::splat(self.series[term][1]));
            term += 1;
        }
        let q = d2.add(one).recip().where_positive(V::splat(self.near_d2).sub(d2));
        (q.mul(window), q.mul(q).mul(stiffness))
    }
}

#[inline(always)]
fn cauchy_body<T: Real, V: Lanes<T>>(
    _: &PairKernel<T>,
    targets: &Positions<T>,
    sources: &Positions<T>,
    sums: &mut [PairSum],
) -> f64 {
    run::<T, V, _, PAIR>(targets, sources, sums, &Cauchy)
}

#[inline(always)]
fn gaussian_body<T: Real, V: Lanes<T>>(
    _: &PairKernel<T>,
    targets: &Positions<T>,
    sources: &Positions<T>,
    sums: &mut [PairSum],
) -> f64 {
    run::<T, V, _, PAIR>(targets, sources, sums, &Gaussian)
}

#[inline(always)]
fn cut_gaussian_body<T: Real, V: Lanes<T>>(
    kernel: &PairKernel<T>,
    targets: &Positions<T>,
    sources: &Positions<T>,
    sums: &mut [PairSum],
) -> f64 {
    run::<T, V, _, PAIR>(targets, sources, sums, &CutGaussian { near_d2: kernel.near_d2 })
}

#[inline(always)]
fn windowed_body<T: Real, V: Lanes<T>>(
    kernel: &PairKernel<T>,
    targets: &Positions<T>,
    sources: &Positions<T>,
    sums: &mut [PairSum],
) -> f64 {
    // A number of terms that the compiler knows keeps the polynomials in registers. It must be the very one: coefficients
    // begin with the highest power.
    const { assert!(matches!(SERIES_LENGTHS, [5, 6, 8, 12, MAX_TERMS])) };
    match kernel.terms {
        5 => windowed::<T, V, 5>(kernel, targets, sources, sums),
        6 => windowed::<T, V, 6>(kernel, targets, sources, sums),
        8 => windowed::<T, V, 8>(kernel, targets, sources, sums),
        12 => windowed::<T, V, 12>(kernel, targets, sources, sums),
        _ => windowed::<T, V, MAX_TERMS>(kernel, targets, sources, sums),
    }
}

#[inline(always)]
fn windowed<T: Real, V: Lanes<T>, const TERMS: usize>(
    kernel: &PairKernel<T>,
    targets: &Positions<T>,
    sources: &Positions<T>,
    sums: &mut [PairSum],
) -> f64 {
    let series: &[[T; 2]; TERMS] = match kernel.series.first_chunk() {
        Some(series) => series,
        None => return 0.0,
    };
    let function = Windowed { slope: kernel.slope, near_d2: kernel.near_d2, series };
    run::<T, V, _, ALONE>(targets, sources, sums, &function)
}

/// The loop over targets and sources around a function of d².
#[inline(always)]
fn run<T: Real, V: Lanes<T>, F: PairFunction<T, V>, const TARGETS: usize>(
    targets: &Positions<T>,
    sources: &Positions<T>,
    sums: &mut [PairSum],
    function: &F,
) -> f64 {
    let lanes = T::LANES;
    let blocks = sources.len() / lanes;
    // Slices of one known length each, so that the loop below needs no other check.
    let (sx, sy, sz) =
        (&sources.axes[0][..blocks * lanes], &sources.axes[1][..blocks * lanes], &sources.axes[2][..blocks * lanes]);
    let zero = V::splat(T::default());
    let mut stretched = zero;
    for (number, sums) in sums.chunks_mut(TARGETS).enumerate() {
        let mut at = [[zero; 3]; TARGETS];
        for (t, at) in at.iter_mut().enumerate() {
            // A last target without a partner is run twice, and its double counts for nothing.
            let index = number * TARGETS + t.min(sums.len() - 1);
            for axis in 0..3 {
                at[axis] = V::splat(targets.axes[axis][index]);
            }
        }
        let partner = V::splat(T::of(if sums.len() == TARGETS { 1.0 } else { 0.0 }));
        let mut potential = [zero; TARGETS];
        let mut force = [[zero; 3]; TARGETS];
        for block in 0..blocks {
            let start = block * lanes;
            let source = [
                V::load(&sx[start..start + lanes]),
                V::load(&sy[start..start + lanes]),
                V::load(&sz[start..start + lanes]),
            ];
            for t in 0..TARGETS {
                let [x, y, z] = [at[t][0].sub(source[0]), at[t][1].sub(source[1]), at[t][2].sub(source[2])];
                let d2 = x.mul_add(x, y.mul_add(y, z.mul(z)));
                let (q, f) = function.of(d2);
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
