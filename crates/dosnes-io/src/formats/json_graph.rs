//! Graphs in JSON, as NetworkX, d3, Cytoscape and others write them.

use serde_json::{Map, Value};

use crate::error::{Error, Place};
use crate::formats::json::text_of;
use crate::graph::GraphBuilder;
use crate::options::ReadOptions;
use crate::raw::Parsed;

/// A node of an object of nodes: its members, and its key as the id.
pub(super) fn with_id(id: &str, node: &Value) -> Value {
    let mut members = node.as_object().cloned().unwrap_or_default();
    members.insert("id".into(), Value::String(id.to_owned()));
    Value::Object(members)
}

/// `{"nodes": [{"id": …}], "adjacency": [[{"id": …, "weight": …}, …], …]}`, as NetworkX writes it.
pub(super) fn neighbor_lists(
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
pub(super) fn by_name(file: &str, object: &Map<String, Value>, options: &ReadOptions) -> Result<Option<Parsed>, Error> {
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

/// `{"a": {"b": 2}, "b": {"a": 2, "c": 1}, …}`: each name with its neighbours and the weights of these edges. `None` if a
/// member is no name of the object, or if there are all pairs, which are a matrix.
pub(super) fn by_weights(
    file: &str,
    object: &Map<String, Value>,
    options: &ReadOptions,
) -> Result<Option<Parsed>, Error> {
    let members: Option<Vec<(&String, &Map<String, Value>)>> =
        object.iter().map(|(name, value)| value.as_object().map(|members| (name, members))).collect();
    let Some(members) = members else { return Ok(None) };
    let n = members.len();
    let entries: usize = members.iter().map(|(_, of)| of.len()).sum();
    let known = members.iter().all(|(_, of)| of.keys().all(|key| object.contains_key(key)));
    if n < 3 || entries == 0 || entries + n >= n * n || !known {
        return Ok(None);
    }
    let mut graph = GraphBuilder::default();
    for (name, _) in &members {
        graph.declare(file, name)?;
    }
    for (name, of) in &members {
        for (other, link) in *of {
            let link = if link.is_number() { serde_json::json!({ "weight": link }) } else { link.clone() };
            connect(file, &mut graph, (name, other), &link, true, options)?;
        }
    }
    graph.finish(file, "JSON lists of neighbours", options).map(Some)
}

/// What the ends of a link are called, whose numbers are no weights.
const ENDS: [&str; 6] = ["source", "from", "source_id", "target", "to", "target_id"];

/// Whether these are the elements of Cytoscape, nodes and edges in one list.
pub(super) fn are_elements(rows: &[Value]) -> bool {
    let is_edge = |row: &Value| row["data"].get("source").is_some() && row["data"].get("target").is_some();
    rows.iter().all(|row| row.get("data").is_some_and(Value::is_object)) && rows.iter().any(is_edge)
}

/// What an object is called: the first of these members.
fn name_of(object: &Value) -> Option<String> {
    ["id", "key", "name", "label"].iter().find_map(|key| object.get(key)).map(text_of)
}

/// `{"nodes": [{"id": …}], "links": [{"source": …, "target": …, "weight": …}]}`. The ends are ids, or the positions of the
/// nodes, as older files of d3 have them.
pub(super) fn node_link(
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
        let (Some(from), Some(to)) = (end(&["source", "from", "source_id"]), end(&["target", "to", "target_id"]))
        else {
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
pub(super) fn cytoscape(file: &str, elements: &Value, options: &ReadOptions) -> Result<Parsed, Error> {
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
    // Graphology, the library of Sigma, keeps them one level deeper.
    match object.get("attributes") {
        Some(inner @ Value::Object(_)) => attributes(file, graph, node, inner),
        _ => Ok(()),
    }
}

fn connect(
    file: &str,
    graph: &mut GraphBuilder,
    ends: (&str, &str),
    link: &Value,
    directed: bool,
    options: &ReadOptions,
) -> Result<(), Error> {
    // Some keep the data of a link one level deeper.
    let inner = || ["attributes", "metadata", "properties", "data"].iter().filter_map(|part| link.get(part));
    let member = |name: &str| link.get(name).or_else(|| inner().find_map(|part| part.get(name)));
    let weight = match &options.weight_column {
        Some(name) => {
            Some(member(name).ok_or_else(|| Error::option(file, format!("a link has no \"{name}\" for --weight")))?)
        }
        None => ["weight", "value", "strength"].iter().find_map(|name| member(name)),
    };
    if weight.is_none() {
        std::iter::once(link)
            .chain(inner())
            .filter_map(Value::as_object)
            .flatten()
            .filter(|(name, value)| value.is_number() && !ENDS.contains(&name.as_str()))
            .for_each(|(name, value)| graph.leave(name, &value.to_string()));
    }
    let ends = (graph.node(file, ends.0)?, graph.node(file, ends.1)?);
    graph.connect(file, ends, weight.map(text_of).as_deref(), directed)
}
