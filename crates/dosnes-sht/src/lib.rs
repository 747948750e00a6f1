//! Spherical harmonics and zonal convolution for points anywhere on the sphere.
#![allow(dead_code)]
mod exact;
mod filter;
mod kaiser;
mod kernel;
mod legendre;
mod order;
mod quadrature;
mod scratch;
mod simd;
mod split;
mod stencil;
mod transform;

pub use exact::exact_sums;
pub use kernel::Kernel;

/// Sums over all ordered pairs i ≠ j.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Z = Σ q_ij.
    pub z: f64,
    /// Σ f_ij d_ij², f = −dq/d(d²): how Z changes with the radius, dZ/d(log r) = −2 Σ f d².
    pub stretch: f64,
}
