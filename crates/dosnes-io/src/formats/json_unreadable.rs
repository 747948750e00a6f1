//! JSON that is neither a table nor a graph: its name, and how to convert it.

use serde_json::{Map, Value};

/// What an object is, if it is known and cannot be read.
pub(super) fn of_object(object: &Map<String, Value>) -> Option<String> {
    let has = |names: &[&str]| names.iter().all(|name| object.contains_key(*name));
    let what = if has(&["matrix_type", "matrix_element_type"]) {
        "a BIOM table; convert it: biom convert -i FILE -o table.tsv --to-tsv"
    } else if has(&["cells", "nbformat"]) {
        "a Jupyter notebook, not data"
    } else if has(&["data", "layout"]) {
        "a figure of Plotly, not data; save the table that it was made from"
    } else if has(&["results", "errors"]) && contains(object, "relationships", 0) {
        NEO4J
    } else if object.get("children").is_some_and(Value::is_array) {
        "a tree (children within children); make a table of pairs (parent, child) of it first"
    } else {
        return None;
    };
    Some(what.to_owned())
}

const NEO4J: &str = "nodes and relationships of Neo4j; export pairs there as CSV: MATCH (a)-[r]->(b) RETURN a.name AS source, \
                     b.name AS target";

/// What a list of records is, if it is known and cannot be read.
pub(super) fn of_records(rows: &[Value]) -> Option<String> {
    let is = |row: &Value, kind: &str| row.get("type").and_then(Value::as_str) == Some(kind);
    let of_neo4j = rows.iter().all(|row| is(row, "node") || is(row, "relationship"));
    (of_neo4j && rows.iter().any(|row| is(row, "relationship"))).then(|| NEO4J.to_owned())
}

/// Whether a member of this name is somewhere within.
fn contains(object: &Map<String, Value>, name: &str, depth: usize) -> bool {
    const DEEPEST: usize = 6;
    let within = |value: &Value| match value {
        Value::Object(inner) => contains(inner, name, depth + 1),
        Value::Array(list) => list.iter().filter_map(Value::as_object).any(|inner| contains(inner, name, depth + 1)),
        _ => false,
    };
    depth < DEEPEST && (object.contains_key(name) || object.values().any(within))
}
