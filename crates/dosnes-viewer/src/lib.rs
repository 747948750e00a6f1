//! Writes an embedding as one self-contained HTML page: a globe to turn, search, question and share.
//!
//! A [`Page`] is a plain value: the items with their columns, one or more [`View`]s (embeddings of the same items, on the
//! sphere, in the plane or in space) and, if known, the similarities that the embedding was made from.
//! [`Page::to_html`] gives the file. It needs no network, no server and no other file; everything a stranger's data
//! contains travels in inert blocks that the browser never takes for markup or code.
//!
//! The page's own code is written in TypeScript in `viewer/` and built into `viewer/dist/page.html`, which is part of this
//! crate: cargo alone builds everything.
//!
//! ```
//! use dosnes::input::Items;
//! use dosnes_viewer::{Page, Space, View};
//! use ndarray::array;
//!
//! let items = Items::numbered(3);
//! let positions = array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let mut page = Page::new("Three corners", &items);
//! page.views.push(View::new("corners", Space::Sphere, positions.view()));
//! let html = page.to_html()?;
//! assert!(html.starts_with(b"<!doctype html>"));
//! # Ok::<(), dosnes_viewer::Error>(())
//! ```

// Views of arrays are references in all but name.
#![allow(clippy::needless_pass_by_value)]

mod align;
mod blocks;
mod error;
mod header;
mod neighbors;
mod page;
mod quantize;
mod template;

pub use error::Error;
pub use page::{Initial, MeasureRow, Measures, Page, Projection, Snapshot, Space, Sprites, Theme, View};
