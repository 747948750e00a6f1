//! Entropic affinities: Gaussian weights with widths that give every item the same perplexity.

use super::csr_on_neighbors;
use crate::error::{Error, Parameter};
use crate::neighbors::Neighbors;
use crate::sparse::CsrMatrix;

/// Tolerance of the entropy against the logarithm of the perplexity.
const ENTROPY_TOLERANCE: f64 = 1e-10;
/// The logarithms of the smallest and largest positive doubles.
const LOWEST: f64 = -745.0;
const HIGHEST: f64 = 709.0;
/// Bisecting the whole range reaches adjacent doubles in fewer rounds.
const MOST_ROUNDS: usize = 100;

/// The number of neighbours that a perplexity needs: three times the perplexity, as is usual (further away, a Gaussian
/// of that width is almost zero), but at least 1.
///
/// The perplexity must be at least 1 and at most a third of the number of other items; the error contains the largest
/// possible value.
pub fn neighbors_for_perplexity(perplexity: f64, items: usize) -> Result<usize, Error> {
    if items < 4 {
        return Err(Error::TooFewForNeighbors { items, least: 4 });
    }
    check(perplexity)?;
    if 3.0 * perplexity >= items as f64 {
        return Err(Error::PerplexityTooLarge { perplexity, items, largest: (items - 1) as f64 / 3.0 });
    }
    // The tolerance admits rounded values such as 7.333333 for a third of a whole number.
    Ok((3.0 * perplexity + 1e-6).floor() as usize)
}

pub(super) fn check(perplexity: f64) -> Result<(), Error> {
    if perplexity.is_finite() && perplexity >= 1.0 {
        Ok(())
    } else {
        let expected = "it is an effective number of neighbours, so it must be at least 1";
        Err(Error::parameter(Parameter::Perplexity, perplexity.to_string(), expected))
    }
}

/// Conditional similarities `p_{j|i} ∝ exp(−β_i d_ij²)` over the neighbours j of i. The rows sum to 1, and `β_i` is
/// chosen such that the entropy `−Σ_j p_{j|i} ln p_{j|i}` is the logarithm of the perplexity, to within 1e-10.
///
/// As `β_i` grows from 0 to ∞, the entropy falls from ln m (m neighbours) to ln t (t neighbours share the smallest
/// distance). A perplexity of m or more cannot be reached: all neighbours then get 1/m. The same holds for t or less:
/// the t nearest then get 1/t. In between there is one solution. Newton's method on ln β finds it, within a bracket
/// that is bisected whenever a Newton step would leave it. Squared distances are taken relative to the smallest one:
/// this does not change p, and it prevents underflow in the row of a far outlier. Distances are squared for every
/// metric, as in other t-SNE programs.
///
/// Values that underflow to 0 are left out of the matrix. An item without neighbours has an empty row. For more than 1,000 items the
/// values are stored in single precision.
pub fn entropic_affinities(neighbors: Neighbors, perplexity: f64) -> Result<CsrMatrix<'static>, Error> {
    check(perplexity)?;
    let target = perplexity.ln();
    Ok(csr_on_neighbors(neighbors, |distances, values| {
        for (value, &d) in values.iter_mut().zip(distances) {
            *value = f64::from(d) * f64::from(d);
        }
        to_probabilities(values, target);
    }))
}

/// exp(−β s) for shifted squares s, normalised to sum to 1. Returns the entropy and its derivative with respect to ln
/// β, −β² Var(s).
fn distribute(squares: &[f64], beta: f64, probabilities: &mut Vec<f64>) -> (f64, f64) {
    probabilities.clear();
    probabilities.extend(squares.iter().map(|s| (-beta * s).exp()));
    let sum: f64 = probabilities.iter().sum();
    let mut mean = 0.0;
    let mut mean_square = 0.0;
    for (p, s) in probabilities.iter_mut().zip(squares) {
        *p /= sum;
        let exponent = beta * s;
        // Terms that underflow are skipped: for a huge β they would be 0 · ∞.
        if *p > 0.0 {
            mean += *p * exponent;
            mean_square += *p * exponent * exponent;
        }
    }
    (sum.ln() + mean, mean * mean - mean_square)
}

