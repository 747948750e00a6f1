//! `dosnes embed`: reads, normalises, embeds, writes.

use crate::{
    args::{EmbedArgs, InitArg, MapArgs, MemoryArgs},
    browser,
    checkpoint::Saver,
    failure::Failure,
    fix::Fix,
    images::Images,
    landmarks,
    like::Like,
    mapping::{self, Destination, Earlier},
    model,
    naming::{heading, things},
    output::{Output, embedding_outputs, title},
    picture::check_look,
    progress::Watch,
    stages, summary,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::{observe::Recorder, ranks::Communicator};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &EmbedArgs, ranks: &dyn Communicator, terminal: Terminal) -> Result<ExitCode> {
    run_from(args, None, ranks, terminal)
}

/// Runs the command from the beginning, or continues it.
pub(crate) fn run_from(
    args: &EmbedArgs,
    continued: Option<Saver>,
    ranks: &dyn Communicator,
    terminal: Terminal,
) -> Result<ExitCode> {
    let map = args.map.clone().with_preset();
    let space = map.embed.space;
    check_options(&map, &args.memory)?;
    let asked = &args.output;
    let model_path = args.growth.model.as_deref();
    let by_default = asked.output.is_empty() && asked.report.is_none() && model_path.is_none();
    let page_path = default_page(&args.input);
    let paths = if by_default { std::slice::from_ref(&page_path) } else { &asked.output[..] };
    let others = [asked.report.as_deref(), args.checkpoint.checkpoint.as_deref(), model_path];
    let others: Vec<&Path> = others.into_iter().flatten().collect();
    let read: Vec<&Path> = std::iter::once(args.input.as_path()).chain(args.places.like.as_deref()).collect();
    let outputs = embedding_outputs(paths, &others, &read, space)?;
    if let Some(path) = model_path {
        model::check(path, &map, &args.read)?;
    }
    let like = args.places.like.as_deref().map(|path| Like::read(path, &map, &args.memory)).transpose()?;
    let fix = args.places.fix.as_deref().map(|path| Fix::read(path, &map, &args.places, &args.memory)).transpose()?;
    if args.places.landmarks.is_some() {
        landmarks::check(args, &map)?;
    }
    let page = outputs.iter().any(Output::is_page);
    let caption = &args.page.caption;
    for (asked, option) in [
        (args.page.snapshots.is_some(), "--snapshots"),
        (args.page.images.image_size.is_some(), "--image-size"),
        (!caption.subtitle.is_empty(), "--subtitle"),
        (!caption.source.is_empty(), "--source"),
    ] {
        if asked && !page {
            return Err(Failure::BadInput(format!(
                "{option} is only for pages; add a page to the outputs, such as -o globe.html"
            ))
            .into());
        }
    }
    let mut saver = match continued {
        Some(saver) => Some(saver),
        None => Saver::begin(&args.checkpoint, &inputs(args))?,
    };
    let mut watch = Watch::new(terminal);
    let mut loaded = stages::read(&args.input, &args.read, &args.memory, &mut watch, terminal)?;
    if model_path.is_some() {
        model::check_kind(loaded.dataset.data.kind())?;
    }
    if let Some(like) = &like {
        like.check(&loaded.dataset.items, terminal)?;
    }
    if let Some(fix) = &fix {
        fix.check(&loaded.dataset.items, terminal)?;
    }
    check_look(&loaded.dataset.items, &args.page.look, &args.input)?;
    let nouns = summary::nouns(&loaded, &args.read);
    let images = Images::read(
        args.page.images.images.as_deref(),
        args.page.images.image_size,
        &loaded.dataset.items,
        Some(&loaded.dataset.data),
        &args.input,
    )?;
    // What the user calls the items says more than what kind of data they are.
    let noun = match (args.read.items.as_deref().and_then(things), &images) {
        (Some(things), _) => things,
        (None, Some(_)) => "images".to_owned(),
        (None, None) => nouns.1.to_owned(),
    };
    let destination = Destination {
        input: &args.input.display().to_string(),
        title: &caption.title.clone().unwrap_or_else(|| heading(&args.input)),
        subtitle: &caption.subtitle,
        source: &caption.source,
        noun: &noun,
        kernel: map.embed.kernel,
        color: args.page.look.color.as_deref(),
        size: args.page.look.size.as_deref(),
        label: args.page.look.label.as_deref(),
        images: images.as_ref(),
        flat: None,
        outputs: &outputs,
        report: args.output.report.as_deref(),
        replace_finished: args.checkpoint.replace_finished,
        registered: None,
    };
    if let Some(asked) = args.places.landmarks {
        return landmarks::run(asked, args, &map, &loaded, nouns, &destination, watch, terminal);
    }
    if let Some(most) = args.page.snapshots {
        watch.record(Recorder::new(most));
    }
    let keep = model_path.is_some();
    let (limits, earlier) = (&args.memory, Earlier { like: like.as_ref(), fix: fix.as_ref() });
    let released = if keep { None } else { mapping::release(&mut loaded) };
    let mut mapped = mapping::make(
        &loaded,
        released,
        nouns,
        &map,
        limits,
        keep,
        earlier,
        ranks,
        saver.as_mut(),
        &mut watch,
        terminal,
    )?;
    let register = |like: &Like| like.register(&loaded.dataset.items.select(mapped.p.kept()), &mut mapped.embedding);
    let registered = like.as_ref().map(register).transpose()?;
    let destination = Destination { registered: registered.as_ref(), ..destination };
    let code = mapping::finish(&loaded, &mapped, &destination, map.embed.seed, watch, terminal)?;
    if let Some(path) = model_path {
        model::write_unless_stopped(path, &loaded, &mapped, &map, terminal)?;
    }
    match saver {
        Some(saver) if mapped.embedding.stopped && saver.can_continue() => {
            terminal.say(&format!("to continue: {}", saver.command()));
        }
        Some(saver) if !mapped.embedding.stopped => saver.finish()?,
        _ => {}
    }
    if by_default && !asked.no_open && terminal.draws() && std::io::stdout().is_terminal() {
        browser::show(&page_path, terminal);
    }
    Ok(code)
}

