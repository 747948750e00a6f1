//! What ends a run early: Ctrl-C, a request of the system to end, the time limit, the memory limit.
//!
//! Before the optimizer there is no result that could be written, so a signal ends the program at once, when a checkpoint that is
//! being written is complete. From then on the first one ends the run at its next step, which writes the current map. The second one
//! ends the program immediately.

use crate::{failure::Failure, terminal::Terminal};
use anyhow::Result;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Why a run ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A signal with this number.
    Signal(u8),
    /// `--time-limit`.
    TimeLimit,
    /// The memory is used up.
    Memory,
}

/// Numbers of signals, on every system.
const HANG_UP: u8 = 1;
const CONTROL_C: u8 = 2;
/// A request to end.
pub(crate) const TERMINATE: u8 = 15;
/// The other reasons; no signal has these numbers.
const TIME_LIMIT: u8 = 254;
const MEMORY: u8 = 255;

static REASON: AtomicU8 = AtomicU8::new(0);
static SIGNALLED: AtomicBool = AtomicBool::new(false);
static HAS_RESULT: AtomicBool = AtomicBool::new(false);
/// How to continue after the program ended, for its last message. It is held while the file for that is written.
static CONTINUATION: Mutex<Option<String>> = Mutex::new(None);

impl Reason {
    fn number(self) -> u8 {
        match self {
            Self::Signal(number) => number,
            Self::TimeLimit => TIME_LIMIT,
            Self::Memory => MEMORY,
        }
    }

    /// What ended the run, for messages and the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Signal(CONTROL_C) => "stopped by Ctrl-C",
            Self::Signal(HANG_UP) => "stopped because the terminal was closed",
            Self::Signal(_) => "stopped by a request to end (SIGTERM)",
            Self::TimeLimit => "stopped at --time-limit",
            Self::Memory => "stopped because the memory was used up",
        }
    }

    /// The exit code of a run that ended for this reason, and has written its map. A time limit is a wish, not a failure.
    pub(crate) fn exit_code(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Signal(number) => 128 + number,
            Self::TimeLimit => 0,
            Self::Memory => 1,
        })
    }
}

/// Listens to signals.
#[cfg(unix)]
pub(crate) fn listen(terminal: Terminal) -> Result<()> {
    use anyhow::Context;
    use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    let failed = "cannot listen to signals";
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]).context(failed)?;
    // Who starts a run with nohup wants it to outlive the terminal.
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP).context(failed)?;
    }
    // Where memory cannot be had, Rust prints a line and aborts. This is a failure like others, without a core file.
    let always = std::sync::Arc::new(AtomicBool::new(true));
    signal_hook::flag::register_conditional_shutdown(SIGABRT, 1, always).context(failed)?;
    // Without a handler the system would end the program where a file becomes larger than `ulimit -f` allows. With one the
    // write fails, as on a full disk.
    signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default()).context(failed)?;
    let listener = move || signals.forever().for_each(|signal| receive(signal as u8, terminal));
    std::thread::Builder::new().name("signals".into()).spawn(listener).context(failed)?;
    Ok(())
}

/// Listens to Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn listen(terminal: Terminal) -> Result<()> {
    use anyhow::Context;
    ctrlc::set_handler(move || receive(CONTROL_C, terminal)).context("cannot install a handler for Ctrl-C")
}

/// Whether a signal is ignored since the program was started. Only Linux tells it in a file.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| ignores(&status, signal))
}

/// In this file the ignored signals are the bits of a number, the first one being the lowest.
#[cfg(unix)]
fn ignores(status: &str, signal: i32) -> bool {
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).is_some_and(|set| set >> (signal - 1) & 1 == 1)
}

fn receive(signal: u8, terminal: Terminal) {
    let quit = move || std::process::exit(128 + i32::from(signal));
    if SIGNALLED.swap(true, Ordering::SeqCst) {
        quit();
    }
    terminal.erase_bar();
    if HAS_RESULT.load(Ordering::SeqCst) {
        // If a limit has ended the run already, what there is then is being written.
        ask(Reason::Signal(signal));
        terminal.say("stopping at the next step; press Ctrl-C again to quit immediately");
        return;
    }
    // The message waits for a checkpoint that is being written. A second signal does not.
    let say_and_quit = move || {
        terminal.error(&Failure::Interrupted.into());
        quit();
    };
    if std::thread::Builder::new().spawn(say_and_quit).is_err() {
        quit();
    }
}

/// Ends the run at its next step. The first reason counts.
pub(crate) fn ask(reason: Reason) {
    let _ = REASON.compare_exchange(0, reason.number(), Ordering::SeqCst, Ordering::SeqCst);
}

/// Why the run ends early.
pub(crate) fn reason() -> Option<Reason> {
    match REASON.load(Ordering::SeqCst) {
        0 => None,
        TIME_LIMIT => Some(Reason::TimeLimit),
        MEMORY => Some(Reason::Memory),
        signal => Some(Reason::Signal(signal)),
    }
}

/// From now on there is something to write, and a signal no longer ends the program at once.
pub(crate) fn hold_result() {
    HAS_RESULT.store(true, Ordering::SeqCst);
}

/// Fails if the run is to end. For use after stages that cannot be interrupted.
pub(crate) fn check() -> Result<()> {
    if reason().is_some() { Err(Failure::Interrupted.into()) } else { Ok(()) }
}

/// How to continue after the program ended. The last message waits while it is held.
pub(crate) fn continuation() -> MutexGuard<'static, Option<String>> {
    CONTINUATION.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_system_says_which_signals_are_ignored() {
        let status = "Name:\tdosnes\nSigIgn:\t0000000000004001\nSigCgt:\t0000000000000002\n";
        assert!(ignores(status, 1) && ignores(status, 15));
        assert!(!ignores(status, 2) && !ignores("Name:\tdosnes\n", 1));
    }
}
