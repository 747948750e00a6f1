//! Functions that all commands need: paths of the repository, and running other programs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// The folder of cargo's build results.
pub(crate) fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// The folder of data that cannot be bundled, as in the tests (`tests/shared_data.rs`).
pub(crate) fn shared_data(root: &Path) -> PathBuf {
    std::env::var_os("DOSNES_SHARED_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from)
}

/// The same folder, for commands that cannot work without it.
pub(crate) fn need_shared_data(root: &Path) -> Result<PathBuf, String> {
    let data = shared_data(root);
    if data.is_dir() {
        return Ok(data);
    }
    Err(format!(
        "the data are not in {}; set DOSNES_SHARED_DATA to the folder that holds them (docs/paper.md says where they are from)",
        data.display()
    ))
}

/// Prints a cargo command and runs it at the root.
pub(crate) fn cargo(arguments: &[&str]) -> Result<(), String> {
    let line = format!("cargo {}", arguments.join(" "));
    eprintln!("── {line}");
    let status = Command::new(cargo_path()).args(arguments).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("failed: {line}")),
        Err(error) => Err(format!("cannot run {line}: {error}")),
    }
}

/// Builds what the tests run, the program included. Other selections of packages have other features, with which the whole
/// library would be compiled once more.
pub(crate) fn build_tests() -> Result<(), String> {
    cargo(&["test", "--no-run", "--profile", "checked", "--workspace", "--lib", "--bins", "--tests"])
}

/// Prints a command and runs it.
pub(crate) fn succeed(command: &mut Command) -> Result<(), String> {
    eprintln!("── {command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("failed: {command:?}")),
        Err(error) => Err(format!("cannot run {command:?}: {error}")),
    }
}

/// Cargo passes its own path to the programs that it runs.
pub(crate) fn cargo_path() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// Whether cargo has this subcommand.
pub(crate) fn has(subcommand: &str) -> bool {
    Command::new(cargo_path()).args([subcommand, "--version"]).output().is_ok_and(|output| output.status.success())
}

/// Installs a component of the toolchain if it is missing.
pub(crate) fn need_component(subcommand: &str, component: &str) -> Result<(), String> {
    if has(subcommand) {
        return Ok(());
    }
    eprintln!("── rustup component add {component}");
    let installed = Command::new("rustup").args(["component", "add", component]).status();
    if installed.is_ok_and(|status| status.success()) && has(subcommand) {
        return Ok(());
    }
    Err(format!("`cargo {subcommand}` is missing and could not be installed; run: rustup component add {component}"))
}
