//! What `GraphML` and GEXF share: XML events, attributes, and a graph whose nodes have columns.

use std::collections::HashMap;

use dosnes::input::{Column, Items};
use quick_xml::XmlVersion;
use quick_xml::events::{BytesRef, BytesStart};

use crate::columns::numbers_if_possible;
use crate::edges::{Interner, graph_matrix};
use crate::error::{Error, Place, forbidden_weight};
use crate::formats::edge_list::graph_dataset;
use crate::interpret::Understood;
use crate::loaded::Note;
use crate::options::ReadOptions;
use dosnes::Kind;

/// The attributes of an element, by name without prefix.
pub(crate) fn attributes(file: &str, element: &BytesStart<'_>) -> Result<HashMap<String, String>, Error> {
    let mut all = HashMap::new();
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|e| damaged(file, &e.to_string()))?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|e| damaged(file, &e.to_string()))?;
        all.insert(attribute.key.local_name().as_ref().to_owned(), value.into_owned());
    }
    Ok(all)
}

pub(crate) fn damaged(file: &str, problem: &str) -> Error {
    Error::malformed(file, Place::default(), format!("the XML is damaged or truncated ({problem})"))
}

/// A graph as it is gathered from XML.
#[derive(Default)]
pub(crate) struct XmlGraph {
    pub(crate) nodes: Interner,
    /// The nodes' values: column, node, text.
    pub(crate) values: Vec<(u32, u32, String)>,
    pub(crate) columns: Interner,
    pub(crate) arcs: Vec<(u32, u32, f64)>,
    pub(crate) edges: Vec<(u32, u32, f64)>,
    /// How many of the nodes were declared, rather than only met as the end of an edge.
    pub(crate) declared: Vec<bool>,
}

impl XmlGraph {
    /// A declared node; twice is an error.
    pub(crate) fn declare(&mut self, file: &str, id: &str) -> Result<u32, Error> {
        let node = self.node(id);
        if std::mem::replace(&mut self.declared[node as usize], true) {
            return Err(Error::DuplicateId { file: file.to_owned(), place: Place::default(), id: id.to_owned() });
        }
        Ok(node)
    }

    pub(crate) fn node(&mut self, id: &str) -> u32 {
        let (node, new) = self.nodes.intern(id);
        if new {
            self.declared.push(false);
        }
        node
    }

    pub(crate) fn set(&mut self, column: &str, node: u32, value: String) {
        let column = self.columns.intern(column).0;
        self.values.push((column, node, value));
    }

    pub(crate) fn connect(
        &mut self,
        file: &str,
        ends: (u32, u32),
        weight: Option<&str>,
        directed: bool,
    ) -> Result<(), Error> {
        let weight = match weight {
            None => 1.0,
            Some(text) => {
                let (from, to) = (self.nodes.get(ends.0), self.nodes.get(ends.1));
                let place = || Place::part(format!("edge from \"{from}\" to \"{to}\""));
                let value: f64 = text
                    .trim()
                    .parse()
                    .map_err(|_| Error::value(file, place(), format!("weight \"{text}\" is not a number")))?;
                if let Some(problem) = forbidden_weight(value, "weight") {
                    return Err(Error::value(file, place(), problem));
                }
                value
            }
        };
        let edge = (ends.0, ends.1, weight);
        if directed {
            self.arcs.push(edge);
        } else {
            self.edges.push(edge);
        }
        Ok(())
    }

    /// The dataset. `name_column` replaces the nodes' ids as names where it is unique, as users know nodes by it.
    pub(crate) fn finish(
        self,
        file: &str,
        format: &str,
        name_column: &str,
        options: &ReadOptions,
    ) -> Result<(String, Understood), Error> {
        if let Some(kind @ (Kind::Points | Kind::Distance | Kind::Dyadic)) = options.kind {
            return Err(Error::option(file, format!("this is a graph, which cannot be read as {kind}")));
        }
        let n = self.nodes.len();
        if n == 0 {
            return Err(Error::empty(file, "there are no nodes in it"));
        }
        if self.arcs.is_empty() && self.edges.is_empty() {
            return Err(Error::empty(file, "the graph has no edges"));
        }
        if let Some(k) = self.declared.iter().position(|d| !d) {
            let id = self.nodes.get(k as u32);
            let problem = format!("an edge ends at \"{id}\", but there is no node of that name");
            return Err(Error::UnknownId { file: file.to_owned(), place: Place::default(), problem });
        }
        let mut notes = Vec::new();
        let names = self.columns.into_names();
        let mut columns = vec![vec![String::new(); n]; names.len()];
        for (column, node, value) in self.values {
            columns[column as usize][node as usize] = value;
        }
        let mut items = Items { ids: self.nodes.into_names(), columns: Vec::new() };
        for (name, values) in names.into_iter().zip(columns) {
            let wanted = match &options.id_column {
                Some(asked) => *asked == name,
                None => name == name_column,
            };
            if wanted && crate::columns::is_unique(&values) {
                let ids = std::mem::replace(&mut items.ids, values);
                if items.ids != ids {
                    items.columns.push(Column { name: "node".into(), values: numbers_if_possible(ids) });
                }
                continue;
            }
            if wanted && options.id_column.is_some() {
                crate::columns::check_ids(file, &values, |row| Place::default().row(row).column(name.clone()))?;
            }
            if wanted && items.ids == values {
                continue;
            }
            if wanted && let Some(k) = crate::columns::first_repeated(&values) {
                notes.push(Note::NamesNotUnique { file: file.to_owned(), example: values[k].clone() });
            }
            items.columns.push(Column { name, values: numbers_if_possible(values) });
        }
        let travelling: Vec<String> = items.columns.iter().map(|c| c.name.clone()).collect();
        let shape = format!("{format}, {n} nodes, {} edges", self.arcs.len() + self.edges.len());
        let mirrored = options.directed == Some(false) || (options.directed.is_none() && self.arcs.is_empty());
        let mut arcs = self.arcs;
        let both = options.directed.is_none() && !mirrored;
        for (i, j, weight) in self.edges {
            arcs.push((i, j, weight));
            if both && i != j {
                arcs.push((j, i, weight));
            }
        }
        let (matrix, more) =
            graph_matrix(n, arcs, mirrored).map_err(|error| Error::matrix(file, Place::default(), error))?;
        notes.extend(more);
        let mut understood = graph_dataset(items, matrix, mirrored, options, notes);
        understood.add_columns(&travelling);
        Ok((shape, understood))
    }
}

/// The text that `&name;` or `&#number;` stands for. Only XML's own five names are known: no entity is ever expanded.
pub(crate) fn resolve(file: &str, reference: &BytesRef<'_>) -> Result<String, Error> {
    if let Some(character) = reference.resolve_char_ref().map_err(|e| damaged(file, &e.to_string()))? {
        return Ok(character.to_string());
    }
    let name = reference.xml10_content();
    match quick_xml::escape::resolve_xml_entity(&name) {
        Some(text) => Ok(text.to_owned()),
        None => Err(damaged(file, &format!("unknown entity &{name};"))),
    }
}
