//! Models to and from files.

use std::path::Path;

use dosnes::Model;
use dosnes::growth::FormatError;
use dosnes::observe::{Observer, Silent};

use crate::error::{Error, OutputProblem, Place};
use crate::progress::Observed;
use crate::source::Source;
use crate::write::atomic_write;

/// The extension of a model.
const EXTENSION: &str = "dosnes";

/// Checks that a model may have this name.
pub fn check_model_name(path: &Path) -> Result<(), Error> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION)) {
        return Ok(());
    }
    Err(Error::output(path, OutputProblem::UnknownExtension { known: ".dosnes" }))
}

/// Writes a model, completely or not at all; returns its size in bytes.
pub fn write_model(path: impl AsRef<Path>, model: &Model) -> Result<u64, Error> {
    let path = path.as_ref();
    check_model_name(path)?;
    let bytes = model.to_bytes();
    atomic_write(path, |out| out.write_all(&bytes))?;
    Ok(bytes.len() as u64)
}

/// Reads a model. The observer is called in between, and may stop it: a compressed file can unpack to far more than its size.
pub fn read_model(path: impl AsRef<Path>, observer: &mut dyn Observer) -> Result<Model, Error> {
    let progress = Observed::begin(observer);
    let source = Source::file(path.as_ref(), &progress)?;
    let bytes = source.read_all()?;
    Model::from_bytes(&bytes).map_err(|error| match error {
        FormatError::Foreign => Error::unknown_format(&source.name, error.to_string()),
        _ => Error::malformed(&source.name, Place::default(), error.to_string()),
    })
}

/// Whether a file begins as a model does; not if it cannot be read.
pub fn is_model(path: impl AsRef<Path>) -> bool {
    let mut silent = Silent;
    let progress = Observed::begin(&mut silent);
    Source::file(path.as_ref(), &progress).is_ok_and(|source| Model::is_model(source.start(8)))
}
