//! What the rows of a table are: edges, or the rows of a matrix, and what each column is then.

use dosnes::Kind;
use std::collections::HashSet;
use std::ops::Range;

use super::weights::choose_weight;
use super::without_numbers;
use crate::column_names::{self, ClassNames, EndNames};
use crate::error::Error;
use crate::interner::Interner;
use crate::note::Note;
use crate::options::ReadOptions;
use crate::schema::{ColumnSample, Schema};
use crate::text::forms::{is_date, unread_number};
use crate::text::records::{Cell, Record, parse_cell};
use crate::text::separator::Separator;

/// Fewer names than this may recur by chance.
pub(super) const FEWEST_NAMES: usize = 8;

/// How the rows of a table are read.
pub(crate) enum Layout {
    /// Each row is an edge.
    Edges(EdgeColumns),
    /// Each row is an item; what becomes of each column.
    Items(Vec<Role>, Vec<Note>),
}

/// Which columns of a table make an edge.
#[derive(Debug, Clone)]
pub(crate) struct EdgeColumns {
    pub(crate) ends: (usize, usize),
    pub(crate) weight: Option<usize>,
    /// The two ends are different kinds of items, by their names.
    pub(crate) two_kinds: bool,
    /// The numbers are distances, not weights.
    pub(crate) distances: bool,
    /// A column whose cells may say `Undirected`.
    pub(crate) direction: Option<usize>,
    /// Whether the user asked for a graph.
    pub(crate) asked: bool,
    /// What should be known about the choice.
    pub(crate) notes: Vec<Note>,
}

/// What becomes of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Coordinate,
    /// Metadata as it stands.
    Text,
    /// Metadata as numbers.
    Number,
    Ignored,
}

/// Decides between edges and items by the columns and the first rows.
pub(crate) fn of_table(
    file: &str,
    schema: &Schema,
    sample: &[Record],
    separator: Separator,
    options: &ReadOptions,
) -> Result<Layout, Error> {
    let vectors = options.kind == Some(Kind::Points);
    if vectors && options.weight_column.is_some() {
        let problem = "--weight is for edges, but the file is to be read as points; leave out --weight or --as";
        return Err(Error::option(file, problem));
    }
    let has_vector = options.kind.is_none() && options.weight_column.is_none() && vector_columns(schema).is_some();
    if !vectors
        && !has_vector
        && (options.weight_column.is_some() || !is_small_square(schema, sample))
        && let Some(columns) = edge_columns(file, schema, sample, options)?
        // Distances are a matrix, unless the rows are pairs with a distance.
        && (options.kind != Some(Kind::Distance) || columns.weight.is_some())
    {
        return Ok(Layout::Edges(columns));
    }
    let mut roles = roles(file, schema, options)?;
    if let Some(vector) = vector_columns(schema).filter(|_| options.kind.is_none()) {
        let others = (0..roles.len()).filter(|k| !vector.contains(k) && roles[*k] == Role::Coordinate);
        others.collect::<Vec<_>>().into_iter().for_each(|k| roles[k] = Role::Number);
    }
    if options.id_column.is_none() && options.label_columns.is_empty() && roles.len() > 2 && counts_with_marks(sample) {
        roles[0] = Role::Ignored;
    }
    if is_small_square(schema, sample) || is_half(schema, sample, separator) {
        // The last column of a half has no entry.
        let empty = |k: &usize| roles[*k] == Role::Text && schema.columns[*k].is_empty();
        (0..schema.width()).filter(empty).collect::<Vec<_>>().into_iter().for_each(|k| roles[k] = Role::Coordinate);
    }
    let mut notes: Vec<Note> = keep_genome_places(schema, sample, &mut roles, options).into_iter().collect();
    if options.label_columns.is_empty() && options.kind.is_none() {
        column_names::about_answers(&schema.names)
            .into_iter()
            .filter(|&k| schema.header && roles[k] == Role::Coordinate)
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|k| roles[k] = Role::Number);
    }
    if !roles.contains(&Role::Coordinate) {
        return Err(without_numbers::refusal(file, schema, sample));
    }
    if options.kind.is_none() && is_long_form(schema, sample, &roles) {
        notes.push(Note::LongForm);
    }
    notes.extend(numbers_in_names(schema, sample, &roles, options));
    let coordinates: Vec<&str> =
        (0..roles.len()).filter(|&k| roles[k] == Role::Coordinate).map(|k| schema.names[k].as_str()).collect();
    if options.kind.is_none() && schema.header && column_names::are_places(&coordinates) {
        notes.push(Note::PlacesAreCoordinates);
    }
    Ok(Layout::Items(roles, notes))
}

