//! The kind of a matrix, by its shape and values.

use dosnes::input::{Data, Dataset, Distances, Items};
use dosnes::ndarray::Array2;
use dosnes::{CsrMatrix, Kind};
use std::collections::HashSet;

use super::square::{Guess, Square};
use super::{Interpretation, codes, coordinates, halves, magnitude, missing, network, pairs, scale, totals};
use crate::column_names;
use crate::columns::is_unique;
use crate::error::{Error, LARGEST_COORDINATE, Place, Quantity};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::raw::{Matrix, RawMatrix};
use crate::sparse::self_loops;

/// Decides the kind of a matrix, or checks that it can be of the requested kind.
pub(super) fn interpret(file: &str, mut raw: RawMatrix, options: &ReadOptions) -> Result<Interpretation, Error> {
    // Two rows cannot be embedded as points.
    let in_rows = options.kind.is_none() && !options.transpose && raw.matrix.shape().0 == 2;
    if (options.kind == Some(Kind::Graph) || in_rows)
        && let Some(network) = pairs::as_network(&raw)
    {
        let mut interpretation = network::interpret(file, network, options)?;
        interpretation.notes.extend(in_rows.then_some(Note::TwoRowsOfEnds));
        return Ok(interpretation);
    }
    // What is done to points only says that they are points.
    let asked = options.kind.or((options.cell_counts || scale::is_asked(options)).then_some(Kind::Points));
    let mut notes: Vec<Note> = Vec::new();
    if let Matrix::Double(x) = &mut raw.matrix {
        raw.lacks_diagonal |= x.nrows() == x.ncols() && x.diag().iter().any(|v| v.is_nan());
        notes.extend(halves::complete(x));
    }
    if asked != Some(Kind::Points) {
        notes.extend(totals::leave_out(&mut raw));
    }
    if let (Matrix::Double(x), None | Some(Kind::Distance | Kind::Similarity), None) =
        (&mut raw.matrix, asked, raw.kind)
    {
        notes.extend(halves::mirror_zeros(x));
    }
    let Guess { kind, why, doubt } = match (asked, raw.kind) {
        (Some(kind), _) => Guess::sure(kind, "as requested"),
        (None, Some(Kind::Distance)) => as_distances(&raw.matrix),
        (None, Some(kind)) => Guess::sure(kind, ""),
        (None, None) => without_diagonal(file, &raw, suggest(&raw)),
    };
    notes.extend(doubt);
    if options.kind == Some(Kind::Points) && matches!(&raw.matrix, Matrix::Sparse(_)) && raw.kind.is_none() {
        notes.extend(raw.matrix.holds_counts().then_some(Note::RawCounts));
    }
    if options.transpose {
        if !matches!(kind, Kind::Points | Kind::Dyadic) {
            let problem = format!("only points and dyadic data can be transposed, but this is read as {kind}");
            return Err(Error::option(file, problem));
        }
        raw.matrix = raw.matrix.transposed();
        std::mem::swap(&mut raw.items, &mut raw.partners);
        raw.lines = None;
    }
    let is_dense = !matches!(&raw.matrix, Matrix::Sparse(_));
    if kind == Kind::Points && is_dense && raw.kind.is_none() && !scale::is_asked(options) {
        notes.extend((coordinates::are_cells(&raw) && raw.matrix.holds_counts()).then_some(Note::RawCounts));
    }
    if options.directed.is_some() && kind != Kind::Graph {
        let problem =
            format!("--directed and --undirected are for graphs, but this is read as {kind}; leave the option out");
        return Err(Error::option(file, problem));
    }
    let (rows, columns) = raw.matrix.shape();
    if matches!(kind, Kind::Similarity | Kind::Distance | Kind::Graph) && rows != columns {
        return Err(Error::NotSquare { file: file.to_owned(), kind, rows, columns });
    }
    if kind != Kind::Points && (options.standardize.is_some() || options.cell_counts) {
        let option = if options.cell_counts { "--counts" } else { "--standardize" };
        let problem =
            format!("{option} is for points, but this is read as {kind}; leave the option out, or use --as points");
        return Err(Error::option(file, problem));
    }
    if !options.missing_codes.is_empty() {
        if kind != Kind::Points || matches!(raw.matrix, Matrix::Sparse(_)) {
            let problem = format!("--na is for dense points, but this is read as {kind}; leave the option out");
            return Err(Error::option(file, problem));
        }
        notes.extend(codes::clear(&mut raw.matrix, &options.missing_codes));
    } else if kind == Kind::Points && asked.is_none() && !options.transpose {
        let named = raw.lines.is_some();
        notes.extend(square_with_more(&raw));
        notes.extend(totals::between(&raw));
        notes.extend(coordinates::doubts(&raw, named));
        notes.extend((!named && pairs::as_network(&raw).is_some()).then_some(Note::CouldBeEdges));
    }
    if matches!(kind, Kind::Distance | Kind::Similarity | Kind::Graph) {
        name_by_columns(&mut raw);
    }
    notes.extend(missing::treat(file, &mut raw, kind, options.missing)?);
    notes.extend(repair(&mut raw.matrix, kind));
    check_values(file, &raw, kind, options)?;
    let (rows, columns) = raw.matrix.shape();

    let items = raw.items.take().unwrap_or_else(|| Items::numbered(rows));
    let mut partners = raw.partners.take();
    let (data, what) = match kind {
        Kind::Points => {
            let names = partners.as_ref().filter(|_| raw.lines.is_some()).map(|partners| &partners.ids[..]);
            let (points, kept, more) = scale::prepared(file, raw.matrix, names, options)?;
            notes.extend(more);
            if let Some(kept) = kept {
                partners = partners.map(|partners| partners.select(&kept));
            }
            let what = format!("{rows} points of {columns} dimension{}", if columns == 1 { "" } else { "s" });
            (Data::Points(points), what)
        }
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
                    if !Square::new(&x).is_exactly_symmetric() {
                        notes.push(Note::AsymmetricDistances);
                    }
                    Distances::Dense(x.mapv(|v| v as f32).into())
                }
                Matrix::Single(x) => Distances::Dense(x.into()),
                Matrix::Sparse(x) => Distances::Sparse(x.known),
            };
            (Data::Distance(distances), format!("distances between {rows} items"))
        }
        Kind::Graph => {
            let (mut graph, reduced) = magnitude::reduce_matrix(file, into_sparse(file, raw.matrix)?)?;
            notes.extend(reduced);
            if options.directed == Some(false) && !is_symmetric(&graph) {
                graph = both_directions(file, &graph)?;
            }
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
            let (incidence, reduced) = magnitude::reduce_matrix(file, into_sparse(file, raw.matrix)?)?;
            notes.extend(reduced);
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
    let width = match &data {
        Data::Points(points) => points.shape().1,
        Data::Dyadic(incidence) => incidence.columns(),
        _ => 0,
    };
    let partners = partners.filter(|names| names.len() == width);
    Ok(Interpretation { dataset: Dataset { items, data, partners }, what, notes })
}

