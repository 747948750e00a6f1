//! Embeddings as people look at them: the globe page and still figures.

use crate::snapshots::State;
use anyhow::Result;
use dosnes::{
    input::{Csr, Items, Points},
    neighbors::{NeighborOptions, find_neighbors},
    optimize::Space,
};
use dosnes_view::{Figure, Page, Snapshot, Sprites, View};
use ndarray::ArrayView2;
use std::ops::ControlFlow;

/// What is shown.
pub(crate) struct Picture<'a> {
    /// The heading.
    pub(crate) title: &'a str,
    /// What the map is called: "DOSNES", "t-SNE".
    pub(crate) name: &'a str,
    /// What one calls the items, in the plural; empty where nobody knows.
    pub(crate) noun: &'a str,
    /// The items on the map.
    pub(crate) items: &'a Items,
    /// Where the points lie.
    pub(crate) space: Space,
    /// Where they are.
    pub(crate) coordinates: ArrayView2<'a, f64>,
    /// The sphere's radius.
    pub(crate) radius: Option<f64>,
    /// The similarities that the map was made from.
    pub(crate) p: Option<&'a Csr>,
    /// The items' total similarities before they were made equal.
    pub(crate) degree: Option<&'a [f64]>,
    /// The column to colour by at first.
    pub(crate) color: Option<&'a str>,
    /// Earlier states of the map, in order.
    pub(crate) states: &'a [State],
    /// A small image of each item.
    pub(crate) sprites: Option<Sprites<'a>>,
    /// Further maps of the same items, to be shown beside this one.
    pub(crate) others: Vec<Other<'a>>,
}

/// A further map of the same items.
pub(crate) struct Other<'a> {
    /// What it is called.
    pub(crate) name: &'a str,
    /// Where the points lie.
    pub(crate) space: Space,
    /// Where they are.
    pub(crate) coordinates: ArrayView2<'a, f64>,
    /// The sphere's radius.
    pub(crate) radius: Option<f64>,
}

/// Neighbours that trust is measured on.
const TRUST_NEIGHBORS: usize = 15;

impl Picture<'_> {
    /// The self-contained page.
    pub(crate) fn html(&self) -> Result<Vec<u8>> {
        let own = self.p.and_then(|p| trust(p, &self.coordinates));
        let mut page = Page::new(self.title, self.items);
        page.noun = self.noun;
        page.views.push(View {
            radius: self.radius,
            trust: own.as_deref(),
            snapshots: self
                .states
                .iter()
                .map(|state| Snapshot { step: state.step, positions: state.positions.view() })
                .collect(),
            ..View::new(self.name, self.space, self.coordinates)
        });
        // Trust is measured on every map, so that the page can show where each of them fails.
        let trusts: Vec<_> =
            self.others.iter().map(|other| self.p.and_then(|p| trust(p, &other.coordinates))).collect();
        for (other, trust) in self.others.iter().zip(&trusts) {
            page.views.push(View {
                radius: other.radius,
                trust: trust.as_deref(),
                ..View::new(other.name, other.space, other.coordinates)
            });
        }
        page.sprites = self.sprites;
        page.similarity = self.p;
        page.degree = self.degree;
        page.color = self.color;
        Ok(page.to_html()?)
    }

    /// The still figure, which can still be changed.
    pub(crate) fn figure(&self) -> Figure<'_> {
        let mut figure = Figure::new(self.items, self.space, self.coordinates);
        figure.title = self.title;
        figure.weights = self.degree;
        figure.color = self.color;
        figure
    }
}

/// For each item the share of its strongest similarities that are among its nearest on the map.
fn trust(p: &Csr, coordinates: &ArrayView2<'_, f64>) -> Option<Vec<f32>> {
    let n = p.rows();
    let k = TRUST_NEIGHBORS.min(n.saturating_sub(1));
    let points = Points::Dense(coordinates.mapv(|v| v as f32));
    let nearest = find_neighbors(&points, &NeighborOptions::new(k), &mut |_| ControlFlow::Continue(())).ok()?;
    let mut strongest: Vec<(f64, usize)> = Vec::new();
    let shares = p.outer_iterator().enumerate().map(|(i, row)| {
        strongest.clear();
        strongest.extend(row.iter().map(|(j, &value)| (value, j)));
        strongest.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        strongest.truncate(k);
        let (on_map, _) = nearest.row(i);
        // An item with few similarities is asked only for those.
        let on_map = &on_map[..strongest.len().min(on_map.len())];
        let kept = strongest.iter().filter(|&&(_, j)| on_map.contains(&(j as u32))).count();
        kept as f32 / strongest.len().max(1) as f32
    });
    Some(shares.collect())
}
