//! Similarities that are ready to be embedded.

use super::{Feasibility, Imbalance, Mixture, Normalization, check_similarities, degrees, largest_deviation_from_one};
use crate::{
    error::Error,
    sparse::{Components, CsrMatrix},
};

/// How the row sums were made equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Rule {
    /// The row sums are equal, to the tolerance.
    Exact,
    /// No exact scaling exists for the zero diagonal; it was softened.
    Soft,
    /// The row sums were equal with the diagonal, which was then removed.
    DiagonalDropped,
    /// Normalised by a method that does not make the sums equal.
    Unequal,
    /// Not normalised.
    Untouched,
}

impl Rule {
    /// A short name for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "zero",
            Self::Soft => "zero, softened",
            Self::DiagonalDropped => "dropped after scaling",
            Self::Unequal | Self::Untouched => "left out",
        }
    }
}

/// How the normalisation went.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NormalizationReport {
    /// The method that was used; never [`Normalization::Auto`].
    pub method: Normalization,
    /// How the row sums were made equal.
    pub rule: Rule,
    /// Number of iterations of scaling or projection.
    pub iterations: usize,
    /// Largest relative deviation of a row sum from its target.
    pub residual: f64,
    /// Imbalance of the off-diagonal row sums before the normalisation.
    pub before: Imbalance,
    /// The same after it.
    pub after: Imbalance,
    /// Sizes of the connected components of the similarities before the normalisation, largest first.
    pub components: Vec<usize>,
    /// If there were too many similarities to keep them all: how many each item kept, the strongest. Items may have more,
    /// because others kept them. Only for dyadic data.
    pub strongest_partners: Option<usize>,
    /// How walks of several steps were mixed; `None` for one step and for other methods.
    pub mixture: Option<Mixture>,
    /// Why the similarities themselves have no exact scaling, if that was asked. Rows are those of the whole input.
    pub obstacle: Option<Feasibility>,
}

/// The matrix P of similarities that is embedded: symmetric, without a diagonal, at least one entry in every row. The
/// [`report`](Self::report) tells whether all rows have the same sum.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Parts"))]
pub struct Affinities {
    matrix: CsrMatrix<'static>,
    /// See [`Affinities::direct`]; `None` if no longer walks were added.
    direct: Option<CsrMatrix<'static>>,
    /// Whether they are similarities of points to their nearest neighbours.
    of_points: bool,
    kept: Vec<usize>,
    left_out: Vec<usize>,
    /// See [`Affinities::given_totals`].
    given_totals: Vec<f64>,
    report: NormalizationReport,
}

/// [`Affinities`] as they are stored, before they are checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Parts {
    matrix: CsrMatrix<'static>,
    direct: Option<CsrMatrix<'static>>,
    of_points: bool,
    kept: Vec<usize>,
    left_out: Vec<usize>,
    given_totals: Vec<f64>,
    report: NormalizationReport,
}

#[cfg(feature = "serde")]
impl TryFrom<Parts> for Affinities {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Self, Error> {
        let Parts { matrix, direct, of_points, kept, left_out, given_totals, report } = parts;
        let all = kept.len().saturating_add(left_out.len());
        for matrix in std::iter::once(&matrix).chain(&direct) {
            matrix.check_square()?;
            check_similarities(matrix)?;
            if matrix.rows() != kept.len() {
                return Err(Error::Length { what: "the matrix", found: matrix.rows(), expected: kept.len() });
            }
        }
        if given_totals.len() != kept.len() {
            return Err(Error::Length { what: "the totals", found: given_totals.len(), expected: kept.len() });
        }
        let mut seen = vec![false; all];
        let each_once =
            kept.iter().chain(&left_out).all(|&i| seen.get_mut(i).is_some_and(|seen| !std::mem::replace(seen, true)));
        let has_all = kept.len() >= 2 && matrix.iter_rows().all(|row| !row.is_empty());
        if !(each_once && has_all && kept.is_sorted() && left_out.is_sorted()) {
            return Err(Error::ForeignState);
        }
        Ok(Self { matrix, direct, of_points, kept, left_out, given_totals, report })
    }
}

impl Affinities {
    pub(super) fn new(
        matrix: CsrMatrix<'static>,
        direct: Option<CsrMatrix<'static>>,
        of_points: bool,
        kept: Vec<usize>,
        left_out: Vec<usize>,
        given_totals: Vec<f64>,
        report: NormalizationReport,
    ) -> Self {
        Self { matrix, direct, of_points, kept, left_out, given_totals, report }
    }

