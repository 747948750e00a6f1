//! What a user brings: items, and what is known of them.
//!
//! A [`Dataset`] is the [`Items`] (their names, and any further columns) and the [`Data`] in one of five kinds.

mod items;
mod matrix;

pub use items::{Column, Items, Values};
pub(crate) use matrix::principal_submatrix;
pub use matrix::{Csr, csr_from_triplets};

use ndarray::Array2;

/// Items and what is known of them.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// The items that are embedded, in the order of the data's rows.
    pub items: Items,
    /// What is known of them.
    pub data: Data,
}

/// What is known of the items, in the kind in which it was brought.
#[derive(Debug, Clone)]
pub enum Data {
    /// A vector for each item: n × D.
    Points(Points),
    /// Pairwise similarities, n × n, ≥ 0; absent entries are zero.
    Similarity(Csr),
    /// Pairwise distances, n × n, ≥ 0.
    Distance(Distances),
    /// Weighted arcs, n × n, ≥ 0: entry (i, j) is the total weight of the arcs from i to j. An undirected edge stands in
    /// both directions.
    Graph(Csr),
    /// Who takes part in what: n × m, ≥ 0 (documents × terms, authors × papers).
    Dyadic(Dyadic),
}

/// A vector for each item.
#[derive(Debug, Clone)]
pub enum Points {
    /// n × D, one row an item. Single precision, as in every neighbour-embedding tool: distances between neighbours
    /// are needed to a few digits only, and memory is what limits the size of the data.
    Dense(Array2<f32>),
    /// n × D with few entries; absent ones are zero.
    Sparse(Csr),
}

/// Pairwise distances.
#[derive(Debug, Clone)]
pub enum Distances {
    /// Every pair: n × n.
    Dense(Array2<f32>),
    /// Only the near pairs, for example a neighbour graph with its distances; absent entries are far away.
    Sparse(Csr),
}

/// An n × m matrix of who takes part in what.
#[derive(Debug, Clone)]
pub struct Dyadic {
    /// Entry (i, k) ≥ 0: how much item i takes part in k.
    pub incidence: Csr,
    /// Names of the m columns, when they are known. After [`Dataset::transpose`] these are the items.
    pub partners: Option<Items>,
}

impl Points {
    /// Number of items and of dimensions.
    pub fn shape(&self) -> (usize, usize) {
        match self {
            Self::Dense(x) => x.dim(),
            Self::Sparse(x) => x.shape(),
        }
    }
}

impl Distances {
    /// Number of rows and of columns.
    pub fn shape(&self) -> (usize, usize) {
        match self {
            Self::Dense(x) => x.dim(),
            Self::Sparse(x) => x.shape(),
        }
    }
}

impl Dataset {
    /// For dyadic data: what were the columns become the items. Nothing else can be transposed: `None`.
    #[must_use]
    pub fn transpose(self) -> Option<Self> {
        let Data::Dyadic(Dyadic { incidence, partners }) = self.data else { return None };
        let items = partners.unwrap_or_else(|| Items::numbered(incidence.cols()));
        let incidence = incidence.transpose_into().to_csr();
        Some(Self { items, data: Data::Dyadic(Dyadic { incidence, partners: Some(self.items) }) })
    }
}

impl Data {
    /// Number of items.
    pub fn len(&self) -> usize {
        match self {
            Self::Points(x) => x.shape().0,
            Self::Similarity(x) | Self::Graph(x) => x.rows(),
            Self::Distance(x) => x.shape().0,
            Self::Dyadic(x) => x.incidence.rows(),
        }
    }

    /// Whether there is no item at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The kind's name, as users write it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Points(_) => "points",
            Self::Similarity(_) => "similarity",
            Self::Distance(_) => "distance",
            Self::Graph(_) => "graph",
            Self::Dyadic(_) => "dyadic",
        }
    }
}
