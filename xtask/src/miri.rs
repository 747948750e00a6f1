//! `cargo xtask miri`: runs the vector code under Miri, which checks every load and store for undefined behaviour.

use std::process::Command;

/// Runs the tests of `dosnes::simd` under Miri, with the AVX2 vectors and again with the portable ones.
pub(crate) fn run() -> Result<(), String> {
    let rustup =
        |arguments: &[&str]| Command::new("rustup").args(arguments).status().is_ok_and(|status| status.success());
    if !rustup(&["component", "add", "--toolchain", "nightly", "miri", "rust-src"]) {
        return Err(
            "Miri was not found; it is part of Rust's nightly toolchain (but not of every nightly). Run: rustup \
                    toolchain install nightly --component miri,rust-src"
                .to_owned(),
        );
    }
    for features in ["-Ctarget-feature=+avx2,+fma", ""] {
        let line = "cargo +nightly miri test -p dosnes --lib simd::";
        eprintln!("── RUSTFLAGS={features:?} {line}");
        // Not the cargo that runs this program: rustup's cargo selects the toolchain.
        let mut command = Command::new("cargo");
        command.args(line.split(' ').skip(1)).current_dir(crate::root()).env("RUSTFLAGS", features);
        for toolchain in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTC", "RUSTDOC"] {
            command.env_remove(toolchain);
        }
        match command.status() {
            Ok(status) if status.success() => {}
            Ok(_) => return Err(format!("failed: {line}")),
            Err(error) => return Err(format!("cannot run {line}: {error}")),
        }
    }
    Ok(())
}
