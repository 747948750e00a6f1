//! Meanings of column names. All lists of names are here, in lower case.

/// Pairs of names of the two ends of an edge. `u, v` and `start, end` are not included, because they are also common names of
/// coordinates and intervals.
const END_PAIRS: [(&str, &str); 14] = [
    ("source", "target"),
    ("from", "to"),
    ("origin", "destination"),
    ("src", "dst"),
    ("src", "dest"),
    ("source", "destination"),
    ("node1", "node2"),
    ("node_1", "node_2"),
    ("id1", "id2"),
    ("id_1", "id_2"),
    ("sender", "receiver"),
    ("fromnodeid", "tonodeid"),
    ("follower", "followee"),
    ("citing", "cited"),
];

/// The weight of an edge.
const WEIGHTS: [&str; 14] = [
    "weight",
    "weights",
    "w",
    "count",
    "counts",
    "value",
    "n",
    "strength",
    "similarity",
    "score",
    "frequency",
    "freq",
    "number",
    "total",
];

/// Names of id columns.
const IDS: [&str; 23] = [
    "id",
    "ids",
    "key",
    "index",
    "node",
    "node_id",
    "nodeid",
    "name",
    "names",
    "item",
    "barcode",
    "cell",
    "cell_id",
    "word",
    "token",
    "title",
    "iata",
    "code",
    "symbol",
    "gene",
    "unnamed: 0",
    "__index_level_0__",
    "",
];

/// Those that are ids even if they contain numbers.
const NUMERIC_IDS: [&str; 9] = ["id", "ids", "key", "index", "node", "node_id", "nodeid", "cell_id", "unnamed: 0"];

/// Names of class columns, also with numbers.
const LABELS: [&str; 20] = [
    "label",
    "labels",
    "class",
    "classes",
    "target",
    "species",
    "category",
    "cluster",
    "clusters",
    "group",
    "digit",
    "cell_type",
    "celltype",
    "type",
    "louvain",
    "leiden",
    "community",
    "partition",
    "color",
    "colour",
];

/// Names that only a header has, not a row of data.
const ONLY_IN_HEADERS: [&str; 30] = [
    "id",
    "name",
    "names",
    "label",
    "labels",
    "node",
    "nodes",
    "node_id",
    "source",
    "target",
    "from",
    "to",
    "src",
    "dst",
    "weight",
    "origin",
    "destination",
    "title",
    "key",
    "index",
    "class",
    "category",
    "barcode",
    "type",
    "group",
    "cluster",
    "species",
    "description",
    "author",
    "partner",
];

/// Columns of a written embedding; metadata columns with these names are renamed.
const RESERVED: [&str; 6] = ["id", "x", "y", "z", "lat", "lon"];

/// Names of the latitude and of the longitude in a table that is an embedding.
pub(crate) const LATITUDES: [&str; 2] = ["lat", "latitude"];
pub(crate) const LONGITUDES: [&str; 4] = ["lon", "lng", "long", "longitude"];

fn is_among(name: &str, list: &[&str]) -> bool {
    list.contains(&name.trim().to_lowercase().as_str())
}

/// The columns that are the two ends of an edge, by their names in the header.
pub(crate) fn find_ends(names: &[String]) -> Option<(usize, usize)> {
    let position = |name: &str| names.iter().position(|n| n.trim().eq_ignore_ascii_case(name));
    END_PAIRS.iter().find_map(|(from, to)| Some((position(from)?, position(to)?)))
}

/// Whether a column with this name contains weights.
pub(crate) fn is_weight(name: &str) -> bool {
    is_among(name, &WEIGHTS)
}

/// Whether a column with this name contains ids.
pub(crate) fn is_id(name: &str) -> bool {
    is_among(name, &IDS)
}

/// Whether a column of numbers with this name contains ids.
pub(crate) fn is_numeric_id(name: &str) -> bool {
    is_among(name, &NUMERIC_IDS)
}

/// Whether a column of numbers with this name is a class rather than a coordinate. `y` is one unless there is an `x`.
pub(crate) fn is_label(name: &str, all: &[String]) -> bool {
    let is_y = name.trim().eq_ignore_ascii_case("y");
    is_among(name, &LABELS) || (is_y && !all.iter().any(|n| n.trim().eq_ignore_ascii_case("x")))
}

/// Whether a first row with this cell can only be a header.
pub(crate) fn is_only_in_headers(cell: &str) -> bool {
    ONLY_IN_HEADERS.contains(&cell.to_lowercase().as_str())
}

/// The name of a metadata column in a written embedding.
pub(crate) fn written_name(name: &str) -> String {
    if RESERVED.contains(&name.to_lowercase().as_str()) { format!("input_{name}") } else { name.to_owned() }
}

/// The name that a column had before it was written.
pub(crate) fn original_name(name: String) -> String {
    match name.strip_prefix("input_") {
        Some(original) if written_name(original) == name => original.to_owned(),
        _ => name,
    }
}

/// The column that a user means by `name`: its name, its name ignoring case, or its number, counted from 1.
pub(crate) fn find_column(names: &[String], name: &str) -> Option<usize> {
    names
        .iter()
        .position(|n| n == name)
        .or_else(|| names.iter().position(|n| n.eq_ignore_ascii_case(name)))
        .or_else(|| name.parse::<usize>().ok().filter(|k| (1..=names.len()).contains(k)).map(|k| k - 1))
}
