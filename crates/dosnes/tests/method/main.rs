//! The method through its public interface, against other programs, the paper and random inputs. One program, since each
//! further one is compiled and linked with all of the library.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod neighbors_affinity;
mod never_panics;
mod normalize;
mod paper;
mod quality;
mod repulsion;
mod scaling;
