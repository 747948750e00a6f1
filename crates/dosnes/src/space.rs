//! The spaces that a map can live in.

use crate::named;

/// Where the points of a map live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Space {
    /// A sphere around the origin, whose radius is free: the paper's choice.
    #[default]
    Sphere,
    /// Two coordinates.
    Plane,
    /// Three coordinates.
    Volume,
}

named!(Space, "space", {
    Sphere => ("sphere", "a sphere whose radius is free"),
    Plane => ("plane", "two coordinates"),
    Volume => ("space", "three coordinates"),
});

impl Space {
    /// Number of coordinates of a point.
    pub fn dimensions(self) -> usize {
        match self {
            Self::Plane => 2,
            Self::Sphere | Self::Volume => 3,
        }
    }
}
