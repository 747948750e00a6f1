//! Two tables in one sheet, with an empty column between them.

use super::records::Record;
use crate::error::{Error, Place};
use crate::note::Note;
use crate::options::{MissingValues, ReadOptions};
use crate::schema::Schema;

/// Columns of a table that stands beside another one, at least.
const FEWEST: usize = 2;
/// Rows that are looked at, at least.
const FEWEST_ROWS: usize = 3;

/// The second of two tables side by side.
pub(crate) struct Beside {
    /// Its columns, from this one on.
    first: usize,
    /// The line at which one of the two has ended and the other has not.
    end: Option<u64>,
}

impl Beside {
    /// Looks for a column without name and contents, which the rows no longer have, between two parts that are tables of their own: the
    /// same name stands above both, or both begin with a column of names, or one of them is shorter. `empty` are the places of
    /// such columns in the file.
    pub(crate) fn of(schema: &Schema, sample: &[Record], empty: &[usize]) -> Option<Self> {
        let width = schema.width();
        // The columns that are left before each of the empty ones.
        let borders = empty.iter().enumerate().map(|(before, column)| column - before);
        let first = borders.into_iter().find(|&border| (FEWEST..=width.saturating_sub(FEWEST)).contains(&border))?;
        let rows: Vec<&Record> = sample.iter().filter(|record| record.len() == width).collect();
        if !schema.header || rows.len() < FEWEST_ROWS {
            return None;
        }
        let (left, right) = schema.names.split_at(first);
        let same_name = right.iter().any(|name| !name.is_empty() && left.contains(name));
        let begins_with_names = |column: usize| {
            let mut names: Vec<&str> = rows.iter().map(|r| r.get(column)).filter(|name| !name.is_empty()).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            count >= FEWEST_ROWS && names.len() == count && !schema.columns[column].is_numeric()
        };
        let is_empty = |record: &Record, from: usize, to: usize| (from..to).all(|k| record.get(k).is_empty());
        let ends = |from: usize, to: usize| {
            let below = rows.iter().rev().take_while(|record| is_empty(record, from, to)).count();
            rows[..rows.len() - below].iter().all(|record| !is_empty(record, from, to)).then_some(rows.len() - below)
        };
        let end = match (ends(0, first), ends(first, width)) {
            (Some(left), Some(right)) if left != right => rows.get(left.min(right)).map(|record| record.line),
            _ => None,
        };
        let are_tables = same_name || begins_with_names(0) && begins_with_names(first) || end.is_some();
        are_tables.then_some(Self { first, end })
    }

    /// The doubt, unless the user has left out the second table. Tables of different lengths cannot be read as one.
    pub(crate) fn judge(&self, file: &str, schema: &Schema, options: &ReadOptions) -> Result<Option<Note>, Error> {
        let columns = schema.names[self.first..].to_vec();
        let ignored = options.ignore_columns.iter().filter_map(|name| schema.find(file, name).ok());
        let ignored: Vec<usize> = ignored.collect();
        if options.kind.is_some() || (self.first..schema.width()).all(|k| ignored.contains(&k)) {
            return Ok(None);
        }
        let note = Note::TablesSideBySide { columns };
        match self.end {
            Some(line) if options.missing == MissingValues::Error => {
                let problem = format!("two tables of different lengths stand side by side: {note}");
                Err(Error::malformed(file, Place::line(line), problem))
            }
            _ => Ok(Some(note)),
        }
    }
}
