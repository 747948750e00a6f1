//! Ctrl-C: the first one stops the run at its next step, the second one ends the program immediately.

use crate::terminal::Terminal;
use anyhow::{Context, Result};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Installs the handler.
pub(crate) fn listen(terminal: Terminal) -> Result<()> {
    ctrlc::set_handler(move || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(crate::failure::INTERRUPTED.into());
        }
        terminal.erase_bar();
        terminal.say("stopping at the next step; press Ctrl-C again to quit immediately");
    })
    .context("cannot install a handler for Ctrl-C")
}

/// Whether Ctrl-C was pressed.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Fails if Ctrl-C was pressed. For use after stages that cannot be interrupted.
pub(crate) fn check() -> Result<()> {
    if asked() { Err(crate::failure::Failure::Interrupted.into()) } else { Ok(()) }
}
