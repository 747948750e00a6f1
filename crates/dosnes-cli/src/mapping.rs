//! Makes a map of a data set and writes it.

use crate::{
    args::{InitArg, MapArgs, MemoryArgs},
    failure,
    images::Images,
    interrupt::{self, Reason},
    memory,
    numbers::{counted, duration},
    output::{Output, beside_finished},
    picture::Picture,
    progress::Watch,
    report::Report,
    stages, start,
    summary::{self, Nouns},
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::{Affinities, Embedding, Kernel, Normalization, SimilarityReport, Space, init::Init, observe::Stage};
use dosnes_io::{EmbeddingTable, Loaded};
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
pub(crate) struct Mapped {
    /// How the similarities were computed.
    pub(crate) similarity: SimilarityReport,
    /// The similarities after normalisation.
    pub(crate) p: Affinities,
    /// The map.
    pub(crate) embedding: Embedding,
}

/// If an embedding is estimated to take more seconds than this, a note is printed.
const LONG: f64 = 120.0;

/// Makes a map of a data set.
pub(crate) fn make(
    loaded: &Loaded,
    nouns: Nouns,
    map: &MapArgs,
    limits: &MemoryArgs,
    watch: &mut Watch,
    terminal: Terminal,
) -> Result<Mapped> {
    let dataset = &loaded.dataset;
    let (similarities, p) = stages::normalize(dataset, &map.similarity, &map.normalize, map.embed.seed, limits, watch)?;
    let similarity = similarities.report;
    // They may take most of the memory.
    drop(similarities);
    summary::similarities(terminal, &similarity, dataset.items.len(), nouns);
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
        InitArg::File(path) => Init::Given(start::read(path, &dataset.items, p.kept(), options.space)?),
    };
    let embedding = dosnes::embed(&p, &options, watch)
        .map_err(|error| failure::of_library(error, &dataset.items.select(p.kept())))?;
    watch.end();
    Ok(Mapped { similarity, p, embedding })
}

/// Where the results of a run go.
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
    /// The files for the map.
    pub(crate) outputs: &'a [Output],
    /// The file for the report.
    pub(crate) report: Option<&'a Path>,
    /// Whether an unfinished map may replace an existing file.
    pub(crate) replace_finished: bool,
}

/// Prints a summary and writes the results.
pub(crate) fn finish(
    loaded: &Loaded,
    mapped: &Mapped,
    destination: &Destination<'_>,
    seed: u64,
    mut watch: Watch,
    terminal: Terminal,
) -> Result<ExitCode> {
    let Mapped { similarity, p, embedding } = mapped;
    let unfinished = Unfinished::of(embedding);
    summary::embedding(terminal, embedding, watch.seconds().optimize);
    watch.begin(Stage::Write);
    let items = loaded.dataset.items.select(p.kept());
    let table = EmbeddingTable { items: &items, coordinates: embedding.coordinates.view(), radius: embedding.radius };
    let images = destination.images.map(|images| images.select(p.kept()));
    let states = watch.take_states();
    let (title, subtitle) = match &unfinished {
        Some(unfinished) => (
            format!("{} (unfinished)", destination.title),
            format!("{} {}", unfinished.sentence(), destination.subtitle).trim_end().to_owned(),
        ),
        None => (destination.title.to_owned(), destination.subtitle.to_owned()),
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
        degree: Some(p.given_totals()),
        color: destination.color,
        size: destination.size,
        label: destination.label,
        states: &states,
        sprites: images.as_ref().map(Images::sprites),
        others: Vec::new(),
        measures: None,
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
        let mut report = Report::new(destination.input, loaded, similarity, p, Some(embedding), seed);
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
