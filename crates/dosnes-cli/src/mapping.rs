//! Makes a map of a data set and writes it.

use crate::{
    args::{InitArg, MapArgs, MemoryArgs},
    atlas::{Atlas, Known},
    checkpoint::{Saver, Saving},
    failure::{self, Failure},
    fix::Fix,
    images::Images,
    interrupt::{self, Reason},
    like::{Like, Registered},
    memory,
    numbers::{bytes, count, counted, duration},
    output::{Output, beside_finished},
    picture::{NO_SIZE, Other, Picture},
    progress::Watch,
    registration::MOVED,
    report::Report,
    stages::{self, Source},
    start,
    summary::{self, Nouns},
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::{
    Affinities, Embedding, Kernel, Kind, Normalization, OptimizerState, Similarities, Similarity, SimilarityFacts,
    Space,
    init::Init,
    input::{Data, Values},
    ndarray::Array2,
    observe::Stage,
    ranks::{Communicator, Counted, Traffic},
};
use dosnes_io::{Checkpoint, CheckpointParts, EmbeddingTable, Loaded};
use dosnes_view::Given;
use std::path::Path;
use std::process::ExitCode;

/// The name of the method that made a map.
fn method_name(p: &Affinities, embedding: &Embedding, kernel: Kernel) -> &'static str {
    match (p.report().method, embedding.space, kernel) {
        (Normalization::None, Space::Plane | Space::Volume, Kernel::Cauchy) => "t-SNE",
        (Normalization::None, Space::Plane | Space::Volume, Kernel::Gaussian) => "s-SNE",
        (Normalization::Rows, Space::Plane | Space::Volume, Kernel::Cauchy) => "row-normalised t-SNE",
        (Normalization::Rows, Space::Plane | Space::Volume, Kernel::Gaussian) => "row-normalised s-SNE",
        (Normalization::None | Normalization::Rows | Normalization::Layout, Space::Sphere, _) => "SNE on the sphere",
        (Normalization::Layout, Space::Plane | Space::Volume, _) => "SNE",
        (_, Space::Sphere, _) => "DOSNES",
        (_, Space::Plane | Space::Volume, _) => "doubly stochastic SNE",
    }
}

/// A map, and the similarities from which it was made.
pub(crate) struct Mapped<'a> {
    /// How the similarities before normalisation were computed.
    pub(crate) facts: SimilarityFacts,
    /// The similarities before normalisation, if they were asked for and not read from a checkpoint.
    pub(crate) similarities: Option<Similarities<'a>>,
    /// The similarities after normalisation.
    pub(crate) p: Affinities,
    /// The map.
    pub(crate) embedding: Embedding,
    /// The step from which an interrupted run continued.
    pub(crate) resumed_from_step: Option<usize>,
}

/// What is known of the places of items beforehand.
#[derive(Clone, Copy, Default)]
pub(crate) struct Earlier<'a> {
    /// An earlier map.
    pub(crate) like: Option<&'a Like>,
    /// Items that stay where they are.
    pub(crate) fix: Option<&'a Fix>,
}

/// If an embedding is estimated to take more seconds than this, a note is printed.
const LONG: f64 = 120.0;

/// Takes the data out of a dataset, if that is possible. What is left has the same kind, and no items.
pub(crate) fn release(loaded: &mut Loaded) -> Option<Data<'static>> {
    let Data::Points(points) = &loaded.dataset.data else { return None };
    if !stages::may_release(&loaded.dataset) {
        return None;
    }
    let none = Data::from(Array2::<f32>::zeros((0, points.shape().1)));
    Some(std::mem::replace(&mut loaded.dataset.data, none))
}

