//! What is usually done to points before their distances mean something: standardised columns, and the preparation of counts of
//! single cells.

use super::{Points, rounded};
use crate::{
    named,
    sparse::{CsrMatrix, Row},
};
use ndarray::{Array2, ArrayView1};

/// How columns are brought to the same scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Standardize {
    /// Not at all.
    #[default]
    None,
    /// Mean 0 and standard deviation 1.
    Z,
    /// Median 0 and median absolute deviation 1/1.4826, which is a standard deviation of 1 for normal data.
    Robust,
}

named!(Standardize, "standardisation", {
    None => ("none", "leave the columns as they are"),
    Z => ("z", "mean 0 and standard deviation 1"),
    Robust => ("robust", "median 0 and a median absolute deviation as of a standard deviation of 1; for outliers"),
});

impl Points<'_> {
    /// The points with all columns on the same scale. A column without any spread becomes zero. The columns of sparse points
    /// are divided by their standard deviations, but not centred, so that they stay sparse.
    #[must_use]
    pub fn standardized(&self, how: Standardize) -> Points<'static> {
        if how == Standardize::None {
            return match self {
                Self::Dense(x) => Points::Dense(x.to_owned().into()),
                Self::Dense64(x) => Points::Dense64(x.to_owned().into()),
                Self::Rounded(x) => Points::Rounded(x.to_owned().into()),
                Self::Sparse(x) => Points::Sparse(x.clone().into_owned()),
            };
        }
        match self {
            Self::Dense(x) => Points::Dense(columns_scaled(&x.mapv(f64::from), how).into()),
            Self::Dense64(x) => Points::Dense(columns_scaled(&x.to_owned(), how).into()),
            Self::Rounded(x) => Points::Dense(columns_scaled(&x.mapv(rounded), how).into()),
            Self::Sparse(x) => Points::Sparse(sparse_scaled(x)),
        }
    }
}

fn columns_scaled(x: &Array2<f64>, how: Standardize) -> Array2<f32> {
    let mut scaled = Array2::zeros(x.dim());
    for (j, column) in x.columns().into_iter().enumerate() {
        let (centre, spread) = match how {
            Standardize::Robust => centre_and_spread_by_ranks(&column),
            _ => mean_and_deviation(&column),
        };
        if spread > 0.0 {
            for (target, value) in scaled.column_mut(j).iter_mut().zip(column) {
                *target = ((value - centre) / spread) as f32;
            }
        }
    }
    scaled
}

fn mean_and_deviation(column: &ArrayView1<'_, f64>) -> (f64, f64) {
    let n = column.len() as f64;
    let mean: f64 = column.iter().map(|v| v / n).sum();
    // Relative to the largest deviation, so that squares neither overflow nor vanish.
    let largest = column.iter().map(|v| (v - mean).abs()).fold(0.0, f64::max);
    if largest == 0.0 {
        return (mean, 0.0);
    }
    let squares: f64 = column.iter().map(|v| ((v - mean) / largest).powi(2)).sum();
    (mean, largest * (squares / n).sqrt())
}

/// Median, and median absolute deviation × 1.4826. Where more than half of the values are equal, the latter is zero; the
/// standard deviation takes its place.
fn centre_and_spread_by_ranks(column: &ArrayView1<'_, f64>) -> (f64, f64) {
    let centre = median(column.to_vec());
    let spread = 1.4826 * median(column.iter().map(|v| (v - centre).abs()).collect());
    if spread > 0.0 { (centre, spread) } else { (centre, mean_and_deviation(column).1) }
}

fn median(mut values: Vec<f64>) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    let upper = *values.select_nth_unstable_by(middle, f64::total_cmp).1;
    if values.len() % 2 == 1 {
        return upper;
    }
    let lower = values[..middle].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    lower + (upper - lower) / 2.0
}

