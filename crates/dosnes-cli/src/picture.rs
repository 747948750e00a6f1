//! Pages and static figures of embeddings.

use crate::{args::LookArgs, atlas::Atlas, failure::Failure};
use anyhow::Result;
use dosnes::ndarray::ArrayView2;
use dosnes::{
    CsrMatrix, Space,
    input::{Column, Items, Values},
    observe::{Silent, State},
    quality::{self, Map},
};
use dosnes_io::{Embedding, EmbeddingTable};
use dosnes_view::{Before, Figure, Given, Measures, Page, Snapshot, Sprites, View};
use std::path::Path;

/// The contents of a page or figure.
pub(crate) struct Picture<'a> {
    /// The title.
    pub(crate) title: &'a str,
    /// A sentence below the title; may be empty.
    pub(crate) subtitle: &'a str,
    /// Where the data are from; may be empty.
    pub(crate) source: &'a str,
    /// The name of the map: "DOSNES", "t-SNE".
    pub(crate) name: &'a str,
    /// The word for the items, in the plural; empty if it is not known.
    pub(crate) noun: &'a str,
    /// The items on the map.
    pub(crate) items: &'a Items,
    /// The space of the map.
    pub(crate) space: Space,
    /// The positions.
    pub(crate) coordinates: ArrayView2<'a, f64>,
    /// The sphere's radius.
    pub(crate) radius: Option<f64>,
    /// Who is similar to whom in the data.
    pub(crate) similar: Option<&'a CsrMatrix<'a>>,
    /// The similarities as they were given, if they are weights that a reader knows.
    pub(crate) given: Option<Given<'a>>,
    /// The total similarity of each item before normalisation.
    pub(crate) degree: Option<&'a [f64]>,
    /// The column that sets the initial colours.
    pub(crate) color: Option<&'a str>,
    /// The column that sets the initial sizes; also `degree` and `none`.
    pub(crate) size: Option<&'a str>,
    /// The column with the names.
    pub(crate) label: Option<&'a str>,
    /// Earlier states of the map, in order.
    pub(crate) states: &'a [State],
    /// An earlier map of the same items, from which a page plays to this one.
    pub(crate) before: Option<Other<'a>>,
    /// A small image of each item.
    pub(crate) sprites: Option<Sprites<'a>>,
    /// Further maps of the same items, shown side by side.
    pub(crate) others: Vec<Other<'a>>,
    /// A flat map of the same items, which a page wraps around the globe on request.
    pub(crate) flat: Option<Other<'a>>,
    /// A table with measures of the maps.
    pub(crate) measures: Option<Measures>,
    /// The clusters of the first map.
    pub(crate) atlas: Option<&'a Atlas>,
}

/// A further map of the same items.
#[derive(Clone, Copy)]
pub(crate) struct Other<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// The space of the map.
    pub(crate) space: Space,
    /// The positions.
    pub(crate) coordinates: ArrayView2<'a, f64>,
    /// The sphere's radius.
    pub(crate) radius: Option<f64>,
}

impl<'a> Other<'a> {
    /// The same for a shorter time, which views of arrays do not become by themselves.
    pub(crate) fn reborrow<'b>(self) -> Other<'b>
    where
        'a: 'b,
    {
        Other { name: self.name, space: self.space, coordinates: self.coordinates.reborrow(), radius: self.radius }
    }
}

/// Sizes that are no columns: the total similarity of an item, and the same size for all.
const DEGREE: &str = "degree";
pub(crate) const NO_SIZE: &str = "none";

/// Number of neighbours for trust.
const TRUST_NEIGHBORS: usize = 15;

impl<'a> Picture<'a> {
    /// An embedding from a file.
    pub(crate) fn of(embedding: &'a Embedding, title: &'a str) -> Self {
        Self { space: embedding.space(), ..Self::of_table(&embedding.table(), title) }
    }

    /// A map on a sphere.
    pub(crate) fn of_table(table: &EmbeddingTable<'a>, title: &'a str) -> Self {
        Self {
            title,
            subtitle: "",
            source: "",
            name: "map",
            noun: "",
            items: table.items,
            space: Space::Sphere,
            coordinates: table.coordinates,
            radius: table.radius,
            similar: None,
            given: None,
            degree: None,
            color: None,
            size: None,
            label: None,
            states: &[],
            before: None,
            sprites: None,
            others: Vec::new(),
            flat: None,
            measures: None,
            atlas: None,
        }
    }
}

