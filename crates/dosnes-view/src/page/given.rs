//! Similarities as they were given.

use dosnes::CsrMatrix;

/// Similarities as they were given, before anything was made equal.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// All of them. An entry may be stored in one direction or in both.
    pub matrix: &'a CsrMatrix<'a>,
    /// The row of each item.
    pub rows: &'a [usize],
}

impl Given<'_> {
    /// The similarity of two items: as it was given, or the mean of both directions. 0 if there is none.
    pub(super) fn weight(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (self.rows[i], self.rows[j]);
        match (self.matrix.get(i, j).unwrap_or(0.0), self.matrix.get(j, i).unwrap_or(0.0)) {
            (there, back) if there > 0.0 && back > 0.0 => 0.5 * (there + back),
            (there, back) => there.max(back),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_that_of_one_direction_or_the_mean_of_both() {
        let matrix = CsrMatrix::from_triplets((4, 4), &[(1, 2, 10.0), (2, 1, 30.0), (3, 1, 5.0)]).unwrap();
        let given = Given { matrix: &matrix, rows: &[1, 2, 3] };
        assert_eq!(
            [given.weight(0, 1), given.weight(1, 0), given.weight(0, 2), given.weight(1, 2)],
            [20.0, 20.0, 5.0, 0.0]
        );
    }
}
