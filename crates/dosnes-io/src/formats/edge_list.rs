//! Edge lists: `a b [weight]`, one edge a line, any separator, names of any text.
//!
//! What `NetworkX` writes (`a b {'weight': 3}`) is an edge list too, and so are SNAP's and KONECT's files with their
//! comments. Lines are read one at a time; an edge takes 16 bytes, a name its own bytes once.

use dosnes::CsrMatrix;
use dosnes::input::{Data, Dataset, Items};

use crate::edges::{Interner, graph_matrix};
use crate::error::{Error, Place, forbidden_weight};
use crate::interpret::Understood;
use crate::loaded::Note;
use crate::options::ReadOptions;
use crate::records::{Cell, Comments, Record, Records, Separator, parse_cell};
use crate::scan::Scan;
use crate::source::Source;
use dosnes::Kind;

/// Pairs of headers that name the two ends of an edge. `u, v` or `start, end` are not among them: they name coordinates and
/// intervals as often.
const END_NAMES: [(&str, &str); 14] = [
    ("source", "target"),
    ("from", "to"),
    ("origin", "destination"),
    ("src", "dst"),
    ("src", "dest"),
    ("source", "destination"),
    ("node1", "node2"),
    ("node_1", "node_2"),
    ("id1", "id2"),
    ("id_1", "id_2"),
    ("sender", "receiver"),
    ("fromnodeid", "tonodeid"),
    ("follower", "followee"),
    ("citing", "cited"),
];
const WEIGHT_NAMES: [&str; 14] = [
    "weight",
    "weights",
    "w",
    "count",
    "counts",
    "value",
    "n",
    "strength",
    "similarity",
    "score",
    "frequency",
    "freq",
    "number",
    "total",
];

/// Which columns of a table make an edge.
#[derive(Debug, Clone)]
pub(crate) struct EdgeColumns {
    pub(crate) ends: (usize, usize),
    pub(crate) weight: Option<usize>,
}

/// The columns that hold edges, if the table looks like a list of them.
///
/// A header that names two ends (`source,target`, `from,to`, …) decides it; so do two columns of text, alone or with one
/// column of numbers, in which names come again. Columns of numbers alone are never taken for edges in a table (see [`crate`]).
pub(crate) fn edge_columns(file: &str, scan: &Scan, options: &ReadOptions) -> Result<Option<EdgeColumns>, Error> {
    let used: Vec<usize> = (0..scan.width()).filter(|&k| !is_ignored(scan, options, k)).collect();
    let ends = named_ends(scan).or_else(|| {
        let two_texts = matches!(used.len(), 2 | 3)
            && used[..2].iter().all(|&k| !scan.columns[k].is_numeric())
            && used.get(2).is_none_or(|&k| scan.columns[k].is_numeric())
            && !scan.short_header
            && names_recur(scan, used[0], used[1]);
        let asked = matches!(options.kind, Some(Kind::Graph)) && matches!(used.len(), 2..=4);
        let asked = asked || matches!(options.kind, Some(Kind::Dyadic)) && two_texts;
        (two_texts || asked).then(|| (used[0], used[1]))
    });
    let Some(ends) = ends else { return Ok(None) };
    let weight = match &options.weight_column {
        Some(name) => Some(scan.find(file, name)?),
        None => weight_column(scan, &used, ends),
    };
    Ok(Some(EdgeColumns { ends, weight }))
}

/// In a list of edges names come again, in the first column or in both; a list of items has each in one row only.
fn names_recur(scan: &Scan, first: usize, second: usize) -> bool {
    let mut names = Interner::default();
    let rows = || scan.sample.iter().filter(|r| r.len() > first.max(second));
    rows().any(|r| !names.intern(r.get(first)).1) || rows().any(|r| names.find(r.get(second)).is_some())
}

fn is_ignored(scan: &Scan, options: &ReadOptions, column: usize) -> bool {
    options.ignore_columns.iter().any(|name| crate::scan::find_column(&scan.names, name) == Some(column))
}

fn named_ends(scan: &Scan) -> Option<(usize, usize)> {
    let position = |name: &str| scan.names.iter().position(|n| n.trim().eq_ignore_ascii_case(name));
    END_NAMES.iter().find_map(|(from, to)| Some((position(from)?, position(to)?)))
}

