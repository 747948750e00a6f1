//! Tables in which no column has numbers: what they may be, and what to do about it.

use std::collections::HashSet;

use super::layout::FEWEST_NAMES;
use crate::error::Error;
use crate::schema::Schema;
use crate::text::forms::all_unread;
use crate::text::records::Record;

/// What a table without numbers may be, and what to do about it.
pub(super) fn refusal(file: &str, schema: &Schema, sample: &[Record]) -> Error {
    // Where no column has numbers, a header may stand among the rows.
    let rows = if schema.header { sample } else { sample.get(1..).unwrap_or_default() };
    let words_of = |record: &Record, k: usize| record.get(k).split_whitespace().count();
    let words = |k: usize| sample.iter().filter(|record| words_of(record, k) > 3).count();
    // In a file without separators a line is one cell, whatever it contains.
    let names = |record: &Record| if schema.width() == 1 { words_of(record, 0) } else { record.len() };
    let cells = || sample.iter().flat_map(Record::iter);
    let problem = if cells().any(|cell| cell.starts_with('[') && cell.contains("...") && cell.ends_with(']')) {
        "vectors that were cut where \"...\" stands when they were printed; save the whole array: numpy.save(\"x.npy\", \
         numpy.stack(table[\"embedding\"]))"
            .to_owned()
    } else if schema.width() == 1
        && sample.len() > 1
        && rows.iter().all(|record| record.get(0).matches([',', ';', '\t']).count() > 1)
    {
        "each line is in quotes as a whole, so it is one cell; take off the quotes around the lines".to_owned()
    } else if (0..schema.width()).any(|k| 2 * words(k) > sample.len()) {
        "a table of texts, which have no distances; turn the texts into vectors first (for example with \
         sentence-transformers or scikit-learn's TfidfVectorizer), and save these as .npy or .csv"
            .to_owned()
    } else if sample.windows(2).any(|pair| names(&pair[0]) != names(&pair[1])) {
        "the lines have different numbers of names; if each line is a node and its neighbours, use --format adjacency; if each \
         line is a group of items (a basket), make a table with two columns, basket and item, and a line for each pair"
            .to_owned()
    } else if are_nominations(schema, rows) {
        "each line looks like an item and the items that it is linked with; write a line for each pair (melt in pandas, \
         pivot_longer in R), and use --as graph"
            .to_owned()
    } else if let Some((column, example)) = several_names(schema, rows) {
        format!(
            "column \"{column}\" has several names in a cell, as in \"{example}\"; write a line for each pair (explode in \
             pandas, separate_rows in R), and use --as dyadic"
        )
    } else if let Some(example) = (0..schema.width()).find_map(|k| all_unread(rows, k)) {
        format!(
            "no column contains numbers in a form that is read: \"{example}\" is none; write plain numbers, as in 12.5, with \
             the same unit in the whole column"
        )
    } else {
        "no column contains coordinates: all are text, names or labels; if the rows are edges, use --as graph; if the first \
         row contains names but was read as data, use --header yes; if the columns are categories (yes and no), make numbers \
         of them first (pandas.get_dummies)"
            .to_owned()
    };
    Error::shape(file, problem)
}

/// Whether names of a first column, which are all different, stand in most cells of the others too: `id, friend1, friend2`.
fn are_nominations(schema: &Schema, rows: &[Record]) -> bool {
    let ids: HashSet<&str> = rows.iter().map(|record| record.get(0)).collect();
    let others = || rows.iter().flat_map(|record| record.iter().skip(1)).filter(|cell| !cell.is_empty());
    let known = others().filter(|cell| ids.contains(cell)).count();
    schema.width() > 2 && rows.len() >= FEWEST_NAMES && ids.len() == rows.len() && 2 * known > others().count()
}

/// A column with lists of names in most of its cells, and one of them. The names recur.
fn several_names<'a>(schema: &'a Schema, rows: &'a [Record]) -> Option<(&'a str, &'a str)> {
    let lists = [';', '|', ','];
    (0..schema.width()).find_map(|k| {
        let cells = || rows.iter().map(|record| record.get(k));
        let mark =
            lists.into_iter().find(|&mark| 2 * cells().filter(|cell| cell.contains(mark)).count() > rows.len())?;
        let names = || cells().flat_map(|cell| cell.split(mark)).map(str::trim).filter(|name| !name.is_empty());
        let distinct = names().collect::<HashSet<&str>>().len();
        let example = cells().find(|cell| cell.contains(mark))?;
        (2 * distinct <= names().count()).then_some((schema.names[k].as_str(), example))
    })
}