/// The columns of a vector that stood in one cell (`embedding[0]`, `embedding[1]`, …), if it has more entries than there are other
/// columns. What stands beside such a vector is about the item, and no coordinate.
fn vector_columns(schema: &Schema) -> Option<Range<usize>> {
    const FEWEST: usize = 4;
    let entry = |k: usize| {
        let (stem, number) = schema.names.get(k)?.strip_suffix(']')?.rsplit_once('[')?;
        Some((stem, number.parse::<usize>().ok()?))
    };
    let first = (0..schema.width()).find(|&k| entry(k).is_some_and(|(_, number)| number == 0))?;
    let stem = entry(first)?.0;
    let length = (first..schema.width()).take_while(|&k| entry(k) == Some((stem, k - first))).count();
    (schema.header && length >= FEWEST && 2 * length > schema.width()).then_some(first..first + length)
}

/// The columns of a file that is a list of edges by its format: as in a table, else the first two are the ends and the
/// third is the weight. `None` if there is only one column.
pub(crate) fn of_edge_list(
    file: &str,
    schema: &Schema,
    sample: &[Record],
    options: &ReadOptions,
) -> Result<Option<EdgeColumns>, Error> {
    if let Some(columns) = edge_columns(file, schema, sample, options)? {
        return Ok(Some(columns));
    }
    let used = used_columns(file, schema, options)?;
    let (Some(&first), Some(&second)) = (used.first(), used.get(1)) else { return Ok(None) };
    let mut chosen = EdgeColumns {
        ends: (first, second),
        weight: None,
        two_kinds: false,
        distances: false,
        direction: None,
        asked: options.kind == Some(Kind::Graph),
        notes: Vec::new(),
    };
    let is_candidate = |k: usize| schema.columns.get(k).is_some_and(|c| c.is_numeric()) || is_dictionary(sample, k);
    if options.weight_column.is_some() {
        choose_weight(file, schema, sample, &used, options, &mut chosen)?;
    } else if used.get(2).is_none_or(|&k| is_candidate(k)) {
        choose_weight(file, schema, sample, &used[..used.len().min(3)], options, &mut chosen)?;
        // A dictionary is not a number, but has one in it.
        chosen.weight = chosen.weight.or(used.get(2).copied().filter(|&k| is_dictionary(sample, k)));
    }
    Ok(Some(chosen))
}

fn is_dictionary(sample: &[Record], column: usize) -> bool {
    sample.first().is_some_and(|r| r.get(column).starts_with('{'))
}

/// The columns that are not ignored.
fn used_columns(file: &str, schema: &Schema, options: &ReadOptions) -> Result<Vec<usize>, Error> {
    let find = |name: &String| schema.find(file, name);
    let ignored = options.ignore_columns.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    Ok((0..schema.width()).filter(|k| !ignored.contains(k)).collect())
}

