//! The extension module `dosnes._dosnes`: the library's stages, for the Python on top of it in `dosnes/`.
//!
//! Every function takes plain values: arrays, the parts of a sparse matrix, and a dictionary of options with the names of
//! the estimators. What users see is written in Python.

#![forbid(unsafe_code)]
#![allow(clippy::needless_pass_by_value, reason = "arguments of Python are extracted into values")]

mod data;
mod error;
mod fit;
mod model;
mod options;
mod page;
mod places;
mod program;
mod quality;
mod stages;
mod watch;

#[pyo3::pymodule]
mod _dosnes {
    #[pymodule_export]
    use crate::fit::{Affinities, Fit};
    #[pymodule_export]
    use crate::model::{Alignment, Model, align, load_model};
    #[pymodule_export]
    use crate::page::page;
    #[pymodule_export]
    use crate::program::main;
    #[pymodule_export]
    use crate::quality::{compare, evaluate};
    #[pymodule_export]
    use crate::stages::{embed, fit, landmarks, normalize, similarities};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
