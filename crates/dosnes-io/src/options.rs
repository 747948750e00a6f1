//! Options for reading a file.

use std::fmt;
use std::path::PathBuf;

use dosnes::input::Standardize;
use dosnes::{Kind, Named};

/// A file format that can be read. The names and descriptions of all formats are in one table, from which the help of the
/// command and the list in the README are made.
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
    /// GML.
    Gml,
    /// DOT (Graphviz).
    Dot,
    /// Lists of neighbours: `NetworkX`, METIS.
    Adjacency,
    /// JSON: records, columns, rows, or a graph.
    Json,
    /// Excel workbook.
    Xlsx,
    /// svmlight, LIBSVM.
    Svmlight,
    /// Vectors of benchmarks: `.fvecs`, `.fbin` and the like.
    Vectors,
    /// word2vec in binary form.
    Word2vec,
    /// Half of a symmetric matrix, or PHYLIP distances.
    Triangle,
    /// `AnnData`.
    H5ad,
    /// Counts of Cell Ranger (10x Genomics).
    TenX,
    /// loom.
    Loom,
    /// MATLAB, all versions since 5.
    Mat,
    /// Apache Parquet; needs the cargo feature `parquet`.
    Parquet,
}

/// What there is to say about a format.
struct Description {
    format: Format,
    /// As users write it.
    name: &'static str,
    /// As it is called in messages.
    title: &'static str,
    meaning: &'static str,
    /// The files, in Markdown.
    files: &'static str,
    /// What becomes of them.
    read_as: &'static str,
}

const fn description(
    format: Format,
    name: &'static str,
    title: &'static str,
    meaning: &'static str,
    files: &'static str,
    read_as: &'static str,
) -> Description {
    Description { format, name, title, meaning, files, read_as }
}

/// All formats.
#[rustfmt::skip]
const FORMATS: [Description; 22] = [
    description(Format::Table, "table", "table", "CSV, TSV or another text table", "CSV, TSV; with or without header, titles, units, comments", "points; a graph if it has columns for both ends of an edge (`source,target,weight`, `gene1,gene2`, BLAST), dyadic for two kinds of items (`user,item,rating`); similarities or distances if it is square and symmetric"),
    description(Format::EdgeList, "edge-list", "edge list", "one edge per line: two names and an optional weight", "edge list `a b [weight]`, any separator, comments; KONECT, SNAP, `.ncol`, SIF, DIMACS, UCINET DL", "graph; dyadic if KONECT says `bip`"),
    description(Format::Npy, "npy", "NumPy array", "a NumPy array", "`.npy`", "by shape and values, as a table"),
    description(Format::Npz, "npz", "NumPy archive", "a NumPy archive or a SciPy sparse matrix", "`.npz` (NumPy, SciPy sparse)", "by shape and values; 1-D arrays are metadata"),
    description(Format::MatrixMarket, "mtx", "Matrix Market", "Matrix Market", "Matrix Market `.mtx`", "graph or similarity if square, dyadic if all values are integers, otherwise points"),
    description(Format::Pajek, "pajek", "Pajek", "a Pajek network or project", "Pajek `.net`, `.paj`", "graph, with partitions and vectors as columns"),
    description(Format::GraphMl, "graphml", "GraphML", "GraphML", "GraphML", "graph, with attributes as columns"),
    description(Format::Gexf, "gexf", "GEXF", "GEXF, as Gephi writes it", "GEXF", "graph, with attributes as columns"),
    description(Format::Gml, "gml", "GML", "GML, as NetworkX and igraph write it", "GML", "graph, with attributes as columns"),
    description(Format::Dot, "dot", "DOT", "DOT, the language of Graphviz", "Graphviz `.dot`, `.gv`", "graph, with attributes as columns"),
    description(Format::Adjacency, "adjacency", "adjacency list", "a node and its neighbours in each line (NetworkX, METIS, `a: b, c`)", "adjacency lists: `.adjlist`, METIS `.graph`, lines `a: b, c`", "graph"),
    description(Format::Json, "json", "JSON", "records, columns, rows, node-link graphs, Cytoscape graphs", "JSON: records, JSON lines, pandas, node-link (NetworkX, d3), Cytoscape", "like CSV, or graph"),
    description(Format::Xlsx, "xlsx", "Excel", "an Excel workbook", "Excel `.xlsx`; other sheets with `--array`", "like CSV"),
    description(Format::Svmlight, "svmlight", "svmlight", "svmlight or LIBSVM: label index:value …", "svmlight, LIBSVM", "points, with the label as a column"),
    description(Format::Vectors, "vectors", "vectors", "vectors of .fvecs, .bvecs, .ivecs, .fbin, .u8bin, .i8bin files", "`.fvecs`, `.bvecs`, `.ivecs`, `.fbin`, `.u8bin`, `.i8bin`", "points"),
    description(Format::Word2vec, "word2vec", "word2vec", "word2vec in binary form; its text form is a table", "word2vec `.bin`; its text form and GloVe are tables", "points, named by the words"),
    description(Format::Triangle, "triangle", "triangle", "half of a symmetric matrix, or PHYLIP distances", "lower or upper triangle of a matrix; PHYLIP", "distances or similarities"),
    description(Format::H5ad, "h5ad", "AnnData", "AnnData", "`.h5ad` (AnnData)", "points from `X`; other arrays with `--array obsm/X_pca` or `--array obsp/connectivities`"),
    description(Format::TenX, "10x", "10x", "counts of Cell Ranger: an .h5 file or a folder", "10x Genomics: `.h5`, or the folder with `matrix.mtx`", "points: the cells; `--counts` prepares the counts"),
    description(Format::Loom, "loom", "loom", "loom", "`.loom`", "points: the cells; `--counts` prepares the counts"),
    description(Format::Mat, "mat", "MATLAB", "MATLAB, all versions since 5", "MATLAB `.mat`", "by shape and values"),
    description(Format::Parquet, "parquet", "Parquet", "Apache Parquet; only in programs built with the feature `parquet`", "Parquet; build with `--features parquet`", "like CSV"),
];

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.description().title)
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
        Self::Gml,
        Self::Dot,
        Self::Adjacency,
        Self::Json,
        Self::Xlsx,
        Self::Svmlight,
        Self::Vectors,
        Self::Word2vec,
        Self::Triangle,
        Self::H5ad,
        Self::TenX,
        Self::Loom,
        Self::Mat,
        Self::Parquet,
    ];

    fn name(self) -> &'static str {
        self.description().name
    }

    fn meaning(self) -> &'static str {
        self.description().meaning
    }
}

