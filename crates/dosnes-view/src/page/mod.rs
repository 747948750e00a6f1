//! The interactive page: what it shows, as a plain value, and the checks that it is complete.

mod align;
mod blocks;
mod header;
mod neighbors;
mod quantize;
mod template;

use dosnes::{CsrMatrix, input::Items};
use ndarray::ArrayView2;
use serde::Serialize;

use crate::{Error, Space, check};

/// An interactive page of an embedding, or of several embeddings of the same items. [`Page::to_html`] gives the file.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// Shown as the heading and as the browser's title.
    pub title: &'a str,
    /// What one calls the items, in the plural: "airports", "cells". Empty: "items".
    pub noun: &'a str,
    /// The items' names and columns. All of them can be searched, coloured by and read in the hover card.
    pub items: &'a Items,
    /// One embedding, or several to be shown side by side; the others are turned (and mirrored) onto the first.
    pub views: Vec<View<'a>>,
    /// The similarities the embedding was made from, n × n. The page holds the 15 strongest of each item, or fewer
    /// where that would be more than a million entries.
    pub similarity: Option<&'a CsrMatrix<'a>>,
    /// The items' degrees (row sums of the similarity as it came), to size, rank labels and colour by.
    pub degree: Option<&'a [f64]>,
    /// A small image of each item, drawn instead of its point when there is room.
    pub sprites: Option<Sprites<'a>>,
    /// Numbers about maps, such as a comparison of the views; the page shows them when asked.
    pub measures: Option<Measures>,
    /// Column to colour by at first; also `degree` and `trust`, where given. `None` lets the page choose.
    pub color: Option<&'a str>,
}

/// A table of numbers, as a person reads them: a column a map, a row a measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measures {
    /// Names of the maps.
    pub columns: Vec<String>,
    /// The measures.
    pub rows: Vec<MeasureRow>,
}

/// A measure of all maps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasureRow {
    /// Its name.
    pub name: String,
    /// Its value for each map; empty where it has none.
    pub cells: Vec<String>,
    /// The column with the best value, where that means anything.
    pub best: Option<usize>,
}

/// One embedding of the items.
#[derive(Debug, Clone)]
pub struct View<'a> {
    /// Shown above it when there are several: "DOSNES", "t-SNE".
    pub name: String,
    /// Where the points lie.
    pub space: Space,
    /// n × 2 in the plane, n × 3 elsewhere. On the sphere only the directions count.
    pub positions: ArrayView2<'a, f64>,
    /// The sphere's radius, shown among the facts.
    pub radius: Option<f64>,
    /// For each item, which part of its neighbours in the data are neighbours here too, 0 to 1.
    pub trust: Option<&'a [f32]>,
    /// Earlier states of the optimisation, in order; the page plays them up to `positions`. They are rotated onto each
    /// other first, so that the map as a whole stands still.
    pub snapshots: Vec<Snapshot<'a>>,
}

/// A state during the optimisation.
#[derive(Debug, Clone)]
pub struct Snapshot<'a> {
    /// Number of the step.
    pub step: usize,
    /// As in [`View::positions`].
    pub positions: ArrayView2<'a, f64>,
}

/// A small image for each item, all of one size, rows from the top, items one after the other.
#[derive(Debug, Clone, Copy)]
pub struct Sprites<'a> {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// 1: ink, drawn in the item's colour. 3: red, green, blue. 4: with opacity.
    pub channels: usize,
    /// n × height × width × channels bytes.
    pub pixels: &'a [u8],
}

impl<'a> Page<'a> {
    /// A page of these items, without any view yet.
    pub fn new(title: &'a str, items: &'a Items) -> Self {
        Self {
            title,
            noun: "",
            items,
            views: Vec::new(),
            similarity: None,
            degree: None,
            sprites: None,
            measures: None,
            color: None,
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
        if let Some(degree) = self.degree {
            check::length(|| "the list of degrees".to_owned(), n, degree.len())?;
        }
        for view in &self.views {
            check::positions(|| format!("view {:?}", view.name), self.items, view.space, view.positions)?;
            for snapshot in &view.snapshots {
                let what = || format!("view {:?}, snapshot of step {}", view.name, snapshot.step);
                check::positions(what, self.items, view.space, snapshot.positions)?;
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
        if let Some(measures) = &self.measures {
            let columns = measures.columns.len();
            if let Some(row) = measures.rows.iter().find(|row| row.cells.len() != columns) {
                return Err(Error::BadMeasure { name: row.name.clone(), expected: columns, found: row.cells.len() });
            }
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
    /// An embedding of that name.
    pub fn new(name: impl Into<String>, space: Space, positions: ArrayView2<'a, f64>) -> Self {
        Self { name: name.into(), space, positions, radius: None, trust: None, snapshots: Vec::new() }
    }
}
