//! Memory of the machine, and checks that a computation fits.

use crate::{args::MemoryArgs, control_groups, failure::Failure, numbers::bytes};
use anyhow::Result;
use dosnes::{Estimate, NormalizeOptions};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Refuses a computation that needs too much memory.
pub(crate) fn check(estimate: &Estimate, args: &MemoryArgs) -> Result<()> {
    let Some(limit) = args.memory_limit.or_else(room) else { return Ok(()) };
    if args.force || estimate.bytes <= limit {
        return Ok(());
    }
    let source = if args.memory_limit.is_some() { "the limit is" } else { "the memory for it is" };
    Err(Failure::NotPossible(format!(
        "this would need about {} of memory, but {source} {}; nothing was computed. Use fewer items or fewer --neighbors, or \
         continue anyway with --force",
        bytes(estimate.bytes),
        bytes(limit)
    ))
    .into())
}

/// Refuses to read a file that is larger than the memory.
pub(crate) fn check_file(path: &Path, args: &MemoryArgs) -> Result<()> {
    let Ok(metadata) = std::fs::metadata(path) else { return Ok(()) };
    match args.memory_limit.or_else(available) {
        Some(limit) if metadata.is_file() && metadata.len() > limit && !args.force => {
            Err(Failure::NotPossible(format!(
                "{}: the file alone has {}, but the memory limit is {}; nothing was read. Continue anyway with --force",
                path.display(),
                bytes(metadata.len()),
                bytes(limit)
            ))
            .into())
        }
        _ => Ok(()),
    }
}

/// What a run may use, checked while it runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guard {
    /// The memory of the process, in bytes.
    limit: Option<u64>,
    looked: Option<Instant>,
}

/// The memory is looked at no more often than this.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// The program itself takes less than this. A smaller limit is refused by the estimate, with its number.
const OWN: u64 = 30_000_000;
/// A run ends when the system has less free memory than this.
const LEAST_FREE: u64 = 50_000_000;

/// Where memory cannot be had.
pub(crate) const NO_MORE: &str = "the system has no more memory for this run; nothing was written. Use a smaller input, or \
                                  allow more memory (ulimit -v, or the limit of the container)";

static PROBLEM: OnceLock<String> = OnceLock::new();

/// How the memory came to be used up.
pub(crate) fn problem() -> String {
    PROBLEM.get().map_or(NO_MORE, String::as_str).to_owned()
}

impl Guard {
    /// The limits of the options, or of the machine.
    pub(crate) fn new(args: &MemoryArgs) -> Option<Self> {
        (!args.force).then_some(Self { limit: args.memory_limit.map(|limit| limit.max(OWN)), looked: None })
    }

    /// Whether the memory is used up. `growing`: the input is being read, into arrays that double when they are full.
    pub(crate) fn is_used_up(&mut self, growing: bool) -> bool {
        if self.looked.is_some_and(|looked| looked.elapsed() < LOOK_EVERY) {
            return false;
        }
        self.looked = Some(Instant::now());
        let Some(used) = used() else { return false };
        let problem = if let Some(limit) = self.limit {
            (used > limit).then(|| {
                format!(
                    "more than {} of memory, the limit, was in use; nothing was written. Raise --memory-limit, or \
                     continue anyway with --force",
                    bytes(limit)
                )
            })
        } else {
            let space = address_space_left().is_some_and(|left| left < if growing { used } else { LEAST_FREE });
            (space || available().is_some_and(|left| left < LEAST_FREE)).then(|| {
                format!(
                    "{} of memory were in use, and the system has no room for more; nothing was written. Use a smaller \
                     input, allow more memory, or continue anyway with --force",
                    bytes(used)
                )
            })
        };
        problem.is_some_and(|problem| {
            let _ = PROBLEM.set(problem);
            true
        })
    }
}

/// Number of bytes that a dense method may use.
pub(crate) fn dense_limit(args: &MemoryArgs) -> u64 {
    if args.force {
        u64::MAX
    } else {
        args.memory_limit.or_else(available).unwrap_or(NormalizeOptions::default().memory_limit)
    }
}

/// Free memory, within the limits of the control groups and of the address space of the process; `None` if the system does
/// not provide it.
pub(crate) fn available() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let free = kilobytes(&read("/proc/meminfo")?, "MemAvailable:")?;
    let in_groups =
        control_groups::room(Path::new(control_groups::ROOT), &read("/proc/self/cgroup").unwrap_or_default());
    in_groups.into_iter().chain(address_space_left()).chain([free]).min()
}

/// What the process may have in all: what is free, and what it has already, such as the data. Estimates count these too.
pub(crate) fn room() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    available().map(|free| free.saturating_add(kilobytes(&status, "RssAnon:").unwrap_or(0)))
}

/// What `ulimit -v` leaves to the process.
pub(crate) fn address_space_left() -> Option<u64> {
    let limit = address_space_limit()?;
    let used = kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmSize:")?;
    Some(limit.saturating_sub(used))
}

/// Memory of the process now.
fn used() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// The limit that `ulimit -v` sets.
pub(crate) fn address_space_limit() -> Option<u64> {
    address_space(&std::fs::read_to_string("/proc/self/limits").ok()?)
}

fn address_space(limits: &str) -> Option<u64> {
    limits.lines().find_map(|line| line.strip_prefix("Max address space"))?.split_whitespace().next()?.parse().ok()
}

/// Peak memory of the process so far.
pub(crate) fn peak() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kb| kb * 1024)
}

/// `500MB`, `8 GB`, `2GiB`, or plain bytes.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("\"{unit}\" is not a unit; give a size such as 500MB or 8GB")),
    };
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 => Ok((number * scale) as u64),
        _ => Err("give a size such as 500MB or 8GB".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("500MB"), Ok(500_000_000));
        assert_eq!(parse_size("1.5 GB"), Ok(1_500_000_000));
        assert_eq!(parse_size("2KiB"), Ok(2048));
        assert_eq!(parse_size("123"), Ok(123));
        assert!(parse_size("8 parsecs").is_err());
        assert!(parse_size("-1GB").is_err());
    }

    #[test]
    fn the_limit_of_the_address_space_is_found() {
        assert_eq!(address_space("Max address space         1048576      unlimited   bytes\n"), Some(1_048_576));
        assert_eq!(address_space("Max address space         unlimited    unlimited   bytes\n"), None);
    }

    #[test]
    fn the_system_says_how_much_memory_was_used() {
        if cfg!(target_os = "linux") {
            assert!(peak().unwrap() > 100_000);
            assert!(available().unwrap() > 100_000);
        }
    }
}
