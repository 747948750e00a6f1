//! `dosnes normalize`: the doubly stochastic similarities as a matrix.

use crate::{
    args::NormalizeCommandArgs,
    memory,
    output::{check_ending, check_files},
    progress::Watch,
    report::Report,
    stages, summary,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::observe::Stage;
use std::path::Path;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &NormalizeCommandArgs, terminal: Terminal) -> Result<ExitCode> {
    for path in &args.output {
        check_ending(path, &["mtx", "npz"])?;
    }
    let further = args.names.as_deref().into_iter().chain(args.report.as_deref());
    let files: Vec<&Path> = args.output.iter().map(AsRef::as_ref).chain(further).collect();
    check_files(files.iter().copied(), &[&args.input])?;
    let mut watch = Watch::new(terminal);
    let loaded = stages::read(&args.input, &args.read, &args.memory, &mut watch, terminal)?;
    let dataset = &loaded.dataset;
    let (similarities, p) =
        stages::normalize(dataset, &args.similarity, &args.normalize, args.seed, &args.memory, &mut watch)?;
    let nouns = summary::nouns(&loaded, &args.read);
    summary::similarities(terminal, &similarities.facts(), similarities.similarity.len(), nouns);
    summary::normalization(terminal, &p, &dataset.items, nouns);
    watch.begin(Stage::Write);
    let matrix = p.to_input_rows();
    for path in &args.output {
        dosnes_io::write_matrix(path, &matrix)?;
    }
    if let Some(path) = &args.names {
        dosnes_io::atomic_write(path, |out| dataset.items.ids.iter().try_for_each(|id| writeln!(out, "{id}")))?;
    }
    watch.end();
    if let Some(path) = &args.report {
        let mut report =
            Report::new(&args.input.display().to_string(), &loaded, &similarities.facts(), &p, None, args.seed);
        report.seconds = watch.seconds();
        report.peak_rss_bytes = memory::peak();
        report.outputs = args.output.iter().map(|path| path.display().to_string()).collect();
        report.write(path)?;
    }
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    terminal.say(&format!("wrote {}", names.join(", ")));
    Ok(ExitCode::SUCCESS)
}
