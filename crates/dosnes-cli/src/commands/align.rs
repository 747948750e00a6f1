//! `dosnes align`: rotates a map onto an earlier one.

use crate::{
    args::{AlignArgs, MemoryArgs},
    failure::of_library,
    output::{Output, embedding_outputs, title, write_all},
    picture::{Other, Picture},
    registration::{Common, MOVED, read_sphere, say_others, say_rotated},
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::Space;
use dosnes::input::Values;
use dosnes::ndarray::Axis;
use dosnes_io::{Embedding, EmbeddingTable};
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &AlignArgs, terminal: Terminal) -> Result<ExitCode> {
    let outputs = embedding_outputs(&args.output, &[], &[&args.old, &args.new], Space::Sphere)?;
    let memory = MemoryArgs::default();
    let old = read_sphere(&args.old, &memory)?;
    let mut new = read_sphere(&args.new, &memory)?;
    let names = [&args.old, &args.new].map(|path| path.display().to_string());
    let common = Common::of(&old.items, &new.items, &args.old, &names[1])?;
    say_others(&old.items, &common.old, "stay only in the old map", &names[0], terminal);
    say_others(&new.items, &common.new, "are only in the new map, and rotated with it", &names[1], terminal);
    let alignment = common.align(&old.coordinates.view(), &new.coordinates.view(), &new.items)?;
    new.coordinates = alignment.apply(new.coordinates.view()).map_err(|error| of_library(error, &new.items))?;
    let moved = common.moved(&alignment, new.items.len());
    new.items.set_column(MOVED, Values::Number(moved));
    say_rotated(&alignment, terminal);
    write(&outputs, args, &old, &new, &common, terminal)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes all items of the new map; pages and figures show the common ones.
fn write(
    outputs: &[Output],
    args: &AlignArgs,
    old: &Embedding,
    new: &Embedding,
    common: &Common,
    terminal: Terminal,
) -> Result<()> {
    let items = new.items.select(&common.new);
    let before = old.coordinates.select(Axis(0), &common.old);
    let after = new.coordinates.select(Axis(0), &common.new);
    let names = [title(&args.old), title(&args.new)];
    let heading = format!("{} and {}", names[0], names[1]);
    let table = EmbeddingTable { items: &new.items, coordinates: new.coordinates.view(), radius: new.radius };
    let earlier = Other { name: &names[0], space: Space::Sphere, coordinates: before.view(), radius: old.radius };
    let picture = Picture {
        name: &names[1],
        items: &items,
        coordinates: after.view(),
        color: Some(MOVED),
        before: Some(earlier),
        others: vec![earlier],
        ..Picture::of(new, &heading)
    };
    write_all(outputs, &table, &picture, terminal).map(|_| ())
}
