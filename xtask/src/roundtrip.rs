//! `cargo xtask roundtrip`: files that real packages write (pandas, polars, SciPy, anndata, scanpy, NetworkX, igraph, …) are
//! read as what was put into them. The packages are those of the Python tests.

use crate::tools::{succeed, target};
use std::path::Path;
use std::process::Command;

/// Builds the program, and reads the files with it.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    crate::tools::build_tests()?;
    run_with_tests(root)
}

/// Reads the files with the program that the tests have built.
pub(crate) fn run_with_tests(root: &Path) -> Result<(), String> {
    let python = crate::python::interpreter(&crate::python::environment(root)?);
    let program = target(root).join("checked").join(format!("dosnes{}", std::env::consts::EXE_SUFFIX));
    succeed(Command::new(python).arg(root.join("crates/dosnes-io/tests/packages.py")).arg(program))
}
