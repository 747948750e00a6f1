//! Edges as people type them: `a -> b`, `a -> b : 3`, `a--b, 0.5`, one in a line, with or without blanks around the arrow.

use crate::error::{Error, Place};
use crate::graph::GraphBuilder;
use crate::options::ReadOptions;
use crate::raw::Parsed;
use crate::source::Source;

/// Lines that are looked at, at most.
const LOOKED_AT: usize = 100;
/// The arrows, those with others in them first, and whether they have a direction.
const ARROWS: [(&str, Way); 12] = [
    ("<->", Way::Both),
    ("<-->", Way::Both),
    ("-->", Way::Forth),
    ("->", Way::Forth),
    ("=>", Way::Forth),
    ("<--", Way::Back),
    ("<-", Way::Back),
    ("→", Way::Forth),
    ("←", Way::Back),
    ("↔", Way::Both),
    ("---", Way::Both),
    ("--", Way::Both),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Forth,
    Back,
    Both,
}

#[derive(Debug, PartialEq)]
struct Edge<'a> {
    from: &'a str,
    to: &'a str,
    weight: Option<&'a str>,
    way: Way,
}

/// The edge of a line.
fn edge(line: &str) -> Option<Edge<'_>> {
    let line = line.trim().trim_end_matches([';', ',']);
    let (at, arrow, way) = ARROWS
        .iter()
        .filter_map(|&(arrow, way)| line.find(arrow).map(|at| (at, arrow, way)))
        .min_by_key(|&(at, arrow, _)| (at, std::cmp::Reverse(arrow.len())))?;
    let (from, rest) = (&line[..at], line[at + arrow.len()..].trim());
    // A second arrow is a path, and says more than an edge.
    if ARROWS.iter().any(|(arrow, _)| rest.contains(arrow)) {
        return None;
    }
    let weighted = |mark: char| {
        let (to, weight) = rest.rsplit_once(mark)?;
        let weight = weight.rsplit_once('=').map_or(weight, |(_, value)| value);
        let weight = weight.trim().trim_matches(['(', ')', '[', ']']).trim();
        weight.parse::<f64>().is_ok().then_some((to, weight))
    };
    let found = [':', ',', ';', '\t', ' '].into_iter().find_map(weighted);
    let (to, weight) = found.map_or((rest, None), |(to, weight)| (to, Some(weight)));
    let (from, to) = (bare(from), bare(to));
    (!from.is_empty() && !to.is_empty()).then_some(Edge { from, to, weight, way })
}

/// A name without the quotes and marks around it.
fn bare(name: &str) -> &str {
    name.trim().trim_end_matches([':', ',', ';']).trim().trim_matches(['"', '\'']).trim()
}

/// The lines that are not empty and no comments.
fn lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let numbered = (1_u64..).zip(text.trim_start_matches('\u{feff}').lines());
    numbered.filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with(['#', '%']) && !line.starts_with("//")
    })
}

/// Whether all of the first lines are such edges, with weights or without. The last one may be cut.
pub(crate) fn looks_like_arrows(text: &str) -> bool {
    let all: Vec<&str> = lines(text).map(|(_, line)| line).take(LOOKED_AT).collect();
    let whole = if all.len() == LOOKED_AT || text.ends_with('\n') { all.len() } else { all.len().saturating_sub(1) };
    let edges: Vec<Option<Edge<'_>>> = all[..whole].iter().map(|line| edge(line)).collect();
    let weights = edges.iter().flatten().filter(|edge| edge.weight.is_some()).count();
    whole > 1 && edges.iter().all(Option::is_some) && (weights == 0 || weights == whole)
}

pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let bytes = source.read_all()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut graph = GraphBuilder::default();
    for (number, line) in lines(&text) {
        let Some(edge) = edge(line) else {
            let problem = "a line must be an edge, such as a -> b, or a -> b : 3, as the first ones are";
            return Err(Error::malformed(file, Place::line(number), problem));
        };
        let (from, to) = if edge.way == Way::Back { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let ends = (graph.mention(file, from)?, graph.mention(file, to)?);
        graph.connect(file, ends, edge.weight, edge.way != Way::Both)?;
    }
    graph.finish(file, "edges with arrows", options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_join_names_with_or_without_a_weight() {
        let all = |from, to, weight, way| Some(Edge { from, to, weight, way });
        assert_eq!(edge("a -> b : 3"), all("a", "b", Some("3"), Way::Forth));
        assert_eq!(edge("New York->São Paulo"), all("New York", "São Paulo", None, Way::Forth));
        assert_eq!(edge("\"a\" -- \"b\" [weight=0.5];"), all("a", "b", Some("0.5"), Way::Both));
        assert_eq!(edge("a <- b, 2"), all("a", "b", Some("2"), Way::Back));
        assert_eq!(edge("a → b\t7"), all("a", "b", Some("7"), Way::Forth));
        assert_eq!(edge("a <--> b"), all("a", "b", None, Way::Both));
        assert_eq!(edge("a -> b -> c"), None);
        assert_eq!(edge("a - b"), None);
        assert_eq!(edge("-> b"), None);
    }

    #[test]
    fn lines_without_arrows_are_no_such_file() {
        assert!(looks_like_arrows("# net\na -> b\nb -> c\n"));
        assert!(!looks_like_arrows("a -> b\nb c\n"));
        assert!(!looks_like_arrows("a,b\n1,--\n"));
    }
}
