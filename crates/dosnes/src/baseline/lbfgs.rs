//! A small quasi-Newton method for the stress, which is smooth wherever no two points coincide.

use std::collections::VecDeque;

/// Number of stored pairs of differences.
const MEMORY: usize = 10;
/// A step is accepted if it lowers the value by this fraction of what the slope predicts.
const DECREASE: f64 = 1e-4;
const MOST_TRIALS: usize = 30;
/// The search ends after this many consecutive steps that lower the value by less than the tolerance.
const PATIENCE: usize = 5;

pub(super) struct Minimum {
    pub(super) iterations: usize,
    pub(super) stopped: bool,
}

/// Minimises `objective`, which writes its gradient and returns its value. `go_on` is called after every step with the
/// fraction of the steps that are done.
pub(super) fn minimize(
    x: &mut Vec<f64>,
    max_iterations: usize,
    tolerance: f64,
    mut objective: impl FnMut(&[f64], &mut [f64]) -> f64,
    mut go_on: impl FnMut(f64) -> bool,
) -> Minimum {
    let mut gradient = vec![0.0; x.len()];
    let mut value = objective(x, &mut gradient);
    let mut history: VecDeque<(Vec<f64>, Vec<f64>, f64)> = VecDeque::new();
    let (mut trial, mut trial_gradient) = (x.clone(), gradient.clone());
    let mut calm = 0;
    for iteration in 0..max_iterations {
        let mut direction = two_loops(&gradient, &history);
        let mut slope = dot(&direction, &gradient);
        if slope >= 0.0 {
            history.clear();
            direction = gradient.iter().map(|g| -g).collect();
            slope = -dot(&gradient, &gradient);
        }
        if slope == 0.0 {
            return Minimum { iterations: iteration, stopped: false };
        }
        // Without history, the gradient's length says nothing about the step length: start with a hundredth of the
        // map's size.
        let mut step = if history.is_empty() { 0.01 * (dot(x, x) / dot(&direction, &direction)).sqrt() } else { 1.0 };
        let mut accepted = None;
        for _ in 0..MOST_TRIALS {
            for ((t, x), d) in trial.iter_mut().zip(x.iter()).zip(&direction) {
                *t = x + step * d;
            }
            let there = objective(&trial, &mut trial_gradient);
            if there <= value + DECREASE * step * slope {
                accepted = Some(there);
                break;
            }
            step *= 0.5;
        }
        let Some(there) = accepted else {
            if history.is_empty() {
                return Minimum { iterations: iteration, stopped: false };
            }
            history.clear();
            continue;
        };
        let s: Vec<f64> = trial.iter().zip(x.iter()).map(|(a, b)| a - b).collect();
        let y: Vec<f64> = trial_gradient.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        let sy = dot(&s, &y);
        if sy > 1e-12 * (dot(&s, &s) * dot(&y, &y)).sqrt() {
            if history.len() == MEMORY {
                history.pop_front();
            }
            history.push_back((s, y, sy));
        }
        calm = if value - there <= tolerance * value { calm + 1 } else { 0 };
        std::mem::swap(x, &mut trial);
        std::mem::swap(&mut gradient, &mut trial_gradient);
        value = there;
        if !go_on((iteration + 1) as f64 / max_iterations as f64) {
            return Minimum { iterations: iteration + 1, stopped: true };
        }
        if calm >= PATIENCE {
            return Minimum { iterations: iteration + 1, stopped: false };
        }
    }
    Minimum { iterations: max_iterations, stopped: false }
}

/// −H g with the inverse Hessian H that the stored differences imply (Nocedal 1980).
fn two_loops(gradient: &[f64], history: &VecDeque<(Vec<f64>, Vec<f64>, f64)>) -> Vec<f64> {
    let mut q: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut weights = Vec::with_capacity(history.len());
    for (s, y, sy) in history.iter().rev() {
        let a = dot(s, &q) / sy;
        q.iter_mut().zip(y).for_each(|(q, y)| *q -= a * y);
        weights.push(a);
    }
    if let Some((_, y, sy)) = history.back() {
        let scale = sy / dot(y, y);
        for q in &mut q {
            *q *= scale;
        }
    }
    for ((s, y, sy), a) in history.iter().zip(weights.into_iter().rev()) {
        let b = dot(y, &q) / sy;
        q.iter_mut().zip(s).for_each(|(q, s)| *q += (a - b) * s);
    }
    q
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bent_valley_is_followed_to_its_lowest_point() {
        let rosenbrock = |x: &[f64], g: &mut [f64]| {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            g.copy_from_slice(&[-2.0 * a - 400.0 * x[0] * b, 200.0 * b]);
            a * a + 100.0 * b * b
        };
        let mut x = vec![-1.2, 1.0];
        let minimum = minimize(&mut x, 1000, 1e-14, rosenbrock, |_| true);
        assert!((x[0] - 1.0).abs() < 1e-5 && (x[1] - 1.0).abs() < 1e-5, "{x:?}");
        assert!(minimum.iterations < 200 && !minimum.stopped);
    }
}
