//! `cargo xtask python`: the tests of the Python package, in an environment of their own below `target/`.

use crate::tools::{cargo, succeed, target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How to do without Python.
pub(crate) const WITHOUT: &str = "--without-python";

/// The programs of the documentation, as seen from the package.
const SITE: &str = "../docs/site";

/// Builds the extension with the tests, and runs the tests of the package: format, lints, types, stubs, doc tests, unit tests.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let environment = environment(root)?;
    build(root)?;
    let python = interpreter(&environment);
    let package = root.join("python");
    let command = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.args(arguments).current_dir(&package).env("PYTHONDONTWRITEBYTECODE", "1");
        command.env("DOSNES_PROGRAM", target(root).join("checked").join(program()));
        command
    };
    succeed(&mut command(&["-m", "ruff", "format", "--no-cache", "--check", "--quiet", ".", SITE]))?;
    succeed(&mut command(&["-m", "ruff", "check", "--no-cache", "--quiet", ".", SITE]))?;
    let cache = target(root).join("mypy");
    let cache = cache.to_str().ok_or("the path of the target folder is not valid UTF-8")?;
    succeed(&mut command(&["-m", "mypy", "--cache-dir", cache]))?;
    succeed(
        command(&["-m", "mypy.stubtest", "dosnes._dosnes", "--mypy-config-file", "pyproject.toml"])
            .env("MYPYPATH", "."),
    )?;
    succeed(&mut command(&["-m", "pytest"]))
}

/// The extension and the program, with the features of all tests: with others, the whole library would be compiled once more. One
/// small program of tests is enough for that.
pub(crate) fn build(root: &Path) -> Result<(), String> {
    let targets = ["--workspace", "--lib", "--bin", "dosnes", "--test", "figure"];
    cargo(&[&["build", "--profile", "checked"], &targets[..]].concat())?;
    let built = target(root).join("checked").join(library());
    let place = root.join("python/dosnes").join(if cfg!(windows) { "_dosnes.pyd" } else { "_dosnes.abi3.so" });
    // A library that is in use must not be overwritten, but may be replaced.
    let fresh = place.with_extension("new");
    std::fs::copy(&built, &fresh)
        .and_then(|_| std::fs::rename(&fresh, &place))
        .map_err(|error| format!("cannot copy {} to {}: {error}", built.display(), place.display()))
}

fn library() -> &'static str {
    match std::env::consts::OS {
        "macos" => "lib_dosnes.dylib",
        "windows" => "_dosnes.dll",
        _ => "lib_dosnes.so",
    }
}

fn program() -> String {
    format!("dosnes{}", std::env::consts::EXE_SUFFIX)
}

/// The Python of an environment.
pub(crate) fn interpreter(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// The environment of the tests. It is made again if what they need has changed.
pub(crate) fn environment(root: &Path) -> Result<PathBuf, String> {
    let folder = target(root).join("python-env");
    let list = root.join("python/tests/requirements.txt");
    let wanted = std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    let stamp = folder.join("requirements.txt");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(folder);
    }
    make(&folder)?;
    let python = interpreter(&folder);
    succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(&list))?;
    std::fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(folder)
}

/// Makes an empty environment.
pub(crate) fn make(folder: &Path) -> Result<(), String> {
    let python = find()?;
    succeed(Command::new(python).args(["-m", "venv", "--clear"]).arg(folder))
}

/// Python 3.10 or newer.
fn find() -> Result<&'static str, String> {
    let recent = "import sys, venv; sys.exit(sys.version_info < (3, 10))";
    let works = |name: &&str| Command::new(name).args(["-c", recent]).output().is_ok_and(|out| out.status.success());
    ["python3", "python"].into_iter().find(works).ok_or_else(|| {
        format!(
            "the tests of the Python package need Python 3.10 or newer with venv (Debian: apt-get install python3-venv); \
             to leave them out: cargo xtask test {WITHOUT}"
        )
    })
}