/// The names above the columns of a square table are those of its rows, if these have none of their own.
fn name_by_columns(raw: &mut RawMatrix) {
    let Some(partners) = &raw.partners else { return };
    if raw.lines.is_some() && raw.id_column.is_none() && is_unique(&partners.ids) {
        let columns = raw.items.take().map(|items| items.columns).unwrap_or_default();
        raw.items = Some(Items { ids: partners.ids.clone(), columns });
    }
}

/// Whether other columns stand beside those that have the names of all rows: a square matrix with more.
fn square_with_more(raw: &RawMatrix) -> Option<Note> {
    const FEWEST: usize = 4;
    let (items, partners) = raw.items.as_ref().zip(raw.partners.as_ref())?;
    let names: HashSet<&String> = items.ids.iter().collect();
    let others: Vec<String> = partners.ids.iter().filter(|name| !names.contains(name)).cloned().collect();
    let fits = raw.id_column.is_some()
        && items.len() >= FEWEST
        && others.len() + items.len() == partners.len()
        && (1..items.len()).contains(&others.len());
    fits.then_some(Note::SquareWithMore { others })
}

/// A diagonal that is not given says nothing: numbers up to 1 may be correlations, and whole numbers counts, unless something is
/// called a distance.
fn without_diagonal(file: &str, raw: &RawMatrix, guess: Guess) -> Guess {
    let Matrix::Double(x) = &raw.matrix else { return guess };
    let could_be_either = x.iter().all(|&v| v <= 1.0) || x.iter().all(|&v| v.fract() == 0.0);
    let named = column_names::is_distance_file(file) || raw.id_column.as_deref().is_some_and(column_names::is_distance);
    match guess {
        Guess { kind: Kind::Distance, why, doubt: None } if raw.lacks_diagonal && could_be_either && !named => {
            Guess::doubtful(Kind::Distance, why, Note::CouldBeSimilarities)
        }
        guess => guess,
    }
}

