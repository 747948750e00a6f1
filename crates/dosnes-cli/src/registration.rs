//! Two maps of the same items: those in common, the rotation between them, and how far the items moved.

use crate::{
    args::MemoryArgs,
    failure::{Failure, of_library, some_names},
    numbers::{count, counted},
    stages,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::input::Items;
use dosnes::ndarray::{Array2, ArrayView2, Axis};
use dosnes::{Alignment, Space};
use dosnes_io::Embedding;
use std::collections::HashMap;
use std::path::Path;

/// The column with the angles.
pub(crate) const MOVED: &str = "moved";
/// A rotation needs this many items in common.
const LEAST_COMMON: usize = 3;

/// Reads a map and checks that it is on a sphere.
pub(crate) fn read_sphere(path: &Path, memory: &MemoryArgs) -> Result<Embedding> {
    let map = stages::read_map(path, memory)?;
    if map.space() != Space::Sphere {
        let problem =
            "this map is not on a sphere around the origin; only maps on spheres can be aligned by a rotation";
        return Err(Failure::BadInput(format!("{}: {problem}", path.display())).into());
    }
    Ok(map)
}

/// The rows of the items that are in an old and in a new map, matched by id, in the order of the new one.
pub(crate) struct Common {
    pub(crate) old: Vec<usize>,
    pub(crate) new: Vec<usize>,
}

impl Common {
    /// Refuses maps with too few items in common. `what` is the name of the new map in messages.
    pub(crate) fn of(old: &Items, new: &Items, path: &Path, what: &str) -> Result<Self> {
        let rows: HashMap<&str, usize> = old.ids.iter().enumerate().map(|(row, id)| (id.as_str(), row)).collect();
        let pairs = new.ids.iter().enumerate().filter_map(|(row, id)| Some((*rows.get(id.as_str())?, row)));
        let (old, new): (Vec<usize>, Vec<usize>) = pairs.unzip();
        if old.len() < LEAST_COMMON {
            return Err(Failure::BadInput(format!(
                "{} and {what} have {} in common, but a rotation needs at least {LEAST_COMMON}; items are matched by id",
                path.display(),
                counted(old.len(), "item", "items")
            ))
            .into());
        }
        Ok(Self { old, new })
    }

    /// The rotation that lays the new map onto the old one.
    pub(crate) fn align(
        &self,
        old: &ArrayView2<'_, f64>,
        new: &ArrayView2<'_, f64>,
        items: &Items,
    ) -> Result<Alignment> {
        let (before, after) = (old.select(Axis(0), &self.old), new.select(Axis(0), &self.new));
        Ok(dosnes::align(before.view(), after.view()).map_err(|error| of_library(error, &items.select(&self.new)))?)
    }

    /// How far each item of the new map moved, in degrees; not a number for those that are new.
    pub(crate) fn moved(&self, alignment: &Alignment, count: usize) -> Vec<f64> {
        let mut moved = vec![f64::NAN; count];
        for (&row, &degrees) in self.new.iter().zip(&alignment.moved) {
            moved[row] = degrees;
        }
        moved
    }

    /// The positions of the items of the new map on the old one. Items that are not on it are where the new map has them.
    pub(crate) fn before(&self, old: &ArrayView2<'_, f64>, new: &ArrayView2<'_, f64>) -> Array2<f64> {
        let mut before = new.to_owned();
        for (&from, &to) in self.old.iter().zip(&self.new) {
            before.row_mut(to).assign(&old.row(from));
        }
        before
    }
}

/// Says how the new map was rotated, and how far the items moved.
pub(crate) fn say_rotated(alignment: &Alignment, terminal: Terminal) {
    let how = if alignment.mirrored { "rotated and mirrored" } else { "rotated" };
    terminal.headline(&format!(
        "{how} by {} in common: half of them moved by less than {:.2} degrees, nine tenths by less than {:.2}",
        counted(alignment.moved.len(), "item", "items"),
        alignment.moved_less_than(0.5),
        alignment.moved_less_than(0.9)
    ));
}

/// Says which items are not in both maps.
pub(crate) fn say_others(items: &Items, rows: &[usize], what: &str, name: &str, terminal: Terminal) {
    let mut is_common = vec![false; items.len()];
    for &row in rows {
        is_common[row] = true;
    }
    let others: Vec<usize> = (0..items.len()).filter(|&row| !is_common[row]).collect();
    if !others.is_empty() {
        terminal.note(&format!("{name}: {} of its items {what}: {}", count(others.len()), some_names(&others, items)));
    }
}
