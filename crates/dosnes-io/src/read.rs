//! Reads a file, from the first byte to the dataset.

use std::path::Path;

use dosnes::input::{Data, Items};
use dosnes::observe::Observer;

use crate::detect::detect;
use crate::error::Error;
use crate::formats::gexf::Gexf;
use crate::formats::graphml::GraphMl;
use crate::formats::{
    adjacency, cells, dot, edge_list, gml, h5ad, json_data, mat, matrix_market, npy, npz, pajek, svmlight, table,
    triangle, vectors, xlsx,
};
use crate::hdf5::Hdf5;
use crate::interpret::matrix::may_need_double;
use crate::interpret::{Understood, understand, unused};
use crate::loaded::Loaded;
use crate::note::Note;
use crate::options::{Format, ReadOptions};
use crate::progress::{Observed, Progress};
use crate::raw::{Contents, Matrix, Parsed, RawMatrix};
use crate::side;
use crate::source::Source;
use crate::xml;

/// Reads a file.
///
/// The observer receives the start of [`Stage::Read`](dosnes::observe::Stage::Read), and the progress every few megabytes.
/// If it requests a stop, the result is [`Error::Stopped`].
pub fn read(path: impl AsRef<Path>, options: &ReadOptions, observer: &mut dyn Observer) -> Result<Loaded, Error> {
    let progress = Observed::begin(observer);
    let path = path.as_ref();
    if cells::is_10x_folder(path) {
        return stopped_or(&progress, read_folder(path, options, &progress));
    }
    let beside = options.kind.is_none() && !options.cell_counts && cells::has_names_beside(path);
    let folder = path.parent().filter(|_| beside).map(|folder| folder.join("").display().to_string());
    let note = folder.map(|folder| Note::NamesBeside { folder });
    let source = Source::file(path, &progress);
    stopped_or(&progress, source.and_then(|source| read_source(&source, options, note, &progress)))
}

/// A folder of Cell Ranger is read like a file.
fn read_folder(path: &Path, options: &ReadOptions, progress: &dyn Progress) -> Result<Loaded, Error> {
    let parsed = cells::read_folder(path, options, progress)?;
    finish(&path.display().to_string(), Format::TenX, parsed, options, progress)
}

/// Reads data in memory, like [`read`]. `name` is used in messages, and its extension like that of a file.
pub fn read_bytes(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
    observer: &mut dyn Observer,
) -> Result<Loaded, Error> {
    let progress = Observed::begin(observer);
    stopped_or(&progress, Source::bytes(name, bytes, &progress).and_then(|s| read_source(&s, options, None, &progress)))
}

/// For a reader, a stop looks like a truncated file. Its error is replaced by [`Error::Stopped`].
fn stopped_or(progress: &dyn Progress, result: Result<Loaded, Error>) -> Result<Loaded, Error> {
    if progress.is_stopped() { Err(Error::Stopped) } else { result }
}

fn read_source(
    source: &Source<'_>,
    options: &ReadOptions,
    note: Option<Note>,
    progress: &dyn Progress,
) -> Result<Loaded, Error> {
    let format = match options.format {
        Some(format) => format,
        None => detect(source, options)?,
    };
    let (format, mut parsed) = parse(source, format, options)?;
    if let Contents::Matrix(RawMatrix { matrix: Matrix::Single(x), .. }) = &parsed.contents
        && may_need_double(x)
    {
        source.keep_double();
        (_, parsed) = parse(source, format, options)?;
    }
    parsed.notes.extend(note);
    finish(&source.name, format, parsed, options, progress)
}

/// Makes a dataset of the contents, with what side files say about it.
fn finish(
    name: &str,
    format: Format,
    parsed: Parsed,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Loaded, Error> {
    unused::refuse(name, format, &parsed.contents, options)?;
    let Understood { mut dataset, sentence, mut notes } = understand(name, parsed, options)?;
    let items = dataset.items.len();
    if items < if options.one_item { 1 } else { 2 } {
        return Err(Error::TooFewItems { file: name.to_owned(), items });
    }
    if let Some(path) = &options.items_file {
        side::join(&mut dataset.items, path, "items", &mut notes, progress)?;
    }
    if let Some(path) = &options.partners_file {
        let columns = match &dataset.data {
            Data::Dyadic(incidence) => incidence.columns(),
            Data::Points(points) => points.shape().1,
            _ => {
                let kind = dataset.data.kind();
                let problem = format!("only dyadic data and points have names of columns, and this is read as {kind}");
                return Err(Error::option(name, problem));
            }
        };
        let partners = dataset.partners.get_or_insert_with(|| Items::numbered(columns));
        side::join(partners, path, "partners", &mut notes, progress)?;
    }
    if options.strict
        && let Some(doubt) = notes.iter().find(|note| note.is_doubt())
    {
        return Err(Error::Doubtful { file: name.to_owned(), doubt: doubt.to_string() });
    }
    if progress.report(1.0).is_break() {
        return Err(Error::Stopped);
    }
    Ok(Loaded { dataset, format, detected: sentence, notes })
}

/// The contents as they stand in the file. An HDF5 file shows its true format only when it is open.
fn parse(source: &Source<'_>, format: Format, options: &ReadOptions) -> Result<(Format, Parsed), Error> {
    let parsed = match format {
        Format::Table => table::read(source, options),
        Format::EdgeList => edge_list::read(source, options),
        Format::Npy => npy::read(source),
        Format::Npz => npz::read(source, options),
        Format::MatrixMarket => matrix_market::read(source, options),
        Format::Pajek => pajek::read(source, options),
        Format::GraphMl => xml::read::<GraphMl>(source, options),
        Format::Gexf => xml::read::<Gexf>(source, options),
        Format::H5ad => {
            let hdf5 = Hdf5::open(source)?;
            if mat::is_matlab(&hdf5) {
                return Ok((Format::Mat, mat::read_73(&hdf5, options)?));
            }
            if cells::is_10x(&hdf5) {
                return Ok((Format::TenX, cells::read_10x(&hdf5)?));
            }
            if cells::is_loom(&hdf5) {
                return Ok((Format::Loom, cells::read_loom(&hdf5)?));
            }
            h5ad::read(&hdf5, options)
        }
        Format::TenX => cells::read_10x(&Hdf5::open(source)?),
        Format::Loom => cells::read_loom(&Hdf5::open(source)?),
        Format::Gml => gml::read(source, options),
        Format::Dot => dot::read(source, options),
        Format::Adjacency => adjacency::read(source, options),
        Format::Json => json_data::read(source, options),
        Format::Xlsx => xlsx::read(source, options),
        Format::Svmlight => svmlight::read(source),
        Format::Vectors => vectors::read(source),
        Format::Word2vec => vectors::read_word2vec(source),
        Format::Triangle => triangle::read(source),
        Format::Mat if source.start(128).starts_with(mat::MAGIC_73) => mat::read_73(&Hdf5::open(source)?, options),
        Format::Mat => mat::read(source, options),
        Format::Parquet => read_parquet(source, options),
    };
    Ok((format, parsed?))
}

#[cfg(feature = "parquet")]
fn read_parquet(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    crate::formats::parquet::read(source, options)
}

#[cfg(not(feature = "parquet"))]
fn read_parquet(source: &Source<'_>, _options: &ReadOptions) -> Result<Parsed, Error> {
    let problem = "a Parquet file, which this build cannot read; build with the feature \"parquet\", or save it as CSV";
    Err(Error::unknown_format(&source.name, problem))
}
