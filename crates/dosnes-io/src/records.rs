//! Lines of text into cells: separators, quotes, comments, line numbers.

use std::io::BufRead;

use crate::error::{Error, Place};
use crate::source::Source;

/// What stands between two cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Separator {
    /// One character; two in a row enclose an empty cell.
    Character(u8),
    /// Any run of spaces and tabs.
    Whitespace,
    /// Nothing: the whole line is one cell.
    Never,
}

impl Separator {
    fn separates(self, byte: u8) -> bool {
        match self {
            Self::Character(c) => byte == c,
            Self::Whitespace => byte == b' ' || byte == b'\t',
            Self::Never => false,
        }
    }
}

impl Separator {
    pub(crate) fn name(self) -> String {
        match self {
            Self::Character(b',') => "comma".into(),
            Self::Character(b';') => "semicolon".into(),
            Self::Character(b'\t') => "tab".into(),
            Self::Character(b'|') => "bar".into(),
            Self::Character(other) => format!("\"{}\"", other as char),
            Self::Whitespace => "space".into(),
            Self::Never => "line".into(),
        }
    }
}

/// Which lines are comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comments {
    /// Lines that start with `#` before the first record (as `NumPy` writes them); later ones may be hashtags.
    AtTop,
    /// Lines that start with `#`, `%` or `//`, anywhere.
    Everywhere,
}

/// A quote that is not closed within so many bytes is an error, so that one stray quote does not swallow the file.
const LONGEST_QUOTED: usize = 1 << 20;

/// The cells of one record. Kept between records, so that reading does not allocate.
#[derive(Debug, Default, Clone)]
pub(crate) struct Record {
    text: String,
    ends: Vec<usize>,
    /// The line on which the record starts, from 1.
    pub(crate) line: u64,
}

impl Record {
    /// An empty record on line 1, for formats that read that line by themselves.
    pub(crate) fn first_line() -> Self {
        Self { line: 1, ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|i| self.get(i))
    }
}

/// Reads records one after the other.
pub(crate) struct Records<'a> {
    input: Box<dyn BufRead + 'a>,
    source: &'a Source<'a>,
    separator: Separator,
    comments: Comments,
    line: u64,
    seen_record: bool,
    buffer: Vec<u8>,
    /// Comment lines skipped so far.
    pub(crate) skipped: usize,
    /// Whether a line was not UTF-8.
    pub(crate) latin1: bool,
}

impl<'a> Records<'a> {
    pub(crate) fn new(source: &'a Source<'a>, separator: Separator, comments: Comments) -> Result<Self, Error> {
        let input = source.open()?;
        let (seen_record, buffer) = (false, Vec::new());
        Ok(Self { input, source, separator, comments, line: 0, seen_record, buffer, skipped: 0, latin1: false })
    }

    /// Reads the next record that is neither blank nor a comment; false at the end.
    pub(crate) fn next(&mut self, record: &mut Record) -> Result<bool, Error> {
        loop {
            self.buffer.clear();
            if !self.read_line()? {
                return Ok(false);
            }
            let start = self.buffer.trim_ascii_start();
            if start.is_empty() {
                continue;
            }
            if self.is_comment(start) {
                self.skipped += 1;
                continue;
            }
            break;
        }
        self.seen_record = true;
        record.line = self.line;
        self.close_quotes(record.line)?;
        while matches!(self.buffer.last(), Some(b'\n' | b'\r')) {
            self.buffer.pop();
        }
        record.text.clear();
        record.ends.clear();
        let decoded;
        let line = if let Ok(line) = std::str::from_utf8(&self.buffer) {
            line
        } else {
            self.latin1 = true;
            decoded = latin1(&self.buffer);
            &decoded
        };
        split(line, self.separator, record);
        Ok(true)
    }

    fn read_line(&mut self) -> Result<bool, Error> {
        let before = self.buffer.len();
        let read = self.input.read_until(b'\n', &mut self.buffer).map_err(|e| self.source.read_error(&e))?;
        if read == 0 {
            return Ok(false);
        }
        if self.line == 0 && self.buffer.starts_with(&[0xef, 0xbb, 0xbf]) {
            self.buffer.drain(..3);
        }
        if self.buffer[before.min(self.buffer.len())..].contains(&0) {
            let place = Place::line(self.line + 1);
            return Err(Error::malformed(&self.source.name, place, "a zero byte: this is not a text file"));
        }
        self.line += 1;
        Ok(true)
    }

    fn is_comment(&self, line: &[u8]) -> bool {
        match self.comments {
            Comments::AtTop => !self.seen_record && line[0] == b'#',
            Comments::Everywhere => line[0] == b'#' || line[0] == b'%' || line.starts_with(b"//"),
        }
    }

    /// Reads further lines while a quoted cell is open.
    fn close_quotes(&mut self, first_line: u64) -> Result<(), Error> {
        while quote_is_open(&self.buffer, self.separator) {
            let unclosed = || {
                let problem = "a cell starts with a quote that is not closed; close it, or double a quote that belongs \
                               to the text";
                Error::malformed(&self.source.name, Place::line(first_line), problem)
            };
            if self.buffer.len() > LONGEST_QUOTED {
                return Err(unclosed());
            }
            if !self.read_line()? {
                let problem = "a cell starts with a quote that is not closed; close it, or double a quote that belongs \
                               to the text";
                return Err(Error::malformed(&self.source.name, Place::line(first_line), problem));
            }
        }
        Ok(())
    }
}

/// Latin-1: each byte is the character of that number.
pub(crate) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&b| b as char).collect()
}

