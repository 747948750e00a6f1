//! The still figure: what it shows, as a plain value, and the checks that it is complete.

mod color;
mod label;
#[cfg(feature = "png")]
mod png;
mod projection;
mod svg;

use dosnes::input::{Items, Values};
use ndarray::ArrayView2;

use crate::{Error, Space, check};

pub use projection::Projection;

/// A still figure of an embedding. [`Figure::to_svg`] and `Figure::to_png` (feature `png`) draw it.
///
/// A globe is shown from two opposite sides, as in the paper, so that nothing is hidden; points in space from the front
/// and from the right; the equal-area projections show the whole sphere at once. [`Projection::Equirectangular`] is a
/// texture for spherical screens.
#[derive(Debug, Clone)]
pub struct Figure<'a> {
    /// Shown above the picture; empty: nothing.
    pub title: &'a str,
    /// The items' names and columns.
    pub items: &'a Items,
    /// Where the points lie.
    pub space: Space,
    /// n × 2 in the plane, else n × 3. On the sphere only the directions count.
    pub positions: ArrayView2<'a, f64>,
    /// Column to colour by.
    pub color: Option<&'a str>,
    /// Column whose texts are the labels; the ids otherwise.
    pub label: Option<&'a str>,
    /// Weights ≥ 0 that size the points and rank the labels, for example the degrees.
    pub weights: Option<&'a [f64]>,
    /// At most this many labels a picture; 0 for none.
    pub labels: usize,
    /// How the sphere is drawn.
    pub projection: Projection,
    /// Which places are in the middle. Empty: for a globe two opposite sides, as in the paper; for points in space the front and
    /// the right side; otherwise one picture from the front.
    pub viewpoints: Vec<Viewpoint>,
    /// Width of the whole figure, in pixels; the height follows.
    pub width: u32,
    /// Colours.
    pub theme: Theme,
    /// Whether the background is left clear.
    pub transparent: bool,
}

/// The place in the middle of a picture, in degrees.
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
    /// For paper.
    Light,
    /// For screens in the dark.
    Dark,
}

impl<'a> Figure<'a> {
    /// A figure with the usual settings.
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

    /// The places in the middle of the pictures.
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

    /// What an item is called in the figure.
    fn name(&self, item: usize) -> String {
        let own = self.label.and_then(|name| self.items.column(name)).map(|column| match &column.values {
            Values::Text(texts) => texts[item].clone(),
            Values::Number(numbers) => numbers[item].to_string(),
        });
        own.filter(|text| !text.is_empty()).unwrap_or_else(|| self.items.ids[item].clone())
    }

    /// Weights relative to the largest, 0 to 1; all the same where none are given.
    fn relative_weights(&self) -> Option<Vec<f64>> {
        let weights = self.weights?;
        let largest = weights.iter().copied().filter(|w| w.is_finite()).fold(0.0, f64::max);
        let relative = |&w: &f64| if w > 0.0 && w.is_finite() { w / largest } else { 0.0 };
        Some(weights.iter().map(relative).collect())
    }
}
