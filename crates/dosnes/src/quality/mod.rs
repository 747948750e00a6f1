//! How good a map is, by several measures, since no single one tells.
//!
//! | measure | is | function |
//! |---|---|---|
//! | kNN recall, trustworthiness, continuity, R_NX | whether neighbours in the data are neighbours on the map | [`neighborhoods()`] |
//! | rank correlation of distances | whether far is far | [`distance_correlation`] |
//! | label accuracy, silhouette | whether known classes can be seen | [`classes()`] |
//! | crowding, coverage | whether popular items crowd, and how much of the map is used | [`crowding()`] |
//! | KL(P‖Q), variation of the row sums of P and Q | what the optimizer sees | [`divergence()`] |
//! | trust | which items lie near the ones that they are most similar to | [`trust()`] |
//! | geography | whether a map of places agrees with the earth | [`geography()`] |
//!
//! [`Subject::evaluate`] takes all of them that the data allow.
//!
//! Up to [`QualityOptions::exact_up_to`] items all sums run over everything. Beyond that they run over a sample of
//! [`QualityOptions::rows`] items, each compared with all others, and every [`Measure`] says how far it may be off.
//!
//! Everything is in double precision, and the same bytes come out on any number of threads.

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
