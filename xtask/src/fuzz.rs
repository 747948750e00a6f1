//! `cargo xtask fuzz`: every fuzz target of `fuzz/`, from a corpus of small real files. Its table is in docs/reliability.md.

use crate::tables::{between_marks, replace};
use crate::{root, tools::has};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The targets, and what each of them is given.
const TARGETS: [(&str, &str); 9] = [
    ("read", "any bytes, as a file of any format"),
    ("read_format", "any bytes, as a file of a given format"),
    ("read_embedding", "maps: CSV, TSV, JSON, GeoJSON, NumPy"),
    ("read_checkpoint", "checkpoints, which are then continued"),
    ("read_model", "models"),
    ("write_csv", "names and columns for a CSV file"),
    ("write_geojson", "names and columns for a GeoJSON file"),
    ("write_svg", "names and columns for a figure"),
    ("write_page", "names and columns for a page"),
];
/// Minutes of processor time for each target, unless asked otherwise.
const MINUTES: f64 = 20.0;
/// Minutes for each target as a part of the tests.
const MINUTES_IN_TESTS: f64 = 1.0;
/// Inputs have at most this number of bytes.
const LONGEST: usize = 16_384;
/// With such inputs, a reader may take 8 times their bytes and 64 MB. The rest is the program, and the sanitizer's own memory.
const MEMORY_MEGABYTES: usize = 64 + 8 * LONGEST / 1_000_000 + 448;
/// No single allocation may be larger: nothing is allocated because a header says so.
const LARGEST_ALLOCATION_MEGABYTES: usize = 64 + 8 * LONGEST / 1_000_000;
const USAGE: &str = "usage: cargo xtask fuzz [--minutes N] [TARGET…], with minutes of processor time for each target";

/// What a target has done since it last found something.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Outcome {
    seconds: f64,
    executions: u64,
    megabytes: u64,
}

/// All targets or the given ones, as long as asked.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let (minutes, names) = match options {
        ["--minutes", minutes, names @ ..] => {
            (minutes.parse().map_err(|_| format!("{minutes} is not a number of minutes"))?, names)
        }
        ["--minutes"] => return Err(USAGE.into()),
        names => (MINUTES, names),
    };
    if let Some(unknown) = names.iter().find(|name| TARGETS.iter().all(|(target, _)| target != *name)) {
        let known: Vec<&str> = TARGETS.iter().map(|&(target, _)| target).collect();
        return Err(format!("{unknown} is not a fuzz target; there are {}\n{USAGE}", known.join(", ")));
    }
    if !is_possible() {
        return Err(
            "fuzzing needs cargo-fuzz and Rust's nightly toolchain; run: rustup toolchain install nightly && cargo \
                    install cargo-fuzz --locked"
                .into(),
        );
    }
    all(minutes, names, true)
}

