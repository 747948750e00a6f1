//! Detects the format of a file.

use dosnes::Kind;

use crate::error::Error;
use crate::formats::{edge_list, mat, matrix_market, npy, pajek};
use crate::hdf5;
use crate::options::{Format, ReadOptions};
use crate::source::Source;

/// Number of bytes that are examined.
const START: usize = 1 << 16;

/// Detects the format from the contents; the extension only decides between tables and edge lists.
pub(crate) fn detect(source: &Source<'_>, options: &ReadOptions) -> Result<Format, Error> {
    let start = source.start(START);
    if start.is_empty() {
        return Err(Error::empty(&source.name, "the file is empty"));
    }
    if start.starts_with(npy::MAGIC) {
        return Ok(Format::Npy);
    }
    if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
        return Ok(Format::Npz);
    }
    if start.starts_with(hdf5::MAGIC) {
        return Ok(Format::H5ad);
    }
    if start.starts_with(mat::MAGIC) || start.starts_with(mat::MAGIC_73) {
        return Ok(Format::Mat);
    }
    if start.starts_with(b"PAR1") {
        return Ok(Format::Parquet);
    }
    if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
        return Err(Error::unknown_format(&source.name, "the text is UTF-16; save it as UTF-8"));
    }
    if start.contains(&0) {
        let named = match source.extension().as_str() {
            "" => String::new(),
            extension => format!(", although its name ends in .{extension}"),
        };
        let problem = format!("a binary file of unknown format{named}; {READABLE}");
        return Err(Error::unknown_format(&source.name, problem));
    }
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.is_empty() {
        return Err(Error::empty(&source.name, "the file contains only blanks"));
    }
    if text.get(..matrix_market::MAGIC.len()).is_some_and(|t| t.eq_ignore_ascii_case(matrix_market::MAGIC)) {
        return Ok(Format::MatrixMarket);
    }
    if text.starts_with('<') {
        if text.contains("<graphml") {
            return Ok(Format::GraphMl);
        }
        if text.contains("<gexf") {
            return Ok(Format::Gexf);
        }
        return Err(Error::unknown_format(&source.name, "XML or HTML, but neither GraphML nor GEXF"));
    }
    if pajek::looks_like_pajek(text) {
        return Ok(Format::Pajek);
    }
    if text.starts_with('{') || (text.starts_with('[') && text.contains(['{', '"'])) {
        return Err(Error::unknown_format(&source.name, format!("JSON cannot be read as data; {READABLE}")));
    }
    let asked_otherwise = matches!(options.kind, Some(Kind::Points | Kind::Distance));
    if !asked_otherwise && edge_list::looks_like_edge_list(source, options) {
        return Ok(Format::EdgeList);
    }
    Ok(Format::Table)
}

const READABLE: &str =
    "CSV and TSV, .npy, .npz, Matrix Market, edge lists, Pajek, GraphML, GEXF, .h5ad and .mat can be read";
