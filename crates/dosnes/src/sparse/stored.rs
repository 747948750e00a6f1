//! Values in double or in single precision.

use std::borrow::Cow;
use std::ops::Range;

/// A number in double or single precision, for what is done in both.
pub(crate) trait Number: Copy + Default + PartialEq + Send + Sync + 'static {
    /// The nearest one.
    fn of(value: f64) -> Self;
    /// The same in double precision.
    fn double(self) -> f64;
    /// The nearest one in single precision.
    fn single(self) -> f32;
    /// value / (a b), by one of two formulas.
    fn quotient(value: Self, a: f64, b: f64) -> Self;
    /// Whether this is single precision. Then a and b may be exchanged without any change of the quotient.
    const IS_SINGLE: bool;
    /// Values of this precision.
    fn store(values: Vec<Self>) -> Stored<'static>;
    /// The values of a row.
    fn row(values: &[Self]) -> StoredRow<'_>;
}

impl Number for f64 {
    #[inline]
    fn of(value: f64) -> Self {
        value
    }

    #[inline]
    fn double(self) -> f64 {
        self
    }

    #[inline]
    fn single(self) -> f32 {
        self as f32
    }

    // The product of a and b may overflow.
    #[inline]
    fn quotient(value: Self, a: f64, b: f64) -> Self {
        value / a / b
    }

    const IS_SINGLE: bool = false;

    fn store(values: Vec<Self>) -> Stored<'static> {
        values.into()
    }

    fn row(values: &[Self]) -> StoredRow<'_> {
        StoredRow::Double(values)
    }
}

impl Number for f32 {
    #[inline]
    fn of(value: f64) -> Self {
        value as f32
    }

    #[inline]
    fn double(self) -> f64 {
        f64::from(self)
    }

    #[inline]
    fn single(self) -> f32 {
        self
    }

    #[inline]
    fn quotient(value: Self, a: f64, b: f64) -> Self {
        (f64::from(value) / (a * b)) as f32
    }

    const IS_SINGLE: bool = true;

    fn store(values: Vec<Self>) -> Stored<'static> {
        values.into()
    }

    fn row(values: &[Self]) -> StoredRow<'_> {
        StoredRow::Single(values)
    }
}

/// The values of a sparse matrix in the precision in which they are stored.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stored<'a> {
    /// Doubles.
    Double(Cow<'a, [f64]>),
    /// Singles: half of the memory, seven digits.
    Single(Cow<'a, [f32]>),
}

impl From<Vec<f64>> for Stored<'_> {
    fn from(values: Vec<f64>) -> Self {
        Self::Double(values.into())
    }
}

impl From<Vec<f32>> for Stored<'_> {
    fn from(values: Vec<f32>) -> Self {
        Self::Single(values.into())
    }
}

impl<'a> From<&'a [f64]> for Stored<'a> {
    fn from(values: &'a [f64]) -> Self {
        Self::Double(values.into())
    }
}

impl<'a> From<&'a [f32]> for Stored<'a> {
    fn from(values: &'a [f32]) -> Self {
        Self::Single(values.into())
    }
}

impl Stored<'_> {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Double(values) => values.len(),
            Self::Single(values) => values.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Value `k`.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn get(&self, k: usize) -> f64 {
        match self {
            Self::Double(values) => values[k],
            Self::Single(values) => f64::from(values[k]),
        }
    }

    /// All of them in double precision; doubles are not copied.
    pub fn to_double(&self) -> Cow<'_, [f64]> {
        self.part(0..self.len()).to_double()
    }

    /// The same in vectors of their own; doubles that are owned are moved.
    pub(super) fn into_double(self) -> Vec<f64> {
        match self {
            Self::Double(values) => values.into_owned(),
            Self::Single(values) => values.iter().map(|&value| f64::from(value)).collect(),
        }
    }

    pub(super) fn part(&self, range: Range<usize>) -> StoredRow<'_> {
        match self {
            Self::Double(values) => StoredRow::Double(&values[range]),
            Self::Single(values) => StoredRow::Single(&values[range]),
        }
    }

    pub(super) fn is_owned(&self) -> bool {
        matches!(self, Self::Double(Cow::Owned(_)) | Self::Single(Cow::Owned(_)))
    }

    pub(super) fn borrowed(&self) -> Stored<'_> {
        match self {
            Self::Double(values) => Stored::Double(Cow::Borrowed(values)),
            Self::Single(values) => Stored::Single(Cow::Borrowed(values)),
        }
    }

    pub(super) fn into_owned(self) -> Stored<'static> {
        match self {
            Self::Double(values) => Stored::Double(Cow::Owned(values.into_owned())),
            Self::Single(values) => Stored::Single(Cow::Owned(values.into_owned())),
        }
    }

    /// No values, in the same precision.
    pub(super) fn none(&self) -> Stored<'static> {
        match self {
            Self::Double(_) => Stored::from(Vec::<f64>::new()),
            Self::Single(_) => Stored::from(Vec::<f32>::new()),
        }
    }

    /// Appends a value, rounded to the precision.
    pub(super) fn push(&mut self, value: f64) {
        match self {
            Self::Double(values) => values.to_mut().push(value),
            Self::Single(values) => values.to_mut().push(value as f32),
        }
    }
}

/// The values of one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum StoredRow<'a> {
    Double(&'a [f64]),
    Single(&'a [f32]),
}

impl<'a> StoredRow<'a> {
    fn len(self) -> usize {
        match self {
            Self::Double(values) => values.len(),
            Self::Single(values) => values.len(),
        }
    }

    #[inline]
    pub(super) fn get(self, k: usize) -> f64 {
        match self {
            Self::Double(values) => values[k],
            Self::Single(values) => f64::from(values[k]),
        }
    }

    #[inline]
    pub(super) fn iter(self) -> impl ExactSizeIterator<Item = f64> + 'a {
        (0..self.len()).map(move |k| self.get(k))
    }

    pub(super) fn to_double(self) -> Cow<'a, [f64]> {
        match self {
            Self::Double(values) => Cow::Borrowed(values),
            Self::Single(values) => Cow::Owned(values.iter().map(|&value| f64::from(value)).collect()),
        }
    }
}
