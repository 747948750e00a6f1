//! Separators between the cells of a line.

use super::records::{Cell, Comments, Record, Records, parse_cell};
use super::spaced::SpacedNames;
use crate::error::Error;
use crate::source::Source;

/// The separator between two cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Separator {
    /// One character; two in a row enclose an empty cell.
    Character(u8),
    /// Two colons, as in the files of MovieLens.
    Colons,
    /// Any run of spaces and tabs.
    Whitespace,
    /// Two or more spaces, so that names may have one in them; or a tab.
    Wide,
    /// Nothing: the whole line is one cell.
    Never,
}

impl Separator {
    pub(super) fn separates(self, byte: u8) -> bool {
        match self {
            Self::Character(c) => byte == c,
            Self::Colons => byte == b':',
            Self::Whitespace | Self::Wide => byte == b' ' || byte == b'\t',
            Self::Never => false,
        }
    }

    /// Whether several separators in a row are one.
    pub(super) fn runs(self) -> bool {
        matches!(self, Self::Whitespace | Self::Wide)
    }

    /// Whether a cell ends at this place of a line.
    pub(super) fn ends_cell(self, line: &[u8], at: usize) -> bool {
        let blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
        match self {
            Self::Wide => line[at] == b'\t' || line[at] == b' ' && (at + 1 == line.len() || blank(line.get(at + 1))),
            other => other.separates(line[at]),
        }
    }

    /// As the user knows it.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Character(b',') => "comma".into(),
            Self::Character(b';') => "semicolon".into(),
            Self::Character(b'\t') => "tab".into(),
            Self::Character(b'|') => "bar".into(),
            Self::Character(other) => format!("\"{}\"", other as char),
            Self::Colons => "\"::\"".into(),
            Self::Whitespace | Self::Wide => "space".into(),
            Self::Never => "line".into(),
        }
    }
}

/// The separator that the first records suggest: one that gives the same number of cells, more than one, in every
/// line; else the one that most lines agree on, so that a line that differs can be reported.
pub(crate) fn detect_separator(source: &Source<'_>, comments: Comments) -> Result<Separator, Error> {
    const CANDIDATES: [Separator; 9] = [
        Separator::Character(b'\t'),
        Separator::Character(b';'),
        Separator::Character(b','),
        Separator::Character(b'|'),
        Separator::Whitespace,
        // Rare ones, two of them from databases.
        Separator::Character(b'^'),
        Separator::Character(b'~'),
        Separator::Character(1),
        Separator::Character(0x1f),
    ];
    if source.start(200).split(|&b| b == b'\n').next().is_some_and(|line| line.windows(2).any(|pair| pair == b"::"))
        && let Some((3.., share)) = agreement(source, Separator::Colons, comments)?
        && share == 1.0
    {
        return Ok(Separator::Colons);
    }
    let mut best: Option<(f64, Separator)> = None;
    for separator in CANDIDATES {
        let Some((count, share)) = agreement(source, separator, comments)? else { continue };
        if separator == Separator::Character(b',') && count > 1 && commas_are_decimal(source, comments)? {
            return Ok(Separator::Whitespace);
        }
        if count > 1 && share == 1.0 {
            return Ok(separator);
        }
        if count > 1 && share >= 0.5 && best.is_none_or(|(s, _)| share > s) {
            best = Some((share, separator));
        }
    }
    // Names with blanks in them, between wide blanks or before the numbers.
    if matches!(agreement(source, Separator::Wide, comments)?, Some((2.., share)) if share == 1.0) {
        return Ok(Separator::Wide);
    }
    if matches!(best, None | Some((_, Separator::Whitespace)))
        && SpacedNames::of(&first_records(source, Separator::Whitespace, comments)?).is_some()
    {
        return Ok(Separator::Whitespace);
    }
    Ok(best.map_or(Separator::Character(b','), |(_, separator)| separator))
}

/// `1,25 0,5 3,75`: cut at the commas, all lines have the same number of cells, but numbers with a blank in them.
fn commas_are_decimal(source: &Source<'_>, comments: Comments) -> Result<bool, Error> {
    let is_torn = |record: &Record| {
        record.iter().any(|cell| {
            let mut words = cell.split_ascii_whitespace();
            let digits = |word: Option<&str>| word.is_some_and(|w| w.bytes().all(|b| b.is_ascii_digit() || b == b'-'));
            digits(words.next()) && digits(words.next())
        })
    };
    let is_decimal = |record: &Record| {
        let number = |cell: &str| matches!(parse_cell(cell, Separator::Whitespace, &mut false), Cell::Number(_));
        record.len() > 1 && record.iter().skip(1).all(number)
    };
    let (cut, spaced) = (
        first_records(source, Separator::Character(b','), comments)?,
        first_records(source, Separator::Whitespace, comments)?,
    );
    // The first line may be a header.
    let most = |records: &[Record], test: &dyn Fn(&Record) -> bool| {
        records.len() > 1 && records.iter().skip(1).filter(|record| test(record)).count() == records.len() - 1
    };
    Ok(most(&spaced, &is_decimal) && cut.iter().filter(|record| is_torn(record)).count() * 2 > cut.len())
}

/// The most frequent number of cells among the first records, and the share of the records that have it.
fn agreement(source: &Source<'_>, separator: Separator, comments: Comments) -> Result<Option<(usize, f64)>, Error> {
    let counts: Vec<usize> = first_records(source, separator, comments)?.iter().map(Record::len).collect();
    let Some(&common) = counts.iter().max_by_key(|&&c| (counts.iter().filter(|&&d| d == c).count(), c)) else {
        return Ok(None);
    };
    let share = counts.iter().filter(|&&c| c == common).count() as f64 / counts.len() as f64;
    Ok(Some((common, share)))
}

/// The first records of a file, up to one that is damaged: a stray quote under the wrong separator does not mean that the file
/// is.
fn first_records(source: &Source<'_>, separator: Separator, comments: Comments) -> Result<Vec<Record>, Error> {
    let mut records = Records::first(source, separator, comments);
    let mut found: Vec<Record> = Vec::new();
    let mut bytes = 0;
    while found.len() < 100 && bytes < 1 << 22 {
        let mut record = Record::default();
        match records.next(&mut record) {
            Ok(true) => {
                bytes += record.size();
                found.push(record);
            }
            Ok(false) | Err(Error::Malformed { .. }) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
