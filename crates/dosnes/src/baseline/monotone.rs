//! Monotone regression.

/// The closest non-decreasing values, in the least-squares sense: adjacent values that violate the order are pooled
/// into their mean until none are left (Kruskal 1964; Ayer and others 1955).
pub fn monotone_regression(values: &[f64]) -> Vec<f64> {
    let mut fitted = values.to_vec();
    pool(&mut fitted, &mut Vec::new());
    fitted
}

/// The same in place, with a buffer that is reused.
pub(super) fn pool(values: &mut [f64], blocks: &mut Vec<(f64, usize)>) {
    // Blocks of a sum and a length, with increasing means.
    blocks.clear();
    for &value in values.iter() {
        let (mut sum, mut length) = (value, 1);
        while let Some(&(last_sum, last_length)) = blocks.last() {
            // last mean ≤ mean, without a division.
            if last_sum * length as f64 <= sum * last_length as f64 {
                break;
            }
            sum += last_sum;
            length += last_length;
            blocks.pop();
        }
        blocks.push((sum, length));
    }
    let mut at = 0;
    for &(sum, length) in blocks.iter() {
        values[at..at + length].fill(sum / length as f64);
        at += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn increasing_values_are_unchanged() {
        assert_eq!(monotone_regression(&[1.0, 2.0, 2.0, 5.0]), [1.0, 2.0, 2.0, 5.0]);
        assert_eq!(monotone_regression(&[3.0, 1.0, 2.0, 5.0]), [2.0, 2.0, 2.0, 5.0]);
        assert!(monotone_regression(&[]).is_empty());
    }

    proptest! {
        /// The closed-form solution: the maximum over all starts of the minimum over all ends of the mean in between.
        #[test]
        fn pooling_agrees_with_the_closed_form(values in prop::collection::vec(-5.0_f64..5.0, 1..30)) {
            let mean = |a: usize, b: usize| values[a..=b].iter().sum::<f64>() / (b - a + 1) as f64;
            for (k, fitted) in monotone_regression(&values).into_iter().enumerate() {
                let expected = (0..=k)
                    .map(|a| (k..values.len()).map(|b| mean(a, b)).fold(f64::INFINITY, f64::min))
                    .fold(f64::NEG_INFINITY, f64::max);
                prop_assert!((fitted - expected).abs() < 1e-12);
            }
        }
    }
}
