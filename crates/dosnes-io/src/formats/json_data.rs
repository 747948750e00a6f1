//! Data in JSON: records, columns and matrices here, graphs in a module of their own.

use serde_json::{Map, Value};

use super::json_graph::{are_elements, by_name, by_weights, cytoscape, neighbor_lists, node_link, with_id};
use super::json_unreadable;
use crate::column_names::is_id;
use crate::error::{Error, Place};
use crate::formats::json::text_of;
use crate::note::Note;
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
    if let Some(what) = json_unreadable::of_object(object) {
        return Err(Error::unknown_format(file, what));
    }
    if let Some(rows) = bindings(object) {
        return of_rows(source, &rows, options);
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
    // VOSviewer's networks.
    if let Some(Value::Object(network)) = object.get("network")
        && let (Some(Value::Array(nodes)), Some(Value::Array(links))) = (network.get("items"), network.get("links"))
    {
        return node_link(file, network, nodes, links, options);
    }
    // ECharts keeps graphs among its series.
    let is_series = |part: &&Value| part.get("links").or_else(|| part.get("edges")).is_some_and(Value::is_array);
    if let Some(series) = list("series").into_iter().flatten().chain(object.get("series")).find(is_series)
        && let Some(Value::Array(nodes)) = series.get("data").or_else(|| series.get("nodes"))
        && let Some(Value::Array(links)) = series.get("links").or_else(|| series.get("edges"))
    {
        return node_link(file, object, nodes, links, options);
    }
    // The JSON Graph Format has one more level.
    let inner = object.get("graph").or_else(|| list("graphs").and_then(|graphs| graphs.first()));
    if let Some(Value::Object(graph)) = inner
        && let Some(links) = graph.get("edges").and_then(Value::as_array)
    {
        let nodes = match graph.get("nodes") {
            Some(Value::Array(nodes)) => nodes.clone(),
            Some(Value::Object(nodes)) => nodes.iter().map(|(id, node)| with_id(id, node)).collect(),
            _ => Vec::new(),
        };
        return node_link(file, graph, &nodes, links, options);
    }
    if let Some(graph) = by_weights(file, object, options)? {
        return Ok(graph);
    }
    if let Some(parsed) = named_matrix(source, object, options)? {
        return Ok(parsed);
    }
    if are_records(object) {
        return named_records(source, object, options);
    }
    if let Some(rows) = inner_records(object) {
        return of_rows(source, rows, options);
    }
    if let Some(parsed) = named_vectors(source, object, options)? {
        return Ok(parsed);
    }
    columns(source, object, options)
}

