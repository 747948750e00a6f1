//! `cargo xtask instructions`: what the hot kernels execute, counted by callgrind. The counts hardly change from run to
//! run, however busy the machine is, so that a change of a kernel shows.

use std::path::Path;
use std::process::Command;

const KERNELS: [&str; 6] =
    ["attraction-single", "attraction-double", "repulsion-r20", "repulsion-r75", "repulsion-r300", "repulsion-r1000"];
const POINTS: &str = "10000";

/// Prints millions of instructions of one call of every kernel.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return Err("instructions are counted by valgrind, which is not here; install it (Debian: apt-get install \
                    valgrind)"
            .to_owned());
    }
    crate::cargo(&["build", "--release", "-p", "dosnes", "--features", "internals", "--example", "kernels"])?;
    for kernel in KERNELS {
        // What one more call adds: preparing the data and the tables is in both counts.
        let once = count(root, kernel, "1")?;
        let twice = count(root, kernel, "2")?;
        eprintln!("{kernel:20} {:8.1} million instructions for {POINTS} points", (twice - once) / 1e6);
    }
    Ok(())
}

/// Instructions of so many calls, with all that is around them.
fn count(root: &Path, kernel: &str, times: &str) -> Result<f64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(root.join("target/release/examples/kernels"))
        .args([kernel, POINTS, times])
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .map_err(|error| format!("cannot run valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text.lines().find_map(|line| line.split("Collected : ").nth(1)).unwrap_or_default();
    collected.trim().parse().map_err(|_| format!("valgrind counted nothing for {kernel}:\n{text}"))
}
