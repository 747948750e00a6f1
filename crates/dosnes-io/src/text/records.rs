//! Lines of text into cells: separators, quotes, comments, line numbers.

use std::io::BufRead;

use super::separator::Separator;
use crate::error::{Error, Place};
use crate::source::Source;

/// Which lines are comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comments {
    /// Lines that start with `#` before the first record (as `NumPy` writes them); later ones may be hashtags.
    AtTop,
    /// Lines that start with `#`, `%` or `//`, anywhere.
    Everywhere,
    /// Lines that start with `!`, `^` or `#`, above and below the tables of GEO.
    Geo,
}

/// A quote that is not closed within this number of bytes is an error, so that one stray quote does not consume the file.
const LONGEST_QUOTED: usize = 1 << 20;

/// A line with more cells is an error. Each column takes about a hundred bytes, whatever is in it, so that a small compressed file
/// of separators could use up the memory before anything is known about its contents.
const MOST_CELLS: usize = 1 << 21;

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

    /// The cell with this number; empty if there is none.
    pub(crate) fn get(&self, index: usize) -> &str {
        let start = if index == 0 { Some(0) } else { self.ends.get(index - 1).copied() };
        let range = start.zip(self.ends.get(index)).map(|(start, &end)| start..end);
        range.and_then(|range| self.text.get(range)).unwrap_or_default()
    }

    fn push(&mut self, cell: &str) {
        self.text.push_str(cell);
        self.ends.push(self.text.len());
    }

    /// The same record without some of its cells, which are given in order.
    pub(crate) fn without(&self, cells: &[usize]) -> Self {
        let mut record = Self { line: self.line, ..Self::default() };
        self.iter()
            .enumerate()
            .filter(|(k, _)| cells.binary_search(k).is_err())
            .for_each(|(_, cell)| record.push(cell));
        record
    }

    /// The same record with several cells in the place of some.
    pub(crate) fn expanded(&self, expand: impl Fn(usize, &str) -> Option<Vec<String>>) -> Self {
        let mut record = Self { line: self.line, ..Self::default() };
        for (k, cell) in self.iter().enumerate() {
            match expand(k, cell) {
                Some(cells) => cells.iter().for_each(|cell| record.push(cell)),
                None => record.push(cell),
            }
        }
        record
    }

    /// The same record with other cells.
    pub(crate) fn mapped(&self, map: impl Fn(usize, &str) -> Option<String>) -> Self {
        let mut record = Self { line: self.line, ..Self::default() };
        for (k, cell) in self.iter().enumerate() {
            match map(k, cell) {
                Some(other) => record.push(&other),
                None => record.push(cell),
            }
        }
        record
    }

    /// A record of the cells of one line.
    pub(crate) fn of_line(line: &str, separator: Separator) -> Self {
        let mut record = Self::default();
        split(line, separator, &mut record);
        record
    }

    /// Number of bytes of all cells.
    pub(crate) fn size(&self) -> usize {
        self.text.len()
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
    /// Rows without any contents that were skipped so far.
    pub(crate) empty_rows: usize,
    /// Whether a line was not UTF-8.
    pub(crate) latin1: bool,
    /// In such lines, the bytes that are not ASCII, and those of them that follow another one.
    foreign: (usize, usize),
    /// Bytes that are no characters of Windows, so that the text is in another code.
    unknown: usize,
    /// The last comment before the first record.
    pub(crate) comment: Option<String>,
    /// What ends a line: old programs for the Mac write a carriage return.
    line_end: u8,
    /// Whether quotes enclose cells.
    quotes: bool,
    /// Lines at the beginning that are not part of the table.
    to_skip: u64,
}

impl<'a> Records<'a> {
    /// All records of the file.
    pub(crate) fn new(source: &'a Source<'a>, separator: Separator, comments: Comments) -> Result<Self, Error> {
        Ok(Self::of(source.open()?, source, separator, comments))
    }

    /// The records of the first lines, which are in memory already.
    pub(crate) fn first(source: &'a Source<'a>, separator: Separator, comments: Comments) -> Self {
        Self::of(Box::new(source.first_lines()), source, separator, comments)
    }

    fn of(input: Box<dyn BufRead + 'a>, source: &'a Source<'a>, separator: Separator, comments: Comments) -> Self {
        let start = source.start(1 << 16);
        let line_end = if start.contains(&b'\r') && !start.contains(&b'\n') { b'\r' } else { b'\n' };
        let geo = [&b"!Series_"[..], b"!Sample_", b"^DATA", b"^SERIES", b"^SAMPLE", b"^PLATFORM"];
        let comments = if geo.iter().any(|first| start.starts_with(first)) { Comments::Geo } else { comments };
        Self {
            input,
            source,
            separator,
            comments,
            line: 0,
            seen_record: false,
            buffer: Vec::new(),
            skipped: 0,
            empty_rows: 0,
            latin1: false,
            foreign: (0, 0),
            unknown: 0,
            comment: None,
            line_end,
            quotes: quotes_enclose_cells(source, separator),
            to_skip: 0,
        }
    }

