//! Names with blanks in files whose cells are separated by blanks: `New York 8.3 468.5`, or the word `. . .` of GloVe.

use super::records::{Cell, Record, parse_cell};
use super::separator::Separator;

/// Each row is a name of one or more words, and then this many numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SpacedNames {
    numbers: usize,
}

impl SpacedNames {
    /// Rows of this form, if some of their names have blanks. The first row may be a header.
    pub(super) fn of(sample: &[Record]) -> Option<Self> {
        let rest = sample.get(1..)?;
        let counts: Vec<usize> = rest.iter().map(numbers_at_the_end).collect();
        let named = || rest.iter().zip(&counts).filter(|(record, count)| **count < record.len());
        let times = |count: usize| named().filter(|(_, c)| **c == count).count();
        let numbers = named().map(|(_, count)| *count).max_by_key(|&count| (times(count), count))?;
        let names = Self { numbers };
        let is_row = |record: &Record| record.len() == numbers + 1 || names.words(record).is_some();
        let is_header = |record: &Record| numbers_at_the_end(record) == 0 && record.len() <= numbers + 1;
        let fits = numbers > 0
            && rest.len() > 2
            && rest.iter().all(is_row)
            && rest.iter().any(|record| record.len() > numbers + 1)
            // Rows of equal lengths are a table with several columns of texts.
            && rest.iter().any(|record| record.len() != rest[0].len())
            && (is_row(&sample[0]) || is_header(&sample[0]));
        fits.then_some(names)
    }

    /// The number of words in the name of a row, if they are several. A number at the end of a name could be a cell.
    fn words(self, record: &Record) -> Option<usize> {
        let words = record.len().checked_sub(self.numbers).filter(|&words| words > 1)?;
        (numbers_at_the_end(record) == self.numbers).then_some(words)
    }

    /// The name of a row, if it has several words.
    pub(super) fn name(self, record: &Record) -> Option<String> {
        self.words(record).map(|words| record.iter().take(words).collect::<Vec<_>>().join(" "))
    }

    /// The same row with its name in one cell.
    pub(super) fn join(self, record: &mut Record) {
        if let (Some(words), Some(name)) = (self.words(record), self.name(record)) {
            let rest: Vec<usize> = (1..words).collect();
            *record = record.without(&rest).mapped(|k, _| (k == 0).then(|| name.clone()));
        }
    }
}

/// The number of cells at the end of a row that are numbers, or say that one is missing. A dot or a dash may be a word.
fn numbers_at_the_end(record: &Record) -> usize {
    let is_number = |cell: &str| match parse_cell(cell, Separator::Whitespace, &mut false) {
        Cell::Number(_) => true,
        Cell::Missing => cell.len() > 1 && cell.bytes().all(|b| b.is_ascii_alphabetic()),
        Cell::Text => false,
    };
    (0..record.len()).rev().take_while(|&k| is_number(record.get(k))).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: &[&str]) -> Option<Vec<String>> {
        let mut rows: Vec<Record> = lines.iter().map(|line| Record::of_line(line, Separator::Whitespace)).collect();
        let names = SpacedNames::of(&rows)?;
        for row in &mut rows {
            names.join(row);
        }
        Some(rows.iter().map(|row| format!("{}:{}", row.get(0), row.len())).collect())
    }

    #[test]
    fn words_before_the_numbers_are_one_name() {
        let rows = found(&["city pop area", "New York 8.3 468", "Paris 2.1 41", "Rio de Janeiro 6.7 1200"]);
        assert_eq!(rows.unwrap(), ["city:3", "New York:3", "Paris:3", "Rio de Janeiro:3"]);
        let words = found(&["the 0.1 0.2", ". . . 0.3 0.4", "2000 0.5 0.6", "na 0.5 0.1"]);
        assert_eq!(words.unwrap(), ["the:3", ". . .:3", "2000:3", "na:3"]);
    }

    #[test]
    fn rows_of_another_number_of_numbers_are_not_mended() {
        assert_eq!(found(&["a 1 2", "b 1 2 3", "c 1 2", "d 1 2"]), None);
        assert_eq!(found(&["a 1 2", "b 1", "c d 1 2", "d 1 2"]), None);
        assert_eq!(found(&["a 1 2", "Area 51 1 2", "c d 1 2", "d 1 2"]), None);
        assert_eq!(found(&["1: a 1 2", "2: b 1 2", "3: c 1 2", "4: d 1 2"]), None);
        // Without blanks in names there is nothing to do.
        assert_eq!(found(&["a 1 2", "b 1 2", "c 1 2", "d 1 2"]), None);
    }
}
