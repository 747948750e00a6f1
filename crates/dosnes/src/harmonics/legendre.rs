//! Sums of associated Legendre functions over degrees and over rings, the cubic part of a spherical-harmonic transform.
//!
//! Rings lie at θ_j = (j+½)π/N; a ring j < N/2 and its mirror image N−1−j share one evaluation, because P_lm(−x) =
//! (−1)^{l−m} P_lm(x). Only the even functions l = m, m+2, … are computed, by the recurrence in x² (Ishioka 2018, "A new recurrence
//! formula for efficient computation of spherical harmonic transform"): with ε_l = √((l²−m²)/(4l²−1)),
//! ```text
//! x P_l = ε_{l+1} P_{l+1} + ε_l P_{l−1},      p_k = P_{m+2k} / α_k,      p_{k+1} = (A_k + B_k sin²θ) p_k + p_{k−1},
//! ```
//! and α_k chosen such that the last factor is 1: two multiply-adds for two degrees. The odd functions enter as x·p_k;
//! their coefficients are recombined by a bidiagonal solve for every m, at negligible cost.
//!
//! Where m > l sin θ the functions are negligible. For every m and every block of rings, the recurrence starts where
//! the first function of the block exceeds a threshold, from values stored in the table. This saves a third of the
//! work, and nothing can underflow in the inner loop.

use std::f64::consts::PI;

use rayon::prelude::*;

use crate::simd::{self, Instructions, Lanes, Real, Work};

/// Vectors of rings that are processed in parallel chains: enough to hide the latency of a multiply-add, and few enough
/// to stay in registers.
const VECTORS: usize = 2;

/// Real and imaginary parts of the even and the odd sums: ER, EI, OR, OI.
pub(crate) const PARTS: usize = 4;

/// The coefficients of the recurrences, for all m.
#[derive(Debug)]
pub(crate) struct LegendreTable<T> {
    padded: usize,
    /// sin²θ of the northern rings, padded.
    sin2: Vec<T>,
    /// cos θ of the northern rings, padded with 0.
    cos: Vec<T>,
    orders: Vec<Order<T>>,
}

/// The part of the table for one m.
#[derive(Debug)]
struct Order<T> {
    /// A_k, B_k.
    recurrence: Vec<[T; 2]>,
    alpha: Vec<T>,
    /// ε_l and 1/ε_l for l = m … L+1; the latter 0 at l = m.
    epsilon: Vec<[T; 2]>,
    /// For every block of rings, the first k; the number of all k if none is needed.
    first: Vec<u32>,
    /// For every block, p_{k−1} and p_k at the first k.
    start: Vec<T>,
}

/// Coefficients of one order: real and imaginary part for l = m … L.
pub(crate) type Coefficients<T> = [[T; 2]];

impl<T: Real> LegendreTable<T> {
    /// Rings in a block.
    const BLOCK: usize = VECTORS * T::LANES;

    /// The table for degrees up to `degree` on `rings` (an even number) rings. Functions below `threshold` are omitted.
    pub(crate) fn new(degree: usize, rings: usize, threshold: f64) -> Self {
        debug_assert!(rings.is_multiple_of(2));
        let pairs = rings / 2;
        let padded = pairs.next_multiple_of(Self::BLOCK);
        let angle = |j: usize| (j as f64 + 0.5) * PI / rings as f64;
        let sines: Vec<f64> = (0..padded).map(|j| angle(j.min(pairs - 1)).sin()).collect();
        let cos = (0..padded).map(|j| T::of(if j < pairs { angle(j).cos() } else { 0.0 })).collect();
        let sin2 = sines.iter().map(|s| T::of(s * s)).collect();
        // ln of the normalisation of P_mm: |P_mm|² = (2m+1)/4π Π (2i−1)/(2i) sin^{2m} θ.
        let mut log_norm = Vec::with_capacity(degree + 1);
        let mut product = 0.0;
        for m in 0..=degree {
            if m > 0 {
                product += ((2 * m - 1) as f64 / (2 * m) as f64).ln();
            }
            log_norm.push(0.5 * (((2 * m + 1) as f64 / (4.0 * PI)).ln() + product));
        }
        let orders = (0..=degree)
            .into_par_iter()
            .map(|m| Order::new(m, degree, &sines, log_norm[m], threshold, Self::BLOCK))
            .collect();
        Self { padded, sin2, cos, orders }
    }

    /// Length of a padded vector over the northern rings.
    pub(crate) fn padded(&self) -> usize {
        self.padded
    }

