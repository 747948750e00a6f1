//! Makes a map of a data set and writes it.

use crate::{
    args::{InitArg, MapArgs, MemoryArgs},
    atlas::{Atlas, Known},
    failure,
    images::Images,
    interrupt, memory,
    numbers::duration,
    output::Output,
    picture::Picture,
    progress::Watch,
    report::Report,
    stages, start,
    summary::{self, Nouns},
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::{Affinities, Embedding, Kernel, Normalization, Similarities, Space, init::Init, observe::Stage};
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
pub(crate) struct Mapped<'a> {
    /// The similarities before normalisation.
    pub(crate) similarities: Similarities<'a>,
    /// The similarities after normalisation.
    pub(crate) p: Affinities,
    /// The map.
    pub(crate) embedding: Embedding,
}

/// If an embedding is estimated to take more seconds than this, a note is printed.
const LONG: f64 = 120.0;

/// Makes a map of a data set.
pub(crate) fn make<'a>(
    loaded: &'a Loaded,
    nouns: Nouns,
    map: &MapArgs,
    limits: &MemoryArgs,
    watch: &mut Watch,
    terminal: Terminal,
) -> Result<Mapped<'a>> {
    let dataset = &loaded.dataset;
    let (similarities, p) = stages::normalize(dataset, &map.similarity, &map.normalize, map.embed.seed, limits, watch)?;
    summary::similarities(terminal, &similarities, nouns);
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
    Ok(Mapped { similarities, p, embedding })
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
    /// An image of each item of the input.
    pub(crate) images: Option<&'a Images>,
    /// The files for the map.
    pub(crate) outputs: &'a [Output],
    /// The file for the report.
    pub(crate) report: Option<&'a Path>,
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
    let Mapped { similarities, p, embedding } = mapped;
    summary::embedding(terminal, embedding, watch.seconds().optimize);
    watch.begin(Stage::Write);
    let mut items = loaded.dataset.items.select(p.kept());
    let degree = if destination.outputs.iter().any(Output::has_columns) {
        let all = similarities.similarity.degrees();
        let all = all.map_err(|error| failure::of_library(error, &loaded.dataset.items))?;
        Some(p.kept().iter().map(|&i| all[i]).collect::<Vec<f64>>())
    } else {
        None
    };
    let atlas = degree.as_deref().and_then(|degree| {
        let known = Known::of(&loaded.dataset, p.kept(), Some(degree));
        Atlas::of(&items, embedding.space, &embedding.coordinates.view(), known)
    });
    if let Some(atlas) = &atlas {
        atlas.add_columns(&mut items);
    }
    let table = EmbeddingTable { items: &items, coordinates: embedding.coordinates.view(), radius: embedding.radius };
    let images = destination.images.map(|images| images.select(p.kept()));
    let states = watch.take_states();
    let picture = Picture {
        title: destination.title,
        subtitle: destination.subtitle,
        source: destination.source,
        name: method_name(p, embedding, destination.kernel),
        noun: destination.noun,
        items: &items,
        space: embedding.space,
        coordinates: embedding.coordinates.view(),
        radius: embedding.radius,
        similar: Some(p.direct()),
        degree: degree.as_deref(),
        color: destination.color,
        states: &states,
        sprites: images.as_ref().map(Images::sprites),
        others: Vec::new(),
        measures: None,
        atlas: atlas.as_ref(),
    };
    let mut written = Vec::new();
    for output in destination.outputs {
        written.extend(output.write(&table, &picture)?);
    }
    watch.end();
    let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    if let Some(path) = destination.report {
        let mut report = Report::new(destination.input, loaded, similarities, p, Some(embedding), seed);
        report.seconds = watch.seconds();
        report.peak_rss_bytes = memory::peak();
        report.outputs.clone_from(&names);
        report.write(path)?;
    }
    let files = names.into_iter().chain(destination.report.map(|path| path.display().to_string()));
    let files: Vec<String> = files.collect();
    if !files.is_empty() {
        terminal.say(&format!("wrote {}", files.join(", ")));
    }
    if embedding.stopped || interrupt::asked() {
        terminal.note("stopped by Ctrl-C: this map is not finished; it is the state at the last step");
        return Ok(ExitCode::from(failure::INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}
