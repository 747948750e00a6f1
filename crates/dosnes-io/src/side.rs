//! Side files: metadata of the items.
//!
//! A side file is a table. If one of its columns contains the ids of the items, rows are matched by it, in any order. If the
//! data have no ids, the rows must be in the order of the data, and the first column with a unique text in every row becomes
//! the ids.

use std::path::Path;

use dosnes::input::{Column, Items, Values};
use dosnes::observe::Silent;

use crate::column_names;
use crate::columns::{choose_id, first_repeated, index, numbers_if_possible};
use crate::error::{Error, Place};
use crate::formats::table::{Metadata, read_lines, read_metadata};
use crate::note::Note;
use crate::progress::{Observed, Progress};
use crate::source::Source;
use crate::text::separator::Separator;

/// Adds the metadata of the side file to `items`.
pub(crate) fn join(
    items: &mut Items,
    path: &Path,
    what: &str,
    notes: &mut Vec<Note>,
    progress: &dyn Progress,
) -> Result<(), Error> {
    join_source(items, &Source::file(path, progress)?, what, notes)
}

/// Adds the metadata of a side file in memory to `items`, as [`ReadOptions::items_file`](crate::ReadOptions::items_file) does
/// for one on disk. `name` is used in messages, and its extension like that of a file.
pub fn join_items_bytes(items: &mut Items, name: &str, bytes: &[u8]) -> Result<Vec<Note>, Error> {
    let mut notes = Vec::new();
    let mut silent = Silent;
    let progress = Observed::begin(&mut silent);
    join_source(items, &Source::bytes(name, bytes, &progress)?, "items", &mut notes)?;
    Ok(notes)
}

fn join_source(items: &mut Items, source: &Source<'_>, what: &str, notes: &mut Vec<Note>) -> Result<(), Error> {
    let file = source.name.as_str();
    let table = match read_metadata(source, None) {
        Ok(table) if !is_list_of_names(source, &table) => table,
        // Names with blanks or commas in them look like a ragged table, or like one of first and last names.
        other => match read_lines(source)? {
            list if list.columns.first().is_some_and(|c| c.values.len() == items.len()) => list,
            _ => other?,
        },
    };
    let Metadata { schema, mut columns, .. } = table;
    let rows = columns.first().map_or(0, |c| c.values.len());
    if let [only] = &mut columns[..]
        && !schema.header
    {
        only.name = source.stem();
    }
    let is_numbered = items.ids == Items::numbered(items.len()).ids;
    if let Some((key, matches)) = best_key(items, &columns)
        && (!is_numbered || matches == items.len())
    {
        return join_by_key(items, file, columns, key, notes);
    }
    if rows != items.len() {
        let problem = format!(
            "the file has {rows} rows for {} {what}, and no column with their ids; give one row for each, in the same \
             order, or add a column with ids",
            items.len()
        );
        return Err(Error::shape(file, problem));
    }
    if !is_numbered {
        let problem =
            format!("no column contains the ids of the {what} (such as \"{}\")", items.ids.first().map_or("", |id| id));
        return Err(Error::UnknownId { file: file.to_owned(), place: Place::default(), problem });
    }
    let is_numeric = |k: usize| schema.columns.get(k).is_some_and(|c| c.is_numeric());
    let id = choose_id(&columns).filter(|&k| !is_numeric(k) || column_names::is_id(&columns[k].name));
    if let Some(id) = id {
        if let Values::Text(ids) = columns.remove(id).values {
            items.ids = ids;
        }
    } else if let Some(Column { values: Values::Text(names), .. }) = columns.first()
        && let Some(k) = first_repeated(names)
    {
        notes.push(Note::NamesNotUnique { file: file.to_owned(), example: names[k].clone() });
    }
    items.columns.extend(columns.into_iter().map(typed));
    Ok(())
}

/// A text file without a header and without tabs may have one name per line, even if the names contain other separators.
fn is_list_of_names(source: &Source<'_>, table: &Metadata) -> bool {
    !table.schema.header
        && table.separator != Separator::Character(b'\t')
        && matches!(source.extension().as_str(), "txt" | "names" | "labels" | "")
}

fn typed(column: Column) -> Column {
    match column.values {
        Values::Text(values) => Column { name: column.name, values: numbers_if_possible(values) },
        values @ Values::Number(_) => Column { name: column.name, values },
    }
}

/// The column in which most of the items are found, and how many.
fn best_key(items: &Items, columns: &[Column]) -> Option<(usize, usize)> {
    let known = index(&items.ids);
    let mut best = None;
    for (k, column) in columns.iter().enumerate() {
        let Values::Text(values) = &column.values else { continue };
        let mut seen = vec![false; items.len()];
        for value in values {
            if let Some(item) = known.find(value) {
                seen[item as usize] = true;
            }
        }
        let matches = seen.iter().filter(|s| **s).count();
        if matches > 0 && best.is_none_or(|(_, m)| matches > m) {
            best = Some((k, matches));
        }
    }
    best
}

fn join_by_key(
    items: &mut Items,
    file: &str,
    mut columns: Vec<Column>,
    key: usize,
    notes: &mut Vec<Note>,
) -> Result<(), Error> {
    let key_name = columns[key].name.clone();
    let Values::Text(keys) = columns.remove(key).values else { return Ok(()) };
    let known = index(&items.ids);
    let mut row_of = vec![None; items.len()];
    let (mut unknown, mut example) = (0, String::new());
    for (row, name) in keys.iter().enumerate() {
        match known.find(name) {
            Some(item) if row_of[item as usize].is_some() => {
                let place = Place::default().row(row).column(key_name);
                return Err(Error::DuplicateId { file: file.to_owned(), place, id: name.clone() });
            }
            Some(item) => row_of[item as usize] = Some(row),
            None => {
                if unknown == 0 {
                    example.clone_from(name);
                }
                unknown += 1;
            }
        }
    }
    if unknown > 0 {
        notes.push(Note::UnknownInSideFile { file: file.to_owned(), count: unknown, example });
    }
    let absent = row_of.iter().filter(|r| r.is_none()).count();
    if let Some(first) = row_of.iter().position(Option::is_none) {
        let example = items.ids[first].clone();
        notes.push(Note::AbsentFromSideFile { file: file.to_owned(), count: absent, example });
    }
    for column in columns {
        let Values::Text(values) = column.values else { continue };
        let matched = row_of.iter().map(|row| row.map(|r| values[r].clone()).unwrap_or_default()).collect();
        items.columns.push(typed(Column { name: column.name, values: Values::Text(matched) }));
    }
    Ok(())
}
