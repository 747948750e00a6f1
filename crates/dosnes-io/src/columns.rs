//! Text columns into the items' names and columns.

use std::collections::HashSet;

use dosnes::input::{Column, Items, Values};

use crate::edges::Interner;
use crate::error::{Error, Place};

/// Names of columns that hold what an item is called.
const ID_NAMES: [&str; 23] = [
    "id",
    "ids",
    "key",
    "index",
    "node",
    "node_id",
    "nodeid",
    "name",
    "names",
    "item",
    "barcode",
    "cell",
    "cell_id",
    "word",
    "token",
    "title",
    "iata",
    "code",
    "symbol",
    "gene",
    "unnamed: 0",
    "__index_level_0__",
    "",
];
/// Of these, the ones that are names even when they hold numbers.
const NUMERIC_ID_NAMES: [&str; 9] = ["id", "ids", "key", "index", "node", "node_id", "nodeid", "cell_id", "unnamed: 0"];
/// Names of columns that hold a class, also when it is written as a number.
const LABEL_NAMES: [&str; 20] = [
    "label",
    "labels",
    "class",
    "classes",
    "target",
    "species",
    "category",
    "cluster",
    "clusters",
    "group",
    "digit",
    "cell_type",
    "celltype",
    "type",
    "louvain",
    "leiden",
    "community",
    "partition",
    "color",
    "colour",
];

/// Whether a column of numbers with this name is what the items are called.
pub(crate) fn is_numeric_id_name(name: &str) -> bool {
    NUMERIC_ID_NAMES.contains(&name.trim().to_lowercase().as_str())
}

pub(crate) fn is_id_name(name: &str) -> bool {
    ID_NAMES.contains(&name.trim().to_lowercase().as_str())
}

/// Whether a column of numbers with this name is a class rather than a coordinate. `y` is one unless there is an `x`.
pub(crate) fn is_label_name(name: &str, all: &[String]) -> bool {
    let name = name.trim().to_lowercase();
    LABEL_NAMES.contains(&name.as_str()) || (name == "y" && !all.iter().any(|n| n.trim().eq_ignore_ascii_case("x")))
}

/// The first value that occurs twice, by the place of its second occurrence.
pub(crate) fn first_repeated(values: &[String]) -> Option<usize> {
    let mut seen = HashSet::with_capacity(values.len());
    values.iter().position(|value| !seen.insert(value.as_str()))
}

/// Whether a column can name the items: every value there, none twice.
pub(crate) fn is_unique(values: &[String]) -> bool {
    !values.iter().any(String::is_empty) && first_repeated(values).is_none()
}

/// Checks names that must be unique.
pub(crate) fn check_ids(file: &str, ids: &[String], place: impl Fn(usize) -> Place) -> Result<(), Error> {
    if let Some(row) = ids.iter().position(String::is_empty) {
        return Err(Error::Missing {
            file: file.to_owned(),
            place: place(row),
            problem: "the id is empty; every item needs a name".into(),
        });
    }
    match first_repeated(ids) {
        Some(row) => Err(Error::DuplicateId { file: file.to_owned(), place: place(row), id: ids[row].clone() }),
        None => Ok(()),
    }
}

/// The text column that names the items: one with a usual name if it is unique, else the first that is unique.
pub(crate) fn choose_id(columns: &[Column]) -> Option<usize> {
    let unique = |c: &Column| matches!(&c.values, Values::Text(v) if is_unique(v));
    columns.iter().position(|c| is_id_name(&c.name) && unique(c)).or_else(|| columns.iter().position(unique))
}

/// Items whose names are one of the columns, or the row numbers.
pub(crate) fn items_from(mut columns: Vec<Column>, id: Option<usize>, rows: usize) -> Items {
    match id {
        Some(id) => {
            let ids = match columns.remove(id).values {
                Values::Text(values) => values,
                Values::Number(values) => values.iter().map(f64::to_string).collect(),
            };
            Items { ids, columns }
        }
        None => Items { ids: Items::numbered(rows).ids, columns },
    }
}

/// A column of texts becomes one of numbers when every value is a number or missing, and one at least is there.
pub(crate) fn numbers_if_possible(values: Vec<String>) -> Values {
    let mut numbers = Vec::with_capacity(values.len());
    for value in &values {
        let value = value.trim();
        if value.is_empty() || value.eq_ignore_ascii_case("nan") || value == "NA" {
            numbers.push(f64::NAN);
        } else if let Some(number) = value.parse::<f64>().ok().filter(|v| v.is_finite()) {
            numbers.push(number);
        } else {
            return Values::Text(values);
        }
    }
    if numbers.iter().all(|v| v.is_nan()) { Values::Text(values) } else { Values::Number(numbers) }
}

/// An index of names that are known to be unique.
pub(crate) fn index(names: &[String]) -> Interner {
    let mut interner = Interner::default();
    for name in names {
        interner.intern(name);
    }
    interner
}
