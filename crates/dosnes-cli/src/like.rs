//! `dosnes embed --like OLD`: a map that begins with an earlier one and is laid onto it afterwards.

use crate::{
    args::{InitArg, MapArgs, MemoryArgs},
    failure::{Failure, of_library},
    output::title,
    registration::{Common, read_sphere, say_others, say_rotated},
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::input::Items;
use dosnes::ndarray::Array2;
use dosnes::observe::State;
use dosnes::{Affinities, Alignment, EmbedOptions, Space, init};
use dosnes_io::Embedding;
use std::path::{Path, PathBuf};

/// Attraction is not exaggerated, unless it is asked for: items would forget their old places (docs/growing.md).
const EXAGGERATION: f64 = 1.0;

/// An earlier map.
pub(crate) struct Like {
    path: PathBuf,
    map: Embedding,
}

/// What became of the earlier map.
pub(crate) struct Registered {
    /// The name of the earlier map.
    pub(crate) name: String,
    /// Its radius.
    pub(crate) radius: Option<f64>,
    /// The positions of all items on it; new ones are where the new map has them.
    pub(crate) before: Array2<f64>,
    /// How far each item moved, in degrees.
    pub(crate) moved: Vec<f64>,
    /// Whether some items are not on it.
    pub(crate) has_new: bool,
    alignment: Alignment,
}

impl Like {
    /// Reads the earlier map, before the work.
    pub(crate) fn read(path: &Path, map: &MapArgs, memory: &MemoryArgs) -> Result<Self> {
        let refuse = |problem: &str| Err(Failure::BadInput(problem.to_owned()).into());
        if map.embed.space != Space::Sphere {
            return refuse("--like needs a map on a sphere (--space sphere)");
        }
        if map.embed.init != InitArg::Auto {
            return refuse("--like and --init both say where the items start; leave one of them out");
        }
        Ok(Self { path: path.to_owned(), map: read_sphere(path, memory)? })
    }

    /// Checks that the data have items of the earlier map, before the work.
    pub(crate) fn check(&self, items: &Items, terminal: Terminal) -> Result<()> {
        let common = Common::of(&self.map.items, items, &self.path, "the data")?;
        let name = self.path.display().to_string();
        say_others(&self.map.items, &common.old, "are not in the data, and left out", &name, terminal);
        Ok(())
    }

    /// The options of a run that begins with the earlier map. `items` are those of the map.
    pub(crate) fn begin(&self, items: &Items, p: &Affinities, options: &mut EmbedOptions) -> Result<()> {
        let common = Common::of(&self.map.items, items, &self.path, "the new map")?;
        let unknown = Array2::from_elem((items.len(), 3), f64::NAN);
        let known = common.before(&self.map.coordinates.view(), &unknown.view());
        let start = init::complete(p, known.view(), options.seed).map_err(|error| of_library(error, items))?;
        options.init = init::Init::Given(start);
        options.exaggeration.get_or_insert(EXAGGERATION);
        Ok(())
    }

    /// Lays the new map onto the earlier one.
    pub(crate) fn register(&self, items: &Items, embedding: &mut dosnes::Embedding) -> Result<Registered> {
        let common = Common::of(&self.map.items, items, &self.path, "the new map")?;
        let old = self.map.coordinates.view();
        let alignment = common.align(&old, &embedding.coordinates.view(), items)?;
        let rotated = alignment.apply(embedding.coordinates.view()).map_err(|error| of_library(error, items))?;
        embedding.coordinates = rotated;
        Ok(Registered {
            name: title(&self.path),
            radius: self.map.radius,
            before: common.before(&old, &embedding.coordinates.view()),
            moved: common.moved(&alignment, items.len()),
            has_new: common.new.len() < items.len(),
            alignment,
        })
    }
}

impl Registered {
    /// Says how far the items moved.
    pub(crate) fn say(&self, terminal: Terminal) {
        say_rotated(&self.alignment, terminal);
    }

    /// Earlier states of the new map, rotated as the map is.
    pub(crate) fn rotate(&self, states: Vec<State>) -> Result<Vec<State>> {
        let rotated = |state: State| {
            let positions = self.alignment.apply(state.positions.view())?;
            Ok(State { positions, ..state })
        };
        states.into_iter().map(rotated).collect()
    }
}
