//! The entrance: which format is it, read it, join the side files.

use std::path::Path;

use dosnes::input::{Data, Items};

use crate::error::Error;
use crate::formats::{edge_list, gexf, graphml, h5ad, mat, mat73, matrix_market, npy, npz, pajek, table};
use crate::hdf5::{self, Hdf5};
use crate::interpret::Understood;
use crate::loaded::Loaded;
use crate::options::{Format, ReadOptions};
use crate::side;
use crate::source::Source;
use dosnes::Kind;

/// So many bytes are looked at to tell the format.
const START: u64 = 1 << 16;

/// Reads a file.
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Loaded, Error> {
    read_source(&Source::file(path.as_ref())?, options)
}

/// Reads data that are already in memory. `name` stands in messages, and its extension counts as a file's would.
pub fn read_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Loaded, Error> {
    read_source(&Source::bytes(name, bytes)?, options)
}

fn read_source(source: &Source<'_>, options: &ReadOptions) -> Result<Loaded, Error> {
    let format = match options.format {
        Some(format) => format,
        None => detect(source, options)?,
    };
    let (shape, understood) = match format {
        Format::Table => table::read(source, options)?,
        Format::EdgeList => edge_list::read(source, options)?,
        Format::Npy => npy::read(source, options)?,
        Format::Npz => npz::read(source, options)?,
        Format::MatrixMarket => matrix_market::read(source, options)?,
        Format::Pajek => pajek::read(source, options)?,
        Format::GraphMl => graphml::read(source, options)?,
        Format::Gexf => gexf::read(source, options)?,
        Format::H5ad => read_hdf5(source, options)?,
        Format::Mat => read_matlab(source, options)?,
        Format::Parquet => read_parquet(source, options)?,
    };
    finish(source, format, &shape, understood, options)
}

fn read_hdf5(source: &Source<'_>, options: &ReadOptions) -> Result<(String, Understood), Error> {
    if mat73::is_matlab(&Hdf5::open(source)?) { mat73::read(source, options) } else { h5ad::read(source, options) }
}

fn read_matlab(source: &Source<'_>, options: &ReadOptions) -> Result<(String, Understood), Error> {
    if source.start(128)?.starts_with(mat::MAGIC_73) {
        mat73::read(source, options)
    } else {
        mat::read(source, options)
    }
}

#[cfg(feature = "parquet")]
fn read_parquet(source: &Source<'_>, options: &ReadOptions) -> Result<(String, Understood), Error> {
    crate::formats::parquet::read(source, options)
}

#[cfg(not(feature = "parquet"))]
fn read_parquet(source: &Source<'_>, _options: &ReadOptions) -> Result<(String, Understood), Error> {
    let problem = "a Parquet file, which this build cannot read; build with the feature \"parquet\", or save it as CSV";
    Err(Error::unknown_format(&source.name, problem))
}

/// The format by its contents; the extension only decides between tables and edge lists.
fn detect(source: &Source<'_>, options: &ReadOptions) -> Result<Format, Error> {
    let start = source.start(START)?;
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
        let problem = format!("a binary file of no known format{named}; {READABLE}");
        return Err(Error::unknown_format(&source.name, problem));
    }
    let text = String::from_utf8_lossy(&start);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.is_empty() {
        return Err(Error::empty(&source.name, "there is nothing but blanks in it"));
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
    if !asked_otherwise && edge_list::looks_like_edge_list(source, options)? {
        return Ok(Format::EdgeList);
    }
    Ok(Format::Table)
}

const READABLE: &str =
    "CSV and TSV, .npy, .npz, Matrix Market, edge lists, Pajek, GraphML, GEXF, .h5ad and .mat can be read";

/// Checks what all formats share, and joins the side files.
fn finish(
    source: &Source<'_>,
    format: Format,
    shape: &str,
    understood: Understood,
    options: &ReadOptions,
) -> Result<Loaded, Error> {
    let Understood { mut dataset, what, mut notes } = understood;
    let n = dataset.items.len();
    if n < 2 {
        let problem =
            format!("there is {n} item in it, and a map needs at least 2").replace("is 0 item", "are 0 items");
        return Err(Error::shape(&source.name, problem));
    }
    if let Some(path) = &options.items_file {
        side::join(&mut dataset.items, path, "items", &mut notes)?;
    }
    if let Some(path) = &options.partners_file {
        let Data::Dyadic(incidence) = &dataset.data else {
            let problem = format!("only dyadic data have partners, and this is read as {}", dataset.data.kind());
            return Err(Error::option(&source.name, problem));
        };
        let partners = dataset.partners.get_or_insert_with(|| Items::numbered(incidence.columns()));
        side::join(partners, path, "partners", &mut notes)?;
    }
    Ok(Loaded { dataset, format, detected: format!("{shape}: {what}"), notes })
}
