//! Code that the measuring programs and benchmarks of this package share.

#![forbid(unsafe_code)]

pub mod attraction;
pub mod clock;
