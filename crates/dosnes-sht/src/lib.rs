//! Spherical harmonics and zonal convolution for points anywhere on the sphere.
#![allow(dead_code)]
mod density;
mod error;
mod exact;
mod filter;
mod kaiser;
mod kernel;
mod legendre;
mod near;
mod order;
mod pairs;
mod plan;
mod quadrature;
mod scratch;
mod simd;
mod split;
#[doc(hidden)]
pub mod stages;
mod stencil;
mod sums;
mod transform;

pub use error::Error;
pub use exact::exact_sums;
pub use kernel::Kernel;
pub use sums::{DEFAULT_TOLERANCE, Report, Totals, ZonalSums};
