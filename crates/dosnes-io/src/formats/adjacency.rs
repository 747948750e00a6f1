//! Lists of neighbours: one node in a line, then its neighbours (NetworkX's `.adjlist` and multi-line lists, METIS).

use crate::error::{Error, Place};
use crate::graph::GraphBuilder;
use crate::options::ReadOptions;
use crate::raw::Parsed;
use crate::source::Source;
use crate::text::records::{Comments, Record, Records};
use crate::text::separator::Separator;

/// Whether the name says that it is such a list.
pub(crate) fn is_adjacency(extension: &str) -> bool {
    is_metis(extension) || matches!(extension, "adjlist" | "adj" | "multiadj" | "multiline_adjlist" | "multiadjlist")
}

fn is_metis(extension: &str) -> bool {
    matches!(extension, "metis" | "graph")
}

/// Reads a file.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let extension = source.extension();
    let mut records = Records::new(source, Separator::Whitespace, Comments::Everywhere)?;
    if is_metis(&extension) {
        metis(source, options)
    } else if extension.contains("multi") {
        multi_line(source, &mut records, options)
    } else {
        neighbours(source, &mut records, options)
    }
}

/// `node neighbour neighbour …`.
fn neighbours(source: &Source<'_>, records: &mut Records<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let (mut graph, mut record) = (GraphBuilder::default(), Record::default());
    while records.next(&mut record)? {
        let node = graph.mention(file, record.get(0))?;
        for k in 1..record.len() {
            let other = graph.mention(file, record.get(k))?;
            graph.connect(file, (node, other), None, options.directed == Some(true))?;
        }
    }
    graph.finish(file, "adjacency list", options)
}

/// `node count`, then `count` lines with a neighbour each.
fn multi_line(source: &Source<'_>, records: &mut Records<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let (mut graph, mut record) = (GraphBuilder::default(), Record::default());
    while records.next(&mut record)? {
        let node = graph.mention(file, record.get(0))?;
        let count: usize = record.get(1).parse().map_err(|_| {
            let problem = "a line with a node must have the number of its neighbours";
            Error::malformed(file, Place::line(record.line), problem)
        })?;
        for _ in 0..count {
            if !records.next(&mut record)? {
                let problem = "the file ends before the last neighbour of a node";
                return Err(Error::malformed(file, Place::line(record.line), problem));
            }
            let other = graph.mention(file, record.get(0))?;
            let attributes: Vec<&str> = (1..record.len()).map(|k| record.get(k)).collect();
            let attributes = attributes.join(" ");
            let weight = attributes.split_once("'weight':").map(|(_, rest)| rest.trim());
            let weight = weight.map(|rest| &rest[..rest.find([',', '}', ' ']).unwrap_or(rest.len())]);
            graph.connect(file, (node, other), weight, options.directed == Some(true))?;
        }
    }
    graph.finish(file, "multi-line adjacency list", options)
}

/// `nodes edges [format]`, then one line a node with its neighbours, counted from 1. Each edge stands in two lines.
fn metis(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let bytes = source.read_all()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('%'));
    let (_, header) = lines.next().unwrap_or((0, ""));
    let header: Vec<&str> = header.split_whitespace().collect();
    let n = header.first().and_then(|word| word.parse::<usize>().ok());
    let (Some(n), 2..) = (n, header.len()) else {
        return Err(Error::malformed(
            file,
            Place::line(1),
            "the first line must have the numbers of nodes and of edges",
        ));
    };
    let format = header.get(2).copied().unwrap_or("0");
    let weighted = format.ends_with('1');
    let node_weights = if format.len() > 1 && format.as_bytes()[format.len() - 2] == b'1' {
        header.get(3).and_then(|word| word.parse().ok()).unwrap_or(1)
    } else {
        0
    };
    let mut graph = GraphBuilder::default();
    let rows: Vec<(usize, &str)> = lines.take(n).collect();
    if rows.len() < n {
        return Err(Error::malformed(
            file,
            Place::default(),
            format!("the first line promises {n} nodes, but there are {} lines", rows.len()),
        ));
    }
    for k in 1..=n {
        graph.mention(file, &k.to_string())?;
    }
    for (i, (line, row)) in rows.into_iter().enumerate() {
        let cells: Vec<&str> = row.split_whitespace().skip(node_weights).collect();
        for pair in cells.chunks(if weighted { 2 } else { 1 }) {
            let other = pair[0].parse::<usize>().ok().filter(|k| (1..=n).contains(k));
            let Some(other) = other else {
                let problem = format!("\"{}\" is not a node between 1 and {n}", pair[0]);
                return Err(Error::malformed(file, Place::line(line as u64 + 1), problem));
            };
            // Each edge once.
            if other > i + 1 {
                graph.connect(file, (i as u32, other as u32 - 1), pair.get(1).copied(), false)?;
            }
        }
    }
    graph.finish(file, "METIS graph", options)
}
