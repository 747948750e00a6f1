//! Turns the contents of a file into a dataset, by the rules in the documentation of the crate.
//!
//! The kind of data is decided here and nowhere else. Tables are looked at twice: [`layout`] decides from their first rows
//! whether the rows are edges, so that they can be read as such; what results comes here like the contents of any other
//! file.

mod aggregates;
mod codes;
pub(crate) mod coordinates;
pub(crate) mod halves;
pub(crate) mod layout;
mod magnitude;
pub(crate) mod matrix;
mod missing;
mod network;
pub(crate) mod pairs;
mod scale;
mod square;
mod totals;
pub(crate) mod unused;
mod weights;
mod without_numbers;

use dosnes::input::Dataset;

use crate::error::Error;
use crate::note::Note;
use crate::options::ReadOptions;
use crate::raw::{Contents, Parsed};

/// A dataset, and how it was interpreted.
pub(crate) struct Understood {
    pub(crate) dataset: Dataset,
    /// The sentence for the user.
    pub(crate) sentence: String,
    pub(crate) notes: Vec<Note>,
}

/// What a part of this module makes of the contents.
struct Interpretation {
    dataset: Dataset,
    /// What the contents were taken for, and why.
    what: String,
    notes: Vec<Note>,
}

/// Decides the kind of the contents, or checks that they can be of the requested kind, and makes the dataset.
pub(crate) fn understand(file: &str, parsed: Parsed, options: &ReadOptions) -> Result<Understood, Error> {
    let Parsed { description, contents, mut notes } = parsed;
    let interpretation = match contents {
        Contents::Matrix(raw) => matrix::interpret(file, raw, options)?,
        Contents::Network(network) => network::interpret(file, network, options)?,
    };
    let Interpretation { dataset, what, notes: more } = interpretation;
    for note in more {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    if options.kind.is_none() {
        notes.extend(aggregates::doubt(&dataset));
    }
    notes.retain(|note| !(options.cell_counts && *note == Note::RawCounts));
    let metadata = metadata_clause(&dataset);
    Ok(Understood { dataset, sentence: format!("{description}: {what}{metadata}"), notes })
}

/// Says which columns are metadata; names beyond the first few are counted.
fn metadata_clause(dataset: &Dataset) -> String {
    const SHOWN: usize = 6;
    let columns = &dataset.items.columns;
    let shown = columns.iter().take(SHOWN).map(|c| format!("\"{}\"", c.name)).collect::<Vec<_>>().join(", ");
    match columns.len() {
        0 => String::new(),
        1 => format!("; metadata column {shown}"),
        n if n <= SHOWN => format!("; metadata columns {shown}"),
        n => format!("; metadata columns {shown} and {} more", n - SHOWN),
    }
}
