//! How good maps are, and maps by several methods.

use crate::{
    data::Given,
    error::exception,
    options::{self, named},
    watch::Watch,
};
use dosnes::{
    Dosnes, Error, Space,
    compare::Method,
    input::Data,
    ndarray::{Array2, ArrayView2},
    observe::Observer,
    quality::{Better, Evaluation, Map, QualityOptions, Subject},
};
use numpy::{IntoPyArray, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The class of each item of the input, if it has one.
type Classes = Option<Vec<Option<u32>>>;

/// Calls `measure` with the data that maps are compared with.
fn with_subject<T>(
    data: &Data<'_>,
    dosnes: &Dosnes,
    classes: &Classes,
    observer: &mut dyn Observer,
    measure: impl FnOnce(&Subject<'_>, &mut dyn Observer) -> Result<T, Error>,
) -> Result<T, Error> {
    let found = dosnes::similarities(data, dosnes.similarity_options(), observer)?;
    let p = dosnes::normalize(&found.similarity, dosnes.normalize_options(), observer)?;
    let metric = dosnes.similarity_options().metric;
    let mut subject = Subject::new(data, &found.similarity, metric, &p, observer)?;
    if let Some(classes) = classes {
        if classes.len() != data.len() {
            return Err(Error::Length { what: "classes", found: classes.len(), expected: data.len() });
        }
        subject = subject.with_classes(p.kept().iter().map(|&row| classes[row]).collect());
    }
    measure(&subject, observer)
}

/// The rows of a map of all items that are items of P.
fn kept_rows(map: ArrayView2<'_, f64>, subject: &Subject<'_>, n: usize) -> Result<Array2<f64>, Error> {
    if map.nrows() != n {
        return Err(Error::Length { what: "the map", found: map.nrows(), expected: n });
    }
    let kept = subject.affinities().kept();
    Ok(Array2::from_shape_fn((kept.len(), map.ncols()), |(i, k)| map[[kept[i], k]]))
}

/// Measures a map of all items of the data.
#[pyfunction]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    map: PyReadonlyArray2<'py, f64>,
    space: &str,
    given: (Given<'py>, String),
    options: &Bound<'py, PyDict>,
    classes: Classes,
    watch: Watch,
) -> PyResult<Bound<'py, PyDict>> {
    let dosnes = options::read(options)?;
    let space = named::<Space>("space", space)?;
    let data = given.0.data(&given.1)?;
    let coordinates = map.as_array();
    let measures = QualityOptions { seed: dosnes.embed_options().seed, ..QualityOptions::default() };
    let evaluation = watch.run(py, |observer| {
        with_subject(&data, &dosnes, &classes, observer, |subject, observer| {
            let map = Map::new(kept_rows(coordinates, subject, data.len())?.view(), space)?;
            let own = subject.affinities().matrix();
            subject.evaluate(&map, own, dosnes.embed_options().kernel, &measures, observer)
        })
    })?;
    dictionary(py, &evaluation)
}

/// Maps by several methods, one for each seed, and their measures.
#[pyfunction]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    methods: Vec<String>,
    seeds: Vec<u64>,
    given: (Given<'py>, String),
    options: &Bound<'py, PyDict>,
    classes: Classes,
    watch: Watch,
) -> PyResult<Bound<'py, PyList>> {
    let dosnes = options::read(options)?;
    let methods = methods.iter().map(|name| named::<Method>("methods", name)).collect::<PyResult<Vec<_>>>()?;
    let data = given.0.data(&given.1)?;
    let (radius, memory) = (dosnes.embed_options().radius, dosnes.normalize_options().memory_limit);
    let (kept, made) = watch.run(py, |observer| {
        with_subject(&data, &dosnes, &classes, observer, |subject, observer| {
            let mut made = Vec::new();
            for &method in &methods {
                // A deterministic method gives the same map for every seed.
                let seeds = if method.is_scaling() { &seeds[..seeds.len().min(1)] } else { &seeds[..] };
                for &seed in seeds {
                    let map = method.make(subject, radius, seed, memory, observer)?;
                    let options = QualityOptions { seed, ..QualityOptions::default() };
                    let own = method.affinities(subject).matrix();
                    let measured = Map::new(map.coordinates.view(), method.space())?;
                    let evaluation = subject.evaluate(&measured, own, method.kernel(), &options, observer)?;
                    made.push((method, seed, map, evaluation));
                }
            }
            Ok((subject.affinities().kept().to_vec(), made))
        })
    })?;
    let list = PyList::empty(py);
    for (method, seed, map, evaluation) in made {
        let entry = PyDict::new(py);
        entry.set_item("method", method.name())?;
        entry.set_item("label", method.label())?;
        entry.set_item("space", method.space().name())?;
        entry.set_item("seed", seed)?;
        entry.set_item("stress", map.stress)?;
        let mut all = Array2::from_elem((data.len(), map.coordinates.ncols()), f64::NAN);
        for (row, &item) in map.coordinates.rows().into_iter().zip(&kept) {
            all.row_mut(item).assign(&row);
        }
        entry.set_item("embedding", all.into_pyarray(py))?;
        entry.set_item("measures", dictionary(py, &evaluation)?)?;
        list.append(entry)?;
    }
    Ok(list)
}

/// For each measure: its label, its value, half of its confidence interval, and the best value.
fn dictionary<'py>(py: Python<'py>, evaluation: &Evaluation) -> PyResult<Bound<'py, PyDict>> {
    let entries = PyDict::new(py);
    for measure in &evaluation.measures {
        let better = match measure.better {
            Better::Higher => Some(f64::INFINITY),
            Better::Near(target) => Some(target),
            _ => None,
        };
        entries.set_item(&measure.key, (&measure.label, measure.measure.value, measure.measure.margin, better))?;
    }
    Ok(entries)
}

/// The share of the most similar items of each item that are among its nearest neighbours on the map.
pub(crate) fn trust(similar: &dosnes::CsrMatrix<'_>, space: Space, map: ArrayView2<'_, f64>) -> PyResult<Vec<f32>> {
    // Only the order of distances matters, and chords have the same order as great circles.
    let space = if space == Space::Sphere { Space::Volume } else { space };
    let shares = Map::new(map, space)
        .and_then(|map| dosnes::quality::trust(&map, similar, TRUST_NEIGHBORS, &mut dosnes::observe::Silent))
        .map_err(|error| exception(&error))?;
    Ok(shares.into_iter().map(|share| share as f32).collect())
}

/// Number of neighbours for trust, as on the pages of the command.
const TRUST_NEIGHBORS: usize = 15;
