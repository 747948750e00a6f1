//! From a matrix to a kind of data: the rules of the crate's documentation.

use dosnes::input::{Data, Dataset, Distances, Items, Points};
use dosnes::{CsrMatrix, MatrixError};
use ndarray::Array2;

use crate::edges::self_loops;
use crate::error::{Error, Place, forbidden_weight};
use crate::loaded::Note;
use crate::options::ReadOptions;
use dosnes::Kind;

/// A matrix as it stood in the file.
#[derive(Debug)]
pub(crate) enum Matrix {
    /// Every cell. Double precision, since it may turn out to be similarities.
    Double(Array2<f64>),
    /// Every cell of what can only be points.
    Single(Array2<f32>),
    /// The cells that are not zero.
    Sparse(CsrMatrix<'static>),
}

impl Matrix {
    pub(crate) fn shape(&self) -> (usize, usize) {
        match self {
            Self::Double(x) => x.dim(),
            Self::Single(x) => x.dim(),
            Self::Sparse(x) => x.shape(),
        }
    }

    fn transposed(self) -> Self {
        match self {
            Self::Double(x) => Self::Double(x.reversed_axes().as_standard_layout().into_owned()),
            Self::Single(x) => Self::Single(x.reversed_axes().as_standard_layout().into_owned()),
            Self::Sparse(x) => Self::Sparse(x.transposed()),
        }
    }
}

/// A matrix with all that the file says about it.
pub(crate) struct Raw {
    pub(crate) matrix: Matrix,
    /// The rows' names and columns; `None` if the file says nothing.
    pub(crate) items: Option<Items>,
    /// The columns' names.
    pub(crate) partners: Option<Items>,
    /// The line on which each row stands, where that is known.
    pub(crate) lines: Option<Vec<u64>>,
    /// The array's name in the file, for errors.
    pub(crate) part: Option<String>,
}

impl Raw {
    pub(crate) fn unnamed(matrix: Matrix, part: Option<String>) -> Self {
        Self { matrix, items: None, partners: None, lines: None, part }
    }

    fn place(&self, row: usize, column: usize) -> Place {
        let mut place = Place { part: self.part.as_deref().map(Into::into), ..Place::default() };
        match &self.lines {
            Some(lines) => place.line = lines.get(row).copied(),
            None => place.row = Some(row),
        }
        let name = self.partners.as_ref().and_then(|p| p.ids.get(column).cloned());
        place.column(name.unwrap_or_else(|| if self.lines.is_some() { column + 1 } else { column }.to_string()))
    }
}

/// The dataset, the clause that says what it was taken for, and what should be known besides.
pub(crate) struct Understood {
    pub(crate) dataset: Dataset,
    pub(crate) what: String,
    pub(crate) notes: Vec<Note>,
}

impl Understood {
    /// Says which columns travel along; names beyond the first few are counted.
    pub(crate) fn add_columns(&mut self, names: &[String]) {
        const SHOWN: usize = 6;
        let shown = names.iter().take(SHOWN).map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", ");
        let clause = match names.len() {
            0 => return,
            1 => format!("; {shown} travels along"),
            n if n <= SHOWN => format!("; {shown} travel along"),
            n => format!("; {shown} and {} more travel along", n - SHOWN),
        };
        self.what.push_str(&clause);
    }
}

/// Decides the kind of a matrix, or checks that it can be of the kind that was asked for.
pub(crate) fn understand(file: &str, mut raw: Raw, options: &ReadOptions) -> Result<Understood, Error> {
    let (kind, why) = match options.kind {
        Some(kind) => (kind, String::from("as asked")),
        None => suggest(&raw),
    };
    if options.transpose {
        if !matches!(kind, Kind::Points | Kind::Dyadic) {
            let problem = format!("only points and dyadic data can be transposed, and this is read as {kind}");
            return Err(Error::option(file, problem));
        }
        raw.matrix = raw.matrix.transposed();
        std::mem::swap(&mut raw.items, &mut raw.partners);
        raw.lines = None;
    }
    let (rows, columns) = raw.matrix.shape();
    if matches!(kind, Kind::Similarity | Kind::Distance | Kind::Graph) && rows != columns {
        let problem = format!(
            "a {kind} matrix must be square, but this one is {rows} × {columns}; if its rows are vectors, read it as \
             points, if it says who takes part in what, as dyadic"
        );
        return Err(Error::shape(file, problem));
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
    let partners = partners.filter(|_| kind == Kind::Dyadic);
    Ok(Understood { dataset: Dataset { items, data, partners }, what, notes })
}

/// The kind that shape and values suggest, and why.
fn suggest(raw: &Raw) -> (Kind, String) {
    match &raw.matrix {
        Matrix::Single(_) => (Kind::Points, String::new()),
        Matrix::Double(x) => suggest_dense(x, raw),
        Matrix::Sparse(x) => suggest_sparse(x),
    }
}

fn suggest_dense(x: &Array2<f64>, raw: &Raw) -> (Kind, String) {
    let (n, columns) = x.dim();
    if n != columns || n < 3 {
        return (Kind::Points, String::new());
    }
    if x.iter().any(|&v| v < 0.0) {
        return (Kind::Points, "square, but with negative entries, so each row is a vector".into());
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
                (Kind::Distance, "square, symmetric, zero diagonal".into())
            } else {
                (Kind::Graph, "square, symmetric, zero diagonal, many zeros: an adjacency matrix".into())
            };
        }
        return (Kind::Similarity, "square, symmetric, diagonal not zero".into());
    }
    if same_names {
        return if zero_diagonal {
            (Kind::Graph, "square, rows and columns have the same names, zero diagonal".into())
        } else {
            (Kind::Similarity, "square, rows and columns have the same names".into())
        };
    }
    (Kind::Points, "square, but not symmetric, so each row is a vector".into())
}

