//! `dosnes embed`: read, normalise, embed, write.

use crate::{
    args::{EmbedArgs, InitArg, MapArgs, MemoryArgs},
    estimate, failure,
    failure::Failure,
    images::Images,
    interrupt,
    numbers::duration,
    output::{Output, embedding_outputs},
    picture::Picture,
    progress::{Phase, Watch},
    report::{Report, kept_items},
    snapshots::Recorder,
    stages, start,
    summary::{self, Nouns},
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::{
    DoublyStochastic, Embedding, Similarities,
    init::Init,
    normalize::{Method, degrees},
    optimize::Space,
    repulsion::Kernel,
};
use dosnes_io::{EmbeddingTable, Loaded};
use std::path::Path;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &EmbedArgs, terminal: Terminal) -> Result<ExitCode> {
    let space = args.map.embed.params().space;
    let outputs = embedding_outputs(&args.output.output, args.output.report.as_deref(), Some(&args.input), space)?;
    let page = outputs.iter().any(Output::is_page);
    for (asked, option) in
        [(args.page.snapshots.is_some(), "--snapshots"), (args.page.images.image_size.is_some(), "--image-size")]
    {
        if asked && !page {
            return Err(Failure::BadInput(format!("{option} is for the page; add one, such as -o globe.html")).into());
        }
    }
    let mut watch = Watch::new(terminal);
    let loaded = stages::read(&args.input, &args.read, &args.memory, &mut watch, terminal)?;
    let nouns = summary::nouns(&loaded.dataset.data);
    let images = Images::read(
        args.page.images.images.as_deref(),
        args.page.images.image_size,
        &loaded.dataset.items,
        Some(&loaded.dataset.data),
        &args.input,
    )?;
    if let Some(most) = args.page.snapshots {
        watch.record(Recorder::new(most));
    }
    let made = make(&loaded, nouns, &args.map, &args.memory, &mut watch, terminal)?;
    let destination = Destination {
        input: &args.input.display().to_string(),
        title: &title(&args.input),
        noun: nouns.1,
        kernel: args.map.embed.params().kernel,
        color: None,
        images: images.as_ref(),
        outputs: &outputs,
        report: args.output.report.as_deref(),
    };
    finish(&loaded, &made, &destination, args.map.embed.seed, watch, terminal)
}

/// What a map is called by those who know the method.
fn method_name(p: &DoublyStochastic, embedding: &Embedding, kernel: Kernel) -> &'static str {
    match (p.account().method, embedding.space, kernel) {
        (Method::None, Space::Plane | Space::Space, Kernel::Cauchy) => "t-SNE",
        (Method::None, Space::Plane | Space::Space, Kernel::Gaussian) => "s-SNE",
        (Method::None, Space::Sphere, _) => "SNE on the sphere",
        (_, Space::Sphere, _) => "DOSNES",
        (_, Space::Plane | Space::Space, _) => "doubly stochastic SNE",
    }
}

/// A file's name without its endings.
pub(crate) fn title(path: &Path) -> String {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    name.split('.').find(|part| !part.is_empty()).unwrap_or(&name).to_owned()
}

/// A map, and the similarities that it is of.
pub(crate) struct Made {
    /// How the similarities came about.
    pub(crate) similarities: Similarities,
    /// The similarities.
    pub(crate) p: DoublyStochastic,
    /// The map.
    pub(crate) embedding: Embedding,
}

/// An embedding that is estimated to take more seconds than these is announced.
const LONG: f64 = 120.0;

/// Makes a map of what was read.
pub(crate) fn make(
    loaded: &Loaded,
    nouns: Nouns,
    map: &MapArgs,
    memory: &MemoryArgs,
    watch: &mut Watch,
    terminal: Terminal,
) -> Result<Made> {
    let dataset = &loaded.dataset;
    let (similarities, p) =
        stages::doubly_stochastic(dataset, &map.similarity, &map.normalize, map.embed.seed, memory, watch)?;
    summary::similarities(terminal, &similarities, nouns);
    summary::normalization(terminal, &p, &dataset.items, nouns);
    let mut params = map.embed.params();
    let seconds = estimate::embedding_seconds(p.matrix().rows(), p.matrix().nnz(), &params);
    if seconds > LONG {
        terminal.note(&format!("embedding will take roughly {}; Ctrl-C writes what there is", duration(seconds)));
    }
    params.init = match &map.embed.init {
        InitArg::Auto => Init::Auto,
        InitArg::Random => Init::Random,
        InitArg::Spectral => Init::Spectral,
        InitArg::File(path) => Init::Given(start::read(path, &dataset.items, p.kept(), params.space)?),
    };
    let embedding = dosnes::embed(&p, &params, watch)
        .map_err(|error| failure::of_library(error, &kept_items(&dataset.items, &p)))?;
    watch.end();
    Ok(Made { similarities, p, embedding })
}

/// Where the results of a run go.
pub(crate) struct Destination<'a> {
    /// What the input is called.
    pub(crate) input: &'a str,
    /// The heading of pictures.
    pub(crate) title: &'a str,
    /// What one calls the items, in the plural.
    pub(crate) noun: &'a str,
    /// The map's similarity.
    pub(crate) kernel: Kernel,
    /// The column that pictures are coloured by at first.
    pub(crate) color: Option<&'a str>,
    /// An image of each item of the input.
    pub(crate) images: Option<&'a Images>,
    /// The map.
    pub(crate) outputs: &'a [Output],
    /// The account.
    pub(crate) report: Option<&'a Path>,
}

/// Says what came out, and writes it.
pub(crate) fn finish(
    loaded: &Loaded,
    made: &Made,
    destination: &Destination<'_>,
    seed: u64,
    mut watch: Watch,
    terminal: Terminal,
) -> Result<ExitCode> {
    let Made { similarities, p, embedding } = made;
    summary::embedding(terminal, embedding, watch.seconds().optimize);
    watch.begin(Phase::Write);
    let items = kept_items(&loaded.dataset.items, p);
    let table = EmbeddingTable { items: &items, coordinates: embedding.coordinates.view(), radius: embedding.radius };
    let degree = destination.outputs.iter().any(Output::is_picture).then(|| {
        let all = degrees(&similarities.similarity.symmetric());
        p.kept().iter().map(|&i| all[i]).collect::<Vec<f64>>()
    });
    let images = destination.images.map(|images| images.select(p.kept()));
    let states = watch.take_states();
    let picture = Picture {
        title: destination.title,
        name: method_name(p, embedding, destination.kernel),
        noun: destination.noun,
        items: &items,
        space: embedding.space,
        coordinates: embedding.coordinates.view(),
        radius: embedding.radius,
        p: Some(p.matrix()),
        degree: degree.as_deref(),
        color: destination.color,
        states: &states,
        sprites: images.as_ref().map(Images::sprites),
        others: Vec::new(),
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
        report.peak_rss_bytes = estimate::peak();
        report.outputs.clone_from(&names);
        report.write(path)?;
    }
    let files = names.into_iter().chain(destination.report.map(|path| path.display().to_string()));
    let files: Vec<String> = files.collect();
    if !files.is_empty() {
        terminal.say(&format!("wrote {}", files.join(", ")));
    }
    if embedding.stopped || interrupt::asked() {
        terminal.note("stopped by Ctrl-C: this is the map as it was at that step, not a finished one");
        return Ok(ExitCode::from(failure::INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}