    /// Multiply-adds of one transform in one direction, for all m.
    #[cfg(feature = "internals")]
    pub(crate) fn multiply_adds(&self) -> f64 {
        let per_term = (2 + PARTS) * Self::BLOCK;
        self.orders
            .iter()
            .map(|order| order.first.iter().map(|&k| order.alpha.len() - k as usize).sum::<usize>() * per_term)
            .sum::<usize>() as f64
    }

    /// a_l = Σ_j P_lm(θ_j) F(θ_j) over all rings. `parts` holds four padded vectors over the northern rings: real and
    /// imaginary part of F(north) + F(south), then of F(north) − F(south), with zeros after the last ring.
    pub(crate) fn analyse(&self, m: usize, parts: &[T], coefficients: &mut Coefficients<T>, scratch: &mut Vec<T>) {
        let order = &self.orders[m];
        scratch.clear();
        scratch.resize(order.alpha.len() * PARTS * T::LANES, T::default());
        let shape =
            Shape { first: &order.first, start: &order.start, sin2: &self.sin2, cos: &self.cos, padded: self.padded };
        simd::run(Analysis { shape, recurrence: &order.recurrence, parts, sums: scratch });
        order.unpack(scratch, coefficients);
    }

    /// F(θ_j) = Σ_l P_lm(θ_j) a_l in four parts: F(north) is the sum of the even and the odd part, F(south) their
    /// difference.
    pub(crate) fn synthesise(&self, m: usize, coefficients: &Coefficients<T>, parts: &mut [T], scratch: &mut Vec<T>) {
        let order = &self.orders[m];
        scratch.clear();
        scratch.resize(order.alpha.len() * PARTS, T::default());
        order.pack(coefficients, scratch);
        let shape =
            Shape { first: &order.first, start: &order.start, sin2: &self.sin2, cos: &self.cos, padded: self.padded };
        simd::run(Synthesis { shape, recurrence: &order.recurrence, factors: scratch, parts });
    }
}

impl<T: Real> Order<T> {
    fn new(m: usize, degree: usize, sines: &[f64], log_norm: f64, threshold: f64, block: usize) -> Self {
        let count = (degree - m) / 2 + 1;
        let epsilon = |l: usize| -> f64 {
            let (l, m) = (l as f64, m as f64);
            ((l * l - m * m) / (4.0 * l * l - 1.0)).max(0.0).sqrt()
        };
        let mut alpha = vec![1.0; count + 1];
        alpha[1] = 0.25 / (epsilon(m + 1) * epsilon(m + 2));
        for k in 1..count {
            let l = m + 2 * k;
            alpha[k + 1] = -alpha[k - 1] * epsilon(l) * epsilon(l - 1) / (epsilon(l + 1) * epsilon(l + 2));
        }
        let recurrence: Vec<[f64; 2]> = (0..count)
            .map(|k| {
                let l = m + 2 * k;
                let (low, high) = (epsilon(l), epsilon(l + 1));
                let factor = alpha[k] / (alpha[k + 1] * high * epsilon(l + 2));
                [(1.0 - high * high - low * low) * factor, -factor]
            })
            .collect();
        let blocks = sines.len() / block;
        let mut first = Vec::with_capacity(blocks);
        let mut start = Vec::with_capacity(blocks * 2 * block);
        let sign = if m.is_multiple_of(2) { 1.0 } else { -1.0 };
        for lanes in sines.chunks_exact(block) {
            let mut state: Vec<ScaledPair> =
                lanes.iter().map(|s| ScaledPair::new(sign, log_norm + m as f64 * s.ln(), s * s)).collect();
            let mut k = 0;
            while k < count && !state.iter().any(|lane| lane.exceeds(threshold / alpha[k].abs())) {
                for lane in &mut state {
                    lane.advance(recurrence[k]);
                }
                k += 1;
            }
            first.push(k as u32);
            start.extend(state.iter().map(|lane| T::of(lane.unscaled(lane.previous))));
            start.extend(state.iter().map(|lane| T::of(lane.unscaled(lane.current))));
        }
        Self {
            recurrence: recurrence.iter().map(|&[a, b]| [T::of(a), T::of(b)]).collect(),
            alpha: alpha[..count].iter().map(|&a| T::of(a)).collect(),
            epsilon: (m..=degree + 1)
                .map(|l| [T::of(epsilon(l)), T::of(if l == m { 0.0 } else { 1.0 / epsilon(l) })])
                .collect(),
            first,
            start,
        }
    }

