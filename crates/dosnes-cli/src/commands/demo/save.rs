//! `dosnes demo --save-data`: copies the input files of the demo to a folder.

use super::Bundle;
use crate::{failure::Failure, output::write_whole, terminal::Terminal};
use anyhow::Result;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Sources and licences of the data; part of every copy.
const ATTRIBUTION: (&str, &[u8]) = ("ATTRIBUTION.md", include_bytes!("../../../data/ATTRIBUTION.md"));

/// Writes the files and prints how to use them. If a file with the same name and other contents exists, this is an error,
/// and nothing is written.
pub(super) fn run(bundle: &Bundle, folder: &Path, terminal: Terminal) -> Result<ExitCode> {
    let data = [Some((bundle.name, bundle.bytes)), bundle.items].into_iter().flatten();
    let files: Vec<_> =
        data.chain([ATTRIBUTION]).chain(bundle.license).map(|(name, bytes)| (folder.join(name), bytes)).collect();
    let mut missing = Vec::new();
    for (path, bytes) in &files {
        match std::fs::read(path) {
            Ok(present) if present == *bytes => {}
            Ok(_) => {
                return Err(Failure::BadInput(format!(
                    "{}: this file exists and has other contents; nothing was written. Choose another folder, or move the \
                     file away",
                    path.display()
                ))
                .into());
            }
            Err(error) if error.kind() == ErrorKind::NotFound => missing.push((path, *bytes)),
            Err(error) => return Err(Failure::NotPossible(format!("{}: {error}", path.display())).into()),
        }
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::NotPossible(format!("cannot create the folder {}: {error}", folder.display())))?;
    for (path, bytes) in &missing {
        write_whole(path, bytes)?;
    }
    terminal.say(bundle.source);
    let names = |paths: &mut dyn Iterator<Item = &PathBuf>| {
        paths.map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    };
    terminal.say(&match missing.as_slice() {
        [] => format!("{} exist already", names(&mut files.iter().map(|(path, _)| path))),
        missing => format!("wrote {}", names(&mut missing.iter().map(|(path, _)| *path))),
    });
    terminal.say(&format!("embed them with: {}", command(bundle, folder)));
    Ok(ExitCode::SUCCESS)
}

/// The command that makes the same globe from the saved files.
fn command(bundle: &Bundle, folder: &Path) -> String {
    let file = |name: &str| {
        let path = folder.join(name).display().to_string();
        if path.contains(char::is_whitespace) { format!("\"{path}\"") } else { path }
    };
    let items = bundle.items.map_or_else(String::new, |(name, _)| format!(" --items {}", file(name)));
    let images = bundle.image_size.map_or_else(String::new, |size| format!(" --image-size {size}"));
    format!("dosnes embed {} --as {}{items}{images} -o globe.html", file(bundle.name), bundle.kind)
}
