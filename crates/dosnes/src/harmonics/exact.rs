//! Reference implementation: every sum over every pair, in `f64`, directly from the definitions. All tests compare with
//! it.

use crate::harmonics::{Kernel, Totals, sums::tangential};

/// Fills `forces` with the tangential part of F_i = Σ_j f_ij (y_i − y_j), y = r u, f = −dq/d(d²), and `potentials` with
/// φ_i = Σ_{j≠i} q_ij; returns the totals.
///
/// # Panics
/// If the slices differ in length.
pub fn exact_sums(kernel: Kernel, u: &[[f64; 3]], r: f64, forces: &mut [[f64; 3]], potentials: &mut [f64]) -> Totals {
    assert_eq!(u.len(), forces.len());
    assert_eq!(u.len(), potentials.len());
    let mut totals = Totals::default();
    for i in 0..u.len() {
        let mut force = [0.0; 3];
        let mut potential = 0.0;
        for j in 0..u.len() {
            if i == j {
                continue;
            }
            let difference: [f64; 3] = std::array::from_fn(|axis| r * (u[i][axis] - u[j][axis]));
            let d2: f64 = difference.iter().map(|d| d * d).sum();
            let f = kernel.stiffness(d2);
            potential += kernel.similarity(d2);
            totals.stretch += f * d2;
            for axis in 0..3 {
                force[axis] += f * difference[axis];
            }
        }
        forces[i] = tangential(force, u[i]);
        potentials[i] = potential;
        totals.z += potential;
    }
    totals
}
