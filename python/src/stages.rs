//! The stages of the method as functions, and all of them at once.

use crate::{
    data::{Given, Sparse},
    error::exception,
    fit::{Affinities, Fit, Origin, Parts, parts},
    model::{Names, why},
    options,
    places::Places,
    watch::Watch,
};
use dosnes::{
    Data, Error, Model, NormalizeOptions, Similarity,
    growth::{ModelError, ModelParts},
    observe::Observer,
};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Why a run that was stopped has no model.
const UNFINISHED: &str = "a callback stopped the run, and a map that is not finished has no model";

/// Normalised similarities, and the total similarity of each kept item before.
fn normalized(
    similarity: Similarity<'_>,
    options: &NormalizeOptions,
    observer: &mut dyn Observer,
) -> Result<Affinities, Error> {
    let inner = dosnes::normalize_owned(similarity, options, observer)?;
    let degrees = inner.given_totals().to_vec();
    Ok(Affinities { inner, degrees })
}

/// A map of the data: similarities, normalisation, embedding; and its model, if there are names for it. `places`: what is known
/// of the places of items.
#[pyfunction]
pub(crate) fn fit(
    py: Python<'_>,
    data: Given<'_>,
    kind: &str,
    options: &Bound<'_, PyDict>,
    names: Option<Names>,
    places: Option<Places<'_>>,
    watch: Watch,
) -> PyResult<Fit> {
    let dosnes = options::read(options)?;
    let known = places.map(|places| places.known()).unwrap_or_default();
    let data = data.data(kind)?;
    let (affinities, embedding, origin, made, moved) = watch.run(py, |observer| {
        let found = dosnes::similarities(&data, dosnes.similarity_options(), observer)?;
        let origin = Origin { components: found.components, perplexity: found.perplexity, recall: found.recall };
        // Similarities may take most of the memory, and only a model needs them again.
        let (mut affinities, found) = if names.is_some() {
            (normalized(found.similarity.borrowed(), dosnes.normalize_options(), observer)?, Some(found))
        } else {
            (normalized(found.similarity, dosnes.normalize_options(), observer)?, None)
        };
        let dosnes = known.begin(dosnes, &affinities.inner)?;
        let mut embedding = dosnes::embed_in_place(&mut affinities.inner, dosnes.embed_options(), observer)?;
        let moved = known.register(&affinities.inner, &mut embedding)?;
        let made = match (&names, &found) {
            (Some(_), _) if embedding.stopped => Some(Err(UNFINISHED.to_owned())),
            (Some(names), Some(found)) => {
                let parts = ModelParts {
                    ids: &names.ids,
                    columns: names.columns.as_deref(),
                    data: &data,
                    options: dosnes.similarity_options(),
                    similarities: found,
                    affinities: &affinities.inner,
                    embedding: &embedding,
                    kernel: dosnes.embed_options().kernel,
                };
                match Model::new(&parts, observer) {
                    Ok(model) => Some(Ok(model)),
                    Err(ModelError::Library(error)) => return Err(error),
                    Err(error) => Some(Err(why(&error))),
                }
            }
            _ => None,
        };
        Ok((affinities, embedding, origin, made, moved))
    })?;
    let fit = Fit::new(Py::new(py, affinities)?, embedding, &origin).with_moved(moved);
    match made {
        Some(made) => fit.with_model(py, made),
        None => Ok(fit),
    }
}

/// The rows of points that stand for all of them.
#[pyfunction]
pub(crate) fn landmarks<'py>(
    py: Python<'py>,
    data: Given<'py>,
    count: usize,
    watch: Watch,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let data = data.data("points")?;
    let Data::Points(points) = &data else { return Err(PyValueError::new_err("landmarks are chosen among points")) };
    let chosen = watch.run(py, |observer| dosnes::growth::landmarks(points, count, observer))?;
    Ok(chosen.into_iter().map(|row| row as i64).collect::<Vec<_>>().into_pyarray(py))
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
        normalized(found.similarity, dosnes.normalize_options(), observer)
    })
}

/// A map of similarities P, used as they are: a symmetric matrix.
#[pyfunction]
pub(crate) fn embed(
    py: Python<'_>,
    similarities: Sparse<'_>,
    options: &Bound<'_, PyDict>,
    watch: Watch,
) -> PyResult<Fit> {
    let dosnes = options::read(options)?;
    let mut inner = dosnes::Affinities::from_matrix(&similarities.matrix()?).map_err(|error| exception(&error))?;
    let degrees = dosnes::normalization::degrees(inner.matrix());
    let embedding = watch.run(py, |observer| dosnes::embed_in_place(&mut inner, dosnes.embed_options(), observer))?;
    Ok(Fit::new(Py::new(py, Affinities { inner, degrees })?, embedding, &Origin::default()))
}
