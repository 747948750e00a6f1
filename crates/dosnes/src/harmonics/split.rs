//! The Ewald split of a kernel into a smooth, band-limited part and a near part of compact support.
//!
//! For the Cauchy kernel write v = 1 + d²: then q = 1/v is the Green's function of four dimensions, on a slice at
//! height 1. Any even, entire window W(√v) with W(0) = 1 splits it as
//! ```text
//! q = (1 − W)/v + W/v = q_s + q_n,      W = 0 for v ≥ C²,
//! ```
//! and if W is (nearly) of exponential type K, then so is q_s: on the sphere of radius r its harmonics vanish beyond l
//! = K r (Paley and Wiener; the type of an even function does not depend on the dimension in which it is taken as
//! radial). The textbook choice is the Gaussian e^{−t₀v}, with K·C = 2 ln(1/ε). We use instead the window
//! ```text
//! W = √z I₁(c√z) / I₁(c),   z = 1 − v/C²,   K = c/C,
//! ```
//! a Kaiser-Bessel window that is one order smoother, with K·C = c ≈ ln(1/ε) + 1: half of the Gaussian's, hence a
//! quarter of the near pairs at the same band limit. It is a power series in z with positive terms, so the near part
//! costs two short polynomials in d² and one division, and no exponential. With C ≤ 1 there is no near part, and the
//! band limit is c·r.
//!
//! The Gaussian kernel has only one scale: it is either entirely smooth (L ≈ 2r√ln(1/ε)) or entirely near (d ≤
//! √ln(1/ε)).

use crate::harmonics::chebyshev;
use crate::harmonics::kernel::Kernel;

/// Terms of the window's power series: c = 32 needs this many for full precision in `f64`.
const MAX_TERMS: usize = 56;
/// Possible lengths of the near polynomials.
pub(crate) const SERIES_LENGTHS: [usize; 5] = [5, 6, 8, 12, 24];

/// One split of one kernel at one radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Split {
    kernel: Kernel,
    r: f64,
    /// C² for Cauchy; for the Gaussian the squared distance at which it is cut off, or 0 if all of it is smooth.
    reach: f64,
    /// The window's parameter c = K·C.
    c: f64,
}

impl Split {
    /// All of the kernel is smooth.
    pub(crate) fn smooth(kernel: Kernel, r: f64, c: f64) -> Self {
        Self { kernel, r, reach: 0.0, c }
    }

    /// The Cauchy kernel, split such that its smooth part ends at the degree `band`.
    pub(crate) fn at_band(r: f64, c: f64, band: f64) -> Self {
        let reach = (c * r / band).powi(2);
        Self { kernel: Kernel::Cauchy, r, reach, c }
    }

    /// The Gaussian kernel as near part only, cut off where it falls below `cut`.
    pub(crate) fn gaussian_near(r: f64, cut: f64) -> Self {
        Self { kernel: Kernel::Gaussian, r, reach: -cut.ln(), c: 0.0 }
    }

    /// Squared chordal distance beyond which the near part is zero; ≤ 0 if there is no near part.
    pub(crate) fn near_d2(&self) -> f64 {
        match self.kernel {
            Kernel::Cauchy => self.reach - 1.0,
            Kernel::Gaussian => self.reach,
        }
    }

    /// Whether there is a near part.
    pub(crate) fn has_near(&self) -> bool {
        self.near_d2() > 0.0
    }

    /// The smooth part at 1 − x = 1 − cos(angle): (q_s − [`Self::constant`], f_s d²) with f = −dq/d(d²).
    pub(crate) fn smooth_part(&self, one_minus_x: f64) -> [f64; 2] {
        let d2 = 2.0 * self.r * self.r * one_minus_x;
        let f = self.kernel.stiffness(d2);
        if !self.has_near() {
            let below_one = match self.kernel {
                Kernel::Cauchy => -d2 / (1.0 + d2),
                Kernel::Gaussian => (-d2).exp_m1(),
            };
            return [below_one, f * d2];
        }
        let (near_q, near_f) = self.near_part(d2);
        [self.kernel.similarity(d2) - near_q, (f - near_f) * d2]
    }

    /// The constant that `smooth_part` omits. Without a near part and with a small radius the kernel is 1 minus a small
    /// number, and the forces come from this small number.
    pub(crate) fn constant(&self) -> f64 {
        if self.has_near() { 0.0 } else { 1.0 }
    }

    /// The near part (q_n, f_n) at a squared distance, to full precision.
    pub(crate) fn near_part(&self, d2: f64) -> (f64, f64) {
        if d2 >= self.near_d2() {
            return (0.0, 0.0);
        }
        match self.kernel {
            Kernel::Gaussian => (self.kernel.similarity(d2), self.kernel.stiffness(d2)),
            Kernel::Cauchy => {
                let v = 1.0 + d2;
                let z = 1.0 - v / self.reach;
                let mut terms = [0.0; MAX_TERMS];
                window_series(self.c, &mut terms);
                let (mut w, mut slope) = (0.0, 0.0);
                for k in (0..MAX_TERMS).rev() {
                    slope = slope * z + w;
                    w = w * z + terms[k];
                }
                // f = −d/dv (W/v) = (W + (1−z) dW/dz) / v², because dz/dv = −1/C² and v/C² = 1 − z.
                (w / v, (w + (1.0 - z) * slope) / (v * v))
            }
        }
    }

