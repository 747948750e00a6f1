//! Weights of edges that are so large that sums of their squares would overflow, or all so small that these would be zero.

use dosnes::CsrMatrix;

use crate::error::{Error, Place};
use crate::note::Note;
use crate::raw::Edge;

/// The largest weight of a network is used as it is between these two.
const SMALLEST: f64 = 1e-150;
const LARGEST: f64 = 1e150;
/// The exponent of the power of two that the largest weight is brought below.
const EXPONENT: i32 = 498;

/// Divides all weights of a network by the same power of two if one of them is too large, or all are too small.
pub(super) fn reduce_edges(arcs: &mut [Edge], edges: &mut [Edge]) -> Option<Note> {
    let power = power(arcs.iter().chain(edges.iter()).map(|edge| edge.2))?;
    Some(divide(arcs.iter_mut().chain(edges).map(|edge| &mut edge.2), power))
}

/// The same for the entries of a matrix.
pub(super) fn reduce_matrix(
    file: &str,
    matrix: CsrMatrix<'static>,
) -> Result<(CsrMatrix<'static>, Option<Note>), Error> {
    let Some(power) = power(matrix.values().iter().copied()) else { return Ok((matrix, None)) };
    let shape = matrix.shape();
    let (row_starts, columns, mut values) = matrix.into_parts();
    let note = divide(values.iter_mut(), power);
    let matrix = CsrMatrix::new(shape, row_starts, columns, values)
        .map_err(|error| Error::matrix(file, Place::default(), error))?;
    Ok((matrix, Some(note)))
}

/// The exponent of the power of two to divide by; it is negative if all weights are too small.
fn power(weights: impl Iterator<Item = f64>) -> Option<i32> {
    let largest = weights.filter(|weight| weight.is_finite()).fold(0.0, f64::max);
    // The logarithm of the largest number is rounded up.
    let exponent = (largest.log2().floor() as i32).min(1023);
    if largest > LARGEST {
        Some(exponent + 1 - EXPONENT)
    } else {
        (largest > 0.0 && largest < SMALLEST).then_some(exponent)
    }
}

/// Similarities are equal but for a factor, and a power of two keeps all digits. A weight that would become zero stays the
/// smallest number, so that no edge is lost.
fn divide<'a>(weights: impl Iterator<Item = &'a mut f64>, power: i32) -> Note {
    // In two steps, since the whole power may be outside of what a number can be.
    let half = power / 2;
    let factors = [2.0_f64.powi(-half), 2.0_f64.powi(half - power)];
    let mut raised = 0;
    for weight in weights.filter(|weight| **weight > 0.0) {
        *weight *= factors[0];
        *weight *= factors[1];
        if *weight < f64::MIN_POSITIVE {
            *weight = f64::MIN_POSITIVE;
            raised += 1;
        }
    }
    Note::WeightsDivided { power, raised }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_weights_stay_as_they_are() {
        let mut arcs = [(0, 1, 1e150), (1, 2, 1e-300), (0, 2, 0.0)];
        assert_eq!(reduce_edges(&mut arcs, &mut []), None);
        assert_eq!(arcs[0].2, 1e150);
    }

    #[test]
    fn weights_that_are_all_tiny_are_multiplied() {
        let mut arcs = [(0, 1, 5e-324), (1, 2, 1.5e-323)];
        assert_eq!(reduce_edges(&mut arcs, &mut []), Some(Note::WeightsDivided { power: -1073, raised: 0 }));
        assert_eq!((arcs[0].2, arcs[1].2), (0.5, 1.5));
    }

    #[test]
    fn large_weights_keep_their_ratios_and_no_edge_is_lost() {
        let mut arcs = [(0, 1, f64::MAX), (1, 2, f64::MAX / 3.0), (0, 2, 1e-300)];
        let mut edges = [(2, 3, 0.0), (3, 1, 1e300)];
        let note = reduce_edges(&mut arcs, &mut edges);
        assert_eq!(note, Some(Note::WeightsDivided { power: 526, raised: 1 }));
        assert!(arcs[0].2 <= LARGEST && arcs[0].2 > 1e149);
        assert_eq!(arcs[0].2 / arcs[1].2, f64::MAX / (f64::MAX / 3.0));
        assert_eq!((arcs[2].2, edges[0].2), (f64::MIN_POSITIVE, 0.0));
        assert_eq!(edges[1].2 * 2.0_f64.powi(526), 1e300);
    }
}
