//! `cargo xtask benchmark`: compares dosnes with other programs, in one run.

use std::path::Path;
use std::process::Command;

use crate::succeed;

/// Builds the program, installs the other programs into a virtual environment, and runs `benchmarks/compare.py`.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let data = crate::tools::shared_data(root);
    for (file, what) in [
        ("images/mnist70k.npz", "arrays X, 70000 × 784, and y"),
        ("graphs/debian12_deps_lcc.mtx.gz", "the largest component of the packages' dependencies"),
    ] {
        if !data.join(file).is_file() {
            return Err(format!(
                "the benchmark needs {file} ({what}), which is not in {}; set DOSNES_SHARED_DATA to the folder that holds it",
                data.display()
            ));
        }
    }
    crate::cargo(&["build", "--release", "-p", "dosnes-cli"])?;
    crate::cargo(&["build", "--release", "-p", "dosnes-benchmarks", "--bins"])?;
    let environment = root.join("target/benchmark-environment");
    let python = environment.join("bin/python");
    if !python.is_file() {
        succeed(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    let requirements = root.join("benchmarks/requirements.txt");
    succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet", "-r"]).arg(requirements))?;
    succeed(
        Command::new(&python)
            .arg(root.join("benchmarks/compare.py"))
            .arg(root.join("target/release/dosnes"))
            .arg(data)
            .arg(root.join("docs")),
    )
}
