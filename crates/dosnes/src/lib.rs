//! Doubly stochastic neighbor embedding on spheres.
//!
//! `dosnes` turns similarity data into a globe: it makes the similarity matrix doubly stochastic, so that popular items
//! no longer crowd the centre of the map, and embeds it on a sphere, which has no centre at all. The method is from
//! Lu, Corander and Yang, *Doubly Stochastic Neighbor Embedding on Spheres*, Pattern Recognition Letters 128 (2019).
//!
//! [`Dosnes`] is the whole method: choose, then fit.
//!
//! ```
//! use dosnes::{CsrMatrix, Data, Dosnes};
//!
//! // Five items; the first is similar to all others.
//! let pairs = [(0, 1, 9.0), (0, 2, 9.0), (0, 3, 9.0), (0, 4, 9.0), (1, 2, 1.0), (2, 3, 1.0), (3, 4, 1.0), (4, 1, 1.0)];
//! let graph = Data::Graph(CsrMatrix::from_triplets((5, 5), &pairs)?);
//! let fit = Dosnes::sphere().seed(7).fit(graph)?;
//! assert_eq!(fit.embedding.coordinates.dim(), (5, 3));
//! # Ok::<(), dosnes::Error>(())
//! ```
//!
//! It consists of three stages. Each takes a plain value and returns one, so a program can start or stop at any stage:
//!
//! ```text
//! Data ── similarities ──> Similarity ── normalize ──> Affinities ── embed ──> Embedding
//!         pca, neighbors,                Sinkhorn,                   init, repulsion,
//!         affinity                       walk, …                     optimize
//! ```
//!
//! [`quality`] measures any map, [`baseline`] contains the methods that the paper compares with, and [`compare`] puts
//! them side by side. [`clusters`] finds and names the clusters of a map. [`Estimate`] predicts the memory and time of a run.
//!
//! The library never prints and never reads or writes a file. An [`observe::Observer`] is notified of progress and can
//! stop a run. The same input, options and seed give the same bytes on any number of threads.
//!
//! Arrays are those of [`ndarray`], which is re-exported. The feature `sprs` adds conversions from that crate's matrices.

pub mod input;

pub mod affinity;
pub mod neighbors;
pub mod pca;
mod similarity;

pub mod normalization;

#[cfg_attr(not(feature = "internals"), allow(unreachable_pub, reason = "public through `internals` only"))]
mod harmonics;
pub mod init;
pub mod optimize;
#[cfg_attr(not(feature = "internals"), allow(unreachable_pub, reason = "public through `internals` only"))]
mod repulsion;
mod sphere;

pub mod growth;

pub mod baseline;
pub mod clusters;
pub mod compare;
pub mod quality;

pub mod observe;
pub mod ranks;

mod builder;
mod error;
mod kernel;
mod morton;
mod named;
mod parallel;
mod plan;
mod random;
mod simd;
mod space;
mod sparse;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;

pub use builder::{Dosnes, Fit};
pub use error::{DenseMethod, Error, Parameter, Quantity};
pub use growth::{Alignment, Model, align, grow, transform};
pub use input::{Data, Kind};
pub use kernel::Kernel;
pub use named::{Named, UnknownName};
pub use ndarray;
pub use normalization::{Affinities, Normalization, NormalizeOptions, normalize, normalize_owned};
pub use optimize::{EmbedOptions, Embedding, OptimizerState, embed, embed_in_place, resume};
pub use plan::{Estimate, StageEstimate, embedding_seconds};
pub use repulsion::RepulsionMethod;
pub use similarity::{
    Affinity, Reduction, Similarities, Similarity, SimilarityFacts, SimilarityOptions, random_similarity, similarities,
};
pub use space::Space;
pub use sparse::{Components, CsrMatrix, MatrixError, Row, Stored};

/// The README's example is tested like the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
