//! What people see, on the standard error: sentences, notes and errors, in colour where that is wanted.

#![allow(clippy::print_stderr, reason = "speaking to people is what this module is for")]

use crate::args::GlobalArgs;
use std::io::{IsTerminal, stderr};

/// How to speak.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    quiet: bool,
    verbose: bool,
    color: bool,
    /// A terminal that can be written over; never a pipe or a file.
    interactive: bool,
}

impl Terminal {
    /// By options and surroundings: `NO_COLOR` (<https://no-color.org>), `TERM=dumb`, pipes.
    pub(crate) fn new(global: &GlobalArgs) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let interactive = stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Self { quiet: global.quiet, verbose: global.verbose, color: interactive && !is_set("NO_COLOR"), interactive }
    }

    /// Says nothing at all.
    pub(crate) fn silent() -> Self {
        Self { quiet: true, verbose: false, color: false, interactive: false }
    }

    /// Whether progress is drawn.
    pub(crate) fn draws(self) -> bool {
        self.interactive && !self.quiet
    }

    /// Whether details are wanted.
    pub(crate) fn is_verbose(self) -> bool {
        self.verbose
    }

    /// A sentence.
    pub(crate) fn say(self, text: &str) {
        if !self.quiet {
            eprintln!("{text}");
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
        if self.verbose {
            self.say(&self.painted("2", text));
        }
    }

    /// An error; `-q` does not silence it.
    pub(crate) fn error(self, error: &anyhow::Error) {
        eprintln!("{} {error:#}", self.painted("1;31", "error:"));
    }

    fn painted(self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
