//! Edge lists: `a b [weight]`, one edge a line, any separator, names of any text.
//!
//! Edges with arrows, DIMACS graphs and UCINET's DL files are other ways to write one, and have modules of their own.
//! What `NetworkX` writes (`a b {'weight': 3}`) is an edge list too, and so are SNAP's and KONECT's files with their
//! comments.

use std::io::BufRead;

use crate::error::{Error, Place};
use crate::formats::{arrows, dimacs, sif, ucinet};
use crate::interpret::layout;
use crate::note::Note;
use crate::options::ReadOptions;
use crate::raw::{Contents, Parsed};
use crate::schema::ColumnSample;
use crate::source::Source;
use crate::text::edges::read_edges;
use crate::text::records::Comments;
use crate::text::separator::Separator;
use crate::text::table::TextTable;

/// Options of tables, which forms of lists with rules of their own cannot use.
fn refuse_for_tables(file: &str, form: &str, options: &ReadOptions) -> Result<(), Error> {
    let given = [
        (options.separator.is_some(), "--separator"),
        (options.skip > 0, "--skip"),
        (options.header.is_some(), "--header"),
        (options.id_column.is_some(), "--id"),
    ];
    match given.into_iter().find(|(given, _)| *given) {
        None => Ok(()),
        Some((_, option)) => {
            let problem =
                format!("{option} is for text tables, but this is {form}; leave it out, or use --format table");
            Err(Error::option(file, problem))
        }
    }
}

/// Reads a file that is an edge list by its name or its comments.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let start = String::from_utf8_lossy(source.start(1 << 14));
    if dimacs::looks_like_dimacs(&start) {
        refuse_for_tables(file, "DIMACS", options)?;
        return dimacs::read(source, options);
    }
    // Positions and weights of columns are questions to a table.
    if sif::is_sif(&source.extension()) && options.weight_column.is_none() && options.ignore_columns.is_empty() {
        refuse_for_tables(file, "SIF", options)?;
        return sif::read(source, options);
    }
    if ucinet::looks_like_dl(&start) {
        refuse_for_tables(file, "UCINET DL", options)?;
        return ucinet::read(source, options);
    }
    if arrows::looks_like_arrows(&start) && options.weight_column.is_none() && options.ignore_columns.is_empty() {
        refuse_for_tables(file, "a list of arrows", options)?;
        return arrows::read(source, options);
    }
    let konect = konect_words(source);
    let mut options = options.clone();
    let sizes = if options.skip == 0 { Sizes::of(source)? } else { None };
    if let Some(sizes) = &sizes {
        options.skip = sizes.lines;
        options.header = options.header.or(Some(false));
    }
    if konect.is_some() {
        // Blanks and tabs are mixed in some of these files.
        options.separator = options.separator.or(Some(' '));
        options.header = options.header.or(Some(false));
    }
    let is = |word: &str| konect.as_ref().is_some_and(|words| words.iter().any(|w| w == word));
    let options = &options;
    let table = TextTable::open(source, options, Comments::Everywhere)?;
    let Some(mut columns) = layout::of_edge_list(file, &table.schema, table.rows.sample(), options)? else {
        let line = table.rows.sample().first().map_or(1, |r| r.line);
        let problem = "an edge needs two names in a line, and there is only one column";
        return Err(Error::malformed(file, Place::line(line), problem));
    };
    columns.two_kinds |= is("bip");
    if let Some(sizes) = &sizes
        && options.kind != Some(dosnes::Kind::Graph)
    {
        columns.two_kinds |= sizes.rows != sizes.columns;
    }
    let mut parsed = read_edges(file, table, &columns, options.missing)?;
    parsed.notes.extend(sizes.map(|sizes| Note::LinesSkipped(sizes.lines)));
    if is("sym")
        && let Contents::Network(network) = &mut parsed.contents
    {
        network.edges = std::mem::take(&mut network.arcs);
    }
    Ok(parsed)
}

/// The sizes of a sparse matrix above its entries: `rows columns entries` in one line, or in three as in UCI's bags of words.
struct Sizes {
    /// The number of lines with sizes.
    lines: usize,
    rows: u64,
    columns: u64,
}

