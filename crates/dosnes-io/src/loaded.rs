//! The result of reading a file.

use dosnes::input::Dataset;

use crate::note::Note;
use crate::options::Format;

/// A dataset, and how it was interpreted.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Loaded {
    /// The data.
    pub dataset: Dataset,
    /// The format of the file.
    pub format: Format,
    /// How the file was interpreted, in one sentence for the user.
    pub detected: String,
    /// Notes for the user.
    pub notes: Vec<Note>,
}

impl Loaded {
    /// The same file with other data, such as a part of them.
    #[must_use]
    pub fn with_dataset(&self, dataset: Dataset) -> Self {
        Self { dataset, format: self.format, detected: self.detected.clone(), notes: self.notes.clone() }
    }

    /// The notes that say where the reading is a guess.
    pub fn doubts(&self) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(|note| note.is_doubt())
    }
}
