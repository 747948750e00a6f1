//! Reading networks and projects.

use dosnes::input::{Column, Items, Values};

use crate::columns::first_repeated;
use crate::error::{Error, Place, Quantity};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::raw::{Contents, Edge, Network, NetworkForm, Parsed};
use crate::source::Source;
use crate::text::records::{Comments, Record, Records};
use crate::text::separator::Separator;

/// Vertices that a section may claim before any line about them was read.
const LARGEST_CLAIM: usize = 100_000_000;

/// What the lines of a section mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Vertices,
    Arcs,
    Edges,
    ArcsList,
    EdgesList,
    Matrix,
    Values,
    Skipped,
}

#[derive(Debug, Default)]
struct Vertices {
    name: String,
    size: usize,
    /// Vertices of the first mode, for a two-mode network.
    first_mode: Option<usize>,
    labels: Vec<(u32, String)>,
    positions: Vec<(u32, Vec<f64>)>,
    arcs: Vec<Edge>,
    edges: Vec<Edge>,
    matrix_rows: usize,
}

#[derive(Debug)]
struct Attribute {
    name: String,
    size: usize,
    values: Vec<f64>,
}

#[derive(Default)]
struct Project {
    networks: Vec<Vertices>,
    attributes: Vec<Attribute>,
}

/// Whether a file starts as Pajek's do.
pub(crate) fn looks_like_pajek(start: &str) -> bool {
    const SECTIONS: [&str; 9] =
        ["*network", "*vertices", "*arcs", "*edges", "*arcslist", "*edgeslist", "*matrix", "*partition", "*vector"];
    start
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('%'))
        .and_then(|line| line.split([' ', '\t', ':']).next())
        .is_some_and(|word| SECTIONS.contains(&word.to_lowercase().as_str()))
}

/// Whether there is nothing but a number for each vertex. The last line may be cut.
fn is_partition_or_vector(start: &str) -> bool {
    let mut lines = start.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('%'));
    let is_first = lines.next().is_some_and(|line| line.to_lowercase().starts_with("*vertices"));
    let values: Vec<&str> = lines.collect();
    let whole = &values[..values.len().saturating_sub(1)];
    is_first && !whole.is_empty() && values.iter().all(|line| line.split_whitespace().count() == 1) && {
        // Vertices may be declared by their numbers alone.
        let declared = whole.iter().enumerate().all(|(k, line)| line.parse() == Ok(k + 1));
        !declared && whole.iter().all(|line| line.parse::<f64>().is_ok())
    }
}

/// Reads a network or a project.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    if is_partition_or_vector(&String::from_utf8_lossy(source.start(1 << 14))) {
        let problem = "a partition or vector of Pajek, which is about the vertices of a network; give the network (.net), or save both \
                       in one project (.paj)";
        return Err(Error::unknown_format(file, problem));
    }
    let (Project { mut networks, attributes }, latin1) = parse(source)?;
    let names: Vec<String> = networks.iter().map(|n| n.name.clone()).collect();
    let position = match &options.array {
        Some(name) => names.iter().position(|n| n == name).ok_or_else(|| {
            Error::option(file, format!("there is no network \"{name}\"; there are {}", names.join(", ")))
        })?,
        None => 0,
    };
    if networks.is_empty() {
        return Err(Error::empty(file, "there is no *Vertices section in it"));
    }
    let network = networks.swap_remove(position);
    let others: Vec<String> =
        names.iter().enumerate().filter(|&(k, _)| k != position).map(|(_, n)| format!("network {n}")).collect();
    let mut notes = Vec::new();
    if let Some(foreign) = latin1 {
        notes.push(Note::Latin1 { foreign });
    }
    if !others.is_empty() {
        notes.push(Note::OtherArrays(others));
    }
    let mut nodes = vertex_items(file, &network, &mut notes);
    let (fitting, odd): (Vec<_>, Vec<_>) = attributes.into_iter().partition(|a| a.size == network.size);
    for attribute in odd {
        let reason = format!("it has {} values for {} vertices", attribute.size, network.size);
        notes.push(Note::ColumnUnreadable { name: attribute.name, reason });
    }
    let kind = if !fitting.is_empty() || names.len() > 1 { "project" } else { "network" };
    nodes.columns.extend(fitting.into_iter().map(|a| Column { name: a.name, values: Values::Number(a.values) }));
    let Vertices { size, first_mode, arcs, edges, .. } = network;
    if arcs.is_empty() && edges.is_empty() {
        return Err(Error::empty(file, "the network has no arcs and no edges"));
    }
    let description = format!("Pajek {kind}, {size} vertices, {} arcs, {} edges", arcs.len(), edges.len());
    let form = first_mode.map_or(NetworkForm::Network, NetworkForm::TwoMode);
    Ok(Parsed { description, contents: Contents::Network(Network { nodes, arcs, edges, form }), notes })
}

