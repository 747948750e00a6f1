//! CPU time of the whole process, which depends less than wall time on other work on the machine.

use std::time::Instant;

/// CPU time of all threads in nanoseconds, if the system reports it (Linux).
fn cpu_nanoseconds() -> Option<u64> {
    let mut total = 0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        total += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(total)
}

/// CPU time of a task in milliseconds, over all threads; wall time if the system does not report CPU time.
pub fn cpu_milliseconds(task: impl FnOnce()) -> f64 {
    let (before, start) = (cpu_nanoseconds(), Instant::now());
    task();
    match (before, cpu_nanoseconds()) {
        (Some(before), Some(after)) => (after - before) as f64 * 1e-6,
        _ => start.elapsed().as_secs_f64() * 1e3,
    }
}
