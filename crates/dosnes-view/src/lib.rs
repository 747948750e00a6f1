#![doc = include_str!("../README.md")]
// Views of arrays are references.
#![allow(clippy::needless_pass_by_value)]

mod check;
mod error;
mod extent;
mod figure;
mod markup;
mod numbers;
mod page;

pub use dosnes::Space;
pub use error::Error;
#[cfg(feature = "png")]
pub use figure::Turn;
pub use figure::{Figure, Projection, Theme, Viewpoint};
pub use numbers::thousands;
pub use page::{Before, Given, Level, MeasureRow, Measures, Page, Sentence, Snapshot, Sprites, View};
