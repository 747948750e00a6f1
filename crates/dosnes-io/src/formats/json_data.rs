//! Data in JSON: records, columns, matrices, and graphs as NetworkX, d3 and Cytoscape write them.

use serde_json::{Map, Value};

use crate::error::{Error, Place};
use crate::formats::json::text_of;
use crate::graph::GraphBuilder;
use crate::loaded::Note;
use crate::options::ReadOptions;
use crate::raw::Parsed;
use crate::source::Source;
use crate::text::made::MadeTable;

/// Reads a file with one JSON value, or with one in each line.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let bytes = source.read_all()?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let damaged = |e: serde_json::Error| {
        let place = Place::line(e.line().max(1) as u64);
        Error::malformed(file, place, format!("the JSON is damaged or truncated ({e})"))
    };
    let values = match values_of(bytes) {
        Err(_) if contains_nan(bytes) => values_of(&with_quoted_nan(bytes)),
        values => values,
    };
    let values = values.map_err(damaged)?;
    match values.as_slice() {
        [Value::Object(object)] => of_object(source, object, options),
        [Value::Array(rows)] => of_rows(source, rows, options),
        rows if rows.len() > 1 => of_rows(source, rows, options),
        _ => Err(unknown(file)),
    }
}

fn values_of(bytes: &[u8]) -> Result<Vec<Value>, serde_json::Error> {
    serde_json::Deserializer::from_slice(bytes).into_iter::<Value>().collect()
}

/// Python writes a missing number as NaN, which is no JSON.
const NAN: &[u8] = b"NaN";

fn contains_nan(bytes: &[u8]) -> bool {
    bytes.windows(NAN.len()).any(|window| window == NAN)
}

/// The same, where numbers that are missing are texts, which readers know as missing.
fn with_quoted_nan(bytes: &[u8]) -> Vec<u8> {
    let mut quoted = Vec::with_capacity(bytes.len() + 64);
    let (mut in_text, mut at) = (false, 0);
    while at < bytes.len() {
        if !in_text && bytes[at..].starts_with(NAN) {
            quoted.extend(b"\"NaN\"");
            at += NAN.len();
            continue;
        }
        if bytes[at] == b'"' {
            in_text = !in_text;
        }
        // What follows a backslash does not end the text.
        let length = if in_text && bytes[at] == b'\\' { 2 } else { 1 };
        quoted.extend(&bytes[at..(at + length).min(bytes.len())]);
        at += length;
    }
    quoted
}

fn unknown(file: &str) -> Error {
    let problem = "JSON without a table or a graph in it; records ([{\"a\": 1, …}, …]), columns, a list of rows, node-link \
                   graphs and Cytoscape's graphs can be read";
    Error::unknown_format(file, problem)
}

fn of_object(source: &Source<'_>, object: &Map<String, Value>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let list = |name: &str| object.get(name).and_then(Value::as_array);
    if object.get("format").and_then(Value::as_str) == Some("dosnes-embedding") {
        let problem = format!("a map that dosnes wrote, not data; show it with: dosnes view {file}");
        return Err(Error::unknown_format(file, problem));
    }
    if object.get("type").and_then(Value::as_str) == Some("FeatureCollection") {
        let problem = format!("GeoJSON, places on a map; show them with: dosnes view {file}");
        return Err(Error::unknown_format(file, problem));
    }
    if let (Some(nodes), Some(links)) = (list("nodes"), list("links").or_else(|| list("edges"))) {
        return node_link(file, object, nodes, links, options);
    }
    if let (Some(nodes), Some(adjacency)) = (list("nodes"), list("adjacency")) {
        return neighbor_lists(file, object, nodes, adjacency, options);
    }
    if object.contains_key("matrix_type") && object.contains_key("matrix_element_type") {
        let problem = "a BIOM table; convert it: biom convert -i FILE -o table.tsv --to-tsv";
        return Err(Error::unknown_format(file, problem));
    }
    if object.contains_key("cells") && object.contains_key("nbformat") {
        return Err(Error::unknown_format(file, "a Jupyter notebook, not data"));
    }
    if let Some(graph) = by_name(file, object, options)? {
        return Ok(graph);
    }
    if let Some(elements) = object.get("elements") {
        return cytoscape(file, elements, options);
    }
    if let (Some(columns), Some(data)) = (list("columns"), list("data")) {
        let mut table = MadeTable::default();
        let index = list("index");
        if index.is_some() {
            table.cell("");
        }
        for name in columns {
            table.cell(&text_of(name));
        }
        table.end_row();
        for (k, row) in data.iter().enumerate() {
            if let Some(index) = index {
                table.cell(&index.get(k).map(text_of).unwrap_or_default());
            }
            row.as_array().ok_or_else(|| unknown(file))?.iter().for_each(|cell| push(&mut table, cell));
            table.end_row();
        }
        return table.read(source, source.progress(), Some(true), "JSON table", options);
    }
    if let Some(rows) = list("data") {
        return of_rows(source, rows, options);
    }
    columns(source, object, options)
}

