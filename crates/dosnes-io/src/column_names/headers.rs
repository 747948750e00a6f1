//! Which cells only a header has.

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

/// Whether a first row with this cell can only be a header.
pub(crate) fn is_only_in_headers(cell: &str) -> bool {
    ONLY_IN_HEADERS.contains(&cell.to_lowercase().as_str())
}