/// The column of that name, else the only further column if it holds numbers.
fn weight_column(scan: &Scan, used: &[usize], ends: (usize, usize)) -> Option<usize> {
    let others: Vec<usize> = used.iter().copied().filter(|&k| k != ends.0 && k != ends.1).collect();
    let named = others.iter().copied().find(|&k| WEIGHT_NAMES.contains(&scan.names[k].trim().to_lowercase().as_str()));
    named.or(match others[..] {
        [only] if scan.columns[only].is_numeric() => Some(only),
        _ => None,
    })
}

/// A file that is an edge list by its name or its comments. The first two columns are the ends, the third the weight.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<(String, Understood), Error> {
    let scan = Scan::new(source, options, Comments::Everywhere)?;
    let columns = match edge_columns(&source.name, &scan, options)? {
        Some(columns) => columns,
        None if scan.width() >= 2 => {
            let weight = match &options.weight_column {
                Some(name) => Some(scan.find(&source.name, name)?),
                None => (scan.width() > 2).then_some(2),
            };
            EdgeColumns { ends: (0, 1), weight }
        }
        None => {
            let problem = "an edge needs two names in a line, and there is only one column";
            return Err(Error::malformed(
                &source.name,
                Place::line(scan.sample.first().map_or(1, |r| r.line)),
                problem,
            ));
        }
    };
    read_edges(source, &scan, Comments::Everywhere, &columns, options)
}

/// Reads the whole file as edges.
pub(crate) fn read_edges(
    source: &Source<'_>,
    scan: &Scan,
    comments: Comments,
    columns: &EdgeColumns,
    options: &ReadOptions,
) -> Result<(String, Understood), Error> {
    let mut edges = Edges::new(&source.name, options)?;
    let mut records = Records::new(source, scan.separator, comments)?;
    let mut record = Record::default();
    let mut comma = false;
    let needed = columns.ends.0.max(columns.ends.1) + 1;
    for _ in 0..scan.skip {
        records.next(&mut record)?;
    }
    while records.next(&mut record)? {
        if record.len() < needed {
            let problem = format!("an edge needs {needed} cells, but this line has {}", record.len());
            return Err(Error::malformed(&source.name, Place::line(record.line), problem));
        }
        let weight = match columns.weight {
            Some(column) => weight_of(source, scan, &record, column, &mut comma)?,
            None => 1.0,
        };
        let (from, to) = (record.get(columns.ends.0), record.get(columns.ends.1));
        if from.is_empty() || to.is_empty() {
            let problem = "an end of the edge is empty; every edge needs two names";
            return Err(Error::malformed(&source.name, Place::line(record.line), problem));
        }
        edges.push(from, to, weight);
    }
    let mut notes = Vec::new();
    if records.skipped > 0 {
        notes.push(Note::CommentsSkipped(records.skipped));
    }
    if records.latin1 {
        notes.push(Note::Latin1);
    }
    if comma {
        notes.push(Note::DecimalComma);
    }
    notes.extend(unused_columns(scan, columns));
    let shape = describe(scan, columns, edges.len());
    Ok((shape, edges.finish(&source.name, options, notes)?))
}

/// The columns that are not used.
pub(crate) fn unused_columns(scan: &Scan, columns: &EdgeColumns) -> Option<Note> {
    let is_used = |k: usize| k == columns.ends.0 || k == columns.ends.1 || Some(k) == columns.weight;
    let unused: Vec<String> = (0..scan.width()).filter(|&k| !is_used(k)).map(|k| scan.names[k].clone()).collect();
    (!unused.is_empty()).then_some(Note::ColumnsIgnored(unused))
}

/// Edges as they come in: a graph over all names, or dyadic data between the names of the two sides.
pub(crate) struct Edges {
    dyadic: bool,
    names: Interner,
    partners: Interner,
    triplets: Vec<(u32, u32, f64)>,
}

impl Edges {
    pub(crate) fn new(file: &str, options: &ReadOptions) -> Result<Self, Error> {
        if let Some(kind @ (Kind::Points | Kind::Distance)) = options.kind {
            let problem = format!("this is a list of edges, which cannot be read as {kind}");
            return Err(Error::option(file, problem));
        }
        let dyadic = options.kind == Some(Kind::Dyadic);
        Ok(Self { dyadic, names: Interner::default(), partners: Interner::default(), triplets: Vec::new() })
    }

