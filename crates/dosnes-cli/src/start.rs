//! Initial positions from an embedding file, matched by id.

use crate::{args::MemoryArgs, failure::Failure, stages};
use anyhow::Result;
use dosnes::ndarray::Array2;
use dosnes::{Space, input::Items};
use dosnes_io::Embedding;
use std::collections::HashMap;
use std::path::Path;

/// The initial coordinates of the `kept` items. A map without ids (`.npy`) has one row for each item of the input, or one
/// for each kept item.
pub(crate) fn read(path: &Path, all: &Items, kept: &[usize], space: Space, memory: &MemoryArgs) -> Result<Array2<f64>> {
    let map = stages::read_map(path, memory)?;
    let dimensions = space.dimensions();
    let refuse = |problem: String| Err(Failure::BadInput(format!("{}: {problem}", path.display())).into());
    if map.coordinates.ncols() != dimensions {
        return refuse(format!(
            "the initial positions have {} coordinates, but the map needs {dimensions}",
            map.coordinates.ncols()
        ));
    }
    match rows(&map, all, kept, "the file") {
        Ok(rows) => Ok(Array2::from_shape_fn((rows.len(), dimensions), |(i, k)| map.coordinates[[rows[i], k]])),
        Err(problem) => refuse(problem),
    }
}

/// The row of the map for each kept item, matched by id. `what` is the name of the map in messages.
pub(crate) fn rows(map: &Embedding, all: &Items, kept: &[usize], what: &str) -> Result<Vec<usize>, String> {
    let by_id: HashMap<&str, usize> = map.items.ids.iter().enumerate().map(|(row, id)| (id.as_str(), row)).collect();
    let found: Vec<Option<usize>> = kept.iter().map(|&i| by_id.get(all.ids[i].as_str()).copied()).collect();
    if let Some(rows) = found.iter().copied().collect() {
        return Ok(rows);
    }
    let has_names = map.items.ids != Items::numbered(map.items.len()).ids;
    if !has_names && map.items.len() == all.len() {
        return Ok(kept.to_vec());
    }
    if !has_names && map.items.len() == kept.len() {
        return Ok((0..kept.len()).collect());
    }
    let absent: Vec<usize> = kept.iter().zip(&found).filter(|(_, row)| row.is_none()).map(|(&i, _)| i).collect();
    Err(format!(
        "{what} has no position for {} of the {} items: {}",
        absent.len(),
        kept.len(),
        crate::failure::some_names(&absent, all)
    ))
}
