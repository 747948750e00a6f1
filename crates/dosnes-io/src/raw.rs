//! The results of the parsers: contents as in the file, before the kind of data is decided.

use dosnes::Kind;
use dosnes::input::Items;
use dosnes::ndarray::Array2;

use crate::error::Place;
use crate::note::Note;
use crate::sparse::SparseCells;

/// The contents of a file.
pub(crate) struct Parsed {
    /// The format, as the first half of the sentence for the user.
    pub(crate) description: String,
    pub(crate) contents: Contents,
    pub(crate) notes: Vec<Note>,
}

/// All formats contain one of these two.
pub(crate) enum Contents {
    Matrix(RawMatrix),
    Network(Network),
}

/// The cells of a matrix.
#[derive(Debug)]
pub(crate) enum Matrix {
    /// Every cell, in double precision, because the data may be similarities.
    Double(Array2<f64>),
    /// Every cell, for data that can only be points.
    Single(Array2<f32>),
    /// The cells that are not zero.
    Sparse(SparseCells),
}

impl Matrix {
    pub(crate) fn shape(&self) -> (usize, usize) {
        match self {
            Self::Double(x) => x.dim(),
            Self::Single(x) => x.dim(),
            Self::Sparse(x) => x.known.shape(),
        }
    }

    /// Whether all values are counts: integers ≥ 0, and not only zeros and ones.
    pub(crate) fn holds_counts(&self) -> bool {
        fn counts(values: impl Iterator<Item = f64>) -> bool {
            let mut largest = 0.0_f64;
            for value in values {
                if !(value >= 0.0 && value.fract() == 0.0) {
                    return false;
                }
                largest = largest.max(value);
            }
            largest > 1.0
        }
        match self {
            Self::Double(x) => counts(x.iter().copied()),
            Self::Single(x) => counts(x.iter().map(|&v| f64::from(v))),
            Self::Sparse(x) => counts(x.known.values().iter().copied()),
        }
    }

    pub(crate) fn transposed(self) -> Self {
        match self {
            Self::Double(x) => Self::Double(x.reversed_axes().as_standard_layout().into_owned()),
            Self::Single(x) => Self::Single(x.reversed_axes().as_standard_layout().into_owned()),
            Self::Sparse(x) => Self::Sparse(x.transposed()),
        }
    }
}

/// A matrix with all its metadata in the file.
pub(crate) struct RawMatrix {
    pub(crate) matrix: Matrix,
    /// Ids and metadata of the rows; `None` if the file has none.
    pub(crate) items: Option<Items>,
    /// The names of the columns.
    pub(crate) partners: Option<Items>,
    /// The column with the ids, if the user should be told.
    pub(crate) id_column: Option<String>,
    /// The line of each row, if it is known.
    pub(crate) lines: Option<Vec<u64>>,
    /// The name of the array in the file, for errors.
    pub(crate) part: Option<String>,
    /// The kind of data, if its position in the file implies it, such as a group of pairwise matrices.
    pub(crate) kind: Option<Kind>,
    /// Whether the diagonal of a square matrix was not given.
    pub(crate) lacks_diagonal: bool,
}

impl RawMatrix {
    /// A matrix without metadata.
    pub(crate) fn new(matrix: Matrix) -> Self {
        Self {
            matrix,
            items: None,
            partners: None,
            id_column: None,
            lines: None,
            part: None,
            kind: None,
            lacks_diagonal: false,
        }
    }

    /// The position of a cell.
    pub(crate) fn place(&self, row: usize, column: usize) -> Place {
        let mut place = Place { part: self.part.as_deref().map(Into::into), ..Place::default() };
        match &self.lines {
            Some(lines) => place.line = lines.get(row).copied(),
            None => place.row = Some(row),
        }
        let name = self.partners.as_ref().and_then(|p| p.ids.get(column).cloned());
        place.column(name.unwrap_or_else(|| if self.lines.is_some() { column + 1 } else { column }.to_string()))
    }
}

/// From, to, weight.
pub(crate) type Edge = (u32, u32, f64);

/// The mean of the weights that are not missing (NaN); 1 if all are.
pub(crate) fn mean_weight<'a>(edges: impl Iterator<Item = &'a Edge>) -> f64 {
    let known: Vec<f64> = edges.map(|edge| edge.2).filter(|weight| !weight.is_nan()).collect();
    if known.is_empty() { 1.0 } else { known.iter().map(|weight| weight / known.len() as f64).sum() }
}

/// Nodes and weighted edges.
pub(crate) struct Network {
    pub(crate) nodes: Items,
    /// Directed edges.
    pub(crate) arcs: Vec<Edge>,
    /// Undirected edges.
    pub(crate) edges: Vec<Edge>,
    pub(crate) form: NetworkForm,
}

/// How the file describes the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NetworkForm {
    /// A list of edges: the two ends may be different kinds of items.
    EdgeList,
    /// A list of pairs of two kinds of items, by the names of the columns.
    Dyads,
    /// A list of pairs with their distances.
    Distances,
    /// The nodes are declared, in a file that calls itself a graph.
    Graph,
    /// The same in a file that calls itself a network.
    Network,
    /// A two-mode network: this number of nodes at the start are the items, the others their partners.
    TwoMode(usize),
}

impl NetworkForm {
    /// Its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::EdgeList | Self::Dyads => "a list of edges",
            Self::Distances => "a list of distances",
            Self::Graph => "a graph",
            Self::Network | Self::TwoMode(_) => "a network",
        }
    }
}
