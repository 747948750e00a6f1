//! `cargo xtask fuzz`: every fuzz target of `fuzz/`, from a corpus of small real files.

use crate::{root, tools::has};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The targets.
const TARGETS: [&str; 8] = [
    "read",
    "read_format",
    "read_embedding",
    "read_checkpoint",
    "write_csv",
    "write_geojson",
    "write_svg",
    "write_page",
];
/// Minutes for each target, unless asked otherwise.
const MINUTES: f64 = 20.0;
/// Minutes for each target as a part of the tests.
const MINUTES_IN_TESTS: f64 = 1.0 / 12.0;
/// Inputs have at most this number of bytes.
const LONGEST: usize = 16_384;
/// With such inputs, a reader may take 8 times their bytes and 64 MB. The rest is the program, and the sanitizer's own memory.
const MEMORY_MEGABYTES: usize = 64 + 8 * LONGEST / 1_000_000 + 448;
/// No single allocation may be larger: nothing is allocated because a header says so.
const LARGEST_ALLOCATION_MEGABYTES: usize = 64 + 8 * LONGEST / 1_000_000;

/// All targets, as long as asked.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let minutes = match options {
        [] => MINUTES,
        ["--minutes", minutes] => minutes.parse().map_err(|_| format!("{minutes} is not a number of minutes"))?,
        _ => return Err("usage: cargo xtask fuzz [--minutes N]".into()),
    };
    if !is_possible() {
        return Err(
            "fuzzing needs cargo-fuzz and Rust's nightly toolchain; run: rustup toolchain install nightly && cargo \
                    install cargo-fuzz --locked"
                .into(),
        );
    }
    all(minutes)
}

/// A short run of all targets, where the tools are there.
pub(crate) fn in_tests() -> Result<(), String> {
    if is_possible() {
        return all(MINUTES_IN_TESTS);
    }
    eprintln!("── not run: the fuzz targets (rustup toolchain install nightly; cargo install cargo-fuzz --locked)");
    Ok(())
}

fn is_possible() -> bool {
    has("fuzz") && cargo_nightly().arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Not the cargo that runs this program: rustup's cargo selects the toolchain.
fn cargo_nightly() -> Command {
    let mut command = Command::new("cargo");
    command.arg("+nightly").current_dir(root().join("fuzz"));
    for toolchain in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTC", "RUSTDOC"] {
        command.env_remove(toolchain);
    }
    command
}

fn all(minutes: f64) -> Result<(), String> {
    let seconds = (60.0 * minutes).ceil() as u64;
    for target in TARGETS {
        let corpus = corpus(target)?;
        eprintln!("── cargo +nightly fuzz run {target}, {seconds} s");
        let status = cargo_nightly()
            .args(["fuzz", "run", "--sanitizer", "none", target])
            .arg(&corpus)
            .arg("--")
            .args([
                format!("-max_total_time={seconds}"),
                format!("-max_len={LONGEST}"),
                format!("-rss_limit_mb={MEMORY_MEGABYTES}"),
                format!("-malloc_limit_mb={LARGEST_ALLOCATION_MEGABYTES}"),
                "-timeout=20".into(),
                "-verbosity=0".into(),
            ])
            .status();
        match status {
            Ok(status) if status.success() => {}
            Ok(_) => {
                return Err(format!(
                    "the fuzz target {target} found something: the input is in fuzz/artifacts/{target}. Fix it, and make a test \
                     of it"
                ));
            }
            Err(error) => return Err(format!("cannot run cargo fuzz: {error}")),
        }
    }
    Ok(())
}

/// The folder with the inputs of a target: small real files, and what earlier runs have found.
fn corpus(target: &str) -> Result<PathBuf, String> {
    let folder = root().join("fuzz/corpus").join(target);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let files = root().join("crates/dosnes-io/tests/data");
    let mut seeds: Vec<(String, Vec<u8>)> = Vec::new();
    match target {
        "read" | "read_format" | "read_embedding" => {
            for file in files.read_dir().map_err(failed)?.flatten() {
                let name = file.file_name().to_string_lossy().into_owned();
                let bytes = std::fs::read(file.path()).map_err(failed)?;
                if bytes.len() > LONGEST || Path::new(&name).extension().is_some_and(|e| e == "py") {
                    continue;
                }
                match target {
                    "read" => seeds.push((name, bytes)),
                    // Every file as every format: the wrong ones are inputs too.
                    "read_format" => {
                        for format in 0..24 {
                            seeds.push((format!("{name}-{format}"), [&[format, format], &bytes[..]].concat()));
                        }
                    }
                    _ => {
                        for kind in 0..6 {
                            seeds.push((format!("{name}-{kind}"), [&[kind], &bytes[..]].concat()));
                        }
                    }
                }
            }
        }
        "read_checkpoint" => seeds.push(("empty".into(), vec![0; 7])),
        _ => {
            let texts: [&[&str]; 3] = [
                &["title", "column", "a", "x", "b", "y", "c", "x"],
                &["</title><script>alert(1)</script>", "=1+1", "-->", "\u{202e}", "\"", "<![CDATA[", "'", "&amp;"],
                &["\u{0}", "id", "\u{feff}", "@SUM(A1)", "\r\n", "\t", ",;", "\\", "lat", "1e400"],
            ];
            seeds.extend(
                texts.iter().enumerate().map(|(k, parts)| (format!("seed{k}"), parts.join("\u{1}").into_bytes())),
            );
        }
    }
    for (name, bytes) in seeds {
        std::fs::write(folder.join(name), bytes).map_err(failed)?;
    }
    Ok(folder)
}