/// The columns that hold edges, if the table looks like a list of them.
///
/// A header that names two ends (`source,target`, `from,to`, …) decides it; so do two columns of text, alone or with one
/// column of numbers, in which names occur more than once, and a request for a graph or for a weight. Columns of numbers
/// alone are never taken for edges in a table (see [`crate`]), unless their names could be those of ends.
fn edge_columns(
    file: &str,
    schema: &Schema,
    sample: &[Record],
    options: &ReadOptions,
) -> Result<Option<EdgeColumns>, Error> {
    let is_numeric = |column: usize| schema.columns.get(column).is_some_and(|c| c.is_numeric());
    let used = used_columns(file, schema, options)?;
    let mut chosen = EdgeColumns {
        ends: (0, 1),
        weight: None,
        two_kinds: false,
        distances: false,
        direction: None,
        asked: options.kind == Some(Kind::Graph),
        notes: Vec::new(),
    };
    let named = if schema.header { column_names::find_ends(&schema.names) } else { None };
    let named = named.filter(|(from, to, _)| used.contains(from) && used.contains(to));
    let is_name = |k: usize| schema.columns.get(k).is_some_and(|c| c.is_integer() || !c.is_numeric());
    let asked = matches!(options.kind, Some(Kind::Graph | Kind::Similarity)) || options.weight_column.is_some();
    match named {
        Some((from, to, EndNames::Certain)) => chosen.ends = (from, to),
        Some((from, to, EndNames::TwoKinds)) if is_name(from) && is_name(to) && names_recur(sample, from, to) => {
            chosen.ends = (from, to);
            chosen.two_kinds = true;
        }
        Some((from, to, EndNames::Possible))
            if (used.len() <= 4 || asked)
                && is_name(from)
                && is_name(to)
                && names_recur(sample, from, to)
                && (asked || !is_named_before(schema, sample, &used, from.min(to))) =>
        {
            chosen.ends = (from, to);
            // Texts are no coordinates.
            let are_numbers = is_numeric(from) || is_numeric(to);
            if options.kind.is_none() && options.weight_column.is_none() && are_numbers {
                let names = format!("{}, {}", schema.names[from], schema.names[to]);
                chosen.notes.push(Note::EdgesByName { columns: names });
            }
        }
        _ if is_blast(schema) => {
            chosen.weight = Some(11);
            chosen.notes.push(Note::BlastTable);
            return match options.weight_column {
                None => Ok(Some(chosen)),
                Some(_) => choose_weight(file, schema, sample, &used, options, &mut chosen).map(|()| Some(chosen)),
            };
        }
        _ => {
            if options.kind.is_none()
                && let Some(ends) = ends_after_times(schema, sample, &used, options)
            {
                chosen.ends = ends;
                chosen.notes.push(Note::TimesBeforeEnds { column: schema.names[used[0]].clone() });
                return Ok(Some(chosen));
            }
            let weight = options.weight_column.as_ref().map(|name| schema.find(file, name)).transpose()?;
            let mut others = used.iter().copied().filter(|&k| Some(k) != weight);
            let (Some(first), Some(second)) = (others.next(), others.next()) else { return Ok(None) };
            let marked = weight.is_none() && is_marked(schema, sample, &used);
            let two_texts = matches!(used.len(), 2 | 3)
                && !is_numeric(first)
                && !is_numeric(second)
                && used.get(2).is_none_or(|&k| is_numeric(k))
                && !schema.short_header
                && names_recur(sample, first, second);
            if options.kind.is_none()
                && named.is_none()
                && !two_texts
                && !marked
                && let Some((from, to)) = ends_by_shared_names(schema, sample, &used)
            {
                chosen.ends = (from, to);
                let columns = format!("{}, {}", schema.names[from], schema.names[to]);
                choose_weight(file, schema, sample, &used, options, &mut chosen)?;
                chosen.notes.push(Note::EdgesByNames { columns });
                return Ok(Some(chosen));
            }
            let few =
                options.weight_column.is_some() || options.kind == Some(Kind::Graph) && matches!(used.len(), 2..=4);
            if !(two_texts || marked || asked && few) {
                return Ok(None);
            }
            chosen.ends = (first, if marked { used[2] } else { second });
        }
    }
    choose_weight(file, schema, sample, &used, options, &mut chosen)?;
    Ok(Some(chosen))
}

/// `time a b`, as contacts are recorded: the first number never falls and names no item, while the two after it name the same
/// items; or the first is a date, before two names.
fn ends_after_times(
    schema: &Schema,
    sample: &[Record],
    used: &[usize],
    options: &ReadOptions,
) -> Option<(usize, usize)> {
    let [time, first, second, ..] = used else { return None };
    let is_integer = |k: &usize| schema.columns.get(*k).is_some_and(|column| column.is_integer());
    if schema.header || options.weight_column.is_some() || used.len() > 5 {
        return None;
    }
    let is_text = |k: &usize| schema.columns.get(*k).is_some_and(|column| !column.is_numeric());
    if used.len() == 3 && is_dates(sample, *time) && is_text(first) && is_text(second) {
        return names_recur(sample, *first, *second).then_some((*first, *second));
    }
    if ![time, first, second].into_iter().all(is_integer) {
        return None;
    }
    let names = |k: usize| sample.iter().map(|record| record.get(k)).collect::<HashSet<&str>>();
    let (times, from, to) = (names(*time), names(*first), names(*second));
    let shared = from.intersection(&to).count();
    let unshared = times.iter().filter(|time| !from.contains(*time) && !to.contains(*time)).count();
    let values: Vec<f64> = sample.iter().filter_map(|record| record.get(*time).parse().ok()).collect();
    let fits = from.len().min(to.len()) >= FEWEST_NAMES
        && 2 * shared >= from.len().max(to.len())
        && 10 * unshared >= 9 * times.len()
        && times.len() >= FEWEST_NAMES
        && values.windows(2).all(|pair| pair[0] <= pair[1]);
    fits.then_some((*first, *second))
}

