//! `cargo xtask instructions`: the instructions that the hot kernels execute, counted by callgrind. The counts hardly
//! vary from run to run, even on a busy machine, so they show the effect of a change.

use std::path::Path;
use std::process::Command;

/// The names of the kernels, and the number of points; fewer points if the work grows with their square.
const KERNELS: [(&str, &str); 11] = [
    ("attraction-single", "10000"),
    ("attraction-double", "10000"),
    ("repulsion-r20", "10000"),
    ("repulsion-r75", "10000"),
    ("repulsion-r300", "10000"),
    ("repulsion-r1000", "10000"),
    ("exact", "2000"),
    ("tree", "10000"),
    ("tree-gaussian", "10000"),
    ("neighbors-euclidean", "2000"),
    ("neighbors-manhattan", "2000"),
];

/// Prints the number of instructions of one call of every kernel, in millions.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return Err("valgrind, which counts the instructions, was not found; install it (Debian: apt-get install \
                    valgrind)"
            .to_owned());
    }
    crate::cargo(&["build", "--release", "-p", "dosnes-benchmarks", "--bin", "kernels"])?;
    for (kernel, points) in KERNELS {
        // The difference is one call: both counts include preparing the data and the tables.
        let once = count(root, kernel, points, "1")?;
        let twice = count(root, kernel, points, "2")?;
        eprintln!("{kernel:20} {:8.1} million instructions for {points} points", (twice - once) / 1e6);
    }
    Ok(())
}

/// Number of instructions of this many calls, including the setup.
fn count(root: &Path, kernel: &str, points: &str, times: &str) -> Result<f64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(crate::target(root).join("release/kernels"))
        .args([kernel, points, times])
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .map_err(|error| format!("cannot run valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text.lines().find_map(|line| line.split("Collected : ").nth(1)).unwrap_or_default();
    collected.trim().parse().map_err(|_| format!("valgrind reported no instruction count for {kernel}:\n{text}"))
}
