//! Ctrl-C: the first one asks the run to stop at its next step, the second one ends it at once.

use crate::terminal::Terminal;
use anyhow::{Context, Result};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Begins to listen.
pub(crate) fn listen(terminal: Terminal) -> Result<()> {
    ctrlc::set_handler(move || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(crate::failure::INTERRUPTED.into());
        }
        terminal.erase_bar();
        terminal.say("stopping at the next step; a second Ctrl-C ends at once");
    })
    .context("cannot listen to Ctrl-C")
}

/// Whether Ctrl-C was pressed.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Fails if Ctrl-C was pressed: between stages that cannot be stopped within.
pub(crate) fn check() -> Result<()> {
    if asked() { Err(crate::failure::Failure::Interrupted.into()) } else { Ok(()) }
}