/// Makes a map of a data set. `released`: its data, if they were taken out of it. `keep`: whether the similarities before
/// normalisation are needed afterwards. `ranks`: those that help; this is the first one.
#[allow(clippy::too_many_arguments, reason = "each is a thing of its own")]
pub(crate) fn make<'a>(
    loaded: &'a Loaded,
    released: Option<Data<'static>>,
    nouns: Nouns,
    map: &MapArgs,
    limits: &MemoryArgs,
    keep: bool,
    earlier: Earlier<'_>,
    ranks: &dyn Communicator,
    mut saver: Option<&mut Saver>,
    watch: &mut Watch,
    terminal: Terminal,
) -> Result<Mapped<'a>> {
    let dataset = &loaded.dataset;
    let before = saver.as_mut().and_then(|saver| saver.take_before());
    let (stage, state) = prepare(loaded, released, map, limits, keep, saver.as_deref_mut(), before, watch)?;
    let Prepared { facts, similarities, mut p } = stage;
    summary::similarities(terminal, &facts, dataset.items.len(), nouns);
    summary::normalization(terminal, &p, &dataset.items, nouns);
    let mut options = map.embed.options();
    let seconds = dosnes::embedding_seconds(p.len(), p.matrix().nnz() as u64, &options);
    if seconds > LONG {
        terminal.note(&format!(
            "the embedding will take roughly {}; press Ctrl-C to stop early and write the current map",
            duration(seconds)
        ));
    }
    options.init = match &map.embed.init {
        InitArg::Auto => Init::Auto,
        InitArg::Random => Init::Random,
        InitArg::Spectral => Init::Spectral,
        InitArg::File(path) => Init::Given(start::read(path, &dataset.items, p.kept(), options.space, limits)?),
    };
    if let Some(like) = earlier.like {
        like.begin(&dataset.items.select(p.kept()), &p, &mut options)?;
    }
    if let Some(fix) = earlier.fix {
        options.fixed = fix.fixed(&dataset.items.select(p.kept()), terminal)?;
    }
    let ranks = Counted::new(ranks);
    let resumed_from_step = state.as_ref().map(OptimizerState::iterations);
    let embedding = match saver {
        Some(saver) => {
            let mut saving = Saving { watch, saver, p: &p, facts };
            dosnes::optimize::resume_on(&ranks, &p, &options, state, &mut saving)
        }
        None => dosnes::optimize::embed_on(&ranks, &mut p, &options, watch),
    };
    let embedding = embedding.map_err(|error| failure::of_library(error, &dataset.items.select(p.kept())))?;
    watch.end();
    if ranks.size() > 1 {
        let Traffic { received, calls } = ranks.traffic();
        let (steps, received) = (count(embedding.iterations), bytes(received));
        terminal.detail(&format!(
            "  {} ranks, {steps} steps: the first one waited for others {} times, and received {received}",
            ranks.size(),
            count(calls as usize)
        ));
    }
    Ok(Mapped { facts, similarities, p, embedding, resumed_from_step })
}

/// What the optimizer and the outputs need of the data.
struct Prepared<'a> {
    facts: SimilarityFacts,
    similarities: Option<Similarities<'a>>,
    p: Affinities,
}

/// Similarities and P, or those of a checkpoint, with the state of the optimizer.
#[allow(clippy::too_many_arguments, reason = "each is a thing of its own")]
fn prepare<'a>(
    loaded: &'a Loaded,
    released: Option<Data<'static>>,
    map: &MapArgs,
    limits: &MemoryArgs,
    keep: bool,
    mut saver: Option<&mut Saver>,
    before: Option<Checkpoint>,
    watch: &mut Watch,
) -> Result<(Prepared<'a>, Option<OptimizerState>)> {
    let dataset = &loaded.dataset;
    let before = before.unwrap_or_default();
    let facts = before.facts.unwrap_or_default();
    if let Some(recording) = before.recording {
        watch.continue_recording(map.embed.space.dimensions(), recording);
    }
    if let Some(p) = before.affinities {
        if p.kept().len() + p.left_out().len() != dataset.items.len() {
            return Err(Failure::BadInput("the checkpoint is not one of this input".into()).into());
        }
        return Ok((Prepared { facts, similarities: None, p }, before.state));
    }
    let (similarity, normalize, seed) = (&map.similarity, &map.normalize, map.embed.seed);
    let similarities = if let Some(matrix) = before.neighbors {
        Similarities::of_neighbors(matrix, facts)
    } else if let Some(data) = released {
        let source = Source { data: &data, items: &dataset.items, is_released: true };
        stages::similarities(source, similarity, normalize, seed, limits, watch)?.into_owned()
    } else {
        let source = Source { data: &dataset.data, items: &dataset.items, is_released: false };
        stages::similarities(source, similarity, normalize, seed, limits, watch)?
    };
    let facts = similarities.facts();
    if let (Some(saver), Similarity::Neighbors(matrix)) = (saver.as_deref_mut(), &similarities.similarity) {
        let parts = CheckpointParts { facts: Some(&facts), neighbors: Some(matrix), ..CheckpointParts::default() };
        saver.write(parts, watch.terminal());
    }
    // They may take most of the memory.
    let (p, similarities) = if keep {
        let p = stages::equalize(dataset, similarities.similarity.borrowed(), &map.normalize, limits, watch)?;
        (p, Some(similarities))
    } else {
        (stages::equalize(dataset, similarities.similarity, &map.normalize, limits, watch)?, None)
    };
    if let Some(saver) = saver {
        let parts = CheckpointParts { facts: Some(&facts), affinities: Some(&p), ..CheckpointParts::default() };
        saver.write(parts, watch.terminal());
    }
    Ok((Prepared { facts, similarities, p }, None))
}

