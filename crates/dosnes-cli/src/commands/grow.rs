//! `dosnes grow`: adds new items to a map.

use super::transform::with_old;
use crate::{
    args::GrowArgs,
    failure::{Failure, some_names},
    model::{check_name, of_model, read_new, save},
    numbers::{count, counted, duration},
    output::{check_files, embedding_outputs, title},
    picture::Picture,
    progress::Watch,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::{Model, Space, grow};
use dosnes_io::{EmbeddingTable, read_model};
use std::collections::HashSet;
use std::process::ExitCode;
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(args: &GrowArgs, terminal: Terminal) -> Result<ExitCode> {
    check_name(&args.model)?;
    let outputs = embedding_outputs(&args.output, None, None, Some(&args.input), Space::Sphere)?;
    let files = || args.output.iter().chain([&args.model]).map(std::path::PathBuf::as_path);
    check_files(files().filter(|path| *path != std::path::Path::new("-")), Some(&args.old))?;
    let model = read_model(&args.old)?;
    let mut watch = Watch::new(terminal);
    let loaded = read_new(&args.input, &model, &args.read, &args.memory, &mut watch, terminal)?;
    let items = loaded.dataset.items;
    check_names(&model, &items)?;
    let started = Instant::now();
    let larger = grow(&model, &items.ids, &loaded.dataset.data, &mut watch).map_err(|error| of_model(error, &items))?;
    watch.end();
    terminal.headline(&format!(
        "added {} to {} that stay where they are, in {}",
        counted(items.len(), "item", "items"),
        count(model.len()),
        duration(started.elapsed().as_secs_f64())
    ));
    save(&args.model, &larger, terminal)?;
    let all = with_old(model.ids(), &items);
    let table = EmbeddingTable { items: &all, coordinates: larger.coordinates(), radius: Some(larger.radius()) };
    let heading = title(&args.input);
    let picture = Picture { color: Some("part"), ..Picture::of_table(&table, &heading) };
    let mut written = Vec::new();
    for output in &outputs {
        written.extend(output.write(&table, &picture)?.iter().map(|path| path.display().to_string()));
    }
    if !written.is_empty() {
        terminal.say(&format!("wrote {}", written.join(", ")));
    }
    Ok(ExitCode::SUCCESS)
}

/// New items must not have the names of old ones.
fn check_names(model: &Model, items: &dosnes::input::Items) -> Result<()> {
    let old: HashSet<&str> = model.ids().iter().map(String::as_str).collect();
    let known: Vec<usize> = (0..items.len()).filter(|&i| old.contains(items.ids[i].as_str())).collect();
    if known.is_empty() {
        return Ok(());
    }
    Err(Failure::BadInput(format!(
        "{} of the new items have the ids of items that are on the map already: {}; leave them out, or give the new items ids of \
         their own (--id)",
        count(known.len()),
        some_names(&known, items)
    ))
    .into())
}
