//! Spherical harmonics and zonal convolution for points anywhere on the sphere.
//!
//! For n unit vectors u_i, a radius r and a kernel q of the chordal distance d = r |u_i − u_j|, [`ZonalSums`] computes
//! in about n^1.2 operations, for any r,
//! ```text
//! F_i = Σ_j f_ij (y_i − y_j), tangential part        y = r u,  f = −dq/d(d²):  q² for q = 1/(1+d²),  q for q = e^{−d²}
//! φ_i = Σ_j q_ij,   Z = Σ_i φ_i,   dZ/d(log r) = −2 Σ_ij f_ij d_ij²
//! ```
//! with any tolerance from 0.1 to 1e-12. Because F_i = −∇φ(u_i)/(2r), one convolution gives both values and forces.
//! Three ideas:
//!
//! - **Split the kernel** into a band-limited part and a part of compact support (`split`). The window is similar to that of
//!   Kaiser and Bessel, and needs a quarter of the near pairs that a Gaussian window needs.
//! - **The smooth part by spherical harmonics** (`transform`): masses are spread onto a ring grid with a NUFFT kernel,
//!   transformed along rings (FFT) and meridians (Legendre sums, `legendre`), multiplied, and transformed back.
//! - **The near part by cells** (`near`): pairs in contiguous ranges of memory, by polynomials in d².
//!
//! A cost model with fixed constants (`plan`) balances the two parts for the actual layout. Small numbers of points are
//! summed exactly. The result is the same on any number of threads, to the last bit. [`exact_sums`] is the slow
//! reference implementation.

// The documentation has many formulas. Kernels must be inlined into the function that is compiled for their
// instructions.
#![allow(clippy::doc_markdown, clippy::inline_always)]

mod chebyshev;
mod density;
mod error;
#[cfg(any(test, feature = "internals"))]
mod exact;
mod filter;
mod kaiser;
mod kernel;
#[cfg(any(test, feature = "internals"))]
pub mod layouts;
mod legendre;
mod near;
mod order;
mod pairs;
mod plan;
mod quadrature;
mod scratch;
mod split;
#[cfg(feature = "internals")]
pub(crate) mod stages;
mod stencil;
mod sums;
mod transform;

#[cfg(test)]
mod tests;

#[cfg(any(test, feature = "internals"))]
pub use error::Error;
#[cfg(any(test, feature = "internals"))]
pub use exact::exact_sums;
pub use kernel::Kernel;
#[cfg(feature = "internals")]
pub use sums::Report;
#[cfg(any(test, feature = "internals"))]
pub use sums::Totals;
pub use sums::{DEFAULT_TOLERANCE, ZonalSums};