    /// A matrix P that was computed elsewhere, used as it is. It must be square, symmetric and ≥ 0. The diagonal and
    /// rows without entries are left out.
    ///
    /// ```
    /// use dosnes::{Affinities, CsrMatrix};
    ///
    /// let ring: Vec<_> = (0..6).flat_map(|i| [(i, (i + 1) % 6, 0.5), ((i + 1) % 6, i, 0.5)]).collect();
    /// let p = Affinities::from_matrix(&CsrMatrix::from_triplets((6, 6), &ring)?)?;
    /// assert!(p.is_doubly_stochastic(1e-12));
    /// # Ok::<(), dosnes::Error>(())
    /// ```
    pub fn from_matrix(matrix: &CsrMatrix<'_>) -> Result<Self, Error> {
        matrix.check_square()?;
        check_similarities(matrix)?;
        let transposed = matrix.transposed();
        if let Some((row, column, _)) = matrix.iter().find(|&(i, j, value)| transposed.get(i, j) != Some(value)) {
            return Err(Error::NotSymmetric { row, column });
        }
        drop(transposed);
        let n = matrix.rows();
        let sums = degrees(matrix);
        let (kept, left_out): (Vec<usize>, Vec<usize>) = (0..n).partition(|&i| sums[i] > 0.0);
        if kept.len() < 2 {
            return Err(Error::TooFewItems { kept: kept.len(), n });
        }
        let matrix = matrix.principal_submatrix(&kept, false);
        let given_totals = degrees(&matrix);
        let imbalance = Imbalance::of_sums(&given_totals);
        let report = NormalizationReport {
            method: Normalization::None,
            rule: Rule::Untouched,
            iterations: 0,
            residual: largest_deviation_from_one(&matrix),
            before: imbalance,
            after: imbalance,
            components: Components::of(&matrix)?.sizes_descending(),
            strongest_partners: None,
            mixture: None,
            obstacle: None,
        };
        Ok(Self { matrix, direct: None, of_points: false, kept, left_out, given_totals, report })
    }

    /// The total similarity of each kept item to all others before the normalisation.
    pub fn given_totals(&self) -> &[f64] {
        &self.given_totals
    }

    /// Whether they are similarities of points to their nearest neighbours, and not of a graph or another network.
    pub(crate) fn are_of_points(&self) -> bool {
        self.of_points
    }

    /// Who is similar to whom in the data, over the kept items: P itself, or, if longer walks were added to make it equal,
    /// the similarities before that, each divided by the strongest one of either item. So all neighbours in an unweighted
    /// graph are equal, and the neighbours of a large item are not just the other large ones.
    pub fn direct(&self) -> &CsrMatrix<'_> {
        self.direct.as_ref().unwrap_or(&self.matrix)
    }

    /// P over the kept items. [`Normalization::None`] keeps the scale of S; otherwise the rows sum to one, within the
    /// limits that the [`report`](Self::report) gives.
    pub fn matrix(&self) -> &CsrMatrix<'static> {
        &self.matrix
    }

    /// Takes P out, for work in its memory; [`put_matrix`](Self::put_matrix) puts it back.
    pub(crate) fn take_matrix(&mut self) -> CsrMatrix<'static> {
        let none = CsrMatrix::well_formed((0, 0), vec![0], Vec::new(), Vec::<f64>::new());
        std::mem::replace(&mut self.matrix, none)
    }

    pub(crate) fn put_matrix(&mut self, matrix: CsrMatrix<'static>) {
        self.matrix = matrix;
    }

    /// Number of items in P.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there are no items; this is never the case.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Rows of the input that are in P, in order.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Rows of the input that have no similarity to any other item.
    pub fn left_out(&self) -> &[usize] {
        &self.left_out
    }

    /// How the normalisation went.
    pub fn report(&self) -> &NormalizationReport {
        &self.report
    }

    /// Whether all rows sum to one, to within `tolerance`.
    pub fn is_doubly_stochastic(&self, tolerance: f64) -> bool {
        largest_deviation_from_one(&self.matrix) <= tolerance
    }

    /// P with the rows and columns of the whole input; those of items that were left out are empty.
    pub fn to_input_rows(&self) -> CsrMatrix<'static> {
        let n = self.kept.len() + self.left_out.len();
        let mut row_starts = Vec::with_capacity(n + 1);
        row_starts.push(0);
        let column_indices: Vec<u32> =
            self.matrix.column_indices().iter().map(|&j| self.kept[j as usize] as u32).collect();
        for (&end, &row) in self.matrix.row_starts()[1..].iter().zip(&self.kept) {
            let begin = row_starts[row_starts.len() - 1];
            row_starts.resize(row + 1, begin);
            row_starts.push(end);
        }
        row_starts.resize(n + 1, column_indices.len());
        CsrMatrix::well_formed((n, n), row_starts, column_indices, self.matrix.values().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_used_as_it_is() {
        let triplets = [(0, 1, 2.0), (1, 0, 2.0), (3, 1, 0.5), (1, 3, 0.5), (3, 3, 9.0)];
        let given = CsrMatrix::from_triplets((5, 5), &triplets).unwrap();
        let p = Affinities::from_matrix(&given).unwrap();
        assert_eq!((p.kept(), p.left_out()), (&[0, 1, 3][..], &[2, 4][..]));
        assert!(!p.is_doubly_stochastic(0.1));
        let back = p.to_input_rows();
        assert_eq!(back, CsrMatrix::from_triplets((5, 5), &triplets[..4]).unwrap());
    }

    #[test]
    fn a_matrix_that_cannot_be_embedded_is_rejected() {
        let from = |triplets: &[(u32, u32, f64)]| {
            Affinities::from_matrix(&CsrMatrix::from_triplets((3, 3), triplets).unwrap()).unwrap_err()
        };
        assert_eq!(from(&[(0, 1, 1.0), (1, 0, 2.0)]), Error::NotSymmetric { row: 0, column: 1 });
        assert!(matches!(from(&[(0, 1, -1.0), (1, 0, -1.0)]), Error::Value { row: 0, column: 1, .. }));
        assert_eq!(from(&[(1, 1, 1.0)]), Error::TooFewItems { kept: 0, n: 3 });
        let wide = CsrMatrix::from_triplets((2, 3), &[]).unwrap();
        assert_eq!(Affinities::from_matrix(&wide).unwrap_err(), Error::NotSquare { rows: 2, columns: 3 });
    }
}
