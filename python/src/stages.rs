//! The stages of the method as functions, and all of them at once.

use crate::{
    data::{Given, Sparse},
    error::exception,
    fit::{Affinities, Fit, Origin, Parts, parts},
    options,
    watch::Watch,
};
use dosnes::{Error, NormalizeOptions, Similarity, observe::Observer};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Normalised similarities, and the total similarity of each kept item before.
fn normalized(
    similarity: &Similarity<'_>,
    options: &NormalizeOptions,
    observer: &mut dyn Observer,
) -> Result<Affinities, Error> {
    let inner = dosnes::normalize(similarity, options, observer)?;
    let degrees = inner.given_totals().to_vec();
    Ok(Affinities { inner, degrees })
}

/// A map of the data: similarities, normalisation, embedding.
#[pyfunction]
pub(crate) fn fit(
    py: Python<'_>,
    data: Given<'_>,
    kind: &str,
    options: &Bound<'_, PyDict>,
    watch: Watch,
) -> PyResult<Fit> {
    let dosnes = options::read(options)?;
    let data = data.data(kind)?;
    let (affinities, embedding, origin) = watch.run(py, |observer| {
        let found = dosnes::similarities(&data, dosnes.similarity_options(), observer)?;
        let affinities = normalized(&found.similarity, dosnes.normalize_options(), observer)?;
        let origin = Origin { components: found.components, perplexity: found.perplexity, recall: found.recall };
        // They may take most of the memory.
        drop(found);
        let embedding = dosnes::embed(&affinities.inner, dosnes.embed_options(), observer)?;
        Ok((affinities, embedding, origin))
    })?;
    Ok(Fit::new(Py::new(py, affinities)?, embedding, &origin))
}

/// The symmetric similarities of the data before the normalisation.
#[pyfunction]
pub(crate) fn similarities<'py>(
    py: Python<'py>,
    data: Given<'py>,
    kind: &str,
    options: &Bound<'py, PyDict>,
    watch: Watch,
) -> PyResult<Parts<'py>> {
    let dosnes = options::read(options)?;
    let data = data.data(kind)?;
    let matrix = watch.run(py, |observer| {
        let found = dosnes::similarities(&data, dosnes.similarity_options(), observer)?;
        Ok(found.similarity.symmetric()?.into_owned())
    })?;
    Ok(parts(py, &matrix))
}

/// The doubly stochastic similarities of the data.
#[pyfunction]
pub(crate) fn normalize(
    py: Python<'_>,
    data: Given<'_>,
    kind: &str,
    options: &Bound<'_, PyDict>,
    watch: Watch,
) -> PyResult<Affinities> {
    let dosnes = options::read(options)?;
    let data = data.data(kind)?;
    watch.run(py, |observer| {
        let found = dosnes::similarities(&data, dosnes.similarity_options(), observer)?;
        normalized(&found.similarity, dosnes.normalize_options(), observer)
    })
}

/// A map of similarities P, used as they are: those of `normalize`, or a symmetric matrix from elsewhere.
#[pyfunction]
pub(crate) fn embed(
    py: Python<'_>,
    similarities: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
    watch: Watch,
) -> PyResult<Fit> {
    let dosnes = options::read(options)?;
    let affinities = if let Ok(known) = similarities.cast::<Affinities>() {
        known.clone().unbind()
    } else {
        let sparse: Sparse<'_> = similarities.extract()?;
        let inner = dosnes::Affinities::from_matrix(&sparse.matrix()?).map_err(|error| exception(&error))?;
        let degrees = dosnes::normalization::degrees(inner.matrix());
        Py::new(py, Affinities { inner, degrees })?
    };
    let p = &affinities.get().inner;
    let embedding = watch.run(py, |observer| dosnes::embed(p, dosnes.embed_options(), observer))?;
    Ok(Fit::new(affinities, embedding, &Origin::default()))
}