impl Sizes {
    /// The sizes, if all entries are within them and as many as they say.
    fn of(source: &Source<'_>) -> Result<Option<Self>, Error> {
        const MOST: usize = 1000;
        let numbers = |line: &[u8]| -> Option<Vec<u64>> {
            let words = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
            words.map(|word| word.parse().ok()).collect()
        };
        let head = source.first_lines();
        let mut first = head.split(|&b| b == b'\n').take(3).map(numbers);
        let sizes = match (
            first.next().flatten().as_deref(),
            first.next().flatten().as_deref(),
            first.next().flatten().as_deref(),
        ) {
            (Some(&[rows, columns, entries]), ..) => (1, rows, columns, entries),
            (Some(&[rows]), Some(&[columns]), Some(&[entries])) => (3, rows, columns, entries),
            _ => return Ok(None),
        };
        let (lines, rows, columns, entries) = sizes;
        let is_entry = |line: &[u8]| {
            let words: Option<Vec<f64>> = std::str::from_utf8(line)
                .ok()
                .and_then(|line| line.split_ascii_whitespace().map(|w| w.parse().ok()).collect());
            words.is_some_and(|w| w.is_empty() || w.len() == 3 && w[0] <= rows as f64 && w[1] <= columns as f64)
        };
        let sample: Vec<&[u8]> = head.split(|&b| b == b'\n').skip(lines).take(MOST).collect();
        if entries < 2 || sample.len() < 2 || !sample[..sample.len() - 1].iter().all(|line| is_entry(line)) {
            return Ok(None);
        }
        let mut count = 0_u64;
        for line in source.open()?.split(b'\n') {
            count += u64::from(!line.map_err(|error| source.read_error(error))?.trim_ascii().is_empty());
        }
        Ok((count == entries + lines as u64).then_some(Self { lines, rows, columns }))
    }
}

/// The first line of KONECT's files: `% sym unweighted`, `% bip weighted`.
fn is_konect(source: &Source<'_>) -> bool {
    konect_words(source).is_some()
}

fn konect_words(source: &Source<'_>) -> Option<Vec<String>> {
    let first =
        String::from_utf8_lossy(source.start(200).split(|&b| b == b'\n').next().unwrap_or_default()).into_owned();
    let mut words = first.strip_prefix('%')?.split_whitespace().map(str::to_owned);
    let format = words.next().filter(|word| matches!(word.as_str(), "sym" | "asym" | "bip"))?;
    Some(std::iter::once(format).chain(words).collect())
}

/// Whether the first lines look like an edge list that is not a table: few columns, the first two of them names or whole
/// numbers, separated by blanks or standing below comments.
pub(crate) fn looks_like_edge_list(source: &Source<'_>, options: &ReadOptions) -> bool {
    let extension = source.extension();
    if matches!(extension.as_str(), "edges" | "edgelist" | "edge_list" | "el" | "elist" | "ncol" | "wel" | "sif") {
        return true;
    }
    if extension == "csv" {
        return false;
    }
    if is_konect(source) {
        return true;
    }
    if arrows::looks_like_arrows(&String::from_utf8_lossy(source.start(1 << 14))) {
        return true;
    }
    // A table that cannot be read at all is reported when it is read as one.
    let Ok(table) = TextTable::first_lines(source, options, Comments::Everywhere) else { return false };
    let (schema, sample) = (&table.schema, table.rows.sample());
    let [first, second, others @ ..] = &schema.columns[..] else { return false };
    if schema.header || others.len() > 2 {
        return false;
    }
    let start = source.start(2);
    let commented = start.starts_with(b"#") || start.starts_with(b"%") || start.starts_with(b"//");
    let blanks = matches!(table.separator, Separator::Whitespace | Separator::Character(b'\t'));
    let is_end = |c: &ColumnSample| c.is_integer() || !c.is_numeric();
    let ends = is_end(first) && is_end(second);
    let alike = first.is_integer() && second.is_integer()
        || !first.is_numeric() && !second.is_numeric() && layout::names_recur(sample, 0, 1);
    let dictionary = sample.first().is_some_and(|r| r.get(2).starts_with('{'));
    let weight = others.first().is_none_or(|c| c.is_numeric()) || dictionary;
    (commented || blanks) && alike && weight && others.len() <= 1 || dictionary && ends
}
