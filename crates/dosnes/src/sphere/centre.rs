//! Keeping the centroid of the points at the centre of the sphere.
//!
//! The paper embeds into {|y_i| = r, Σ_i y_i = 0}. Its algorithm subtracts the mean and normalises again, which is not
//! the projection onto that set: the result is not centred. Here points are moved by Möbius maps of the sphere until
//! their sum is zero. These maps preserve angles between curves, and so the shape of small neighbourhoods. Without the
//! constraint the points drift into a cap of an ever larger sphere, that is, into a plane.

use super::{Vec3, add_scaled, dot, norm, unit};
use crate::ranks::Share;
use rayon::prelude::*;

const MAX_ROUNDS: usize = 100;
const TOLERANCE: f64 = 1e-13;
/// The longest translation of one round. At length one a Möbius map would move all points to one position.
const LONGEST: f64 = 0.7;

/// Σ u, and Σ u uᵀ: xx, xy, xz, yy, yz, zz.
fn sums(share: &Share<'_>, u: &[Vec3]) -> (Vec3, [f64; 6]) {
    let [x, y, z, second @ ..] = share.sum_over(|i| {
        let [x, y, z] = u[i];
        [x, y, z, x * x, x * y, x * z, y * y, y * z, z * z]
    });
    ([x, y, z], second)
}

/// Solves (n I − Σ u uᵀ) a = b. The matrix is singular if all points lie on one axis; a small number is added to its
/// diagonal, so there is always a solution.
fn solve_tangent_system(n: usize, second: &[f64; 6], b: &Vec3) -> Vec3 {
    let [xx, xy, xz, yy, yz, zz] = *second;
    let diagonal = n as f64 * (1.0 + 1e-9);
    let (a, d, f) = (diagonal - xx, diagonal - yy, diagonal - zz);
    let (b12, b13, b23) = (-xy, -xz, -yz);
    // Cramer's rule for a symmetric 3 × 3 matrix.
    let c11 = d * f - b23 * b23;
    let c12 = b13 * b23 - b12 * f;
    let c13 = b12 * b23 - b13 * d;
    let c22 = a * f - b13 * b13;
    let c23 = b12 * b13 - a * b23;
    let c33 = a * d - b12 * b12;
    let determinant = a * c11 + b12 * c12 + b13 * c13;
    [
        (c11 * b[0] + c12 * b[1] + c13 * b[2]) / determinant,
        (c12 * b[0] + c22 * b[1] + c23 * b[2]) / determinant,
        (c13 * b[0] + c23 * b[1] + c33 * b[2]) / determinant,
    ]
}

/// Moves the unit vectors `u` by Möbius maps until their mean is zero. Returns whether that was reached: if more than
/// half of the points coincide, they cannot be centred. A rank moves its own points; those of the others are not needed.
pub(crate) fn centre(share: &Share<'_>, u: &mut [Vec3]) -> bool {
    let n = u.len();
    for _ in 0..MAX_ROUNDS {
        let (first, second) = sums(share, u);
        if norm(&first) <= TOLERANCE * n as f64 {
            return true;
        }
        // To first order the map u ↦ T_a(u) moves u by −2 (a − (a·u) u): solve for the a that cancels the sum.
        let mut a = solve_tangent_system(n, &second, &first.map(|v| 0.5 * v));
        let length = norm(&a);
        if length > LONGEST {
            a = a.map(|v| v * LONGEST / length);
        }
        u[share.own()].par_iter_mut().with_min_len(1024).for_each(|u| *u = mobius(u, &a));
    }
    false
}

/// T_a(u) = (1 − |a|²)(u − a)/|u − a|² − a, the Möbius map of the ball that moves a to the centre, on its surface.
fn mobius(u: &Vec3, a: &Vec3) -> Vec3 {
    let difference = add_scaled(u, -1.0, a);
    let factor = (1.0 - dot(a, a)) / dot(&difference, &difference);
    let image: Vec3 = std::array::from_fn(|k| factor * difference[k] - a[k]);
    // Already on the sphere, except for rounding.
    unit(&image)
}

/// Removes from the tangent vectors `v` at `u` the part that would move the centroid: v_i ← v_i − (λ − (λ·u_i) u_i),
/// with the λ that makes Σ v_i zero. `v` are those of this rank's own points.
pub(crate) fn project_to_centred_tangent(share: &Share<'_>, u: &[Vec3], v: &mut [Vec3]) {
    let own = share.own();
    let [vx, vy, vz, second @ ..] = share.sum_over(|i| {
        let ([x, y, z], [vx, vy, vz]) = (u[i], v[i - own.start]);
        [vx, vy, vz, x * x, x * y, x * z, y * y, y * z, z * z]
    });
    let lambda = solve_tangent_system(u.len(), &second, &[vx, vy, vz]);
    v.par_iter_mut().with_min_len(1024).zip(&u[own]).for_each(|(v, u)| {
        let along = dot(&lambda, u);
        *v = std::array::from_fn(|k| v[k] - lambda[k] + along * u[k]);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sphere::{random_direction, tangential};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn cap(n: usize, seed: u64, flatness: f64) -> Vec<Vec3> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..n).map(|_| unit(&add_scaled(&[0.0, 0.0, flatness], 1.0, &random_direction(&mut rng)))).collect()
    }

    proptest! {
        #[test]
        fn points_of_a_cap_are_spread_until_their_mean_is_zero(n in 3_usize..60, seed: u64, flatness in 0.0_f64..3.0) {
            let mut u = cap(n, seed, flatness);
            let all = Share::alone(n);
            prop_assert!(centre(&all, &mut u));
            let mean = sums(&all, &u).0.map(|v| v / n as f64);
            prop_assert!(norm(&mean) <= TOLERANCE);
            prop_assert!(u.iter().all(|u| (norm(u) - 1.0).abs() < 1e-14));
        }

        #[test]
        fn projected_tangents_sum_to_zero_and_stay_tangents(n in 3_usize..60, seed: u64) {
            let u = cap(n, seed, 0.5);
            let mut v: Vec<Vec3> = cap(n, seed ^ 1, 0.0).iter().zip(&u).map(|(v, u)| tangential(v, u)).collect();
            project_to_centred_tangent(&Share::alone(n), &u, &mut v);
            let total = Share::alone(n).sum_over(|i| v[i]);
            // The additional 1e-9 on the diagonal leaves about that much of the sum.
            prop_assert!(norm(&total) < 1e-7 * n as f64);
            prop_assert!(v.iter().zip(&u).all(|(v, u)| dot(v, u).abs() < 1e-12));
        }
    }

    #[test]
    fn more_than_half_at_one_position_cannot_be_centred() {
        let mut u = vec![[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        assert!(!centre(&Share::alone(3), &mut u));
        assert!(u.iter().all(|u| (norm(u) - 1.0).abs() < 1e-12));
    }
}
