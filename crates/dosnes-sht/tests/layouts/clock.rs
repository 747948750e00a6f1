//! CPU time of the whole process, which other work on the machine disturbs less than the wall clock.

use std::time::Instant;

/// Nanoseconds that all threads have run, where the system tells (Linux).
fn cpu_nanoseconds() -> Option<u64> {
    let mut total = 0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        total += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(total)
}

/// Milliseconds of CPU time of a task, all threads together; of the wall clock where the system does not tell.
pub(crate) fn cpu_milliseconds(task: impl FnOnce()) -> f64 {
    let (before, start) = (cpu_nanoseconds(), Instant::now());
    task();
    match (before, cpu_nanoseconds()) {
        (Some(before), Some(after)) => (after - before) as f64 * 1e-6,
        _ => start.elapsed().as_secs_f64() * 1e3,
    }
}

/// The least of several runs, each of as many rounds as take a while: the system counts in steps of milliseconds.
pub(crate) fn least_milliseconds(runs: usize, mut task: impl FnMut()) -> f64 {
    let started = Instant::now();
    task();
    let rounds = (0.04 / started.elapsed().as_secs_f64()).ceil().clamp(1.0, 1000.0) as usize;
    (0..runs)
        .map(|_| cpu_milliseconds(|| (0..rounds).for_each(|_| task())) / rounds as f64)
        .fold(f64::INFINITY, f64::min)
}