/// `{"nodes": [{"id": …}], "adjacency": [[{"id": …, "weight": …}, …], …]}`, as NetworkX writes it.
fn neighbor_lists(
    file: &str,
    object: &Map<String, Value>,
    nodes: &[Value],
    adjacency: &[Value],
    options: &ReadOptions,
) -> Result<Parsed, Error> {
    let directed = object.get("directed").and_then(Value::as_bool).unwrap_or(false);
    let mut graph = GraphBuilder::default();
    let mut ids = Vec::with_capacity(nodes.len());
    for (k, node) in nodes.iter().enumerate() {
        let id = name_of(node).unwrap_or_else(|| k.to_string());
        let number = graph.declare(file, &id)?;
        attributes(file, &mut graph, number, node)?;
        ids.push(id);
    }
    let order: std::collections::HashMap<&str, usize> =
        ids.iter().enumerate().map(|(k, id)| (id.as_str(), k)).collect();
    for (k, neighbors) in adjacency.iter().enumerate() {
        let from = ids
            .get(k)
            .ok_or_else(|| Error::malformed(file, Place::part("adjacency"), "it has more rows than nodes"))?;
        for link in neighbors.as_array().into_iter().flatten() {
            let to = name_of(link)
                .ok_or_else(|| Error::malformed(file, Place::part("adjacency"), "a neighbour has no id"))?;
            // An undirected edge stands in the lists of both its ends.
            if directed || order.get(to.as_str()).is_none_or(|&other| other >= k) {
                connect(file, &mut graph, (from, &to), link, directed, options)?;
            }
        }
    }
    graph.finish(file, "JSON graph", options)
}

/// `{"a": ["b", "c"], "b": ["a"], …}`: each name with those of its neighbours. `None` if the lists do not consist of names.
fn by_name(file: &str, object: &Map<String, Value>, options: &ReadOptions) -> Result<Option<Parsed>, Error> {
    let lists: Option<Vec<(&String, &Vec<Value>)>> =
        object.iter().map(|(name, value)| value.as_array().map(|list| (name, list))).collect();
    let Some(lists) = lists.filter(|lists| lists.len() > 1) else { return Ok(None) };
    let all = || lists.iter().flat_map(|(_, list)| list.iter());
    let is_name = |value: &Value| value.is_string() || value.is_u64();
    let known = all().filter(|value| object.contains_key(&text_of(value))).count();
    let count = all().count();
    if count == 0 || !all().all(is_name) || 2 * known < count {
        return Ok(None);
    }
    let mut graph = GraphBuilder::default();
    for (name, _) in &lists {
        graph.declare(file, name)?;
    }
    for (name, list) in &lists {
        for other in *list {
            connect(file, &mut graph, (name, &text_of(other)), &Value::Null, true, options)?;
        }
    }
    graph.finish(file, "JSON lists of neighbours", options).map(Some)
}