/// Distances by the format of the file, which other programs use for similarities too: identities of genomes, for example. With
/// these the rows say so.
fn as_distances(matrix: &Matrix) -> Guess {
    let guess = match matrix {
        Matrix::Double(x) if x.nrows() == x.ncols() => Square::new(x).guess(false),
        _ => Guess::sure(Kind::Distance, ""),
    };
    let doubt = (guess.kind == Kind::Similarity).then_some(Note::CouldBeSimilarities);
    Guess { kind: Kind::Distance, why: "", doubt }
}

/// The kind that shape and values suggest, and why.
fn suggest(raw: &RawMatrix) -> Guess {
    match &raw.matrix {
        Matrix::Single(_) => Guess::sure(Kind::Points, ""),
        Matrix::Double(x) if x.nrows() != x.ncols() || x.nrows() < 3 => Guess::sure(Kind::Points, ""),
        Matrix::Double(x) => {
            let same_names = match (&raw.items, &raw.partners) {
                (Some(items), Some(partners)) => items.ids == partners.ids,
                _ => false,
            };
            Square::new(x).guess(same_names)
        }
        Matrix::Sparse(x) => suggest_sparse(&x.known),
    }
}

fn suggest_sparse(x: &CsrMatrix<'_>) -> Guess {
    let (rows, columns) = x.shape();
    let negative = x.values().iter().any(|&v| v < 0.0);
    if negative {
        return Guess::sure(Kind::Points, "sparse, with negative entries, so each row is a vector");
    }
    let integers = x.values().iter().all(|v| v.fract() == 0.0);
    if rows == columns {
        if self_loops(x) == rows {
            return Guess::sure(Kind::Similarity, "square, diagonal not zero");
        }
        // The distances to the k nearest neighbours, as scikit-learn stores them.
        let count = |i: usize| x.row_starts()[i + 1] - x.row_starts()[i];
        let same_counts = rows > 2 && (1..rows).all(|i| count(i) == count(0));
        let doubt = (same_counts && !integers).then_some(Note::CouldBeDistances);
        return Guess { kind: Kind::Graph, why: "square", doubt };
    }
    if integers {
        Guess { kind: Kind::Dyadic, why: "sparse, not square, integers", doubt: Some(Note::CouldBePoints) }
    } else {
        Guess::sure(Kind::Points, "sparse, not square, not integers")
    }
}

/// Mends what rounding did to pairwise data, and turns correlations into distances or similarities.
fn repair(matrix: &mut Matrix, kind: Kind) -> Vec<Note> {
    let mut notes = Vec::new();
    let Matrix::Double(x) = matrix else { return notes };
    if x.nrows() != x.ncols() || kind == Kind::Points || kind == Kind::Dyadic {
        return notes;
    }
    let square = Square::new(x);
    let correlations = square.has_negative_correlations();
    let (tiny, zero_diagonal) = (square.tiny(), square.zero_diagonal());
    let symmetrise = kind == Kind::Distance && square.is_symmetric() && !square.is_exactly_symmetric();
    let difference = if symmetrise { square.asymmetry() } else { 0.0 };
    if correlations && kind == Kind::Distance {
        x.mapv_inplace(|r| (1.0 - r).max(0.0));
        x.diag_mut().fill(0.0);
        notes.push(Note::Correlations);
        return notes;
    }
    let lowest = if correlations { f64::NEG_INFINITY } else { -tiny };
    let (mut count, mut smallest) = (0, 0.0_f64);
    for value in x.iter_mut().filter(|v| **v < 0.0 && **v >= lowest) {
        // What the last bits of a double leave below zero is not worth a word.
        if *value < -1e-6 * tiny {
            count += 1;
            smallest = smallest.min(*value);
        }
        *value = 0.0;
    }
    if count > 0 {
        notes.push(Note::NegativesClipped { count, smallest: format!("{smallest:.2e}") });
    }
    if kind == Kind::Distance && zero_diagonal {
        x.diag_mut().fill(0.0);
    }
    if symmetrise {
        for i in 0..x.nrows() {
            for j in 0..i {
                let mean = 0.5 * (x[[i, j]] + x[[j, i]]);
                x[[i, j]] = mean;
                x[[j, i]] = mean;
            }
        }
        notes.push(Note::Symmetrised { difference: format!("{difference:.1e}") });
    }
    notes
}

