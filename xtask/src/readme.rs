//! Runs the commands in the READMEs for users, so that they stay correct.
//!
//! Every block that is marked `sh` is run, in order, as a reader would: in an empty folder, with `dosnes` on the path.
//! Lines that begin with `cargo`, `git` or `cd` are skipped, except for `cargo run`, which runs the program built here.

use std::path::Path;
use std::process::Command;

use crate::folder::Folder;
use crate::target;

/// The READMEs with commands for users.
const READMES: [&str; 2] = ["README.md", "crates/dosnes-cli/README.md"];

/// Runs all blocks of all READMEs with the release build, as a reader does.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    crate::cargo(&["build", "--release", "--package", "dosnes-cli"])?;
    READMES.iter().try_for_each(|name| run_one(root, name, "release"))
}

/// Runs all blocks of all READMEs with the program that the tests have built.
pub(crate) fn run_with_tests(root: &Path) -> Result<(), String> {
    crate::tools::build_tests()?;
    READMES.iter().try_for_each(|name| run_one(root, name, "checked"))
}

/// Runs all blocks of one README, in an empty folder.
fn run_one(root: &Path, name: &str, profile: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"))?;
    let blocks = shell_blocks(&text);
    if blocks.is_empty() {
        return Err(format!("{name} has no block of commands marked sh"));
    }
    let folder = Folder::new("readme")?;
    let programs = target(root).join(profile);
    let path = std::env::var("PATH").unwrap_or_default();
    for block in blocks {
        eprintln!("── {name}, line {}", block.line);
        let status = Command::new("bash")
            .args(["-euo", "pipefail", "-c", &block.script])
            .current_dir(folder.path())
            .env("PATH", format!("{}:{path}", programs.display()))
            .status()
            .map_err(|error| format!("cannot run bash ({error}), which the README's commands need"))?;
        if !status.success() {
            return Err(format!("failed: the commands of {name}, line {}:\n{}", block.line, block.script));
        }
    }
    Ok(())
}

struct Block {
    /// First line of the block in the README, counted from 1.
    line: usize,
    script: String,
}

/// The blocks marked `sh`, without lines that cannot be run here.
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

/// `cargo run --release -- demo` becomes `dosnes demo`; other lines with cargo, git or cd are skipped.
fn runnable(line: &str) -> String {
    if let Some(rest) = line.strip_prefix("cargo run --release -- ") {
        format!("dosnes {rest}")
    } else if ["cargo ", "git ", "cd "].iter().any(|start| line.starts_with(start)) {
        String::new()
    } else {
        line.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_marked_sh_are_run_and_cargo_run_is_replaced() {
        let text = "a\n```sh\ngit clone x\ncargo run --release -- demo\ndosnes info y\n```\n```text\nno\n```\n```sh\ncargo xtask test\n```\n";
        let blocks = shell_blocks(text);
        assert_eq!(blocks.len(), 1);
        assert_eq!(blocks[0].line, 3);
        assert_eq!(blocks[0].script, "\ndosnes demo\ndosnes info y\n");
    }
}