    /// Converts the sums over rings of p_k (even) and x p_k (odd), one partial sum per lane, to a_l. For the odd ones,
    /// Σ x P_{m+2k} F = ε_{m+2k+1} a_{m+2k+1} + ε_{m+2k} a_{m+2k−1} is solved forward.
    fn unpack(&self, sums: &[T], coefficients: &mut Coefficients<T>) {
        let mut odd = [T::default(); 2];
        for (k, (lanes, &alpha)) in sums.chunks_exact(PARTS * T::LANES).zip(&self.alpha).enumerate() {
            let total = |part: usize| {
                let lanes = &lanes[part * T::LANES..(part + 1) * T::LANES];
                let mut sum = lanes[0];
                for &lane in &lanes[1..] {
                    sum = sum + lane;
                }
                sum * alpha
            };
            coefficients[2 * k] = [total(0), total(1)];
            if let Some(coefficient) = coefficients.get_mut(2 * k + 1) {
                let low = self.epsilon[2 * k][0];
                let inverse = self.epsilon[2 * k + 1][1];
                odd = [(total(2) - low * odd[0]) * inverse, (total(3) - low * odd[1]) * inverse];
                *coefficient = odd;
            }
        }
    }

    /// Converts a_l to the factors of p_k and x p_k: the transpose of `unpack`, solved backward.
    fn pack(&self, coefficients: &Coefficients<T>, factors: &mut [T]) {
        let mut odd = [T::default(); 2];
        for k in (0..self.alpha.len()).rev() {
            let alpha = self.alpha[k];
            let factors = &mut factors[k * PARTS..(k + 1) * PARTS];
            if let Some(&[re, im]) = coefficients.get(2 * k + 1) {
                let inverse = self.epsilon[2 * k + 1][1];
                let high = self.epsilon[2 * k + 2][0];
                odd = [(re - high * odd[0]) * inverse, (im - high * odd[1]) * inverse];
            }
            let [re, im] = coefficients[2 * k];
            factors.copy_from_slice(&[re * alpha, im * alpha, odd[0] * alpha, odd[1] * alpha]);
        }
    }
}

/// Two consecutive values of a recurrence, times 2^(512·scale), which prevents underflow.
struct ScaledPair {
    previous: f64,
    current: f64,
    scale: i32,
    sin2: f64,
}

impl ScaledPair {
    fn new(sign: f64, log: f64, sin2: f64) -> Self {
        let log2 = log / std::f64::consts::LN_2;
        let scale = (-log2 / 512.0).floor().max(0.0) as i32;
        Self { previous: 0.0, current: sign * (log2 + 512.0 * f64::from(scale)).exp2(), scale, sin2 }
    }

    fn exceeds(&self, threshold: f64) -> bool {
        self.scale == 0 && self.current.abs() >= threshold
    }

    fn advance(&mut self, [a, b]: [f64; 2]) {
        let next = (a + b * self.sin2) * self.current + self.previous;
        self.previous = self.current;
        self.current = next;
        if self.scale > 0 && next.abs() > 1.0 {
            let down = (-512f64).exp2();
            self.previous *= down;
            self.current *= down;
            self.scale -= 1;
        }
    }

    fn unscaled(&self, value: f64) -> f64 {
        // A value that is still scaled when its block starts stays negligible up to the last degree: within one block
        // of rings, functions that become relevant are at most e^40 apart.
        if self.scale == 0 { value } else { 0.0 }
    }
}

/// Parameters of both kernels.
#[derive(Clone, Copy)]
struct Shape<'a, T> {
    first: &'a [u32],
    start: &'a [T],
    sin2: &'a [T],
    cos: &'a [T],
    padded: usize,
}

struct Analysis<'a, T> {
    shape: Shape<'a, T>,
    recurrence: &'a [[T; 2]],
    parts: &'a [T],
    sums: &'a mut [T],
}

impl<T: Real> Work for Analysis<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) {
        analyse::<T, T::Vector<S>>(simd, self.shape, self.recurrence, self.parts, self.sums);
    }
}

