//! Chebyshev series on [−1, 1].

use std::f64::consts::PI;

/// The first `count` coefficients of a function, by interpolation at as many nodes.
pub(crate) fn fit(function: impl Fn(f64) -> f64, count: usize) -> Vec<f64> {
    let angle = |i: usize| PI * (i as f64 + 0.5) / count as f64;
    let samples: Vec<f64> = (0..count).map(|i| function(angle(i).cos())).collect();
    (0..count)
        .map(|k| {
            let sum: f64 = (0..count).map(|i| samples[i] * (k as f64 * angle(i)).cos()).sum();
            sum * if k == 0 { 1.0 } else { 2.0 } / count as f64
        })
        .collect()
}

/// Power-series coefficients of a Chebyshev sum.
pub(crate) fn to_powers(chebyshev: &[f64]) -> Vec<f64> {
    let n = chebyshev.len();
    let mut powers = vec![0.0; n];
    let (mut previous, mut current) = (vec![0.0; n], vec![0.0; n]);
    previous[0] = 1.0;
    if n > 1 {
        current[1] = 1.0;
    }
    for k in 0..n {
        let basis = if k == 0 { &previous } else { &current };
        for i in 0..n {
            powers[i] += chebyshev[k] * basis[i];
        }
        if k >= 1 {
            let mut next = vec![0.0; n];
            for i in 0..n {
                next[i] = if i > 0 { 2.0 * current[i - 1] } else { 0.0 } - previous[i];
            }
            previous = std::mem::replace(&mut current, next);
        }
    }
    powers
}
