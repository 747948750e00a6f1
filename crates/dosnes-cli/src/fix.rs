//! `dosnes embed --fix FILE`: items that stay at given directions.

use crate::{
    args::{MapArgs, MemoryArgs, PlaceArgs},
    failure::{Failure, some_names},
    numbers::{count, counted},
    stages,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::Space;
use dosnes::input::Items;
use dosnes::optimize::{Fixed, Optimizer};
use dosnes_io::Embedding;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Directions of some items.
pub(crate) struct Fix {
    path: PathBuf,
    places: Embedding,
}

impl Fix {
    /// Reads the directions, before the work.
    pub(crate) fn read(path: &Path, map: &MapArgs, others: &PlaceArgs, memory: &MemoryArgs) -> Result<Self> {
        let refuse = |problem: String| Err(Failure::BadInput(problem).into());
        if map.embed.space != Space::Sphere {
            return refuse("--fix needs a map on a sphere (--space sphere): elsewhere there are no directions".into());
        }
        if map.embed.optimizer == Optimizer::Paper {
            return refuse("--optimizer paper moves all items, so none can be fixed; leave out one of both".into());
        }
        if others.like.is_some() {
            let problem =
                "--fix says where items are, and --like would turn the map away from there; leave out one of both";
            return refuse(problem.into());
        }
        let places = stages::read_map(path, memory)?;
        if places.coordinates.ncols() != 3 {
            return refuse(format!(
                "{}: --fix needs the directions of items on a globe, as columns lon and lat (degrees), or x, y and z",
                path.display()
            ));
        }
        if let Some(row) = places.coordinates.rows().into_iter().position(|row| row.iter().all(|v| *v == 0.0)) {
            return refuse(format!(
                "{}: the item \"{}\" is at the centre, which is no direction; leave it out",
                path.display(),
                places.items.ids[row]
            ));
        }
        Ok(Self { path: path.to_owned(), places })
    }

    /// Checks that the file has items of the data, before the work; says which it does not know.
    pub(crate) fn check(&self, items: &Items, terminal: Terminal) -> Result<()> {
        let known: HashSet<&str> = items.ids.iter().map(String::as_str).collect();
        let own = &self.places.items;
        let unknown: Vec<usize> = (0..own.len()).filter(|&row| !known.contains(own.ids[row].as_str())).collect();
        if unknown.len() == own.len() {
            return Err(Failure::BadInput(format!(
                "{}: none of its {} is in the data, so nothing can be fixed: {}; items are matched by id",
                self.path.display(),
                counted(own.len(), "item", "items"),
                some_names(&unknown, own)
            ))
            .into());
        }
        if !unknown.is_empty() {
            terminal.note(&format!(
                "{}: {} of its items are not in the data, and have no effect: {}",
                self.path.display(),
                count(unknown.len()),
                some_names(&unknown, own)
            ));
        }
        Ok(())
    }

    /// The items of the map that are fixed. Those that are similar to no other item are not on the map.
    pub(crate) fn fixed(&self, items: &Items, terminal: Terminal) -> Result<Vec<Fixed>> {
        let own = &self.places.items;
        let places: HashMap<&str, usize> = own.ids.iter().enumerate().map(|(row, id)| (id.as_str(), row)).collect();
        let direction = |row: usize| std::array::from_fn(|k| self.places.coordinates[[row, k]]);
        let found: Vec<Fixed> = items
            .ids
            .iter()
            .enumerate()
            .filter_map(|(item, id)| Some(Fixed { item, direction: direction(*places.get(id.as_str())?) }))
            .collect();
        if found.is_empty() {
            return Err(Failure::BadInput(format!(
                "{}: none of its items is on the map, since they are similar to no other item; nothing can be fixed",
                self.path.display()
            ))
            .into());
        }
        terminal.say(&format!("{} fixed by {}", counted(found.len(), "item", "items"), self.path.display()));
        Ok(found)
    }
}
