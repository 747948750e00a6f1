//! Rank correlation.

use crate::error::Error;
use rayon::prelude::*;

/// Spearman's rank correlation of values that come in pairs; equal values share the mean of their ranks. NaN if all values of
/// one side are equal.
pub fn rank_correlation(x: &[f64], y: &[f64]) -> Result<f64, Error> {
    if x.len() == y.len() {
        Ok(spearman(x, y))
    } else {
        Err(Error::Length { what: "the second list of values", found: y.len(), expected: x.len() })
    }
}

/// As [`rank_correlation`], of lists that have the same length.
pub(super) fn spearman(x: &[f64], y: &[f64]) -> f64 {
    debug_assert_eq!(x.len(), y.len());
    pearson(&ranks(x), &ranks(y))
}

/// Ranks from 0; equal values share their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.par_sort_unstable_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]).then(a.cmp(&b)));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let mut end = start + 1;
        while end < order.len() && values[order[end] as usize] == values[order[start] as usize] {
            end += 1;
        }
        for &k in &order[start..end] {
            ranks[k as usize] = f64::midpoint(start as f64, (end - 1) as f64);
        }
        start = end;
    }
    ranks
}

fn pearson(x: &[f64], y: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (mx, my) = (mean(x), mean(y));
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (a, b) in x.iter().zip(y) {
        xy += (a - mx) * (b - my);
        xx += (a - mx).powi(2);
        yy += (b - my).powi(2);
    }
    xy / (xx * yy).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_equal_values_are_shared() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [2.5, 0.0, 2.5, 1.0]);
    }

    #[test]
    fn any_increasing_relation_has_correlation_one() {
        let x = [0.1, 0.2, 0.5, 3.0];
        assert!((spearman(&x, &x.map(f64::exp)) - 1.0).abs() < 1e-15);
        assert!((spearman(&x, &x.map(|v| -v)) + 1.0).abs() < 1e-15);
        assert!(spearman(&x, &[1.0; 4]).is_nan());
    }
}
