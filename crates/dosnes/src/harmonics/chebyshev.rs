//! Chebyshev series on [−1, 1].

use std::f64::consts::PI;

/// The first `count` coefficients of a function, by interpolation at `count` nodes.
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

/// The series of `count` terms that fits a function best by weighted least squares, and its largest weighted error.
/// With a smooth weight the error is spread as evenly as by unweighted interpolation.
pub(crate) fn fit_weighted(
    function: impl Fn(f64) -> f64,
    weight: impl Fn(f64) -> f64,
    count: usize,
) -> (Vec<f64>, f64) {
    let nodes = 3 * count;
    let angle = |i: usize| PI * (i as f64 + 0.5) / nodes as f64;
    let weights: Vec<f64> = (0..nodes).map(|i| weight(angle(i).cos())).collect();
    let mut rest: Vec<f64> = (0..nodes).map(|i| function(angle(i).cos()) * weights[i]).collect();
    // Gram-Schmidt: each weighted polynomial is made orthogonal to those before it, and its coefficients are recorded.
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let subtract = |from: &mut [f64], share: f64, what: &[f64]| {
        for (from, what) in from.iter_mut().zip(what) {
            *from -= share * what;
        }
    };
    let mut basis: Vec<(Vec<f64>, Vec<f64>)> = Vec::with_capacity(count);
    let mut coefficients = vec![0.0; count];
    for k in 0..count {
        let mut values: Vec<f64> = (0..nodes).map(|i| weights[i] * (k as f64 * angle(i)).cos()).collect();
        let mut made_of = vec![0.0; count];
        made_of[k] = 1.0;
        for (earlier, of) in &basis {
            let share = dot(&values, earlier) / dot(earlier, earlier);
            subtract(&mut values, share, earlier);
            subtract(&mut made_of, share, of);
        }
        let share = dot(&rest, &values) / dot(&values, &values);
        subtract(&mut rest, share, &values);
        subtract(&mut coefficients, -share, &made_of);
        basis.push((values, made_of));
    }
    (coefficients, rest.iter().fold(0.0, |most, rest| rest.abs().max(most)))
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
