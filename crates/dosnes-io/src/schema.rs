//! The columns of a table, of text or typed.

use crate::column_names;
use crate::error::Error;

/// The columns of a table, as detected before its rows are read.
pub(crate) struct Schema {
    /// Whether the file has a header.
    pub(crate) header: bool,
    /// The names in the header, or the numbers of the columns, counted from 1.
    pub(crate) names: Vec<String>,
    /// The contents of each column.
    pub(crate) columns: Vec<ColumnSample>,
    /// Whether the header has no cell for the first column, as R writes it.
    pub(crate) short_header: bool,
}

/// What the sampled cells of a column are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnSample {
    pub(crate) numbers: usize,
    pub(crate) integers: usize,
    pub(crate) texts: usize,
    smallest: f64,
    largest: f64,
    /// Whether the numbers so far are n, n + 1, n + 2, …, in this order, from 0 or 1.
    counts_up: bool,
    /// Whether an integer is written with a zero in front, as codes and postcodes are.
    pub(crate) leading_zeros: bool,
}

impl Default for ColumnSample {
    fn default() -> Self {
        Self {
            numbers: 0,
            integers: 0,
            texts: 0,
            smallest: f64::INFINITY,
            largest: f64::NEG_INFINITY,
            counts_up: true,
            leading_zeros: false,
        }
    }
}

impl ColumnSample {
    pub(crate) fn add_number(&mut self, value: f64) {
        let next = if self.numbers == 0 { value == 0.0 || value == 1.0 } else { value == self.largest + 1.0 };
        self.counts_up &= next;
        self.numbers += 1;
        self.integers += usize::from(value.fract() == 0.0);
        self.smallest = self.smallest.min(value);
        self.largest = self.largest.max(value);
    }

    /// Whether all numbers are between these two.
    pub(crate) fn is_between(self, low: f64, high: f64) -> bool {
        self.numbers > 0 && self.texts == 0 && self.smallest >= low && self.largest <= high
    }

    /// Row numbers.
    pub(crate) fn counts_rows(self) -> bool {
        self.counts_up && self.texts == 0 && self.numbers > 4
    }

    /// Names that happen to be numbers.
    pub(crate) fn make_text(&mut self) {
        self.texts += self.numbers;
        (self.numbers, self.integers) = (0, 0);
    }

    /// Whether a number is negative.
    pub(crate) fn has_negatives(self) -> bool {
        self.smallest < 0.0
    }

    /// Integers that are years, from 1400 on.
    pub(crate) fn looks_like_years(self) -> bool {
        self.is_integer() && self.is_between(1400.0, 2100.0)
    }

    /// Seconds or milliseconds since 1970, in the years 1973 to 2100. Seconds may have fractions.
    pub(crate) fn looks_like_times(self) -> bool {
        self.is_between(1e8, 4.1e9) || self.is_integer() && self.is_between(1e11, 4.1e12)
    }

    /// More numbers than texts. A single text is then an error, and the column is not treated as labels.
    pub(crate) fn is_numeric(self) -> bool {
        self.numbers > self.texts || (self.numbers == 0 && self.texts == 0)
    }

    /// Neither a number nor a text.
    pub(crate) fn is_empty(self) -> bool {
        self.numbers == 0 && self.texts == 0
    }

    pub(crate) fn is_integer(self) -> bool {
        self.texts == 0 && self.numbers > 0 && self.numbers == self.integers
    }
}

impl Schema {
    pub(crate) fn width(&self) -> usize {
        self.names.len()
    }

    /// The column that a user means by `name`: its name, its name ignoring case, or its number, counted from 1.
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
