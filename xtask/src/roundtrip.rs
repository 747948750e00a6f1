//! `cargo xtask roundtrip`: files that real packages write (pandas, polars, SciPy, anndata, NetworkX, igraph, R, …) are read
//! as what was put into them. The packages are installed into a virtual environment in the target folder.

use crate::tools::{succeed, target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages whose files are read. scanpy writes what anndata writes, and takes minutes to install.
const PACKAGES: &[&str] =
    &["numpy", "pandas", "scipy", "networkx", "igraph", "openpyxl", "polars", "pyarrow", "anndata", "scikit-learn"];

/// Builds the program, and reads the files with it.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    crate::tools::build_tests()?;
    run_with_tests(root)
}

/// Reads the files with the program that the tests have built. Says why if it cannot.
pub(crate) fn run_with_tests(root: &Path) -> Result<(), String> {
    if std::env::var_os("DOSNES_SKIP_ROUNDTRIP").is_some() {
        eprintln!("── skipped: files of other packages, because DOSNES_SKIP_ROUNDTRIP is set");
        return Ok(());
    }
    let Some(python) = environment(root) else { return Ok(()) };
    let program = target(root).join("checked").join(format!("dosnes{}", std::env::consts::EXE_SUFFIX));
    succeed(Command::new(python).arg(root.join("crates/dosnes-io/tests/packages.py")).arg(program))
}

/// Python with the packages; `None`, and a line that says so, if Python or the network is missing.
fn environment(root: &Path) -> Option<PathBuf> {
    let folder = target(root).join("roundtrip-python");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let complete = folder.join("complete");
    if complete.is_file() {
        return Some(python);
    }
    let made = Command::new("python3").args(["-m", "venv"]).arg(&folder).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("── skipped: files of other packages, because there is no Python with venv");
        return None;
    }
    eprintln!("── installing {} into {}", PACKAGES.join(", "), folder.display());
    let installed = Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(PACKAGES).status();
    if !installed.is_ok_and(|status| status.success()) {
        eprintln!("── skipped: files of other packages, because these could not be installed (no network?)");
        return None;
    }
    std::fs::write(&complete, "").ok()?;
    Some(python)
}
