//! Points and distances, dense or sparse, borrowed or owned.

use super::Data;
use crate::{
    error::{Error, Quantity},
    sparse::CsrMatrix,
};
use ndarray::{Array2, ArrayView2, Axis, CowArray, Ix2};

/// A vector for each item.
#[derive(Debug, Clone)]
pub enum Points<'a> {
    /// n × D, one row per item. Single precision is enough: distances between neighbours are needed to a few digits
    /// only, and memory limits the size of the data.
    Dense(CowArray<'a, f32, Ix2>),
    /// n × D in double precision. They are converted to single precision once, after centring if the metric allows it.
    Dense64(CowArray<'a, f64, Ix2>),
    /// n × D in double precision, of which single precision is used: the results are those of the same numbers in [`Points::Dense`],
    /// but wide points are never copied as a whole.
    Rounded(CowArray<'a, f64, Ix2>),
    /// n × D with few entries; absent ones are zero.
    Sparse(CsrMatrix<'a>),
}

/// Pairwise distances.
#[derive(Debug, Clone)]
pub enum Distances<'a> {
    /// Every pair: n × n.
    Dense(CowArray<'a, f32, Ix2>),
    /// Only the near pairs, for example a neighbour graph with its distances; absent entries are far away.
    Sparse(CsrMatrix<'a>),
}

impl Points<'_> {
    /// Number of items and of dimensions.
    pub fn shape(&self) -> (usize, usize) {
        match self {
            Self::Dense(x) => x.dim(),
            Self::Dense64(x) | Self::Rounded(x) => x.dim(),
            Self::Sparse(x) => x.shape(),
        }
    }

    /// Some of the rows, copied.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Points<'static> {
        match self {
            Self::Dense(x) => Points::from(x.select(Axis(0), rows)),
            Self::Dense64(x) => Points::from(x.select(Axis(0), rows)),
            Self::Rounded(x) => Points::Rounded(x.select(Axis(0), rows).into()),
            Self::Sparse(x) => Points::Sparse(x.select_rows(rows)),
        }
    }

    /// The same points, borrowed instead of copied.
    pub fn borrowed(&self) -> Points<'_> {
        match self {
            Self::Dense(x) => Points::Dense(x.view().into()),
            Self::Dense64(x) => Points::Dense64(x.view().into()),
            Self::Rounded(x) => Points::Rounded(x.view().into()),
            Self::Sparse(x) => Points::Sparse(x.borrowed()),
        }
    }
}

impl Distances<'_> {
    /// Number of rows and of columns.
    pub fn shape(&self) -> (usize, usize) {
        match self {
            Self::Dense(x) => x.dim(),
            Self::Sparse(x) => x.shape(),
        }
    }

    /// The same distances, borrowed instead of copied.
    pub fn borrowed(&self) -> Distances<'_> {
        match self {
            Self::Dense(x) => Distances::Dense(x.view().into()),
            Self::Sparse(x) => Distances::Sparse(x.borrowed()),
        }
    }
}

/// Whether points are centred before they are converted to single precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Centring {
    /// The mean is subtracted in double precision, so that a large offset costs no digits. Only for computations that
    /// do not change when all points are translated.
    Subtract,
    /// The points are not translated.
    Keep,
}

impl Points<'_> {
    /// The same points, with dense ones in single precision. Only points in double precision are copied.
    pub(crate) fn in_single_precision(&self, centring: Centring) -> Result<Points<'_>, Error> {
        let (x, centring) = match self {
            Self::Dense64(x) => (x, centring),
            Self::Rounded(x) => (x, Centring::Keep),
            Self::Dense(_) | Self::Sparse(_) => return Ok(self.borrowed()),
        };
        if let Some(((row, column), &value)) = x.indexed_iter().find(|(_, v)| !v.is_finite()) {
            return Err(Error::Value { quantity: Quantity::Coordinate, row, column, value });
        }
        let offsets = match centring {
            Centring::Subtract => column_means(&x.view()),
            Centring::Keep => vec![0.0; x.ncols()],
        };
        let mut single = Array2::zeros(x.dim());
        for ((i, j), &value) in x.indexed_iter() {
            let reduced = (value - offsets[j]) as f32;
            if !reduced.is_finite() {
                return Err(Error::Value { quantity: Quantity::Coordinate, row: i, column: j, value });
            }
            single[[i, j]] = reduced;
        }
        Ok(Points::Dense(single.into()))
    }
}

/// A number of [`Points::Rounded`], as it is used.
pub(crate) fn rounded(value: f64) -> f64 {
    f64::from(value as f32)
}