/// Whether the line ends inside a quoted cell. Quotes count only at the start of a cell.
fn quote_is_open(line: &[u8], separator: Separator) -> bool {
    if !line.contains(&b'"') {
        return false;
    }
    let (mut inside, mut at_start) = (false, true);
    let mut i = 0;
    while i < line.len() {
        let byte = line[i];
        if inside {
            if byte == b'"' {
                if line.get(i + 1) == Some(&b'"') {
                    i += 1;
                } else {
                    inside = false;
                }
            }
        } else if byte == b'"' && at_start {
            inside = true;
            at_start = false;
        } else if separator.separates(byte) {
            at_start = true;
        } else if byte != b' ' {
            at_start = false;
        }
        i += 1;
    }
    inside
}

/// Splits a line into cells: blanks around a cell are cut, quotes around it are taken off.
pub(crate) fn split(line: &str, separator: Separator, record: &mut Record) {
    let bytes = line.as_bytes();
    let mut i = 0;
    loop {
        if separator == Separator::Whitespace {
            while i < bytes.len() && (bytes[i] == b' ' || bytes[i] == b'\t') {
                i += 1;
            }
            if i >= bytes.len() {
                return;
            }
        } else {
            while i < bytes.len() && bytes[i] == b' ' {
                i += 1;
            }
        }
        if bytes.get(i) == Some(&b'"') {
            i += 1;
            let mut start = i;
            loop {
                match bytes.get(i) {
                    None => {
                        record.text.push_str(&line[start..i]);
                        break;
                    }
                    Some(b'"') if bytes.get(i + 1) == Some(&b'"') => {
                        record.text.push_str(&line[start..=i]);
                        i += 2;
                        start = i;
                    }
                    Some(b'"') => {
                        record.text.push_str(&line[start..i]);
                        i += 1;
                        break;
                    }
                    Some(_) => i += 1,
                }
            }
            let rest = i;
            while i < bytes.len() && !separator.separates(bytes[i]) {
                i += 1;
            }
            record.text.push_str(line[rest..i].trim_end());
        } else {
            let start = i;
            while i < bytes.len() && !separator.separates(bytes[i]) {
                i += 1;
            }
            record.text.push_str(line[start..i].trim());
        }
        record.ends.push(record.text.len());
        if i >= bytes.len() {
            return;
        }
        i += 1;
    }
}

/// The separator that the first records suggest: one that gives the same number of cells, more than one, in every
/// line; else the one that most lines agree on, so that the odd line can be reported.
pub(crate) fn detect_separator(source: &Source<'_>, comments: Comments) -> Result<Separator, Error> {
    const CANDIDATES: [Separator; 5] = [
        Separator::Character(b'\t'),
        Separator::Character(b';'),
        Separator::Character(b','),
        Separator::Character(b'|'),
        Separator::Whitespace,
    ];
    let mut best: Option<(f64, Separator)> = None;
    for separator in CANDIDATES {
        let Some((count, share)) = agreement(source, separator, comments)? else { continue };
        if count > 1 && share == 1.0 {
            return Ok(separator);
        }
        if count > 1 && share >= 0.5 && best.is_none_or(|(s, _)| share > s) {
            best = Some((share, separator));
        }
    }
    Ok(best.map_or(Separator::Character(b','), |(_, separator)| separator))
}

/// The most frequent number of cells among the first records, and the share of the records that have it.
fn agreement(source: &Source<'_>, separator: Separator, comments: Comments) -> Result<Option<(usize, f64)>, Error> {
    let mut records = Records::new(source, separator, comments)?;
    let mut record = Record::default();
    let mut counts: Vec<usize> = Vec::new();
    let mut bytes = 0;
    while counts.len() < 100 && bytes < 1 << 22 {
        match records.next(&mut record) {
            Ok(true) => counts.push(record.len()),
            // A stray quote under the wrong separator is no verdict on the file.
            Err(Error::Malformed { .. }) if !counts.is_empty() => break,
            Err(Error::Malformed { .. }) => return Ok(None),
            Ok(false) => break,
            Err(error) => return Err(error),
        }
        bytes += record.text.len();
    }
    let Some(&common) = counts.iter().max_by_key(|&&c| (counts.iter().filter(|&&d| d == c).count(), c)) else {
        return Ok(None);
    };
    let share = counts.iter().filter(|&&c| c == common).count() as f64 / counts.len() as f64;
    Ok(Some((common, share)))
}

/// What a cell holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell {
    Missing,
    Number(f64),
    Text,
}

/// Reads a cell. `comma_decimals` is set when a number with a decimal comma was found; it can only be one where the
/// comma is not the separator.
pub(crate) fn parse_cell(cell: &str, separator: Separator, comma_decimals: &mut bool) -> Cell {
    let cell = cell.trim();
    if is_missing(cell) {
        return Cell::Missing;
    }
    if let Ok(number) = cell.parse::<f64>() {
        return Cell::Number(number);
    }
    if separator != Separator::Character(b',')
        && cell.bytes().filter(|&b| b == b',').count() == 1
        && cell.bytes().all(|b| b.is_ascii_digit() || matches!(b, b',' | b'-' | b'+' | b'e' | b'E'))
        && let Ok(number) = cell.replace(',', ".").parse::<f64>()
    {
        *comma_decimals = true;
        return Cell::Number(number);
    }
    Cell::Text
}

fn is_missing(cell: &str) -> bool {
    matches!(cell, "" | "NA" | "N/A" | "n/a" | "na" | "NaN" | "nan" | "NAN" | "null" | "NULL" | "None" | "?" | "<NA>")
}
