//! The columns of a table, of text or typed.

use crate::column_names;
use crate::error::Error;

/// What is known of a table's columns before its rows are read.
pub(crate) struct Schema {
    /// Whether the names are the file's own.
    pub(crate) header: bool,
    /// The header's names, or the columns' numbers from 1.
    pub(crate) names: Vec<String>,
    /// What each column holds.
    pub(crate) columns: Vec<ColumnSample>,
    /// Whether the header has no cell for the first column, as R writes it.
    pub(crate) short_header: bool,
}

/// What the sampled cells of a column are.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ColumnSample {
    pub(crate) numbers: usize,
    pub(crate) integers: usize,
    pub(crate) texts: usize,
}

impl ColumnSample {
    pub(crate) fn add_number(&mut self, value: f64) {
        self.numbers += 1;
        self.integers += usize::from(value.fract() == 0.0);
    }

    /// More numbers than texts: a text in it is then an error, not a label.
    pub(crate) fn is_numeric(self) -> bool {
        self.numbers > self.texts || (self.numbers == 0 && self.texts == 0)
    }

    pub(crate) fn is_integer(self) -> bool {
        self.texts == 0 && self.numbers > 0 && self.numbers == self.integers
    }
}

impl Schema {
    pub(crate) fn width(&self) -> usize {
        self.names.len()
    }

    /// The column that a user means by `name`: its header, its header in other case, or its number from 1.
    pub(crate) fn find(&self, file: &str, name: &str) -> Result<usize, Error> {
        column_names::find_column(&self.names, name).ok_or_else(|| {
            let there = if self.header {
                format!("the columns are {}", self.names.join(", "))
            } else {
                format!("there are {} columns, numbered from 1, and no header", self.width())
            };
            Error::option(file, format!("there is no column \"{name}\"; {there}"))
        })
    }
}
