//! An empty folder outside of the repository.

use std::path::{Path, PathBuf};

/// A temporary folder that is removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// An empty folder; its name contains the purpose.
    pub(crate) fn new(purpose: &str) -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("dosnes-{purpose}-{}", std::process::id()));
        // Left over from an earlier process with the same id that was killed.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(path))
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
