//! A dense matrix that grows by rows.

use dosnes::ndarray::Array2;

use crate::raw::Matrix;

/// Collects rows. As long as the matrix may become square (and contain similarities), it is stored in double precision. After
/// that, single precision is enough and needs half of the memory.
pub(crate) struct DenseBuilder {
    width: usize,
    rows: usize,
    always_double: bool,
    double: Vec<f64>,
    single: Vec<f32>,
}

impl DenseBuilder {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, rows: 0, always_double: false, double: Vec::new(), single: Vec::new() }
    }

    /// Always keeps double precision.
    pub(crate) fn double(width: usize) -> Self {
        Self { always_double: true, ..Self::new(width) }
    }

    pub(crate) fn push_row(&mut self, row: &[f64]) {
        debug_assert_eq!(row.len(), self.width);
        self.rows += 1;
        if self.rows <= self.width || self.always_double {
            self.double.extend_from_slice(row);
        } else {
            if self.single.is_empty() {
                self.single = self.double.iter().map(|&v| v as f32).collect();
                self.double = Vec::new();
            }
            self.single.extend(row.iter().map(|&v| v as f32));
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn finish(self) -> Matrix {
        let shape = (self.rows, self.width);
        if self.single.is_empty() {
            Matrix::Double(Array2::from_shape_vec(shape, self.double).expect("every row has the same width"))
        } else {
            Matrix::Single(Array2::from_shape_vec(shape, self.single).expect("every row has the same width"))
        }
    }

    /// The cells row by row, of a matrix that was kept in double precision.
    pub(crate) fn into_values(self) -> Vec<f64> {
        self.double
    }
}
