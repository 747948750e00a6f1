//! A measured number, and the samples for measuring.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A measured number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// The number.
    pub value: f64,
    /// Half the width of its 95 % confidence interval if it was measured on a sample; `None` if it is exact.
    pub margin: Option<f64>,
}

/// Options of the measures.
#[derive(Debug, Clone, PartialEq)]
pub struct QualityOptions {
    /// Up to this number of items, every sum runs over all items. Default: 6,000.
    pub exact_up_to: usize,
    /// With more items, sums run over a sample of this many (at least 20), each compared with all others. Default: 1,000.
    pub rows: usize,
    /// Sizes of neighbourhoods. Default: 5, 10, 20, 50.
    pub sizes: Vec<usize>,
    /// Seed of the sample. Default: 0.
    pub seed: u64,
}

impl Default for QualityOptions {
    fn default() -> Self {
        Self { exact_up_to: 6000, rows: 1000, sizes: vec![5, 10, 20, 50], seed: 0 }
    }
}

/// 97.5 % of a normal distribution are below this number of standard deviations.
const NORMAL_QUANTILE: f64 = 1.959963984540054;

impl Measure {
    /// An exact number.
    pub fn exact(value: f64) -> Self {
        Self { value, margin: None }
    }

    /// The mean over `values`, which belong to all `n` items or to a sample of them without replacement.
    pub(super) fn mean(values: &[f64], n: usize) -> Self {
        let m = values.len() as f64;
        let value = values.iter().sum::<f64>() / m;
        if values.len() >= n || values.len() < 2 {
            return Self::exact(value);
        }
        let variance = values.iter().map(|v| (v - value).powi(2)).sum::<f64>() / (m - 1.0);
        let unseen = 1.0 - m / n as f64;
        Self { value, margin: Some(NORMAL_QUANTILE * (variance / m * unseen).sqrt()) }
    }

    /// A `value` for which independent parts of the sample gave `parts`.
    pub(super) fn of_parts(value: f64, parts: &[f64]) -> Self {
        let m = parts.len() as f64;
        let mean = parts.iter().sum::<f64>() / m;
        let variance = parts.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (m - 1.0);
        Self { value, margin: Some(NORMAL_QUANTILE * (variance / m).sqrt()) }
    }

    /// The same measure on another scale.
    #[must_use]
    pub(super) fn map(self, value: impl Fn(f64) -> f64, slope: f64) -> Self {
        Self { value: value(self.value), margin: self.margin.map(|margin| margin * slope.abs()) }
    }
}

/// A sample has at least this many items: fewer have no interval.
const LEAST_ROWS: usize = 20;

impl QualityOptions {
    /// The items to measure: all of `n`, or a sample without replacement, in order.
    pub(super) fn sample(&self, n: usize) -> Vec<usize> {
        let rows = self.rows.max(LEAST_ROWS);
        if n <= self.exact_up_to || n <= rows {
            return (0..n).collect();
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut items: Vec<usize> = (0..n).collect();
        for k in 0..rows {
            let other = rng.random_range(k..n);
            items.swap(k, other);
        }
        items.truncate(rows);
        items.sort_unstable();
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_the_requested_size_without_repetition() {
        let options = QualityOptions { exact_up_to: 10, rows: 20, ..QualityOptions::default() };
        assert_eq!(options.sample(10).len(), 10);
        let sample = options.sample(1000);
        assert_eq!(sample.len(), 20);
        assert!(sample.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn the_confidence_interval_contains_the_true_mean_as_often_as_stated() {
        let n = 400;
        let truth: Vec<f64> = (0..n).map(|i| ((i * i) % 97) as f64).collect();
        let mean = truth.iter().sum::<f64>() / n as f64;
        let inside = (0..500)
            .filter(|&seed| {
                let options = QualityOptions { exact_up_to: 0, rows: 60, seed, ..QualityOptions::default() };
                let values: Vec<f64> = options.sample(n).into_iter().map(|i| truth[i]).collect();
                let measure = Measure::mean(&values, n);
                (measure.value - mean).abs() <= measure.margin.unwrap()
            })
            .count();
        // 475 are expected, with a standard deviation of 5.
        assert!((450..=495).contains(&inside), "{inside}");
    }
}
