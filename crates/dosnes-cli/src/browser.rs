//! Opening a page in the browser.

use crate::terminal::Terminal;
use std::path::Path;

/// Opens a page in the browser. Without a browser, the user can open the file later.
pub(crate) fn show(page: &Path, terminal: Terminal) {
    if open::that_detached(page).is_err() {
        terminal.say(&format!("could not start a browser; open {} yourself", page.display()));
    }
}
