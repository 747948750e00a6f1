//! The contents of the interactive page, and checks that they are complete and consistent.

mod align;
mod blocks;
mod given;
mod header;
mod neighbors;
mod quantize;
mod sample;
mod template;

use dosnes::{CsrMatrix, input::Items};
use ndarray::ArrayView2;
use serde::Serialize;

pub use given::Given;

use crate::{Error, Space, check};

/// An interactive page of an embedding, or of several embeddings of the same items. [`Page::to_html`] gives the file. Of more than
/// a million items, it shows an even sample of a million, and says so below the title.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// The heading, and the title in the browser.
    pub title: &'a str,
    /// What the map shows, in a sentence or two, below the title. May be empty.
    pub subtitle: &'a str,
    /// Where the data are from, in small print. May be empty.
    pub source: &'a str,
    /// The word for the items, in the plural: "airports", "cells". If empty, "items".
    pub noun: &'a str,
    /// Ids and columns of the items. The page can search them all, colour by them and show them for each item.
    pub items: &'a Items,
    /// One embedding, or several that are shown side by side; the others are rotated (and reflected) onto the first.
    pub views: Vec<View<'a>>,
    /// A flat map of the same items that has no place of its own on the page: on request it wraps around the first globe.
    pub flat: Option<View<'a>>,
    /// The similarities from which the embedding was made, n × n. The page contains the 15 largest of each item, or fewer if
    /// that would be more than a million entries.
    pub similarity: Option<&'a CsrMatrix<'a>>,
    /// The similarities as they were given, if these are weights that a reader knows, such as numbers of flights: the page shows
    /// them beside those from which the embedding was made.
    pub given: Option<Given<'a>>,
    /// The degrees of the items (row sums of the given similarity), for sizes, colours and the priority of labels.
    pub degree: Option<&'a [f64]>,
    /// A small image of each item, drawn instead of its point if there is room.
    pub sprites: Option<Sprites<'a>>,
    /// Measures of maps, for example a comparison of the views; the page shows them on request.
    pub measures: Option<Measures>,
    /// Column that sets the initial colours; also `degree` and `trust`, if given. `None` lets the page choose.
    pub color: Option<&'a str>,
    /// Column of numbers that sets the initial sizes; also `degree`, if given, and `none`. `None` lets the page choose.
    pub size: Option<&'a str>,
    /// Column with the names that the page shows at first. `None` lets the page choose.
    pub label: Option<&'a str>,
    /// Clusters of the first view, from few large ones to many small ones. Each level divides clusters of the one before it.
    /// The page shows their names, more of them the nearer it is.
    pub levels: Vec<Level<'a>>,
}

/// Clusters of the items.
#[derive(Debug, Clone, Copy)]
pub struct Level<'a> {
    /// The cluster of each item.
    pub clusters: &'a [u32],
    /// The name of each cluster.
    pub names: &'a [String],
}

/// A table of formatted numbers: one column for each map, one row for each measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measures {
    /// Names of the maps.
    pub columns: Vec<String>,
    /// The most important measures in words, which are shown before the table.
    pub sentences: Vec<Sentence>,
    /// The measures.
    pub rows: Vec<MeasureRow>,
}

/// A measure of all maps in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sentence {
    /// What is measured, in a word or two.
    pub title: String,
    /// The sentence.
    pub text: String,
}

/// A measure of all maps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasureRow {
    /// Its name.
    pub name: String,
    /// Its value for each map; empty if it has none.
    pub cells: Vec<String>,
    /// The column with the best value, if there is one.
    pub best: Option<usize>,
}

/// One embedding of the items.
#[derive(Debug, Clone)]
pub struct View<'a> {
    /// Shown above the map if there are several: "DOSNES", "t-SNE".
    pub name: String,
    /// The space of the points.
    pub space: Space,
    /// n × 2 in the plane, otherwise n × 3. On the sphere only the directions matter.
    pub positions: ArrayView2<'a, f64>,
    /// The radius of the sphere, shown in the help of the page.
    pub radius: Option<f64>,
    /// For each item, the share of its neighbours in the data that are also neighbours on this map, 0 to 1.
    pub trust: Option<&'a [f32]>,
    /// Earlier states of the optimisation, in order. The page shows an animation of them that ends with `positions`. They are
    /// rotated onto each other first, so that the map as a whole does not rotate.
    pub snapshots: Vec<Snapshot<'a>>,
    /// An earlier map of the same items, from which the page plays to this one if there are no snapshots. It is not rotated.
    pub before: Option<Before<'a>>,
}

