//! Doubly stochastic neighbor embedding on spheres.
//!
//! `dosnes` turns similarity data into a globe: it makes the similarity matrix doubly stochastic, so that popular items
//! no longer crowd the centre of the map, and embeds it on a sphere, which has no centre at all. The method is from
//! Lu, Corander and Yang, *Doubly Stochastic Neighbor Embedding on Spheres*, Pattern Recognition Letters 128 (2019).
//!
//! Every stage is a plain value that the next one takes; the modules stand in that order:
//!
//! ```text
//! input::Data ─> Similarity ─────────────> DoublyStochastic ─> Embedding
//!                pca, neighbors, affinity   normalize           init, repulsion, optimize (on sphere)
//! ```
//!
//! [`run`] goes all the way; the stages one by one are [`similarities`], [`normalize()`] and [`embed`]:
//!
//! ```
//! use dosnes::{Similarity, embed, input::csr_from_triplets, normalize, normalize::Params, observe::Silent, optimize};
//!
//! // Five items, of which the first is similar to all.
//! let pairs = [(0, 1, 9.0), (0, 2, 9.0), (0, 3, 9.0), (0, 4, 9.0), (1, 2, 1.0), (2, 3, 1.0), (3, 4, 1.0), (4, 1, 1.0)];
//! let (weights, _) = csr_from_triplets((5, 5), &pairs);
//! let p = normalize(&Similarity::Directed(weights), &Params::default())?;
//! let map = embed(&p, &optimize::Params::default(), &mut Silent)?;
//! assert_eq!(map.coordinates.dim(), (5, 3));
//! # Ok::<(), dosnes::Error>(())
//! ```
//!
//! The library never prints and never touches a file. An [`observe::Observer`] is told what happens and may stop it.
//! The same input, parameters and seed give the same bytes on any number of threads.

pub mod input;

pub mod affinity;
pub mod neighbors;
pub mod pca;

pub mod normalize;

#[cfg_attr(not(feature = "internals"), allow(unreachable_pub, reason = "public through `internals` only"))]
mod harmonics;
pub mod init;
pub mod optimize;
pub mod repulsion;
mod sphere;

pub mod baseline;
pub mod quality;

pub mod observe;

mod error;
mod morton;
mod parallel;
mod pipeline;
mod simd;
mod similarity;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;

pub use error::Error;
pub use normalize::{DoublyStochastic, normalize};
pub use optimize::{Embedding, embed};
pub use pipeline::{
    AUTO_COMPONENTS, Affinity, Params, Reduction, Similarities, SimilarityParams, WIDE, run, similarities,
};
pub use similarity::Similarity;
