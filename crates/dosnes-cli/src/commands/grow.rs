//! `dosnes grow`: adds new items to a map.

use crate::{
    args::GrowArgs,
    failure::{Failure, some_names},
    model::{PART, Purpose, check_name, of_model, read_new, save, with_old},
    numbers::{count, counted, duration},
    output::{embedding_outputs, title, write_all},
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
    let inputs = [args.old.as_path(), &args.input];
    let outputs = embedding_outputs(&args.output, &[&args.model], &inputs, Space::Sphere)?;
    let model = read_model(&args.old)?;
    let mut watch = Watch::new(terminal);
    let loaded = read_new(&args.input, &model, Purpose::Grow, &args.read, &args.memory, &mut watch, terminal)?;
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
    let picture = Picture { color: Some(PART), ..Picture::of_table(&table, &heading) };
    write_all(&outputs, &table, &picture, terminal)?;
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
