//! UCINET DL: `dl n=5 format=fullmatrix`, perhaps `labels:`, then `data:`.

use crate::error::{Error, Place};
use crate::options::ReadOptions;
use crate::raw::Parsed;
use crate::source::Source;
use crate::text::made::MadeTable;

/// Whether a text begins as such a file does.
pub(crate) fn looks_like_dl(text: &str) -> bool {
    let start: String = text.chars().take(2000).collect::<String>().to_lowercase();
    let mut words = start.split(|c: char| c.is_whitespace() || matches!(c, '=' | ','));
    words.next() == Some("dl") && words.any(|word| matches!(word, "n" | "nr" | "nm")) && start.contains("data:")
}

/// Reads a square matrix, a list of edges, or lists of neighbours.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let malformed = |problem: &str| Error::malformed(file, Place::default(), problem);
    let bytes = source.read_all()?;
    let text = String::from_utf8_lossy(&bytes);
    let lower = text.to_lowercase();
    // Places in the lower-case text fit the text itself only if both have the same length.
    if lower.len() != text.len() {
        return Err(malformed("a UCINET DL file with unusual letters; export it as an edge list"));
    }
    let data = lower.find("data:").ok_or_else(|| malformed("a UCINET DL file without \"data:\""))?;
    let (head, body) = (&lower[..data], text.get(data + 5..).unwrap_or_default());
    let spaced = head.replace(['=', ',', ':'], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let after = |name: &str| words.iter().position(|word| *word == name).and_then(|k| words.get(k + 1)).copied();
    if after("nr").is_some() || after("nm").is_some_and(|count| count != "1") {
        return Err(malformed("a UCINET DL file with two modes or several matrices; export one matrix as CSV"));
    }
    let n: Option<usize> = after("n").and_then(|n| n.parse().ok()).filter(|&n| n > 0);
    let n = n.ok_or_else(|| malformed("a UCINET DL file without n"))?;
    let embedded = head.contains("embedded");
    // Without labels, nodes are called by their numbers. There may be no list of these: the file may claim any number of nodes.
    let labels: Option<Vec<String>> = head.find("labels:").filter(|_| !embedded).map(|start| {
        let part = text.get(start + 7..data).unwrap_or_default();
        part.split([',', '\n', '\r', ' ', '\t'])
            .map(|label| label.trim().trim_matches('"').to_owned())
            .filter(|l| !l.is_empty())
            .collect()
    });
    if let Some(labels) = labels.as_ref().filter(|labels| labels.len() != n) {
        return Err(malformed(&format!(
            "a UCINET DL file of {n} nodes with {} labels; labels with blanks need quotes and commas",
            labels.len()
        )));
    }
    let called = |k: usize| labels.as_ref().map_or_else(|| k.to_string(), |labels| labels[k - 1].clone());
    let name = |word: &str| -> String {
        let number = word.parse::<usize>().ok().filter(|k| !embedded && (1..=n).contains(k));
        number.map_or_else(|| word.trim_matches('"').to_owned(), called)
    };
    let form = after("format").unwrap_or("fullmatrix");
    let mut table = MadeTable::default();
    let lines =
        || body.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|words| !words.is_empty());
    if form.starts_with("full") || form == "fm" {
        let mut cells: Vec<&str> = body.split_whitespace().collect();
        let found: Vec<String> = if embedded {
            let found = cells.drain(..n.min(cells.len())).map(str::to_owned).collect();
            cells = cells.chunks(n.saturating_add(1)).flat_map(|row| row.iter().skip(1).copied()).collect();
            found
        } else {
            Vec::new()
        };
        if n.checked_mul(n) != Some(cells.len()) {
            return Err(malformed(&format!(
                "a UCINET DL file of {n} nodes with {} numbers instead of {}",
                cells.len(),
                n as u128 * n as u128
            )));
        }
        let labels: Vec<String> = if embedded { found } else { (1..=n).map(called).collect() };
        table.cell("");
        table.cells(&labels);
        table.end_row();
        for (label, row) in labels.iter().zip(cells.chunks(n)) {
            table.cell(label);
            table.cells(row);
            table.end_row();
        }
    } else if form.starts_with("edgelist1") || form.starts_with("el1") || form == "edgelist" {
        table.cells(["source", "target", "weight"]);
        table.end_row();
        for words in lines() {
            let [from, to, rest @ ..] = &words[..] else { return Err(malformed("an edge has only one end")) };
            table.cells([name(from), name(to), rest.first().map_or("1", |w| *w).to_owned()]);
            table.end_row();
        }
    } else if form.starts_with("nodelist1") || form.starts_with("nl1") || form == "nodelist" {
        table.cells(["source", "target"]);
        table.end_row();
        for words in lines() {
            for to in words.iter().skip(1) {
                table.cells([name(words[0]), name(to)]);
                table.end_row();
            }
        }
    } else {
        return Err(malformed(&format!(
            "UCINET's DL format \"{form}\" cannot be read; export as fullmatrix or edgelist1"
        )));
    }
    table.read(source, source.progress(), Some(true), "UCINET DL", options)
}
