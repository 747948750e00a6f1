//! How far weights follow the totals of the two items.

use crate::{parallel::sum_over, sparse::CsrMatrix};

/// The exponent g in S_ij ≈ c (s_i s_j)^g, fitted by least squares over the logarithms of all pairs, between 0 and 1.
///
/// In an unweighted graph it is 0. Where large items have large weights with everybody (flights between airports, trade
/// between countries), it is near 1: the name is from the gravity model of trade.
pub(super) fn gravity(s: &CsrMatrix<'_>) -> f64 {
    let logs: Vec<f64> = s.iter_rows().map(|row| row.sum().ln()).collect();
    let entries = s.nnz() as f64;
    // Means first: the variances of large logarithms would cancel.
    let [x_sum, y_sum] = over_pairs(s, |i, j, value| [logs[i] + logs[j], value.ln()]);
    let (x_mean, y_mean) = (x_sum / entries, y_sum / entries);
    let [covariance, variance] = over_pairs(s, |i, j, value| {
        let x = logs[i] + logs[j] - x_mean;
        [x * (value.ln() - y_mean), x * x]
    });
    // Where all totals are equal, nothing can follow them.
    let slope = covariance / variance;
    if slope.is_finite() && variance > 1e-12 * entries { slope.clamp(0.0, 1.0) } else { 0.0 }
}

/// Two sums over all entries, the same on any number of threads.
fn over_pairs(s: &CsrMatrix<'_>, f: impl Fn(usize, usize, f64) -> [f64; 2] + Sync) -> [f64; 2] {
    let total = sum_over(s.rows(), |i| {
        s.row(i).iter().map(|(j, value)| Two(f(i, j, value))).fold(Two::default(), |a, b| a + b)
    });
    total.0
}

#[derive(Default)]
struct Two([f64; 2]);

impl std::ops::Add for Two {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unweighted_graph_has_no_gravity() {
        let star: Vec<_> = (1..5).flat_map(|i| [(0, i, 3.0), (i, 0, 3.0)]).collect();
        assert_eq!(gravity(&CsrMatrix::from_triplets((5, 5), &star).unwrap()), 0.0);
    }

    #[test]
    fn equal_totals_have_no_gravity() {
        let ring: Vec<_> = (0..6)
            .flat_map(|i| [(i, (i + 1) % 6, f64::from(1 + i % 2)), ((i + 1) % 6, i, f64::from(1 + i % 2))])
            .collect();
        assert_eq!(gravity(&CsrMatrix::from_triplets((6, 6), &ring).unwrap()), 0.0);
    }

    #[test]
    fn products_of_sizes_have_all_of_it() {
        let size = |i: u32| 3.0_f64.powi(i as i32);
        let pairs: Vec<_> = (0..40)
            .flat_map(|i| (0..40).filter(move |&j| j != i).map(move |j| (i, j, size(i % 4) * size(j % 4))))
            .collect();
        let found = gravity(&CsrMatrix::from_triplets((40, 40), &pairs).unwrap());
        assert!(found > 0.98, "{found}");
    }
}