    /// Whether most letters that are not ASCII stand in rows, as in Cyrillic or Chinese words. In words of Western Europe they
    /// stand alone between others.
    pub(crate) fn is_foreign(&self) -> bool {
        self.unknown > 0 || 2 * self.foreign.1 > self.foreign.0
    }

    /// The same records without the first lines.
    pub(crate) fn skipping(mut self, lines: usize) -> Self {
        self.to_skip = lines as u64;
        self
    }

    /// Reads the next record that is neither blank nor a comment; false at the end.
    pub(crate) fn next(&mut self, record: &mut Record) -> Result<bool, Error> {
        while self.next_line(record)? {
            // What a spreadsheet writes for an empty row: nothing but separators.
            if record.text.is_empty() && record.len() > 1 {
                self.empty_rows += 1;
            } else {
                self.seen_record = true;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads the next record that is no blank line and no comment.
    fn next_line(&mut self, record: &mut Record) -> Result<bool, Error> {
        loop {
            self.buffer.clear();
            if !self.read_line()? {
                return Ok(false);
            }
            if self.line <= self.to_skip {
                continue;
            }
            let start = self.buffer.trim_ascii_start();
            if start.is_empty() || self.separator != Separator::Never && is_rule(start) {
                continue;
            }
            if self.is_comment(start) {
                self.skipped += 1;
                if !self.seen_record {
                    self.comment = Some(String::from_utf8_lossy(start).trim().to_owned());
                }
                continue;
            }
            break;
        }
        record.line = self.line;
        self.close_quotes(record.line)?;
        while matches!(self.buffer.last(), Some(b'\n' | b'\r')) {
            self.buffer.pop();
        }
        self.check_cells()?;
        record.text.clear();
        record.ends.clear();
        let decoded;
        let line = if let Ok(line) = std::str::from_utf8(&self.buffer) {
            line
        } else {
            self.latin1 = true;
            self.foreign.0 += self.buffer.iter().filter(|byte| !byte.is_ascii()).count();
            self.unknown += self.buffer.iter().filter(|byte| NOT_WINDOWS.contains(byte)).count();
            self.foreign.1 += self.buffer.windows(2).filter(|pair| !pair[0].is_ascii() && !pair[1].is_ascii()).count();
            decoded = latin1(&self.buffer);
            &decoded
        };
        if self.quotes {
            split(line, self.separator, record);
        } else {
            split_without_quotes(line, self.separator, record);
        }
        Ok(true)
    }

    fn check_cells(&self) -> Result<(), Error> {
        let line = &self.buffer;
        if line.len() < MOST_CELLS
            || (0..line.len()).filter(|&at| self.separator.ends_cell(line, at)).count() < MOST_CELLS
        {
            return Ok(());
        }
        let problem = "this line has more than 2 million cells; if the separator is another one, use --separator; a table with so \
                       many columns can be read as a sparse matrix (.mtx, .npz) or as .npy";
        Err(Error::malformed(&self.source.name, Place::line(self.line), problem))
    }

    fn read_line(&mut self) -> Result<bool, Error> {
        let before = self.buffer.len();
        let read =
            self.input.read_until(self.line_end, &mut self.buffer).map_err(|error| self.source.read_error(error))?;
        if read == 0 {
            return Ok(false);
        }
        if self.line == 0 && self.buffer.starts_with(&[0xef, 0xbb, 0xbf]) {
            self.buffer.drain(..3);
        }
        if self.buffer.get(before..).is_some_and(|line| line.contains(&0)) {
            let place = Place::line(self.line + 1);
            return Err(Error::malformed(&self.source.name, place, "a zero byte: this is not a text file"));
        }
        self.line += 1;
        Ok(true)
    }

    fn is_comment(&self, line: &[u8]) -> bool {
        // Between blanks, no cell begins like this.
        if !self.seen_record && self.separator.runs() && (line.starts_with(b"; ") || line.starts_with(b"-- ")) {
            return true;
        }
        match self.comments {
            Comments::Geo => matches!(line.first(), Some(b'!' | b'^' | b'#')),
            Comments::AtTop => !self.seen_record && line.starts_with(b"#"),
            Comments::Everywhere => line.starts_with(b"#") || line.starts_with(b"%") || line.starts_with(b"//"),
        }
    }

    /// Reads further lines while a quoted cell is open.
    fn close_quotes(&mut self, first_line: u64) -> Result<(), Error> {
        while self.quotes && quote_is_open(&self.buffer, self.separator) {
            if self.buffer.len() > LONGEST_QUOTED || !self.read_line()? {
                let problem = "a cell starts with a quote that is not closed; close it, or double a quote that belongs \
                               to the text";
                return Err(Error::malformed(&self.source.name, Place::line(first_line), problem));
            }
        }
        Ok(())
    }
}

/// In files of word vectors a word may be a quotation mark: cells between blanks have no quotes if a line has an odd number.
fn quotes_enclose_cells(source: &Source<'_>, separator: Separator) -> bool {
    !separator.runs()
        || !source
            .first_lines()
            .split(|&b| b == b'\n')
            .take(10_000)
            .any(|line| line.split(|&b| b == b'"').count() % 2 == 0)
}

fn split_without_quotes(line: &str, separator: Separator, record: &mut Record) {
    let bytes = line.as_bytes();
    let mut start = 0;
    // A separator is an ASCII character, so that no other character is cut.
    for end in (0..bytes.len()).filter(|&at| separator.ends_cell(bytes, at)).chain(std::iter::once(bytes.len())) {
        let cell = line.get(start..end).unwrap_or_default().trim();
        if !cell.is_empty() || !separator.runs() {
            record.push(cell);
        }
        start = end + 1;
    }
}

/// The five places that are empty in the characters of Windows.
const NOT_WINDOWS: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/// What Windows has instead of the control characters from 0x80 on. Five places are empty.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Latin-1 as Windows extends it: each other byte is the character of that number.
pub(crate) fn latin1(bytes: &[u8]) -> String {
    let character = |&b: &u8| WINDOWS.get(usize::from(b).wrapping_sub(0x80)).copied().unwrap_or(b as char);
    bytes.iter().map(character).collect()
}

/// Whether a line only draws a line below a header or around a table: `|---|---|`, `----+----`, `====  ====`; or is what
/// `PostgreSQL` prints below one: `(12 rows)`.
fn is_rule(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let counted = line.strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b" rows)").or(rest.strip_suffix(b" row)")));
    if counted.is_some_and(|count| !count.is_empty() && count.iter().all(u8::is_ascii_digit)) {
        return true;
    }
    line.iter().all(|b| b"|+-=: \t".contains(b))
        && line.windows(3).any(|three| three == b"---" || three == b"===")
        && line.iter().any(|b| b"|+ \t".contains(b))
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
                    inside = is_escaped(line, i, separator);
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

/// Whether the quote at this place follows a backslash and does not end a cell, as some databases write quotes.
fn is_escaped(line: &[u8], at: usize, separator: Separator) -> bool {
    let ends = line.get(at + 1).is_none_or(|&byte| separator.separates(byte) || matches!(byte, b'\r' | b'\n'));
    !ends && at > 0 && line[at - 1] == b'\\'
}

/// Splits a line into cells: blanks around a cell are cut, quotes around it are taken off.
pub(crate) fn split(line: &str, separator: Separator, record: &mut Record) {
    let bytes = line.as_bytes();
    let mut i = 0;
    loop {
        if separator.runs() {
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
                    Some(b'"') if is_escaped(bytes, i, separator) => {
                        record.text.push_str(&line[start..i - 1]);
                        start = i;
                        i += 1;
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
            while i < bytes.len() && !separator.ends_cell(bytes, i) {
                i += 1;
            }
            record.text.push_str(line[rest..i].trim_end());
        } else {
            let start = i;
            while i < bytes.len() && !separator.ends_cell(bytes, i) {
                i += 1;
            }
            record.text.push_str(line[start..i].trim());
        }
        record.ends.push(record.text.len());
        if i >= bytes.len() {
            return;
        }
        i += if separator == Separator::Colons && bytes.get(i + 1) == Some(&b':') { 2 } else { 1 };
    }
}

/// The contents of a cell.
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
    let usual = usual_form(cell);
    let cell = usual.as_deref().unwrap_or(cell);
    if let (true, Ok(number)) = (usual.is_some(), cell.parse::<f64>()) {
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

/// A number as others write it: with a minus that is no hyphen (−2.5), or with the exponent of Fortran (1.5D+01).
fn usual_form(cell: &str) -> Option<String> {
    if let Some(rest) = cell.strip_prefix('\u{2212}') {
        return Some(format!("-{}", rest.replace('\u{2212}', "-")));
    }
    let (digits, exponent) = cell.split_once(['D', 'd'])?;
    (digits.contains('.') && exponent.starts_with(['+', '-'])).then(|| format!("{digits}e{exponent}"))
}

fn is_missing(cell: &str) -> bool {
    matches!(
        cell,
        "" | "NA"
            | "N/A"
            | "n/a"
            | "na"
            | "NaN"
            | "nan"
            | "NAN"
            | "null"
            | "NULL"
            | "None"
            | "?"
            | "<NA>"
            | "#N/A"
            | "N.A."
            | "n.a."
            | "n.d."
            | "N.D."
            | "k.A."
            | "k. A."
            | "#DIV/0!"
            | "#VALUE!"
            | "#REF!"
            | "#NUM!"
            | "#NAME?"
            | "-"
            | "–"
            | "—"
            | "--"
            | "."
            | ".."
            | "..."
            | "…"
            | ":"
            | "missing"
    )
}
