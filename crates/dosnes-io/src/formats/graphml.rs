//! `GraphML`: nodes, edges, and their data by declared keys.

use std::collections::BTreeMap;

use quick_xml::events::BytesStart;

use crate::error::Error;
use crate::graph::GraphBuilder;
use crate::xml::{GraphReader, attributes, damaged};

/// A declared key: what it belongs to, its name, its default.
struct Key {
    node: bool,
    edge: bool,
    name: String,
    default: Option<String>,
}

/// A file as it is read.
pub(crate) struct GraphMl {
    graph: GraphBuilder,
    keys: BTreeMap<String, Key>,
    directed: bool,
    /// The element whose data are being read.
    node: Option<u32>,
    edge: Option<OpenEdge>,
    data_key: Option<String>,
    default_of: Option<String>,
}

struct OpenEdge {
    ends: (u32, u32),
    directed: bool,
    weight: Option<String>,
}

impl Default for GraphMl {
    /// Edges are directed until the graph says otherwise.
    fn default() -> Self {
        Self {
            graph: GraphBuilder::default(),
            keys: BTreeMap::new(),
            directed: true,
            node: None,
            edge: None,
            data_key: None,
            default_of: None,
        }
    }
}

impl GraphReader for GraphMl {
    const FORMAT: &'static str = "GraphML";

    fn start(&mut self, file: &str, element: &BytesStart<'_>) -> Result<(), Error> {
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
                        self.graph.set(file, &key.name, node, default.clone())?;
                    }
                }
            }
            "edge" => {
                let all = attributes(file, element)?;
                let (Some(from), Some(to)) = (all.get("source"), all.get("target")) else {
                    return Err(damaged(file, "an edge has no source or target"));
                };
                let ends = (self.graph.node(file, from)?, self.graph.node(file, to)?);
                let directed = all.get("directed").map_or(self.directed, |d| d == "true");
                let weight = self.keys.values().find(|k| k.edge && is_weight(&k.name)).and_then(|k| k.default.clone());
                self.edge = Some(OpenEdge { ends, directed, weight });
            }
            "data" => self.data_key = attributes(file, element)?.remove("key"),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, file: &str, name: &str, text: &str) -> Result<(), Error> {
        match name {
            "default" => {
                if let Some(key) = self.default_of.as_ref().and_then(|id| self.keys.get_mut(id)) {
                    key.default = Some(text.trim().to_owned());
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
                let text = text.trim().to_owned();
                if let Some(edge) = &mut self.edge {
                    if is_weight(name) {
                        edge.weight = Some(text);
                    } else {
                        self.graph.leave(name, &text);
                    }
                } else if let Some(node) = self.node {
                    self.graph.set(file, name, node, text)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn into_graph(self) -> GraphBuilder {
        self.graph
    }
}

/// `weight`, or what has this word in its name, such as `Edge Weight`.
fn is_weight(name: &str) -> bool {
    name.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("weight"))
        || matches!(name, "edgeWeight" | "EdgeWeight")
}
