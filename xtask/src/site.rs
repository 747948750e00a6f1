//! `cargo xtask site`: the documentation as a site, below `target/site`.

use crate::python::{build, environment, interpreter};
use crate::tools::{succeed, target};
use std::path::Path;
use std::process::Command;

/// Builds the extension, executes the notebooks, makes the pages of the gallery, and runs Sphinx. A warning is an error.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let environment = environment(root)?;
    build(root)?;
    let mut command = Command::new(interpreter(&environment));
    command.arg(root.join("docs/site/build.py")).arg(target(root).join("site"));
    command.env("PYTHONPATH", root.join("python")).env("PYTHONDONTWRITEBYTECODE", "1");
    succeed(&mut command)
}