/// Two columns of texts, or of ids by their names, that name the same items: at least half of the names in one of them occur in the other, too. A table
/// whose rows have a name of their own is a list of items, whatever their columns have in common, and two or three columns are
/// looked at elsewhere.
fn ends_by_shared_names(schema: &Schema, sample: &[Record], used: &[usize]) -> Option<(usize, usize)> {
    const MOST_COLUMNS: usize = 6;
    let is_named_id = |k: usize| schema.header && column_names::is_numeric_id(&schema.names[k]);
    let is_text = |k: &usize| {
        schema.columns.get(*k).is_some_and(|c| !c.is_numeric() || c.is_integer() && is_named_id(*k))
            && !is_dates(sample, *k)
    };
    let texts: Vec<usize> = used.iter().copied().filter(is_text).collect();
    // Without a header, a line of nothing but texts may be of another form: `a b {'weight': 3}`.
    let measured = schema.header || used.iter().any(|&k| schema.columns.get(k).is_some_and(|c| c.is_numeric()));
    let regular = sample.iter().all(|record| record.len() == schema.width());
    if !(measured && regular) || texts.len() < 2 || texts.iter().any(|&k| is_distinct(sample, k)) {
        return None;
    }
    let names = |k: usize| sample.iter().map(|r| r.get(k)).filter(|name| !name.is_empty()).collect::<HashSet<&str>>();
    let sets: Vec<(usize, HashSet<&str>)> = texts.iter().take(MOST_COLUMNS).map(|&k| (k, names(k))).collect();
    let shares = |a: &HashSet<&str>, b: &HashSet<&str>| {
        let fewer = a.len().min(b.len());
        fewer >= FEWEST_NAMES && 2 * a.intersection(b).count() >= fewer
    };
    let pairs = || sets.iter().enumerate().flat_map(|(p, one)| sets[p + 1..].iter().map(move |other| (one, other)));
    pairs().find(|(one, other)| shares(&one.1, &other.1)).map(|(one, other)| (one.0, other.0))
}

/// Whether a text before this column is another one in every row, so that it names the row: `name, a, b`. What stands behind
/// the ends of an edge, or is called an edge, names the edge.
fn is_named_before(schema: &Schema, sample: &[Record], used: &[usize], column: usize) -> bool {
    let names_edges = |k: usize| {
        let name = schema.names[k].to_lowercase();
        name.contains("edge") || name.contains("link")
    };
    used.iter().any(|&k| {
        k < column && !schema.columns[k].is_numeric() && !names_edges(k) && is_distinct(sample, k) && sample.len() > 2
    })
}

/// Whether no two rows have the same in this column.
fn is_distinct(sample: &[Record], column: usize) -> bool {
    let mut seen = HashSet::new();
    sample.iter().all(|record| seen.insert(record.get(column)))
}

/// Whether all cells of a column are dates or times.
fn is_dates(sample: &[Record], column: usize) -> bool {
    !sample.is_empty() && sample.iter().all(|record| is_date(record.get(column)))
}

/// Whether a first column counts the rows in a form that is no number: `1:`, `2:`, … before the names of Clustal's matrices.
fn counts_with_marks(sample: &[Record]) -> bool {
    sample.len() > 2
        && sample.iter().enumerate().all(|(k, record)| {
            let cell = record.get(0);
            let digits = cell.trim_start_matches('[').trim_end_matches([':', ')', ']', '.']);
            digits.len() < cell.len() && digits.parse() == Ok(k + 1)
        })
}