fn sparse_scaled(x: &CsrMatrix<'_>) -> CsrMatrix<'static> {
    let moments = Moments::of(x);
    x.mapped(|_, j, value| {
        let deviation = moments.variance(j).sqrt();
        if deviation > 0.0 { value / deviation } else { 0.0 }
    })
}

/// Sums of each column of a sparse matrix.
struct Moments {
    rows: f64,
    sums: Vec<f64>,
    squares: Vec<f64>,
}

impl Moments {
    fn of(x: &CsrMatrix<'_>) -> Self {
        let (mut sums, mut squares) = (vec![0.0; x.columns()], vec![0.0; x.columns()]);
        for (_, j, value) in x.iter() {
            sums[j] += value;
            squares[j] += value * value;
        }
        Self { rows: x.rows() as f64, sums, squares }
    }

    fn mean(&self, j: usize) -> f64 {
        self.sums[j] / self.rows
    }

    fn variance(&self, j: usize) -> f64 {
        (self.squares[j] / self.rows - self.mean(j).powi(2)).max(0.0)
    }
}

/// Counts of single cells after the usual preparation.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CellCounts {
    /// The logarithms of the normalised counts, for the variable columns only.
    pub points: Points<'static>,
    /// The columns that were kept, in order.
    pub kept: Vec<usize>,
    /// The total to which each cell was scaled: the median of all totals.
    pub total: f64,
}

/// Why counts cannot be prepared.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CountsError {
    /// A value is not a count.
    #[error(
        "row {row}, column {column} is {value}, but counts are integers ≥ 0; data that are normalised already need no preparation"
    )]
    NotACount {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// The value.
        value: f64,
    },
    /// A cell has no counts at all.
    #[error("row {0} has no counts at all; leave out empty cells first")]
    EmptyCell(usize),
}

/// Columns that are kept as variable.
const VARIABLE_COLUMNS: usize = 2000;
/// Columns are compared with others of a similar mean, in this many classes.
const MEAN_CLASSES: usize = 20;

/// The usual preparation of counts of single cells: each cell is scaled to the median total, log(1 + x) is taken, and the
/// 2,000 most variable columns are kept (those with the largest dispersion among columns of a similar mean, as in Seurat
/// and scanpy). Principal components are left to [`similarities`](crate::similarities).
pub fn prepare_counts(counts: &CsrMatrix<'_>) -> Result<CellCounts, CountsError> {
    if let Some((row, column, value)) = counts.iter().find(|(_, _, v)| *v < 0.0 || v.fract() != 0.0) {
        return Err(CountsError::NotACount { row, column, value });
    }
    let totals: Vec<f64> = counts.iter_rows().map(Row::sum).collect();
    if let Some(row) = totals.iter().position(|&total| total == 0.0) {
        return Err(CountsError::EmptyCell(row));
    }
    let total = median(totals.clone());
    let normalised = counts.mapped(|i, _, value| value * total / totals[i]);
    let kept = variable_columns(&Moments::of(&normalised), counts.columns());
    let mut number = vec![None; counts.columns()];
    for (new, &old) in kept.iter().enumerate() {
        number[old] = Some(new as u32);
    }
    let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in normalised.iter_rows() {
        for (j, value) in row.iter() {
            if let Some(j) = number[j] {
                columns.push(j);
                values.push(value.ln_1p());
            }
        }
        starts.push(columns.len());
    }
    let matrix = CsrMatrix::well_formed((counts.rows(), kept.len()), starts, columns, values);
    Ok(CellCounts { points: Points::Sparse(matrix), kept, total })
}

