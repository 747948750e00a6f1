//! Runs what the README tells its readers to type, so that it cannot lie.
//!
//! Every block that is marked `sh` is run, in order, in one copy of a reader's situation: a folder with the repository's
//! `data` in it and `dosnes` on the path. Lines that begin with `cargo` or `git` are run at the root or not at all: cargo's
//! building is what runs this program, and fetching needs a network.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs all blocks with the release, as a reader does.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    run_with(root, "release")
}

/// Runs all blocks with the program of one of cargo's profiles.
pub(crate) fn run_with(root: &Path, profile: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(root.join("README.md")).map_err(|error| format!("README.md: {error}"))?;
    let blocks = shell_blocks(&text);
    if blocks.is_empty() {
        return Err("README.md has no block of commands marked sh".into());
    }
    crate::cargo(&["build", "--profile", profile, "--package", "dosnes-cli"])?;
    let folder = Folder::new()?;
    copy_data(&root.join("data"), &folder.0.join("data"))?;
    let programs = crate::tools::target(root).join(profile);
    let path = std::env::var("PATH").unwrap_or_default();
    for block in blocks {
        eprintln!("── README.md, line {}", block.line);
        let status = Command::new("bash")
            .args(["-euo", "pipefail", "-c", &block.script])
            .current_dir(&folder.0)
            .env("PATH", format!("{}:{path}", programs.display()))
            .status()
            .map_err(|error| format!("bash cannot be run ({error}); it is needed for the README's commands"))?;
        if !status.success() {
            return Err(format!("failed: the commands of README.md, line {}:\n{}", block.line, block.script));
        }
    }
    Ok(())
}

struct Block {
    /// Line of the README at which it begins, from 1.
    line: usize,
    script: String,
}

/// The blocks marked `sh`, without what cannot be run here.
fn shell_blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match &mut open {
            None if line.trim() == "```sh" => open = Some(Block { line: number + 2, script: String::new() }),
            None => {}
            Some(_) if line.trim() == "```" => blocks.extend(open.take()),
            Some(block) => {
                block.script.push_str(&runnable(line));
                block.script.push('\n');
            }
        }
    }
    blocks.retain(|block| !block.script.trim().is_empty());
    blocks
}

/// `cargo run --release -- demo` is `dosnes demo` here; other lines of cargo and git are left out.
fn runnable(line: &str) -> String {
    if let Some(rest) = line.strip_prefix("cargo run --release -- ") {
        format!("dosnes {rest}")
    } else if ["cargo ", "git ", "cd "].iter().any(|start| line.starts_with(start)) {
        String::new()
    } else {
        line.to_owned()
    }
}

fn copy_data(from: &Path, to: &Path) -> Result<(), String> {
    let copy = || -> std::io::Result<()> {
        std::fs::create_dir(to)?;
        for entry in from.read_dir()? {
            let entry = entry?;
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
        Ok(())
    };
    copy().map_err(|error| format!("{}: {error}", from.display()))
}

/// A temporary folder that goes at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("dosnes-readme-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_marked_sh_are_run_and_cargo_is_already_running() {
        let text = "a\n```sh\ngit clone x\ncargo run --release -- demo\ndosnes info y\n```\n```text\nno\n```\n```sh\ncargo xtask test\n```\n";
        let blocks = shell_blocks(text);
        assert_eq!(blocks.len(), 1);
        assert_eq!(blocks[0].line, 3);
        assert_eq!(blocks[0].script, "\ndosnes demo\ndosnes info y\n");
    }
}