#[inline(always)]
fn analyse<T: Real, V: Lanes<T>>(
    simd: V::Proof,
    shape: Shape<'_, T>,
    recurrence: &[[T; 2]],
    parts: &[T],
    sums: &mut [T],
) {
    let lanes = T::LANES;
    let block = VECTORS * lanes;
    for (b, &first) in shape.first.iter().enumerate() {
        let at = b * block;
        let start = &shape.start[2 * at..2 * (at + block)];
        let part = |p: usize, v: usize| {
            let values = V::load(simd, &parts[p * shape.padded + at + v * lanes..]);
            // Odd functions are cos θ times even ones.
            if p < 2 { values } else { values.mul(V::load(simd, &shape.cos[at + v * lanes..])) }
        };
        let data: [[V; VECTORS]; PARTS] = std::array::from_fn(|p| std::array::from_fn(|v| part(p, v)));
        let sin2: [V; VECTORS] = std::array::from_fn(|v| V::load(simd, &shape.sin2[at + v * lanes..]));
        let mut previous: [V; VECTORS] = std::array::from_fn(|v| V::load(simd, &start[v * lanes..]));
        let mut current: [V; VECTORS] = std::array::from_fn(|v| V::load(simd, &start[block + v * lanes..]));
        let first = first as usize;
        let terms = sums[first * PARTS * lanes..].chunks_exact_mut(PARTS * lanes);
        for (sums, &[a, b]) in terms.zip(&recurrence[first..]) {
            for p in 0..PARTS {
                let sum = &mut sums[p * lanes..(p + 1) * lanes];
                let mut total = V::load(simd, sum);
                for v in 0..VECTORS {
                    total = current[v].mul_add(data[p][v], total);
                }
                total.store(sum);
            }
            let (a, b) = (V::splat(simd, a), V::splat(simd, b));
            for v in 0..VECTORS {
                let next = b.mul_add(sin2[v], a).mul_add(current[v], previous[v]);
                previous[v] = current[v];
                current[v] = next;
            }
        }
    }
}

struct Synthesis<'a, T> {
    shape: Shape<'a, T>,
    recurrence: &'a [[T; 2]],
    factors: &'a [T],
    parts: &'a mut [T],
}

impl<T: Real> Work for Synthesis<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) {
        synthesise::<T, T::Vector<S>>(simd, self.shape, self.recurrence, self.factors, self.parts);
    }
}

