//! `cargo xtask torture`: kills runs at random moments and continues them, lets every write fail, and runs broken and extreme
//! inputs. Its tables are in docs/reliability.md.

use crate::{cargo_path, folder::Folder, tables::replace, target, tools::build_tests};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Kills, over all runs.
const KILLS: usize = 200;

/// A run that is killed.
struct Run {
    name: &'static str,
    line: &'static str,
    /// Share of the kills.
    kills: usize,
}

const RUNS: [Run; 4] = [
    Run {
        name: "graph of 300 nodes, CSV and page",
        line: "embed ring.csv -o map.csv -o map.html --snapshots 9 --iterations 100",
        kills: 70,
    },
    Run {
        name: "1,797 points, CSV and page",
        line: "embed digits.csv.gz -o map.csv -o map.html --snapshots 9 --iterations 50",
        kills: 60,
    },
    Run {
        name: "1,797 points in the plane",
        line: "embed digits.csv.gz -o map.csv --space plane --iterations 60",
        kills: 40,
    },
    Run { name: "20,000 points, CSV", line: "embed clusters.csv -o map.csv --iterations 25", kills: 30 },
];

/// The stages, as the program names them, in their order.
const STAGES: [&str; 7] =
    ["reading", "principal components", "neighbours", "similarities", "normalising", "initial positions", "embedding"];

/// What happened to the kills in one stage.
#[derive(Default)]
struct Count {
    kills: usize,
    continued: usize,
    same: usize,
}

/// Runs everything and writes the tables. With `--program`, only what a program that was built elsewhere can be used for.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<(), String> {
    let program = match options {
        [] => target(root).join("checked/dosnes"),
        ["--program", program] => root.join(program),
        _ => return Err("usage: cargo xtask torture [--program FILE]".into()),
    };
    if options.is_empty() {
        build_tests()?;
    }
    put(root, "kills", &kills(root, &program)?)?;
    put(root, "writes", &failing_writes(root, &program)?)?;
    if options.is_empty() { broken_inputs(root) } else { Ok(()) }
}

/// The test of broken and extreme inputs, which writes its table.
fn broken_inputs(root: &Path) -> Result<(), String> {
    let table = target(root).join("extreme.md");
    eprintln!("── broken and extreme inputs");
    let tested = Command::new(cargo_path())
        .args([
            "test",
            "--profile",
            "checked",
            "--workspace",
            "--lib",
            "--bins",
            "--tests",
            "extreme_and_broken_inputs",
        ])
        .current_dir(root)
        .env("DOSNES_EXTREME_TABLE", &table)
        .status();
    if !tested.is_ok_and(|status| status.success()) {
        return Err("the test of broken and extreme inputs failed".into());
    }
    let table = std::fs::read_to_string(&table).map_err(|error| format!("{}: {error}", table.display()))?;
    put(root, "inputs", &table)
}

/// Puts a table into the document.
fn put(root: &Path, name: &str, table: &str) -> Result<(), String> {
    let path = root.join("docs/reliability.md");
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let page = std::fs::read_to_string(&path).map_err(failed)?;
    std::fs::write(&path, replace(&page, name, table)?).map_err(failed)
}

/// splitmix64, from a fixed start: the same moments in each run.
struct Random(u64);

impl Random {
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A folder with the inputs of all runs.
fn inputs(root: &Path) -> Result<Folder, String> {
    let folder = Folder::new("torture")?;
    let text = |error: std::io::Error| error.to_string();
    let mut ring = String::from("source,target,weight\n");
    for i in 0..300 {
        let _ = writeln!(ring, "n{i},n{},1\nn{i},n{},{}", (i + 1) % 300, (i + 2) % 300, 1 + i % 3);
    }
    std::fs::write(folder.path().join("ring.csv"), ring).map_err(text)?;
    let digits = root.join("crates/dosnes-cli/data/digits.csv.gz");
    std::fs::copy(digits, folder.path().join("digits.csv.gz")).map_err(text)?;
    let mut random = Random(7);
    let mut clusters = String::new();
    for i in 0..20_000 {
        let cells: Vec<String> =
            (0..8).map(|k| format!("{:.4}", f64::from((i % 40) * (k + 3) % 17) + random.share())).collect();
        let _ = writeln!(clusters, "{}", cells.join(","));
    }
    std::fs::write(folder.path().join("clusters.csv"), clusters).map_err(text)?;
    Ok(folder)
}

fn command(program: &Path, folder: &Path, line: &str) -> Command {
    let mut command = Command::new(program);
    command.args(line.split(' ')).current_dir(folder).stdin(Stdio::null());
    command
}

/// The bytes of the map and of the page.
fn results(folder: &Path) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    (std::fs::read(folder.join("map.csv")).ok(), std::fs::read(folder.join("map.html")).ok())
}

/// Runs a command to its end.
fn finish(program: &Path, folder: &Path, line: &str) -> Result<String, String> {
    let output = command(program, folder, line).output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(said) } else { Err(format!("failed: dosnes {line}\n{said}")) }
}

fn remove_results(folder: &Path) {
    for name in ["map.csv", "map.html", "c.bin"] {
        let _ = std::fs::remove_file(folder.join(name));
    }
}

/// Names of temporary files in the folder.
fn leftovers(folder: &Path) -> usize {
    let files = folder.read_dir().into_iter().flatten().flatten();
    files.filter(|file| file.file_name().to_string_lossy().ends_with(".tmp")).count()
}