/// Where the results of a run go.
#[derive(Clone, Copy)]
pub(crate) struct Destination<'a> {
    /// The name of the input.
    pub(crate) input: &'a str,
    /// The title of pages and figures.
    pub(crate) title: &'a str,
    /// A sentence below the title of a page; may be empty.
    pub(crate) subtitle: &'a str,
    /// Where the data are from, on a page; may be empty.
    pub(crate) source: &'a str,
    /// The word for the items, in the plural.
    pub(crate) noun: &'a str,
    /// The kernel of the similarities on the map.
    pub(crate) kernel: Kernel,
    /// The column that sets the initial colours.
    pub(crate) color: Option<&'a str>,
    /// The column that sets the initial sizes.
    pub(crate) size: Option<&'a str>,
    /// The column with the names.
    pub(crate) label: Option<&'a str>,
    /// An image of each item of the input.
    pub(crate) images: Option<&'a Images>,
    /// A flat map of the same items, which a page wraps around the globe on request.
    pub(crate) flat: Option<Other<'a>>,
    /// The files for the map.
    pub(crate) outputs: &'a [Output],
    /// The file for the report.
    pub(crate) report: Option<&'a Path>,
    /// Whether an unfinished map may replace an existing file.
    pub(crate) replace_finished: bool,
    /// The earlier map onto which this one was laid.
    pub(crate) registered: Option<&'a Registered>,
}

