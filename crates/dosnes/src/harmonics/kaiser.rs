//! The spreading kernel: a Kaiser-Bessel window of w grid nodes, its Fourier transform, and the filter that inverts it.
//!
//! ψ(x) = I₀(β√(1−x²)) for |x| < 1, x = distance / (w/2 nodes); ψ̂(ω) = w sinh(s)/s, s = √(β² − (wω/2)²), with ω in radians per
//! node. β = π w (1 − 1/(2σ)) puts the first zero of ψ̂ where aliasing begins for a grid with σ times as many
//! nodes as the band needs.

use std::f64::consts::PI;

use crate::harmonics::chebyshev;

/// The taps are padded to this number: two vectors of `f32`, or four of `f64`.
pub(crate) const MAX_WIDTH: usize = 16;
/// Nodes per circle over twice the band limit.
pub(crate) const OVERSAMPLING: f64 = 1.25;

/// A spreading kernel of a given width.
#[derive(Debug, Clone)]
pub(crate) struct KaiserBessel {
    width: usize,
    beta: f64,
    /// 1/I₀(β): the kernel's maximum is 1.
    scale: f64,
}

impl KaiserBessel {
    pub(crate) fn new(width: usize) -> Self {
        debug_assert!((2..=MAX_WIDTH).contains(&width));
        let beta = PI * width as f64 * (1.0 - 0.5 / OVERSAMPLING);
        Self { width, beta, scale: 1.0 / bessel_i0(beta) }
    }

