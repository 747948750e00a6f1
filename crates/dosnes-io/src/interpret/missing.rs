//! Missing values of a matrix: an error, left out, or replaced by means.

use dosnes::Kind;
use dosnes::input::Items;
use dosnes::ndarray::{Array2, Axis};
use std::collections::HashSet;

use crate::error::{Error, Place};
use crate::note::Note;
use crate::options::MissingValues;
use crate::raw::{Edge, Matrix, Network, RawMatrix, mean_weight};
use crate::sparse::SparseCells;

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

/// Treats the missing values of a matrix of this kind. Those of a dense matrix that are to be an error are found later, with
/// all other values that cannot be used.
pub(super) fn treat(file: &str, raw: &mut RawMatrix, kind: Kind, how: MissingValues) -> Result<Option<Note>, Error> {
    let pairwise = matches!(kind, Kind::Distance | Kind::Similarity | Kind::Graph);
    let mut matrix = std::mem::replace(&mut raw.matrix, Matrix::Single(Array2::zeros((0, 0))));
    let result = match &mut matrix {
        Matrix::Sparse(x) => of_sparse(file, raw, x, kind, how),
        _ if how == MissingValues::Error => Ok(None),
        Matrix::Double(x) => of_matrix(file, raw, x, pairwise, how),
        Matrix::Single(x) => of_matrix(file, raw, x, pairwise, how),
    };
    raw.matrix = matrix;
    result
}

/// The same for a sparse matrix. Points are treated as in a dense one. In all other kinds an entry is a pair, and as in a list
/// of edges the pair is left out, or gets the mean of all others.
fn of_sparse(
    file: &str,
    raw: &mut RawMatrix,
    x: &mut SparseCells,
    kind: Kind,
    how: MissingValues,
) -> Result<Option<Note>, Error> {
    let missing = std::mem::take(&mut x.missing);
    let Some(&(i, j)) = missing.first() else { return Ok(None) };
    let mut place = raw.place(i as usize, j as usize);
    let mut count = missing.len();
    match how {
        MissingValues::Error => {
            let problem = "the value is missing (NaN); fill it in, or use --missing drop or --missing mean";
            return Err(Error::missing(file, place, problem));
        }
        MissingValues::Drop if kind == Kind::Points => {
            let incomplete: HashSet<u32> = missing.iter().map(|&(row, _)| row).collect();
            let rows = x.known.rows();
            let kept: Vec<usize> = (0..rows).filter(|&row| !incomplete.contains(&(row as u32))).collect();
            if kept.len() < 2 {
                let problem =
                    "so many values are missing that fewer than 2 complete items are left; use --missing mean";
                return Err(Error::missing(file, place, problem));
            }
            x.known = x.known.select_rows(&kept);
            raw.items = Some(raw.items.take().unwrap_or_else(|| Items::numbered(rows)).select(&kept));
            place.column = None;
            count = rows - kept.len();
        }
        MissingValues::Drop => {}
        MissingValues::Mean => {
            let mean = |sum: f64, count: usize| if count == 0 { 0.0 } else { sum / count as f64 };
            let mut filled: Vec<(u32, u32, f64)> = x.known.iter().map(|(i, j, v)| (i as u32, j as u32, v)).collect();
            if kind == Kind::Points {
                // Cells that are not in the file are zero, and known.
                let (rows, columns) = x.known.shape();
                let (mut sums, mut known) = (vec![0.0; columns], vec![rows; columns]);
                for &(_, column, value) in &filled {
                    sums[column as usize] += value;
                }
                for &(_, column) in &missing {
                    known[column as usize] -= 1;
                }
                filled.extend(
                    missing
                        .iter()
                        .map(|&(row, column)| (row, column, mean(sums[column as usize], known[column as usize]))),
                );
            } else {
                let of_all = mean(x.known.values().iter().sum(), x.known.nnz());
                filled.extend(missing.iter().map(|&(row, column)| (row, column, of_all)));
            }
            *x = SparseCells::from_triplets(file, &Place::default(), x.known.shape(), filled)?;
        }
    }
    let first = place.plain();
    Ok(Some(match how {
        MissingValues::Mean => Note::MissingFilled { count, first },
        _ => Note::RowsDropped { count, first },
    }))
}

/// Treats the missing weights of a network: the edge is left out, or gets the mean weight of all others.
pub(super) fn treat_network(file: &str, network: &mut Network, how: MissingValues) -> Result<Option<Note>, Error> {
    let Network { nodes, arcs, edges, .. } = network;
    let is_missing = |edge: &&Edge| edge.2.is_nan();
    let Some(&(from, to, _)) = arcs.iter().chain(&*edges).find(is_missing) else { return Ok(None) };
    let name = |node: u32| nodes.ids.get(node as usize).map_or("", String::as_str);
    let place = Place::part(format!("edge from \"{}\" to \"{}\"", name(from), name(to)));
    if how == MissingValues::Error {
        let problem = "the weight is missing; fill it in, or use --missing drop or --missing mean";
        return Err(Error::missing(file, place, problem));
    }
    let count = arcs.iter().chain(&*edges).filter(is_missing).count();
    let first = place.plain();
    if how == MissingValues::Drop {
        arcs.retain(|edge| !edge.2.is_nan());
        edges.retain(|edge| !edge.2.is_nan());
        return Ok(Some(Note::RowsDropped { count, first }));
    }
    let mean = mean_weight(arcs.iter().chain(&*edges));
    for edge in arcs.iter_mut().chain(edges).filter(|edge| edge.2.is_nan()) {
        edge.2 = mean;
    }
    Ok(Some(Note::MissingFilled { count, first }))
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
