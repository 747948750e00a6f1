//! Square matrices of which only one half is given, or without a diagonal, as people and SPSS write them.

use dosnes::ndarray::Array2;

use crate::note::Note;

/// The share of zeros in the given half up to which the other half, of zeros only, is taken for not given.
const MOST_ZEROS: f64 = 0.1;

/// Whether what is missing of a square matrix is its diagonal, or is given at the mirrored place.
pub(crate) fn can_be_completed(x: &Array2<f64>) -> bool {
    x.nrows() == x.ncols() && x.nrows() > 2 && (is_without_diagonal(x) || is_mirrored(x))
}

/// Whether the diagonal is not given, but everything else.
fn is_without_diagonal(x: &Array2<f64>) -> bool {
    x.indexed_iter().all(|((i, j), v)| v.is_nan() == (i == j))
}

fn is_mirrored(x: &Array2<f64>) -> bool {
    x.indexed_iter().all(|((i, j), v)| i == j || !v.is_nan() || !x[[j, i]].is_nan())
        && (0..x.nrows()).all(|i| (0..i).all(|j| is_same(x[[i, j]], x[[j, i]])))
}

/// Equal, up to the digits that were printed, or one of them is not given.
fn is_same(a: f64, b: f64) -> bool {
    a.is_nan() || b.is_nan() || (a - b).abs() <= 1e-4 * a.abs().max(b.abs())
}

/// Fills in what is missing, if it follows from the rest: the other half, and a diagonal of zeros, or of ones if the rest
/// are correlations.
pub(super) fn complete(x: &mut Array2<f64>) -> Option<Note> {
    if !x.iter().any(|v| v.is_nan()) || !can_be_completed(x) {
        return None;
    }
    let n = x.nrows();
    let mut mirrored = 0;
    for i in 0..n {
        for j in 0..i {
            match (x[[i, j]].is_nan(), x[[j, i]].is_nan()) {
                (true, false) => x[[i, j]] = x[[j, i]],
                (false, true) => x[[j, i]] = x[[i, j]],
                _ => continue,
            }
            mirrored += 1;
        }
    }
    let correlations = x.iter().any(|v| *v < 0.0) && x.iter().all(|v| v.is_nan() || v.abs() <= 1.0);
    let own = if correlations { 1.0 } else { 0.0 };
    let mut on_diagonal = 0;
    for v in x.diag_mut().iter_mut().filter(|v| v.is_nan()) {
        *v = own;
        on_diagonal += 1;
    }
    Some(if mirrored > 0 {
        Note::HalfMirrored
    } else {
        Note::DiagonalFilled { count: on_diagonal, value: own.to_string() }
    })
}

/// Fills the empty cells of a square matrix with zeros, and returns their number, if at least half of the pairs are empty: so
/// people write matrices of links. One half of a matrix is no such matrix, and negative entries are no links.
pub(crate) fn fill_blanks(x: &mut Array2<f64>) -> Option<usize> {
    let n = x.nrows();
    if n != x.ncols() || n < 4 || x.iter().any(|v| *v < 0.0) {
        return None;
    }
    let pairs = x.indexed_iter().filter(|((i, j), v)| i != j && v.is_nan()).count();
    let is_given = |lower: bool| x.indexed_iter().any(|((i, j), v)| i != j && (j < i) == lower && !v.is_nan());
    if 2 * pairs < n * (n - 1) || !(is_given(true) && is_given(false)) {
        return None;
    }
    let mut count = 0;
    for v in x.iter_mut().filter(|v| v.is_nan()) {
        *v = 0.0;
        count += 1;
    }
    Some(count)
}

