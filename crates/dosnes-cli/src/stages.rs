//! The stages in a row, as all commands run them: read, similarities, normalise, embed.

use crate::{
    args::{MemoryArgs, NormalizeArgs, ReadArgs, SimilarityArgs},
    estimate, failure, interrupt,
    progress::{Phase, Watch},
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::{
    DoublyStochastic, Similarities,
    input::{Data, Dataset},
    observe::Stage,
};
use dosnes_io::Loaded;
use std::path::Path;

/// Reads a file, and says how it was understood.
pub(crate) fn read(
    path: &Path,
    args: &ReadArgs,
    memory: &MemoryArgs,
    watch: &mut Watch,
    terminal: Terminal,
) -> Result<Loaded> {
    estimate::check_file(path, memory)?;
    watch.begin(Phase::Read);
    let loaded = dosnes_io::read(path, &args.options())?;
    watch.end();
    interrupt::check()?;
    if args.transpose && !matches!(loaded.dataset.data, Data::Points(_) | Data::Dyadic(_)) {
        let kind = loaded.dataset.data.kind();
        let problem = format!("--transpose is for points and dyadic data, and {} is read as {kind}", path.display());
        return Err(failure::Failure::BadInput(problem).into());
    }
    describe(&path.display().to_string(), &loaded, terminal);
    Ok(loaded)
}

/// Says how a file was understood.
pub(crate) fn describe(name: &str, loaded: &Loaded, terminal: Terminal) {
    terminal.say(&format!("{name}: {}", loaded.detected));
    for note in &loaded.notes {
        terminal.note(&note.to_string());
    }
}

/// From data to doubly stochastic similarities.
pub(crate) fn doubly_stochastic(
    dataset: &Dataset,
    similarity: &SimilarityArgs,
    normalize: &NormalizeArgs,
    seed: u64,
    memory: &MemoryArgs,
    watch: &mut Watch,
) -> Result<(Similarities, DoublyStochastic)> {
    let similarity_params = similarity.params(seed);
    let normalize_params = normalize.params(estimate::dense_limit(memory));
    estimate::check(estimate::estimate(&dataset.data, &similarity_params, normalize_params.method), memory)?;
    let of_library = |error| failure::of_library(error, &dataset.items);
    let similarities = dosnes::similarities(&dataset.data, &similarity_params, watch).map_err(of_library)?;
    interrupt::check()?;
    watch.begin(Phase::Library(Stage::Normalize));
    let p = dosnes::normalize(&similarities.similarity, &normalize_params).map_err(of_library)?;
    watch.end();
    interrupt::check()?;
    Ok((similarities, p))
}
