//! The methods that the paper compares with: multidimensional scaling, and the distances that it needs.
//!
//! t-SNE and Gaussian s-SNE need no code of their own: they are [`embed`](crate::embed) of similarities that were not
//! normalised. This module contains
//!
//! | what | where |
//! |---|---|
//! | distances of the data: of points, as given, or shortest paths over similarities | [`DataDistances`] |
//! | classical scaling (Torgerson 1952) | [`classical_scaling`] |
//! | non-metric scaling in the plane and in space (Kruskal 1964), on the sphere (Cox and Cox 1991) | [`nonmetric_scaling`] |

mod classical;
mod distances;
mod lanczos;
mod landmarks;
mod lbfgs;
mod monotone;
mod scaling;
mod stress;

pub use classical::classical_scaling;
pub(crate) use distances::DistanceRows;
pub use distances::{DataDistances, Lengths};
pub use monotone::monotone_regression;
pub use scaling::{Scaling, ScalingOptions, nonmetric_scaling};
