//! Tests of the method through its public interface, against other programs, the paper and random inputs. All are in
//! one test program, because every further one would be compiled and linked with the whole library.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod growth;
mod memory;
mod neighbors_affinity;
mod never_panics;
mod normalize;
mod paper;
mod quality;
mod repulsion;
mod scaling;
mod stopping;