#[inline(always)]
fn synthesise<T: Real, V: Lanes<T>>(
    simd: V::Proof,
    shape: Shape<'_, T>,
    recurrence: &[[T; 2]],
    factors: &[T],
    parts: &mut [T],
) {
    let lanes = T::LANES;
    let block = VECTORS * lanes;
    for (b, &first) in shape.first.iter().enumerate() {
        let at = b * block;
        let start = &shape.start[2 * at..2 * (at + block)];
        let sin2: [V; VECTORS] = std::array::from_fn(|v| V::load(simd, &shape.sin2[at + v * lanes..]));
        let mut previous: [V; VECTORS] = std::array::from_fn(|v| V::load(simd, &start[v * lanes..]));
        let mut current: [V; VECTORS] = std::array::from_fn(|v| V::load(simd, &start[block + v * lanes..]));
        let mut totals = [[V::splat(simd, T::default()); VECTORS]; PARTS];
        let first = first as usize;
        for (factors, &[a, b]) in factors[first * PARTS..].chunks_exact(PARTS).zip(&recurrence[first..]) {
            for p in 0..PARTS {
                let factor = V::splat(simd, factors[p]);
                for v in 0..VECTORS {
                    totals[p][v] = current[v].mul_add(factor, totals[p][v]);
                }
            }
            let (a, b) = (V::splat(simd, a), V::splat(simd, b));
            for v in 0..VECTORS {
                let next = b.mul_add(sin2[v], a).mul_add(current[v], previous[v]);
                previous[v] = current[v];
                current[v] = next;
            }
        }
        for p in 0..PARTS {
            for v in 0..VECTORS {
                let total =
                    if p < 2 { totals[p][v] } else { totals[p][v].mul(V::load(simd, &shape.cos[at + v * lanes..])) };
                total.store(&mut parts[p * shape.padded + at + v * lanes..]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Choice;

    /// P_lm(cos θ) by the textbook recurrence, for one m, l = m … L.
    fn textbook(m: usize, degree: usize, theta: f64) -> Vec<f64> {
        let (x, s) = (theta.cos(), theta.sin());
        let mut p_mm = (1.0 / (4.0 * PI)).sqrt();
        for i in 1..=m {
            p_mm *= -s * ((2 * i + 1) as f64 / (2 * i) as f64).sqrt();
        }
        let mut p = vec![p_mm];
        for l in m + 1..=degree {
            let epsilon = |l: f64| ((l * l - (m * m) as f64) / (4.0 * l * l - 1.0)).sqrt();
            let before = if l >= m + 2 { p[l - m - 2] * epsilon(l as f64 - 1.0) } else { 0.0 };
            let next = (x * p[l - m - 1] - before) / epsilon(l as f64);
            p.push(next);
        }
        p
    }

    fn check<T: Real>(degree: usize, rings: usize, threshold: f64, tolerance: f64) {
        let table = LegendreTable::<T>::new(degree, rings, threshold);
        let angle = |j: usize| (j as f64 + 0.5) * PI / rings as f64;
        for m in [0, 1, 2, degree / 3, degree - 1, degree] {
            let values: Vec<Vec<f64>> = (0..rings).map(|j| textbook(m, degree, angle(j))).collect();
            let field: Vec<f64> = (0..rings).map(|j| (1.0 + j as f64 * 0.7).sin()).collect();
            let mut parts = vec![T::default(); 4 * table.padded()];
            for j in 0..rings / 2 {
                let (north, south) = (field[j], field[rings - 1 - j]);
                parts[j] = T::of(north + south);
                parts[table.padded() + j] = T::of(-2.0 * (north + south));
                parts[2 * table.padded() + j] = T::of(north - south);
                parts[3 * table.padded() + j] = T::of(-2.0 * (north - south));
            }
            let mut coefficients = vec![[T::default(); 2]; degree - m + 1];
            table.analyse(m, &parts, &mut coefficients, &mut Vec::new());
            let scale = (rings as f64).sqrt();
            for l in m..=degree {
                let expected: f64 = (0..rings).map(|j| values[j][l - m] * field[j]).sum();
                let [re, im] = coefficients[l - m].map(Real::f64);
                assert!((re - expected).abs() < tolerance * scale, "m {m} l {l}: {re} {expected}");
                assert!((im + 2.0 * expected).abs() < 2.0 * tolerance * scale);
            }
            let wanted: Vec<f64> = (m..=degree).map(|l| (l as f64).cos()).collect();
            for (coefficient, value) in coefficients.iter_mut().zip(&wanted) {
                *coefficient = [T::of(*value), T::of(0.5 * value)];
            }
            table.synthesise(m, &coefficients, &mut parts, &mut Vec::new());
            for j in 0..rings {
                let expected: f64 = values[j].iter().zip(&wanted).map(|(p, a)| p * a).sum();
                let (pair, sign) = if j < rings / 2 { (j, 1.0) } else { (rings - 1 - j, -1.0) };
                let value = |even: usize| {
                    parts[even * table.padded() + pair].f64() + sign * parts[(even + 2) * table.padded() + pair].f64()
                };
                let scale = (degree as f64).sqrt();
                assert!((value(0) - expected).abs() < tolerance * scale, "m {m} ring {j}: {} {expected}", value(0));
                assert!((value(1) - 0.5 * expected).abs() < tolerance * scale);
            }
        }
    }

    #[test]
    fn sums_agree_with_the_textbook_recurrence() {
        // The recurrence adds up rounding errors over `degree` steps: degree · ε · a few.
        check::<f64>(12, 16, 1e-18, 1e-13);
        check::<f64>(200, 250, 1e-18, 2e-12);
        check::<f64>(603, 754, 1e-18, 1e-11);
        check::<f32>(200, 250, 1e-8, 3e-4);
    }
    /// Compares both kinds of instructions, over `degree` steps of the recurrence and as many additions.
    fn compare<T: Real>(degree: usize, rings: usize, threshold: f64) {
        let table = LegendreTable::<T>::new(degree, rings, threshold);
        for m in [0, 1, degree / 2, degree] {
            let order = &table.orders[m];
            let (sin2, cos, padded) = (&table.sin2, &table.cos, table.padded);
            let shape = Shape { first: &order.first, start: &order.start, sin2, cos, padded };
            let terms = order.alpha.len();
            let wave = |length: usize| -> Vec<T> { (0..length).map(|i| T::of((1.3 * i as f64).sin())).collect() };
            let (fields, factors) = (wave(PARTS * table.padded), wave(PARTS * terms));
            let [best, portable] = Choice::both(|choice| {
                let mut sums = vec![T::default(); terms * PARTS * T::LANES];
                choice.run(Analysis { shape, recurrence: &order.recurrence, parts: &fields, sums: &mut sums });
                let mut parts = vec![T::default(); PARTS * table.padded];
                choice.run(Synthesis { shape, recurrence: &order.recurrence, factors: &factors, parts: &mut parts });
                (sums, parts)
            });
            for (best, portable) in [(best.0, portable.0), (best.1, portable.1)] {
                let size = portable.iter().fold(1.0, |size: f64, x| size.max(x.f64().abs()));
                for (best, portable) in best.iter().zip(&portable) {
                    let error = (best.f64() - portable.f64()).abs();
                    assert!(error <= 4.0 * degree as f64 * T::EPSILON * size, "m {m}: {best:?} {portable:?}");
                }
            }
        }
    }

    #[test]
    fn sums_are_the_same_to_rounding_with_any_instructions() {
        compare::<f64>(30, 40, 1e-18);
        compare::<f32>(60, 80, 1e-8);
    }
}
