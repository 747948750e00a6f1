//! `dosnes view`: shows one embedding file, or several side by side, as a page in the browser.

use crate::{
    args::{MemoryArgs, ViewArgs},
    atlas::{Atlas, Known},
    browser,
    failure::{Failure, some_names},
    images::Images,
    naming::heading,
    numbers::count,
    output::{check_files, title, write_whole},
    picture::{Other, Picture, check_look},
    stages,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::input::Items;
use dosnes::ndarray::Axis;
use dosnes_io::Embedding;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &ViewArgs, terminal: Terminal) -> Result<ExitCode> {
    let read = |path: &PathBuf| stages::read_map(path, &MemoryArgs::default());
    let mut maps = args.input.iter().map(read).collect::<Result<Vec<_>>>()?;
    let names = names(&args.input);
    let output = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.html", title(&args.input[0]))));
    let inputs: Vec<&Path> = args.input.iter().map(PathBuf::as_path).collect();
    check_files([output.as_path()].into_iter(), &inputs)?;
    let first = &maps[0];
    let images =
        Images::read(args.images.images.as_deref(), args.images.image_size, &first.items, None, &args.input[0])?;
    let kept = matched(&mut maps, &args.input, terminal)?;
    let images = images.map(|images| images.select(&kept));
    check_look(&maps[0].items, &args.look, &args.input[0])?;
    let heading = args.caption.title.clone().unwrap_or_else(|| match &args.input[..] {
        [one] => heading(one),
        _ => names.join(", "),
    });
    let atlas = Atlas::of(&maps[0].items, maps[0].space(), &maps[0].coordinates.view(), Known::default());
    if let Some(atlas) = &atlas {
        atlas.add_columns(&mut maps[0].items);
    }
    let mut picture = Picture {
        atlas: atlas.as_ref(),
        color: args.look.color.as_deref(),
        size: args.look.size.as_deref(),
        label: args.look.label.as_deref(),
        subtitle: &args.caption.subtitle,
        source: &args.caption.source,
        ..Picture::of(&maps[0], &heading)
    };
    if maps.len() > 1 {
        picture.name = &names[0];
    }
    picture.sprites = images.as_ref().map(Images::sprites);
    picture.others = maps[1..]
        .iter()
        .zip(&names[1..])
        .map(|(map, name)| Other { name, space: map.space(), coordinates: map.coordinates.view(), radius: map.radius })
        .collect();
    write_whole(&output, &picture.html()?)?;
    terminal.say(&format!("wrote {}", output.display()));
    if !args.no_open {
        browser::show(&output, terminal);
    }
    Ok(ExitCode::SUCCESS)
}

/// Titles of several maps: the names of their files, or their paths if the names are not unique.
fn names(paths: &[PathBuf]) -> Vec<String> {
    let short: Vec<String> = paths.iter().map(|path| title(path)).collect();
    let different = short.iter().collect::<HashSet<_>>().len() == short.len();
    if different { short } else { paths.iter().map(|path| path.display().to_string()).collect() }
}

/// Reduces all maps to their common items, in the order of the first map; returns the rows of the first map. A map without
/// ids (`.npy`) is matched by row if it has as many rows. Columns that are not in the first map are taken from the others.
fn matched(maps: &mut [Embedding], paths: &[PathBuf], terminal: Terminal) -> Result<Vec<usize>> {
    let (first, rest) = maps.split_first_mut().ok_or_else(|| Failure::BadInput("no map was given".to_owned()))?;
    let by_name = |items: &Items| items.ids != Items::numbered(items.len()).ids;
    let places: Vec<Vec<Option<usize>>> = rest
        .iter()
        .map(|map| {
            if map.items.len() == first.items.len() && by_name(&map.items) != by_name(&first.items) {
                return (0..first.items.len()).map(Some).collect();
            }
            let rows: HashMap<&str, usize> =
                map.items.ids.iter().enumerate().map(|(row, id)| (id.as_str(), row)).collect();
            first.items.ids.iter().map(|id| rows.get(id.as_str()).copied()).collect()
        })
        .collect();
    let kept: Vec<usize> = (0..first.items.len()).filter(|&i| places.iter().all(|place| place[i].is_some())).collect();
    for ((map, place), path) in rest.iter().zip(&places).zip(&paths[1..]) {
        if !place.iter().any(Option::is_some) && !first.items.is_empty() {
            let (a, b) = (paths[0].display(), path.display());
            let ids = [&first.items, &map.items].map(|items| items.ids.first().cloned().unwrap_or_default());
            let problem = format!(
                "{a} and {b} have no item in common: the first id is {:?} in one and {:?} in the other",
                ids[0], ids[1]
            );
            return Err(Failure::BadInput(problem).into());
        }
        let absent: Vec<usize> = (0..place.len()).filter(|&i| place[i].is_none()).collect();
        let found: HashSet<usize> = place.iter().copied().flatten().collect();
        let further: Vec<usize> = (0..map.items.len()).filter(|row| !found.contains(row)).collect();
        for (absent, items, path) in [(absent, &first.items, path), (further, &map.items, &paths[0])] {
            if !absent.is_empty() {
                terminal.note(&format!(
                    "left out because {} does not have them: {} of the items in other files: {}",
                    path.display(),
                    count(absent.len()),
                    some_names(&absent, items)
                ));
            }
        }
    }
    if kept.is_empty() && !first.items.is_empty() {
        return Err(Failure::BadInput("no item is in all of these maps".to_owned()).into());
    }
    for (map, place) in rest.iter_mut().zip(&places) {
        let rows: Vec<usize> = kept.iter().filter_map(|&i| place[i]).collect();
        select(map, &rows);
    }
    select(first, &kept);
    for map in rest {
        for column in std::mem::take(&mut map.items.columns) {
            if first.items.column(&column.name).is_none() {
                first.items.columns.push(column);
            }
        }
    }
    Ok(kept)
}

fn select(map: &mut Embedding, rows: &[usize]) {
    map.items = map.items.select(rows);
    map.coordinates = map.coordinates.select(Axis(0), rows);
}
