//! The quality of a map, by several measures, because no single one is sufficient.
//!
//! | measure | is | function |
//! |---|---|---|
//! | kNN recall, trustworthiness, continuity, R_NX | whether neighbours in the data are neighbours on the map | [`neighborhoods()`] |
//! | rank correlation of distances | whether distances in the data are preserved | [`distance_correlation`] |
//! | label accuracy, silhouette | whether known classes are visible | [`classes()`] |
//! | crowding, coverage | whether popular items crowd together, and how much of the map is used | [`crowding()`] |
//! | KL(P‖Q), variation of the row sums of P and Q | the objective of the optimizer | [`divergence()`] |
//! | trust | which items are near their most similar items | [`trust()`] |
//! | geography | whether a map of places agrees with the earth | [`geography()`] |
//!
//! [`Subject::evaluate`] computes all measures that the data allow.
//!
//! Up to [`QualityOptions::exact_up_to`] items, all sums run over all items. With more, they run over a sample of
//! [`QualityOptions::rows`] items, each compared with all others, and every [`Measure`] contains its uncertainty.
//!
//! All computations are in double precision and give the same bytes on any number of threads.

mod cells;
mod classes;
mod correlation;
mod crowding;
mod distances;
mod divergence;
mod evaluation;
mod geography;
mod map;
mod measure;
mod neighborhoods;
mod ring;
mod trust;

pub use classes::{ClassMeasures, classes};
pub use correlation::rank_correlation;
pub use crowding::{Alignment, Crowding, UNIFORM_COVERAGE, crowding};
pub use distances::distance_correlation;
pub use divergence::{Divergence, divergence};
pub use evaluation::{Better, Evaluation, NamedMeasure, Subject};
pub use geography::{Geography, geography};
pub use map::Map;
pub use measure::{Measure, QualityOptions};
pub use neighborhoods::{AtSize, Nearness, Neighborhoods, neighborhoods};
pub use ring::Ring;
pub use trust::trust;