/// All files that are read.
fn inputs(args: &EmbedArgs) -> Vec<&Path> {
    let init = match &args.map.embed.init {
        InitArg::File(path) => Some(path.as_path()),
        _ => None,
    };
    let side = [&args.read.items, &args.read.partners, &args.page.images.images, &args.places.like, &args.places.fix];
    std::iter::once(args.input.as_path()).chain(side.into_iter().flatten().map(PathBuf::as_path)).chain(init).collect()
}

/// The page of a run without outputs: the name of the input with .html, in the current folder.
fn default_page(input: &Path) -> PathBuf {
    let name = if input == Path::new("-") { "dosnes".to_owned() } else { title(input) };
    PathBuf::from(format!("{name}.html"))
}

/// Finds mistakes in options before the work, not after it.
fn check_options(map: &MapArgs, memory: &MemoryArgs) -> Result<()> {
    if let InitArg::File(path) = &map.embed.init {
        let columns = stages::read_map(path, memory)?.coordinates.ncols();
        let dimensions = map.embed.space.dimensions();
        if columns != dimensions {
            let problem = format!("the initial positions have {columns} coordinates, but the map needs {dimensions}");
            return Err(Failure::BadInput(format!("{}: {problem}", path.display())).into());
        }
    }
    let numbers = [
        ("--perplexity", map.similarity.perplexity, 1.0),
        ("--exaggeration", map.embed.exaggeration, 1.0),
        ("--softness", map.normalize.softness, 0.0),
        ("--learning-rate", map.embed.learning_rate, 0.0),
    ];
    for (option, value, least) in numbers {
        if let Some(value) = value.filter(|&value| !(value.is_finite() && value >= least)) {
            return Err(Failure::BadInput(format!("{option} is {value}, but must be at least {least}")).into());
        }
    }
    Ok(())
}