fn kills(root: &Path, program: &Path) -> Result<String, String> {
    let inputs = inputs(root)?;
    let folder = inputs.path();
    let mut random = Random(14);
    let mut table = String::from(
        "| run | stage | kills | continued from a checkpoint | begun again | same bytes |\n|---|---|--:|--:|--:|--:|\n",
    );
    let mut total = Count::default();
    let mut cut_off = 0;
    for run in &RUNS {
        eprintln!("── {}: {} kills", run.name, run.kills);
        remove_results(folder);
        finish(program, folder, run.line)?;
        let expected = results(folder);
        let line = format!("{} -v --checkpoint c.bin --every 0s", run.line);
        remove_results(folder);
        let started = Instant::now();
        let said = finish(program, folder, &line)?;
        let whole = started.elapsed();
        // Not every run has every stage.
        let stages: Vec<&str> = STAGES.into_iter().filter(|stage| has_ended(stage, &said)).collect();
        if results(folder) != expected {
            return Err(format!("{}: checkpoints changed the map", run.name));
        }
        let mut counts: BTreeMap<usize, Count> = BTreeMap::new();
        for number in 0..run.kills {
            remove_results(folder);
            let moment = whole.mul_f64(random.share());
            let stage = killed(program, folder, &line, moment, &stages)?;
            cut_off += usize::from(leftovers(folder) > 0);
            let count = counts.entry(stage).or_default();
            count.kills += 1;
            if folder.join("c.bin").exists() {
                count.continued += 1;
                finish(program, folder, &format!("resume c.bin --threads {}", [1, 2, 7][number % 3]))?;
            } else if results(folder) != expected {
                finish(program, folder, &line)?;
            }
            if results(folder) == expected {
                count.same += 1;
            } else {
                return Err(format!("{}: another map after a kill at {moment:?}", run.name));
            }
            if leftovers(folder) > 0 || folder.join("c.bin").exists() {
                return Err(format!("{}: files were left behind", run.name));
            }
        }
        for (stage, count) in counts {
            let name = stages.get(stage).copied().unwrap_or("writing, or finished");
            let Count { kills, continued, same } = count;
            let _ =
                writeln!(table, "| {} | {name} | {kills} | {continued} | {} | {same} |", run.name, kills - continued);
            total.kills += kills;
            total.continued += continued;
            total.same += same;
        }
    }
    if total.kills != KILLS {
        return Err(format!("{} kills instead of {KILLS}", total.kills));
    }
    let _ = writeln!(
        table,
        "| **all** | | **{}** | **{}** | **{}** | **{}** |\n\n{cut_off} of the kills cut off a file that was being written; \
         its temporary file was removed by the next run.",
        total.kills,
        total.continued,
        total.kills - total.continued,
        total.same
    );
    Ok(table)
}

/// Whether a stage has ended: with -v, each is printed with its time.
fn has_ended(stage: &str, said: &str) -> bool {
    said.lines().any(|line| line.starts_with(&format!("  {stage} ")))
}

/// Starts a run and kills it after a time. Returns which of its stages it was in.
fn killed(program: &Path, folder: &Path, line: &str, moment: Duration, stages: &[&str]) -> Result<usize, String> {
    let said = folder.join("said.txt");
    let file = std::fs::File::create(&said).map_err(|error| error.to_string())?;
    let mut child = command(program, folder, line).stderr(file).spawn().map_err(|error| error.to_string())?;
    std::thread::sleep(moment);
    // It may have ended by itself.
    let _ = child.kill();
    child.wait().map_err(|error| error.to_string())?;
    let said = std::fs::read_to_string(&said).unwrap_or_default();
    Ok(stages.iter().rposition(|stage| has_ended(stage, &said)).map_or(0, |last| last + 1))
}

/// Lets each write of each output fail once, as on a full disk: the size of files is limited to more and more bytes.
fn failing_writes(root: &Path, program: &Path) -> Result<String, String> {
    /// The program writes this number of bytes at once.
    const AT_ONCE: u64 = 1 << 16;
    let inputs = inputs(root)?;
    let folder = inputs.path();
    let mut table = String::from(
        "| output | bytes | writes that failed | old file unchanged | nothing left behind | sentence and exit code 1 |\n\
         |---|--:|--:|--:|--:|--:|\n",
    );
    for name in [
        "map.csv",
        "map.tsv",
        "map.npy",
        "map.json",
        "map.geojson",
        "map.paj",
        "map.svg",
        "map.png",
        "map.html",
        "map.csv.gz",
    ] {
        let line = format!("embed digits.csv.gz -o {name} --iterations 2");
        finish(program, folder, &line)?;
        let path = folder.join(name);
        let bytes = std::fs::metadata(&path).map_err(|error| error.to_string())?.len();
        std::fs::write(&path, "older").map_err(|error| error.to_string())?;
        let (mut failed, mut unchanged, mut clean, mut said) = (0, 0, 0, 0);
        let mut limit = 0;
        while limit < bytes {
            // In units of 512 bytes.
            let script = format!("ulimit -f {}; exec \"$0\" {line}", limit / 512);
            let output = Command::new("sh")
                .args(["-c", &script])
                .arg(program)
                .current_dir(folder)
                .output()
                .map_err(|error| error.to_string())?;
            let text = String::from_utf8_lossy(&output.stderr);
            failed += 1;
            unchanged += usize::from(std::fs::read(&path).is_ok_and(|bytes| bytes == b"older"));
            clean += usize::from(leftovers(folder) == 0);
            said += usize::from(output.status.code() == Some(1) && text.contains("cannot be written"));
            limit += AT_ONCE;
        }
        if [unchanged, clean, said].iter().any(|&count| count != failed) {
            return Err(format!("{name}: {failed} writes failed; {unchanged}, {clean}, {said} as they should"));
        }
        let _ = writeln!(table, "| {name} | {bytes} | {failed} | {unchanged} | {clean} | {said} |");
        std::fs::remove_file(path).map_err(|error| error.to_string())?;
    }
    Ok(table)
}
