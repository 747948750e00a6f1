//! Clusters of a map and their names, for tables and pages.

use dosnes::clusters::{Clusters, Features, find_clusters, name_clusters};
use dosnes::input::{Column, Dataset, Items, Values};
use dosnes::ndarray::ArrayView2;
use dosnes::observe::Silent;
use dosnes::quality::Map;
use dosnes::{Kind, Space};
use dosnes_view::Level;

/// The names of the columns in the outputs.
const NUMBER: &str = "cluster";
const NAME: &str = "cluster_name";

/// The clusters of a map.
pub(crate) struct Atlas {
    clusters: Clusters,
    /// For each level, the names of its clusters.
    names: Vec<Vec<String>>,
}

/// What is known about the items besides their columns.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known<'a> {
    /// The data, with the names of their columns.
    pub(crate) features: Option<Features<'a>>,
    /// The total similarity of each item, if large totals belong to well-known items.
    pub(crate) weights: Option<&'a [f64]>,
}

impl<'a> Known<'a> {
    /// What is known from a dataset of which the items in `rows` are on the map.
    pub(crate) fn of(dataset: &'a Dataset, rows: &'a [usize], degree: Option<&'a [f64]>) -> Self {
        let names = dataset.partners.as_ref().map(|partners| &partners.ids[..]);
        let features = names.map(|names| Features { data: &dataset.data, names, rows });
        // The total similarity of a point says how many points are near, not how well it is known.
        let has_hubs = matches!(dataset.data.kind(), Kind::Graph | Kind::Similarity | Kind::Dyadic);
        Self { features, weights: degree.filter(|_| has_hubs) }
    }
}

impl Atlas {
    /// Finds and names the clusters of a map. `None` if there are none to speak of: the map has one cluster only, or cannot be
    /// measured.
    pub(crate) fn of(items: &Items, space: Space, coordinates: &ArrayView2<'_, f64>, known: Known<'_>) -> Option<Self> {
        // Chords have the same order as great-circle distances.
        let space = if space == Space::Sphere { Space::Volume } else { space };
        let map = Map::new(coordinates.view(), space).ok()?;
        let clusters = find_clusters(&map, &mut Silent).ok()?;
        if clusters.flat().iter().all(|&cluster| cluster == 0) {
            return None;
        }
        let names = name_clusters(&clusters, items, known.features, known.weights);
        Some(Self { clusters, names })
    }

    /// Adds the columns `cluster` and `cluster_name`. Columns of the input with such a name are kept as they are, and then
    /// neither is added.
    pub(crate) fn add_columns(&self, items: &mut Items) {
        if [NUMBER, NAME].iter().any(|name| items.column(name).is_some()) {
            return;
        }
        let flat = self.clusters.flat();
        let level = self.clusters.levels().iter().position(|level| level == flat);
        let Some(names) = level.and_then(|level| self.names.get(level)) else { return };
        let numbers = flat.iter().map(|&cluster| f64::from(cluster)).collect();
        let texts = flat.iter().map(|&cluster| names[cluster as usize].clone()).collect();
        items.columns.push(Column { name: NUMBER.to_owned(), values: Values::Number(numbers) });
        items.columns.push(Column { name: NAME.to_owned(), values: Values::Text(texts) });
    }

    /// The levels for a page.
    pub(crate) fn levels(&self) -> Vec<Level<'_>> {
        let levels = self.clusters.levels().iter().zip(&self.names);
        levels.map(|(clusters, names)| Level { clusters, names }).collect()
    }
}