/// Prints a summary and writes the results.
pub(crate) fn finish(
    loaded: &Loaded,
    mapped: &Mapped<'_>,
    destination: &Destination<'_>,
    seed: u64,
    mut watch: Watch,
    terminal: Terminal,
) -> Result<ExitCode> {
    let Mapped { facts, p, embedding, resumed_from_step, .. } = mapped;
    let unfinished = Unfinished::of(embedding);
    summary::embedding(terminal, embedding, watch.seconds().optimize);
    if let Some(registered) = destination.registered {
        registered.say(terminal);
    }
    watch.begin(Stage::Write);
    let mut items = loaded.dataset.items.select(p.kept());
    if let Some(registered) = destination.registered {
        items.set_column(MOVED, Values::Number(registered.moved.clone()));
    }
    let has_columns = destination.outputs.iter().any(Output::has_columns);
    let atlas = if has_columns {
        let known = Known::of(&loaded.dataset, p.kept(), Some(p.given_totals()));
        Atlas::of(&items, embedding.space, &embedding.coordinates.view(), known)
    } else {
        None
    };
    if let Some(atlas) = &atlas {
        atlas.add_columns(&mut items);
    }
    let table = EmbeddingTable { items: &items, coordinates: embedding.coordinates.view(), radius: embedding.radius };
    let images = destination.images.map(|images| images.select(p.kept()));
    let states = watch.take_states();
    let (states, others) = match destination.registered {
        Some(registered) => (registered.rotate(states)?, vec![earlier(registered)]),
        None => (states, Vec::new()),
    };
    let (title, subtitle) = match &unfinished {
        Some(unfinished) => (
            format!("{} (unfinished)", destination.title),
            format!("{} {}", unfinished.sentence(), destination.subtitle).trim_end().to_owned(),
        ),
        None => (destination.title.to_owned(), destination.subtitle.to_owned()),
    };
    let subtitle = match destination.registered {
        Some(registered) if registered.has_new => {
            let new = format!("Items that are not in {} are shown there at their new places.", registered.name);
            format!("{subtitle} {new}").trim_start().to_owned()
        }
        _ => subtitle,
    };
    let picture = Picture {
        title: &title,
        subtitle: &subtitle,
        source: destination.source,
        name: method_name(p, embedding, destination.kernel),
        noun: destination.noun,
        items: &items,
        space: embedding.space,
        coordinates: embedding.coordinates.view(),
        radius: embedding.radius,
        similar: Some(p.direct()),
        given: match &loaded.dataset.data {
            Data::Graph(matrix) | Data::Similarity(matrix) => Some(Given { matrix, rows: p.kept() }),
            _ => None,
        },
        degree: Some(p.given_totals()),
        color: destination.color.or(destination.registered.map(|_| MOVED)),
        // How many neighbours a point has nearby says little; sizes are for those who ask.
        size: destination
            .size
            .or(matches!(loaded.dataset.data.kind(), Kind::Points | Kind::Distance).then_some(NO_SIZE)),
        label: destination.label,
        states: &states,
        before: destination.registered.map(earlier),
        sprites: images.as_ref().map(Images::sprites),
        others,
        flat: destination.flat.map(Other::reborrow),
        measures: None,
        atlas: atlas.as_ref(),
    };
    let mut written = Vec::new();
    let keeps_older = unfinished.as_ref().is_some_and(Unfinished::is_unasked) && !destination.replace_finished;
    for output in destination.outputs {
        let output = if keeps_older { output.beside_finished() } else { output.clone() };
        written.extend(output.write(&table, &picture)?);
    }
    let report_path = destination.report.map(|path| if keeps_older { beside_finished(path) } else { path.to_owned() });
    watch.end();
    let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    if let Some(path) = &report_path {
        let mut report = Report::new(destination.input, loaded, facts, p, Some(embedding), seed);
        report.resumed_from_step = *resumed_from_step;
        report.seconds = watch.seconds();
        report.peak_rss_bytes = memory::peak();
        report.outputs.clone_from(&names);
        report.unfinished = unfinished.as_ref().map(|unfinished| unfinished.reason.name());
        report.write(path)?;
    }
    let files = names.into_iter().chain(report_path.map(|path| path.display().to_string()));
    let files: Vec<String> = files.collect();
    if !files.is_empty() {
        terminal.say(&format!("wrote {}", files.join(", ")));
    }
    if let Some(item) = embedding.misbehaved {
        let name = items.ids.get(item).map_or("", String::as_str);
        return Err(Failure::NotPossible(format!(
            "the optimizer met numbers that are not finite after {}, first at \"{name}\", and shorter steps did not help; the \
             last good map was written. Look at the data of this item, or try --init random",
            counted(embedding.iterations, "step", "steps")
        ))
        .into());
    }
    if let Some(unfinished) = &unfinished {
        terminal.note(&unfinished.note());
        return Ok(unfinished.reason.exit_code());
    }
    if let Some(reason @ Reason::Signal(_)) = interrupt::reason() {
        terminal.note(&format!("{} after the last step: the map is finished", reason.name()));
        return Ok(reason.exit_code());
    }
    Ok(ExitCode::SUCCESS)
}

/// The earlier map, beside the new one.
fn earlier(registered: &Registered) -> Other<'_> {
    Other {
        name: &registered.name,
        space: Space::Sphere,
        coordinates: registered.before.view(),
        radius: registered.radius,
    }
}

/// A map of a run that ended early.
struct Unfinished {
    reason: Reason,
    steps: usize,
}

impl Unfinished {
    fn of(embedding: &Embedding) -> Option<Self> {
        let reason = interrupt::reason().filter(|_| embedding.stopped)?;
        Some(Self { reason, steps: embedding.iterations })
    }

    /// Whether nobody asked for such a map beforehand. With a time limit, it was asked for.
    fn is_unasked(&self) -> bool {
        self.reason != Reason::TimeLimit
    }

    /// For the page.
    fn sentence(&self) -> String {
        format!("This map is unfinished: {} after {}.", self.reason.name(), counted(self.steps, "step", "steps"))
    }

    /// For the summary.
    fn note(&self) -> String {
        format!("{}: this map is not finished; it is the state at the last step", self.reason.name())
    }
}
