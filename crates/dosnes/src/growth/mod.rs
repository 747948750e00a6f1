//! Maps that grow without moving.
//!
//! A [`Model`] is a map with everything that is needed to go on with it. [`transform()`] places new items on it and tells how well
//! they fit; [`grow()`] adds them, and the old items keep their places to the last bit. A map on a sphere may be rotated and
//! mirrored without any change of what it shows: [`align()`] finds the rotation that lays one map onto another, so that
//! they can be compared item by item.

mod align;
mod completed;
mod connect;
mod extend;
mod factors;
mod format;
mod free;
mod grow;
mod half;
mod landmarks;
mod misfit;
mod model;
mod network;
mod patch;
mod place;
mod points;
mod scales;
mod shrinkage;
mod signs;
mod stability;
mod transform;

pub use align::{Alignment, align, less_than};
pub use connect::{Connected, connect, connect_all};
pub use format::FormatError;
pub use free::grow_free;
pub use grow::grow;
pub use landmarks::landmarks;
pub use model::{Model, ModelError, ModelParts};
pub use stability::stability;
pub use transform::{Placed, transform};
