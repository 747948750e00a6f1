//! What the measuring programs and benches of this package share.

#![forbid(unsafe_code)]

pub mod attraction;
pub mod clock;