/// The mean of each column. Each number is divided before it is added: sums of huge numbers cannot overflow.
pub(crate) fn column_means(x: &ArrayView2<'_, f64>) -> Vec<f64> {
    let rows = x.nrows() as f64;
    x.columns().into_iter().map(|column| column.iter().map(|v| v / rows).sum()).collect()
}

/// Conversions of arrays in one precision to one variant of points, and to data.
macro_rules! from_arrays {
    ($number:ty, $variant:ident) => {
        impl From<Array2<$number>> for Points<'_> {
            fn from(array: Array2<$number>) -> Self {
                Self::$variant(array.into())
            }
        }

        impl<'a> From<&'a Array2<$number>> for Points<'a> {
            fn from(array: &'a Array2<$number>) -> Self {
                Self::$variant(array.into())
            }
        }

        impl<'a> From<ArrayView2<'a, $number>> for Points<'a> {
            fn from(array: ArrayView2<'a, $number>) -> Self {
                Self::$variant(array.into())
            }
        }

        impl From<Array2<$number>> for Data<'_> {
            fn from(array: Array2<$number>) -> Self {
                Self::Points(array.into())
            }
        }

        impl<'a> From<&'a Array2<$number>> for Data<'a> {
            fn from(array: &'a Array2<$number>) -> Self {
                Self::Points(array.into())
            }
        }

        impl<'a> From<ArrayView2<'a, $number>> for Data<'a> {
            fn from(array: ArrayView2<'a, $number>) -> Self {
                Self::Points(array.into())
            }
        }
    };
}

from_arrays!(f32, Dense);
from_arrays!(f64, Dense64);

impl<'a> From<CsrMatrix<'a>> for Points<'a> {
    fn from(matrix: CsrMatrix<'a>) -> Self {
        Self::Sparse(matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dosnes, Model, observe::Silent, transform};
    use ndarray::array;

    #[test]
    fn a_large_offset_costs_no_digits() {
        let x = array![[1.7e9, 1.0], [1.7e9 + 0.25, 2.0], [1.7e9 + 0.5, 6.0]];
        let points = Points::from(&x);
        let Points::Dense(centred) = points.in_single_precision(Centring::Subtract).unwrap() else {
            panic!("points in double precision become dense points in single precision")
        };
        assert_eq!(centred, array![[-0.25_f32, -2.0], [0.0, -1.0], [0.25, 3.0]]);
    }

    #[test]
    fn rows_are_selected_from_every_form() {
        let x = array![[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]];
        let sparse = CsrMatrix::from_triplets((3, 2), &[(0, 0, 1.0), (1, 1, 2.0), (2, 0, 3.0), (2, 1, 4.0)]).unwrap();
        let expected = array![[3.0, 4.0], [1.0, 0.0]];
        let Points::Dense64(rows) = Points::from(&x).select(&[2, 0]) else { panic!("the same form") };
        assert_eq!(rows, expected);
        let Points::Sparse(rows) = Points::from(sparse).select(&[2, 0]) else { panic!("the same form") };
        assert_eq!(rows.to_dense(), expected);
        let Points::Rounded(rows) = Points::Rounded((&x).into()).select(&[2, 0]) else { panic!("the same form") };
        assert_eq!(rows, expected);
    }

    /// With few columns and with principal components; two rows are the same only after they were rounded.
    #[test]
    fn rounded_points_give_the_map_and_the_places_of_single_precision() {
        for columns in [5, 120] {
            let mut x = Array2::from_shape_fn((90, columns), |(i, j)| 3.0 + ((i * (j + 2)) as f64 * 0.37).sin());
            let copy = x.row(4).mapv(|v| v * (1.0 + 1e-12));
            x.row_mut(70).assign(&copy);
            let names: Vec<String> = (0..90).map(|i| i.to_string()).collect();
            let results = [Points::from(x.mapv(|v| v as f32)), Points::Rounded((&x).into())].map(|points| {
                let new = Data::Points(points.select(&[1, 4, 80]));
                let model =
                    Model::fit(&Dosnes::sphere().perplexity(8.0), &names, Data::Points(points), &mut Silent).unwrap();
                (transform(&model, &new, &mut Silent).unwrap(), model)
            });
            assert_eq!(results[0], results[1], "{columns} columns");
        }
    }

    #[test]
    fn values_out_of_range_for_single_precision_are_reported() {
        let x = array![[0.0, 1.0], [1e300, 2.0]];
        let error = Points::from(&x).in_single_precision(Centring::Keep).unwrap_err();
        assert_eq!(error, Error::Value { quantity: Quantity::Coordinate, row: 1, column: 0, value: 1e300 });
    }
}
