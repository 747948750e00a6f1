//! The contents of a static figure, and checks that they are complete and consistent.

mod color;
#[cfg(feature = "gif")]
mod gif;
mod label;
#[cfg(feature = "gif")]
mod palette;
#[cfg(feature = "png")]
mod png;
mod projection;
mod sheet;
mod svg;
#[cfg(feature = "png")]
mod turn;

use dosnes::input::{Items, Values};
use ndarray::ArrayView2;

use crate::{Error, Space, check};

pub use projection::Projection;
#[cfg(feature = "png")]
pub use turn::Turn;

/// A static figure of an embedding. [`Figure::to_svg`] and `Figure::to_png` (feature `png`) draw it.
///
/// A globe is shown from two opposite sides, as in the paper, so that nothing is hidden. Points in space are shown from the
/// front and from the right. The equal-area projections show the whole sphere at once. [`Projection::Equirectangular`] is a
/// texture for spherical displays.
#[derive(Debug, Clone)]
pub struct Figure<'a> {
    /// The title above the figure; may be empty.
    pub title: &'a str,
    /// Ids and columns of the items.
    pub items: &'a Items,
    /// The space of the points.
    pub space: Space,
    /// n × 2 in the plane, otherwise n × 3. On the sphere only the directions matter.
    pub positions: ArrayView2<'a, f64>,
    /// Column that sets the colours.
    pub color: Option<&'a str>,
    /// Column with the labels; by default the ids.
    pub label: Option<&'a str>,
    /// Weights ≥ 0 that set the sizes of points and the priority of labels, for example the degrees.
    pub weights: Option<&'a [f64]>,
    /// Maximum number of labels in each view; 0 for none.
    pub labels: usize,
    /// The projection of the sphere.
    pub projection: Projection,
    /// Centres of the views. If empty: two opposite sides for a globe, as in the paper; the front and the right side for points
    /// in space; otherwise one view from the front.
    pub viewpoints: Vec<Viewpoint>,
    /// Width of the whole figure in pixels; the height depends on it.
    pub width: u32,
    /// Colours.
    pub theme: Theme,
    /// Whether the background is transparent.
    pub transparent: bool,
}

/// The centre of a view, in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewpoint {
    /// East of the x axis.
    pub longitude: f64,
    /// North of the equator.
    pub latitude: f64,
}

/// Colours of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light, for example for paper.
    Light,
    /// Light on dark.
    Dark,
}

impl<'a> Figure<'a> {
    /// A figure with the default settings.
    pub fn new(items: &'a Items, space: Space, positions: ArrayView2<'a, f64>) -> Self {
        Self {
            title: "",
            items,
            space,
            positions,
            color: None,
            label: None,
            weights: None,
            labels: 60,
            projection: Projection::Globe,
            viewpoints: Vec::new(),
            width: 1600,
            theme: Theme::Light,
            transparent: false,
        }
    }

    /// The centres of the views.
    fn middles(&self) -> Vec<Viewpoint> {
        let front = Viewpoint { longitude: 0.0, latitude: 0.0 };
        match (self.viewpoints.as_slice(), self.projection) {
            ([], Projection::Globe | Projection::Perspective) if self.space == Space::Sphere => {
                vec![front, Viewpoint { longitude: 180.0, latitude: 0.0 }]
            }
            ([], _) if self.space == Space::Volume => vec![front, Viewpoint { longitude: 90.0, latitude: 0.0 }],
            ([], _) => vec![front],
            (given, _) => given.to_vec(),
        }
    }

    fn check(&self) -> Result<(), Error> {
        check::columns(self.items)?;
        check::positions(|| "the figure".to_owned(), self.items, self.space, self.positions)?;
        if let Some(weights) = self.weights {
            check::length(|| "the list of weights".to_owned(), self.items.len(), weights.len())?;
        }
        for name in [self.color, self.label].into_iter().flatten() {
            check::column(self.items, name)?;
        }
        if !(16..=16384).contains(&self.width) {
            return Err(Error::BadWidth(self.width));
        }
        Ok(())
    }

    /// The label of an item.
    fn name(&self, item: usize) -> String {
        let own = self.label.and_then(|name| self.items.column(name)).map(|column| match &column.values {
            Values::Text(texts) => texts[item].clone(),
            Values::Number(numbers) => numbers[item].to_string(),
        });
        own.filter(|text| !text.is_empty()).unwrap_or_else(|| self.items.ids[item].clone())
    }

    /// Weights relative to the largest, 0 to 1; all equal if none are given.
    fn relative_weights(&self) -> Option<Vec<f64>> {
        let weights = self.weights?;
        let largest = weights.iter().copied().filter(|w| w.is_finite()).fold(0.0, f64::max);
        let relative = |&w: &f64| if w > 0.0 && w.is_finite() { w / largest } else { 0.0 };
        Some(weights.iter().map(relative).collect())
    }
}