/// `a -> b`, or `a activates b`: a name, one of a few marks or sorts of edges, a name, perhaps a weight.
fn is_marked(schema: &Schema, sample: &[Record], used: &[usize]) -> bool {
    let [first, mark, second, rest @ ..] = used else { return false };
    let (first, mark, second) = (*first, *mark, *second);
    let column = |k: usize| schema.columns.get(k).copied().unwrap_or_default();
    let is_name = |k: usize| column(k).is_integer() || !column(k).is_numeric();
    let mut marks = Interner::default();
    for record in sample {
        marks.intern(record.get(mark));
    }
    let few = marks.len() <= 10 && 3 * marks.len() <= sample.len();
    !schema.header
        && rest.len() <= 1
        && is_name(first)
        && is_name(second)
        && !column(mark).is_numeric()
        && few
        && rest.iter().all(|&k| column(k).is_numeric())
        && names_recur(sample, first, second)
}

/// The ratings of MovieLens: `user::item::rating::time`.
pub(crate) fn of_ratings(schema: &Schema) -> Option<EdgeColumns> {
    let column = |k: usize| schema.columns.get(k).copied().unwrap_or_default();
    let fits =
        matches!(schema.width(), 3 | 4) && column(0).is_integer() && column(1).is_integer() && column(2).is_numeric();
    let timed = schema.width() == 3 || column(3).looks_like_times();
    let notes = schema.names.get(3).map(|name| Note::TimeIsNoWeight { column: name.clone(), named: true });
    (fits && timed).then(|| EdgeColumns {
        ends: (0, 1),
        weight: Some(2),
        two_kinds: true,
        distances: false,
        direction: None,
        asked: false,
        notes: notes.into_iter().collect(),
    })
}

/// The same without colons, as in MovieLens's older files: two columns of integers, ratings that differ, and times.
pub(crate) fn of_timed_ratings(schema: &Schema) -> Option<EdgeColumns> {
    let [user, item, rating, time] = schema.columns[..] else { return None };
    let fits = user.is_integer() && item.is_integer() && rating.is_between(0.0, 10.0) && time.looks_like_times();
    if schema.header || !fits || rating.is_between(1.0, 1.0) {
        return None;
    }
    let columns = of_ratings(schema)?;
    Some(EdgeColumns { notes: vec![Note::RatingsByShape { time: schema.names[3].clone() }], ..columns })
}

/// The twelve columns that BLAST writes with `-outfmt 6`: two names, the identity in percent, …, the bit score.
fn is_blast(schema: &Schema) -> bool {
    let texts = schema.columns.iter().take(2).all(|c| !c.is_numeric());
    let numbers = schema.columns.iter().skip(2).all(|c| c.is_numeric());
    let identity = schema.columns.get(2).is_some_and(|c| c.is_between(0.0, 100.0));
    !schema.header && schema.width() == 12 && texts && numbers && identity
}

/// In a list of edges names occur more than once, in the first column or in both; a list of items has each only once.
pub(crate) fn names_recur(sample: &[Record], first: usize, second: usize) -> bool {
    let mut names = Interner::default();
    let rows = || sample.iter().filter(|r| r.len() > first.max(second));
    rows().any(|r| names.intern(r.get(first)).is_some_and(|(_, new)| !new))
        || rows().any(|r| names.find(r.get(second)).is_some())
}

/// `,a,b` above `a,0,1` and `b,1,0`: two or three rows named like the columns are a matrix, not edges.
fn is_small_square(schema: &Schema, sample: &[Record]) -> bool {
    schema.header
        && sample.len() + 1 == schema.width()
        && sample.iter().zip(schema.names.iter().skip(1)).all(|(r, n)| r.get(0) == n)
}

/// Whether one half of a square matrix is given, and nothing of the other: `a,1,,` above `b,2,1,` and `c,3,2,1`.
fn is_half(schema: &Schema, sample: &[Record], separator: Separator) -> bool {
    const FEWEST: usize = 4;
    let n = sample.len();
    let Some(before) = schema.width().checked_sub(n).filter(|before| *before < 2 && n >= FEWEST) else { return false };
    let is_given =
        |i: usize, j: usize| matches!(parse_cell(sample[i].get(before + j), separator, &mut false), Cell::Number(_));
    let half = |lower: bool| {
        (0..n).all(|i| (0..i).all(|j| is_given(if lower { i } else { j }, if lower { j } else { i })))
            && (0..n).all(|i| (0..i).all(|j| !is_given(if lower { j } else { i }, if lower { i } else { j })))
    };
    half(true) || half(false)
}