/// The columns with the largest dispersion (variance/mean) relative to columns of a similar mean.
fn variable_columns(moments: &Moments, columns: usize) -> Vec<usize> {
    let present: Vec<usize> = (0..columns).filter(|&j| moments.variance(j) > 0.0).collect();
    if present.len() <= VARIABLE_COLUMNS {
        return present;
    }
    let mean: Vec<f64> = present.iter().map(|&j| moments.mean(j).ln_1p()).collect();
    let dispersion: Vec<f64> = present.iter().map(|&j| (moments.variance(j) / moments.mean(j)).ln()).collect();
    let (low, high) = mean.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &m| (l.min(m), h.max(m)));
    let class = |m: f64| {
        (((m - low) / (high - low).max(f64::MIN_POSITIVE) * MEAN_CLASSES as f64) as usize).min(MEAN_CLASSES - 1)
    };
    let mut of_class: Vec<Vec<f64>> = vec![Vec::new(); MEAN_CLASSES];
    for (&m, &d) in mean.iter().zip(&dispersion) {
        of_class[class(m)].push(d);
    }
    let centred: Vec<(f64, f64)> = of_class.iter().map(|d| mean_and_deviation(&ArrayView1::from(&d[..]))).collect();
    let score = |k: usize| {
        let (centre, spread) = centred[class(mean[k])];
        // A column without companions counts as typical plus one deviation.
        if spread > 0.0 { (dispersion[k] - centre) / spread } else { 1.0 }
    };
    let mut order: Vec<usize> = (0..present.len()).collect();
    order.sort_by(|&a, &b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
    let mut kept: Vec<usize> = order.into_iter().take(VARIABLE_COLUMNS).map(|k| present[k]).collect();
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn standardised_columns_have_mean_zero_and_deviation_one() {
        let x = array![[1.0, 1e300, 5.0], [2.0, -1e300, 5.0], [6.0, 0.0, 5.0]];
        let Points::Dense(z) = Points::from(&x).standardized(Standardize::Z) else { panic!("dense") };
        for j in 0..2 {
            let sum: f32 = z.column(j).sum();
            let squares: f32 = z.column(j).iter().map(|v| v * v).sum();
            assert!(sum.abs() < 1e-5 && (squares - 3.0).abs() < 1e-5, "{z}");
        }
        assert!(z.column(2).iter().all(|&v| v == 0.0));
    }

    #[test]
    fn an_outlier_does_not_change_a_robust_scale() {
        let x = array![[1.0], [2.0], [3.0], [4.0], [1000.0]];
        let Points::Dense(z) = Points::from(&x).standardized(Standardize::Robust) else { panic!("dense") };
        assert_eq!(z[[2, 0]], 0.0);
        assert!((f64::from(z[[0, 0]]) + 2.0 / 1.4826).abs() < 1e-6, "{z}");
    }

    #[test]
    fn counts_are_scaled_to_the_median_total_and_logarithms_taken() {
        let counts =
            CsrMatrix::from_triplets((3, 3), &[(0, 0, 2.0), (1, 0, 1.0), (1, 1, 3.0), (2, 1, 8.0), (2, 2, 0.0)]);
        let prepared = prepare_counts(&counts.unwrap()).unwrap();
        assert_eq!((prepared.total, prepared.kept), (4.0, vec![0, 1]));
        let Points::Sparse(x) = prepared.points else { panic!("sparse") };
        assert_eq!(
            (x.get(0, 0), x.get(1, 1), x.get(2, 1)),
            (Some(4_f64.ln_1p()), Some(3_f64.ln_1p()), Some(4_f64.ln_1p()))
        );
    }

    #[test]
    fn values_that_are_no_counts_are_refused() {
        let x = CsrMatrix::from_triplets((2, 2), &[(0, 0, 1.0), (1, 1, 0.5)]).unwrap();
        assert!(matches!(prepare_counts(&x), Err(CountsError::NotACount { row: 1, column: 1, .. })));
        let x = CsrMatrix::from_triplets((2, 2), &[(0, 0, 1.0)]).unwrap();
        assert!(matches!(prepare_counts(&x), Err(CountsError::EmptyCell(1))));
    }

    #[test]
    fn the_most_variable_columns_are_kept() {
        // 2,100 columns of ones and twos; column 7 varies most.
        let mut triplets = Vec::new();
        for i in 0..40_u32 {
            for j in 0..2100_u32 {
                let value =
                    if j == 7 { if i < 4 { 15.0 } else { 0.0 } } else { 1.0 + f64::from((i * 31 + j * 17) % 2) };
                triplets.push((i, j, value));
            }
        }
        let prepared = prepare_counts(&CsrMatrix::from_triplets((40, 2100), &triplets).unwrap()).unwrap();
        assert_eq!(prepared.kept.len(), 2000);
        assert!(prepared.kept.contains(&7));
    }
}
