//! `cargo xtask portable`: runs the program and the kernels on a processor without AVX2, emulated by qemu. The results
//! must agree with those of this processor, to rounding.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A processor of 2008, with SSE4.2 and without AVX.
const PROCESSOR: &str = "Nehalem";

/// A run of the program on both processors.
struct Run {
    name: &'static str,
    data: &'static str,
    options: &'static [&'static str],
    /// How far coordinates may differ, as a share of the largest.
    coordinates: f64,
    /// How far KL may differ, as a share of itself.
    kl: f64,
}

/// A difference in the last bit grows along the path of the optimisation, until two runs are as different as two seeds
/// and only their quality agrees; so bounds grow with the number of steps. Each is about a hundred times what was found.
const RUNS: [Run; 4] = [
    Run {
        name: "first steps in double precision",
        data: "crates/dosnes-cli/data/flights.csv",
        options: &["--init", "random", "--iterations", "10"],
        coordinates: 1e-9,
        kl: 1e-9,
    },
    Run {
        name: "first steps by harmonics",
        data: "crates/dosnes-cli/data/flights.csv",
        options: &["--init", "random", "--iterations", "5", "--repulsion", "harmonic"],
        coordinates: 1e-6,
        kl: 2e-7,
    },
    Run {
        name: "neighbours, and first steps in single precision",
        data: "crates/dosnes-cli/data/digits.csv.gz",
        options: &["--init", "random", "--iterations", "3"],
        coordinates: 1e-4,
        kl: 1e-7,
    },
    Run {
        name: "a spectral start and sixty steps",
        data: "crates/dosnes-cli/data/flights.csv",
        options: &["--iterations", "60"],
        coordinates: 5e-4,
        kl: 1e-7,
    },
];

/// Runs the program and the tests of the kernels on both processors.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        eprintln!("── skipped: a processor without AVX2 (qemu emulates it only for Linux on x86-64)");
        return Ok(());
    }
    let qemu = qemu()?;
    let (program, tests) = (program(root)?, tests(root)?);
    // The names of the tests that hold one kind of instructions against the other, and all against slow sums.
    crate::succeed(emulated(&qemu, &tests).arg("with_any_instructions"))?;
    let folder = root.join("target/portable");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    for run in &RUNS {
        let here = embed(Command::new(&program), run, root, &folder.join("here"))?;
        let there = embed(emulated(&qemu, &program), run, root, &folder.join("there"))?;
        compare(run, &here, &there)?;
    }
    Ok(())
}

/// Finds qemu for x86-64 programs; installs it if it is missing and the system has Debian's packages.
fn qemu() -> Result<PathBuf, String> {
    let name = PathBuf::from("qemu-x86_64");
    let found = || Command::new(&name).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found() {
        eprintln!("── apt-get install --yes qemu-user");
        let _ = Command::new("apt-get").args(["install", "--yes", "qemu-user"]).status();
    }
    if found() {
        Ok(name)
    } else {
        Err("qemu-x86_64, which emulates a processor without AVX2, was not found and could not be installed; install it \
             (Debian: apt-get install qemu-user)"
            .to_owned())
    }
}

fn emulated(qemu: &Path, program: &Path) -> Command {
    let mut command = Command::new(qemu);
    // The program would start itself again, without the emulator.
    command.args(["-cpu", PROCESSOR]).arg(program).env("DOSNES_HEAP", "1");
    command
}

/// Builds the program with the profile of the tests.
fn program(root: &Path) -> Result<PathBuf, String> {
    crate::tools::build_tests()?;
    Ok(crate::target(root).join("checked/dosnes"))
}

/// Builds the library's unit tests; returns their executable.
fn tests(root: &Path) -> Result<PathBuf, String> {
    let arguments = ["test", "--profile", "checked", "--workspace", "--lib", "--no-run", "--message-format", "json"];
    eprintln!("── cargo {}", arguments.join(" "));
    let output = Command::new(crate::cargo_path())
        .args(arguments)
        .current_dir(root)
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("failed: cargo {}", arguments.join(" ")));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let executable = text
        .lines()
        .filter(|line| line.contains("\"name\":\"dosnes\",\"src_path\"") && line.contains("src/lib.rs"))
        .find_map(|line| line.split("\"executable\":\"").nth(1)?.split('"').next());
    executable.map(PathBuf::from).ok_or_else(|| "cargo did not report the executable of the library's tests".to_owned())
}

/// A map: its KL and its coordinates.
struct Map {
    kl: f64,
    coordinates: Vec<[f64; 3]>,
}

fn embed(mut program: Command, run: &Run, root: &Path, to: &Path) -> Result<Map, String> {
    let (map, report) = (to.with_extension("csv"), to.with_extension("json"));
    crate::succeed(
        program
            .args(["embed", "--quiet"])
            .arg(root.join(run.data))
            .args(run.options)
            .arg("--output")
            .arg(&map)
            .arg("--report")
            .arg(&report),
    )?;
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let (map, report) = (read(&map)?, read(&report)?);
    let kl = report.split("\"kl\":").nth(1).and_then(|rest| rest.split([',', '\n', '}']).next()?.trim().parse().ok());
    let column = |name: &str| map.lines().next()?.split(',').position(|cell| cell == name);
    let row = |line: &str| -> Option<[f64; 3]> {
        let cells: Vec<&str> = line.split(',').collect();
        let at = |name: &str| cells.get(column(name)?)?.parse().ok();
        Some([at("x")?, at("y")?, at("z")?])
    };
    let coordinates: Option<Vec<_>> = map.lines().skip(1).map(row).collect();
    match (kl, coordinates) {
        (Some(kl), Some(coordinates)) if !coordinates.is_empty() => Ok(Map { kl, coordinates }),
        _ => Err(format!("{}: there is no map, or no KL in its report", run.name)),
    }
}

fn compare(run: &Run, here: &Map, there: &Map) -> Result<(), String> {
    let kl = (there.kl / here.kl - 1.0).abs();
    let (here, there) = (&here.coordinates, &there.coordinates);
    let largest = here.iter().flatten().fold(0.0, |largest: f64, v| largest.max(v.abs()));
    let difference = here
        .iter()
        .flatten()
        .zip(there.iter().flatten())
        .fold(0.0, |difference: f64, (a, b)| difference.max((a - b).abs()));
    let share = difference / largest;
    eprintln!("{}: KL differs by {kl:.1e} of itself, coordinates by {share:.1e} of the largest", run.name);
    // Asked for what is right, not for what is wrong: what is not a number must fail.
    if here.len() == there.len() && share <= run.coordinates && kl <= run.kl {
        return Ok(());
    }
    Err(format!(
        "{}: not the same on a processor without AVX2; allowed are {:.0e} of KL and {:.0e} of the coordinates",
        run.name, run.kl, run.coordinates
    ))
}