    pub(crate) fn push(&mut self, from: &str, to: &str, weight: f64) {
        let i = self.names.intern(from).0;
        let j = if self.dyadic { self.partners.intern(to).0 } else { self.names.intern(to).0 };
        self.triplets.push((i, j, weight));
    }

    pub(crate) fn len(&self) -> usize {
        self.triplets.len()
    }

    pub(crate) fn finish(self, file: &str, options: &ReadOptions, mut notes: Vec<Note>) -> Result<Understood, Error> {
        let Self { dyadic, names, partners, triplets: edges } = self;
        if edges.is_empty() {
            return Err(Error::empty(file, "there are no edges in it"));
        }
        if dyadic {
            let incidence = CsrMatrix::from_triplets((names.len(), partners.len()), &edges)
                .map_err(|error| Error::matrix(file, Place::default(), error))?;
            let repeated = edges.len() - incidence.nnz();
            drop(edges);
            return Ok(dyadic_dataset(incidence, repeated, names, partners, options, notes));
        }
        if options.kind.is_none() && names.len() > 2 && ends_are_disjoint(&edges, names.len()) {
            notes.push(Note::CouldBeDyadic);
        }
        let mirrored = options.directed == Some(false);
        let (matrix, more) =
            graph_matrix(names.len(), edges, mirrored).map_err(|error| Error::matrix(file, Place::default(), error))?;
        notes.extend(more);
        let items = Items { ids: names.into_names(), columns: Vec::new() };
        Ok(graph_dataset(items, matrix, mirrored, options, notes))
    }
}

/// Whether no item stands on both sides.
fn ends_are_disjoint(edges: &[(u32, u32, f64)], n: usize) -> bool {
    let mut sides = vec![0_u8; n];
    for &(i, j, _) in edges {
        sides[i as usize] |= 1;
        sides[j as usize] |= 2;
    }
    !sides.contains(&3)
}

/// The graph, or the similarities where those were asked for.
pub(crate) fn graph_dataset(
    items: Items,
    matrix: CsrMatrix<'static>,
    mirrored: bool,
    options: &ReadOptions,
    notes: Vec<Note>,
) -> Understood {
    let edges = if mirrored { "undirected edges" } else { "arcs" };
    let loops = crate::edges::self_loops(&matrix);
    let count = if mirrored { (matrix.nnz() - loops) / 2 + loops } else { matrix.nnz() };
    let (data, what) = if options.kind == Some(Kind::Similarity) {
        let what = format!("similarities of {} items, {} entries", items.len(), matrix.nnz());
        (Data::Similarity(matrix), what)
    } else {
        let what = format!("graph of {} nodes and {count} {edges}", items.len());
        (Data::Graph(matrix), what)
    };
    Understood { dataset: Dataset::new(items, data), what, notes }
}

fn dyadic_dataset(
    incidence: CsrMatrix<'static>,
    repeated: usize,
    names: Interner,
    second: Interner,
    options: &ReadOptions,
    mut notes: Vec<Note>,
) -> Understood {
    if repeated > 0 {
        notes.push(Note::RepeatedEdges(repeated));
    }
    let items = Items { ids: names.into_names(), columns: Vec::new() };
    let partners = Some(Items { ids: second.into_names(), columns: Vec::new() });
    let mut dataset = Dataset { items, data: Data::Dyadic(incidence), partners };
    if options.transpose {
        dataset = dataset.transposed();
    }
    let partners = dataset.partners.as_ref().map_or(0, Items::len);
    let what = format!("dyadic data, {} items × {partners} partners", dataset.items.len());
    Understood { dataset, what, notes }
}

fn describe(scan: &Scan, columns: &EdgeColumns, lines: usize) -> String {
    let header = if scan.header { "with header" } else { "without header" };
    let mut named = vec![scan.names[columns.ends.0].as_str(), scan.names[columns.ends.1].as_str()];
    if let Some(weight) = columns.weight {
        named.push(&scan.names[weight]);
    }
    let named = if scan.header {
        format!(" ({})", named.join(", "))
    } else if columns.weight.is_some() {
        " with weights".into()
    } else {
        String::new()
    };
    format!("{}-separated, {header}, {lines} rows: edge list{named}", scan.separator.name())
}

