//! Draws an embedding as a still figure, without a browser.
//!
//! A [`Figure`] is a plain value; [`Figure::to_svg`] gives true vectors and `Figure::to_png` (feature `png`) a picture.
//! A globe is shown from two opposite sides, as in the paper, so that nothing is hidden; points in space from the front and
//! from the right; the equal-area projections show all of the sphere at once; [`Projection::Equirectangular`] is a texture for spherical screens.
//!
//! ```
//! use dosnes::input::Items;
//! use dosnes_plot::{Figure, Projection, Space};
//! use ndarray::array;
//!
//! let items = Items::numbered(3);
//! let positions = array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let mut figure = Figure::new(&items, Space::Sphere, positions.view());
//! figure.projection = Projection::Mollweide;
//! assert!(figure.to_svg()?.starts_with("<svg"));
//! # Ok::<(), dosnes_plot::Error>(())
//! ```

#![forbid(unsafe_code)]
// Views of arrays are references in all but name.
#![allow(clippy::needless_pass_by_value)]

mod color;
mod error;
mod figure;
mod label;
#[cfg(feature = "png")]
mod png;
mod projection;
mod svg;

pub use error::Error;
pub use figure::{Figure, Space, Theme, Viewpoint};
pub use projection::Projection;
