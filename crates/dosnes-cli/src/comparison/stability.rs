//! How far each item moves from seed to seed, for the methods that make maps on a sphere.

use super::kept::KeptMaps;
use crate::{failure, terminal::Terminal};
use anyhow::Result;
use dosnes::{
    Space,
    compare::{Column, Method},
    growth::{less_than, stability},
    input::{Items, Values},
    ndarray::Array2,
    quality::{Better, Measure, NamedMeasure},
};
use dosnes_io::{EmbeddingTable, write_embedding};

/// The key of the measure, and the start of the names of the columns.
const SEED_ANGLE: &str = "seed_angle";

/// The maps of one method, one for each seed.
pub(super) struct Seeds {
    method: Method,
    maps: Vec<Array2<f64>>,
}

/// The median angle of each item between the maps of a method.
pub(super) struct Stability {
    /// The method.
    pub(super) method: Method,
    /// In degrees, in the order of the items.
    pub(super) angles: Vec<f64>,
    /// Its map of the first seed.
    first: Array2<f64>,
}

impl Seeds {
    pub(super) fn of(method: Method) -> Self {
        Self { method, maps: Vec::new() }
    }

    /// Remembers a map, if it is on a sphere: elsewhere two maps differ by more than a rotation.
    pub(super) fn add(&mut self, map: &Array2<f64>) {
        if self.method.space() == Space::Sphere {
            self.maps.push(map.clone());
        }
    }

    /// Compares the maps, if there are several; adds the median to the measures of the method, and says it.
    pub(super) fn measure(self, column: &mut Column, items: &Items, terminal: Terminal) -> Result<Option<Stability>> {
        if self.maps.len() < 2 {
            return Ok(None);
        }
        let views: Vec<_> = self.maps.iter().map(|map| map.view()).collect();
        let angles = stability(&views).map_err(|error| failure::of_library(error, items))?;
        terminal.headline(&format!(
            "{}: half of the items move by less than {:.2} degrees from seed to seed, nine tenths by less than {:.2}",
            self.method.label(),
            less_than(&angles, 0.5),
            less_than(&angles, 0.9)
        ));
        if let Some(run) = column.runs.first_mut() {
            run.measures.push(NamedMeasure {
                key: SEED_ANGLE.into(),
                label: "degrees from seed to seed".into(),
                better: Better::Near(0.0),
                measure: Measure::exact(less_than(&angles, 0.5)),
            });
        }
        Ok(self.maps.into_iter().next().map(|first| Stability { method: self.method, angles, first }))
    }
}

impl Stability {
    /// The name of its column.
    pub(super) fn column(&self) -> String {
        format!("{SEED_ANGLE}_{}", self.method.name())
    }
}

/// Adds a column for each method, and writes the map of the first one with them to the folder of the maps.
pub(super) fn keep(all: &[Stability], items: &mut Items, kept: &KeptMaps) -> Result<()> {
    for stability in all {
        items.set_column(&stability.column(), Values::Number(stability.angles.clone()));
    }
    let Some(Stability { first, .. }) = all.first() else { return Ok(()) };
    let row = first.row(0);
    let table = EmbeddingTable { items, coordinates: first.view(), radius: Some(row.dot(&row).sqrt()) };
    write_embedding(kept.folder().join("stability.csv"), &table)?;
    Ok(())
}
