//! Real data that may not be bundled, for the tests of several crates, which include this file by `#[path]`.

use std::path::{Path, PathBuf};

/// The folder of data that may not be bundled: where `DOSNES_SHARED_DATA` says, else `../shared/data` beside the
/// repository.
///
/// Where the folder is missing, the test that asks prints that it is skipped and gets `None`. With
/// `DOSNES_REQUIRE_SHARED_DATA=1` a missing folder is a failure, so that a run that should use the data cannot pass
/// without them.
pub(crate) fn folder() -> Option<PathBuf> {
    // Every crate stands two levels below the root of the repository.
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("DOSNES_SHARED_DATA").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    let missing = format!("{} is not a folder; DOSNES_SHARED_DATA can name another one", folder.display());
    assert!(std::env::var_os("DOSNES_REQUIRE_SHARED_DATA").is_none_or(|required| required != "1"), "{missing}");
    println!("skipped: {missing}");
    None
}
