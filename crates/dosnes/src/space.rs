//! The spaces of a map.

use crate::named;

/// The space of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Space {
    /// A sphere around the origin with a free radius: the paper's choice.
    #[default]
    Sphere,
    /// Two coordinates.
    Plane,
    /// Three coordinates.
    Volume,
}

named!(Space, "space", {
    Sphere => ("sphere", "a sphere with a free radius"),
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
