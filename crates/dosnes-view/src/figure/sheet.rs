//! Where everything is in a figure, in pixels from the top left.

use super::Viewpoint;
use super::color::Rgb;
use super::label::Label;

/// The page of a figure without the contents of its views.
pub(super) struct Sheet {
    pub(super) page_height: f64,
    pub(super) margin: f64,
    /// Size of the usual text.
    pub(super) font: f64,
    pub(super) title_height: f64,
    pub(super) legend_rows: Vec<Vec<(Rgb, String)>>,
    pub(super) legend_height: f64,
    /// The places of the views.
    pub(super) panels: Vec<Panel>,
    /// The colour of each item.
    pub(super) colors: Vec<Rgb>,
    /// Whether the figure is a texture: nothing but points.
    pub(super) texture: bool,
}

/// The position of a view in the figure.
#[derive(Clone, Copy)]
pub(super) struct Panel {
    pub(super) center_x: f64,
    pub(super) center_y: f64,
    /// Pixels per unit of the projection.
    pub(super) scale: f64,
    pub(super) half_width: f64,
    pub(super) half_height: f64,
}

impl Panel {
    /// Left, top, right, bottom.
    pub(super) fn bounds(&self) -> (f64, f64, f64, f64) {
        let Self { center_x: x, center_y: y, half_width: a, half_height: b, .. } = *self;
        (x - a, y - b, x + a, y + b)
    }
}

/// The contents of a view.
pub(super) struct View {
    pub(super) middle: Viewpoint,
    pub(super) spots: Vec<Spot>,
    pub(super) labels: Vec<Label>,
}

/// A point in the figure.
pub(super) struct Spot {
    pub(super) item: usize,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) radius: f64,
    pub(super) opacity: f64,
}
