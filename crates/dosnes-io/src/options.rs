//! Options for reading a file.

use std::fmt;
use std::path::PathBuf;

use dosnes::input::Standardize;
use dosnes::{Kind, Named};

/// A file format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// CSV, TSV or another text table.
    Table,
    /// `a b [weight]`, one edge per line.
    EdgeList,
    /// `NumPy` array.
    Npy,
    /// `NumPy` archive, also with a sparse matrix of `SciPy`.
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
            Self::Table => "CSV, TSV or another text table",
            Self::EdgeList => "one edge per line: two names and an optional weight",
            Self::Npy => "a NumPy array",
            Self::Npz => "a NumPy archive or a SciPy sparse matrix",
            Self::MatrixMarket => "Matrix Market",
            Self::Pajek => "a Pajek network or project",
            Self::GraphMl => "GraphML",
            Self::Gexf => "GEXF, as Gephi writes it",
            Self::H5ad => "AnnData",
            Self::Mat => "MATLAB, all versions since 5",
            Self::Parquet => "Apache Parquet; only in programs built with the feature `parquet`",
        }
    }
}

impl Format {
    /// Whether it has rows and columns with names.
    pub(crate) fn is_table(self) -> bool {
        self.is_text_table() || self == Self::Parquet
    }

    /// Whether it is a text with one row in a line.
    pub(crate) fn is_text_table(self) -> bool {
        matches!(self, Self::Table | Self::EdgeList)
    }

    /// Whether the items can be named by a column.
    pub(crate) fn has_named_ids(self) -> bool {
        self.is_table() || matches!(self, Self::H5ad | Self::GraphMl | Self::Gexf)
    }

    /// Whether there may be several arrays in it.
    pub(crate) fn has_arrays(self) -> bool {
        matches!(self, Self::Npz | Self::H5ad | Self::Mat | Self::Pajek)
    }
}

/// How to treat missing values: empty cells and NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum MissingValues {
    /// Stop with an error that names the first one.
    #[default]
    Error,
    /// Leave these items or edges out, and report their number.
    Drop,
    /// Replace them by the mean of their column, or of their row if the data are pairwise, and report their number.
    Mean,
}

dosnes::named!(MissingValues, "treatment of missing values", {
    Error => ("error", "stop with an error that names the first one"),
    Drop => ("drop", "leave these items or edges out, and print their number"),
    Mean => ("mean", "replace them by the mean of their column (of their row, if the data are pairwise)"),
});

/// Options for reading a file; what is not given is detected from the contents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// The kind of data; by default detected from the contents.
    pub kind: Option<Kind>,
    /// The format; by default detected from the contents.
    pub format: Option<Format>,
    /// The column with the ids: its name, or its number, counted from 1. In `.h5ad`, a column of `obs`.
    pub id_column: Option<String>,
    /// Columns with metadata, not coordinates: names, or numbers, counted from 1.
    pub label_columns: Vec<String>,
    /// Columns to ignore: names, or numbers, counted from 1.
    pub ignore_columns: Vec<String>,
    /// The column with the weights of an edge list: its name, or its number, counted from 1.
    pub weight_column: Option<String>,
    /// The array with the data: its name in an `.npz` or `.mat`; in `.h5ad` `X`, `obsm/NAME`, `obsp/NAME`,
    /// `layers/NAME` or `raw/X`; the name of the network in a Pajek project.
    pub array: Option<String>,
    /// For edge lists, Pajek and XML graphs: whether edges are directed; by default as in the file.
    pub directed: Option<bool>,
    /// The character between cells.
    pub separator: Option<char>,
    /// Whether the first line contains the names of the columns.
    pub header: Option<bool>,
    /// A file with metadata of the items: a table with ids, or one line for each item in the order of the rows.
    pub items_file: Option<PathBuf>,
    /// The same for the columns of dyadic data.
    pub partners_file: Option<PathBuf>,
    /// How to treat missing values.
    pub missing: MissingValues,
    /// Refuse a file if its reading is a guess that would ruin the map if it were wrong (see [`Note::is_doubt`]).
    ///
    /// [`Note::is_doubt`]: crate::Note::is_doubt
    pub strict: bool,
    /// How the columns of points are brought to the same scale; by default they are left as they are, and a column that
    /// decides everything is a doubt.
    pub standardize: Option<Standardize>,
    /// Whether the points are counts of single cells, which are normalised (see [`dosnes::input::prepare_counts`]).
    pub cell_counts: bool,
    /// Number of lines above a text table that are not part of it.
    pub skip: usize,
    /// The items are the columns of a matrix of points or dyadic data, not its rows. Files with metadata describe the matrix
    /// after this transposition.
    pub transpose: bool,
}
