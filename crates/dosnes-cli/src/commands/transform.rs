//! `dosnes transform`: places new items on a map.

use crate::{
    args::TransformArgs,
    model::{MISFIT, PART, Purpose, of_model, read_new, with_old},
    naming::heading,
    numbers::{counted, duration},
    output::{Output, embedding_outputs, write_all},
    picture::Picture,
    progress::Watch,
    stages,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::input::{Items, Values};
use dosnes::ndarray::{ArrayView2, Axis, concatenate};
use dosnes::{Model, Space, transform};
use dosnes_io::EmbeddingTable;
use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Items with a larger misfit are named.
const STRANGE: f64 = 0.99;

/// Runs the command.
pub(crate) fn run(args: &TransformArgs, terminal: Terminal) -> Result<ExitCode> {
    let outputs = embedding_outputs(&args.output, &[], &[&args.input, &args.model], Space::Sphere)?;
    let model = stages::read_model(&args.model, &args.memory)?;
    let mut watch = Watch::new(terminal);
    let loaded = read_new(&args.input, &model, Purpose::Transform, &args.read, &args.memory, &mut watch, terminal)?;
    let mut items = loaded.dataset.items;
    let started = Instant::now();
    let placed = transform(&model, &loaded.dataset.data, &mut watch).map_err(|error| of_model(error, &items))?;
    watch.end();
    say(&placed.misfit, started.elapsed().as_secs_f64(), terminal);
    items.set_column(MISFIT, Values::Number(placed.misfit));
    write(&outputs, &model, &items, &placed.coordinates.view(), &args.input, terminal)?;
    Ok(ExitCode::SUCCESS)
}

/// Says how many items were placed, and how many fit worse than nearly all items of the map.
fn say(misfit: &[f64], seconds: f64, terminal: Terminal) {
    let strange = misfit.iter().filter(|&&misfit| misfit > STRANGE).count();
    let share = 100.0 * strange as f64 / misfit.len().max(1) as f64;
    terminal.headline(&format!(
        "placed {} in {}; {share:.1} % of them fit worse than 99 % of the items of the map (see the column misfit)",
        counted(misfit.len(), "item", "items"),
        duration(seconds)
    ));
}

/// Writes the new items; pages and figures have the old ones too.
fn write(
    outputs: &[Output],
    model: &Model,
    items: &Items,
    coordinates: &ArrayView2<'_, f64>,
    input: &Path,
    terminal: Terminal,
) -> Result<()> {
    let table = EmbeddingTable { items, coordinates: coordinates.view(), radius: Some(model.radius()) };
    let ids: HashSet<&str> = items.ids.iter().map(String::as_str).collect();
    let old: Vec<usize> = (0..model.len()).filter(|&i| !ids.contains(model.ids()[i].as_str())).collect();
    let all_items = with_old(&old.iter().map(|&i| model.ids()[i].clone()).collect::<Vec<_>>(), items);
    let old_coordinates = model.coordinates().select(Axis(0), &old);
    let all = concatenate(Axis(0), &[old_coordinates.view(), coordinates.view()])?;
    let heading = heading(input);
    let both = EmbeddingTable { items: &all_items, coordinates: all.view(), radius: Some(model.radius()) };
    let picture = Picture { color: Some(PART), ..Picture::of_table(&both, &heading) };
    write_all(outputs, &table, &picture, terminal).map(|_| ())
}
