//! `cargo xtask study`: the tables of docs/normalisation.md, and the table of graph layouts in docs/benchmarks.md.

use std::path::Path;
use std::process::Command;

/// The tables of the study, and the page that each is in.
const TABLES: [(&str, &str); 2] = [("graphs", "docs/normalisation.md"), ("layout", "docs/benchmarks.md")];

/// Runs the study and puts its tables into the pages.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let data = crate::tools::need_shared_data(root)?;
    crate::cargo(&["build", "--release", "-p", "dosnes-benchmarks", "--bin", "normalisation"])?;
    let program = root.join("target/release/normalisation");
    let output = Command::new(&program)
        .arg(&data)
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    if !output.status.success() {
        return Err("the study failed".into());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    for (name, page) in TABLES {
        let table =
            crate::tables::between_marks(&text, name).ok_or_else(|| format!("the study has no table {name}"))?;
        let file = root.join(page);
        let old = std::fs::read_to_string(&file).map_err(|error| format!("cannot read {page}: {error}"))?;
        let new = crate::tables::replace(&old, name, table).map_err(|problem| format!("{page}: {problem}"))?;
        std::fs::write(&file, new).map_err(|error| format!("cannot write {page}: {error}"))?;
    }
    Ok(())
}