/// Decides what becomes of each column of a table of items.
fn roles(file: &str, schema: &Schema, options: &ReadOptions) -> Result<Vec<Role>, Error> {
    let find = |name: &String| schema.find(file, name);
    let id = options.id_column.as_ref().map(find).transpose()?;
    let labels = options.label_columns.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let ignored = options.ignore_columns.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let has_numbers = schema.columns.iter().any(|column| column.numbers > 0);
    let has_texts = schema.columns.iter().any(|column| !column.is_numeric());
    let class_names = ClassNames::new(&schema.names);
    let is_plink = is_plink(&schema.names);
    let role = |(k, (name, column)): (usize, (&String, &ColumnSample))| {
        if ignored.contains(&k) {
            Role::Ignored
        } else if Some(k) == id || !column.is_numeric() || column.is_empty() && !labels.contains(&k) && has_numbers {
            Role::Text
        } else if labels.contains(&k) {
            // A requested label column with texts and numbers is kept as text.
            if column.texts > 0 { Role::Text } else { Role::Number }
        } else if schema.header && (column_names::is_numeric_id(name) || k == 0 && name.is_empty())
            || k == 0 && column.leading_zeros
        {
            Role::Text
        } else if schema.header && column.counts_rows() && column_names::is_row_number(name) {
            if has_texts { Role::Number } else { Role::Text }
        } else if is_plink && matches!(name.as_str(), "PAT" | "MAT" | "SEX" | "PHENOTYPE") {
            Role::Number
        } else if !schema.header && k == 0 && schema.width() > 2 && column.counts_rows() {
            // The numbers of the rows are no coordinate.
            if has_texts { Role::Number } else { Role::Text }
        } else if schema.header && (class_names.is_label(name) || column.is_integer() && class_names.is_class(name)) {
            Role::Number
        } else {
            Role::Coordinate
        }
    };
    Ok(schema.names.iter().zip(&schema.columns).enumerate().map(role).collect())
}

/// The header of PLINK's tables of genotypes: the individual, and what is known about it, before the variants.
fn is_plink(names: &[String]) -> bool {
    names.len() > 6 && names[..6].iter().map(String::as_str).eq(["FID", "IID", "PAT", "MAT", "SEX", "PHENOTYPE"])
}

/// Doubts about columns of numbers in a form that is not read.
pub(crate) fn unread_numbers(
    schema: &Schema,
    sample: &[Record],
    separator: Separator,
    roles: &[Role],
    options: &ReadOptions,
) -> Vec<Note> {
    let names = options.label_columns.iter().chain(&options.id_column);
    let asked: Vec<usize> = names.filter_map(|name| column_names::find_column(&schema.names, name)).collect();
    let unread = |k: &usize| roles[*k] == Role::Text && !schema.columns[*k].is_numeric() && !asked.contains(k);
    let columns = (0..schema.width()).filter(unread);
    // What a clock shows is no number.
    let is_clock = |k: usize, example: &str| column_names::is_time(&schema.names[k]) && example.contains(':');
    let found = columns
        .filter_map(|k| unread_number(sample, k, separator).map(|example| (k, example.to_owned())))
        .filter(|(k, example)| !is_clock(*k, example));
    found.map(|(k, example)| Note::NumbersAsText { column: schema.names[k].clone(), example }).collect()
}

/// Whether all columns are coordinates, and look like the ends of edges, perhaps with a weight.
pub(crate) fn could_be_edges(schema: &Schema, roles: &[Role]) -> bool {
    let is_integer = |k: usize| roles[k] == Role::Coordinate && schema.columns[k].is_integer();
    let named = if schema.header { column_names::find_ends(&schema.names) } else { None };
    matches!(roles.len(), 2 | 3)
        && roles.iter().all(|role| *role == Role::Coordinate)
        && schema.columns.iter().take(2).all(|column| column.is_integer())
        || are_timed_pairs(schema, roles)
        || matches!(named, Some((from, to, EndNames::Possible)) if is_integer(from) && is_integer(to))
}

/// `a b rating time` without a header: two integers, and a last column of times.
fn are_timed_pairs(schema: &Schema, roles: &[Role]) -> bool {
    !schema.header
        && matches!(roles.len(), 3..=5)
        && roles.iter().all(|role| *role == Role::Coordinate)
        && schema.columns.iter().take(2).all(|column| column.is_integer())
        && schema.columns.last().is_some_and(|column| column.looks_like_times() || column.looks_like_years())
}

