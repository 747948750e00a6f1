//! Cytoscape's SIF: `node interaction node node …`, separated by tabs or, without any, by blanks; a line with one name is a
//! node without edges.

use crate::error::{Error, Place};
use crate::graph::GraphBuilder;
use crate::options::ReadOptions;
use crate::raw::Parsed;
use crate::source::Source;

/// Whether a file is one, by the end of its name.
pub(crate) fn is_sif(extension: &str) -> bool {
    extension == "sif"
}

pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let bytes = source.read_all()?;
    let text = String::from_utf8_lossy(&bytes);
    let tabs = text.contains('\t');
    let mut graph = GraphBuilder::default();
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1_u64..) {
        let words: Vec<&str> =
            if tabs { line.split('\t').map(str::trim).collect() } else { line.split_whitespace().collect() };
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        match words[..] {
            [] => {}
            [node] => drop(graph.mention(file, node)?),
            [_, _] => {
                let problem = "a line needs a node, an interaction and further nodes; this one has no further node. If lines \
                               are pairs of nodes, use --format table --as graph";
                return Err(Error::malformed(file, Place::line(number), problem));
            }
            [from, _, ref others @ ..] => {
                let from = graph.mention(file, from)?;
                for to in others {
                    let to = graph.mention(file, to)?;
                    graph.connect(file, (from, to), None, true)?;
                }
            }
        }
    }
    graph.finish(file, "SIF", options)
}
