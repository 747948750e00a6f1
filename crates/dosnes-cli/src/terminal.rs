//! Messages, notes and errors on standard error, in colour if possible and wanted.

use crate::args::GlobalArgs;
use std::fmt::Arguments;
use std::io::{IsTerminal, Write, stderr};

/// Clears the line of the cursor.
pub(crate) const ERASE_LINE: &str = "\r\x1b[2K";

/// How much is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Volume {
    Quiet,
    Normal,
    Verbose,
}

/// How messages are printed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    volume: Volume,
    color: bool,
    /// Whether standard error is a terminal with cursor control, not a pipe or a file.
    interactive: bool,
}

impl Terminal {
    /// Settings from the options and the environment: `NO_COLOR` (<https://no-color.org>), `TERM=dumb`, pipes.
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

    /// Prints nothing.
    pub(crate) fn silent() -> Self {
        Self { volume: Volume::Quiet, color: false, interactive: false }
    }

    /// Whether progress bars are drawn.
    pub(crate) fn draws(self) -> bool {
        self.interactive && self.volume > Volume::Quiet
    }

    /// Whether details are printed.
    pub(crate) fn is_verbose(self) -> bool {
        self.volume == Volume::Verbose
    }

    /// Prints a message.
    pub(crate) fn say(self, text: &str) {
        self.print(&harmless(text));
    }

    fn print(self, text: &str) {
        if self.volume > Volume::Quiet {
            write(format_args!("{text}\n"));
        }
    }

    /// Erases the progress bar on the current line, if there is one.
    pub(crate) fn erase_bar(self) {
        if self.draws() {
            write(format_args!("{ERASE_LINE}"));
        }
    }

    /// Prints an important message.
    pub(crate) fn headline(self, text: &str) {
        self.print(&self.painted("1", &harmless(text)));
    }

    /// Prints a note that the user should know about.
    pub(crate) fn note(self, text: &str) {
        self.print(&format!("{} {}", self.painted("33", "note:"), harmless(text)));
    }

    /// Prints how a guess could be wrong, and the option that changes it.
    pub(crate) fn doubt(self, text: &str) {
        self.print(&format!("{} {}", self.painted("1;33", "unsure:"), harmless(text)));
    }

    /// Prints a detail, only with `-v`.
    pub(crate) fn detail(self, text: &str) {
        if self.is_verbose() {
            self.print(&self.painted("2", &harmless(text)));
        }
    }

    /// Prints an error, also with `-q`.
    pub(crate) fn error(self, error: &anyhow::Error) {
        write(format_args!("{} {}\n", self.painted("1;31", "error:"), harmless(&format!("{error:#}"))));
        if let Some(hint) = crate::failure::hint(error) {
            write(format_args!("{} {hint}\n", self.painted("36", "hint:")));
        }
    }

    fn painted(self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Writes to the standard error. If nobody reads it any more, such as a terminal that was closed, the work is worth more than its
/// messages: `eprintln!` would panic.
pub(crate) fn write(text: Arguments<'_>) {
    let _ = stderr().lock().write_fmt(text);
}

/// Number of columns of the terminal, if there is one or the environment names it.
pub(crate) fn columns() -> Option<usize> {
    let terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let named = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(named).filter(|&columns| columns > 0)
}

/// The text with its control characters written out: names in a file may contain codes that change colours or the title of
/// a terminal, and must not reach it.
pub(crate) fn harmless(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && c != '\n' && c != '\t' {
            clean.extend(c.escape_default());
        } else {
            clean.push(c);
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_a_terminal_are_written_out() {
        assert_eq!(harmless("a\x1b[31mEVIL\x07\nb ü"), "a\\u{1b}[31mEVIL\\u{7}\nb ü");
    }
}
