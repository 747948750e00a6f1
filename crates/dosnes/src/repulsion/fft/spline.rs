//! Cardinal B-splines: smooth, with small support, and exact on polynomials. Tiny maps need that, because their kernel
//! is nearly constant.

/// Nodes that a point touches along an axis; the degree of the splines is one less. Even, so that the spline is centred
/// on a node.
pub(super) const ORDER: usize = 6;

/// The node after the last one that a point at `u` touches, minus [`ORDER`], and the position between nodes.
#[inline]
pub(super) fn split(u: f64) -> (usize, f64) {
    let whole = u.floor();
    (whole as usize, u - whole)
}

/// M(t + ORDER − 1 − i) for i = 0 … ORDER − 1, where M is the B-spline on [0, ORDER] and t in [0, 1): the weights of
/// the nodes that a point touches, in order; and their derivatives.
#[inline]
pub(super) fn weights(t: f64) -> ([f64; ORDER], [f64; ORDER]) {
    let mut w = [0.0; ORDER];
    w[0] = 1.0;
    for order in 2..ORDER {
        raise(&mut w, t, order);
    }
    // M'(x) = M₋(x) − M₋(x − 1), where M₋ is of one order less.
    let slopes = std::array::from_fn(|i| match i {
        0 => -w[0],
        _ => w[i - 1] - w[i],
    });
    raise(&mut w, t, ORDER);
    (w, slopes)
}

/// Computes the splines of `order` from those of one order less.
#[inline]
fn raise(w: &mut [f64; ORDER], t: f64, order: usize) {
    let factor = 1.0 / (order - 1) as f64;
    w[order - 1] = t * w[order - 2] * factor;
    for j in 1..order - 1 {
        let i = order - 1 - j;
        w[i] = ((t + j as f64) * w[i - 1] + ((order - j) as f64 - t) * w[i]) * factor;
    }
    w[0] *= (1.0 - t) * factor;
}

/// The Fourier series Σ_j M(j + ORDER/2) e^{−2πi jk/size} at frequency `k`: division by it makes the splines
/// interpolate.
pub(super) fn response(k: usize, size: usize) -> f64 {
    // At t = 0 the weight of node i is M(ORDER − 1 − i).
    let (w, _) = weights(0.0);
    let middle = ORDER / 2 - 1;
    let angle = std::f64::consts::TAU * k as f64 / size as f64;
    w[middle] + (1..ORDER / 2).map(|j| 2.0 * w[middle + j] * (angle * j as f64).cos()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_slopes_are_their_derivatives() {
        for step in 0..100 {
            let t = f64::from(step) / 100.0 + 0.005;
            let (w, slopes) = weights(t);
            assert!((w.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            let h = 1e-6;
            let (up, down) = (weights(t + h).0, weights(t - h).0);
            for i in 0..ORDER {
                assert!(((up[i] - down[i]) / (2.0 * h) - slopes[i]).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn splines_of_degree_five_have_their_known_values_at_the_nodes() {
        let (w, _) = weights(0.0);
        for (w, known) in w.iter().zip([1.0, 26.0, 66.0, 26.0, 1.0, 0.0]) {
            assert!((w - known / 120.0).abs() < 1e-15);
        }
        assert!((response(0, 64) - 1.0).abs() < 1e-15);
        assert!((response(32, 64) - 16.0 / 120.0).abs() < 1e-15);
    }
}
