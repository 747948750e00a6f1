//! Files that are written completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::leftovers;
use crate::error::{Error, OutputProblem};

/// Distinguishes the temporary files of several writers in one process.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// Writes to a temporary file in the same folder and renames it when everything is on the disk. If an error occurs, the
/// existing file does not change. Pipes and devices are written directly.
pub fn atomic_write(path: impl AsRef<Path>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let path = path.as_ref();
    let failed = |error: io::Error| Error::Write { path: path.to_owned(), error };
    let target = check_target(path)?;
    if target.is_special {
        let mut out = BufWriter::new(OpenOptions::new().write(true).open(path).map_err(failed)?);
        write(&mut out).map_err(failed)?;
        return out.flush().map_err(failed);
    }
    let (temporary, file) = create_beside(&target.path).map_err(failed)?;
    let result = write_file(file, write).and_then(|()| {
        if let Ok(old) = fs::metadata(&target.path) {
            fs::set_permissions(&temporary, old.permissions())?;
        }
        fs::rename(&temporary, &target.path)
    });
    if result.is_ok() {
        keep_name(&target.path);
    }
    result.map_err(|error| {
        // Report the first error; a remaining temporary file does less harm.
        let _ = fs::remove_file(&temporary);
        failed(error)
    })
}

/// Checks that a file can be written at `path`, for use before a long computation. Leaves no file behind.
pub fn check_writable(path: impl AsRef<Path>) -> Result<(), Error> {
    let path = path.as_ref();
    let failed = |error: io::Error| Error::Write { path: path.to_owned(), error };
    let target = check_target(path)?;
    if !target.is_special {
        let (temporary, file) = create_beside(&target.path).map_err(failed)?;
        drop(file);
        fs::remove_file(temporary).map_err(failed)?;
    }
    Ok(())
}

struct Target {
    /// The file itself if `path` is a link to it.
    path: PathBuf,
    is_special: bool,
}

fn check_target(path: &Path) -> Result<Target, Error> {
    let refuse = |problem| Err(Error::output(path, problem));
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => refuse(OutputProblem::Folder),
        Ok(metadata) if metadata.is_file() && metadata.permissions().readonly() => {
            refuse(OutputProblem::WriteProtected)
        }
        Ok(metadata) => {
            let resolved = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            Ok(Target { path: resolved, is_special: !metadata.is_file() })
        }
        Err(_) if path.file_name().is_none() => refuse(OutputProblem::NoFileName),
        Err(_) => Ok(Target { path: path.to_owned(), is_special: false }),
    }
}

fn write_file(file: File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// Waits until the new name is on the disk too: a checkpoint is removed only after the map that it led to. Not every system lets a
/// folder be opened for that, and the contents are on the disk in any case.
fn keep_name(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
    leftovers::clean(target.parent().unwrap_or(Path::new(".")));
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let temporary = target.with_file_name(leftovers::temporary_name(&name, number));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("dosnes-io-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_failing_write_leaves_the_old_file_and_nothing_else() {
        let folder = folder("failing");
        let path = folder.join("map.csv");
        atomic_write(&path, |out| out.write_all(b"old")).unwrap();
        let error = atomic_write(&path, |out| {
            out.write_all(b"new, but")?;
            Err(io::Error::other("the disk is full"))
        })
        .unwrap_err();
        assert!(error.to_string().ends_with("cannot be written: the disk is full"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_missing_folder_and_a_folder_as_target_are_told_apart() {
        let folder = folder("missing");
        let error = check_writable(folder.join("nowhere/map.csv")).unwrap_err();
        assert!(error.to_string().contains("does not exist"), "{error}");
        let error = check_writable(&folder).unwrap_err();
        assert!(error.to_string().contains("is a folder"), "{error}");
        check_writable(folder.join("map.csv")).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_rather_than_replaced() {
        let folder = folder("link");
        let (real, link) = (folder.join("real.csv"), folder.join("link.csv"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        atomic_write(&link, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        fs::remove_dir_all(folder).unwrap();
    }
}
