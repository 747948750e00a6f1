//! Errors of the library as exceptions of Python.

use dosnes::{Error, Parameter};
use pyo3::PyErr;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyValueError};

/// The exception for an error of the library, with the names that the parameters have in Python.
pub(crate) fn exception(error: &Error) -> PyErr {
    let text = match error {
        Error::Stopped => return PyKeyboardInterrupt::new_err("stopped before there was a result"),
        Error::TooLarge { .. } => {
            return PyMemoryError::new_err(format!("{error}; use normalize=\"sinkhorn\", or fewer items"));
        }
        Error::Parameter { parameter, value, expected } => match name(*parameter) {
            Some(name) => format!("{name} is {value}, but {expected}"),
            None => error.to_string(),
        },
        Error::PerplexityTooLarge { largest, .. } => {
            format!("{error}; use perplexity={} or less, or None", (largest * 10.0).floor() / 10.0)
        }
        Error::NoExactScaling(_) => {
            format!("{error}. With strict=False, longer walks are added so that one exists")
        }
        Error::Value { row, column, .. } => {
            format!("{error} (rows and columns count from 0: row {row}, column {column})")
        }
        _ => error.to_string(),
    };
    PyValueError::new_err(text)
}

/// The name of a parameter in Python; `None` for those that are not one.
fn name(parameter: Parameter) -> Option<&'static str> {
    Some(match parameter {
        Parameter::Perplexity => "perplexity",
        Parameter::Neighbors => "n_neighbors",
        Parameter::Components => "pca",
        Parameter::Softness => "softness",
        Parameter::Steps => "steps",
        Parameter::Radius => "radius",
        Parameter::Exaggeration => "early_exaggeration",
        Parameter::LearningRate => "learning_rate",
        Parameter::Repulsion => "method",
        _ => return None,
    })
}
