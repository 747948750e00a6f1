//! The kind of a matrix, by its shape and values.

use dosnes::input::{Data, Dataset, Distances, Items, Points};
use dosnes::ndarray::Array2;
use dosnes::{CsrMatrix, Kind};

use super::Interpretation;
use crate::error::{Error, Place, Quantity};
use crate::loaded::Note;
use crate::options::ReadOptions;
use crate::raw::{Matrix, RawMatrix};
use crate::sparse::self_loops;

/// Decides the kind of a matrix, or checks that it can be of the requested kind.
pub(super) fn interpret(file: &str, mut raw: RawMatrix, options: &ReadOptions) -> Result<Interpretation, Error> {
    let (kind, why) = match (options.kind, raw.kind) {
        (Some(kind), _) => (kind, "as requested"),
        (None, Some(kind)) => (kind, ""),
        (None, None) => suggest(&raw),
    };
    if options.transpose {
        if !matches!(kind, Kind::Points | Kind::Dyadic) {
            let problem = format!("only points and dyadic data can be transposed, but this is read as {kind}");
            return Err(Error::option(file, problem));
        }
        raw.matrix = raw.matrix.transposed();
        std::mem::swap(&mut raw.items, &mut raw.partners);
        raw.lines = None;
    }
    let (rows, columns) = raw.matrix.shape();
    if matches!(kind, Kind::Similarity | Kind::Distance | Kind::Graph) && rows != columns {
        return Err(Error::NotSquare { file: file.to_owned(), kind, rows, columns });
    }
    check_values(file, &raw, kind)?;

    let mut notes = Vec::new();
    let items = raw.items.take().unwrap_or_else(|| Items::numbered(rows));
    let partners = raw.partners.take();
    let (data, what) = match kind {
        Kind::Points => (
            Data::Points(match raw.matrix {
                Matrix::Double(x) => Points::Dense(x.mapv(|v| v as f32).into()),
                Matrix::Single(x) => Points::Dense(x.into()),
                Matrix::Sparse(x) => Points::Sparse(x),
            }),
            format!("{rows} points of {columns} dimension{}", if columns == 1 { "" } else { "s" }),
        ),
        Kind::Similarity => {
            let similarity = into_sparse(file, raw.matrix)?;
            if !is_symmetric(&similarity) {
                notes.push(Note::Asymmetric);
            }
            let what = format!("similarities of {rows} items, {} entries", similarity.nnz());
            (Data::Similarity(similarity), what)
        }
        Kind::Distance => {
            let distances = match raw.matrix {
                Matrix::Double(x) => {
                    if !dense_is_symmetric(&x) {
                        notes.push(Note::AsymmetricDistances);
                    }
                    Distances::Dense(x.mapv(|v| v as f32).into())
                }
                Matrix::Single(x) => Distances::Dense(x.into()),
                Matrix::Sparse(x) => Distances::Sparse(x),
            };
            (Data::Distance(distances), format!("distances between {rows} items"))
        }
        Kind::Graph => {
            let graph = into_sparse(file, raw.matrix)?;
            let loops = self_loops(&graph);
            if loops > 0 {
                notes.push(Note::SelfLoops(loops));
            }
            let edges = if is_symmetric(&graph) {
                format!("{} undirected edges", (graph.nnz() - loops) / 2 + loops)
            } else {
                format!("{} arcs", graph.nnz())
            };
            (Data::Graph(graph), format!("graph of {rows} nodes and {edges}"))
        }
        Kind::Dyadic => {
            let incidence = into_sparse(file, raw.matrix)?;
            let what = format!("dyadic data, {rows} items × {columns} partners, {} entries", incidence.nnz());
            (Data::Dyadic(incidence), what)
        }
    };
    let what = if why.is_empty() { what } else { format!("{what} ({why})") };
    let what = if options.transpose { format!("{what}, transposed: the columns are the items") } else { what };
    let what = match raw.id_column {
        None => what,
        Some(name) if name.is_empty() => format!("{what}; the first column is the id"),
        Some(name) => format!("{what}; column \"{name}\" is the id"),
    };
    let partners = partners.filter(|_| kind == Kind::Dyadic);
    Ok(Interpretation { dataset: Dataset { items, data, partners }, what, notes })
}