/// `{"a": {"0": 1, "1": 2}, "b": {…}}`, as pandas writes a table, or `{"a": [1, 2], "b": […]}`.
fn columns(source: &Source<'_>, object: &Map<String, Value>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let mut table = MadeTable::default();
    let mut rows: Vec<String> = Vec::new();
    let is_keyed = object.values().all(Value::is_object);
    match object.values().next() {
        Some(Value::Object(first)) if is_keyed => rows.extend(first.keys().cloned()),
        Some(Value::Array(first)) if object.values().all(Value::is_array) => {
            rows.extend((0..first.len()).map(|k| k.to_string()));
        }
        _ => return Err(unknown(file)),
    }
    // Numbers as keys are in the order of texts.
    if rows.iter().all(|row| row.parse::<u64>().is_ok()) {
        rows.sort_by_key(|row| row.parse::<u64>().unwrap_or(0));
    }
    let is_named = is_keyed && rows.iter().any(|row| row.parse::<u64>().is_err());
    if is_named {
        table.cell("");
    }
    object.keys().for_each(|name| table.cell(name));
    table.end_row();
    for (k, row) in rows.iter().enumerate() {
        if is_named {
            table.cell(row);
        }
        for column in object.values() {
            let cell = column.get(row.as_str()).or_else(|| column.get(k)).unwrap_or(&Value::Null);
            push(&mut table, cell);
        }
        table.end_row();
    }
    let vectors = !is_keyed
        && object.len() > rows.len()
        && object.values().all(|list| list.as_array().is_some_and(|list| list.iter().all(Value::is_number)));
    let mut parsed = table.read(source, source.progress(), Some(true), "JSON columns", options)?;
    if vectors && options.kind.is_none() && !options.transpose {
        parsed.notes.push(Note::KeysAreColumns);
    }
    Ok(parsed)
}

/// The length of the lists of numbers that a member of all records is; `None` if it is something else.
fn vector_length(rows: &[Value], name: &str) -> Option<usize> {
    let length = |row: &Value| {
        let list = row.get(name)?.as_array()?;
        list.iter().all(Value::is_number).then_some(list.len())
    };
    let first = length(rows.first()?)?;
    (first > 0 && rows.iter().all(|row| length(row) == Some(first))).then_some(first)
}

/// Objects with the same keys, or lists of the same length.
fn of_rows(source: &Source<'_>, rows: &[Value], options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let mut table = MadeTable::default();
    if rows.iter().all(Value::is_array) && !rows.is_empty() {
        for row in rows {
            row.as_array().into_iter().flatten().for_each(|cell| push(&mut table, cell));
            table.end_row();
        }
        return table.read(source, source.progress(), options.header, "JSON rows", options);
    }
    let mut names: Vec<&String> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for row in rows {
        let row = row.as_object().ok_or_else(|| unknown(file))?;
        names.extend(row.keys().filter(|name| known.insert(name.as_str())));
    }
    if names.is_empty() {
        return Err(unknown(file));
    }
    let present: usize = rows.iter().filter_map(Value::as_object).map(Map::len).sum();
    if names.len().saturating_mul(rows.len()) > 100 * present + 1_000_000 {
        let problem = "the records have hardly any keys in common, so they are no table";
        return Err(Error::malformed(file, Place::default(), problem));
    }
    // A vector in each record, such as the embedding of a text, becomes a column for each of its numbers.
    let lengths: Vec<Option<usize>> = names.iter().map(|name| vector_length(rows, name)).collect();
    for (name, length) in names.iter().zip(&lengths) {
        match length {
            None => table.cell(name),
            Some(length) => (0..*length).for_each(|k| table.cell(&format!("{name}[{k}]"))),
        }
    }
    table.end_row();
    for row in rows {
        for (name, length) in names.iter().zip(&lengths) {
            let value = row.get(name.as_str()).unwrap_or(&Value::Null);
            match (length, value.as_array()) {
                (Some(_), Some(list)) => list.iter().for_each(|number| push(&mut table, number)),
                _ => push(&mut table, value),
            }
        }
        table.end_row();
    }
    table.read(source, source.progress(), Some(true), "JSON records", options)
}

fn push(table: &mut MadeTable, cell: &Value) {
    match cell {
        Value::Bool(value) => table.cell(if *value { "1" } else { "0" }),
        other => table.cell(&text_of(other)),
    }
}

/// What an object is called: the first of these members.
fn name_of(object: &Value) -> Option<String> {
    ["id", "key", "name", "label"].iter().find_map(|key| object.get(key)).map(text_of)
}

