//! Reading and normalising, shared by all commands.

use crate::{
    args::{MemoryArgs, NormalizeArgs, ReadArgs, SimilarityArgs},
    failure::{self, Failure},
    interrupt, memory,
    progress::Watch,
    terminal::Terminal,
};
use anyhow::{Context, Result};
use dosnes::{
    Affinities, EmbedOptions, Estimate, Kind, Model, Similarities, Similarity,
    input::{Data, Dataset, Items},
    observe::{Observer, Stage},
};
use dosnes_io::{Checkpoint, Embedding, Loaded};
use std::io::Read;
use std::path::Path;

/// Reads a file and prints how it was interpreted.
pub(crate) fn read(
    path: &Path,
    args: &ReadArgs,
    memory: &MemoryArgs,
    watch: &mut Watch,
    terminal: Terminal,
) -> Result<Loaded> {
    watch.limit(memory);
    let loaded = if path == Path::new("-") {
        let bytes = standard_input(watch)?;
        dosnes_io::read_bytes("standard input", &bytes, &args.options(), watch)
    } else {
        memory::check_file(path, memory)?;
        dosnes_io::read(path, &args.options(), watch)
    };
    let loaded = loaded.map_err(failure::of_reader)?;
    watch.end();
    interrupt::check()?;
    let kind = loaded.dataset.data.kind();
    if args.transpose && !matches!(kind, Kind::Points | Kind::Dyadic) {
        let problem =
            format!("--transpose is only for points and dyadic data, but {} was read as {kind}", path.display());
        return Err(Failure::BadInput(problem).into());
    }
    describe(&path.display().to_string(), &loaded, terminal);
    Ok(loaded)
}

/// Reads a map, held to the limits: it may be compressed, too.
pub(crate) fn read_map(path: &Path, memory: &MemoryArgs) -> Result<Embedding> {
    dosnes_io::read_embedding(path, &mut limited(memory)).map_err(failure::of_reader)
}

/// Reads a model, held to the limits.
pub(crate) fn read_model(path: &Path, memory: &MemoryArgs) -> Result<Model> {
    dosnes_io::read_model(path, &mut limited(memory)).map_err(failure::of_reader)
}

/// Reads a checkpoint, held to the memory of the machine: what limits the run itself is in it.
pub(crate) fn read_checkpoint(path: &Path) -> Result<Checkpoint> {
    dosnes_io::read_checkpoint(path, &mut limited(&MemoryArgs::default())).map_err(failure::of_reader)
}

/// Watches the limits, and shows nothing.
fn limited(memory: &MemoryArgs) -> Watch {
    let mut watch = Watch::new(Terminal::silent());
    watch.limit(memory);
    watch
}

/// All of the standard input, unless a limit ends it.
fn standard_input(watch: &mut Watch) -> Result<Vec<u8>> {
    const PART: u64 = 1 << 20;
    watch.begin(Stage::Read);
    let (mut bytes, mut input) = (Vec::new(), std::io::stdin().lock());
    loop {
        bytes.try_reserve(PART as usize).map_err(|_| Failure::NotPossible(memory::NO_MORE.to_owned()))?;
        let count = input.by_ref().take(PART).read_to_end(&mut bytes).context("the standard input cannot be read")?;
        if count == 0 {
            return Ok(bytes);
        }
        if watch.progress(0.0).is_break() {
            return Err(Failure::Interrupted.into());
        }
    }
}

/// Prints how a file was interpreted.
pub(crate) fn describe(name: &str, loaded: &Loaded, terminal: Terminal) {
    terminal.say(&format!("{name}: {}", loaded.detected));
    for note in &loaded.notes {
        if note.is_doubt() {
            terminal.doubt(&note.to_string());
        } else {
            terminal.note(&note.to_string());
        }
    }
}

/// Turns data into the similarities that are embedded.
pub(crate) fn normalize<'a>(
    dataset: &'a Dataset,
    similarity: &SimilarityArgs,
    normalize: &NormalizeArgs,
    seed: u64,
    memory: &MemoryArgs,
    watch: &mut Watch,
) -> Result<(Similarities<'a>, Affinities)> {
    let source = Source { data: &dataset.data, items: &dataset.items, is_released: false };
    let similarities = similarities(source, similarity, normalize, seed, memory, watch)?;
    let p = equalize(dataset, similarities.similarity.borrowed(), normalize, memory, watch)?;
    Ok((similarities, p))
}

/// Whether nothing needs the data any more once their similarities are known, unless a model is made: of many points they are much
/// of the memory. If columns have names, they tell what is typical of a cluster.
pub(crate) fn may_release(dataset: &Dataset) -> bool {
    dataset.partners.is_none() && matches!(dataset.data, Data::Points(_))
}

/// Data whose similarities are asked for.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// The data.
    pub(crate) data: &'a Data<'static>,
    /// Their items.
    pub(crate) items: &'a Items,
    /// Whether the data are dropped as soon as the similarities are known.
    pub(crate) is_released: bool,
}

/// Turns data into similarities.
pub(crate) fn similarities<'a>(
    source: Source<'a>,
    similarity: &SimilarityArgs,
    normalize: &NormalizeArgs,
    seed: u64,
    memory: &MemoryArgs,
    watch: &mut Watch,
) -> Result<Similarities<'a>> {
    let Source { data, items, is_released } = source;
    let unused = similarity.unused(data.kind());
    if !unused.is_empty() {
        let kind = data.kind();
        watch.terminal().note(&format!("{} has no effect on data that are read as {kind}", unused.join(", ")));
    }
    let similarity_options = similarity.options(seed);
    let normalize_options = normalize.options(memory::dense_limit(memory));
    let estimate = Estimate::of(data, &similarity_options, &normalize_options, &EmbedOptions::default());
    let estimate = if is_released { estimate.without_data(data) } else { estimate };
    memory::check(&estimate, memory)?;
    dosnes::similarities(data, &similarity_options, watch).map_err(|error| failure::of_library(error, items).into())
}

/// Makes similarities doubly stochastic.
pub(crate) fn equalize(
    dataset: &Dataset,
    similarity: Similarity<'_>,
    normalize: &NormalizeArgs,
    memory: &MemoryArgs,
    watch: &mut Watch,
) -> Result<Affinities> {
    let options = normalize.options(memory::dense_limit(memory));
    let p = dosnes::normalize_owned(similarity, &options, watch)
        .map_err(|error| failure::of_library(error, &dataset.items))?;
    watch.end();
    interrupt::check()?;
    Ok(p)
}
