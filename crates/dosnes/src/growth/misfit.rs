//! How badly an item fits into a map.
//!
//! Several signs say it, each a number that is large for strangers. A sign means nothing by itself, so it is compared with those of
//! the map's own items, each of which was left out when its own signs were found: 1 − q is the share of own items whose sign is as
//! large, as the p-value of a test. The p-values are combined by Fisher's method, −Σ ln(1 − q): one sign that hardly any own item has
//! counts more than several that are a little large. Beyond the largest own sign the p-value falls on, by the exponential law that
//! fits the largest tenth of the own signs; otherwise what is far away would count no more than the strangest own item. The misfit
//! is the quantile of the sum among the own items.
//!
//! With one sign, the misfit is its quantile.

use super::half::{from_f32, to_f32};

/// The largest sign; larger ones are equal to it.
const LARGEST: f64 = 60_000.0;

/// A sign in half precision, as it is kept in the file: new and own items are compared after the same rounding.
pub(crate) fn rounded(sign: f64) -> f32 {
    let finite = if sign.is_nan() { LARGEST } else { sign.clamp(-LARGEST, LARGEST) };
    to_f32(from_f32(finite as f32))
}

/// The signs of the items of a map, in order, with which those of a new item are compared.
pub(crate) struct Ranking {
    /// For each sign.
    sorted: Vec<Vec<f32>>,
    /// Fisher's sums.
    sums: Vec<f32>,
}

impl Ranking {
    /// `own`: for each sign a list with one number for each item of the map.
    pub(crate) fn new(own: &[&[f32]]) -> Self {
        let sorted = own.iter().map(|list| ordered(list.to_vec())).collect();
        let mut ranking = Self { sorted, sums: Vec::new() };
        let n = own.first().map_or(0, |list| list.len());
        let sum_of = |i: usize| ranking.sum(own.iter().map(|list| list[i]));
        ranking.sums = ordered((0..n).map(sum_of).collect());
        ranking
    }

    /// The share of the map's own items that fit better.
    pub(crate) fn misfit(&self, signs: impl Iterator<Item = f32>) -> f64 {
        quantile_of(&self.sums, self.sum(signs))
    }

    /// −Σ ln(1 − q).
    fn sum(&self, signs: impl Iterator<Item = f32>) -> f32 {
        self.sorted.iter().zip(signs).map(|(sorted, sign)| surprise(sorted, sign)).sum::<f64>() as f32
    }
}

/// −ln(1 − q). At the largest own sign 1 − q is 1/(n + 1); from there on it falls exponentially.
fn surprise(sorted: &[f32], sign: f32) -> f64 {
    let n = sorted.len() as f64;
    let among = -(-quantile_of(sorted, sign) * n / (n + 1.0)).ln_1p();
    let tail = &sorted[sorted.len() * 9 / 10..];
    let (Some(&first), Some(&last)) = (tail.first(), tail.last()) else { return among };
    // The mean excess over its beginning is the scale of an exponential tail.
    let scale = tail.iter().map(|&v| f64::from(v - first)).sum::<f64>() / tail.len() as f64;
    let beyond = f64::from(sign - last).max(0.0);
    among + if scale > 0.0 { beyond / scale } else { 0.0 }
}

fn ordered(mut values: Vec<f32>) -> Vec<f32> {
    values.sort_by(f32::total_cmp);
    values
}

/// The share of the sorted values that are smaller, with half of those that are equal.
fn quantile_of(sorted: &[f32], value: f32) -> f64 {
    let below = sorted.partition_point(|&v| v < value);
    let equal = sorted[below..].partition_point(|&v| v <= value);
    (below as f64 + 0.5 * equal as f64) / sorted.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantiles_count_half_of_the_equal_ones() {
        let sorted = [1.0, 2.0, 2.0, 3.0];
        for (value, expected) in [(0.0, 0.0), (1.0, 0.125), (2.0, 0.5), (2.5, 0.75), (9.0, 1.0)] {
            assert_eq!(quantile_of(&sorted, value), expected);
        }
    }

    #[test]
    fn signs_that_are_no_finite_numbers_are_large() {
        assert_eq!(rounded(f64::NAN), rounded(f64::INFINITY));
        assert!(rounded(1e300) > 59_000.0 && rounded(-f64::INFINITY) < -59_000.0);
        assert_eq!(rounded(0.5), 0.5);
    }

    proptest! {
        #[test]
        fn the_misfit_by_one_sign_is_its_quantile(
            own in prop::collection::vec(-4_i8..5, 1..40),
            new in -6_i8..7,
        ) {
            let own: Vec<f32> = own.into_iter().map(f32::from).collect();
            let ranking = Ranking::new(&[&own]);
            let by_counting = own.iter().map(|&v| match v.total_cmp(&f32::from(new)) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            }).sum::<f64>() / own.len() as f64;
            prop_assert!((ranking.misfit([f32::from(new)].into_iter()) - by_counting).abs() < 1e-12);
        }

        #[test]
        fn a_larger_sign_never_fits_better(
            own in prop::collection::vec((-1.0_f32..1.0, -1.0_f32..1.0), 1..40),
            at in (-2.0_f32..2.0, -2.0_f32..2.0),
            more in 0.0_f32..1.0,
        ) {
            let (first, second): (Vec<f32>, Vec<f32>) = own.into_iter().unzip();
            let ranking = Ranking::new(&[&first, &second]);
            let here = ranking.misfit([at.0, at.1].into_iter());
            prop_assert!(ranking.misfit([at.0 + more, at.1].into_iter()) >= here);
            prop_assert!(ranking.misfit([at.0, at.1 + more].into_iter()) >= here);
            prop_assert!((0.0..=1.0).contains(&here));
        }

        #[test]
        fn a_sign_that_is_the_same_for_all_has_no_effect(
            own in prop::collection::vec(-1.0_f32..1.0, 1..40),
            new in -2.0_f32..2.0,
        ) {
            let constant = vec![7.0; own.len()];
            let (alone, both) = (Ranking::new(&[&own]), Ranking::new(&[&own, &constant]));
            prop_assert_eq!(alone.misfit([new].into_iter()), both.misfit([new, 7.0].into_iter()));
        }
    }
}
