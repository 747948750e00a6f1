//! `dosnes embed`: reads, normalises, embeds, writes.

use crate::{
    args::EmbedArgs,
    failure::Failure,
    images::Images,
    mapping::{self, Destination},
    output::{Output, embedding_outputs, title},
    progress::Watch,
    stages, summary,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::observe::Recorder;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &EmbedArgs, terminal: Terminal) -> Result<ExitCode> {
    let map = args.map.clone().with_preset();
    let space = map.embed.space;
    let outputs = embedding_outputs(&args.output.output, args.output.report.as_deref(), Some(&args.input), space)?;
    let page = outputs.iter().any(Output::is_page);
    for (asked, option) in
        [(args.page.snapshots.is_some(), "--snapshots"), (args.page.images.image_size.is_some(), "--image-size")]
    {
        if asked && !page {
            return Err(Failure::BadInput(format!(
                "{option} is only for pages; add a page to the outputs, such as -o globe.html"
            ))
            .into());
        }
    }
    let mut watch = Watch::new(terminal);
    let loaded = stages::read(&args.input, &args.read, &args.memory, &mut watch, terminal)?;
    let nouns = summary::nouns(loaded.dataset.data.kind());
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
    let mapped = mapping::make(&loaded, nouns, &map, &args.memory, &mut watch, terminal)?;
    let destination = Destination {
        input: &args.input.display().to_string(),
        title: &title(&args.input),
        subtitle: "",
        source: "",
        noun: nouns.1,
        kernel: map.embed.kernel,
        color: None,
        images: images.as_ref(),
        outputs: &outputs,
        report: args.output.report.as_deref(),
    };
    mapping::finish(&loaded, &mapped, &destination, map.embed.seed, watch, terminal)
}
