//! Lists of neighbours: one node in a line, then its neighbours (NetworkX's `.adjlist` and multi-line lists, METIS, and
//! `node: neighbour, neighbour`).

use crate::error::{Error, Place};
use crate::graph::GraphBuilder;
use crate::options::ReadOptions;
use crate::raw::Parsed;
use crate::source::Source;
use crate::text::records::{Comments, Record, Records};
use crate::text::separator::Separator;
use std::collections::HashSet;

/// Number of bytes that are examined.
const START: usize = 1 << 16;

/// Whether the name says that it is such a list.
pub(crate) fn is_adjacency(extension: &str) -> bool {
    is_metis(extension) || matches!(extension, "adjlist" | "adj" | "multiadj" | "multiline_adjlist" | "multiadjlist")
}

fn is_metis(extension: &str) -> bool {
    matches!(extension, "metis" | "graph")
}

/// Whether the lines are `node: neighbour, neighbour`: most of what stands behind a colon begins a line itself. That tells
/// such a list from settings, which have colons too.
pub(crate) fn looks_like_neighbours(text: &str) -> bool {
    let mut lines: Vec<&str> = text.lines().collect();
    if !text.ends_with('\n') {
        lines.pop();
    }
    let lines = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let Some(rows) = lines.map(node_and_neighbours).collect::<Option<Vec<_>>>() else { return false };
    let nodes: HashSet<&str> = rows.iter().map(|(node, _)| *node).collect();
    let named: Vec<&str> = rows.iter().flat_map(|(_, others)| others.iter().copied()).collect();
    let known = named.iter().filter(|name| nodes.contains(*name)).count();
    rows.len() >= 3 && nodes.len() == rows.len() && !named.is_empty() && 2 * known >= named.len()
}

/// The parts of `node: neighbour, neighbour`.
fn node_and_neighbours(line: &str) -> Option<(&str, Vec<&str>)> {
    let (node, others) = line.split_once(':')?;
    let node = node.trim();
    if node.is_empty() || others.contains(':') {
        return None;
    }
    let by_comma = others.contains(',');
    let others = others.split(|c: char| if by_comma { c == ',' } else { c.is_whitespace() });
    Some((node, others.map(str::trim).filter(|name| !name.is_empty()).collect()))
}

/// Whether the lines are `node count`, each with that number of lines below it, one for each neighbour. Of these at least one
/// has data, or nothing but a name: otherwise the lines may be pairs.
fn looks_like_multi_line(text: &str) -> bool {
    let complete = text.len() < START;
    let mut lines: Vec<&str> = text.lines().collect();
    if !complete {
        lines.pop();
    }
    let lines = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut lines = lines.map(|line| line.split_whitespace().collect::<Vec<&str>>());
    let (mut nodes, mut told_apart) = (0, false);
    while let Some(node) = lines.next() {
        let count = node.get(1).and_then(|count| count.parse::<usize>().ok()).filter(|_| node.len() == 2);
        let Some(count) = count else { return false };
        nodes += 1;
        for _ in 0..count {
            match lines.next() {
                Some(neighbour) if neighbour.len() == 1 || neighbour[1].starts_with('{') => told_apart = true,
                Some(_) => {}
                None if complete => return false,
                None => return nodes > 1 && told_apart,
            }
        }
    }
    nodes > 1 && told_apart
}

/// Reads a file.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let start = source.start(START);
    if looks_like_neighbours(&String::from_utf8_lossy(start)) {
        return with_colons(source, options);
    }
    let extension = source.extension();
    let mut records = Records::new(source, Separator::Whitespace, Comments::Everywhere)?;
    if is_metis(&extension) {
        metis(source, options)
    } else if extension.contains("multi") || looks_like_multi_line(&String::from_utf8_lossy(start)) {
        multi_line(source, &mut records, options)
    } else {
        neighbours(source, &mut records, options)
    }
}

/// `node: neighbour, neighbour …`. An edge may stand in the lines of both of its nodes, and counts once.
fn with_colons(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let bytes = source.read_all()?;
    let text = String::from_utf8_lossy(&bytes);
    let directed = options.directed == Some(true);
    let (mut graph, mut seen) = (GraphBuilder::default(), HashSet::new());
    for (k, line) in text.lines().enumerate().map(|(k, line)| (k, line.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((node, others)) = node_and_neighbours(line) else {
            let problem = "a line of this list must be a node, a colon, and its neighbours";
            return Err(Error::malformed(file, Place::line(k as u64 + 1), problem));
        };
        let node = graph.mention(file, node)?;
        for name in others {
            let other = graph.mention(file, name)?;
            if seen.insert(if directed { (node, other) } else { (node.min(other), node.max(other)) }) {
                graph.connect(file, (node, other), None, directed)?;
            }
        }
    }
    graph.finish(file, "adjacency list", options)
}

/// Whether each neighbour has a number with decimals after it, as ARACNE writes its lists: `node neighbour 0.5 neighbour 0.25`.
fn has_weights(text: &str) -> bool {
    let complete = text.len() < START;
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if !complete {
        lines.pop();
    }
    let rows: Vec<Vec<&str>> =
        lines.iter().filter(|l| !l.starts_with(['#', '>', '%'])).map(|l| l.split_whitespace().collect()).collect();
    let weights = || rows.iter().flat_map(|row| row.iter().skip(2).step_by(2));
    rows.iter().all(|row| row.len() % 2 == 1)
        && weights().next().is_some()
        && weights().all(|weight| weight.parse::<f64>().is_ok())
        && weights().any(|weight| weight.contains('.'))
}

/// `node neighbour neighbour …`; lines of ARACNE's remarks begin with `>`.
fn neighbours(source: &Source<'_>, records: &mut Records<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let (mut graph, mut record) = (GraphBuilder::default(), Record::default());
    let weighted = has_weights(&String::from_utf8_lossy(source.start(START)));
    while records.next(&mut record)? {
        if record.get(0).starts_with('>') {
            continue;
        }
        let node = graph.mention(file, record.get(0))?;
        if weighted {
            for k in (1..record.len()).step_by(2) {
                let other = graph.mention(file, record.get(k))?;
                graph.connect(file, (node, other), Some(record.get(k + 1)), options.directed == Some(true))?;
            }
            continue;
        }
        for k in 1..record.len() {
            if record.get(k).starts_with('{') {
                let problem = "a list of neighbours has no data of edges; write the graph as an edge list or as GraphML \
                               (networkx.write_weighted_edgelist)";
                return Err(Error::malformed(file, Place::line(record.line), problem));
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_with_counts_are_told_from_pairs() {
        assert!(looks_like_multi_line("#made by\na 2\nb {'weight': 3}\nc {}\nb 1\nc {}\nc 0\n"));
        assert!(looks_like_multi_line("0 1\n1\n1 1\n2\n2 0\n"));
        for list in ["0 1\n1 2\n2 3\n3\n", "0 1 2\n1 2\n2\n", "0 1\n1 0\n", "a b\nb c\n", ""] {
            assert!(!looks_like_multi_line(list), "{list:?}");
        }
    }
}
