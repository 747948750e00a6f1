//! Temporary files: their names, and the removal of those that a killed process left behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

/// Where it is not known which processes run, only files that nobody has written to for this long are removed.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// The name of the temporary file number `number` of this process, for a file.
pub(super) fn temporary_name(name: &str, number: u64) -> String {
    format!(".{name}.dosnes-{:08x}-{}-{number}.tmp", machine(), std::process::id())
}

/// Removes the temporary files of dead processes in a folder, once for each folder. It is a service: errors do not matter.
pub(super) fn clean(folder: &Path) {
    static CLEANED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    let mut cleaned = CLEANED.lock().unwrap_or_else(PoisonError::into_inner);
    if cleaned.iter().any(|known| known == folder) {
        return;
    }
    cleaned.push(folder.to_owned());
    drop(cleaned);
    remove_dead(folder);
}

fn remove_dead(folder: &Path) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().and_then(owner).is_some_and(|owner| is_dead(owner, &entry)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The machine and the process that a temporary file belongs to.
fn owner(name: &str) -> Option<(u32, u32)> {
    let (_, marks) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once(".dosnes-")?;
    let mut marks = marks.splitn(3, '-');
    let machine = u32::from_str_radix(marks.next()?, 16).ok()?;
    let process = marks.next()?.parse().ok()?;
    marks.next()?.parse::<u64>().ok()?;
    Some((machine, process))
}

fn is_dead((machine_of_file, process): (u32, u32), entry: &fs::DirEntry) -> bool {
    let processes = Path::new("/proc");
    if machine_of_file == machine() && processes.join("self").exists() {
        return !processes.join(process.to_string()).exists();
    }
    let written = entry.metadata().and_then(|metadata| metadata.modified());
    written.is_ok_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > ABANDONED))
}

/// Tells machines and containers apart, whose processes are numbered independently, and which may share a folder.
fn machine() -> u32 {
    static MACHINE: OnceLock<u32> = OnceLock::new();
    *MACHINE.get_or_init(|| {
        let mut marks = fs::read("/proc/sys/kernel/hostname").unwrap_or_default();
        if let Ok(space) = fs::read_link("/proc/self/ns/pid") {
            marks.extend(space.to_string_lossy().bytes());
        }
        let mut sum = flate2::Crc::new();
        sum.update(&marks);
        sum.sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_dead_processes_are_removed() {
        let folder = std::env::temp_dir().join(format!("dosnes-io-leftovers-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        // The numbers of processes end far below this one.
        let (dead, other) = (u32::MAX - 1, machine() ^ 1);
        let of_dead = format!(".map.csv.dosnes-{:08x}-{dead}-0.tmp", machine());
        let of_other = format!(".map.csv.dosnes-{other:08x}-{dead}-0.tmp");
        let abandoned = format!(".old.csv.dosnes-{other:08x}-{dead}-7.tmp");
        let mine = temporary_name("map.csv", 3);
        let foreign = [".map.csv.tmp", ".map.csv.4294967294-0.tmp", "map.dosnes-1-2-3.tmp", "map.csv"];
        for name in foreign.iter().copied().chain([&of_dead[..], &of_other, &abandoned, &mine]) {
            fs::write(folder.join(name), "x").unwrap();
        }
        let long_ago = SystemTime::now() - 2 * ABANDONED;
        fs::File::options().write(true).open(folder.join(&abandoned)).unwrap().set_modified(long_ago).unwrap();
        remove_dead(&folder);
        let there = |name: &str| folder.join(name).exists();
        assert!(foreign.iter().all(|name| there(name)));
        assert!(there(&of_other) && there(&mine));
        assert!(!there(&abandoned));
        assert_eq!(there(&of_dead), !Path::new("/proc/self").exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