/// Whether single precision would lose more than a thousandth of the spread of a column: where all values have a large part in
/// common, such as times in seconds.
pub(crate) fn needs_double(x: &Array2<f64>) -> bool {
    x.columns().into_iter().any(|column| {
        let (largest, spread) = extent(column.iter().copied());
        spread > 0.0 && f64::from(f32::EPSILON) * largest > 1e-3 * spread
    }) || is_tiny(x.iter().copied()) && x.iter().any(|&v| v != 0.0)
}

/// Whether single precision may have lost more than a thousandth of the spread of a column.
pub(crate) fn may_need_double(x: &Array2<f32>) -> bool {
    x.columns().into_iter().any(|column| {
        let (largest, spread) = extent(column.iter().map(|&v| f64::from(v)));
        // A spread that was lost entirely looks like a constant.
        (spread > 0.0 || largest > 1e6) && f64::from(f32::EPSILON) * largest > 1e-3 * spread
    }) || is_tiny(x.iter().map(|&v| f64::from(v)))
}

/// All values below this are lost in single precision, or have lost digits there.
pub(super) const TINY: f64 = 1e-25;

fn is_tiny(mut values: impl Iterator<Item = f64>) -> bool {
    values.all(|v| v.abs() < TINY)
}

/// The largest absolute value, and the difference of the largest and the smallest value.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    (low.abs().max(high.abs()), high - low)
}

/// Every value must be finite, and ≥ 0 unless it is a coordinate.
fn check_values(file: &str, raw: &RawMatrix, kind: Kind, options: &ReadOptions) -> Result<(), Error> {
    let quantity = match kind {
        Kind::Points => None,
        Kind::Distance => Some(Quantity::Distance),
        Kind::Graph | Kind::Dyadic => Some(Quantity::Weight),
        Kind::Similarity => Some(Quantity::Similarity),
    };
    let problem = |value: f64| match quantity {
        Some(quantity) => quantity.problem(value),
        None if value.is_nan() => {
            Some("the coordinate is missing (NaN); fill it in, or use --missing drop or --missing mean".into())
        }
        // Single precision makes numbers beyond 3.4e38 infinite.
        None if value.is_infinite() && matches!(raw.matrix, Matrix::Single(_)) => {
            Some("the coordinate is too large, or infinite; coordinates up to 1e18 can be used".into())
        }
        None if value.is_infinite() => Some(format!("the coordinate \"{value}\" is infinite")),
        // In single precision a number has further digits that nobody wrote.
        None if value.abs() > LARGEST_COORDINATE && !scale::is_asked(options) => Some(format!(
            "the coordinate \"{0:e}\" is larger than 1e18; if it means that a value is missing, use --na={0:e} --missing drop (or \
             mean); otherwise use --standardize, or divide all by the same number",
            value as f32
        )),
        None => None,
    };
    let bad = match &raw.matrix {
        Matrix::Double(x) => x.indexed_iter().find_map(|((i, j), &v)| problem(v).map(|p| (i, j, p))),
        Matrix::Single(x) => x.indexed_iter().find_map(|((i, j), &v)| problem(f64::from(v)).map(|p| (i, j, p))),
        Matrix::Sparse(x) => x.known.iter().find_map(|(i, j, v)| problem(v).map(|p| (i, j, p))),
    };
    match bad {
        Some((i, j, problem)) if problem.contains("(NaN)") => Err(Error::missing(file, raw.place(i, j), problem)),
        Some((i, j, problem)) => Err(Error::value(file, raw.place(i, j), problem)),
        None => Ok(()),
    }
}