impl Format {
    fn description(self) -> &'static Description {
        FORMATS.iter().find(|description| description.format == self).unwrap_or(&FORMATS[0])
    }

    /// All formats as a table in Markdown: the files, and what they are read as.
    pub fn table() -> String {
        let row = |d: &Description| format!("| {} | {} |\n", d.files, d.read_as);
        std::iter::once("| file | read as |\n|---|---|\n".to_owned()).chain(FORMATS.iter().map(row)).collect()
    }

    /// The names of all formats in one sentence.
    pub fn list() -> String {
        let names: Vec<&str> = FORMATS.iter().map(|d| d.title).collect();
        names.join(", ")
    }

    /// Whether it has rows and columns with names.
    pub(crate) fn is_table(self) -> bool {
        self.is_text_table() || matches!(self, Self::Parquet | Self::Json | Self::Xlsx)
    }

    /// Whether it is a text with one row in a line.
    pub(crate) fn is_text_table(self) -> bool {
        matches!(self, Self::Table | Self::EdgeList)
    }

    /// Whether the items can be named by a column.
    pub(crate) fn has_named_ids(self) -> bool {
        self.is_table() || matches!(self, Self::H5ad | Self::GraphMl | Self::Gexf | Self::Gml | Self::Dot)
    }

    /// Whether its edges have attributes that can be asked for as weights.
    pub(crate) fn has_edge_attributes(self) -> bool {
        matches!(self, Self::Json | Self::Gml | Self::Dot)
    }

    /// Whether a table's header may be asked for.
    pub(crate) fn may_have_header(self) -> bool {
        self.is_text_table() || matches!(self, Self::Json | Self::Xlsx)
    }

    /// Whether there may be several arrays in it.
    pub(crate) fn has_arrays(self) -> bool {
        matches!(self, Self::Npz | Self::H5ad | Self::Mat | Self::Pajek | Self::Xlsx)
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
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
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
    /// The same for the columns of dyadic data or points.
    pub partners_file: Option<PathBuf>,
    /// How to treat missing values.
    pub missing: MissingValues,
    /// Numbers that stand for missing values of points, such as −99.
    pub missing_codes: Vec<f64>,
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
    /// A file with a single item is enough: it is added to a map. By default it is an error.
    pub one_item: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_described_once() {
        assert_eq!(FORMATS.len(), Format::ALL.len());
        for &format in Format::ALL {
            assert_eq!(format.description().format, format);
        }
    }
}
