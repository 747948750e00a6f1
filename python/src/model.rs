//! Maps that are kept: models, new items on them, and the rotation between two maps.

use crate::{
    data::Given,
    error::exception,
    fit::{Parts, parts},
    watch::Watch,
};
use dosnes::{
    Data, Error,
    growth::{ModelError, connect, connect_all, grow_free},
    observe::Silent,
};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyPermissionError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::ErrorKind;
use std::path::PathBuf;

/// The names of the items, and of the columns of points or dyadic data if they have names.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Names {
    pub(crate) ids: Vec<String>,
    pub(crate) columns: Option<Vec<String>>,
}

/// A map on a sphere with all that is needed to place further items on it.
#[pyclass(frozen, module = "dosnes._dosnes")]
pub(crate) struct Model {
    pub(crate) inner: dosnes::Model,
}

/// Places, and how badly each item fits.
type Placed<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>);
/// New items with links to the map: their links, their rows, the rows without a link, and the number of links that are not used.
type Linked<'py> = (Parts<'py>, Vec<usize>, Vec<usize>, usize);

#[pymethods]
impl Model {
    /// A model from the bytes of its file.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let inner = dosnes::Model::from_bytes(bytes).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { inner })
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.inner.to_bytes()))
    }

    /// Writes its file, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| dosnes_io::write_model(&path, &self.inner)).map(|_| ()).map_err(|error| of_file(&error))
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// The names of the items of the map.
    fn ids(&self) -> Vec<String> {
        self.inner.ids().to_vec()
    }

    /// The names of the columns of the data; empty if they are not known.
    fn columns(&self) -> Vec<String> {
        self.inner.columns().to_vec()
    }

    /// One row for each item of the map.
    fn coordinates<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        self.inner.coordinates().to_owned().into_pyarray(py)
    }

    /// The radius of the sphere.
    #[getter]
    fn radius(&self) -> f64 {
        self.inner.radius()
    }

    /// The kind of data.
    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.kind().name()
    }

    /// Number of columns that new items must have.
    #[getter]
    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    /// How often the map has grown, and by how many items in total.
    #[getter]
    fn growth(&self) -> (usize, usize) {
        self.inner.growth()
    }

    /// Places new items.
    fn transform<'py>(&self, py: Python<'py>, data: Given<'py>, kind: &str, watch: Watch) -> PyResult<Placed<'py>> {
        let data = data.data(kind)?;
        let placed = watch.run_with(py, of_model, |observer| dosnes::transform(&self.inner, &data, observer))?;
        Ok((placed.coordinates.into_pyarray(py), placed.misfit.into_pyarray(py)))
    }

    /// Adds new items. `free`: the old ones may move.
    fn grow<'py>(
        &self,
        py: Python<'py>,
        ids: Vec<String>,
        data: Given<'py>,
        kind: &str,
        free: bool,
        watch: Watch,
    ) -> PyResult<Self> {
        let data = data.data(kind)?;
        let add = if free { grow_free } else { dosnes::grow };
        let inner = watch.run_with(py, of_model, |observer| add(&self.inner, &ids, &data, observer))?;
        Ok(Self { inner })
    }

    /// Finds the items of a graph or of similarities that are not on the map, and their links to it, by name; for growing, also
    /// the links between them.
    fn connect<'py>(
        &self,
        py: Python<'py>,
        ids: Vec<String>,
        data: Given<'py>,
        kind: &str,
        for_growing: bool,
    ) -> PyResult<Linked<'py>> {
        let data = data.data(kind)?;
        let find = if for_growing { connect_all } else { connect };
        let found = find(&self.inner, &ids, None, &data).map_err(|error| of_model(&error))?;
        let (Data::Graph(links) | Data::Similarity(links) | Data::Dyadic(links)) = &found.data else {
            return Err(PyValueError::new_err("points have no links"));
        };
        Ok((parts(py, links), found.rows.clone(), found.unconnected.clone(), found.unused))
    }
}

/// Reads the file of a model.
#[pyfunction]
pub(crate) fn load_model(py: Python<'_>, path: PathBuf) -> PyResult<Model> {
    let inner = py.detach(|| dosnes_io::read_model(&path, &mut Silent)).map_err(|error| of_file(&error))?;
    Ok(Model { inner })
}

/// The rotation that lays one map onto another.
#[pyclass(frozen, module = "dosnes._dosnes")]
pub(crate) struct Alignment {
    inner: dosnes::growth::Alignment,
}

#[pymethods]
impl Alignment {
    /// The orthogonal matrix, by rows.
    #[getter]
    fn rotation(&self) -> [[f64; 3]; 3] {
        self.inner.rotation
    }

    /// Whether it mirrors.
    #[getter]
    fn mirrored(&self) -> bool {
        self.inner.mirrored
    }

    /// The angle in degrees by which each item moved.
    fn moved<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.inner.moved.clone().into_pyarray(py)
    }

    /// A map after the rotation.
    fn apply<'py>(&self, py: Python<'py>, map: PyReadonlyArray2<'py, f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let turned = self.inner.apply(map.as_array()).map_err(|error| exception(&error))?;
        Ok(turned.into_pyarray(py))
    }
}

/// Lays `new` onto `old`; row i of both is the same item.
#[pyfunction]
pub(crate) fn align(old: PyReadonlyArray2<'_, f64>, new: PyReadonlyArray2<'_, f64>) -> PyResult<Alignment> {
    let inner = dosnes::align(old.as_array(), new.as_array()).map_err(|error| exception(&error))?;
    Ok(Alignment { inner })
}

/// The exception for an error of a model.
pub(crate) fn of_model(error: &ModelError) -> PyErr {
    match error {
        ModelError::Library(Error::Columns { found, expected }) => {
            PyValueError::new_err(format!("the new items have {found} columns, but those of the map have {expected}"))
        }
        ModelError::Library(error) => exception(error),
        other => PyValueError::new_err(why(other)),
    }
}

/// Why there is no model, or why it cannot be used, with the names of the parameters in Python.
pub(crate) fn why(error: &ModelError) -> String {
    match error {
        ModelError::Kind(kind) => {
            format!("a model can be made of points, graphs, similarities and dyadic data, and these data are {kind}s")
        }
        ModelError::Steps(steps) => {
            format!("a model of dyadic data needs at most two steps, and there were {steps}; use steps=2")
        }
        ModelError::Space => "a model can only be made of a map on a sphere".to_owned(),
        ModelError::Affinity => "a model of points needs affinity=\"entropic\"".to_owned(),
        ModelError::Metric(metric) => format!("a model cannot be made with metric=\"{metric}\""),
        ModelError::Normalization => {
            "a model needs a normalisation that scales the similarities, or none; use normalize=\"auto\"".to_owned()
        }
        ModelError::OtherKind { map, new } => {
            format!("the map is of the kind {map}, and the new data are of the kind {new}")
        }
        ModelError::Sparse(columns) => format!(
            "a model of sparse points needs their principal components, and {columns} columns are too many without them; use \
             pca=50"
        ),
        other => other.to_string(),
    }
}

/// The exception for a file that cannot be read or written.
fn of_file(error: &dosnes_io::Error) -> PyErr {
    let text = error.to_string();
    match error.io_error().map(std::io::Error::kind) {
        Some(ErrorKind::NotFound) => PyFileNotFoundError::new_err(text),
        Some(ErrorKind::PermissionDenied) => PyPermissionError::new_err(text),
        Some(_) => PyOSError::new_err(text),
        None => PyValueError::new_err(text),
    }
}
