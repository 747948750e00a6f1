//! What people see, on the standard error: sentences, notes and errors, in colour where that is wanted.

#![allow(clippy::print_stderr, reason = "speaking to people is what this module is for")]

use crate::args::GlobalArgs;
use std::io::{IsTerminal, stderr};

/// Empties the line that the cursor is on.
pub(crate) const ERASE_LINE: &str = "\r\x1b[2K";

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Volume {
    Quiet,
    Normal,
    Verbose,
}

/// How to speak.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    volume: Volume,
    color: bool,
    /// A terminal that can be written over; never a pipe or a file.
    interactive: bool,
}

impl Terminal {
    /// By options and surroundings: `NO_COLOR` (<https://no-color.org>), `TERM=dumb`, pipes.
    pub(crate) fn new(global: &GlobalArgs) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let interactive = stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let volume = match (global.quiet, global.verbose) {
            (true, _) => Volume::Quiet,
            (_, true) => Volume::Verbose,
            _ => Volume::Normal,
        };
        Self { volume, color: interactive && !is_set("NO_COLOR"), interactive }
    }

    /// Says nothing at all.
    pub(crate) fn silent() -> Self {
        Self { volume: Volume::Quiet, color: false, interactive: false }
    }

    /// Whether progress is drawn.
    pub(crate) fn draws(self) -> bool {
        self.interactive && self.volume > Volume::Quiet
    }

    /// Whether details are wanted.
    pub(crate) fn is_verbose(self) -> bool {
        self.volume == Volume::Verbose
    }

    /// A sentence.
    pub(crate) fn say(self, text: &str) {
        if self.volume > Volume::Quiet {
            eprintln!("{text}");
        }
    }

    /// Takes away the bar that may be drawn on the current line.
    pub(crate) fn erase_bar(self) {
        if self.draws() {
            eprint!("{ERASE_LINE}");
        }
    }

    /// A sentence that counts most.
    pub(crate) fn headline(self, text: &str) {
        self.say(&self.painted("1", text));
    }

    /// Something that a careful user wants to know.
    pub(crate) fn note(self, text: &str) {
        self.say(&format!("{} {text}", self.painted("33", "note:")));
    }

    /// A detail, for `-v`.
    pub(crate) fn detail(self, text: &str) {
        if self.is_verbose() {
            self.say(&self.painted("2", text));
        }
    }

    /// An error; `-q` does not silence it.
    pub(crate) fn error(self, error: &anyhow::Error) {
        eprintln!("{} {error:#}", self.painted("1;31", "error:"));
        if let Some(hint) = crate::failure::hint(error) {
            eprintln!("{} {hint}", self.painted("36", "hint:"));
        }
    }

    fn painted(self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