/// The records somewhere in an object, as answers of web services have them: `{"count": 2, "results": [{…}, {…}]}`. `None` if
/// there is not one list that is longer than all others together.
fn inner_records(object: &Map<String, Value>) -> Option<&Vec<Value>> {
    const DEEPEST: usize = 3;
    fn collect<'a>(object: &'a Map<String, Value>, depth: usize, found: &mut Vec<&'a Vec<Value>>) {
        for value in object.values() {
            match value {
                Value::Array(list) if list.len() > 1 && list.iter().all(Value::is_object) => found.push(list),
                Value::Object(inner) if depth < DEEPEST => collect(inner, depth + 1, found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    // A table of columns has nothing else in it.
    if object.values().all(|value| value.is_array() || value.is_object()) && object.values().any(Value::is_array) {
        let records = |value: &Value| value.as_array().is_some_and(|list| list.iter().any(Value::is_object));
        object.values().any(records).then_some(())?;
    }
    collect(object, 0, &mut found);
    let longest = found.iter().copied().max_by_key(|list| list.len())?;
    (2 * longest.len() > found.iter().map(|list| list.len()).sum()).then_some(longest)
}

/// The answer to a question in SPARQL: a record for each of its bindings.
fn bindings(object: &Map<String, Value>) -> Option<Vec<Value>> {
    object.get("head")?.get("vars")?;
    let rows = object.get("results")?.get("bindings")?.as_array()?;
    let value = |(name, cell): (&String, &Value)| (name.clone(), cell.get("value").cloned().unwrap_or(Value::Null));
    let record = |row: &Value| row.as_object().map(|row| Value::Object(row.iter().map(value).collect()));
    rows.iter().map(record).collect()
}

/// Whether each member is a record of its own, as pandas writes with `orient="index"`: all have the same keys, and in each of
/// them texts stand beside numbers. A column has one or the other.
fn are_records(object: &Map<String, Value>) -> bool {
    let members: Option<Vec<&Map<String, Value>>> = object.values().map(Value::as_object).collect();
    let Some(members) = members.filter(|members| members.len() > 1) else { return false };
    members.iter().all(|members_of| {
        members_of.keys().eq(members[0].keys())
            && members_of.values().any(Value::is_number)
            && members_of.values().any(Value::is_string)
    })
}

/// `{"a": {"x": 1, "class": "k"}, "b": {…}}`: a row for each name.
fn named_records(source: &Source<'_>, object: &Map<String, Value>, options: &ReadOptions) -> Result<Parsed, Error> {
    let mut table = MadeTable::default();
    table.cell("");
    object.values().next().and_then(Value::as_object).into_iter().flatten().for_each(|(name, _)| table.cell(name));
    table.end_row();
    for (name, record) in object {
        table.cell(name);
        record.as_object().into_iter().flatten().for_each(|(_, cell)| push(&mut table, cell));
        table.end_row();
    }
    table.read(source, source.progress(), Some(true), "JSON records", options)
}

/// `{"labels": ["a", …], "matrix": [[0, 1, …], …]}`: one list of rows, perhaps with one list of as many names.
fn named_matrix(
    source: &Source<'_>,
    object: &Map<String, Value>,
    options: &ReadOptions,
) -> Result<Option<Parsed>, Error> {
    let is_rows = |list: &&Vec<Value>| !list.is_empty() && list.iter().all(Value::is_array);
    let lists = || object.values().filter_map(Value::as_array);
    let (Some(rows), None) = (lists().find(is_rows), lists().filter(is_rows).nth(1)) else { return Ok(None) };
    let width = rows.iter().filter_map(|row| row.as_array().map(Vec::len)).max().unwrap_or(0);
    // Of several lists of texts, the one that is called so has the names.
    let texts = || {
        let of_texts = object.iter().filter_map(|(key, value)| Some((key, value.as_array()?)));
        of_texts.filter(|(_, list)| list.len() == rows.len() && list.iter().all(Value::is_string))
    };
    let names = texts().find(|(key, _)| is_id(key)).or_else(|| texts().next()).map(|(_, list)| list);
    let mut table = MadeTable::default();
    if let Some(names) = names {
        table.cell("");
        let square = width == rows.len();
        (0..width).for_each(|k| table.cell(&if square { text_of(&names[k]) } else { k.to_string() }));
        table.end_row();
    }
    for (k, row) in rows.iter().enumerate() {
        if let Some(names) = names {
            table.cell(&text_of(&names[k]));
        }
        row.as_array().into_iter().flatten().for_each(|cell| push(&mut table, cell));
        table.end_row();
    }
    table.read(source, source.progress(), Some(names.is_some()), "JSON rows", options).map(Some)
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
    let parsed = table.read(source, source.progress(), Some(true), "JSON columns", options)?;
    let are_vectors = object.values().all(|value| is_numbers(value).is_some());
    let doubtful = are_vectors && (object.len() > rows.len() || object.len() >= MANY_COLUMNS);
    Ok(with_doubt(parsed, doubtful.then_some(Note::KeysAreColumns), options))
}

/// So many columns of numbers may be the vectors of items.
const MANY_COLUMNS: usize = 20;

fn with_doubt(mut parsed: Parsed, doubt: Option<Note>, options: &ReadOptions) -> Parsed {
    if options.kind.is_none() && !options.transpose {
        parsed.notes.extend(doubt);
    }
    parsed
}

/// The number of numbers in a list or an object that has nothing else.
fn is_numbers(value: &Value) -> Option<usize> {
    match value {
        Value::Array(list) => list.iter().all(Value::is_number).then_some(list.len()),
        Value::Object(members) => members.values().all(Value::is_number).then_some(members.len()),
        _ => None,
    }
}

/// `{"word": [0.1, 0.2], …}`: vectors with their names, if there are more names than a vector has entries. A table has more rows than
/// columns.
fn named_vectors(
    source: &Source<'_>,
    object: &Map<String, Value>,
    options: &ReadOptions,
) -> Result<Option<Parsed>, Error> {
    let Some(length) = object.values().next().filter(|first| first.is_array()).and_then(is_numbers) else {
        return Ok(None);
    };
    let is_vector = |value: &Value| value.is_array() && is_numbers(value) == Some(length);
    if length == 0 || object.len() <= length || !object.values().all(is_vector) {
        return Ok(None);
    }
    let mut table = MadeTable::default();
    table.cell("");
    (0..length).for_each(|k| table.cell(&k.to_string()));
    table.end_row();
    for (name, vector) in object {
        table.cell(name);
        vector.as_array().into_iter().flatten().for_each(|number| push(&mut table, number));
        table.end_row();
    }
    let parsed = table.read(source, source.progress(), Some(true), "JSON vectors", options)?;
    Ok(Some(with_doubt(parsed, Some(Note::KeysAreItems), options)))
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

/// A record whose members are not objects themselves: `{"a": {"b": 1}}` becomes `{"a.b": 1}`.
fn flat(record: &Value) -> Value {
    const DEEPEST: usize = 6;
    fn put(members: &mut Map<String, Value>, prefix: &str, value: &Value, depth: usize) {
        match value {
            Value::Array(list) if depth < DEEPEST && matches!(list[..], [Value::Object(_)]) => {
                put(members, prefix, &list[0], depth + 1);
            }
            Value::Object(inner) if depth < DEEPEST => {
                for (name, value) in inner {
                    let name = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                    put(members, &name, value, depth + 1);
                }
            }
            other => {
                members.insert(prefix.to_owned(), other.clone());
            }
        }
    }
    let mut members = Map::new();
    put(&mut members, "", record, 0);
    Value::Object(members)
}

/// Objects with the same keys, or lists of the same length.
fn of_rows(source: &Source<'_>, rows: &[Value], options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    if are_elements(rows) {
        return cytoscape(file, &Value::Array(rows.to_vec()), options);
    }
    if let Some(what) = json_unreadable::of_records(rows) {
        return Err(Error::unknown_format(file, what));
    }
    let is_nested = |row: &Value| row.as_object().is_some_and(|row| row.values().any(Value::is_object));
    let flattened: Vec<Value>;
    let rows = if rows.iter().all(Value::is_object) && rows.iter().any(is_nested) {
        flattened = rows.iter().map(flat).collect();
        &flattened[..]
    } else {
        rows
    };
    let mut table = MadeTable::default();
    if rows.iter().all(Value::is_array) && !rows.is_empty() {
        for row in rows {
            row.as_array().into_iter().flatten().for_each(|cell| push(&mut table, cell));
            table.end_row();
        }
        // Names of columns are texts here.
        let all_numbers = rows[0].as_array().is_some_and(|row| row.iter().all(Value::is_number));
        let header = options.header.or(all_numbers.then_some(false));
        return table.read(source, source.progress(), header, "JSON rows", options);
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
