//! GEXF, as Gephi and `NetworkX` write it.

use std::collections::BTreeMap;

use quick_xml::events::BytesStart;

use crate::error::Error;
use crate::graph::GraphBuilder;
use crate::xml::{GraphReader, attributes, damaged};

/// A file as it is read.
#[derive(Default)]
pub(crate) struct Gexf {
    graph: GraphBuilder,
    /// Titles of the nodes' attributes by their ids, with their defaults.
    titles: BTreeMap<String, (String, Option<String>)>,
    node_attributes: bool,
    attribute: Option<String>,
    directed: bool,
    node: Option<u32>,
    edge: bool,
}

impl GraphReader for Gexf {
    const FORMAT: &'static str = "GEXF";

    fn start(&mut self, file: &str, element: &BytesStart<'_>) -> Result<(), Error> {
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
                    self.graph.set(file, "label", node, label.clone())?;
                }
                for (title, default) in self.titles.values() {
                    if let Some(default) = default {
                        self.graph.set(file, title, node, default.clone())?;
                    }
                }
            }
            "edge" => {
                let (Some(from), Some(to)) = (all.get("source"), all.get("target")) else {
                    return Err(damaged(file, "an edge has no source or target"));
                };
                let ends = (self.graph.node(file, from)?, self.graph.node(file, to)?);
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
                    self.graph.set(file, &title, node, value.clone())?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, _file: &str, name: &str, text: &str) -> Result<(), Error> {
        match name {
            "node" => self.node = None,
            "edge" => self.edge = false,
            "attributes" => self.node_attributes = false,
            "attribute" => self.attribute = None,
            "default" => {
                if let Some((_, default)) = self.attribute.as_ref().and_then(|id| self.titles.get_mut(id)) {
                    *default = Some(text.trim().to_owned());
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
