//! Doubly stochastic neighbor embedding on spheres.
//!
//! `dosnes` turns similarity data into a globe: it makes the similarity matrix doubly stochastic, so that popular items
//! no longer crowd the centre of the map, and embeds it on a sphere, which has no centre at all. The method is from
//! Lu, Corander and Yang, *Doubly Stochastic Neighbor Embedding on Spheres*, Pattern Recognition Letters 128 (2019).

pub mod affinity;
pub mod error;
pub mod input;
pub mod neighbors;
pub mod pca;
