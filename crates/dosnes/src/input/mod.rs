//! The input: items, and data about them.
//!
//! [`Data`] has one of five kinds, borrowed from the caller or owned. A [`Dataset`] is data with the names and metadata
//! of its [`Items`].

mod items;
mod points;
mod prepare;

pub use items::{ClassError, Column, Items, Values};
pub(crate) use points::{Centring, column_means, rounded};
pub use points::{Distances, Points};
pub use prepare::{CellCounts, CountsError, Standardize, prepare_counts};

use crate::{named, sparse::CsrMatrix};

/// Data about the items, in the kind in which it was given.
///
/// Points convert from arrays and matrices, so `fit(&array)` works. The other kinds are all square or sparse matrices,
/// so their variant must be named: `Data::Graph(matrix)`.
#[derive(Debug, Clone)]
pub enum Data<'a> {
    /// A vector for each item: n × D.
    Points(Points<'a>),
    /// Pairwise similarities, n × n, ≥ 0; absent entries are zero.
    Similarity(CsrMatrix<'a>),
    /// Pairwise distances, n × n, ≥ 0.
    Distance(Distances<'a>),
    /// Weighted edges, n × n, ≥ 0: entry (i, j) is the total weight of the edges from i to j. An undirected edge may be
    /// stored in both directions or in one: only the mean of the two matters.
    Graph(CsrMatrix<'a>),
    /// Dyadic (bipartite) data, n × m, ≥ 0: entry (i, k) is the weight of the link between item i and column k.
    /// Examples: documents × terms, authors × papers.
    Dyadic(CsrMatrix<'a>),
}

/// The kinds of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A vector for each item.
    Points,
    /// Pairwise similarities.
    Similarity,
    /// Pairwise distances.
    Distance,
    /// Weighted edges.
    Graph,
    /// Dyadic (bipartite) data.
    Dyadic,
}

named!(Kind, "kind of data", {
    Points => ("points", "a vector for each item"),
    Similarity => ("similarity", "pairwise similarities"),
    Distance => ("distance", "pairwise distances"),
    Graph => ("graph", "weighted edges"),
    Dyadic => ("dyadic", "bipartite data: documents × terms, authors × papers"),
});

impl Data<'_> {
    /// Number of items.
    pub fn len(&self) -> usize {
        match self {
            Self::Points(x) => x.shape().0,
            Self::Similarity(x) | Self::Graph(x) | Self::Dyadic(x) => x.rows(),
            Self::Distance(x) => x.shape().0,
        }
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Points(_) => Kind::Points,
            Self::Similarity(_) => Kind::Similarity,
            Self::Distance(_) => Kind::Distance,
            Self::Graph(_) => Kind::Graph,
            Self::Dyadic(_) => Kind::Dyadic,
        }
    }

    /// The same data, borrowed instead of copied.
    pub fn borrowed(&self) -> Data<'_> {
        match self {
            Self::Points(x) => Data::Points(x.borrowed()),
            Self::Similarity(x) => Data::Similarity(x.borrowed()),
            Self::Distance(x) => Data::Distance(x.borrowed()),
            Self::Graph(x) => Data::Graph(x.borrowed()),
            Self::Dyadic(x) => Data::Dyadic(x.borrowed()),
        }
    }
}

impl<'a> From<Points<'a>> for Data<'a> {
    fn from(points: Points<'a>) -> Self {
        Self::Points(points)
    }
}

impl<'a> From<&'a Data<'_>> for Data<'a> {
    fn from(data: &'a Data<'_>) -> Self {
        data.borrowed()
    }
}

/// Items, and data about them.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// The items that are embedded, in the order of the data's rows.
    pub items: Items,
    /// The data.
    pub data: Data<'static>,
    /// For dyadic data and points: the names of the columns, if they are known.
    pub partners: Option<Items>,
}

impl Dataset {
    /// A dataset without names of columns.
    pub fn new(items: Items, data: Data<'static>) -> Self {
        Self { items, data, partners: None }
    }

    /// For dyadic data: makes the columns the items. Other data are unchanged.
    #[must_use]
    pub fn transposed(self) -> Self {
        match self {
            Self { items, data: Data::Dyadic(incidence), partners } => Self {
                items: partners.unwrap_or_else(|| Items::numbered(incidence.columns())),
                data: Data::Dyadic(incidence.transposed()),
                partners: Some(items),
            },
            other => other,
        }
    }
}
