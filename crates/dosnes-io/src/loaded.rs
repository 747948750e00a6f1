//! The result of reading a file.

use std::fmt;

use dosnes::input::Dataset;

use crate::options::Format;

/// A dataset, and how it was interpreted.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Loaded {
    /// The data.
    pub dataset: Dataset,
    /// The format of the file.
    pub format: Format,
    /// How the file was interpreted, in one sentence for the user.
    pub detected: String,
    /// Notes for the user.
    pub notes: Vec<Note>,
}

impl Loaded {
    /// The same file with other data, such as a part of them.
    #[must_use]
    pub fn with_dataset(&self, dataset: Dataset) -> Self {
        Self { dataset, format: self.format, detected: self.detected.clone(), notes: self.notes.clone() }
    }
}

/// A note about something that happened during reading.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Edges that were given more than once; their weights were added up.
    RepeatedEdges(usize),
    /// Edges from an item to itself.
    SelfLoops(usize),
    /// The similarities are not symmetric; they are symmetrised later.
    Asymmetric,
    /// The distances are not symmetric; each row is used as it is.
    AsymmetricDistances,
    /// Comment lines that were skipped.
    CommentsSkipped(usize),
    /// Items or edges that were left out because a value was missing.
    RowsDropped {
        /// How many.
        count: usize,
        /// The position of the first one: `line 5`, `row 4 (from 0)`.
        first: String,
    },
    /// Missing values that were replaced by the mean of their column (of points) or row (of pairwise data).
    MissingFilled {
        /// How many.
        count: usize,
        /// The position of the first one.
        first: String,
    },
    /// Small numbers were read as near; they could be similarities.
    CouldBeSimilarities,
    /// Large numbers were read as similar; they could be distances.
    CouldBeDistances,
    /// The rows of a square matrix were read as vectors; it could be pairwise data.
    SquarePoints,
    /// The two sides were read as different kinds of items; they could be the same.
    CouldBeGraph,
    /// Counts were read as dyadic data; they could be coordinates.
    CouldBePoints,
    /// The two halves of a matrix differed by rounding, and their mean is used.
    Symmetrised {
        /// The largest difference.
        difference: String,
    },
    /// Negative entries that were replaced by zero.
    NegativesClipped {
        /// How many.
        count: usize,
        /// The smallest one.
        smallest: String,
    },
    /// Correlations r were turned into distances 1 − r.
    Correlations,
    /// A column that contains time stamps is not used as a weight.
    TimeIsNoWeight {
        /// Its name.
        column: String,
        /// Whether its name says so.
        named: bool,
    },
    /// A column that contains distances is not used as a weight.
    DistanceIsNoWeight {
        /// Its name.
        column: String,
    },
    /// A column that contains probabilities of chance is not used as a weight.
    ChanceIsNoWeight {
        /// Its name.
        column: String,
    },
    /// Pairs with a column of distances were read as distances.
    PairsAreDistances {
        /// Its name.
        column: String,
    },
    /// Edges were read without weights, although these columns could be weights.
    NoWeightChosen {
        /// Their names.
        columns: Vec<String>,
    },
    /// Integers, small numbers and times were read as users, items and ratings.
    RatingsByShape {
        /// The column with the times.
        time: String,
    },
    /// Only one column has numbers.
    OneDimension {
        /// Its name.
        column: String,
    },
    /// The rows are genes or other features; cells or samples may be wanted.
    RowsAreFeatures {
        /// The column with their names.
        column: String,
    },
    /// The members of a JSON object were read as columns; they could be items.
    KeysAreColumns,
    /// Signs or units that were taken off numbers, with their columns.
    UnitsTakenOff(Vec<String>),
    /// One column has nearly all of the variance.
    OneColumnDominates {
        /// Its name.
        column: String,
        /// Its share of the variance, in percent.
        percent: String,
    },
    /// Two columns of names were read as the ends of edges because of their names; they could be coordinates.
    EdgesByName {
        /// Their names.
        columns: String,
    },
    /// The table of a BLAST search; the weight is the bit score.
    BlastTable,
    /// What was done to the points before they were used.
    Prepared(String),
    /// Arrays of Python objects in the same file, which cannot be read.
    ObjectsLeftOut(Vec<String>),
    /// Lines above the table that were skipped.
    LinesSkipped(usize),
    /// A row of units below the header was skipped.
    UnitsSkipped,
    /// The header has several rows, for groups of columns; the names of a column were joined.
    HeaderRowsJoined,
    /// Numbers were written with separators of thousands, as in this example.
    Thousands(String),
    /// Counts of single cells were read as they are.
    RawCounts,
    /// The first line was taken for the header although it starts with `#`.
    HeaderInComment,
    /// Columns that were not used.
    ColumnsIgnored(Vec<String>),
    /// Pairs of integers that were read as points could be edges.
    CouldBeEdges,
    /// No name of the first column occurs in the second: they may be different kinds of items.
    CouldBeDyadic,
    /// Numbers were written with a decimal comma.
    DecimalComma,
    /// The text is not UTF-8; it was read as Latin-1.
    Latin1,
    /// Other arrays in the same file that could be read.
    OtherArrays(Vec<String>),
    /// Ids in a side file that belong to no item.
    UnknownInSideFile {
        /// The side file.
        file: String,
        /// How many.
        count: usize,
        /// The first one.
        example: String,
    },
    /// Items without metadata in a side file.
    AbsentFromSideFile {
        /// The side file.
        file: String,
        /// How many.
        count: usize,
        /// The first one.
        example: String,
    },
    /// The names in a side file are not unique, so they are metadata.
    NamesNotUnique {
        /// The side file.
        file: String,
        /// A name that occurs twice.
        example: String,
    },
    /// A column of the file could not be read and was left out.
    ColumnUnreadable {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
}

