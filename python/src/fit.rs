//! The results of the stages, as objects of Python.

use crate::model::Model;
use dosnes::CsrMatrix;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The parts of a sparse matrix: `(shape, indptr, indices, data)`.
pub(crate) type Parts<'py> =
    ((usize, usize), Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<f64>>);

/// The parts of a matrix, as SciPy takes them.
pub(crate) fn parts<'py>(py: Python<'py>, matrix: &CsrMatrix<'_>) -> Parts<'py> {
    let row_starts: Vec<i64> = matrix.row_starts().iter().map(|&start| start as i64).collect();
    let columns: Vec<i32> = matrix.column_indices().iter().map(|&column| column as i32).collect();
    let values = matrix.values().to_vec();
    (matrix.shape(), row_starts.into_pyarray(py), columns.into_pyarray(py), values.into_pyarray(py))
}

/// The similarities that are embedded.
#[pyclass(frozen, module = "dosnes._dosnes")]
pub(crate) struct Affinities {
    pub(crate) inner: dosnes::Affinities,
    /// The total similarity of each kept item before the normalisation.
    pub(crate) degrees: Vec<f64>,
}

#[pymethods]
impl Affinities {
    /// P, with the rows and columns of the whole input.
    fn matrix<'py>(&self, py: Python<'py>) -> Parts<'py> {
        parts(py, &self.inner.to_input_rows())
    }

    /// Who is similar to whom in the data, over the kept items.
    fn direct<'py>(&self, py: Python<'py>) -> Parts<'py> {
        parts(py, self.inner.direct())
    }

    /// Rows of the input that are in P.
    fn kept<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        rows(py, self.inner.kept())
    }

    /// Rows of the input that have no similarity to any other item.
    fn left_out<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        rows(py, self.inner.left_out())
    }

    /// The total similarity of each kept item before the normalisation.
    fn degrees<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.degrees.clone().into_pyarray(py)
    }

    /// How the normalisation went.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = self.inner.report();
        let entries = PyDict::new(py);
        entries.set_item("method", report.method.name())?;
        entries.set_item("diagonal", report.rule.name())?;
        entries.set_item("iterations", report.iterations)?;
        entries.set_item("residual", report.residual)?;
        entries.set_item("cv_before", report.before.cv)?;
        entries.set_item("cv_after", report.after.cv)?;
        entries.set_item("components", &report.components)?;
        Ok(entries)
    }
}

fn rows<'py>(py: Python<'py>, rows: &[usize]) -> Bound<'py, PyArray1<i64>> {
    rows.iter().map(|&row| row as i64).collect::<Vec<_>>().into_pyarray(py)
}

/// A map, and the similarities that it shows.
#[pyclass(frozen, module = "dosnes._dosnes")]
pub(crate) struct Fit {
    /// The similarities.
    #[pyo3(get)]
    affinities: Py<Affinities>,
    embedding: dosnes::Embedding,
    /// Number of principal components that the points were reduced to.
    #[pyo3(get)]
    components: Option<usize>,
    /// The perplexity of entropic affinities.
    #[pyo3(get)]
    perplexity: Option<f64>,
    /// The share of the true neighbours that an approximate search found.
    #[pyo3(get)]
    recall: Option<f64>,
    /// The model of the map, if one was asked for and can be made.
    #[pyo3(get)]
    model: Option<Py<Model>>,
    /// Why there is none.
    #[pyo3(get)]
    no_model: Option<String>,
    /// How far each kept item moved from its place on the earlier map, in degrees.
    moved: Option<Vec<f64>>,
}

/// How the similarities were computed from points or distances.
#[derive(Default)]
pub(crate) struct Origin {
    pub(crate) components: Option<usize>,
    pub(crate) perplexity: Option<f64>,
    pub(crate) recall: Option<f64>,
}

impl Fit {
    pub(crate) fn new(affinities: Py<Affinities>, embedding: dosnes::Embedding, origin: &Origin) -> Self {
        let &Origin { components, perplexity, recall } = origin;
        Self { affinities, embedding, components, perplexity, recall, model: None, no_model: None, moved: None }
    }

    /// The same, with the angles by which items moved from an earlier map.
    pub(crate) fn with_moved(self, moved: Option<Vec<f64>>) -> Self {
        Self { moved, ..self }
    }

    /// The same, with its model, or with the reason why there is none.
    pub(crate) fn with_model(mut self, py: Python<'_>, made: Result<dosnes::Model, String>) -> PyResult<Self> {
        match made {
            Ok(inner) => self.model = Some(Py::new(py, Model { inner })?),
            Err(reason) => self.no_model = Some(reason),
        }
        Ok(self)
    }
}

#[pymethods]
impl Fit {
    /// One row for each kept item.
    fn coordinates<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        self.embedding.coordinates.clone().into_pyarray(py)
    }

    /// How far each kept item moved from its place on the earlier map, in degrees; NaN for new items.
    fn moved<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.moved.clone().map(|moved| moved.into_pyarray(py))
    }

    /// The radius of the sphere.
    #[getter]
    fn radius(&self) -> Option<f64> {
        self.embedding.radius
    }

    /// Whether the radius ended at its limit.
    #[getter]
    fn at_largest_radius(&self) -> bool {
        self.embedding.at_largest_radius
    }

    /// KL(P‖Q).
    #[getter]
    fn kl(&self) -> f64 {
        self.embedding.kl
    }

    /// Number of iterations.
    #[getter]
    fn iterations(&self) -> usize {
        self.embedding.iterations
    }

    /// Whether further iterations would change nothing that matters.
    #[getter]
    fn converged(&self) -> bool {
        self.embedding.converged
    }

    /// Whether a callback stopped the run.
    #[getter]
    fn stopped(&self) -> bool {
        self.embedding.stopped
    }

    /// How repulsion was computed.
    #[getter]
    fn repulsion(&self) -> &'static str {
        self.embedding.repulsion.name()
    }
}
