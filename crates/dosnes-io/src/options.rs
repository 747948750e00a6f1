//! What a user can say about a file.

use std::fmt;
use std::path::PathBuf;

use dosnes::{Kind, Named};

/// A file format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Comma- or otherwise separated values.
    Table,
    /// `a b [weight]`, one edge a line.
    EdgeList,
    /// `NumPy` array.
    Npy,
    /// `NumPy` archive, also `SciPy`'s sparse matrices.
    Npz,
    /// Matrix Market.
    MatrixMarket,
    /// Pajek network or project.
    Pajek,
    /// `GraphML`.
    GraphMl,
    /// GEXF (Gephi).
    Gexf,
    /// `AnnData`.
    H5ad,
    /// MATLAB, all versions since 5.
    Mat,
    /// Apache Parquet; needs the cargo feature `parquet`.
    Parquet,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Table => "table",
            Self::EdgeList => "edge list",
            Self::Npy => "NumPy array",
            Self::Npz => "NumPy archive",
            Self::MatrixMarket => "Matrix Market",
            Self::Pajek => "Pajek",
            Self::GraphMl => "GraphML",
            Self::Gexf => "GEXF",
            Self::H5ad => "AnnData",
            Self::Mat => "MATLAB",
            Self::Parquet => "Parquet",
        })
    }
}

/// The names that users write.
impl Named for Format {
    const WHAT: &'static str = "format";
    const ALL: &'static [Self] = &[
        Self::Table,
        Self::EdgeList,
        Self::Npy,
        Self::Npz,
        Self::MatrixMarket,
        Self::Pajek,
        Self::GraphMl,
        Self::Gexf,
        Self::H5ad,
        Self::Mat,
        Self::Parquet,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::EdgeList => "edge-list",
            Self::Npy => "npy",
            Self::Npz => "npz",
            Self::MatrixMarket => "mtx",
            Self::Pajek => "pajek",
            Self::GraphMl => "graphml",
            Self::Gexf => "gexf",
            Self::H5ad => "h5ad",
            Self::Mat => "mat",
            Self::Parquet => "parquet",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Table => "CSV, TSV or otherwise separated values",
            Self::EdgeList => "two names and a weight a line",
            Self::Npy => "a NumPy array",
            Self::Npz => "a NumPy archive or a SciPy sparse matrix",
            Self::MatrixMarket => "Matrix Market",
            Self::Pajek => "a Pajek network or project",
            Self::GraphMl => "GraphML",
            Self::Gexf => "GEXF, as Gephi writes it",
            Self::H5ad => "AnnData",
            Self::Mat => "MATLAB, all versions since 5",
            Self::Parquet => "Apache Parquet; in programs built with that feature",
        }
    }
}

/// What to do with a row of a points table that has an empty or NaN cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum MissingValues {
    /// Stop, naming the first one.
    #[default]
    Error,
    /// Leave the row out, and say how many were.
    Drop,
}

dosnes::named!(MissingValues, "treatment of missing values", {
    Error => ("error", "stop, and name the first one"),
    Drop => ("drop", "leave the row out, and say how many were"),
});

/// What the user says about a file; everything that is left open is decided from the contents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// The kind of data, instead of the one that the contents suggest.
    pub kind: Option<Kind>,
    /// The format, instead of the one that the contents show.
    pub format: Option<Format>,
    /// The column that names the items: its header, or its number from 1. In `.h5ad`, a column of `obs`.
    pub id_column: Option<String>,
    /// Columns that are metadata instead of coordinates: headers, or numbers from 1.
    pub label_columns: Vec<String>,
    /// Columns that are not read at all: headers, or numbers from 1.
    pub ignore_columns: Vec<String>,
    /// The column with the weights of an edge list: its header, or its number from 1.
    pub weight_column: Option<String>,
    /// Which array holds the data: its name in an `.npz` or `.mat`; in `.h5ad` `X`, `obsm/NAME`, `obsp/NAME`,
    /// `layers/NAME` or `raw/X`; the network's name in a Pajek project.
    pub array: Option<String>,
    /// For edge lists, Pajek and XML graphs: whether edges have a direction, instead of what the file says.
    pub directed: Option<bool>,
    /// The character between cells.
    pub separator: Option<char>,
    /// Whether the first line holds the columns' names.
    pub header: Option<bool>,
    /// A side file about the items: a table keyed by id, or one line an item in row order.
    pub items_file: Option<PathBuf>,
    /// The same about the columns of dyadic data.
    pub partners_file: Option<PathBuf>,
    /// What to do with rows of points that have missing values.
    pub missing: MissingValues,
    /// Take the columns of a points or dyadic matrix as the items. Side files are about these.
    pub transpose: bool,
}
