//! Spherical harmonics and zonal convolution for points anywhere on the sphere.