/// `{"nodes": [{"id": …}], "links": [{"source": …, "target": …, "weight": …}]}`. The ends are ids, or the positions of the
/// nodes, as older files of d3 have them.
fn node_link(
    file: &str,
    object: &Map<String, Value>,
    nodes: &[Value],
    links: &[Value],
    options: &ReadOptions,
) -> Result<Parsed, Error> {
    let mut graph = GraphBuilder::default();
    let mut ids = Vec::with_capacity(nodes.len());
    for (k, node) in nodes.iter().enumerate() {
        let id = if node.is_object() { name_of(node).unwrap_or_else(|| k.to_string()) } else { text_of(node) };
        let number = graph.declare(file, &id)?;
        attributes(file, &mut graph, number, node)?;
        ids.push(id);
    }
    let directed = object.get("directed").and_then(Value::as_bool).unwrap_or(false);
    for link in links {
        let end = |names: &[&str]| names.iter().find_map(|name| link.get(name));
        let (Some(from), Some(to)) = (end(&["source", "from"]), end(&["target", "to"])) else {
            return Err(Error::malformed(file, Place::part("links"), "a link has no source or no target"));
        };
        let named = |value: &Value| {
            let value = if value.is_object() { name_of(value).unwrap_or_default() } else { text_of(value) };
            if graph.is_known(&value) {
                value
            } else {
                value.parse().ok().and_then(|k: usize| ids.get(k)).cloned().unwrap_or(value)
            }
        };
        let (from, to) = (named(from), named(to));
        connect(file, &mut graph, (&from, &to), link, directed, options)?;
    }
    graph.finish(file, "JSON graph", options)
}

/// `{"nodes": [{"data": {"id": …}}], "edges": [{"data": {"source": …, "target": …}}]}`, or a list of both.
fn cytoscape(file: &str, elements: &Value, options: &ReadOptions) -> Result<Parsed, Error> {
    let all: Vec<&Value> = match elements {
        Value::Array(list) => list.iter().collect(),
        other => ["nodes", "edges"].iter().filter_map(|part| other.get(part)?.as_array()).flatten().collect(),
    };
    let mut graph = GraphBuilder::default();
    let data: Vec<&Value> = all.into_iter().map(|element| element.get("data").unwrap_or(element)).collect();
    let is_edge = |data: &Value| data.get("source").is_some() && data.get("target").is_some();
    for node in data.iter().filter(|data| !is_edge(data)) {
        let id = name_of(node).ok_or_else(|| Error::malformed(file, Place::part("nodes"), "a node has no id"))?;
        let number = graph.declare(file, &id)?;
        attributes(file, &mut graph, number, node)?;
    }
    for edge in data.iter().filter(|data| is_edge(data)) {
        let (from, to) = (text_of(&edge["source"]), text_of(&edge["target"]));
        connect(file, &mut graph, (&from, &to), edge, false, options)?;
    }
    graph.finish(file, "Cytoscape graph", options)
}

/// The members of a node that are numbers or texts, except what names it.
fn attributes(file: &str, graph: &mut GraphBuilder, node: u32, object: &Value) -> Result<(), Error> {
    for (name, value) in object.as_object().into_iter().flatten() {
        let is_plain = value.is_number() || value.is_string() || value.is_boolean();
        if is_plain && name != "id" && name != "key" {
            graph.set(file, name, node, text_of(value))?;
        }
    }
    Ok(())
}

fn connect(
    file: &str,
    graph: &mut GraphBuilder,
    ends: (&str, &str),
    link: &Value,
    directed: bool,
    options: &ReadOptions,
) -> Result<(), Error> {
    let weight = match &options.weight_column {
        Some(name) => {
            Some(link.get(name).ok_or_else(|| Error::option(file, format!("a link has no \"{name}\" for --weight")))?)
        }
        None => ["weight", "value"].iter().find_map(|name| link.get(name)),
    };
    let ends = (graph.node(file, ends.0)?, graph.node(file, ends.1)?);
    graph.connect(file, ends, weight.map(text_of).as_deref(), directed)
}
