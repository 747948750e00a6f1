//! Shared by `GraphML` and GEXF: XML events, attributes, and a graph whose nodes have metadata.

use std::collections::HashMap;

use dosnes::input::{Column, Items};
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::columns::{check_ids, first_repeated, is_unique, numbers_if_possible};
use crate::error::{Error, Place, Quantity};
use crate::interner::Interner;
use crate::loaded::Note;
use crate::options::ReadOptions;
use crate::raw::{Contents, Edge, Network, NetworkForm, Parsed};
use crate::source::Source;

/// Names of nodes, as both formats call them.
const NAME_COLUMN: &str = "label";

/// What a format does with its elements.
pub(crate) trait GraphReader: Default {
    /// The format, for the user.
    const FORMAT: &'static str;

    /// An element begins.
    fn start(&mut self, file: &str, element: &BytesStart<'_>) -> Result<(), Error>;
    /// An element ends; `text` is what stood since the last element began or ended.
    fn end(&mut self, file: &str, name: &str, text: &str) -> Result<(), Error>;
    /// The graph, in the end.
    fn into_graph(self) -> XmlGraph;
}

/// Reads a file. Nested graphs are read as one.
pub(crate) fn read<R: GraphReader>(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let mut reader = Reader::from_reader(source.open()?);
    let mut graph = R::default();
    let (mut buffer, mut text) = (Vec::new(), String::new());
    let mut depth = 0_i64;
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|error| read_error(source, error))? {
            Event::Start(element) => {
                depth += 1;
                text.clear();
                graph.start(file, &element)?;
            }
            Event::Empty(element) => {
                text.clear();
                graph.start(file, &element)?;
                graph.end(file, element.local_name().as_ref(), &text)?;
            }
            Event::End(element) => {
                depth -= 1;
                graph.end(file, element.local_name().as_ref(), &text)?;
                text.clear();
            }
            Event::Text(more) => text.push_str(&more.xml10_content()),
            Event::CData(more) => text.push_str(&more.xml10_content()),
            Event::GeneralRef(reference) => text.push_str(&resolve(file, &reference)?),
            Event::Eof => break,
            _ => {}
        }
    }
    if depth > 0 {
        return Err(damaged(file, "it ends before its last element is closed"));
    }
    graph.into_graph().finish(file, R::FORMAT, options)
}

fn read_error(source: &Source<'_>, error: quick_xml::Error) -> Error {
    match error {
        quick_xml::Error::Io(error) => {
            let copy = std::io::Error::new(error.kind(), error.to_string());
            source.read_error(std::sync::Arc::try_unwrap(error).unwrap_or(copy))
        }
        other => damaged(&source.name, &other.to_string()),
    }
}

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
    nodes: Interner,
    /// The nodes' values: column, node, text.
    values: Vec<(u32, u32, String)>,
    columns: Interner,
    arcs: Vec<Edge>,
    edges: Vec<Edge>,
    /// Which of the nodes were declared, rather than only met as the end of an edge.
    declared: Vec<bool>,
}

impl XmlGraph {
    /// A declared node; twice is an error.
    pub(crate) fn declare(&mut self, file: &str, id: &str) -> Result<u32, Error> {
        let node = self.node(file, id)?;
        if std::mem::replace(&mut self.declared[node as usize], true) {
            return Err(Error::DuplicateId { file: file.to_owned(), place: Place::default(), id: id.to_owned() });
        }
        Ok(node)
    }

    pub(crate) fn node(&mut self, file: &str, id: &str) -> Result<u32, Error> {
        let (node, new) = self.nodes.intern(id).ok_or_else(|| Error::too_many_names(file))?;
        if new {
            self.declared.push(false);
        }
        Ok(node)
    }

    pub(crate) fn set(&mut self, file: &str, column: &str, node: u32, value: String) -> Result<(), Error> {
        let (column, _) = self.columns.intern(column).ok_or_else(|| Error::too_many_names(file))?;
        self.values.push((column, node, value));
        Ok(())
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
                if let Some(problem) = Quantity::Weight.problem(value) {
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

    /// The network. The column `label` replaces the nodes' ids as names where it is unique, as users know nodes by it.
    fn finish(self, file: &str, format: &str, options: &ReadOptions) -> Result<Parsed, Error> {
        let n = self.nodes.len();
        if n == 0 {
            return Err(Error::empty(file, "there are no nodes in it"));
        }
        if self.arcs.is_empty() && self.edges.is_empty() {
            return Err(Error::empty(file, "the graph has no edges"));
        }
        if let Some(k) = self.declared.iter().position(|d| !d) {
            let id = self.nodes.get(k as u32);
            let problem = format!("an edge ends at \"{id}\", but there is no node with this name");
            return Err(Error::UnknownId { file: file.to_owned(), place: Place::default(), problem });
        }
        let mut notes = Vec::new();
        let names = self.columns.into_names();
        let mut columns = vec![vec![String::new(); n]; names.len()];
        for (column, node, value) in self.values {
            columns[column as usize][node as usize] = value;
        }
        let mut nodes = Items { ids: self.nodes.into_names(), columns: Vec::new() };
        for (name, values) in names.into_iter().zip(columns) {
            let wanted = match &options.id_column {
                Some(asked) => *asked == name,
                None => name == NAME_COLUMN,
            };
            if wanted && is_unique(&values) {
                let ids = std::mem::replace(&mut nodes.ids, values);
                if nodes.ids != ids {
                    nodes.columns.push(Column { name: "node".into(), values: numbers_if_possible(ids) });
                }
                continue;
            }
            if wanted && options.id_column.is_some() {
                check_ids(file, &values, |row| Place::default().row(row).column(name.clone()))?;
            }
            if wanted && nodes.ids == values {
                continue;
            }
            if wanted && let Some(k) = first_repeated(&values) {
                notes.push(Note::NamesNotUnique { file: file.to_owned(), example: values[k].clone() });
            }
            nodes.columns.push(Column { name, values: numbers_if_possible(values) });
        }
        let (arcs, edges) = (self.arcs, self.edges);
        let description = format!("{format}, {n} nodes, {} edges", arcs.len() + edges.len());
        let network = Network { nodes, arcs, edges, form: NetworkForm::Graph };
        Ok(Parsed { description, contents: Contents::Network(network), notes })
    }
}

/// The text that `&name;` or `&#number;` stands for. Only XML's own five names are known: no entity is ever expanded.
fn resolve(file: &str, reference: &BytesRef<'_>) -> Result<String, Error> {
    if let Some(character) = reference.resolve_char_ref().map_err(|e| damaged(file, &e.to_string()))? {
        return Ok(character.to_string());
    }
    let name = reference.xml10_content();
    match quick_xml::escape::resolve_xml_entity(&name) {
        Some(text) => Ok(text.to_owned()),
        None => Err(damaged(file, &format!("unknown entity &{name};"))),
    }
}