impl Picture<'_> {
    /// The self-contained page.
    pub(crate) fn html(&self) -> Result<Vec<u8>> {
        let own = self.similar.and_then(|similar| trust(similar, self.space, &self.coordinates));
        let mut page = Page::new(self.title, self.items);
        page.subtitle = self.subtitle;
        page.source = self.source;
        page.noun = self.noun;
        page.views.push(View {
            radius: self.radius,
            trust: own.as_deref(),
            snapshots: self
                .states
                .iter()
                .map(|state| Snapshot { step: state.step, positions: state.positions.view() })
                .collect(),
            before: self.before.map(|before| Before { name: before.name, positions: before.coordinates }),
            ..View::new(self.name, self.space, self.coordinates)
        });
        // Trust is measured for every map, so that the page can show where each one is unreliable.
        let trusts: Vec<_> = self
            .others
            .iter()
            .map(|other| self.similar.and_then(|similar| trust(similar, other.space, &other.coordinates)))
            .collect();
        for (other, trust) in self.others.iter().zip(&trusts) {
            page.views.push(View {
                radius: other.radius,
                trust: trust.as_deref(),
                ..View::new(other.name, other.space, other.coordinates)
            });
        }
        page.flat = self.flat.map(|flat| View::new(flat.name, flat.space, flat.coordinates));
        page.sprites = self.sprites;
        page.similarity = self.similar;
        page.given = self.given;
        page.degree = self.degree;
        page.color = self.color;
        page.size = self.size;
        page.label = self.label;
        page.measures.clone_from(&self.measures);
        page.levels = self.atlas.map(Atlas::levels).unwrap_or_default();
        Ok(page.to_html()?)
    }

    /// The static figure; the caller may change its settings.
    pub(crate) fn figure(&self) -> Figure<'_> {
        let mut figure = Figure::new(self.items, self.space, self.coordinates);
        figure.title = self.title;
        figure.weights = match self.size.map(|name| (name, numbers(self.items, name))) {
            Some((_, Some(values))) => Some(values),
            Some((NO_SIZE, None)) => None,
            _ => self.degree,
        };
        figure.color = self.color;
        figure.label = self.label;
        figure
    }
}

/// For each item, the share of its most similar items that are among its nearest neighbours on the map. `None` if the map
/// cannot be measured, for example if it has a single item.
fn trust(similar: &CsrMatrix<'_>, space: Space, coordinates: &ArrayView2<'_, f64>) -> Option<Vec<f32>> {
    // Trust depends only on the order of distances, and chords have the same order as great-circle distances.
    let space = if space == Space::Sphere { Space::Volume } else { space };
    let map = Map::new(coordinates.view(), space).ok()?;
    let shares = quality::trust(&map, similar, TRUST_NEIGHBORS, &mut Silent).ok()?;
    Some(shares.into_iter().map(|share| share as f32).collect())
}

/// Checks that the columns of the first view exist, and that sizes are numbers.
pub(crate) fn check_look(items: &Items, look: &LookArgs, input: &Path) -> Result<()> {
    check_column(items, look.color.as_deref(), input)?;
    let known = |column: &Column| matches!(column.values, Values::Number(_));
    match look.size.as_deref() {
        None | Some(DEGREE | NO_SIZE) => {}
        Some(name) if numbers(items, name).is_some() => {}
        Some(name) => {
            let problem = if items.column(name).is_some() {
                format!("the column \"{name}\" holds texts, and --size needs numbers")
            } else {
                format!("no column \"{name}\" for --size")
            };
            let there = list(items, "columns of numbers", known);
            let there = format!("{there}; `{DEGREE}` and `{NO_SIZE}` are always possible");
            return Err(Failure::BadInput(format!("{}: {problem}; {there}", input.display())).into());
        }
    }
    match look.label.as_deref() {
        Some(name) if items.column(name).is_none() => {
            let there = list(items, "columns", |_| true);
            Err(Failure::BadInput(format!("{}: no column \"{name}\" for --label; {there}", input.display())).into())
        }
        _ => Ok(()),
    }
}

/// Checks that a requested column exists.
pub(crate) fn check_column(items: &Items, column: Option<&str>, input: &Path) -> Result<()> {
    match column {
        Some(name) if items.column(name).is_none() => {
            let there = list(items, "columns", |_| true);
            Err(Failure::BadInput(format!("{}: no column \"{name}\" to colour by; {there}", input.display())).into())
        }
        _ => Ok(()),
    }
}

/// The columns that fit, in words.
fn list(items: &Items, what: &str, fits: impl Fn(&Column) -> bool) -> String {
    let names: Vec<&str> = items.columns.iter().filter(|column| fits(column)).map(|c| c.name.as_str()).collect();
    if names.is_empty() { format!("there are no {what}") } else { format!("the {what} are {}", names.join(", ")) }
}

/// A column of numbers.
fn numbers<'a>(items: &'a Items, name: &str) -> Option<&'a [f64]> {
    match &items.column(name)?.values {
        Values::Number(numbers) => Some(numbers),
        Values::Text(_) => None,
    }
}
