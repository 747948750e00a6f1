//! Detects the format of a file.

use dosnes::Kind;

use crate::error::{Error, Place};
use crate::formats::{
    adjacency, dimacs, dot, edge_list, gml, mat, matrix_market, npy, pajek, svmlight, triangle, ucinet, vectors, xlsx,
};
use crate::hdf5;
use crate::options::{Format, ReadOptions};
use crate::source::Source;
use crate::unreadable;

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
        let contains = |name: &str| source.start(1 << 22).windows(name.len()).any(|window| window == name.as_bytes());
        return Ok(if contains(xlsx::WORKBOOK) { Format::Xlsx } else { Format::Npz });
    }
    if vectors::is_vectors(&source.extension()) {
        return Ok(Format::Vectors);
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
    if let Some(what) = unreadable::by_first_bytes(start) {
        return Err(Error::unknown_format(&source.name, what));
    }
    if start.contains(&0) {
        if vectors::looks_like_word2vec(start) {
            return Ok(Format::Word2vec);
        }
        if let Some(what) = unreadable::binary_by_extension(&source.extension()) {
            return Err(Error::unknown_format(&source.name, what));
        }
        if let Some(line) = unreadable::damaged_text(start) {
            let problem = "a zero byte in a text; take such bytes out: tr -d '\\0' < FILE > NEW";
            return Err(Error::malformed(&source.name, Place::line(line as u64), problem));
        }
        let named = match source.extension().as_str() {
            "" => String::new(),
            extension => format!(", although its name ends in .{extension}"),
        };
        let problem = format!("a binary file of unknown format{named}; these can be read: {}", Format::list());
        return Err(Error::unknown_format(&source.name, problem));
    }
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.is_empty() {
        return Err(Error::empty(&source.name, "the file contains only blanks"));
    }
    if matrix_market::looks_like_matrix_market(text) {
        return Ok(Format::MatrixMarket);
    }
    if source.extension() == "mtx" && matrix_market::lacks_first_line(text) {
        return Err(Error::unknown_format(&source.name, matrix_market::LACKS_FIRST_LINE));
    }
    if text.starts_with('<') && text[1..].starts_with(|c: char| c.is_alphabetic() || matches!(c, '?' | '!')) {
        if text.contains("<graphml") {
            return Ok(Format::GraphMl);
        }
        if text.contains("<gexf") {
            return Ok(Format::Gexf);
        }
        return Err(Error::unknown_format(&source.name, unreadable::of_markup(text)));
    }
    if pajek::looks_like_pajek(text) {
        return Ok(Format::Pajek);
    }
    if unreadable::is_printed_array(text) {
        return Err(Error::unknown_format(&source.name, unreadable::PRINTED_ARRAY.to_owned()));
    }
    if unreadable::is_printed_by_python(text) {
        return Err(Error::unknown_format(&source.name, unreadable::PRINTED_BY_PYTHON.to_owned()));
    }
    if text.starts_with('{') && !text.starts_with("{|") && !text.starts_with("{{")
        || text.starts_with('[') && text[1..].trim_start().starts_with(['{', '['])
    {
        return Ok(Format::Json);
    }
    if gml::looks_like_gml(text) {
        return Ok(Format::Gml);
    }
    if dot::looks_like_dot(text) {
        return Ok(Format::Dot);
    }
    if dimacs::looks_like_dimacs(text) || ucinet::looks_like_dl(text) {
        return Ok(Format::EdgeList);
    }
    if adjacency::is_adjacency(&source.extension()) || adjacency::looks_like_neighbours(text) {
        return Ok(Format::Adjacency);
    }
    let named = unreadable::by_extension(&source.extension());
    if let Some(what) = named.or_else(|| unreadable::by_first_lines(text)) {
        return Err(Error::unknown_format(&source.name, what));
    }
    if svmlight::looks_like_svmlight(text) {
        return Ok(Format::Svmlight);
    }
    if !matches!(options.kind, Some(Kind::Graph | Kind::Dyadic | Kind::Points)) && triangle::looks_like_triangle(source)
    {
        return Ok(Format::Triangle);
    }
    let asked_otherwise = matches!(options.kind, Some(Kind::Points | Kind::Distance));
    if !asked_otherwise && edge_list::looks_like_edge_list(source, options) {
        return Ok(Format::EdgeList);
    }
    Ok(Format::Table)
}