/// Mirrors a half that is given into one of zeros, if hardly any entry of the given one is zero: distances and similarities
/// are hardly ever zero, but edges mostly are.
pub(super) fn mirror_zeros(x: &mut Array2<f64>) -> Option<Note> {
    let n = x.nrows();
    if n != x.ncols() || n < 4 {
        return None;
    }
    let zeros = |lower: bool| {
        let entry = |i: usize, j: usize| if lower { x[[i, j]] } else { x[[j, i]] };
        (0..n).map(|i| (0..i).filter(|&j| entry(i, j) == 0.0).count()).sum::<usize>()
    };
    let pairs = n * (n - 1) / 2;
    let few = |count: usize| count as f64 <= MOST_ZEROS * pairs as f64;
    let from_lower = match (zeros(true), zeros(false)) {
        (below, above) if above == pairs && few(below) => true,
        (below, above) if below == pairs && few(above) => false,
        _ => return None,
    };
    for i in 0..n {
        for j in 0..i {
            if from_lower {
                x[[j, i]] = x[[i, j]];
            } else {
                x[[i, j]] = x[[j, i]];
            }
        }
    }
    Some(Note::HalfOfZeros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::ndarray::array;

    const NONE: f64 = f64::NAN;

    #[test]
    fn a_half_that_is_not_given_is_that_of_the_other_side() {
        let mut x = array![[0.0, NONE, NONE], [2.0, 0.0, NONE], [3.0, 4.0, 0.0]];
        assert_eq!(complete(&mut x), Some(Note::HalfMirrored));
        assert_eq!(x, array![[0.0, 2.0, 3.0], [2.0, 0.0, 4.0], [3.0, 4.0, 0.0]]);
    }

    #[test]
    fn a_diagonal_that_is_not_given_is_zero_or_one() {
        let mut x = array![[NONE, 2.0, 3.0], [2.0, NONE, 4.0], [3.0, 4.0, NONE]];
        assert_eq!(complete(&mut x), Some(Note::DiagonalFilled { count: 3, value: "0".into() }));
        assert_eq!(x[[1, 1]], 0.0);
        let mut r = array![[NONE, 0.2, -0.3], [0.2, NONE, 0.4], [-0.3, 0.4, NONE]];
        complete(&mut r);
        assert_eq!(r[[1, 1]], 1.0);
    }

    #[test]
    fn a_diagonal_that_is_not_given_is_zero_in_asymmetric_matrices_too() {
        let mut x = array![[NONE, 2.0, 3.0], [5.0, NONE, 4.0], [3.0, 1.0, NONE]];
        assert_eq!(complete(&mut x), Some(Note::DiagonalFilled { count: 3, value: "0".into() }));
        assert_eq!(x, array![[0.0, 2.0, 3.0], [5.0, 0.0, 4.0], [3.0, 1.0, 0.0]]);
    }

    #[test]
    fn mostly_empty_cells_are_zeros_but_a_few_are_unknown() {
        let links = Array2::from_shape_fn((5, 5), |(i, j)| if (i + 1) % 5 == j { 2.0 } else { NONE });
        let mut x = links.clone();
        assert_eq!(fill_blanks(&mut x), Some(20));
        assert_eq!(x.sum(), 10.0);
        let mut few = links.mapv(|v| if v.is_nan() { 1.0 } else { NONE });
        assert_eq!(fill_blanks(&mut few), None);
        let mut negative = links.mapv(|v| -v);
        assert_eq!(fill_blanks(&mut negative), None);
    }

    #[test]
    fn a_pair_that_is_not_given_stays_missing() {
        let mut x = array![[0.0, NONE, 3.0], [NONE, 0.0, 4.0], [3.0, 4.0, 0.0]];
        assert_eq!(complete(&mut x), None);
        let mut x = array![[0.0, 2.5, 3.0], [2.0, 0.0, 4.0], [NONE, 4.0, 0.0]];
        assert_eq!(complete(&mut x), None);
    }

    #[test]
    fn a_half_of_zeros_is_mirrored_unless_the_other_has_zeros_too() {
        let upper = Array2::from_shape_fn((5, 5), |(i, j)| if j > i { (i + j) as f64 } else { 0.0 });
        let mut x = upper.clone();
        assert_eq!(mirror_zeros(&mut x), Some(Note::HalfOfZeros));
        assert_eq!(x[[3, 1]], 4.0);
        let mut edges = upper.mapv(|v| if (v as usize).is_multiple_of(2) { v } else { 0.0 });
        assert_eq!(mirror_zeros(&mut edges), None);
    }
}
