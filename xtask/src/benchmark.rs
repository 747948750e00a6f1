//! `cargo xtask benchmark`: dosnes and its peers side by side, in one run.

use std::path::Path;
use std::process::Command;

/// Builds the program, installs the peers into an environment of their own, and runs `benchmarks/compare.py`.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let data = std::env::var_os("DOSNES_SHARED_DATA").map_or_else(|| root.join("../shared/data"), Into::into);
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
    crate::cargo(&["build", "--release", "-p", "dosnes", "--features", "internals", "--example", "machine"])?;
    crate::cargo(&["build", "--release", "-p", "dosnes-io", "--example", "repulsion"])?;
    let environment = root.join("target/benchmark-environment");
    let python = environment.join("bin/python");
    if !python.is_file() {
        crate::step(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    let requirements = root.join("benchmarks/requirements.txt");
    crate::step(Command::new(&python).args(["-m", "pip", "install", "--quiet", "-r"]).arg(requirements))?;
    crate::step(
        Command::new(&python)
            .arg(root.join("benchmarks/compare.py"))
            .arg(root.join("target/release/dosnes"))
            .arg(data)
            .arg(root.join("docs")),
    )
}
