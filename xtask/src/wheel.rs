//! `cargo xtask wheel`: builds the wheel of the Python package as users get it, and tries it in a fresh environment.

use crate::folder::Folder;
use crate::python::{interpreter, make};
use crate::tools::{cargo_path, succeed, target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A wheel must stay smaller than this.
const LARGEST: u64 = 12_000_000;
/// With the C library of 2012: the wheel then works on every Linux that is still in use.
const LINUX: &str = "manylinux2014";

/// What a user does first.
const FIRST_STEPS: &str = "\
import numpy as np, dosnes
points = np.random.default_rng(0).normal(size=(200, 8)).astype(np.float32)
globe = dosnes.DOSNES(random_state=7).fit(points)
assert globe.embedding_.shape == (200, 3) and np.allclose(globe.affinity_.sum(axis=1), 1)
dosnes.show(globe, color=points[:, 0]).save_html('globe.html')
assert globe.transform(points[:3]).shape == (3, 3)
from importlib.resources import files
assert files('dosnes').joinpath('_widget.js').is_file()
";

/// Builds and tries the wheel.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let wheel = build(root)?;
    let size = std::fs::metadata(&wheel).map_err(|error| format!("{}: {error}", wheel.display()))?.len();
    eprintln!("── {}: {:.1} MB", wheel.display(), size as f64 / 1e6);
    if size > LARGEST {
        return Err(format!("the wheel has {size} bytes, and the limit is {LARGEST}"));
    }
    check(root, &wheel)
}

/// Builds the wheel into `target/wheels`. On Linux, zig links it against an old C library.
fn build(root: &Path) -> Result<PathBuf, String> {
    let environment = target(root).join("wheel-env");
    let python = interpreter(&environment);
    if !python.is_file() {
        make(&environment)?;
    }
    let install = |package: &str| {
        Command::new(&python).args(["-m", "pip", "install", "--quiet", package]).status().is_ok_and(|s| s.success())
    };
    if !install("maturin>=1.16,<2") {
        return Err("maturin could not be installed; it is needed to build the wheel".to_owned());
    }
    let folder = target(root).join("wheels");
    // Wheels of earlier versions would be taken for the new one.
    let _ = std::fs::remove_dir_all(&folder);
    let mut command = Command::new(&python);
    command.args(["-m", "maturin", "build", "--release", "--locked", "--manifest-path", "python/Cargo.toml", "--out"]);
    command.arg(&folder).current_dir(root).env("CARGO", cargo_path());
    if cfg!(target_os = "linux") {
        if install("ziglang") {
            command.args(["--zig", "--compatibility", LINUX]);
        } else {
            eprintln!(
                "── ziglang could not be installed: the wheel is only for systems with a C library as new as this one's"
            );
            command.args(["--compatibility", "linux"]);
        }
    }
    // maturin finds zig by the Python on the path.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut paths = vec![python.parent().unwrap_or(Path::new("")).to_owned()];
    paths.extend(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(paths).map_err(|error| error.to_string())?);
    succeed(&mut command)?;
    let files = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let wheels = files.flatten().map(|file| file.path());
    wheels
        .into_iter()
        .find(|path| path.extension().is_some_and(|e| e == "whl"))
        .ok_or("maturin built no wheel".to_owned())
}

/// Installs the wheel into a fresh environment; uses the package and the command in an empty folder.
fn check(root: &Path, wheel: &Path) -> Result<(), String> {
    let environment = target(root).join("wheel-check");
    make(&environment)?;
    let python = interpreter(&environment);
    succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).arg(wheel))?;
    let folder = Folder::new("wheel")?;
    succeed(Command::new(&python).args(["-c", FIRST_STEPS]).current_dir(folder.path()))?;
    let program = python.with_file_name(format!("dosnes{}", std::env::consts::EXE_SUFFIX));
    succeed(Command::new(program).args(["demo", "--no-open", "-o", "map.csv"]).current_dir(folder.path()))?;
    for file in ["globe.html", "map.csv"] {
        if !folder.path().join(file).is_file() {
            return Err(format!("the installed package did not write {file}"));
        }
    }
    eprintln!("the wheel works in a fresh environment");
    Ok(())
}
