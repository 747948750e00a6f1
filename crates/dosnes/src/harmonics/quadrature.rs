//! Gauss-Legendre quadrature, and the coefficients of zonal functions.

use std::f64::consts::PI;

/// Nodes and weights on [−1, 1]. A node is stored as 1 − x, from which chordal distances are computed: for nodes next
/// to x = 1, computing 1 − x from x would lose half of the digits.
#[derive(Debug, Default)]
pub(crate) struct GaussLegendre {
    one_minus_x: Vec<f64>,
    weights: Vec<f64>,
}

impl GaussLegendre {
    /// The rule with `count` nodes, by Newton's method on P_count as a function of the angle.
    pub(crate) fn new(count: usize) -> Self {
        let mut one_minus_x = vec![0.0; count];
        let mut weights = vec![0.0; count];
        for i in 0..count.div_ceil(2) {
            // Newton's iteration in θ: P_n(cos θ) is nearly a sine of θ, so it converges in a few steps from here.
            let mut theta = PI * (i as f64 + 0.75) / (count as f64 + 0.5);
            let mut slope = 1.0;
            for _ in 0..10 {
                let (value, derivative) = legendre_and_slope(count, theta);
                slope = derivative;
                let step = value / derivative;
                theta -= step;
                if step.abs() < 1e-16 {
                    break;
                }
            }
            let half = (theta / 2.0).sin();
            let weight = 2.0 / (slope * slope);
            one_minus_x[i] = 2.0 * half * half;
            one_minus_x[count - 1 - i] = 2.0 - one_minus_x[i];
            weights[i] = weight;
            weights[count - 1 - i] = weight;
        }
        Self { one_minus_x, weights }
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// 1 − x of every node, from x = 1 down.
    pub(crate) fn one_minus_x(&self) -> &[f64] {
        &self.one_minus_x
    }

    /// Coefficients g_l = 2π ∫ f(x) P_l(x) dx of two zonal functions at once, given by their values at the nodes, for
    /// l = 0 … L. They are the factors by which convolution with f multiplies spherical harmonics (Funk-Hecke).
    pub(crate) fn zonal_coefficients(
        &self,
        values: &[[f64; 2]],
        coefficients: &mut [[f64; 2]],
        scratch: &mut Vec<f64>,
    ) {
        let count = self.len();
        scratch.clear();
        scratch.resize(4 * count, 0.0);
        let (first, rest) = scratch.split_at_mut(2 * count);
        let (weighted_a, weighted_b) = first.split_at_mut(count);
        let (previous, current) = rest.split_at_mut(count);
        for i in 0..count {
            weighted_a[i] = 2.0 * PI * self.weights[i] * values[i][0];
            weighted_b[i] = 2.0 * PI * self.weights[i] * values[i][1];
            // The recurrence runs on differences, P_{l+1} − P_l = l/(l+1) (P_l − P_{l−1}) − (2l+1)/(l+1) (1−x) P_l,
            // which keeps the digits of 1 − x; `previous` holds the difference.
            previous[i] = 0.0;
            current[i] = 1.0;
        }
        for (l, coefficient) in coefficients.iter_mut().enumerate() {
            let a = l as f64 / (l as f64 + 1.0);
            let b = (2 * l + 1) as f64 / (l as f64 + 1.0);
            // Four partial sums each: independent additions do not wait for each other.
            let mut sums = [[0.0; 4]; 2];
            for i in 0..count {
                let p = current[i];
                sums[0][i % 4] += weighted_a[i] * p;
                sums[1][i % 4] += weighted_b[i] * p;
                let difference = a * previous[i] - b * self.one_minus_x[i] * p;
                previous[i] = difference;
                current[i] = p + difference;
            }
            *coefficient = sums.map(|s| (s[0] + s[1]) + (s[2] + s[3]));
        }
    }
}

/// P_n(cos θ) and its derivative in θ, normalised so that the Gauss weight is 2/slope².
fn legendre_and_slope(n: usize, theta: f64) -> (f64, f64) {
    let x = theta.cos();
    let (mut p0, mut p1) = (1.0, x);
    for l in 1..n {
        let next = ((2 * l + 1) as f64 * x * p1 - l as f64 * p0) / (l as f64 + 1.0);
        p0 = p1;
        p1 = next;
    }
    // dP/dθ = −sin θ P'(x), and (1−x²) P' = n (P_{n−1} − x P_n); the weight is 2/((1−x²) P'²) = 2/(dP/dθ)².
    (p1, -(n as f64) * (p0 - x * p1) / theta.sin())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_two_and_integrate_polynomials_exactly() {
        for count in [1, 2, 5, 40, 333] {
            let rule = GaussLegendre::new(count);
            assert!((rule.weights.iter().sum::<f64>() - 2.0).abs() < 1e-13, "{count}");
            let degree = (2 * count - 2).min(30) as i32;
            let integral: f64 =
                rule.one_minus_x.iter().zip(&rule.weights).map(|(t, w)| w * (1.0 - t).powi(degree)).sum();
            assert!((integral - 2.0 / f64::from(degree + 1)).abs() < 1e-13, "{count}: {integral}");
        }
    }

    #[test]
    fn coefficients_of_the_cauchy_kernel_are_legendre_functions_of_the_second_kind() {
        // q = (1/2r²) Σ (2l+1) Q_l(a) P_l, so g_0 = (4π/2r²) Q_0(a), with Q_0(a) = ½ ln((a+1)/(a−1)) and Q_1 = a Q_0 − 1.
        let r2: f64 = 4.0;
        let rule = GaussLegendre::new(120);
        let values: Vec<_> = rule.one_minus_x().iter().map(|t| [1.0 / (1.0 + 2.0 * r2 * t), 1.0]).collect();
        let mut coefficients = [[0.0; 2]; 4];
        rule.zonal_coefficients(&values, &mut coefficients, &mut Vec::new());
        let a = 1.0 + 1.0 / (2.0 * r2);
        let q0 = 0.5 * ((a + 1.0) / (a - 1.0)).ln();
        let scale = 4.0 * PI / (2.0 * r2);
        assert!((coefficients[0][0] - scale * q0).abs() < 1e-13);
        assert!((coefficients[1][0] - scale * (a * q0 - 1.0)).abs() < 1e-13);
        assert!((coefficients[0][1] - 4.0 * PI).abs() < 1e-12 && coefficients[2][1].abs() < 1e-12);
    }
}