/// A short run of all targets, where the tools are there.
pub(crate) fn in_tests() -> Result<(), String> {
    if is_possible() {
        return all(MINUTES_IN_TESTS, &[], false);
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

/// Runs of the table add up: the time for all targets is that of a night.
fn all(minutes: f64, names: &[&str], for_table: bool) -> Result<(), String> {
    crate::succeed(cargo_nightly().args(["fuzz", "build", "--sanitizer", "none"]))?;
    for (target, about) in TARGETS {
        if !names.is_empty() && !names.contains(&target) {
            continue;
        }
        let found = one(target, 60.0 * minutes);
        if !for_table {
            found?;
            continue;
        }
        let table = table()?;
        match found {
            Ok(outcome) => {
                let row = outcome.and(Outcome::of_table(&table, target)).row(target, about);
                eprintln!("{row}");
                put(&with_row(&table, target, Some(&row)))?;
            }
            // What was run before says nothing about the program without this fault.
            Err(finding) => {
                put(&with_row(&table, target, None))?;
                return Err(finding);
            }
        }
    }
    Ok(())
}

impl Outcome {
    /// What the table says of a target.
    fn of_table(table: &str, target: &str) -> Self {
        let begin = format!("| `{target}` |");
        let cells = |row: &str| {
            let mut cells = row.split('|').skip(3).map(str::trim);
            Some(Self {
                seconds: 60.0 * cells.next()?.parse::<f64>().ok()?,
                executions: cells.next()?.parse().ok()?,
                megabytes: cells.next()?.parse().ok()?,
            })
        };
        table.lines().find(|line| line.starts_with(&begin)).and_then(cells).unwrap_or_default()
    }

    fn and(self, other: Self) -> Self {
        Self {
            seconds: self.seconds + other.seconds,
            executions: self.executions + other.executions,
            megabytes: self.megabytes.max(other.megabytes),
        }
    }

    fn row(self, target: &str, about: &str) -> String {
        let Self { seconds, executions, megabytes } = self;
        format!("| `{target}` | {about} | {:.1} | {executions} | {megabytes} |", seconds / 60.0)
    }
}

/// Runs a target until it has had so many seconds of processor time. On a busy machine that takes several rounds.
fn one(target: &str, seconds: f64) -> Result<Outcome, String> {
    let corpus = corpus(target)?;
    let mut outcome = Outcome::default();
    while outcome.seconds < seconds {
        let round = (seconds - outcome.seconds).ceil().max(2.0);
        eprintln!("── cargo +nightly fuzz run {target}, {round} s");
        let (started, before) = (Instant::now(), processor_seconds());
        let mut child = cargo_nightly()
            .args(["fuzz", "run", "--sanitizer", "none", target])
            .arg(&corpus)
            .arg("--")
            .args([
                format!("-max_total_time={round}"),
                format!("-max_len={LONGEST}"),
                format!("-rss_limit_mb={MEMORY_MEGABYTES}"),
                format!("-malloc_limit_mb={LARGEST_ALLOCATION_MEGABYTES}"),
                "-timeout=20".into(),
                "-verbosity=0".into(),
                "-print_final_stats=1".into(),
            ])
            .env("RAYON_NUM_THREADS", "1")
            .env("DOSNES_FUZZ_CORPUS", &corpus)
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot run cargo fuzz: {error}"))?;
        for line in BufReader::new(child.stderr.take().ok_or("no standard error")?).lines() {
            let line = line.map_err(|error| error.to_string())?;
            if let Some(executions) = statistic(&line, "number_of_executed_units") {
                outcome.executions += executions;
            } else if let Some(megabytes) = statistic(&line, "peak_rss_mb") {
                outcome.megabytes = outcome.megabytes.max(megabytes);
            } else if !line.starts_with("stat::") {
                eprintln!("{line}");
            }
        }
        if !child.wait().map_err(|error| error.to_string())?.success() {
            return Err(format!(
                "the fuzz target {target} found something: the input is in fuzz/artifacts/{target}. Fix it, and make a test of it"
            ));
        }
        outcome.seconds += match (before, processor_seconds()) {
            (Some(before), Some(after)) => after - before,
            _ => started.elapsed().as_secs_f64(),
        };
    }
    Ok(outcome)
}

/// A number that libFuzzer prints at its end.
fn statistic(line: &str, name: &str) -> Option<u64> {
    line.strip_prefix("stat::")?.strip_prefix(name)?.strip_prefix(':')?.trim().parse().ok()
}

/// Processor time of all programs that this one has run and waited for. Only Linux tells it in a file.
fn processor_seconds() -> Option<f64> {
    /// The kernel counts in this unit, whatever its own is.
    const TICKS_PER_SECOND: f64 = 100.0;
    children_ticks(&std::fs::read_to_string("/proc/self/stat").ok()?).map(|ticks| ticks as f64 / TICKS_PER_SECOND)
}

/// The 16th and 17th field; the second one is a name that may have blanks and brackets in it.
fn children_ticks(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13).map(str::parse::<u64>);
    Some(fields.next()?.ok()? + fields.next()?.ok()?)
}

fn page() -> Result<(PathBuf, String), String> {
    let path = root().join("docs/reliability.md");
    let page = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((path, page))
}

/// The table in the document.
fn table() -> Result<String, String> {
    Ok(between_marks(&page()?.1, "fuzz").unwrap_or_default().to_owned())
}

fn put(table: &str) -> Result<(), String> {
    let (path, page) = page()?;
    std::fs::write(&path, replace(&page, "fuzz", table)?).map_err(|error| format!("{}: {error}", path.display()))
}

/// The table with the row of a target replaced or left out, in the order of the targets. Rows of other targets stay.
fn with_row(table: &str, target: &str, row: Option<&str>) -> String {
    let mut lines = vec![
        "| target | what it is given | minutes of processor time without a finding | executions | memory of the process, MB |",
        "|---|---|--:|--:|--:|",
    ];
    for (name, _) in TARGETS {
        let begin = format!("| `{name}` |");
        let old = table.lines().find(|line| line.starts_with(&begin));
        lines.extend(if name == target { row } else { old });
    }
    lines.join("\n")
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
            for file in files.read_dir().map_err(failed)?.flatten().filter(|file| file.path().is_file()) {
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
        // The target itself makes the others, from real runs.
        "read_checkpoint" | "read_model" => seeds.push(("empty".into(), vec![0; 7])),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_of_children_is_found_behind_any_name() {
        let stat = "7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 11 12 250 50 20 0";
        assert_eq!(children_ticks(stat), Some(300));
        assert_eq!(children_ticks("7 (a) S 1"), None);
    }

    #[test]
    fn statistics_of_libfuzzer_are_understood() {
        assert_eq!(statistic("stat::number_of_executed_units: 98765", "number_of_executed_units"), Some(98_765));
        assert_eq!(statistic("stat::peak_rss_mb:              87", "peak_rss_mb"), Some(87));
        assert_eq!(statistic("#98765 DONE", "peak_rss_mb"), None);
    }

    #[test]
    fn a_row_of_the_table_replaces_only_its_own() {
        let table = with_row("", "write_page", Some("| `write_page` | a |"));
        let table = with_row(&table, "read", Some("| `read` | b |"));
        let table = with_row(&table, "read", Some("| `read` | c |"));
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(rows, ["| `read` | c |", "| `write_page` | a |"]);
        assert_eq!(with_row(&table, "read", None).lines().last(), Some("| `write_page` | a |"));
        assert_eq!(with_row(&table, "read", None).lines().count(), 3);
    }

    #[test]
    fn runs_of_a_target_add_up() {
        let first = Outcome { seconds: 90.0, executions: 7, megabytes: 300 };
        let table = with_row("", "read", Some(&first.row("read", "bytes")));
        assert_eq!(Outcome::of_table(&table, "read"), first);
        assert_eq!(Outcome::of_table(&table, "read_model"), Outcome::default());
        let both = Outcome { seconds: 60.0, executions: 3, megabytes: 200 }.and(first);
        assert_eq!(both, Outcome { seconds: 150.0, executions: 10, megabytes: 300 });
    }
}
