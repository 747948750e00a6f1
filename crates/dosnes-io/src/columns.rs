//! Turns columns into ids and metadata of the items.

use std::collections::HashSet;

use dosnes::input::{Column, Items, Values};

use crate::column_names;
use crate::error::{Error, Place};
use crate::interner::Interner;

/// The row of the first value that has occurred before.
pub(crate) fn first_repeated(values: &[String]) -> Option<usize> {
    let mut seen = HashSet::with_capacity(values.len());
    values.iter().position(|value| !seen.insert(value.as_str()))
}

/// Whether a column can be the ids: no value is missing, and all are unique.
pub(crate) fn is_unique(values: &[String]) -> bool {
    !values.iter().any(String::is_empty) && first_repeated(values).is_none()
}

/// Checks names that must be unique.
pub(crate) fn check_ids(file: &str, ids: &[String], place: impl Fn(usize) -> Place) -> Result<(), Error> {
    if let Some(row) = ids.iter().position(String::is_empty) {
        return Err(Error::missing(file, place(row), "the id is empty; every item needs a name"));
    }
    match first_repeated(ids) {
        Some(row) => Err(Error::DuplicateId { file: file.to_owned(), place: place(row), id: ids[row].clone() }),
        None => Ok(()),
    }
}

/// The text column with the ids: one with a common name if it is unique, otherwise the first unique one.
pub(crate) fn choose_id(columns: &[Column]) -> Option<usize> {
    let unique = |c: &Column| matches!(&c.values, Values::Text(v) if is_unique(v));
    columns.iter().position(|c| column_names::is_id(&c.name) && unique(c)).or_else(|| columns.iter().position(unique))
}

/// The values of a column as names.
pub(crate) fn names_from(values: Values) -> Vec<String> {
    match values {
        Values::Text(values) => values,
        Values::Number(values) => values.iter().map(f64::to_string).collect(),
    }
}

/// Items whose names are one of the columns, or the row numbers.
pub(crate) fn items_from(mut columns: Vec<Column>, id: Option<usize>, rows: usize) -> Items {
    match id {
        Some(id) => {
            let ids = names_from(columns.remove(id).values);
            Items { ids, columns }
        }
        None => Items { ids: Items::numbered(rows).ids, columns },
    }
}

/// Turns a column of texts into numbers if every value is a number or missing, and at least one is not missing.
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
