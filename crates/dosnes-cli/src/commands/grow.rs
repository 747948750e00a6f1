//! `dosnes grow`: adds new items to a map.

use crate::{
    args::GrowArgs,
    failure::{Failure, some_names},
    model::{PART, Purpose, check_name, of_model, read_new, save, with_old},
    naming::heading,
    numbers::{count, counted, duration},
    output::{embedding_outputs, write_all},
    picture::Picture,
    progress::Watch,
    registration::MOVED,
    stages,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::growth::{grow_free, less_than};
use dosnes::input::Values;
use dosnes::ndarray::ArrayView1;
use dosnes::{Model, Space, grow};
use dosnes_io::EmbeddingTable;
use std::collections::HashSet;
use std::process::ExitCode;
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(args: &GrowArgs, terminal: Terminal) -> Result<ExitCode> {
    check_name(&args.model)?;
    let inputs = [args.old.as_path(), &args.input];
    let outputs = embedding_outputs(&args.output, &[&args.model], &inputs, Space::Sphere)?;
    let model = stages::read_model(&args.old, &args.memory)?;
    let mut watch = Watch::new(terminal);
    let loaded = read_new(&args.input, &model, Purpose::Grow, &args.read, &args.memory, &mut watch, terminal)?;
    let items = loaded.dataset.items;
    check_names(&model, &items)?;
    let started = Instant::now();
    let add = if args.free { grow_free } else { grow };
    let larger = add(&model, &items.ids, &loaded.dataset.data, &mut watch).map_err(|error| of_model(error, &items))?;
    watch.end();
    let seconds = duration(started.elapsed().as_secs_f64());
    let added = format!("added {} to {}", counted(items.len(), "item", "items"), count(model.len()));
    let moved = args.free.then(|| angles(&model, &larger));
    match &moved {
        Some(moved) => terminal.headline(&format!(
            "{added} that may move, in {seconds}: half of these moved by less than {:.2} degrees, nine tenths by less than {:.2}",
            less_than(moved, 0.5),
            less_than(moved, 0.9)
        )),
        None => terminal.headline(&format!("{added} that stay where they are, in {seconds}")),
    }
    save(&args.model, &larger, terminal)?;
    let mut all = with_old(model.ids(), &items);
    if let Some(mut moved) = moved {
        moved.resize(all.len(), f64::NAN);
        all.set_column(MOVED, Values::Number(moved));
    }
    let table = EmbeddingTable { items: &all, coordinates: larger.coordinates(), radius: Some(larger.radius()) };
    let heading = heading(&args.input);
    let picture = Picture { color: Some(PART), ..Picture::of_table(&table, &heading) };
    write_all(&outputs, &table, &picture, terminal)?;
    Ok(ExitCode::SUCCESS)
}

/// How far each old item moved, in degrees. The larger map is laid onto the old one already.
fn angles(old: &Model, larger: &Model) -> Vec<f64> {
    let angle = |(a, b): (ArrayView1<'_, f64>, ArrayView1<'_, f64>)| {
        let chord = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt() / old.radius();
        2.0 * (0.5 * chord).min(1.0).asin().to_degrees()
    };
    old.coordinates().rows().into_iter().zip(larger.coordinates().rows()).map(angle).collect()
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
