//! A graph whose nodes have metadata, as graph formats describe it: nodes, attributes, edges.

use dosnes::input::{Column, Items};
use std::collections::BTreeSet;

use crate::column_names;
use crate::columns::{check_ids, first_repeated, is_unique, numbers_if_possible};
use crate::error::{Error, Place, Quantity};
use crate::interner::Interner;
use crate::note::{Note, quoted};
use crate::options::ReadOptions;
use crate::raw::{Contents, Edge, Network, NetworkForm, Parsed};

/// Names of nodes, as most formats call them.
const NAME_COLUMN: &str = "label";

/// A graph as it is gathered from a file.
#[derive(Default)]
pub(crate) struct GraphBuilder {
    nodes: Interner,
    /// The nodes' values: column, node, text.
    values: Vec<(u32, u32, String)>,
    columns: Interner,
    arcs: Vec<Edge>,
    edges: Vec<Edge>,
    /// Which of the nodes were declared, rather than only met as the end of an edge.
    declared: Vec<bool>,
    /// Numbers of edges that are not used, by their names, and whether an edge has a weight.
    unused: BTreeSet<String>,
    weighted: bool,
}

impl GraphBuilder {
    /// A declared node; twice is an error.
    pub(crate) fn declare(&mut self, file: &str, id: &str) -> Result<u32, Error> {
        let node = self.node(file, id)?;
        if std::mem::replace(&mut self.declared[node as usize], true) {
            return Err(Error::DuplicateId { file: file.to_owned(), place: Place::default(), id: id.to_owned() });
        }
        Ok(node)
    }

    /// A node that need not be declared, as in formats that know nodes by their edges.
    pub(crate) fn mention(&mut self, file: &str, id: &str) -> Result<u32, Error> {
        let node = self.node(file, id)?;
        self.declared[node as usize] = true;
        Ok(node)
    }

    pub(crate) fn node(&mut self, file: &str, id: &str) -> Result<u32, Error> {
        let (node, new) = self.nodes.intern(id).ok_or_else(|| Error::too_many_names(file))?;
        if new {
            self.declared.push(false);
        }
        Ok(node)
    }

    /// Whether there is a node with this id.
    pub(crate) fn is_known(&self, id: &str) -> bool {
        self.nodes.find(id).is_some()
    }

    pub(crate) fn set(&mut self, file: &str, column: &str, node: u32, value: String) -> Result<(), Error> {
        let (column, _) = self.columns.intern(column).ok_or_else(|| Error::too_many_names(file))?;
        self.values.push((column, node, value));
        Ok(())
    }

    /// A value of an edge that is not its weight.
    pub(crate) fn leave(&mut self, name: &str, value: &str) {
        let is_other = matches!(name, "source" | "target" | "from" | "to")
            || column_names::is_time(name)
            || column_names::is_numeric_id(name);
        if !is_other && !self.unused.contains(name) && value.trim().parse::<f64>().is_ok() {
            self.unused.insert(name.to_owned());
        }
    }

    /// An edge. Without a weight it counts 1; a weight that is empty or NaN is missing.
    pub(crate) fn connect(
        &mut self,
        file: &str,
        ends: (u32, u32),
        weight: Option<&str>,
        directed: bool,
    ) -> Result<(), Error> {
        self.weighted |= weight.is_some();
        let weight = match weight {
            None => 1.0,
            Some(text) => {
                let (from, to) = (self.nodes.get(ends.0), self.nodes.get(ends.1));
                let place = || Place::part(format!("edge from \"{from}\" to \"{to}\""));
                let not_a_number = |_| Error::value(file, place(), format!("weight \"{text}\" is not a number"));
                // What is missing is treated later, as the user wants it.
                let value =
                    if text.trim().is_empty() { f64::NAN } else { text.trim().parse().map_err(not_a_number)? };
                match Quantity::Weight.problem(value) {
                    Some(problem) if !value.is_nan() => return Err(Error::value(file, place(), problem)),
                    _ => value,
                }
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
    pub(crate) fn finish(self, file: &str, format: &str, options: &ReadOptions) -> Result<Parsed, Error> {
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
        if !self.weighted && !self.unused.is_empty() && options.kind.is_none() {
            notes.push(Note::EdgeNumbersUnused { names: self.unused.into_iter().collect() });
        }
        let names = self.columns.into_names();
        if let Some(asked) = options.id_column.as_ref().filter(|asked| !names.contains(asked)) {
            let problem = format!("nodes have no column \"{asked}\" for --id; their columns: {}", quoted(&names));
            return Err(Error::option(file, problem));
        }
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
