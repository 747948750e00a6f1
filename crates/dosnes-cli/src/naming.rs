//! What pages and figures call their data and their items, if nobody says.

use crate::output::title;
use std::path::Path;

/// The heading of a page or figure that was given none: the words of the file's name, with a capital letter. A hyphen between
/// single letters or beside digits is part of a word: `t-SNE`, `2024-05`.
pub(crate) fn heading(path: &Path) -> String {
    let name = title(path);
    let mut words: Vec<String> = Vec::new();
    for part in name.split(['_', ' ']).filter(|part| !part.is_empty()) {
        let long = |piece: &str| piece.chars().count() > 2 && piece.chars().all(char::is_alphabetic);
        if part.split('-').all(long) {
            words.extend(part.split('-').map(str::to_owned));
        } else {
            words.push(part.to_owned());
        }
    }
    capitalised(&words.join(" "))
}

/// The text with a capital letter, unless its first word has one already, or a digit: `mRNA`, `pbmc3k`.
fn capitalised(text: &str) -> String {
    let first_word = text.split(' ').next().unwrap_or_default();
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !first_word.chars().any(|c| c.is_uppercase() || c.is_ascii_digit()) => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

/// Names of tables that say what is in their columns, or nothing, and not what their rows are.
const NO_ITEMS: [&str; 34] = [
    "annotations",
    "attributes",
    "classes",
    "clusters",
    "colors",
    "colours",
    "columns",
    "communities",
    "details",
    "edges",
    "features",
    "groups",
    "ids",
    "indices",
    "items",
    "labels",
    "links",
    "modules",
    "names",
    "news",
    "nodes",
    "objects",
    "points",
    "properties",
    "regions",
    "rows",
    "series",
    "statistics",
    "stats",
    "tags",
    "targets",
    "titles",
    "types",
    "values",
];

/// What the items are, in the plural, by the name of a table of them: `airports.csv`, `nips_lcc_authors.txt`. `None` if its
/// last word is no plural, or means something else.
pub(crate) fn things(table: &Path) -> Option<String> {
    let name = title(table);
    let word = name.rsplit(|c: char| !c.is_alphabetic()).next()?.to_lowercase();
    let plural = word.len() >= 4 && word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    (plural && !NO_ITEMS.contains(&word.as_str())).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_has_the_words_of_the_file_name() {
        for (file, expected) in [
            ("data/vega_flights-airport.csv", "Vega flights airport"),
            ("t-SNE_of_mice.csv.gz", "t-SNE of mice"),
            ("BBC_News.mtx", "BBC News"),
            ("ca-GrQc.mtx", "ca-GrQc"),
            ("sales 2024-05.csv", "Sales 2024-05"),
            ("pbmc68k_reduced.h5ad", "pbmc68k reduced"),
            ("élèves.csv", "Élèves"),
            ("__.csv", ""),
        ] {
            assert_eq!(heading(Path::new(file)), expected);
        }
    }

    #[test]
    fn a_table_of_items_says_what_they_are_if_its_name_is_a_plural() {
        for (file, expected) in [
            ("airports.csv", Some("airports")),
            ("nips_lcc_authors.txt", Some("authors")),
            ("US-Cities.tsv.gz", Some("cities")),
            ("airport.csv", None),
            ("debian12_nodes.tsv", None),
            ("BBC_News_labels.txt", None),
            ("analysis.csv", None),
            ("genus.csv", None),
            ("cells2.csv", None),
            ("", None),
        ] {
            assert_eq!(things(Path::new(file)).as_deref(), expected, "{file}");
        }
    }
}
