//! What the rows of a table are: edges, or the rows of a matrix, and what each column is then.

use dosnes::Kind;

use crate::column_names;
use crate::error::Error;
use crate::interner::Interner;
use crate::options::ReadOptions;
use crate::schema::{ColumnSample, Schema};
use crate::text::records::Record;

/// How the rows of a table are read.
pub(crate) enum Layout {
    /// Each row is an edge.
    Edges(EdgeColumns),
    /// Each row is an item; what becomes of each column.
    Items(Vec<Role>),
}

/// Which columns of a table make an edge.
#[derive(Debug, Clone)]
pub(crate) struct EdgeColumns {
    pub(crate) ends: (usize, usize),
    pub(crate) weight: Option<usize>,
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
pub(crate) fn of_table(file: &str, schema: &Schema, sample: &[Record], options: &ReadOptions) -> Result<Layout, Error> {
    if !matches!(options.kind, Some(Kind::Points | Kind::Distance))
        && !is_small_square(schema, sample)
        && let Some(columns) = edge_columns(file, schema, sample, options)?
    {
        return Ok(Layout::Edges(columns));
    }
    let roles = roles(file, schema, options)?;
    if !roles.contains(&Role::Coordinate) {
        let problem = "no column contains coordinates: all are text, names or labels; if the rows are edges, read the \
                       file as a graph; if the first row contains names but was read as data, say that there is a header";
        return Err(Error::shape(file, problem));
    }
    Ok(Layout::Items(roles))
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
    if schema.width() < 2 {
        return Ok(None);
    }
    let weight = match &options.weight_column {
        Some(name) => Some(schema.find(file, name)?),
        None => (schema.width() > 2).then_some(2),
    };
    Ok(Some(EdgeColumns { ends: (0, 1), weight }))
}

/// The columns that hold edges, if the table looks like a list of them.
///
/// A header that names two ends (`source,target`, `from,to`, …) decides it; so do two columns of text, alone or with one
/// column of numbers, in which names occur more than once. Columns of numbers alone are never taken for edges in a table (see [`crate`]).
fn edge_columns(
    file: &str,
    schema: &Schema,
    sample: &[Record],
    options: &ReadOptions,
) -> Result<Option<EdgeColumns>, Error> {
    let is_ignored = |column: usize| {
        options.ignore_columns.iter().any(|name| column_names::find_column(&schema.names, name) == Some(column))
    };
    let is_numeric = |column: usize| schema.columns.get(column).is_some_and(|c| c.is_numeric());
    let used: Vec<usize> = (0..schema.width()).filter(|&k| !is_ignored(k)).collect();
    let ends = column_names::find_ends(&schema.names).or_else(|| {
        let (&first, &second) = (used.first()?, used.get(1)?);
        let two_texts = matches!(used.len(), 2 | 3)
            && !is_numeric(first)
            && !is_numeric(second)
            && used.get(2).is_none_or(|&k| is_numeric(k))
            && !schema.short_header
            && names_recur(sample, first, second);
        let asked = options.kind == Some(Kind::Graph) && matches!(used.len(), 2..=4);
        (two_texts || asked).then_some((first, second))
    });
    let Some(ends) = ends else { return Ok(None) };
    let weight = match &options.weight_column {
        Some(name) => Some(schema.find(file, name)?),
        None => weight_column(schema, &used, ends),
    };
    Ok(Some(EdgeColumns { ends, weight }))
}

/// In a list of edges names occur more than once, in the first column or in both; a list of items has each only once.
pub(crate) fn names_recur(sample: &[Record], first: usize, second: usize) -> bool {
    let mut names = Interner::default();
    let rows = || sample.iter().filter(|r| r.len() > first.max(second));
    rows().any(|r| names.intern(r.get(first)).is_some_and(|(_, new)| !new))
        || rows().any(|r| names.find(r.get(second)).is_some())
}

/// The column of that name, else the only further column if it holds numbers.
fn weight_column(schema: &Schema, used: &[usize], ends: (usize, usize)) -> Option<usize> {
    let others: Vec<usize> = used.iter().copied().filter(|&k| k != ends.0 && k != ends.1).collect();
    let named = others.iter().copied().find(|&k| column_names::is_weight(&schema.names[k]));
    named.or(match others[..] {
        [only] if schema.columns[only].is_numeric() => Some(only),
        _ => None,
    })
}

/// `,a,b` above `a,0,1` and `b,1,0`: two or three rows named like the columns are a matrix, not edges.
fn is_small_square(schema: &Schema, sample: &[Record]) -> bool {
    schema.header
        && sample.len() + 1 == schema.width()
        && sample.iter().zip(schema.names.iter().skip(1)).all(|(r, n)| r.get(0) == n)
}

/// Decides what becomes of each column of a table of items.
fn roles(file: &str, schema: &Schema, options: &ReadOptions) -> Result<Vec<Role>, Error> {
    let find = |name: &String| schema.find(file, name);
    let id = options.id_column.as_ref().map(find).transpose()?;
    let labels = options.label_columns.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let ignored = options.ignore_columns.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let role = |(k, (name, column)): (usize, (&String, &ColumnSample))| {
        if ignored.contains(&k) {
            Role::Ignored
        } else if Some(k) == id || !column.is_numeric() {
            Role::Text
        } else if labels.contains(&k) {
            // A requested label column with texts and numbers is kept as text.
            if column.texts > 0 { Role::Text } else { Role::Number }
        } else if schema.header && (column_names::is_numeric_id(name) || k == 0 && name.is_empty()) {
            Role::Text
        } else if schema.header && column_names::is_label(name, &schema.names) {
            Role::Number
        } else {
            Role::Coordinate
        }
    };
    Ok(schema.names.iter().zip(&schema.columns).enumerate().map(role).collect())
}

/// Whether all columns are coordinates, and look like the ends of edges, perhaps with a weight.
pub(crate) fn could_be_edges(schema: &Schema, roles: &[Role]) -> bool {
    matches!(roles.len(), 2 | 3)
        && roles.iter().all(|role| *role == Role::Coordinate)
        && schema.columns.iter().take(2).all(|column| column.is_integer())
}
