//! The sentences in which notes are told, with the options that change a guess.

use std::fmt;

use super::Note;

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
            Self::CouldBeLapses { column } => write!(
                f,
                "column \"{column}\" is read as a weight, so that more of it means more similar, which --as graph confirms; if it \
                 is the time that a way takes, use --as distance --weight {}",
                shell(column)
            ),
            Self::RowsOfTotals { count, first } => write!(
                f,
                "rows such as \"{first}\" ({count} of them) have the sums of those above, but are used as items; delete them from \
                 the file, or use --as points"
            ),
            Self::AggregateItems { names } => write!(
                f,
                "items such as {} may be sums of the others, and are near to all of them then; delete their rows from the file, or, \
                 if they are items like the others, confirm the kind of the data with --as",
                quoted(&names[..names.len().min(3)])
            ),
            Self::TablesSideBySide { columns } if columns.len() <= 4 => write!(
                f,
                "an empty column stands between two parts of the table, which are read as one; if they are two tables, keep the \
                 first one with{}, and otherwise confirm the kind of the data with --as",
                ignoring(columns)
            ),
            Self::TablesSideBySide { columns } => write!(
                f,
                "an empty column stands before column \"{}\", but all columns are read as one table; if these are two tables, save \
                 each of them as a file of its own, and otherwise confirm the kind of the data with --as",
                columns[0]
            ),
            Self::ZeroToThemselves => write!(
                f,
                "the number of each item and itself is 0, so these are read as distances; if a larger number means more \
                 similar, use --as graph"
            ),
            Self::EdgeNumbersUnused { names } => write!(
                f,
                "all edges count the same, although they have numbers: \"{}\"; if one of them is the weight, name it weight in the \
                 file (DOT, GML and JSON: --weight NAME), and otherwise use --as graph",
                names.join("\", \"")
            ),
            Self::AllTheSame => write!(
                f,
                "all items have the same coordinates, so a map of them has no meaning; look at the columns with dosnes info, and \
                 use --as points if it is so"
            ),
            Self::CouldBeClasses { column } => write!(
                f,
                "column \"{column}\" has a few whole numbers, as classes have, but is used as a coordinate; if these are \
                 classes, use --labels {column}, and if it is a coordinate, --as points"
            ),
            Self::NoWeightChosen { columns } => write!(
                f,
                "all edges count the same; if one of the columns {} is the weight, use --weight NAME, and otherwise \
                 --ignore them; if each row is an item, use --as points",
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
            Self::KeysAreItems => write!(
                f,
                "each name in the JSON object is read as an item with its vector; if it is a column, use --transpose"
            ),
            Self::CouldBeMissing { codes, count, first } => write!(
                f,
                "{codes} is far from all other numbers of its column ({}{first}); if it means that a value is missing, use \
                 --na={codes} --missing drop (or mean); if it is a number, --as points",
                if *count == 1 { String::new() } else { format!("{count} cells, the first in ") }
            ),
            Self::CodesAbsent(codes) => write!(f, "--na: {} occurs in no coordinate", codes.join(", ")),
            Self::CouldBeNeighbors => write!(
                f,
                "the rows are read as points, but look like the numbers of each item's nearest items; if they are, write pairs (item, \
                 nearest item) and use --as graph, and otherwise --as points"
            ),
            Self::CouldBeLinkage => write!(
                f,
                "the rows are read as points, but look like the steps of a hierarchical clustering (linkage in SciPy); give the data \
                 that it was made from, and otherwise use --as points"
            ),
            Self::RowsAreTimes { example } => write!(
                f,
                "each row is a date and is read as an item; if the columns are the items, such as \"{example}\", use --transpose"
            ),
            Self::NamesBeside { folder } => write!(
                f,
                "the rows are read as the items, but names of cells stand beside this file; give the folder to read the cells: \
                 {folder}, or confirm the kind of the data with --as"
            ),
            Self::CouldBeCondensed { items } => write!(
                f,
                "each number is read as an item; if these are the distances of all pairs of {items} items, write the whole \
                 matrix (squareform in SciPy, as.matrix in R), and otherwise use --as points"
            ),
            Self::TimesAreCoordinates { columns } => write!(
                f,
                "times are used as coordinates: column {}; --labels keeps such a column as metadata, --ignore leaves it \
                 out, and --as points uses it",
                quoted(columns)
            ),
            Self::AscendingCoordinate { column } => write!(
                f,
                "column \"{column}\" goes up from row to row, but is used as a coordinate; if it names the items, use \
                 --id {0}, and if it is a coordinate, --as points",
                shell(column)
            ),
            Self::NumbersAsText { column, example } => write!(
                f,
                "column \"{column}\" is kept as metadata, since \"{example}\" is not a form of numbers that is read; \
                 write plain numbers, or say that it is metadata: --labels {}",
                shell(column)
            ),
            Self::WeightsDivided { power, .. } if *power < 0 => {
                write!(f, "all weights are smaller than 1e-150, so they were multiplied by 2^{}", -power)
            }
            Self::WeightsDivided { power, raised: 0 } => {
                write!(f, "weights are larger than 1e150, so all were divided by 2^{power}")
            }
            Self::WeightsDivided { power, raised } => write!(
                f,
                "weights are larger than 1e150, so all were divided by 2^{power}; {raised} that are too small beside them \
                 became the smallest number, 2e-308"
            ),
            Self::TotalsLeftOut { what, name } => {
                write!(f, "the last {what}, \"{name}\", is the sum of the others, and was left out")
            }
            Self::LastRowIsSummary { name } => write!(
                f,
                "the last row is called \"{name}\", but is used as an item; if it is none, delete it from the file, and \
                 otherwise use --as points"
            ),
            Self::HalfMirrored => write!(f, "only one half of the matrix is given; it is used for both"),
            Self::HalfOfZeros => write!(
                f,
                "one half of the matrix is zero, so the other one is used for both; if each row is a vector, use --as \
                 points, and if these are edges, --as graph"
            ),
            Self::DiagonalFilled { value, .. } => write!(f, "the diagonal is not given; it is taken to be {value}"),
            Self::TimesBeforeEnds { column } => write!(
                f,
                "column \"{column}\" is read as the time of an edge between the two names after it; if it is an end of \
                 the edge, use --as graph --weight 3"
            ),
            Self::UnitsTakenOff(columns) if columns.len() > 4 => {
                write!(f, "taken off the numbers: {}, … ({} columns)", columns[..3].join(", "), columns.len())
            }
            Self::UnitsTakenOff(columns) => write!(f, "taken off the numbers: {}", columns.join(", ")),
            Self::FlagsTakenOff(flags) => write!(f, "flags taken off the numbers: {}", quoted(flags)),
            Self::BlanksInNames(example) => {
                write!(f, "the words before the numbers are one name, as in \"{example}\"")
            }
            Self::GenomePlaces { columns, named: true } => {
                write!(f, "places in a genome are metadata: column {}", quoted(columns))
            }
            Self::GenomePlaces { columns, named: false } => write!(
                f,
                "the rows look like places in a genome, and their columns {} are not used; if these are coordinates, use --as \
                 points, and otherwise make a table of samples first",
                quoted(columns)
            ),
            Self::OneOfSeveralWeights { column, others } => write!(
                f,
                "column \"{column}\" is used as the weight, but {} could be it too; choose with --weight NAME",
                quoted(others)
            ),
            Self::PlacesAreCoordinates => write!(
                f,
                "items differ only by their latitude and longitude, so the map shows where they are; if that is wanted, use --as \
                 points, and to show places on the globe as they are, dosnes view"
            ),
            Self::LongForm => write!(
                f,
                "each row is read as an item, but names recur as if items had several rows, one for each measurement; make a \
                 table with one row for each item first (pivot in pandas, pivot_wider in R), or use --as points"
            ),
            Self::SeveralNames { column, example } => write!(
                f,
                "column \"{column}\" has several names in a cell, as in \"{example}\", and each such cell is read as one name; \
                 write a line for each pair, or, if it is one name, use --as graph"
            ),
            Self::OneColumnDominates { column, percent } => write!(
                f,
                "column \"{column}\" has {percent} % of the variance, so it alone decides who is near; --standardize gives \
                 all columns the same weight, --standardize none leaves them as they are"
            ),
            Self::EdgesByName { columns } => write!(
                f,
                "the columns {columns} are read as the ends of edges; if they are coordinates, use --as points"
            ),
            Self::EdgesByNames { columns } => write!(
                f,
                "the columns {columns} have the same names in them, so they are read as the ends of edges; if each row is an \
                 item, use --as points"
            ),
            Self::TwoRowsOfEnds => {
                write!(
                    f,
                    "the two rows are read as the ends of edges, which --as graph confirms; if the columns are points, use --transpose"
                )
            }
            Self::BlanksAreZeros { count } => write!(
                f,
                "{count} empty cells of the square matrix are read as zero (no link), which --as graph confirms; if they are \
                 unknown, use --missing drop or --missing mean"
            ),
            Self::CodesAreCoordinates { columns } => write!(
                f,
                "codes are used as coordinates: column {}; --labels keeps such a column as metadata, --ignore leaves it out, \
                 and --as points uses it; if rows are pairs of such codes, rename them to source and target",
                quoted(columns)
            ),
            Self::SheetChosen { sheet, others } => write!(
                f,
                "sheet \"{sheet}\" is the first one that can be used; --array chooses a sheet, here also {}",
                quoted(others)
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
            Self::Crosses => write!(f, "crosses were read as 1, and empty cells as 0"),
            Self::NumbersAreHeader { first } => write!(
                f,
                "the first line ({first}, …) is read as the names of the columns; if it is data, use --header no"
            ),
            Self::TornNumbers { cells, width } => write!(
                f,
                "the line above the table has {cells} cells and the rows have {width}, as if numbers had decimal commas between \
                 commas; write them with a point, or put semicolons between the cells; if that line is a title, use --skip 1"
            ),
            Self::CouldBeThousands { example } => write!(
                f,
                "numbers such as {example} are read with a decimal point; if the point separates thousands, take it out, and \
                 otherwise use --as points"
            ),
            Self::WordsAreNoWeights { column, example } => write!(
                f,
                "all edges count the same: column \"{column}\" has words such as \"{example}\"; write numbers (≥ 0) instead, \
                 leave out edges that mean the opposite, or use --ignore {}",
                shell(column)
            ),
            Self::ColumnsCouldBeEnds { ends: [from, to], others } => {
                let ignored = ignoring(others);
                write!(
                    f,
                    "the rows are read as points, but columns {from} and {to} have the same whole numbers in them; if they are \
                     the ends of edges, use --as graph{ignored} (and --weight NAME, if one of the others is the weight), and \
                     otherwise --as points"
                )
            }
            Self::SquareWithMore { others } => {
                let ignored = ignoring(others);
                write!(
                    f,
                    "each row is read as a vector, but the other columns have the names of the rows; if these are a square \
                     matrix, use{ignored}, and otherwise --as points"
                )
            }
            Self::NumbersInNames { column, example } => write!(
                f,
                "all names in column \"{column}\" end in a number, as in \"{example}\"; if it is a coordinate, put the same \
                 separator between all cells, and otherwise use --id {}",
                shell(column)
            ),
            Self::HeaderRowsJoined => write!(f, "the rows of the header were joined to one name for each column"),
            Self::LabelRowsSkipped(1) => write!(f, "the row of units or labels below the header was skipped"),
            Self::LabelRowsSkipped(n) => write!(f, "{n} rows of labels below the header were skipped"),
            Self::RemarksSkipped { count: 1, first } => write!(f, "1 line below the table was skipped: \"{first}\""),
            Self::RemarksSkipped { count, first } => {
                write!(f, "{count} lines below the table were skipped, from \"{first}\" on")
            }
            Self::HeaderRepeated(1) => write!(f, "the header occurs once more between the rows, and was skipped there"),
            Self::HeaderRepeated(n) => {
                write!(f, "the header occurs {n} more times between the rows, and was skipped there")
            }
            Self::EmptyRowsSkipped(1) => write!(f, "1 empty row was skipped"),
            Self::EmptyRowsSkipped(n) => write!(f, "{n} empty rows were skipped"),
            Self::EmptyColumns(n) => write!(f, "{n} columns without a name and without contents were left out"),
            Self::Booleans => write!(f, "true and false, or yes and no, are read as 1 and 0"),
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
            Self::Latin1 { foreign: true } => write!(
                f,
                "the text is not UTF-8 and was read as Latin-1, but looks like other letters; save the file as UTF-8 (iconv -f \
                 CP1251 -t UTF-8, or with GBK, SHIFT_JIS, …)"
            ),
            Self::Latin1 { foreign: false } => write!(
                f,
                "the text is not UTF-8; it was read as Latin-1. If names look wrong, save the file as UTF-8 (iconv -f GBK -t \
                 UTF-8, for example)"
            ),
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

pub(crate) fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

/// The options that leave these columns out, each after a blank.
fn ignoring(names: &[String]) -> String {
    names.iter().flat_map(|name| [" --ignore ".to_owned(), shell(name)]).collect()
}

/// A name as one word of a command line.
fn shell(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-.:".contains(c));
    if plain { name.to_owned() } else { format!("\"{name}\"") }
}
