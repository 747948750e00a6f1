//! What a page shows, as a plain value, and the checks that it is whole.

use dosnes::input::{Csr, Items};
use ndarray::ArrayView2;
use serde::Serialize;

use crate::Error;

/// An embedding, or several of the same items, with all that a person may want to ask about it.
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
    /// The similarities the embedding was made from, n × n: the strongest of each item are put into the page.
    pub similarity: Option<&'a Csr>,
    /// How many of them for each item. `None`: 15, fewer where the page would grow by more than a million entries.
    pub neighbors: Option<usize>,
    /// The items' degrees (row sums of the similarity as it came), to size, rank labels and colour by.
    pub degree: Option<&'a [f64]>,
    /// A small image of each item, drawn instead of its point when there is room.
    pub sprites: Option<Sprites<'a>>,
    /// Numbers about maps, such as a comparison of the views; the page shows them when asked.
    pub measures: Option<Measures>,
    /// What the page shows first.
    pub initial: Initial,
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
    /// Earlier states of the optimisation, in order; the page plays them up to `positions`. They are turned onto each other
    /// first, so that the map as a whole stands still.
    pub snapshots: Vec<Snapshot<'a>>,
}

/// A state of the optimisation on its way.
#[derive(Debug, Clone)]
pub struct Snapshot<'a> {
    /// Number of the step.
    pub step: usize,
    /// As in [`View::positions`].
    pub positions: ArrayView2<'a, f64>,
}

/// Where the points of a view lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// On a sphere around the origin.
    Sphere,
    /// In the Euclidean plane.
    Plane,
    /// In Euclidean three-space.
    Space,
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

/// What the page shows first. `None` lets the page choose.
#[derive(Debug, Clone, Default)]
pub struct Initial {
    /// Column to colour by; also `degree` and `trust`, where given.
    pub color: Option<String>,
    /// Column whose texts are the labels; the ids otherwise.
    pub label: Option<String>,
    /// Column of numbers to size the points and rank the labels by; also `degree`.
    pub size: Option<String>,
    /// How the sphere is drawn.
    pub projection: Option<Projection>,
    /// Colours of the page; otherwise as the reader's system has them.
    pub theme: Option<Theme>,
}

/// How the sphere is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Projection {
    /// The globe from far away (orthographic).
    Globe,
    /// The globe from near by.
    Perspective,
    /// All of the sphere around one point, with true areas (Lambert azimuthal).
    FishEye,
    /// An equal-area world map (Šavrič, Patterson, Jenny 2018).
    EqualEarth,
    /// The equal-area ellipse.
    Mollweide,
}

/// Colours of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
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
            neighbors: None,
            degree: None,
            sprites: None,
            measures: None,
            initial: Initial::default(),
        }
    }

    /// Checks that everything has one value for each item and that every position can be shown.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let n = self.items.len();
        if self.views.is_empty() {
            return Err(Error::NoView);
        }
        for column in &self.items.columns {
            check_length(|| format!("column {:?}", column.name), n, column.values.len())?;
        }
        if let Some(similarity) = self.similarity {
            check_length(|| "the similarity matrix".to_owned(), n, similarity.rows())?;
            check_length(|| "the similarity matrix, across,".to_owned(), n, similarity.cols())?;
        }
        if let Some(degree) = self.degree {
            check_length(|| "the degrees".to_owned(), n, degree.len())?;
        }
        for view in &self.views {
            self.check_positions(|| format!("view {:?}", view.name), view.space, view.positions)?;
            for snapshot in &view.snapshots {
                let what = || format!("view {:?}, snapshot of step {}", view.name, snapshot.step);
                self.check_positions(what, view.space, snapshot.positions)?;
            }
            if let Some(trust) = view.trust {
                check_length(|| format!("the trust of view {:?}", view.name), n, trust.len())?;
            }
        }
        if let Some(Sprites { width, height, channels, pixels }) = self.sprites {
            let expected = n * width * height * channels;
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
        self.check_initial()
    }

    fn check_positions(&self, what: impl Fn() -> String, space: Space, x: ArrayView2<'_, f64>) -> Result<(), Error> {
        check_length(&what, self.items.len(), x.nrows())?;
        if x.ncols() != space.dimension() {
            let (expected, found) = (space.dimension(), x.ncols());
            return Err(Error::WrongDimension { what: what(), space: space.name(), expected, found });
        }
        for (item, row) in x.rows().into_iter().enumerate() {
            let problem = if !row.iter().all(|c| c.is_finite()) {
                "not finite"
            } else if space == Space::Sphere && row.iter().all(|&c| c == 0.0) {
                "the sphere's centre"
            } else {
                continue;
            };
            return Err(Error::BadPosition { what: what(), item, id: self.items.ids[item].clone(), problem });
        }
        Ok(())
    }

    fn check_initial(&self) -> Result<(), Error> {
        let Initial { color, label, size, .. } = &self.initial;
        let derived = |name: &str| {
            (name == "degree" && self.degree.is_some())
                || (name == "trust" && self.views.iter().any(|view| view.trust.is_some()))
        };
        for (name, purpose) in [(color, "color"), (label, "label"), (size, "size")] {
            let Some(name) = name else { continue };
            if self.items.column(name).is_none() && !derived(name) && name != "id" {
                let known: Vec<_> = self.items.columns.iter().map(|column| column.name.as_str()).collect();
                return Err(Error::UnknownColumn { name: name.clone(), purpose, known: known.join(", ") });
            }
        }
        Ok(())
    }
}

impl<'a> View<'a> {
    /// An embedding of that name.
    pub fn new(name: impl Into<String>, space: Space, positions: ArrayView2<'a, f64>) -> Self {
        Self { name: name.into(), space, positions, radius: None, trust: None, snapshots: Vec::new() }
    }
}

impl Space {
    /// Number of coordinates of a point.
    pub fn dimension(self) -> usize {
        if self == Self::Plane { 2 } else { 3 }
    }

    /// Its name, as the page's code writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Plane => "plane",
            Self::Space => "space",
        }
    }
}

impl Projection {
    /// Its name, as the page's code writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Globe => "globe",
            Self::Perspective => "perspective",
            Self::FishEye => "fisheye",
            Self::EqualEarth => "equalearth",
            Self::Mollweide => "mollweide",
        }
    }
}

impl Theme {
    /// Its name, as the page's code writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

fn check_length(what: impl Fn() -> String, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::WrongLength { what: what(), expected, found }) }
}