/// Each edge in both directions; a loop stays as it is.
fn both_directions(file: &str, graph: &CsrMatrix<'_>) -> Result<CsrMatrix<'static>, Error> {
    let mut arcs: Vec<(u32, u32, f64)> = Vec::with_capacity(2 * graph.nnz());
    for (i, j, weight) in graph.iter() {
        arcs.push((i as u32, j as u32, weight));
        if i != j {
            arcs.push((j as u32, i as u32, weight));
        }
    }
    CsrMatrix::from_triplets(graph.shape(), &arcs).map_err(|error| Error::matrix(file, Place::default(), error))
}

pub(super) fn into_sparse(file: &str, matrix: Matrix) -> Result<CsrMatrix<'static>, Error> {
    match matrix {
        Matrix::Double(x) => sparse_from_dense(file, &x, |v| v),
        Matrix::Single(x) => sparse_from_dense(file, &x, f64::from),
        Matrix::Sparse(x) => Ok(x.known),
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

/// Whether a sparse matrix is symmetric.
fn is_symmetric(x: &CsrMatrix<'_>) -> bool {
    x.is_square() && x.iter().all(|(i, j, value)| nearly_equal(x.get(j, i).unwrap_or(0.0), value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::MissingValues;
    use dosnes::input::Points;
    use dosnes::ndarray::array;

    fn kind(x: Array2<f64>) -> Kind {
        suggest(&RawMatrix::new(Matrix::Double(x))).kind
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
        assert_eq!(kind(array![[2.0, -0.5, 0.2], [-0.5, 1.0, 0.3], [0.2, 0.3, 1.0]]), Kind::Points);
    }

    fn read(x: Array2<f64>, options: &ReadOptions) -> Interpretation {
        interpret("x.npy", RawMatrix::new(Matrix::Double(x)), options).unwrap()
    }

    #[test]
    fn correlations_are_distances_and_on_request_similarities_without_the_negative_ones() {
        let r = array![[1.0, -0.5, 0.2], [-0.5, 1.0, 0.3], [0.2, 0.3, 1.0]];
        let guessed = read(r.clone(), &ReadOptions::default());
        let Data::Distance(Distances::Dense(d)) = &guessed.dataset.data else { panic!("{}", guessed.what) };
        assert_eq!((d[[0, 1]], d[[0, 0]]), (1.5, 0.0));
        assert_eq!(guessed.notes, [Note::Correlations]);
        let asked = ReadOptions { kind: Some(Kind::Similarity), ..ReadOptions::default() };
        let similar = read(r, &asked);
        let Data::Similarity(s) = &similar.dataset.data else { panic!("{}", similar.what) };
        assert_eq!((s.get(0, 1), s.get(0, 2)), (None, Some(0.2)));
        assert!(matches!(&similar.notes[..], [Note::NegativesClipped { count: 2, .. }]), "{:?}", similar.notes);
    }

    #[test]
    fn tiny_negative_similarities_are_clipped_with_a_note() {
        let s = array![[1.0, -3e-9, 0.2], [-3e-9, 1.0, 0.3], [0.2, 0.3, 1.0]];
        let loaded = read(s, &ReadOptions::default());
        assert_eq!(loaded.dataset.data.kind(), Kind::Similarity);
        assert!(matches!(&loaded.notes[..], [Note::NegativesClipped { count: 2, .. }]), "{:?}", loaded.notes);
    }

    #[test]
    fn an_offset_that_single_precision_would_destroy_is_kept_in_double_precision() {
        let x = array![[1.7e9, 1.0], [1.7e9 + 0.25, 2.0], [1.7e9 + 0.5, 6.0]];
        assert!(matches!(read(x, &ReadOptions::default()).dataset.data, Data::Points(Points::Dense64(_))));
        let x = array![[170.0, 1.0], [170.25, 2.0], [170.5, 6.0]];
        assert!(matches!(read(x, &ReadOptions::default()).dataset.data, Data::Points(Points::Dense(_))));
    }

    #[test]
    fn items_with_missing_distances_are_left_out_and_the_rest_stays_square() {
        let mut d = Array2::from_shape_fn((6, 6), |(i, j)| (i as f64 - j as f64).abs());
        d[[2, 4]] = f64::NAN;
        d[[4, 2]] = f64::NAN;
        d[[4, 5]] = f64::NAN;
        let options = |missing| ReadOptions { missing, ..ReadOptions::default() };
        let dropped = read(d.clone(), &options(MissingValues::Drop));
        assert_eq!((dropped.dataset.data.kind(), dropped.dataset.data.len()), (Kind::Distance, 5));
        assert_eq!(dropped.dataset.items.ids, ["0", "1", "2", "3", "5"]);
        let filled = read(d.clone(), &options(MissingValues::Mean));
        assert_eq!((filled.dataset.data.kind(), filled.dataset.data.len()), (Kind::Distance, 6));
        assert!(matches!(&filled.notes[..], [Note::MissingFilled { count: 3, .. }, ..]), "{:?}", filled.notes);
        let raw = RawMatrix::new(Matrix::Double(d));
        assert!(matches!(interpret("d.npy", raw, &ReadOptions::default()), Err(Error::Missing { .. })));
    }

    #[test]
    fn weights_whose_sums_would_overflow_are_refused() {
        let s = array![[1.0, 1e308, 0.2], [1e308, 1.0, 0.3], [0.2, 0.3, 1.0]];
        let message = interpret("s.npy", RawMatrix::new(Matrix::Double(s)), &ReadOptions::default()).err().unwrap();
        assert!(message.to_string().contains("\"1e308\" is larger than 1e150; divide all"), "{message}");
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
