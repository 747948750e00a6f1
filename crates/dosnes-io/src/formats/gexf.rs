//! GEXF, as Gephi and `NetworkX` write it.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::error::Error;
use crate::interpret::Understood;
use crate::options::ReadOptions;
use crate::source::Source;
use crate::xml::{XmlGraph, attributes, damaged};

#[derive(Default)]
struct State {
    graph: XmlGraph,
    /// Titles of the nodes' attributes by their ids, with their defaults.
    titles: HashMap<String, (String, Option<String>)>,
    node_attributes: bool,
    attribute: Option<String>,
    directed: bool,
    node: Option<u32>,
    edge: bool,
    text: String,
}

/// Reads a file.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<(String, Understood), Error> {
    let file = source.name.as_str();
    let mut reader = Reader::from_reader(source.open()?);
    let mut state = State::default();
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
                state.end(element.local_name().as_ref());
            }
            Event::End(element) => {
                depth -= 1;
                state.end(element.local_name().as_ref());
            }
            Event::Text(text) => state.text.push_str(&text.xml10_content()),
            Event::GeneralRef(reference) => state.text.push_str(&crate::xml::resolve(file, &reference)?),
            Event::Eof => break,
            _ => {}
        }
    }
    if depth > 0 {
        return Err(damaged(file, "it ends before its last element is closed"));
    }
    state.graph.finish(file, "GEXF", "label", options)
}

impl State {
    fn start(&mut self, file: &str, element: &BytesStart<'_>) -> Result<(), Error> {
        self.text.clear();
        let all = attributes(file, element)?;
        match element.local_name().as_ref() {
            // GEXF's own default is undirected.
            "graph" => self.directed = all.get("defaultedgetype").is_some_and(|t| t == "directed"),
            "attributes" => self.node_attributes = all.get("class").is_some_and(|c| c == "node"),
            "attribute" if self.node_attributes => {
                if let Some(id) = all.get("id") {
                    let title = all.get("title").unwrap_or(id).clone();
                    self.titles.insert(id.clone(), (title, None));
                    self.attribute = Some(id.clone());
                }
            }
            "node" => {
                let id = all.get("id").ok_or_else(|| damaged(file, "a node has no id"))?;
                let node = self.graph.declare(file, id)?;
                self.node = Some(node);
                if let Some(label) = all.get("label") {
                    self.graph.set("label", node, label.clone());
                }
                for (title, default) in self.titles.values() {
                    if let Some(default) = default {
                        self.graph.set(title, node, default.clone());
                    }
                }
            }
            "edge" => {
                let (Some(from), Some(to)) = (all.get("source"), all.get("target")) else {
                    return Err(damaged(file, "an edge has no source or target"));
                };
                let ends = (self.graph.node(from), self.graph.node(to));
                let directed = match all.get("type").map(String::as_str) {
                    Some("directed") => true,
                    Some("undirected" | "mutual") => false,
                    _ => self.directed,
                };
                self.edge = true;
                self.graph.connect(file, ends, all.get("weight").map(String::as_str), directed)?;
            }
            "attvalue" => {
                let key = all.get("for").or_else(|| all.get("id"));
                if let (Some(node), false, Some(key), Some(value)) = (self.node, self.edge, key, all.get("value")) {
                    let title = self.titles.get(key).map_or(key.as_str(), |(title, _)| title.as_str()).to_owned();
                    self.graph.set(&title, node, value.clone());
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &str) {
        match name {
            "node" => self.node = None,
            "edge" => self.edge = false,
            "attributes" => self.node_attributes = false,
            "attribute" => self.attribute = None,
            "default" => {
                if let Some((_, default)) = self.attribute.as_ref().and_then(|id| self.titles.get_mut(id)) {
                    *default = Some(self.text.trim().to_owned());
                }
            }
            _ => {}
        }
        self.text.clear();
    }
}