/// The vertices' labels as names, or their numbers where labels repeat.
fn vertex_items(file: &str, network: &Vertices, notes: &mut Vec<Note>) -> Items {
    let mut ids: Vec<String> = (1..=network.size).map(|k| k.to_string()).collect();
    for (k, label) in &network.labels {
        ids[*k as usize].clone_from(label);
    }
    let mut columns = Vec::new();
    if let Some(row) = first_repeated(&ids) {
        notes.push(Note::NamesNotUnique { file: file.to_owned(), example: ids[row].clone() });
        columns.push(Column { name: "label".into(), values: Values::Text(ids) });
        ids = (1..=network.size).map(|k| k.to_string()).collect();
    }
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let mut values = vec![f64::NAN; network.size];
        for (k, position) in &network.positions {
            if let Some(&value) = position.get(axis) {
                values[*k as usize] = value;
            }
        }
        if values.iter().any(|v| !v.is_nan()) {
            columns.push(Column { name: name.into(), values: Values::Number(values) });
        }
    }
    Items { ids, columns }
}

struct Parser<'a> {
    file: &'a str,
    record: Record,
    project: Project,
    section: Section,
}

fn parse(source: &Source<'_>) -> Result<(Project, Option<bool>), Error> {
    let mut records = Records::new(source, Separator::Whitespace, Comments::Everywhere)?;
    let mut parser = Parser {
        file: &source.name,
        record: Record::default(),
        project: Project::default(),
        section: Section::Skipped,
    };
    while records.next(&mut parser.record)? {
        if parser.record.get(0).starts_with('*') {
            parser.heading()?;
        } else {
            parser.line()?;
        }
    }
    parser.finish()?;
    Ok((parser.project, records.latin1.then(|| records.is_foreign())))
}