/// The weight in a line: a number, or `NetworkX`'s `{'weight': number}`.
fn weight_of(source: &Source<'_>, scan: &Scan, record: &Record, column: usize, comma: &mut bool) -> Result<f64, Error> {
    let place = || Place::line(record.line).column(scan.names[column].clone());
    if record.len() <= column {
        let problem = "the weight is missing from this line, while others have one";
        return Err(Error::malformed(&source.name, Place::line(record.line), problem));
    }
    let cell = record.get(column);
    if cell.starts_with('{') {
        return weight_in_dictionary(record, column).map_err(|problem| Error::value(&source.name, place(), problem));
    }
    let value = match parse_cell(cell, scan.separator, comma) {
        Cell::Number(value) => value,
        Cell::Missing => {
            let problem = format!("the weight \"{cell}\" is missing; every edge needs a number here");
            return Err(Error::Missing { file: source.name.clone(), place: place(), problem });
        }
        Cell::Text => {
            return Err(Error::value(&source.name, place(), format!("weight \"{cell}\" is not a number")));
        }
    };
    match forbidden_weight(value, "weight") {
        Some(_) if value < 0.0 => {
            let problem = format!("weight \"{cell}\" is negative; similarities must be ≥ 0");
            Err(Error::value(&source.name, place(), problem))
        }
        Some(problem) => Err(Error::value(&source.name, place(), problem)),
        None => Ok(value),
    }
}

/// `{}` is 1; `{'weight': 3}` is 3. The dictionary may have been cut into several cells at its blanks.
fn weight_in_dictionary(record: &Record, column: usize) -> Result<f64, String> {
    let text: String = (column..record.len()).map(|k| record.get(k)).collect::<Vec<_>>().join(" ");
    let Some(start) = ["'weight'", "\"weight\"", "weight"].iter().find_map(|k| Some(text.find(k)? + k.len())) else {
        return Ok(1.0);
    };
    let value = text[start..].trim_start().trim_start_matches(':').trim_start();
    let end = value.find([',', '}', ' ']).unwrap_or(value.len());
    let number: f64 = value[..end].parse().map_err(|_| format!("the weight in {text} is not a number"))?;
    match forbidden_weight(number, "weight") {
        Some(problem) => Err(problem),
        None => Ok(number),
    }
}

/// Whether the first lines look like an edge list that is not a table: few columns, the first two of them names or whole
/// numbers, separated by blanks or standing below comments.
pub(crate) fn looks_like_edge_list(source: &Source<'_>, options: &ReadOptions) -> Result<bool, Error> {
    let extension = source.extension();
    if matches!(extension.as_str(), "edges" | "edgelist" | "edge_list" | "el" | "elist" | "ncol" | "wel") {
        return Ok(true);
    }
    if extension == "csv" {
        return Ok(false);
    }
    let Ok(scan) = Scan::new(source, options, Comments::Everywhere) else { return Ok(false) };
    if scan.header || !(2..=4).contains(&scan.width()) {
        return Ok(false);
    }
    let start = source.start(512)?;
    let commented = start.first().is_some_and(|b| matches!(b, b'#' | b'%')) || start.starts_with(b"//");
    let blanks = matches!(scan.separator, Separator::Whitespace | Separator::Character(b'\t'));
    let ends = scan.columns[..2].iter().all(|c| c.is_integer() || !c.is_numeric());
    let numeric = scan.columns[..2].iter().all(|c| c.is_integer()) || scan.columns[..2].iter().all(|c| !c.is_numeric());
    let dictionary = scan.sample.first().is_some_and(|r| r.len() > 2 && r.get(2).starts_with('{'));
    let weight = scan.columns.get(2).is_none_or(|c| c.is_numeric()) || dictionary;
    let numeric = numeric && (scan.columns[0].is_numeric() || names_recur(&scan, 0, 1));
    Ok((commented || blanks) && ends && numeric && weight && scan.width() <= 3 || dictionary && ends)
}
