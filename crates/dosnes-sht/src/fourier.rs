//! Plans of Fourier transforms for other crates.
//!
//! A crate that plans transforms itself compiles all their algorithms anew, which takes longer than everything else in it;
//! through these functions they are compiled once, here.

pub use realfft::{ComplexToReal, RealToComplex, num_complex::Complex64};
pub use rustfft::Fft;
use std::sync::Arc;

/// Transforms of real numbers, and back; without any factor, so that both together multiply by `size`.
pub fn real(size: usize) -> (Arc<dyn RealToComplex<f64>>, Arc<dyn ComplexToReal<f64>>) {
    let mut planner = realfft::RealFftPlanner::new();
    (planner.plan_fft_forward(size), planner.plan_fft_inverse(size))
}

/// Transforms of complex numbers, and back, as [`real`].
pub fn complex(size: usize) -> (Arc<dyn Fft<f64>>, Arc<dyn Fft<f64>>) {
    let mut planner = rustfft::FftPlanner::new();
    (planner.plan_fft_forward(size), planner.plan_fft_inverse(size))
}
