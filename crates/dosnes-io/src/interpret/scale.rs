//! The scale of points: columns that decide everything are noticed, and what was asked for is done about it.

use dosnes::CsrMatrix;
use dosnes::input::{CountsError, Points, Standardize, prepare_counts};
use dosnes::ndarray::{Array2, ArrayView1};

use super::matrix::{TINY, into_sparse, needs_double};
use crate::error::{Error, Place};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::raw::Matrix;

/// The share of the variance with which a column decides everything.
const DOMINANT: f64 = 0.9;
/// Columns that programs name like this have their scales on purpose.
const COMPONENTS: [&str; 9] = ["pc", "pca", "umap", "tsne", "dim", "mds", "component", "lsi", "factor"];

/// Whether the columns are to be brought to the same scale.
pub(super) fn is_asked(options: &ReadOptions) -> bool {
    matches!(options.standardize, Some(Standardize::Z | Standardize::Robust))
}

/// Points, which columns were kept if not all, and what there is to say about their scale.
type Prepared = (Points<'static>, Option<Vec<usize>>, Vec<Note>);

/// The points as they are used. `names` are those of the columns of a table.
pub(super) fn prepared(
    file: &str,
    matrix: Matrix,
    names: Option<&[String]>,
    options: &ReadOptions,
) -> Result<Prepared, Error> {
    let mut notes = Vec::new();
    if options.cell_counts {
        return counts(file, &into_sparse(file, matrix)?, options);
    }
    let how = options.standardize.unwrap_or_default();
    let points = match matrix {
        Matrix::Double(mut x) => {
            notes.extend(enlarge(&mut x));
            if options.standardize.is_none() {
                notes.extend(names.and_then(|names| dominant(&x, names)));
            }
            if is_asked(options) || needs_double(&x) {
                Points::Dense64(x.into())
            } else {
                Points::Dense(x.mapv(|v| v as f32).into())
            }
        }
        Matrix::Single(x) => {
            if options.standardize.is_none() {
                notes.extend(names.and_then(|names| dominant(&x, names)));
            }
            Points::Dense(x.into())
        }
        Matrix::Sparse(x) => {
            if how == Standardize::Robust {
                let problem = "--standardize robust needs dense data, and these are sparse; use --standardize z";
                return Err(Error::option(file, problem));
            }
            Points::Sparse(x.known)
        }
    };
    if !is_asked(options) {
        return Ok((points, None, notes));
    }
    notes.push(Note::Prepared(match (how, &points) {
        (Standardize::Robust, _) => {
            "the columns were standardised: median 0, the same median absolute deviation".into()
        }
        (_, Points::Sparse(_)) => "the columns were divided by their standard deviations".into(),
        _ => "the columns were standardised: mean 0, standard deviation 1".into(),
    }));
    Ok((points.standardized(how), None, notes))
}

/// Divides coordinates that are all so small that single precision would lose them by the largest of them. Who is near whom
/// stays the same.
fn enlarge(x: &mut Array2<f64>) -> Option<Note> {
    let largest = x.iter().fold(0.0_f64, |largest, v| largest.max(v.abs()));
    if !(largest > 0.0 && largest < TINY) {
        return None;
    }
    x.mapv_inplace(|v| v / largest);
    Some(Note::Prepared(format!(
        "all coordinates are below {TINY:e}, so they were divided by the largest, {largest:e}"
    )))
}

/// The column that has nearly all of the variance.
fn dominant<T: Copy>(x: &Array2<T>, names: &[String]) -> Option<Note>
where
    f64: From<T>,
{
    let is_component = |name: &String| {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '_' | '-' | '.' | ' '));
        COMPONENTS.contains(&stem.rsplit(['_', '-', '.']).next().unwrap_or(stem).to_lowercase().as_str())
    };
    if x.ncols() < 2 || names.len() != x.ncols() || names.iter().all(is_component) {
        return None;
    }
    let variances: Vec<f64> = x.columns().into_iter().map(|column| variance(&column)).collect();
    let total: f64 = variances.iter().sum();
    let (column, &largest) = variances.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    if !total.is_finite() || largest < DOMINANT * total || largest == total {
        return None;
    }
    let percent = format!("{:.1}", 100.0 * largest / total);
    Some(Note::OneColumnDominates { column: names[column].clone(), percent })
}

fn variance<T: Copy>(column: &ArrayView1<'_, T>) -> f64
where
    f64: From<T>,
{
    let n = column.len() as f64;
    let mean: f64 = column.iter().map(|&v| f64::from(v) / n).sum();
    column.iter().map(|&v| (f64::from(v) - mean).powi(2) / n).sum()
}

/// Counts of single cells.
fn counts(file: &str, matrix: &CsrMatrix<'_>, options: &ReadOptions) -> Result<Prepared, Error> {
    if is_asked(options) {
        return Err(Error::option(file, "--counts and --standardize exclude each other; leave one of them out"));
    }
    let prepared = prepare_counts(matrix).map_err(|error| match error {
        CountsError::NotACount { row, column, value } => {
            let problem = format!("--counts needs counts (integers ≥ 0), but this is {value}; leave --counts out");
            Error::value(file, Place::default().row(row).column(column.to_string()), problem)
        }
        other => Error::option(file, other.to_string()),
    })?;
    let what = format!(
        "counts were scaled to a total of {:.0} in each row, log(1 + x) was taken, and the {} most variable of {} columns were \
         kept",
        prepared.total,
        prepared.kept.len(),
        matrix.columns()
    );
    Ok((prepared.points, Some(prepared.kept), vec![Note::Prepared(what)]))
}
