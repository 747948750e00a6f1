//! `GraphML`: nodes, edges, and their data by declared keys.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::error::Error;
use crate::interpret::Understood;
use crate::options::ReadOptions;
use crate::source::Source;
use crate::xml::{XmlGraph, attributes, damaged};

/// A declared key: what it belongs to, its name, its default.
struct Key {
    node: bool,
    edge: bool,
    name: String,
    default: Option<String>,
}

#[derive(Default)]
struct State {
    graph: XmlGraph,
    keys: HashMap<String, Key>,
    directed: bool,
    /// The element whose data are being read.
    node: Option<u32>,
    edge: Option<OpenEdge>,
    data_key: Option<String>,
    default_of: Option<String>,
    text: String,
}

struct OpenEdge {
    ends: (u32, u32),
    directed: bool,
    weight: Option<String>,
}

/// Reads a file. Nested graphs are read as one.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<(String, Understood), Error> {
    let file = source.name.as_str();
    let mut reader = Reader::from_reader(source.open()?);
    let mut state = State { directed: true, ..State::default() };
    let mut buffer = Vec::new();
    let mut depth = 0_i64;
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|e| damaged(file, &e.to_string()))? {
            Event::Start(element) => {
                depth += 1;
                state.start(file, &element)?;
            }
            Event::Empty(element) => {
                state.start(file, &element)?;
                state.end(file, element.local_name().as_ref())?;
            }
            Event::End(element) => {
                depth -= 1;
                state.end(file, element.local_name().as_ref())?;
            }
            Event::Text(text) => state.text.push_str(&text.xml10_content()),
            Event::CData(text) => state.text.push_str(&text.xml10_content()),
            Event::GeneralRef(reference) => state.text.push_str(&crate::xml::resolve(file, &reference)?),
            Event::Eof => break,
            _ => {}
        }
    }
    if depth > 0 {
        return Err(damaged(file, "it ends before its last element is closed"));
    }
    state.graph.finish(file, "GraphML", "label", options)
}

impl State {
    fn start(&mut self, file: &str, element: &BytesStart<'_>) -> Result<(), Error> {
        self.text.clear();
        match element.local_name().as_ref() {
            "key" => {
                let mut all = attributes(file, element)?;
                let id = all.remove("id").unwrap_or_default();
                let domain = all.remove("for").unwrap_or_else(|| "all".into());
                let name = all.remove("attr.name").unwrap_or_else(|| id.clone());
                let (node, edge) = (domain == "node" || domain == "all", domain == "edge" || domain == "all");
                self.default_of = Some(id.clone());
                self.keys.insert(id, Key { node, edge, name, default: None });
            }
            "graph" => self.directed = attributes(file, element)?.get("edgedefault").is_none_or(|d| d != "undirected"),
            "node" => {
                let all = attributes(file, element)?;
                let id = all.get("id").ok_or_else(|| damaged(file, "a node has no id"))?;
                let node = self.graph.declare(file, id)?;
                self.node = Some(node);
                for key in self.keys.values().filter(|k| k.node) {
                    if let Some(default) = &key.default {
                        self.graph.set(&key.name, node, default.clone());
                    }
                }
            }
            "edge" => {
                let all = attributes(file, element)?;
                let (Some(from), Some(to)) = (all.get("source"), all.get("target")) else {
                    return Err(damaged(file, "an edge has no source or target"));
                };
                let ends = (self.graph.node(from), self.graph.node(to));
                let directed = all.get("directed").map_or(self.directed, |d| d == "true");
                let weight = self.keys.values().find(|k| k.edge && is_weight(&k.name)).and_then(|k| k.default.clone());
                self.edge = Some(OpenEdge { ends, directed, weight });
            }
            "data" => self.data_key = attributes(file, element)?.remove("key"),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, file: &str, name: &str) -> Result<(), Error> {
        match name {
            "default" => {
                if let Some(key) = self.default_of.as_ref().and_then(|id| self.keys.get_mut(id)) {
                    key.default = Some(self.text.trim().to_owned());
                }
            }
            "key" => self.default_of = None,
            "node" => self.node = None,
            "edge" => {
                if let Some(edge) = self.edge.take() {
                    self.graph.connect(file, edge.ends, edge.weight.as_deref(), edge.directed)?;
                }
            }
            "data" => {
                let Some(key) = self.data_key.take() else { return Ok(()) };
                let name = self.keys.get(&key).map_or(key.as_str(), |k| k.name.as_str());
                let text = self.text.trim().to_owned();
                if let Some(edge) = &mut self.edge {
                    if is_weight(name) {
                        edge.weight = Some(text);
                    }
                } else if let Some(node) = self.node {
                    self.graph.set(name, node, text);
                }
            }
            _ => {}
        }
        self.text.clear();
        Ok(())
    }
}

fn is_weight(name: &str) -> bool {
    name.eq_ignore_ascii_case("weight")
}
