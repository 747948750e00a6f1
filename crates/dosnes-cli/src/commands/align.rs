//! `dosnes align`: rotates a map onto an earlier one.

use crate::{
    args::AlignArgs,
    failure::{Failure, of_library, some_names},
    numbers::{count, counted},
    output::{Output, embedding_outputs, title, write_all},
    picture::{Other, Picture},
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::Space;
use dosnes::input::{Items, Values};
use dosnes::ndarray::Axis;
use dosnes_io::{Embedding, EmbeddingTable, read_embedding};
use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;

/// The column with the angles.
const MOVED: &str = "moved";

/// Runs the command.
pub(crate) fn run(args: &AlignArgs, terminal: Terminal) -> Result<ExitCode> {
    let outputs = embedding_outputs(&args.output, &[], &[&args.old, &args.new], Space::Sphere)?;
    let old = read_sphere(&args.old)?;
    let mut new = read_sphere(&args.new)?;
    let (old_rows, new_rows) = common(&old.items, &new.items, args)?;
    say_others(&old.items, &old_rows, "stay only in the old map", &args.old, terminal);
    say_others(&new.items, &new_rows, "are only in the new map, and rotated with it", &args.new, terminal);
    let of_common = |map: &Embedding, rows: &[usize]| map.coordinates.select(Axis(0), rows);
    let alignment = dosnes::align(of_common(&old, &old_rows).view(), of_common(&new, &new_rows).view())
        .map_err(|error| of_library(error, &new.items.select(&new_rows)))?;
    new.coordinates = alignment.apply(new.coordinates.view()).map_err(|error| of_library(error, &new.items))?;
    let mut moved = vec![f64::NAN; new.items.len()];
    for (&row, &degrees) in new_rows.iter().zip(&alignment.moved) {
        moved[row] = degrees;
    }
    new.items.set_column(MOVED, Values::Number(moved));
    let how = if alignment.mirrored { "rotated and mirrored" } else { "rotated" };
    terminal.headline(&format!(
        "{how} by {} in common: half of them moved by less than {:.2} degrees, nine tenths by less than {:.2}",
        counted(alignment.moved.len(), "item", "items"),
        alignment.moved_less_than(0.5),
        alignment.moved_less_than(0.9)
    ));
    write(&outputs, args, &old, &old_rows, &new, &new_rows, terminal)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes all items of the new map; pages and figures show the common ones.
fn write(
    outputs: &[Output],
    args: &AlignArgs,
    old: &Embedding,
    old_rows: &[usize],
    new: &Embedding,
    new_rows: &[usize],
    terminal: Terminal,
) -> Result<()> {
    let items = new.items.select(new_rows);
    let (before, after) = (old.coordinates.select(Axis(0), old_rows), new.coordinates.select(Axis(0), new_rows));
    let names = [title(&args.old), title(&args.new)];
    let heading = format!("{} and {}", names[0], names[1]);
    let table = EmbeddingTable { items: &new.items, coordinates: new.coordinates.view(), radius: new.radius };
    let picture = Picture {
        name: &names[1],
        items: &items,
        coordinates: after.view(),
        color: Some(MOVED),
        others: vec![Other { name: &names[0], space: Space::Sphere, coordinates: before.view(), radius: old.radius }],
        ..Picture::of(new, &heading)
    };
    write_all(outputs, &table, &picture, terminal)
}

/// Reads a map and checks that it is on a sphere.
fn read_sphere(path: &Path) -> Result<Embedding> {
    let map = read_embedding(path)?;
    if map.space() != Space::Sphere {
        let problem =
            "this map is not on a sphere around the origin; only maps on spheres can be aligned by a rotation";
        return Err(Failure::BadInput(format!("{}: {problem}", path.display())).into());
    }
    Ok(map)
}

/// The rows of the items that are in both maps, matched by id, in the order of the new map.
fn common(old: &Items, new: &Items, args: &AlignArgs) -> Result<(Vec<usize>, Vec<usize>)> {
    let rows: HashMap<&str, usize> = old.ids.iter().enumerate().map(|(row, id)| (id.as_str(), row)).collect();
    let pairs: (Vec<usize>, Vec<usize>) =
        new.ids.iter().enumerate().filter_map(|(row, id)| Some((*rows.get(id.as_str())?, row))).unzip();
    if pairs.0.len() < 3 {
        return Err(Failure::BadInput(format!(
            "{} and {} have {} in common, but a rotation needs at least 3; items are matched by id",
            args.old.display(),
            args.new.display(),
            counted(pairs.0.len(), "item", "items")
        ))
        .into());
    }
    Ok(pairs)
}

/// Says which items are not in both maps.
fn say_others(items: &Items, rows: &[usize], what: &str, path: &Path, terminal: Terminal) {
    let mut is_common = vec![false; items.len()];
    for &row in rows {
        is_common[row] = true;
    }
    let others: Vec<usize> = (0..items.len()).filter(|&row| !is_common[row]).collect();
    if !others.is_empty() {
        terminal.note(&format!(
            "{}: {} of its items {what}: {}",
            path.display(),
            count(others.len()),
            some_names(&others, items)
        ));
    }
}