/// The kind that shape and values suggest, and why.
fn suggest(raw: &RawMatrix) -> (Kind, &'static str) {
    match &raw.matrix {
        Matrix::Single(_) => (Kind::Points, ""),
        Matrix::Double(x) => suggest_dense(x, raw),
        Matrix::Sparse(x) => suggest_sparse(x),
    }
}

fn suggest_dense(x: &Array2<f64>, raw: &RawMatrix) -> (Kind, &'static str) {
    let (n, columns) = x.dim();
    if n != columns || n < 3 {
        return (Kind::Points, "");
    }
    if x.iter().any(|&v| v < 0.0) {
        return (Kind::Points, "square, but with negative entries, so each row is a vector");
    }
    let diagonal = x.diag();
    let zero_diagonal = diagonal.iter().all(|&v| v == 0.0);
    let same_names = match (&raw.items, &raw.partners) {
        (Some(items), Some(partners)) => items.ids == partners.ids,
        _ => false,
    };
    if dense_is_symmetric(x) {
        if zero_diagonal {
            let zeros = x.iter().filter(|&&v| v == 0.0).count() - n;
            return if 10 * zeros <= n * (n - 1) {
                (Kind::Distance, "square, symmetric, zero diagonal")
            } else {
                (Kind::Graph, "square, symmetric, zero diagonal, many zeros: an adjacency matrix")
            };
        }
        return (Kind::Similarity, "square, symmetric, diagonal not zero");
    }
    if same_names {
        return if zero_diagonal {
            (Kind::Graph, "square, rows and columns have the same names, zero diagonal")
        } else {
            (Kind::Similarity, "square, rows and columns have the same names")
        };
    }
    (Kind::Points, "square, but not symmetric, so each row is a vector")
}

fn suggest_sparse(x: &CsrMatrix<'_>) -> (Kind, &'static str) {
    let (rows, columns) = x.shape();
    let negative = x.values().iter().any(|&v| v < 0.0);
    if negative {
        return (Kind::Points, "sparse, with negative entries, so each row is a vector");
    }
    if rows == columns {
        let full_diagonal = self_loops(x) == rows;
        return if full_diagonal { (Kind::Similarity, "square, diagonal not zero") } else { (Kind::Graph, "square") };
    }
    if x.values().iter().all(|v| v.fract() == 0.0) {
        (Kind::Dyadic, "sparse, not square, integers")
    } else {
        (Kind::Points, "sparse, not square, not integers")
    }
}

/// Every value must be finite, and ≥ 0 unless it is a coordinate.
fn check_values(file: &str, raw: &RawMatrix, kind: Kind) -> Result<(), Error> {
    let quantity = match kind {
        Kind::Points => None,
        Kind::Distance => Some(Quantity::Distance),
        Kind::Graph | Kind::Dyadic => Some(Quantity::Weight),
        Kind::Similarity => Some(Quantity::Similarity),
    };
    let problem = |value: f64| match quantity {
        Some(quantity) => quantity.problem(value),
        None if value.is_nan() => {
            Some("the coordinate is missing (NaN); fill it in, or leave out rows with missing values".into())
        }
        None if !(value as f32).is_finite() => {
            Some(format!("the coordinate \"{value}\" is infinite, or too large for single precision"))
        }
        None => None,
    };
    let bad = match &raw.matrix {
        Matrix::Double(x) => x.indexed_iter().find_map(|((i, j), &v)| problem(v).map(|p| (i, j, p))),
        Matrix::Single(x) => x.indexed_iter().find_map(|((i, j), &v)| problem(f64::from(v)).map(|p| (i, j, p))),
        Matrix::Sparse(x) => x.iter().find_map(|(i, j, v)| problem(v).map(|p| (i, j, p))),
    };
    match bad {
        Some((i, j, problem)) => Err(Error::value(file, raw.place(i, j), problem)),
        None => Ok(()),
    }
}

