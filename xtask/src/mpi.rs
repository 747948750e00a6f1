//! `cargo xtask mpi`: the program with the feature `mpi`, started by `mpirun`. Where MPI is missing, it is installed if this is
//! Debian or a relative of it; elsewhere a sentence says that these tests were not run.

use crate::tools::{cargo, has};
use std::process::Command;

/// What Debian calls MPI, its launcher, and what the bindings are made with.
const PACKAGES: [&str; 3] = ["libopenmpi-dev", "openmpi-bin", "libclang-dev"];

/// Runs the tests, or says why not.
pub(crate) fn run() -> Result<(), String> {
    if !is_installed() && !install() {
        eprintln!(
            "── skipped: runs on several ranks; they need MPI and libclang (Debian: apt-get install {})",
            PACKAGES.join(" ")
        );
        return Ok(());
    }
    cargo(&[
        "clippy",
        "--profile",
        "checked",
        "-p",
        "dosnes-cli",
        "--all-targets",
        "--features",
        "mpi",
        "--",
        "-D",
        "warnings",
    ])?;
    let selection = ["-p", "dosnes-cli", "--features", "mpi", "--test", "command"];
    if has("nextest") {
        cargo(&[&["nextest", "run", "--cargo-profile", "checked"], &selection[..], &["ranks::"]].concat())
    } else {
        cargo(&[&["test", "--profile", "checked"], &selection[..], &["ranks::"]].concat())
    }
}

fn is_installed() -> bool {
    ["mpirun", "mpicc"]
        .iter()
        .all(|tool| Command::new(tool).arg("--version").output().is_ok_and(|run| run.status.success()))
}

fn install() -> bool {
    eprintln!("── apt-get install {}", PACKAGES.join(" "));
    let installed =
        Command::new("apt-get").args(["install", "--yes", "--no-install-recommends"]).args(PACKAGES).status();
    installed.is_ok_and(|status| status.success()) && is_installed()
}