fn suggest_sparse(x: &CsrMatrix<'_>) -> (Kind, String) {
    let (rows, columns) = x.shape();
    let negative = x.values().iter().any(|&v| v < 0.0);
    if negative {
        return (Kind::Points, "sparse, with negative entries, so each row is a vector".into());
    }
    if rows == columns {
        let full_diagonal = self_loops(x) == rows;
        return if full_diagonal {
            (Kind::Similarity, "square, diagonal not zero".into())
        } else {
            (Kind::Graph, "square".into())
        };
    }
    if x.values().iter().all(|v| v.fract() == 0.0) {
        (Kind::Dyadic, "sparse, not square, whole numbers".into())
    } else {
        (Kind::Points, "sparse, not square, not whole numbers".into())
    }
}

/// Every value must be finite, and ≥ 0 unless it is a coordinate.
fn check_values(file: &str, raw: &Raw, kind: Kind) -> Result<(), Error> {
    let what = match kind {
        Kind::Points => None,
        Kind::Distance => Some("distance"),
        Kind::Graph | Kind::Dyadic => Some("weight"),
        Kind::Similarity => Some("similarity"),
    };
    let problem = |value: f64| match what {
        Some(what) => forbidden_weight(value, what).map(|p| p.replace("similaritys", "similarities")),
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
        Some((i, j, problem)) => Err(Error::Value { file: file.to_owned(), place: raw.place(i, j), problem }),
        None => Ok(()),
    }
}

fn into_sparse(file: &str, matrix: Matrix) -> Result<CsrMatrix<'static>, Error> {
    let sparse = match matrix {
        Matrix::Double(x) => sparse_from_dense(&x, |v| v),
        Matrix::Single(x) => sparse_from_dense(&x, f64::from),
        Matrix::Sparse(x) => Ok(x),
    };
    sparse.map_err(|error| Error::matrix(file, Place::default(), error))
}

fn sparse_from_dense<T: Copy>(x: &Array2<T>, number: impl Fn(T) -> f64) -> Result<CsrMatrix<'static>, MatrixError> {
    let mut indptr = Vec::with_capacity(x.nrows() + 1);
    indptr.push(0);
    let (mut indices, mut values) = (Vec::new(), Vec::new());
    for row in x.rows() {
        for (j, &cell) in row.iter().enumerate() {
            let value = number(cell);
            if value != 0.0 {
                indices.push(j as u32);
                values.push(value);
            }
        }
        indptr.push(indices.len());
    }
    CsrMatrix::new(x.dim(), indptr, indices, values)
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
pub(crate) fn is_symmetric(x: &CsrMatrix<'_>) -> bool {
    x.is_square() && x.iter().all(|(i, j, value)| nearly_equal(x.get(j, i).unwrap_or(0.0), value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    fn kind(x: Array2<f64>) -> Kind {
        suggest(&Raw::unnamed(Matrix::Double(x), None)).0
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
        let raw = Raw::unnamed(Matrix::Double(array![[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]), None);
        let options = ReadOptions { kind: Some(Kind::Similarity), ..ReadOptions::default() };
        let message = understand("s.npy", raw, &options).err().unwrap().to_string();
        assert!(message.contains("must be square, but this one is 2 × 3"), "{message}");
    }

    #[test]
    fn a_negative_similarity_is_named_with_its_cell() {
        let raw = Raw::unnamed(Matrix::Double(array![[1.0, -2.0], [1.0, 2.0]]), Some("S".into()));
        let options = ReadOptions { kind: Some(Kind::Similarity), ..ReadOptions::default() };
        let message = understand("s.mat", raw, &options).err().unwrap().to_string();
        assert_eq!(
            message,
            "s.mat, S, row 0 (from 0), column \"1\": similarity \"-2\" is negative; similarities must be ≥ 0"
        );
    }
}
