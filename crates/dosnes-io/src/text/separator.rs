//! Separators between the cells of a line.

use super::records::{Comments, Record, Records};
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
    /// Nothing: the whole line is one cell.
    Never,
}

impl Separator {
    pub(super) fn separates(self, byte: u8) -> bool {
        match self {
            Self::Character(c) => byte == c,
            Self::Colons => byte == b':',
            Self::Whitespace => byte == b' ' || byte == b'\t',
            Self::Never => false,
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
            Self::Whitespace => "space".into(),
            Self::Never => "line".into(),
        }
    }
}

/// The separator that the first records suggest: one that gives the same number of cells, more than one, in every
/// line; else the one that most lines agree on, so that a line that differs can be reported.
pub(crate) fn detect_separator(source: &Source<'_>, comments: Comments) -> Result<Separator, Error> {
    const CANDIDATES: [Separator; 5] = [
        Separator::Character(b'\t'),
        Separator::Character(b';'),
        Separator::Character(b','),
        Separator::Character(b'|'),
        Separator::Whitespace,
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
    let mut records = Records::first(source, separator, comments);
    let mut record = Record::default();
    let mut counts: Vec<usize> = Vec::new();
    let mut bytes = 0;
    while counts.len() < 100 && bytes < 1 << 22 {
        match records.next(&mut record) {
            Ok(true) => counts.push(record.len()),
            // A stray quote under the wrong separator does not mean that the file is damaged.
            Err(Error::Malformed { .. }) if !counts.is_empty() => break,
            Err(Error::Malformed { .. }) => return Ok(None),
            Ok(false) => break,
            Err(error) => return Err(error),
        }
        bytes += record.size();
    }
    let Some(&common) = counts.iter().max_by_key(|&&c| (counts.iter().filter(|&&d| d == c).count(), c)) else {
        return Ok(None);
    };
    let share = counts.iter().filter(|&&c| c == common).count() as f64 / counts.len() as f64;
    Ok(Some((common, share)))
}
