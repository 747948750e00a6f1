//! Meanings of column names. All lists of names are here, in lower case.

/// Pairs of names that only the two ends of an edge have, without blanks and signs.
const END_PAIRS: [(&str, &str); 40] = [
    ("source", "target"),
    ("sourceid", "targetid"),
    ("sourcenode", "targetnode"),
    ("sourcename", "targetname"),
    ("from", "to"),
    ("fromid", "toid"),
    ("fromnode", "tonode"),
    ("fromnodeid", "tonodeid"),
    ("fromname", "toname"),
    ("origin", "destination"),
    ("origin", "dest"),
    ("orig", "dest"),
    ("src", "dst"),
    ("src", "dest"),
    ("srcid", "dstid"),
    ("source", "destination"),
    ("source", "sink"),
    ("id1", "id2"),
    ("ida", "idb"),
    ("sender", "receiver"),
    ("sender", "recipient"),
    ("follower", "followee"),
    ("follower", "followed"),
    ("citing", "cited"),
    ("citingpaper", "citedpaper"),
    ("startid", "endid"),
    ("startnode", "endnode"),
    ("ego", "alter"),
    ("caller", "callee"),
    ("exporter", "importer"),
    ("importer", "exporter"),
    ("reporter", "partner"),
    ("parent", "child"),
    ("subject", "object"),
    ("qseqid", "sseqid"),
    ("query", "subject"),
    ("queryid", "subjectid"),
    ("interactora", "interactorb"),
    ("buyer", "seller"),
    ("winner", "loser"),
];

/// Pairs of names that the ends of an edge may have, and coordinates and intervals too.
const POSSIBLE_END_PAIRS: [(&str, &str); 6] =
    [("u", "v"), ("i", "j"), ("a", "b"), ("head", "tail"), ("start", "end"), ("row", "col")];

/// What `1` and `2`, or `a` and `b`, are appended to for the two ends of an edge.
const END_STEMS: [&str; 33] = [
    "node",
    "vertex",
    "gene",
    "protein",
    "author",
    "user",
    "item",
    "person",
    "people",
    "word",
    "term",
    "name",
    "entity",
    "interactor",
    "actor",
    "member",
    "player",
    "team",
    "country",
    "city",
    "station",
    "airport",
    "paper",
    "document",
    "doc",
    "page",
    "tag",
    "species",
    "taxon",
    "drug",
    "symbol",
    "partner",
    "seq",
];

/// Names of two kinds of items that are linked: items, and what they have in common. Without `id` at the end.
const ITEM_SIDES: [&str; 17] = [
    "user", "customer", "client", "author", "reader", "reviewer", "member", "person", "actor", "student", "patient",
    "visitor", "buyer", "document", "doc", "basket", "species",
];
const PARTNER_SIDES: [&str; 25] = [
    "item",
    "movie",
    "film",
    "book",
    "product",
    "paper",
    "article",
    "song",
    "track",
    "artist",
    "game",
    "course",
    "article",
    "term",
    "word",
    "tag",
    "business",
    "restaurant",
    "site",
    "page",
    "venue",
    "event",
    "group",
    "diagnosis",
    "plot",
];

/// The weight of an edge.
const WEIGHTS: [&str; 28] = [
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
    "combined_score",
    "bitscore",
    "bit_score",
    "frequency",
    "freq",
    "number",
    "total",
    "rating",
    "ratings",
    "amount",
    "volume",
    "trips",
    "flow",
    "plays",
    "quantity",
    "cooccurrence",
    "occurrences",
    "passengers",
];

/// Times, which are no weights.
const TIMES: [&str; 18] = [
    "time",
    "times",
    "timestamp",
    "timestamps",
    "time_stamp",
    "date",
    "datetime",
    "date_time",
    "ts",
    "unixtime",
    "unix_time",
    "epoch",
    "created_at",
    "year",
    "month",
    "day",
    "t",
    "period",
];

/// Distances, which are the opposite of weights.
const DISTANCES: [&str; 12] = [
    "distance",
    "distances",
    "dist",
    "length",
    "cost",
    "km",
    "miles",
    "evalue",
    "e_value",
    "e-value",
    "duration",
    "travel_time",
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

/// How certain it is that two columns are the ends of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndNames {
    /// Nothing else has these names.
    Certain,
    /// Coordinates could have these names too.
    Possible,
    /// The two sides are different kinds of items.
    TwoKinds,
}

/// A name without blanks, signs and what stands in parentheses, in lower case: `:START_ID(Person)` is `startid`.
fn plain(name: &str) -> String {
    let name = name.split('(').next().unwrap_or(name);
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The columns that are the two ends of an edge, by their names in the header.
pub(crate) fn find_ends(names: &[String]) -> Option<(usize, usize, EndNames)> {
    let plain: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let position = |name: &str| plain.iter().position(|n| n == name);
    let among = |pairs: &[(&str, &str)]| pairs.iter().find_map(|(from, to)| Some((position(from)?, position(to)?)));
    if let Some((from, to)) = among(&END_PAIRS) {
        return Some((from, to, EndNames::Certain));
    }
    // Names that go on (`gene1`, `gene2`, `gene3`) are a series of measurements, not two ends.
    for (first, second, others) in
        [("1", "2", ["0", "3"]), ("a", "b", ["c", "d"]), ("i", "j", ["h", "k"]), ("x", "y", ["w", "z"])]
    {
        let is_series = |stem: &str| others.iter().any(|other| position(&format!("{stem}{other}")).is_some());
        for stem in END_STEMS.into_iter().filter(|stem| !is_series(stem)) {
            let both = |s: &str, t: &str| Some((position(&format!("{stem}{s}"))?, position(&format!("{stem}{t}"))?));
            if let Some((from, to)) =
                both(first, second).or_else(|| both(&format!("id{first}"), &format!("id{second}")))
            {
                return Some((from, to, EndNames::Certain));
            }
        }
    }
    let side = |list: &[&str]| plain.iter().position(|n| list.contains(&n.strip_suffix("id").unwrap_or(n)));
    if let (Some(item), Some(partner)) = (side(&ITEM_SIDES), side(&PARTNER_SIDES)) {
        return Some((item, partner, EndNames::TwoKinds));
    }
    among(&POSSIBLE_END_PAIRS).map(|(from, to)| (from, to, EndNames::Possible))
}

/// Whether a column with this name contains times.
pub(crate) fn is_time(name: &str) -> bool {
    is_among(name, &TIMES)
}

/// Whether a column with this name contains distances.
pub(crate) fn is_distance(name: &str) -> bool {
    is_among(name, &DISTANCES)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(names: &[&str]) -> Option<(usize, usize, EndNames)> {
        find_ends(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn two_numbered_names_are_ends_but_a_series_is_not() {
        assert_eq!(ends(&["gene1", "gene2", "score"]), Some((0, 1, EndNames::Certain)));
        assert_eq!(ends(&["Protein_A", "Protein_B"]), Some((0, 1, EndNames::Certain)));
        assert_eq!(ends(&["GENE0", "GENE1", "GENE2"]), None);
        assert_eq!(ends(&["station1", "station2", "station3"]), None);
    }
}
