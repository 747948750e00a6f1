//! A part of the data that stands for all of them.
//!
//! The rows are divided by halves, again and again, at the median of the principal component along which the part is widest, until
//! there are as many cells as landmarks (a k-d tree). All cells have equally many items, within one; the item nearest to the mean of a
//! cell is its landmark. Why not otherwise:
//!
//! * Each landmark stands for equally many items, so the landmarks are as dense as the data are: the map of the landmarks gives each
//!   region the area that the map of all items would give it. Farthest points and k-means++ choose outliers and flatten the density.
//! * A random sample has the right density on average, but leaves holes. Here every part of the tree with m items has m·N/n
//!   landmarks, within one.
//! * It needs O(n log N) time, and depends on nothing but the rows.

use crate::{
    error::{Error, Parameter},
    input::Points,
    observe::Observer,
    pca::principal_components,
};
use ndarray::{Array2, ArrayView1};

/// Principal components that are used at most; further ones would hardly ever be the widest.
const MOST_COMPONENTS: usize = 16;

/// Chooses `count` rows of the points that stand for all: increasing numbers. See the source of this module for the rule and its reasons.
///
/// ```
/// use dosnes::{growth::landmarks, observe::Silent};
/// use ndarray::Array2;
///
/// // A long row of points: the landmarks are spread evenly over it.
/// let points = Array2::from_shape_fn((100, 1), |(i, _)| i as f64);
/// let chosen = landmarks(&points.view().into(), 10, &mut Silent)?;
/// assert_eq!(chosen.len(), 10);
/// assert!(chosen.iter().enumerate().all(|(k, row)| (10 * k..10 * k + 10).contains(row)));
/// # Ok::<(), dosnes::Error>(())
/// ```
pub fn landmarks(points: &Points<'_>, count: usize, observer: &mut dyn Observer) -> Result<Vec<usize>, Error> {
    let (n, columns) = points.shape();
    if count == 0 || count > n {
        let expected = "there must be at least one, and at most as many as items";
        return Err(Error::parameter(Parameter::Landmarks, count.to_string(), expected));
    }
    let scores = principal_components(points, MOST_COMPONENTS.min(n).min(columns), 0, observer)?.scores;
    let mut items: Vec<u32> = (0..n as u32).collect();
    let mut chosen = Vec::with_capacity(count);
    divide(&scores, &mut items, count, &mut chosen);
    chosen.sort_unstable();
    Ok(chosen)
}

/// Divides the items into `count` cells, and chooses one of each.
fn divide(scores: &Array2<f32>, items: &mut [u32], count: usize, chosen: &mut Vec<usize>) {
    let mean = mean(scores, items);
    if count == 1 {
        chosen.push(nearest(scores, items, &mean));
        return;
    }
    let spread =
        |axis: usize| items.iter().map(|&i| (f64::from(scores[[i as usize, axis]]) - mean[axis]).powi(2)).sum();
    let spreads: Vec<f64> = (0..scores.ncols()).map(spread).collect();
    let widest = (0..spreads.len()).fold(0, |best, axis| if spreads[axis] > spreads[best] { axis } else { best });
    let left = count / 2;
    let middle = items.len() * left / count;
    let key = |&i: &u32| scores[[i as usize, widest]];
    items.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
    let (below, above) = items.split_at_mut(middle);
    // Sums are the same in whatever order the halves were left.
    below.sort_unstable();
    above.sort_unstable();
    divide(scores, below, left, chosen);
    divide(scores, above, count - left, chosen);
}

fn mean(scores: &Array2<f32>, items: &[u32]) -> Vec<f64> {
    let mut sums = vec![0.0; scores.ncols()];
    for &i in items {
        sums.iter_mut().zip(scores.row(i as usize)).for_each(|(sum, &v)| *sum += f64::from(v));
    }
    sums.into_iter().map(|sum| sum / items.len().max(1) as f64).collect()
}

/// The item nearest to a place; the first one of several.
fn nearest(scores: &Array2<f32>, items: &[u32], place: &[f64]) -> usize {
    let distance =
        |row: ArrayView1<'_, f32>| -> f64 { row.iter().zip(place).map(|(&v, p)| (f64::from(v) - p).powi(2)).sum() };
    let to = |i: u32| distance(scores.row(i as usize));
    items.iter().copied().min_by(|&a, &b| to(a).total_cmp(&to(b)).then(a.cmp(&b))).map_or(0, |i| i as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn landmarks_are_as_many_as_asked_for_and_all_different(n in 1_usize..200, share in 0.0_f64..1.0, columns in 1_usize..5) {
            let count = ((n as f64 * share) as usize).max(1);
            // Many rows are equal.
            let points = Array2::from_shape_fn((n, columns), |(i, j)| ((i * (j + 3)) % 7) as f64);
            let chosen = landmarks(&points.view().into(), count, &mut Silent).unwrap();
            prop_assert_eq!(chosen.len(), count);
            prop_assert!(chosen.is_sorted_by(|a, b| a < b) && chosen.iter().all(|&row| row < n));
        }
    }

    #[test]
    fn groups_have_landmarks_in_proportion_to_their_size() {
        // Groups of 500, 300, 160 and 40 items, far apart.
        let group = |i: usize| [500, 800, 960, 1000].iter().position(|&end| i < end).unwrap_or(3);
        let points = Array2::from_shape_fn((1000, 3), |(i, j)| {
            100.0 * (((group(i) + 1) * (j + 2)) % 5) as f64 + ((i * (j + 5)) as f64 * 1.3).sin()
        });
        let chosen = landmarks(&points.view().into(), 100, &mut Silent).unwrap();
        let mut counts = [0; 4];
        for row in chosen {
            counts[group(row)] += 1;
        }
        for (count, expected) in counts.iter().zip([50_i32, 30, 16, 4]) {
            assert!((count - expected).abs() <= 3, "{counts:?}");
        }
        assert!(counts[3] >= 1, "{counts:?}");
    }

    #[test]
    fn impossible_numbers_are_refused() {
        let points = Array2::from_shape_fn((10, 2), |(i, j)| (i * j) as f64);
        for count in [0, 11] {
            let error = landmarks(&points.view().into(), count, &mut Silent).unwrap_err();
            assert!(error.to_string().contains("landmarks"), "{error}");
        }
        assert_eq!(landmarks(&points.view().into(), 10, &mut Silent).unwrap(), (0..10).collect::<Vec<_>>());
    }
}
