//! `cargo xtask package`: tests the crates as users get them.
//!
//! Packages every crate that is published, unpacks the packages into an empty folder outside of the repository, installs
//! the program from them, and runs it there. So does a program of a stranger that uses the packaged library: the example of
//! its README. A file that a package lacks shows as a failure to build.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folder::Folder;
use crate::{cargo, cargo_path, succeed, target};

/// Files of the root that every package contains as copies, because links do not work on all systems.
const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// An unpacked package.
struct Package {
    /// The crate's name.
    name: String,
    /// Its folder.
    path: PathBuf,
}

/// Packages, unpacks, installs and runs. `options` are passed to `cargo package`, such as `--allow-dirty`.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<(), String> {
    let folder = Folder::new("package")?;
    let packages = unpack(&pack(root, options)?, folder.path())?;
    check_licenses(&packages, root)?;
    use_library(&packages, root, folder.path())?;
    let installed = install(&packages, root, folder.path())?;
    let program = installed.join("bin").join(format!("dosnes{}", std::env::consts::EXE_SUFFIX));
    for arguments in [&["demo", "digits", "--no-open"][..], &["demo", "flights", "--save-data", "data"][..]] {
        succeed(Command::new(&program).args(arguments).current_dir(folder.path()))?;
    }
    for file in ["dosnes-digits.html", "data/flights.csv"] {
        if !folder.path().join(file).is_file() {
            return Err(format!("the packaged program did not write {file}"));
        }
    }
    Ok(())
}

/// Checks that every package contains the licences of the root.
fn check_licenses(packages: &[Package], root: &Path) -> Result<(), String> {
    for Package { name, path } in packages {
        for license in LICENSES {
            let read = |folder: &Path| std::fs::read(folder.join(license)).ok();
            if read(path).is_none_or(|copy| Some(copy) != read(root)) {
                return Err(format!(
                    "{license} in crates/{name} is missing or differs; copy it from the root of the repository"
                ));
            }
        }
    }
    Ok(())
}

/// Packages all published crates, and prints the size of each file.
fn pack(root: &Path, options: &[&str]) -> Result<Vec<PathBuf>, String> {
    // A separate target folder, so that there are no older packages in it.
    let target = target(root).join("packages");
    let folder = target.join("package");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let target = target.display().to_string();
    // Cargo's own verification would build every crate once more.
    let published =
        ["--workspace", "--exclude", "xtask", "--exclude", "dosnes-benchmarks", "--exclude", "dosnes-python"];
    cargo(&[&["package", "--no-verify", "--target-dir", &target], &published[..], options].concat())?;
    let mut files = list(&folder)?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "crate"));
    for path in &files {
        let size = path.metadata().map_err(|error| format!("{}: {error}", path.display()))?.len();
        eprintln!("{:8.1} kB  {}", size as f64 / 1e3, path.file_name().unwrap_or_default().display());
    }
    Ok(files)
}

/// Unpacks the files next to each other.
fn unpack(files: &[PathBuf], folder: &Path) -> Result<Vec<Package>, String> {
    let mut packages = Vec::new();
    for file in files {
        succeed(Command::new("tar").arg("-xzf").arg(file).current_dir(folder))?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // The version follows the first hyphen before a digit.
        let version = stem.match_indices('-').find(|&(at, _)| stem[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
        let Some((at, _)) = version else {
            return Err(format!("{} is not the name of a package", file.display()));
        };
        packages.push(Package { name: stem[..at].to_owned(), path: folder.join(&stem) });
    }
    Ok(packages)
}

/// Installs the program from its unpacked package; returns the folder that contains it.
fn install(packages: &[Package], root: &Path, folder: &Path) -> Result<PathBuf, String> {
    let program = packages.iter().find(|package| package.name == "dosnes-cli").ok_or("dosnes-cli was not packaged")?;
    let installed = folder.join("installed");
    let mut command = Command::new(cargo_path());
    command.args(["install", "--path"]).arg(&program.path).arg("--root").arg(&installed);
    command.args(unpacked(packages)).current_dir(folder);
    succeed(quick_build(&mut command, root))?;
    Ok(installed)
}

/// Builds and runs a program that uses the packaged library: the example of its README.
fn use_library(packages: &[Package], root: &Path, folder: &Path) -> Result<(), String> {
    let library = packages.iter().find(|package| package.name == "dosnes").ok_or("dosnes was not packaged")?;
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let readme = std::fs::read_to_string(library.path.join("README.md")).map_err(failed)?;
    let example = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    let example = example.ok_or("the README of dosnes has no example")?;
    let user = folder.join("user");
    std::fs::create_dir_all(user.join("src")).map_err(failed)?;
    std::fs::write(user.join("src/main.rs"), example).map_err(failed)?;
    let manifest = "[package]\nname = \"user\"\nedition = \"2024\"\n\n[dependencies]\ndosnes = \"*\"\n\n[workspace]\n";
    std::fs::write(user.join("Cargo.toml"), manifest).map_err(failed)?;
    let mut command = Command::new(cargo_path());
    command.args(["run", "--release"]).args(unpacked(std::slice::from_ref(library))).current_dir(&user);
    succeed(quick_build(&mut command, root))
}

/// What is compiled is kept for the next time. Little optimisation: this is about files, not about speed.
fn quick_build<'a>(command: &'a mut Command, root: &Path) -> &'a mut Command {
    command.env("CARGO_TARGET_DIR", target(root).join("packages")).env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
}

/// Options by which cargo takes the unpacked packages instead of those of the registry.
fn unpacked(packages: &[Package]) -> impl Iterator<Item = String> {
    packages.iter().flat_map(|Package { name, path }| {
        // A TOML string in single quotes has no escapes, so Windows paths are possible.
        ["--config".to_owned(), format!("patch.crates-io.{name}.path='{}'", path.display())]
    })
}

/// The files in a folder, sorted by name.
fn list(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = folder.read_dir().map_err(failed)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(failed)?;
    paths.sort();
    Ok(paths)
}