/// An earlier map of the same items.
#[derive(Debug, Clone)]
pub struct Before<'a> {
    /// Shown while the page plays from it.
    pub name: &'a str,
    /// As in [`View::positions`].
    pub positions: ArrayView2<'a, f64>,
}

/// A state during the optimisation.
#[derive(Debug, Clone)]
pub struct Snapshot<'a> {
    /// Number of the step.
    pub step: usize,
    /// As in [`View::positions`].
    pub positions: ArrayView2<'a, f64>,
}

/// A small image for each item, all of the same size; item by item, rows from top to bottom.
#[derive(Debug, Clone, Copy)]
pub struct Sprites<'a> {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// 1: ink, drawn in the colour of the item. 3: red, green, blue. 4: red, green, blue, opacity.
    pub channels: usize,
    /// n × height × width × channels bytes.
    pub pixels: &'a [u8],
}

impl<'a> Page<'a> {
    /// A page of these items, still without a view.
    pub fn new(title: &'a str, items: &'a Items) -> Self {
        Self {
            title,
            subtitle: "",
            source: "",
            noun: "",
            items,
            views: Vec::new(),
            flat: None,
            similarity: None,
            given: None,
            degree: None,
            sprites: None,
            measures: None,
            color: None,
            size: None,
            label: None,
            levels: Vec::new(),
        }
    }

    /// Checks that everything has one value for each item and that every position can be shown.
    fn check(&self) -> Result<(), Error> {
        let n = self.items.len();
        if self.views.is_empty() {
            return Err(Error::NoView);
        }
        check::columns(self.items)?;
        if let Some(similarity) = self.similarity {
            check::length(|| "the similarity matrix".to_owned(), n, similarity.rows())?;
            check::length(|| "each row of the similarity matrix".to_owned(), n, similarity.columns())?;
        }
        if let Some(given) = self.given {
            check::length(|| "the rows of the given similarities".to_owned(), n, given.rows.len())?;
        }
        if let Some(degree) = self.degree {
            check::length(|| "the list of degrees".to_owned(), n, degree.len())?;
        }
        for view in self.views.iter().chain(&self.flat) {
            check::positions(|| format!("view {:?}", view.name), self.items, view.space, view.positions)?;
            for snapshot in &view.snapshots {
                let what = || format!("view {:?}, snapshot of step {}", view.name, snapshot.step);
                check::positions(what, self.items, view.space, snapshot.positions)?;
            }
            if let Some(before) = &view.before {
                let what = || format!("view {:?}, the earlier map {:?}", view.name, before.name);
                check::positions(what, self.items, view.space, before.positions)?;
            }
            if let Some(trust) = view.trust {
                check::length(|| format!("the trust of view {:?}", view.name), n, trust.len())?;
            }
        }
        if let Some(Sprites { width, height, channels, pixels }) = self.sprites {
            let expected = [width, height, channels].into_iter().fold(n, usize::saturating_mul);
            if pixels.len() != expected || !matches!(channels, 1 | 3 | 4) {
                return Err(Error::BadSprites { count: n, width, height, channels, expected, found: pixels.len() });
            }
        }
        for level in &self.levels {
            check::length(|| "a level of clusters".to_owned(), n, level.clusters.len())?;
            if let Some(item) = level.clusters.iter().position(|&cluster| cluster as usize >= level.names.len()) {
                let cluster = level.clusters[item] as usize;
                return Err(Error::BadCluster { item, cluster, names: level.names.len() });
            }
        }
        if let Some(measures) = &self.measures {
            let columns = measures.columns.len();
            if let Some(row) = measures.rows.iter().find(|row| row.cells.len() != columns) {
                return Err(Error::BadMeasure { name: row.name.clone(), expected: columns, found: row.cells.len() });
            }
        }
        match self.size {
            None | Some("none") => {}
            Some("degree") if self.degree.is_some() => {}
            Some(name) => check::column(self.items, name)?,
        }
        if let Some(name) = self.label {
            check::column(self.items, name)?;
        }
        match self.color {
            None => Ok(()),
            Some("degree") if self.degree.is_some() => Ok(()),
            Some("trust") if self.views.iter().any(|view| view.trust.is_some()) => Ok(()),
            Some(name) => check::column(self.items, name),
        }
    }
}

impl<'a> View<'a> {
    /// An embedding with this name.
    pub fn new(name: impl Into<String>, space: Space, positions: ArrayView2<'a, f64>) -> Self {
        Self { name: name.into(), space, positions, radius: None, trust: None, snapshots: Vec::new(), before: None }
    }
}
