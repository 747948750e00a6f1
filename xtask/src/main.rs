//! The project's own commands: `cargo xtask test`, `readme`, `benchmark`, `paper`, `instructions`, `portable`, `miri`.

#![forbid(unsafe_code)]
#![allow(clippy::print_stderr, reason = "the steps are told as they run")]

mod benchmark;
mod instructions;
mod miri;
mod paper;
mod portable;
mod readme;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str =
    "usage: cargo xtask test          format, lints, tests, doc tests, a processor without AVX2, the page, the README
       cargo xtask readme        the README's commands only
       cargo xtask benchmark     dosnes and its peers side by side; writes docs/benchmarks.md
       cargo xtask paper         the figures and tables of docs/paper.md
       cargo xtask instructions  instructions that the hot kernels execute, by callgrind
       cargo xtask portable      the program and the kernels on a processor without AVX2, played by qemu
       cargo xtask miri          the vectors under Miri, which finds undefined behaviour; needs the nightly toolchain";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["test"] => test(),
        ["readme"] => readme::run(&root()),
        ["instructions"] => instructions::run(&root()),
        ["portable"] => portable::run(&root()),
        ["miri"] => miri::run(),
        ["paper"] => paper::run(&root()),
        ["benchmark"] => benchmark::run(&root()),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), String> {
    let started = Instant::now();
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        need_component(tool, component)?;
    }
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--features", "dosnes/internals", "--", "-D", "warnings"])?;
    if has("nextest") {
        cargo(&["nextest", "run", "--workspace", "--no-fail-fast", "--cargo-profile", "checked"])?;
    } else {
        cargo(&["test", "--profile", "checked", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"])?;
    }
    cargo(&["test", "--profile", "checked", "--workspace", "--doc"])?;
    portable::run(&root())?;
    viewer()?;
    readme::run(&root())?;
    eprintln!("all is well, after {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// The globe page: types, unit tests, and tests in a real Chromium, which its own script installs if it is missing.
fn viewer() -> Result<(), String> {
    let at = root().join("viewer");
    if Command::new("npm").arg("--version").output().is_err() {
        return Err("the globe page is tested with Node.js 20 or newer and npm, which are not here; install them \
                    (Debian: apt-get install nodejs npm)"
            .to_owned());
    }
    // Not `npm ci`: a lock file names the binary packages of the machine it was made on only, and `ci` refuses it elsewhere.
    for arguments in [&["install", "--no-audit", "--no-fund"][..], &["test"][..]] {
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

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// Runs cargo at the root, and says so.
fn cargo(arguments: &[&str]) -> Result<(), String> {
    let line = format!("cargo {}", arguments.join(" "));
    eprintln!("── {line}");
    let status = Command::new(cargo_path()).args(arguments).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("failed: {line}")),
        Err(error) => Err(format!("cannot run {line}: {error}")),
    }
}

/// Runs a command, and says so.
fn step(command: &mut Command) -> Result<(), String> {
    eprintln!("── {command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("failed: {command:?}")),
        Err(error) => Err(format!("cannot run {command:?}: {error}")),
    }
}

/// Cargo tells the programs it runs where it is.
fn cargo_path() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

fn has(subcommand: &str) -> bool {
    Command::new(cargo_path()).args([subcommand, "--version"]).output().is_ok_and(|output| output.status.success())
}

/// Installs a component of the toolchain if it is missing.
fn need_component(subcommand: &str, component: &str) -> Result<(), String> {
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
