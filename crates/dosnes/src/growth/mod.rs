//! Maps that grow without moving: two maps of the same items laid onto each other.
//!
//! A map on a sphere may be rotated and mirrored without any change of what it shows. [`align()`] finds the rotation that
//! lays one map onto another, so that they can be compared item by item.

mod align;

pub use align::{Alignment, align};