    /// The narrowest kernel whose interpolated derivative has an error of about `tolerance`; the smallest possible
    /// error is 1e-13.
    pub(crate) fn for_tolerance(tolerance: f64) -> Self {
        // Measured: at σ = 1.25 a width of 6 gives 6e-4, and every further node divides the error by 6.3.
        let width = 6.0 + (6e-4 / tolerance).ln() / 6.3f64.ln();
        Self::new((width.ceil().max(4.0) as usize).min(MAX_WIDTH))
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// ψ at |x| ≤ 1, in units of half the width.
    fn value(&self, x: f64) -> f64 {
        self.scale * bessel_i0(self.beta * (1.0 - x * x).max(0.0).sqrt())
    }

    /// ψ̂ at ω radians per node.
    pub(crate) fn transform(&self, omega: f64) -> f64 {
        let half = 0.5 * self.width as f64;
        let s2 = self.beta * self.beta - (half * omega).powi(2);
        let ratio = if s2 > 1e-12 {
            let s = s2.sqrt();
            s.sinh() / s
        } else {
            1.0
        };
        2.0 * half * self.scale * ratio
    }

    /// Polynomials for the taps: if f ∈ [0, 1) is the distance of the first tap from the left end of the support, tap t
    /// is Σ_k c[k][t] (2f−1)^k. Fitted at Chebyshev nodes.
    pub(crate) fn taps(&self, accuracy: f64) -> Vec<[f64; MAX_WIDTH]> {
        let half = 0.5 * self.width as f64;
        let mut columns = Vec::with_capacity(self.width);
        let mut needed = 1;
        for tap in 0..self.width {
            let value = |s: f64| self.value((0.5 * (s + 1.0) + tap as f64 - half) / half);
            let series = chebyshev::fit(value, 25);
            let mut rest = 0.0;
            let mut count = series.len();
            while count > 1 && rest + series[count - 1].abs() <= accuracy {
                rest += series[count - 1].abs();
                count -= 1;
            }
            needed = needed.max(count);
            columns.push(series);
        }
        let mut taps = vec![[0.0; MAX_WIDTH]; needed];
        for (tap, series) in columns.iter().enumerate() {
            for (k, value) in chebyshev::to_powers(&series[..needed]).into_iter().enumerate() {
                taps[k][tap] = value;
            }
        }
        taps
    }

    /// A symmetric filter h_{−T…T} along a meridian that inverts the kernel in the polar direction: its transform H(ω)
    /// = h_0 + 2 Σ h_t cos(tω) is 1/ψ̂(ω) to `accuracy` (relative) for |ω| ≤ π/σ, the band, and arbitrary beyond. Found
    /// by least squares, with as many taps as the accuracy needs; returns h_0 … h_T.
    pub(crate) fn inverse_filter(&self, accuracy: f64) -> Vec<f64> {
        let mut best = vec![1.0];
        let mut best_error = f64::INFINITY;
        for taps in (4..=64).step_by(4) {
            let (filter, error) = self.fit_inverse(taps);
            if error < best_error {
                best_error = error;
                best = filter;
            }
            if error <= accuracy {
                break;
            }
        }
        best
    }

    fn fit_inverse(&self, taps: usize) -> (Vec<f64>, f64) {
        let band = PI / OVERSAMPLING;
        let samples = 8 * taps + 32;
        // Chebyshev-like nodes in ω make the least-squares solution nearly minimax.
        let omegas: Vec<f64> =
            (0..samples).map(|i| band * (0.5 * PI * (i as f64 + 0.5) / samples as f64).sin()).collect();
        let mut columns: Vec<Vec<f64>> = (0..=taps)
            .map(|t| {
                let factor = if t == 0 { 1.0 } else { 2.0 };
                omegas.iter().map(|w| factor * (t as f64 * w).cos() * self.transform(*w)).collect()
            })
            .collect();
        let filter = least_squares(&mut columns, vec![1.0; samples]);
        let error = omegas
            .iter()
            .map(|w| {
                let h: f64 = filter
                    .iter()
                    .enumerate()
                    .map(|(t, h)| if t == 0 { *h } else { 2.0 * h * (t as f64 * w).cos() })
                    .sum();
                (h * self.transform(*w) - 1.0).abs()
            })
            .fold(0.0, f64::max);
        (filter, error)
    }
}

/// Minimises |A x − b| by modified Gram-Schmidt with one re-orthogonalisation. Columns that are numerically dependent
/// get the coefficient 0.
fn least_squares(columns: &mut [Vec<f64>], mut rest: Vec<f64>) -> Vec<f64> {
    let n = columns.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let mut upper = vec![vec![0.0; n]; n];
    let mut projected = vec![0.0; n];
    for j in 0..n {
        let original = dot(&columns[j], &columns[j]).sqrt();
        for _ in 0..2 {
            for i in 0..j {
                if upper[i][i] == 0.0 {
                    continue;
                }
                let (left, right) = columns.split_at_mut(j);
                let overlap = dot(&left[i], &right[0]);
                upper[i][j] += overlap;
                for (x, q) in right[0].iter_mut().zip(&left[i]) {
                    *x -= overlap * q;
                }
            }
        }
        let norm = dot(&columns[j], &columns[j]).sqrt();
        if norm <= 1e-14 * original {
            continue;
        }
        upper[j][j] = norm;
        for x in &mut columns[j] {
            *x /= norm;
        }
        projected[j] = dot(&columns[j], &rest);
        for (x, q) in rest.iter_mut().zip(&columns[j]) {
            *x -= projected[j] * q;
        }
    }
    let mut solution = vec![0.0; n];
    for j in (0..n).rev() {
        if upper[j][j] == 0.0 {
            continue;
        }
        let known: f64 = (j + 1..n).map(|k| upper[j][k] * solution[k]).sum();
        solution[j] = (projected[j] - known) / upper[j][j];
    }
    solution
}

/// I₀ by its power series. All terms are positive.
fn bessel_i0(x: f64) -> f64 {
    let quarter = x * x / 4.0;
    let (mut term, mut sum, mut k) = (1.0, 1.0, 1.0);
    while term > 1e-17 * sum {
        term *= quarter / (k * k);
        sum += term;
        k += 1.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tap_polynomials_reproduce_the_kernel() {
        for width in [4, 6, 9, 14] {
            let kernel = KaiserBessel::new(width);
            let taps = kernel.taps(1e-13);
            for i in 0..20 {
                let f = f64::from(i) / 20.0;
                for tap in 0..width {
                    let value = taps.iter().rev().fold(0.0, |s, c| s * (2.0 * f - 1.0) + c[tap]);
                    let half = 0.5 * width as f64;
                    assert!((value - kernel.value((f + tap as f64 - half) / half)).abs() < 1e-11);
                }
            }
        }
    }

    #[test]
    fn the_transform_is_the_integral_of_the_kernel() {
        let kernel = KaiserBessel::new(7);
        for omega in [0.0, 0.7, 2.0, 2.5] {
            let steps = 200_000;
            let integral: f64 = (0..steps)
                .map(|i| {
                    let x = 2.0 * (f64::from(i) + 0.5) / f64::from(steps) - 1.0;
                    kernel.value(x) * (omega * 3.5 * x).cos() * 3.5 * 2.0 / f64::from(steps)
                })
                .sum();
            assert!((integral - kernel.transform(omega)).abs() < 1e-6 * integral.abs());
        }
    }

    #[test]
    fn the_inverse_filter_reaches_its_accuracy() {
        for (width, accuracy) in [(5, 1e-4), (6, 1e-5), (10, 1e-8), (15, 1e-11)] {
            let kernel = KaiserBessel::new(width);
            let filter = kernel.inverse_filter(accuracy);
            let (_, error) = kernel.fit_inverse(filter.len() - 1);
            assert!(error <= accuracy, "width {width}: {} taps, error {error}", filter.len());
        }
    }
}
