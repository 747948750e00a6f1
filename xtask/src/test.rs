//! `cargo xtask test`: the checks that every change must pass. `--quick`: a subset for use while editing.
//!
//! Lints, tests, doc tests and the README's commands share the profile `checked`: build scripts and macros are built
//! once, and the README's commands use the program that the tests have built.

use crate::tools::{cargo, has, need_component, root, shared_data};
use std::process::Command;
use std::time::Instant;

/// All checks.
pub(crate) fn all(with_python: bool) -> Result<(), String> {
    let started = Instant::now();
    lints()?;
    dependencies()?;
    say_if_data_are_missing();
    tests(&[])?;
    cargo(&["test", "--profile", "checked", "--workspace", "--doc"])?;
    crate::portable::run(&root())?;
    crate::fuzz::in_tests()?;
    viewer()?;
    crate::readme::run_with_tests(&root())?;
    if with_python {
        crate::roundtrip::run_with_tests(&root())?;
        crate::python::run(&root())?;
    } else {
        eprintln!("── skipped: the Python package, and files of other packages ({})", crate::python::WITHOUT);
    }
    eprintln!("all checks passed, after {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Format, lints and the quick Rust tests.
pub(crate) fn quick() -> Result<(), String> {
    let started = Instant::now();
    lints()?;
    if !has("nextest") {
        eprintln!("cargo-nextest is not installed (https://nexte.st): the slow tests run too");
    }
    tests(&["--profile", "quick"])?;
    eprintln!("the quick checks passed, after {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

fn lints() -> Result<(), String> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        need_component(tool, component)?;
    }
    cargo(&["fmt", "--all", "--check"])?;
    let checked = ["clippy", "--profile", "checked", "--workspace", "--all-targets", "--features", "dosnes/sprs"];
    cargo(&[&checked[..], &["--", "-D", "warnings"]].concat())
}

/// Licences, bans and sources of the dependencies. Advisories need a database from the network: the workflows of the
/// public forge check them.
fn dependencies() -> Result<(), String> {
    if has("deny") {
        return cargo(&["deny", "--offline", "check", "licenses", "bans", "sources"]);
    }
    eprintln!("── not checked: licences and sources of the dependencies (cargo install cargo-deny --locked)");
    Ok(())
}

/// Nextest hides the output of passing tests, so a skipped test would go unnoticed.
fn say_if_data_are_missing() {
    let folder = shared_data(&root());
    if !folder.is_dir() {
        eprintln!("── skipped: tests with data that cannot be bundled; these data are not in {}", folder.display());
    }
}

/// Unit and integration tests. Examples and benchmarks are compiled by the lints: building them again would only take
/// time.
fn tests(nextest: &[&str]) -> Result<(), String> {
    let targets = ["--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"];
    if has("nextest") {
        cargo(&[&["nextest", "run", "--cargo-profile", "checked"], &targets[..], nextest].concat())
    } else {
        cargo(&[&["test", "--profile", "checked"], &targets[..]].concat())
    }
}

/// The globe page: types, unit tests, and tests in a real Chromium, which its own script installs if it is missing.
fn viewer() -> Result<(), String> {
    let at = root().join("viewer");
    if Command::new("npm").arg("--version").output().is_err() {
        return Err(
            "the tests of the globe page need Node.js 20 or newer and npm, which were not found; install them \
                    (Debian: apt-get install nodejs npm)"
                .to_owned(),
        );
    }
    for arguments in [&["ci", "--no-audit", "--no-fund"][..], &["test"][..]] {
        let line = format!("npm {}", arguments.join(" "));
        eprintln!("── viewer: {line}");
        match Command::new("npm").args(arguments).current_dir(&at).status() {
            Ok(status) if status.success() => {}
            Ok(_) => return Err(format!("failed in viewer/: {line}")),
            Err(error) => return Err(format!("cannot run {line}: {error}")),
        }
    }
    Ok(())
}
