//! What is said about the reading of a file, and which of it is a doubt.

mod text;

pub(crate) use text::quoted;

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
    /// A weight counts minutes or the like, which may be those of a way.
    CouldBeLapses {
        /// Its name.
        column: String,
    },
    /// Rows between the others have sums of them, but were read as items.
    RowsOfTotals {
        /// How many.
        count: usize,
        /// The name of the first one.
        first: String,
    },
    /// Items that are called like sums of the others, such as the world among countries.
    AggregateItems {
        /// Their names.
        names: Vec<String>,
    },
    /// An empty column stands between two parts of a table that look like tables of their own.
    TablesSideBySide {
        /// The columns of the second part.
        columns: Vec<String>,
    },
    /// Each item has the number 0 to itself, so the numbers of the pairs were read as distances.
    ZeroToThemselves,
    /// Edges of a graph have no weight, but numbers of other names.
    EdgeNumbersUnused {
        /// These names.
        names: Vec<String>,
    },
    /// All items have the same coordinates.
    AllTheSame,
    /// Whole numbers that could be classes are used as a coordinate.
    CouldBeClasses {
        /// The column.
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
    /// The members of a JSON object were read as items with their vectors; they could be columns.
    KeysAreItems,
    /// Numbers that may be codes for missing values.
    CouldBeMissing {
        /// The numbers, with commas between them.
        codes: String,
        /// In how many cells.
        count: usize,
        /// The position of the first one.
        first: String,
    },
    /// Numbers that were said to stand for missing values, but occur nowhere.
    CodesAbsent(Vec<String>),
    /// Each row of points could be the numbers of its nearest items.
    CouldBeNeighbors,
    /// The rows of points could be the steps of a hierarchical clustering.
    CouldBeLinkage,
    /// The rows are days or other times; the columns could be the items.
    RowsAreTimes {
        /// The name of a column.
        example: String,
    },
    /// Names of cells stand in a file beside this one, which was read without them.
    NamesBeside {
        /// The folder of both.
        folder: String,
    },
    /// A single column of numbers could be the distances of all pairs.
    CouldBeCondensed {
        /// Of how many items.
        items: usize,
    },
    /// Columns of years, dates or other times were read as coordinates.
    TimesAreCoordinates {
        /// Their names.
        columns: Vec<String>,
    },
    /// A column of integers that go up from row to row was read as a coordinate.
    AscendingCoordinate {
        /// Its name.
        column: String,
    },
    /// A column of numbers in a form that is not read was kept as metadata.
    NumbersAsText {
        /// Its name.
        column: String,
        /// One of its cells.
        example: String,
    },
    /// The weights of a network were so large, or so small, that all were divided by a power of two.
    WeightsDivided {
        /// Its exponent; negative if they were multiplied.
        power: i32,
        /// How many weights were so small beside the largest that they are the smallest number now.
        raised: usize,
    },
    /// A row or column of sums was left out.
    TotalsLeftOut {
        /// `row` or `column`.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// The last row may be a mean or the like of the others.
    LastRowIsSummary {
        /// Its name.
        name: String,
    },
    /// One half of a square matrix was given, and is used for both.
    HalfMirrored,
    /// One half of a square matrix is zero, and the other is used for both.
    HalfOfZeros,
    /// The diagonal of a square matrix was not given.
    DiagonalFilled {
        /// How many entries.
        count: usize,
        /// What they are now.
        value: String,
    },
    /// Lines were read as a time and the two ends of an edge.
    TimesBeforeEnds {
        /// The column with the times.
        column: String,
    },
    /// Signs or units that were taken off numbers, with their columns.
    UnitsTakenOff(Vec<String>),
    /// Flags after numbers, as offices of statistics write them, that were taken off.
    FlagsTakenOff(Vec<String>),
    /// Several words before the numbers were read as one name, as in this example.
    BlanksInNames(String),
    /// Places in a genome were kept as metadata.
    GenomePlaces {
        /// Their names.
        columns: Vec<String>,
        /// Whether their names say so.
        named: bool,
    },
    /// One of several columns that could be weights is used.
    OneOfSeveralWeights {
        /// Its name.
        column: String,
        /// The names of the others.
        others: Vec<String>,
    },
    /// The only coordinates are the latitude and longitude of places.
    PlacesAreCoordinates,
    /// Items have a row for each of their measurements.
    LongForm,
    /// The cells of an end of edges have several names in them.
    SeveralNames {
        /// The name of the column.
        column: String,
        /// One of its cells.
        example: String,
    },
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
    /// Two columns of texts were read as the ends of edges because they have the same names in them.
    EdgesByNames {
        /// The names of the columns.
        columns: String,
    },
    /// The two rows of an array were read as the ends of edges.
    TwoRowsOfEnds,
    /// Empty cells of a square matrix were read as zeros.
    BlanksAreZeros {
        /// How many.
        count: usize,
    },
    /// Columns of codes were read as coordinates.
    CodesAreCoordinates {
        /// Their names.
        columns: Vec<String>,
    },
    /// A sheet was taken because those before it are no tables.
    SheetChosen {
        /// Its name.
        sheet: String,
        /// The names of all others.
        others: Vec<String>,
    },
    /// The table of a BLAST search; the weight is the bit score.
    BlastTable,
    /// What was done to the points before they were used.
    Prepared(String),
    /// Arrays of Python objects in the same file, which cannot be read.
    ObjectsLeftOut(Vec<String>),
    /// Lines above the table that were skipped.
    LinesSkipped(usize),
    /// Rows of units or labels below the header were skipped.
    LabelRowsSkipped(usize),
    /// Lines of text below the table were skipped.
    RemarksSkipped {
        /// How many.
        count: usize,
        /// The first one.
        first: String,
    },
    /// Copies of the header between the rows were skipped.
    HeaderRepeated(usize),
    /// Rows without contents were skipped.
    EmptyRowsSkipped(usize),
    /// Columns without a name and without contents were left out.
    EmptyColumns(usize),
    /// The columns of `true` and `false`, or `yes` and `no`, were read as 1 and 0.
    Booleans,
    /// Crosses were read as 1, and empty cells as 0.
    Crosses,
    /// A first line of numbers was read as the names of the columns.
    NumbersAreHeader {
        /// The first of them.
        first: String,
    },
    /// The rows have about twice as many cells as the line above them, as if decimal commas separated cells.
    TornNumbers {
        /// The number of cells in that line.
        cells: usize,
        /// The number of cells in the rows.
        width: usize,
    },
    /// Points in numbers, as in this example, may separate thousands.
    CouldBeThousands {
        /// The example.
        example: String,
    },
    /// A column of words that is called a weight is not used.
    WordsAreNoWeights {
        /// Its name.
        column: String,
        /// One of the words.
        example: String,
    },
    /// Two columns of whole numbers in rows that were read as points could be the ends of edges.
    ColumnsCouldBeEnds {
        /// The two columns.
        ends: [String; 2],
        /// The columns before and between them.
        others: Vec<String>,
    },
    /// Columns have the names of all rows, as in a square matrix, but there are others too.
    SquareWithMore {
        /// The names of the others.
        others: Vec<String>,
    },
    /// All names of items end in a number with decimals, which may be a cell of its own.
    NumbersInNames {
        /// The column of the names.
        column: String,
        /// One of the names.
        example: String,
    },
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
    Latin1 {
        /// Whether it looks like a text in other letters, such as Cyrillic or Chinese ones.
        foreign: bool,
    },
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
                | Self::EdgesByNames { .. }
                | Self::BlanksAreZeros { .. }
                | Self::TwoRowsOfEnds
                | Self::CodesAreCoordinates { .. }
                | Self::SheetChosen { .. }
                | Self::OneColumnDominates { .. }
                | Self::ChanceIsNoWeight { .. }
                | Self::PairsAreDistances { .. }
                | Self::CouldBeLapses { .. }
                | Self::RowsOfTotals { .. }
                | Self::ZeroToThemselves
                | Self::AllTheSame
                | Self::EdgeNumbersUnused { .. }
                | Self::CouldBeClasses { .. }
                | Self::NoWeightChosen { .. }
                | Self::RatingsByShape { .. }
                | Self::OneDimension { .. }
                | Self::RowsAreFeatures { .. }
                | Self::KeysAreColumns
                | Self::KeysAreItems
                | Self::AggregateItems { .. }
                | Self::TablesSideBySide { .. }
                | Self::CouldBeMissing { .. }
                | Self::CouldBeNeighbors
                | Self::CouldBeLinkage
                | Self::NamesBeside { .. }
                | Self::CouldBeCondensed { .. }
                | Self::TimesAreCoordinates { .. }
                | Self::AscendingCoordinate { .. }
                | Self::NumbersAsText { .. }
                | Self::LastRowIsSummary { .. }
                | Self::HalfOfZeros
                | Self::TimesBeforeEnds { .. }
                | Self::GenomePlaces { named: false, .. }
                | Self::OneOfSeveralWeights { .. }
                | Self::LongForm
                | Self::PlacesAreCoordinates
                | Self::SeveralNames { .. }
                | Self::TornNumbers { .. }
                | Self::CouldBeThousands { .. }
                | Self::WordsAreNoWeights { .. }
                | Self::ColumnsCouldBeEnds { .. }
                | Self::SquareWithMore { .. }
                | Self::NumbersInNames { .. }
                | Self::Latin1 { foreign: true }
        )
    }
}