/// Places in a genome, which are no coordinates of items: by the names of the columns, or, without a header, a chromosome and
/// then a start before an end. They become metadata if other numbers are left.
fn keep_genome_places(schema: &Schema, sample: &[Record], roles: &mut [Role], options: &ReadOptions) -> Option<Note> {
    let places = if schema.header {
        column_names::genome_places(&schema.names)
    } else {
        let is_chromosome = |record: &Record| {
            let name = record.get(0);
            name.len() < 8 && name.starts_with("chr") && name.len() > 3
        };
        let number = |record: &Record, k: usize| record.get(k).parse::<u64>().ok();
        let is_interval =
            |record: &Record| number(record, 1).zip(number(record, 2)).is_some_and(|(start, end)| start <= end);
        let fits = schema.width() > 2 && sample.len() > 1 && sample.iter().all(|r| is_chromosome(r) && is_interval(r));
        if fits { vec![0, 1, 2] } else { Vec::new() }
    };
    let used: Vec<usize> = places.into_iter().filter(|&k| roles[k] == Role::Coordinate).collect();
    if used.is_empty() || options.kind.is_some() {
        return None;
    }
    for &k in &used {
        roles[k] = Role::Number;
    }
    Some(Note::GenomePlaces { columns: used.iter().map(|&k| schema.names[k].clone()).collect(), named: schema.header })
}

/// Names of items that all end in a number with decimals after a blank: `word 0.25`, where blanks and commas were mixed.
fn numbers_in_names(schema: &Schema, sample: &[Record], roles: &[Role], options: &ReadOptions) -> Option<Note> {
    let is_decimal = |word: &str| word.contains('.') && word.parse::<f64>().is_ok();
    let ends_in_number =
        |cell: &str| cell.rsplit_once(' ').is_some_and(|(name, last)| !name.is_empty() && is_decimal(last));
    let asked = options.kind.is_some() || options.id_column.is_some();
    let fits = !asked && roles.first() == Some(&Role::Text) && sample.len() > 2;
    let example = sample.first().map(|record| record.get(0).to_owned())?;
    (fits && sample.iter().all(|record| ends_in_number(record.get(0))))
        .then(|| Note::NumbersInNames { column: schema.names[0].clone(), example })
}

/// Each row is one measurement of an item, so that items have several rows: names that recur, as often as there are others
/// beside them, and one or a few numbers.
fn is_long_form(schema: &Schema, sample: &[Record], roles: &[Role]) -> bool {
    const ENOUGH_ROWS: usize = 12;
    let distinct = |columns: &[usize]| {
        let key = |record: &Record| columns.iter().map(|&k| record.get(k).to_owned()).collect::<Vec<_>>();
        sample.iter().map(key).collect::<HashSet<_>>().len()
    };
    let is_time = |k: usize| {
        schema.columns[k].is_integer()
            && (column_names::is_time(&schema.names[k]) || schema.columns[k].looks_like_years())
    };
    let is_factor = |&k: &usize| match roles[k] {
        Role::Text => distinct(&[k]) > 1,
        Role::Coordinate => is_time(k),
        _ => false,
    };
    let factors: Vec<usize> = (0..schema.width()).filter(is_factor).collect();
    let numbers = (0..schema.width()).filter(|k| roles[*k] == Role::Coordinate && !is_time(*k)).count();
    let named = factors.iter().any(|&k| roles[k] == Role::Text);
    if !schema.header || sample.len() < ENOUGH_ROWS || factors.len() < 2 || !named || !matches!(numbers, 1 | 2) {
        return false;
    }
    // No column names the rows, but some columns together do, with (nearly) every combination.
    let levels: Vec<usize> = factors.iter().map(|&k| distinct(&[k])).collect();
    let repeats = levels.iter().all(|&count| 2 * count <= sample.len());
    let combinations = levels.iter().try_fold(1_usize, |product, &count| product.checked_mul(count));
    let together = distinct(&factors);
    // Groups have many rows for each combination.
    repeats && 3 * together >= sample.len() && combinations.is_some_and(|all| 10 * together >= 9 * all)
}