impl Parser<'_> {
    fn error(&self, problem: impl Into<String>) -> Error {
        Error::malformed(self.file, Place::line(self.record.line), problem)
    }

    /// `*Section …`
    fn heading(&mut self) -> Result<(), Error> {
        let words: Vec<String> = self.record.iter().map(str::to_owned).collect();
        let Some((first, others)) = words.split_first() else { return Ok(()) };
        let title = others.join(" ");
        let keyword = first.split(':').next().unwrap_or_default().to_lowercase();
        let after_attribute = self.section == Section::Values;
        self.section = match keyword.as_str() {
            "*network" => {
                self.project.networks.push(Vertices { name: title, ..Vertices::default() });
                Section::Skipped
            }
            "*vertices" => {
                let size = self.size(&words, 1)?;
                if after_attribute && self.project.attributes.last().is_some_and(|a| a.size == 0) {
                    if let Some(attribute) = self.project.attributes.last_mut() {
                        attribute.size = size;
                    }
                    Section::Values
                } else {
                    let first_mode = if words.len() > 2 { Some(self.size(&words, 2)?) } else { None };
                    if first_mode.is_some_and(|f| f == 0 || f >= size) {
                        return Err(self.error("the first mode must be smaller than the number of vertices"));
                    }
                    if self.project.networks.last().is_none_or(|n| n.size != 0) {
                        self.project.networks.push(Vertices::default());
                    }
                    if let Some(network) = self.project.networks.last_mut() {
                        network.size = size;
                        network.first_mode = first_mode;
                    }
                    Section::Vertices
                }
            }
            "*arcs" => Section::Arcs,
            "*edges" => Section::Edges,
            "*arcslist" => Section::ArcsList,
            "*edgeslist" => Section::EdgesList,
            "*matrix" => Section::Matrix,
            "*partition" | "*vector" => {
                let name = title.trim().trim_end_matches(".vec").trim_end_matches(".clu").to_owned();
                self.project.attributes.push(Attribute { name, size: 0, values: Vec::new() });
                Section::Values
            }
            _ => Section::Skipped,
        };
        Ok(())
    }

    fn size(&self, words: &[String], position: usize) -> Result<usize, Error> {
        words
            .get(position)
            .and_then(|w| w.parse().ok())
            .filter(|&n| n > 0 && n <= LARGEST_CLAIM)
            .ok_or_else(|| self.error("*Vertices needs the number of vertices, as in: *Vertices 80"))
    }

    fn line(&mut self) -> Result<(), Error> {
        match self.section {
            Section::Skipped => Ok(()),
            Section::Values => {
                let cells: Vec<f64> = self.record.iter().map_while(|c| c.parse().ok()).collect();
                if cells.len() != self.record.len() {
                    return Err(self.error(format!("\"{}\" is not a number", self.record.get(cells.len()))));
                }
                let (size, count) = match self.project.attributes.last_mut() {
                    Some(attribute) => {
                        attribute.values.extend(cells);
                        (attribute.size, attribute.values.len())
                    }
                    None => (0, 0),
                };
                if count > size {
                    return Err(self.error(format!("there are more values than the {size} vertices")));
                }
                Ok(())
            }
            section => {
                let Some(mut network) = self.project.networks.pop() else {
                    return Err(self.error("there is no *Vertices line before this one"));
                };
                let result = match section {
                    Section::Vertices => self.vertex(&mut network),
                    Section::Arcs => self.edge(&network).map(|edge| network.arcs.push(edge)),
                    Section::Edges => self.edge(&network).map(|edge| network.edges.push(edge)),
                    Section::ArcsList | Section::EdgesList => self.list(&mut network),
                    _ => self.matrix_row(&mut network),
                };
                self.project.networks.push(network);
                result
            }
        }
    }

    fn vertex_number(&self, cell: usize, network: &Vertices) -> Result<u32, Error> {
        let text = self.record.get(cell);
        match text.parse::<i64>() {
            Ok(k) if k >= 1 && k as usize <= network.size => Ok(k as u32 - 1),
            _ => Err(self.error(format!("\"{text}\" is not a vertex between 1 and {}", network.size))),
        }
    }

    /// `1 "label" x y z …`; further words are for drawing.
    fn vertex(&self, network: &mut Vertices) -> Result<(), Error> {
        let k = self.vertex_number(0, network)?;
        if self.record.len() > 1 && !self.record.get(1).is_empty() {
            network.labels.push((k, self.record.get(1).to_owned()));
        }
        let position: Vec<f64> = (2..self.record.len().min(5)).map_while(|c| self.record.get(c).parse().ok()).collect();
        if !position.is_empty() {
            network.positions.push((k, position));
        }
        Ok(())
    }

    fn weight(&self, cell: usize) -> Result<f64, Error> {
        let text = self.record.get(cell);
        let weight = text.parse::<f64>().map_err(|_| self.error(format!("weight \"{text}\" is not a number")))?;
        match Quantity::Weight.problem(weight) {
            Some(problem) if !weight.is_nan() => Err(Error::value(self.file, Place::line(self.record.line), problem)),
            // What is missing is treated later, as the user wants it.
            _ => Ok(weight),
        }
    }

    /// `from to [weight …]`
    fn edge(&self, network: &Vertices) -> Result<Edge, Error> {
        if self.record.len() < 2 {
            return Err(self.error("a line needs two vertices"));
        }
        let weight = if self.record.len() > 2 { self.weight(2)? } else { 1.0 };
        Ok((self.vertex_number(0, network)?, self.vertex_number(1, network)?, weight))
    }

    /// `from to to to …`
    fn list(&self, network: &mut Vertices) -> Result<(), Error> {
        let from = self.vertex_number(0, network)?;
        for cell in 1..self.record.len() {
            let edge = (from, self.vertex_number(cell, network)?, 1.0);
            if self.section == Section::ArcsList { network.arcs.push(edge) } else { network.edges.push(edge) }
        }
        Ok(())
    }

    /// One row of weights; of a two-mode network only the columns of the second mode.
    fn matrix_row(&self, network: &mut Vertices) -> Result<(), Error> {
        let (rows, offset) = network.first_mode.map_or((network.size, 0), |first| (first, first));
        let i = network.matrix_rows;
        if i >= rows || self.record.len() != network.size - offset {
            let problem = format!("the matrix should be {rows} × {}", network.size - offset);
            return Err(self.error(problem));
        }
        for cell in 0..self.record.len() {
            let weight = self.weight(cell)?;
            if weight != 0.0 {
                network.arcs.push((i as u32, (offset + cell) as u32, weight));
            }
        }
        network.matrix_rows += 1;
        Ok(())
    }

    fn finish(&self) -> Result<(), Error> {
        for attribute in &self.project.attributes {
            if attribute.values.len() != attribute.size {
                let problem = format!("there are {} values for {} vertices", attribute.values.len(), attribute.size);
                return Err(Error::malformed(self.file, Place::part(attribute.name.clone()), problem));
            }
        }
        for network in &self.project.networks {
            let lines = network.labels.len() + network.arcs.len() + network.edges.len();
            if network.size > 1_000_000 + 1_000 * lines {
                let problem = format!("*Vertices announces {} vertices, but almost none is described", network.size);
                return Err(Error::malformed(self.file, Place::default(), problem));
            }
        }
        Ok(())
    }
}