fn into_sparse(file: &str, matrix: Matrix) -> Result<CsrMatrix<'static>, Error> {
    match matrix {
        Matrix::Double(x) => sparse_from_dense(file, &x, |v| v),
        Matrix::Single(x) => sparse_from_dense(file, &x, f64::from),
        Matrix::Sparse(x) => Ok(x),
    }
}

fn sparse_from_dense<T: Copy>(
    file: &str,
    x: &Array2<T>,
    number: impl Fn(T) -> f64,
) -> Result<CsrMatrix<'static>, Error> {
    let mut row_starts = Vec::with_capacity(x.nrows() + 1);
    row_starts.push(0);
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    for row in x.rows() {
        for (j, &cell) in row.iter().enumerate() {
            let value = number(cell);
            if value != 0.0 {
                columns.push(j as u32);
                values.push(value);
            }
        }
        row_starts.push(columns.len());
    }
    CsrMatrix::new(x.dim(), row_starts, columns, values).map_err(|error| Error::matrix(file, Place::default(), error))
}

/// Equal up to the rounding of a value that was printed with seven digits.
fn nearly_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * a.abs().max(b.abs())
}

fn dense_is_symmetric(x: &Array2<f64>) -> bool {
    let n = x.nrows();
    (0..n).all(|i| (0..i).all(|j| nearly_equal(x[[i, j]], x[[j, i]])))
}

/// Whether a sparse matrix is symmetric.
fn is_symmetric(x: &CsrMatrix<'_>) -> bool {
    x.is_square() && x.iter().all(|(i, j, value)| nearly_equal(x.get(j, i).unwrap_or(0.0), value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::ndarray::array;

    fn kind(x: Array2<f64>) -> Kind {
        suggest(&RawMatrix::new(Matrix::Double(x))).0
    }

    #[test]
    fn a_symmetric_matrix_with_a_zero_diagonal_holds_distances() {
        assert_eq!(kind(array![[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]]), Kind::Distance);
    }

    #[test]
    fn a_symmetric_matrix_with_a_full_diagonal_holds_similarities() {
        assert_eq!(kind(array![[1.0, 0.1, 0.2], [0.1, 1.0, 0.3], [0.2, 0.3, 1.0]]), Kind::Similarity);
    }

    #[test]
    fn a_symmetric_matrix_with_many_zeros_is_an_adjacency_matrix() {
        assert_eq!(kind(array![[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]), Kind::Graph);
    }

    #[test]
    fn a_square_matrix_that_is_not_symmetric_or_has_negative_entries_holds_points() {
        assert_eq!(kind(array![[0.0, 1.0, 2.0], [2.0, 0.0, 3.0], [2.0, 4.0, 0.0]]), Kind::Points);
        assert_eq!(kind(array![[1.0, -0.5, 0.2], [-0.5, 1.0, 0.3], [0.2, 0.3, 1.0]]), Kind::Points);
    }

    #[test]
    fn a_non_square_similarity_is_refused_with_its_shape() {
        let raw = RawMatrix::new(Matrix::Double(array![[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]));
        let options = ReadOptions { kind: Some(Kind::Similarity), ..ReadOptions::default() };
        let error = interpret("s.npy", raw, &options).err().unwrap();
        assert!(matches!(error, Error::NotSquare { kind: Kind::Similarity, rows: 2, columns: 3, .. }), "{error}");
    }

    #[test]
    fn a_negative_similarity_is_named_with_its_cell() {
        let matrix = Matrix::Double(array![[1.0, -2.0], [1.0, 2.0]]);
        let raw = RawMatrix { part: Some("S".into()), ..RawMatrix::new(matrix) };
        let options = ReadOptions { kind: Some(Kind::Similarity), ..ReadOptions::default() };
        let message = interpret("s.mat", raw, &options).err().unwrap().to_string();
        assert_eq!(
            message,
            "s.mat, S, row 0 (from 0), column \"1\": similarity \"-2\" is negative; similarities must be ≥ 0"
        );
    }
}
