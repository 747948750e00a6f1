//! Arrays and sparse matrices of Python as the library's data, without a copy where that is possible.

use crate::error::exception;
use dosnes::{
    CsrMatrix, Data, Kind, Named,
    input::{Distances, Points},
    ndarray::ArrayView2,
};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Data of Python, borrowed: the arrays must not be written to while they are used.
pub(crate) enum Given<'py> {
    Single(PyReadonlyArray2<'py, f32>),
    Double(PyReadonlyArray2<'py, f64>),
    Sparse(Sparse<'py>),
}

/// The parts of a sparse matrix in compressed rows, as SciPy has them: `(shape, indptr, indices, data)`.
pub(crate) struct Sparse<'py> {
    shape: (usize, usize),
    row_starts: PyReadonlyArray1<'py, usize>,
    columns: PyReadonlyArray1<'py, u32>,
    values: PyReadonlyArray1<'py, f64>,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = object.extract::<PyReadonlyArray2<'py, f32>>() {
            return Ok(Self::Single(array));
        }
        if let Ok(array) = object.extract::<PyReadonlyArray2<'py, f64>>() {
            return Ok(Self::Double(array));
        }
        object.extract::<Sparse<'py>>().map(Self::Sparse).map_err(|_| {
            PyTypeError::new_err("the data must be a 2-D array of float32 or float64, or the parts of a sparse matrix")
        })
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Sparse<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let (shape, row_starts, columns, values) = object.extract()?;
        Ok(Self { shape, row_starts, columns, values })
    }
}

impl Sparse<'_> {
    /// The matrix, borrowed. Its order and its values are checked.
    pub(crate) fn matrix(&self) -> PyResult<CsrMatrix<'_>> {
        let parts = (self.row_starts.as_slice()?, self.columns.as_slice()?, self.values.as_slice()?);
        CsrMatrix::new(self.shape, parts.0, parts.1, parts.2).map_err(|error| exception(&error.into()))
    }
}

impl Given<'_> {
    /// The data as this kind.
    pub(crate) fn data(&self, kind: &str) -> PyResult<Data<'_>> {
        let kind = Kind::from_name(kind).map_err(|error| PyValueError::new_err(error.to_string()))?;
        match (kind, self) {
            (Kind::Points, Self::Single(array)) => Ok(Data::Points(single(array.as_array()))),
            (Kind::Points, Self::Double(array)) => Ok(Data::Points(double(array.as_array()))),
            (Kind::Points, Self::Sparse(sparse)) => Ok(Data::Points(Points::Sparse(sparse.matrix()?))),
            (Kind::Distance, Self::Single(array)) => Ok(Data::Distance(Distances::Dense(array.as_array().into()))),
            (Kind::Distance, Self::Sparse(sparse)) => Ok(Data::Distance(Distances::Sparse(sparse.matrix()?))),
            (Kind::Similarity, Self::Sparse(sparse)) => Ok(Data::Similarity(sparse.matrix()?)),
            (Kind::Graph, Self::Sparse(sparse)) => Ok(Data::Graph(sparse.matrix()?)),
            (Kind::Dyadic, Self::Sparse(sparse)) => Ok(Data::Dyadic(sparse.matrix()?)),
            (Kind::Distance, Self::Double(_)) => {
                Err(PyTypeError::new_err("distances in a dense matrix must be float32"))
            }
            (Kind::Similarity | Kind::Graph | Kind::Dyadic, _) => {
                Err(PyTypeError::new_err(format!("data of the kind {kind} must be a sparse matrix")))
            }
        }
    }
}

/// Points in single precision: borrowed, unless their large common part asks for double precision.
fn single(x: ArrayView2<'_, f32>) -> Points<'_> {
    if needs_double(x, f64::from) { Points::Dense64(x.mapv(f64::from).into()) } else { Points::Dense(x.into()) }
}

/// Points in double precision, borrowed. The library uses single precision, unless that loses digits that matter.
fn double(x: ArrayView2<'_, f64>) -> Points<'_> {
    if needs_double(x, |v| v) { Points::Dense64(x.into()) } else { Points::Rounded(x.into()) }
}

/// Whether single precision would lose more than a thousandth of the spread of a column. This is the rule of the readers of
/// files, so that an array and the file with the same numbers give the same map.
fn needs_double<T: Copy>(x: ArrayView2<'_, T>, to_double: impl Fn(T) -> f64) -> bool {
    let mut extents = vec![(f64::INFINITY, f64::NEG_INFINITY); x.ncols()];
    for row in x.rows() {
        for (extent, &value) in extents.iter_mut().zip(row) {
            let value = to_double(value);
            *extent = (extent.0.min(value), extent.1.max(value));
        }
    }
    extents.into_iter().any(|(low, high)| {
        let (largest, spread) = (low.abs().max(high.abs()), high - low);
        spread > 0.0 && f64::from(f32::EPSILON) * largest > 1e-3 * spread
    })
}