impl Note {
    /// Whether the reading is a guess that would ruin the map if it were wrong. The text of such a note has the option
    /// that changes the guess.
    pub fn is_doubt(&self) -> bool {
        matches!(
            self,
            Self::CouldBeEdges
                | Self::CouldBeDyadic
                | Self::CouldBeGraph
                | Self::CouldBePoints
                | Self::CouldBeSimilarities
                | Self::CouldBeDistances
                | Self::SquarePoints
                | Self::TimeIsNoWeight { named: false, .. }
                | Self::DistanceIsNoWeight { .. }
                | Self::EdgesByName { .. }
                | Self::OneColumnDominates { .. }
                | Self::ChanceIsNoWeight { .. }
                | Self::PairsAreDistances { .. }
                | Self::NoWeightChosen { .. }
                | Self::RatingsByShape { .. }
                | Self::OneDimension { .. }
                | Self::RowsAreFeatures { .. }
                | Self::KeysAreColumns
        )
    }
}

impl Loaded {
    /// The notes that say where the reading is a guess.
    pub fn doubts(&self) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(|note| note.is_doubt())
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RepeatedEdges(1) => write!(f, "1 edge was given more than once; the weights were added up"),
            Self::RepeatedEdges(n) => write!(f, "{n} repeated edges; their weights were added up"),
            Self::SelfLoops(1) => write!(f, "1 item has an edge to itself"),
            Self::SelfLoops(n) => write!(f, "{n} items have an edge to themselves"),
            Self::Asymmetric => write!(f, "the similarities are not symmetric; (S + Sᵀ)/2 is used"),
            Self::AsymmetricDistances => {
                write!(f, "the distances are not symmetric; each row's own distances are used")
            }
            Self::CommentsSkipped(1) => write!(f, "1 comment line was skipped"),
            Self::CommentsSkipped(n) => write!(f, "{n} comment lines were skipped"),
            Self::RowsDropped { count: 1, first } => write!(f, "1 row with a missing value was left out: {first}"),
            Self::RowsDropped { count, first } => {
                write!(f, "{count} rows with missing values were left out, the first in {first}")
            }
            Self::MissingFilled { count: 1, first } => {
                write!(f, "1 missing value was replaced by the mean: {first}")
            }
            Self::MissingFilled { count, first } => {
                write!(f, "{count} missing values were replaced by means, the first in {first}")
            }
            Self::CouldBeSimilarities => write!(
                f,
                "small numbers are read as near, large ones as far; if large numbers mean similar (counts, weights), use \
                 --as similarity"
            ),
            Self::CouldBeDistances => {
                write!(f, "large numbers are read as similar; if they mean far apart (distances), use --as distance")
            }
            Self::SquarePoints => write!(
                f,
                "each row is read as a vector; if row i and column i are the same item, use --as similarity, --as distance \
                 or --as graph"
            ),
            Self::CouldBeGraph => write!(
                f,
                "the first column is read as the items and the second as their partners; if both are the same kind of \
                 items, use --as graph"
            ),
            Self::CouldBePoints => write!(
                f,
                "the counts are read as links between items and partners; if they are counts of genes in cells, use --counts, and \
                 if each row is another vector, --as points"
            ),
            Self::Symmetrised { difference } => write!(
                f,
                "the two halves of the matrix differ by rounding (at most {difference}); the mean of both is used"
            ),
            Self::NegativesClipped { count: 1, smallest } => {
                write!(f, "1 negative entry ({smallest}) was replaced by zero")
            }
            Self::NegativesClipped { count, smallest } => {
                write!(f, "{count} negative entries (the smallest is {smallest}) were replaced by zero")
            }
            Self::Correlations => write!(
                f,
                "correlations r are used as distances 1 − r; --as similarity uses r itself, with negative values as zero"
            ),
            Self::TimeIsNoWeight { column, named: true } => {
                write!(f, "not used: column \"{column}\" (time stamps are no weights; --weight {column} uses it)")
            }
            Self::TimeIsNoWeight { column, named: false } => write!(
                f,
                "column \"{column}\" looks like time stamps and is not used as a weight; if it is one, use --weight \
                 {column}"
            ),
            Self::DistanceIsNoWeight { column } => write!(
                f,
                "column \"{column}\" is not used: a larger weight must mean more similar; if it does, use --weight {column}"
            ),
            Self::ChanceIsNoWeight { column } => write!(
                f,
                "column \"{column}\" is not used: a larger weight must mean more similar; turn it into one, such as \
                 −log(p), or use another column (--weight NAME), or leave it out (--ignore {column})"
            ),
            Self::PairsAreDistances { column } => write!(
                f,
                "column \"{column}\" is read as the distance of each pair; if a larger number means more similar, use --as \
                 graph --weight {column}"
            ),
            Self::NoWeightChosen { columns } => write!(
                f,
                "all edges count the same; if one of the columns {} is the weight, use --weight NAME, and otherwise \
                 --ignore them",
                quoted(columns)
            ),
            Self::RatingsByShape { time } => write!(
                f,
                "the columns are read as users, items, ratings and times (column \"{time}\", not used); if the first two \
                 are the same kind of items, use --as graph, and if each row is a vector, --as points"
            ),
            Self::OneDimension { column } => write!(
                f,
                "only the column \"{column}\" has numbers, so items differ by it alone; if the rows are edges, use --as \
                 graph; if it is really all, use --as points"
            ),
            Self::RowsAreFeatures { column } => write!(
                f,
                "the items are the rows (\"{column}\"); to embed the columns (cells, samples), use --transpose, and for the \
                 rows --as points"
            ),
            Self::KeysAreColumns => write!(
                f,
                "each name in the JSON object is read as a column; if it is an item with its vector, use --transpose"
            ),
            Self::UnitsTakenOff(columns) => write!(f, "taken off the numbers: {}", columns.join(", ")),
            Self::OneColumnDominates { column, percent } => write!(
                f,
                "column \"{column}\" has {percent} % of the variance, so it alone decides who is near; --standardize gives \
                 all columns the same weight, --standardize none leaves them as they are"
            ),
            Self::EdgesByName { columns } => write!(
                f,
                "the columns {columns} are read as the ends of edges; if they are coordinates, use --as points"
            ),
            Self::BlastTable => {
                write!(
                    f,
                    "a table of BLAST (outfmt 6): the weight of a pair is its bit score; --weight 3 uses the identity"
                )
            }
            Self::Prepared(what) => f.write_str(what),
            Self::ObjectsLeftOut(names) => {
                write!(f, "not used: {} (arrays of Python objects, which only Python can read)", quoted(names))
            }
            Self::LinesSkipped(1) => write!(f, "1 line above the table was skipped"),
            Self::LinesSkipped(n) => write!(f, "{n} lines above the table were skipped"),
            Self::HeaderRowsJoined => write!(f, "the rows of the header were joined to one name for each column"),
            Self::UnitsSkipped => write!(f, "the row of units below the header was skipped"),
            Self::Thousands(example) => write!(f, "numbers have separators of thousands, as in {example}"),
            Self::RawCounts => write!(
                f,
                "these look like raw counts of cells, and are used as they are; --counts scales each cell to the same total, takes \
                 log(1 + x) and keeps the variable genes"
            ),
            Self::HeaderInComment => {
                write!(
                    f,
                    "the first line starts with # and was read as the header; if it is a comment, use --header no"
                )
            }
            Self::ColumnsIgnored(names) => write!(f, "not used: column {}", quoted(names)),
            Self::CouldBeEdges => {
                write!(f, "the rows are read as points; if they are edges (pairs of integers), use --as graph")
            }
            Self::CouldBeDyadic => write!(
                f,
                "no name of the first column occurs in the second; if they are different kinds of items (authors and \
                 papers), use --as dyadic"
            ),
            Self::DecimalComma => write!(f, "numbers have a decimal comma"),
            Self::Latin1 => write!(f, "the text is not UTF-8; it was read as Latin-1"),
            Self::OtherArrays(names) => write!(f, "the file also contains {}", names.join(", ")),
            Self::UnknownInSideFile { file, count, example } => {
                write!(f, "{file}: {count} of its ids are not in the data (such as \"{example}\") and were ignored")
            }
            Self::AbsentFromSideFile { file, count, example } => {
                write!(f, "{file}: has no metadata for {count} of the items (such as \"{example}\")")
            }
            Self::NamesNotUnique { file, example } => {
                write!(f, "{file}: names occur more than once (such as \"{example}\"), so they are a label, not the id")
            }
            Self::ColumnUnreadable { name, reason } => write!(f, "column \"{name}\" was left out: {reason}"),
        }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}