    /// The near part as polynomials in s ∈ [−1, 1], linear in d² (see [`NearSeries`]), with an error of at most
    /// `accuracy`.
    pub(crate) fn near_series(&self, accuracy: f64) -> NearSeries {
        let near_d2 = self.near_d2();
        let mut series = NearSeries {
            kernel: self.kernel,
            near_d2,
            window: Vec::new(),
            stiffness: Vec::new(),
            slope: -2.0 / near_d2,
        };
        if self.kernel == Kernel::Gaussian {
            return series;
        }
        // The upper end is included in the near part here, which makes both functions smooth on the whole range.
        let d2 = |s: f64| (0.5 * (1.0 - s) * near_d2).min(near_d2 * (1.0 - 1e-15));
        let v = |s: f64| 1.0 + d2(s);
        for terms in SERIES_LENGTHS {
            // A far pair contributes less than a near one. Relative to the kernel without the window, its error may be
            // larger: by a factor of √v in q, and of v in f.
            let window = |s: f64| self.near_part(d2(s)).0 * v(s);
            let stiffness = |s: f64| self.near_part(d2(s)).1 * v(s).powi(2);
            let (window, of_q) = chebyshev::fit_weighted(window, |s| v(s).sqrt().recip(), terms);
            let (stiffness, of_f) = chebyshev::fit_weighted(stiffness, |s| v(s).recip(), terms);
            (series.window, series.stiffness) = (chebyshev::to_powers(&window), chebyshev::to_powers(&stiffness));
            if of_q.max(of_f) <= accuracy {
                break;
            }
        }
        series
    }
}

/// The near part as polynomials: q_n = W(s)/v and f_n = R(s)/v², with v = 1 + d², s = 1 + slope·d². The coefficients
/// begin with the constant term.
#[derive(Clone, Debug)]
pub(crate) struct NearSeries {
    pub(crate) kernel: Kernel,
    pub(crate) near_d2: f64,
    pub(crate) slope: f64,
    pub(crate) window: Vec<f64>,
    pub(crate) stiffness: Vec<f64>,
}

/// Terms of W(z) = Σ a_k z^k, a_{k+1} = (c/2) (c²/4)^k / (k! (k+1)!) / I₁(c), a_0 = 0.
fn window_series(c: f64, terms: &mut [f64; MAX_TERMS]) {
    terms[1] = c / 2.0;
    for k in 1..MAX_TERMS - 1 {
        terms[k + 1] = terms[k] * (c * c / 4.0) / (k as f64 * (k as f64 + 1.0));
    }
    let total: f64 = terms.iter().rev().sum();
    for term in terms {
        *term /= total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_kernel() {
        let split = Split::at_band(100.0, 9.0, 300.0);
        assert!(split.has_near());
        for i in 0..200 {
            let d2 = 0.05 * f64::from(i);
            let one_minus_x = d2 / (2.0 * 100.0 * 100.0);
            let [smooth, _] = split.smooth_part(one_minus_x);
            let (near, _) = split.near_part(d2);
            assert!((smooth + near - 1.0 / (1.0 + d2)).abs() < 1e-15);
        }
    }

    #[test]
    fn the_series_have_the_requested_accuracy_and_the_force_is_the_derivative_of_the_potential() {
        for accuracy in [1e-4, 1e-8, 1e-12] {
            let split = Split::at_band(100.0, 12.0, 300.0);
            let series = split.near_series(accuracy);
            let evaluate = |terms: &[f64], s: f64| terms.iter().rev().fold(0.0, |sum, t| sum * s + t);
            for i in 0..150 {
                let d2 = 0.1 * f64::from(i);
                let (q, f) = split.near_part(d2);
                let (v, s) = (1.0 + d2, 1.0 + series.slope * d2);
                let (series_q, series_f) = (evaluate(&series.window, s) / v, evaluate(&series.stiffness, s) / (v * v));
                assert!((q - series_q).abs() <= 2.0 * accuracy && (f - series_f).abs() <= 2.0 * accuracy);
                let h = 1e-4;
                if d2 > h && d2 + h < split.near_d2() {
                    let slope = (split.near_part(d2 + h).0 - split.near_part(d2 - h).0) / (2.0 * h);
                    assert!((slope + f).abs() < 1e-7, "d² = {d2}: {slope} {f}");
                }
            }
        }
    }

    #[test]
    fn without_a_near_part_the_smooth_part_is_the_kernel() {
        for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
            let split = Split::smooth(kernel, 3.0, 9.0);
            assert!(!split.has_near());
            assert!((split.smooth_part(0.5)[0] + split.constant() - kernel.similarity(9.0)).abs() < 1e-15);
        }
    }
}
