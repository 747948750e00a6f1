//! Missing values of a matrix: an error, left out, or replaced by means.

use dosnes::Kind;
use dosnes::input::Items;
use dosnes::ndarray::{Array2, Axis};

use crate::error::Error;
use crate::loaded::Note;
use crate::options::MissingValues;
use crate::raw::{Matrix, RawMatrix};

/// A number that may be missing.
trait Number: Copy {
    fn is_missing(self) -> bool;
    fn of(value: f64) -> Self;
    fn value(self) -> f64;
}

impl Number for f64 {
    fn is_missing(self) -> bool {
        self.is_nan()
    }

    fn of(value: f64) -> Self {
        value
    }

    fn value(self) -> f64 {
        self
    }
}

impl Number for f32 {
    fn is_missing(self) -> bool {
        self.is_nan()
    }

    fn of(value: f64) -> Self {
        value as f32
    }

    fn value(self) -> f64 {
        f64::from(self)
    }
}

/// Treats the missing values of a dense matrix of this kind. A sparse matrix has none: its reader refuses them.
pub(super) fn treat(file: &str, raw: &mut RawMatrix, kind: Kind, how: MissingValues) -> Result<Option<Note>, Error> {
    if how == MissingValues::Error {
        return Ok(None);
    }
    let pairwise = matches!(kind, Kind::Distance | Kind::Similarity | Kind::Graph);
    let mut matrix = std::mem::replace(&mut raw.matrix, Matrix::Single(Array2::zeros((0, 0))));
    let result = match &mut matrix {
        Matrix::Double(x) => of_matrix(file, raw, x, pairwise, how),
        Matrix::Single(x) => of_matrix(file, raw, x, pairwise, how),
        Matrix::Sparse(_) => Ok(None),
    };
    raw.matrix = matrix;
    result
}

fn of_matrix<T: Number>(
    file: &str,
    raw: &mut RawMatrix,
    x: &mut Array2<T>,
    pairwise: bool,
    how: MissingValues,
) -> Result<Option<Note>, Error> {
    let Some((i, j)) = x.indexed_iter().find(|(_, v)| v.is_missing()).map(|(place, _)| place) else { return Ok(None) };
    let place = raw.place(i, j);
    if how == MissingValues::Mean {
        let first = place.plain();
        let count = fill(x, pairwise).ok_or_else(|| {
            let problem = "a row or column has only missing values, so it has no mean; use --missing drop, or --ignore the column";
            Error::missing(file, place.clone(), problem)
        })?;
        return Ok(Some(Note::MissingFilled { count, first }));
    }
    let kept = if pairwise { complete_items(x) } else { complete_rows(x) };
    let first = (0..x.nrows()).find(|row| !kept.contains(row)).unwrap_or(i);
    let mut place = raw.place(first, 0);
    place.column = None;
    let first = place.plain();
    let count = x.nrows() - kept.len();
    if kept.len() < 2 {
        let problem = "so many values are missing that fewer than 2 complete items are left; use --missing mean, or --ignore \
                       the columns with most of them";
        return Err(Error::missing(file, raw.place(i, j), problem));
    }
    *x = x.select(Axis(0), &kept);
    if pairwise {
        *x = x.select(Axis(1), &kept);
    }
    // Rows without names keep their numbers.
    let items = raw.items.take().unwrap_or_else(|| Items::numbered(kept.len() + count));
    raw.items = Some(items.select(&kept));
    if pairwise {
        raw.partners = raw.partners.take().map(|partners| partners.select(&kept));
    }
    raw.lines = raw.lines.take().map(|lines| kept.iter().filter_map(|&k| lines.get(k).copied()).collect());
    Ok(Some(Note::RowsDropped { count, first }))
}

fn complete_rows<T: Number>(x: &Array2<T>) -> Vec<usize> {
    (0..x.nrows()).filter(|&i| x.row(i).iter().all(|v| !v.is_missing())).collect()
}

/// The items of a square matrix that are left when the one with most missing entries is left out, again and again.
fn complete_items<T: Number>(x: &Array2<T>) -> Vec<usize> {
    let n = x.nrows();
    let gaps = |i: usize, j: usize| usize::from(x[[i, j]].is_missing()) + usize::from(x[[j, i]].is_missing());
    let mut missing: Vec<usize> = (0..n).map(|i| (0..n).map(|j| gaps(i, j)).sum()).collect();
    let mut kept = vec![true; n];
    // Of equally incomplete items the last one goes.
    while let Some((worst, &count)) = missing.iter().enumerate().max_by_key(|&(_, &count)| count)
        && count > 0
    {
        kept[worst] = false;
        missing[worst] = 0;
        for i in (0..n).filter(|&i| kept[i]) {
            missing[i] -= gaps(i, worst);
        }
    }
    (0..n).filter(|&i| kept[i]).collect()
}

/// Replaces missing values by means, and returns their number; `None` if there is nothing to take a mean of.
fn fill<T: Number>(x: &mut Array2<T>, pairwise: bool) -> Option<usize> {
    let mut count = 0;
    let mut lane = |values: &mut dyn Iterator<Item = &mut T>| {
        let all: Vec<&mut T> = values.collect();
        let known: Vec<f64> = all.iter().filter(|v| !v.is_missing()).map(|v| v.value()).collect();
        let missing = all.len() - known.len();
        if missing == 0 {
            return Some(());
        }
        if known.is_empty() {
            return None;
        }
        let mean = known.iter().map(|v| v / known.len() as f64).sum::<f64>();
        for value in all.into_iter().filter(|v| v.is_missing()) {
            *value = T::of(mean);
        }
        count += missing;
        Some(())
    };
    if pairwise {
        for (i, mut row) in x.rows_mut().into_iter().enumerate() {
            // Its own entry is not an example of the others.
            lane(&mut row.iter_mut().enumerate().filter(|(j, _)| *j != i).map(|(_, v)| v))?;
        }
        for v in x.diag_mut().iter_mut().filter(|v| v.is_missing()) {
            *v = T::of(0.0);
            count += 1;
        }
    } else {
        for mut column in x.columns_mut() {
            lane(&mut column.iter_mut())?;
        }
    }
    Some(count)
}
