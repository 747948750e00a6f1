//! DIMACS graphs: `c` comments, one line `p edge NODES EDGES`, then `e u v`, or `a u v length` for arcs.

use crate::error::{Error, Place};
use crate::options::ReadOptions;
use crate::raw::Parsed;
use crate::source::Source;
use crate::text::made::MadeTable;

/// Whether a text is such a graph: only comments before the line `p`, and edges after it.
pub(crate) fn looks_like_dimacs(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && line.split_whitespace().next() != Some("c"));
    let problem = lines.next().is_some_and(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        matches!(words[..], ["p", _, nodes, edges] if nodes.parse::<u64>().is_ok() && edges.parse::<u64>().is_ok())
    });
    let is_line = |line: &str| matches!(line.split_whitespace().next(), Some("e" | "a" | "n" | "v" | "d" | "x"));
    problem && lines.next().is_some_and(is_line)
}

/// Reads the edges. The numbers of a shortest-path problem are lengths.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let bytes = source.read_all()?;
    let text = String::from_utf8_lossy(&bytes);
    let lengths = text.lines().any(|line| line.starts_with("p sp"));
    let edges = || {
        let lines =
            text.lines().zip(1_u64..).map(|(line, number)| (line.split_whitespace().collect::<Vec<_>>(), number));
        lines.filter(|(words, _)| matches!(words.first(), Some(&("e" | "a"))))
    };
    let weighted = edges().next().is_some_and(|(words, _)| words.len() > 3);
    let mut table = MadeTable::default();
    table.cells(["source", "target"]);
    if weighted {
        table.cell(if lengths { "length" } else { "weight" });
    }
    table.end_row();
    for (words, line) in edges() {
        if words.len() < 3 + usize::from(weighted) {
            return Err(Error::malformed(
                file,
                Place::line(line),
                "an edge needs two nodes, and a number where others have one",
            ));
        }
        table.cells(&words[1..3 + usize::from(weighted)]);
        table.end_row();
    }
    table.read(source, source.progress(), Some(true), "DIMACS", options)
}