/// Turns squared distances, nearest first, into probabilities with entropy `target`. Returns β.
pub(crate) fn to_probabilities(squares: &mut [f64], target: f64) -> f64 {
    let count = squares.len();
    let Some(&nearest) = squares.first() else { return 0.0 };
    for s in squares.iter_mut() {
        *s -= nearest;
    }
    let ties = squares.iter().take_while(|&&s| s == 0.0).count();
    if target >= (count as f64).ln() {
        squares.fill(1.0 / count as f64);
        return 0.0;
    }
    if target <= (ties as f64).ln() {
        squares[..ties].fill(1.0 / ties as f64);
        squares[ties..].fill(0.0);
        return f64::INFINITY;
    }
    // In units of their mean, the squares and β are both of order 1.
    let mean = squares.iter().sum::<f64>() / count as f64;
    for s in squares.iter_mut() {
        *s /= mean;
    }
    let mut probabilities = Vec::with_capacity(count);
    let (mut low, mut high) = (LOWEST, HIGHEST);
    let mut log_beta = 0.0_f64;
    let mut leap = 2.0_f64;
    for _ in 0..MOST_ROUNDS {
        let (entropy, slope) = distribute(squares, log_beta.exp(), &mut probabilities);
        let excess = entropy - target;
        if excess.abs() <= ENTROPY_TOLERANCE {
            break;
        }
        if excess > 0.0 {
            low = log_beta;
        } else {
            high = log_beta;
        }
        let newton = log_beta - excess / slope;
        // A step of more than a factor e⁴ means that the tangent is a poor approximation here.
        log_beta = if newton > low && newton < high && (newton - log_beta).abs() < 4.0 {
            newton
        } else if low == LOWEST || high == HIGHEST {
            leap *= 2.0;
            (log_beta + leap * excess.signum()).clamp(LOWEST, HIGHEST)
        } else {
            0.5 * (low + high)
        };
    }
    squares.copy_from_slice(&probabilities);
    log_beta.exp() / mean
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entropy(p: &[f64]) -> f64 {
        -p.iter().filter(|&&p| p > 0.0).map(|p| p * p.ln()).sum::<f64>()
    }

    fn solve(squares: &[f64], perplexity: f64) -> Vec<f64> {
        let mut p = squares.to_vec();
        p.sort_by(f64::total_cmp);
        to_probabilities(&mut p, perplexity.ln());
        p
    }

    /// Slow reference: 4,000 bisections on β itself.
    fn by_bisection(squares: &[f64], perplexity: f64) -> Vec<f64> {
        let (mut low, mut high) = (0.0_f64, f64::MAX);
        let at = |beta: f64| {
            let weights: Vec<f64> = squares.iter().map(|s| (-beta * (s - squares[0])).exp()).collect();
            let sum: f64 = weights.iter().sum();
            weights.iter().map(|w| w / sum).collect::<Vec<f64>>()
        };
        for _ in 0..4000 {
            let middle = 0.5 * low + 0.5 * high;
            *(if entropy(&at(middle)) > perplexity.ln() { &mut low } else { &mut high }) = middle;
        }
        at(low)
    }

    proptest! {
        #[test]
        fn the_perplexity_is_met(
            squares in prop::collection::vec(0.0_f64..1.0, 4..100),
            share in 0.05_f64..0.95,
            exponent in -30_i32..30,
            spread in 1_i32..8,
        ) {
            let mut squares: Vec<f64> = squares.iter().map(|s| s.powi(spread) * 10.0_f64.powi(exponent)).collect();
            squares.sort_by(f64::total_cmp);
            let perplexity = 1.0 + share * (squares.len() as f64 - 1.0);
            let p = solve(&squares, perplexity);
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-13);
            prop_assert!((entropy(&p) - perplexity.ln()).abs() < 2e-10, "{} {}", entropy(&p), perplexity.ln());
            prop_assert!(p.windows(2).all(|w| w[0] >= w[1]));
        }

        #[test]
        fn newton_agrees_with_bisection(
            squares in prop::collection::vec(0.1_f64..1.0, 4..40),
            share in 0.2_f64..0.8,
        ) {
            let mut squares = squares;
            squares.sort_by(f64::total_cmp);
            let perplexity = 1.0 + share * (squares.len() as f64 - 1.0);
            // dp = dH · p(s̄ − s)/(β Var s), and s̄ − s is at most a few standard deviations, each about 1/β here.
            for (p, q) in solve(&squares, perplexity).iter().zip(by_bisection(&squares, perplexity)) {
                prop_assert!((p - q).abs() < 1e-8, "{} {}", p, q);
            }
        }
    }

    #[test]
    fn duplicates_share_the_weight_when_they_are_more_than_the_perplexity() {
        assert_eq!(solve(&[0.0, 0.0, 0.0, 0.0, 1.0, 2.0], 3.0), [0.25, 0.25, 0.25, 0.25, 0.0, 0.0]);
    }

    #[test]
    fn duplicates_fewer_than_the_perplexity_leave_weight_for_the_others() {
        let p = solve(&[0.0, 0.0, 1.0, 2.0, 3.0], 3.0);
        assert!((entropy(&p) - 3.0_f64.ln()).abs() < 1e-10 && p[0] == p[1] && p[4] > 0.0);
    }

    #[test]
    fn too_few_neighbours_are_all_equal() {
        assert_eq!(solve(&[1.0, 2.0, 9.0], 5.0), [1.0 / 3.0; 3]);
        assert_eq!(solve(&[7.0, 7.0], 2.0), [0.5; 2]);
        assert_eq!(solve(&[7.0], 1.0), [1.0]);
    }

    #[test]
    fn near_duplicates_are_distinguished() {
        let p = solve(&[0.0, 0.0, 0.0, 1e-150, 1.0, 1.0], 3.5);
        assert!((entropy(&p) - 3.5_f64.ln()).abs() < 1e-10 && p[4] == 0.0);
    }

    #[test]
    fn a_far_outlier_has_neighbours() {
        let p = solve(&[1e20, 1.1e20, 1.2e20, 1.3e20, 1.4e20], 2.0);
        assert!((entropy(&p) - 2.0_f64.ln()).abs() < 1e-10);
    }

    #[test]
    fn a_perplexity_needs_three_times_as_many_neighbours() {
        assert_eq!(neighbors_for_perplexity(30.0, 1000), Ok(90));
        assert_eq!(neighbors_for_perplexity(7.0, 22), Ok(21));
        assert_eq!(neighbors_for_perplexity(22.0 / 3.0 - 1e-7, 23), Ok(22));
        assert_eq!(
            neighbors_for_perplexity(30.0, 90),
            Err(Error::PerplexityTooLarge { perplexity: 30.0, items: 90, largest: 89.0 / 3.0 })
        );
        let largest = 89.0 / 3.0;
        assert_eq!(neighbors_for_perplexity(largest, 90), Ok(89));
        assert!(matches!(
            neighbors_for_perplexity(0.5, 90),
            Err(Error::Parameter { parameter: Parameter::Perplexity, .. })
        ));
        assert_eq!(neighbors_for_perplexity(1.0, 3), Err(Error::TooFewForNeighbors { items: 3, least: 4 }));
    }
}
