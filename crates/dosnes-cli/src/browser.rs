//! Opening a page in the browser.

use crate::terminal::Terminal;
use std::path::Path;

/// Opens a page in the browser. Where there is none, the file is still there.
pub(crate) fn show(page: &Path, terminal: Terminal) {
    if open::that_detached(page).is_err() {
        terminal.say(&format!("no browser could be started: open {} yourself", page.display()));
    }
}
