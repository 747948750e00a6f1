//! The rotation that lays one map onto another.
//!
//! The orthogonal matrix R that minimises Σ w_i |a_i − R b_i|² is found from Σ w_i a_i b_iᵀ by Horn's quaternions (*Closed-form
//! solution of absolute orientation using unit quaternions*, J. Opt. Soc. Am. A 4, 1987), once for rotations and once
//! for reflections. Squares would let a few items that moved far decide. So the weights are repeated: w_i = 1/|a_i − R b_i|,
//! which minimises Σ |a_i − R b_i| (Weiszfeld's algorithm). Where most items kept their places, it finds these exactly.

use crate::{
    error::{Error, Quantity},
    parallel::sum_over,
    pca::symmetric_eigen,
    sphere::{Vec3, norm, unit},
};
use ndarray::{Array2, ArrayView2};

/// The rotation that lays one map onto another, and how far the items moved.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Alignment {
    /// An orthogonal matrix R: the position b of an item of the new map becomes R b.
    pub rotation: [[f64; 3]; 3],
    /// Whether R mirrors the map.
    pub mirrored: bool,
    /// The angle in degrees between the old and the new position of each common item, after the rotation.
    pub moved: Vec<f64>,
}

/// Rounds of weights; they converge in a few dozen unless items jump between two solutions.
const MAX_ROUNDS: usize = 300;
/// The weights end when no entry of R changes by more than this.
const SETTLED: f64 = 1e-15;
/// An item that is closer than this counts as if it were at this distance. An exact copy has only rounding errors.
const CLOSEST: f64 = 1e-9;

/// The rotation, with a reflection if that is better, that lays `new` onto `old`. Row i of both is the same item. Both are
/// maps on spheres around the origin; their radii may be different.
///
/// It minimises the sum of the distances on the unit sphere, not of their squares: items that moved far hardly count, as long
/// as most did not.
///
/// ```
/// use dosnes::align;
/// use ndarray::array;
///
/// let old = array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]];
/// // The same map, rotated by 90 degrees around z and twice as large.
/// let new = array![[0.0, 2.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, -2.0, 0.0]];
/// let alignment = align(old.view(), new.view())?;
/// assert!(!alignment.mirrored && alignment.moved.iter().all(|degrees| degrees.abs() < 1e-6));
/// assert!((alignment.apply(new.view())? - 2.0 * old).iter().all(|difference| difference.abs() < 1e-12));
/// # Ok::<(), dosnes::Error>(())
/// ```
#[allow(clippy::needless_pass_by_value, reason = "array views are references")]
pub fn align(old: ArrayView2<'_, f64>, new: ArrayView2<'_, f64>) -> Result<Alignment, Error> {
    if old.nrows() != new.nrows() {
        return Err(Error::Length { what: "the new map", found: new.nrows(), expected: old.nrows() });
    }
    let a = directions(&old, "the old map")?;
    let b = directions(&new, "the new map")?;
    let [turned, mirrored] = [false, true].map(|mirrored| robust(&a, &b, mirrored));
    // Without a reason to mirror, the map is not mirrored: one or two items fit both ways.
    let (rotation, mirrored) =
        if mirrored.distance < turned.distance * (1.0 - 1e-9) - 1e-12 { (mirrored.r, true) } else { (turned.r, false) };
    let moved = a.iter().zip(&b).map(|(a, b)| angle(a, &times(&rotation, b)).to_degrees()).collect();
    Ok(Alignment { rotation, mirrored, moved })
}

/// The value below which this share of the angles lies; 0 if there are none.
pub fn less_than(angles: &[f64], share: f64) -> f64 {
    let mut sorted = angles.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = ((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(place).copied().unwrap_or(0.0)
}

impl Alignment {
    /// The angle, in degrees, below which this share of the items moved.
    pub fn moved_less_than(&self, share: f64) -> f64 {
        less_than(&self.moved, share)
    }

    /// A map after the rotation; it may have more items than those that are common to both maps.
    #[allow(clippy::needless_pass_by_value, reason = "array views are references")]
    pub fn apply(&self, map: ArrayView2<'_, f64>) -> Result<Array2<f64>, Error> {
        if map.ncols() != 3 {
            return Err(Error::Dimensions { what: "the map", found: map.ncols(), expected: 3 });
        }
        let turned = |i: usize| times(&self.rotation, &std::array::from_fn(|k| map[[i, k]]));
        let rows: Vec<Vec3> = (0..map.nrows()).map(turned).collect();
        Ok(Array2::from_shape_fn(map.dim(), |(i, k)| rows[i][k]))
    }
}

/// The directions of the points of a sphere.
fn directions(map: &ArrayView2<'_, f64>, what: &'static str) -> Result<Vec<Vec3>, Error> {
    if map.ncols() != 3 {
        return Err(Error::Dimensions { what, found: map.ncols(), expected: 3 });
    }
    if let Some(((row, column), &value)) = map.indexed_iter().find(|(_, v)| !v.is_finite()) {
        return Err(Error::Value { quantity: Quantity::MapCoordinate, row, column, value });
    }
    let of_row = |row: usize| {
        let point: Vec3 = std::array::from_fn(|k| map[[row, k]]);
        // Divided by the largest coordinate first: the square of a large number may be infinite.
        let largest = point.iter().fold(0.0_f64, |largest, c| largest.max(c.abs()));
        if largest == 0.0 {
            return Err(Error::Value { quantity: Quantity::Radius, row, column: 0, value: 0.0 });
        }
        Ok(unit(&point.map(|c| c / largest)))
    };
    (0..map.nrows()).map(of_row).collect()
}

type Matrix = [[f64; 3]; 3];

/// An orthogonal matrix, and the sum of the distances that remain.
struct Solution {
    r: Matrix,
    distance: f64,
}

/// The rotation, or the reflection, with the smallest sum of distances.
fn robust(a: &[Vec3], b: &[Vec3], mirrored: bool) -> Solution {
    let mut r = best(a, b, |_| 1.0, mirrored);
    for _ in 0..MAX_ROUNDS {
        let next = best(a, b, |i| 1.0 / distance(&a[i], &times(&r, &b[i])).max(CLOSEST), mirrored);
        let change = (0..9).map(|k| (next[k / 3][k % 3] - r[k / 3][k % 3]).abs()).fold(0.0, f64::max);
        r = next;
        if change <= SETTLED {
            break;
        }
    }
    Solution { r, distance: sum_over(a.len(), |i| distance(&a[i], &times(&r, &b[i]))) }
}

/// The rotation (or reflection) that minimises Σ w_i |a_i − R b_i|².
fn best(a: &[Vec3], b: &[Vec3], weight: impl Fn(usize) -> f64 + Sync, mirrored: bool) -> Matrix {
    let sign = if mirrored { -1.0 } else { 1.0 };
    let Products(m) = sum_over(a.len(), |i| {
        let w = sign * weight(i);
        Products(std::array::from_fn(|k| w * a[i][k / 3] * b[i][k % 3]))
    });
    // A reflection is the opposite of a rotation: −R fits where R fits the opposite points.
    rotation(&m).map(|row| row.map(|v| sign * v))
}

/// Nine sums that are added together.
#[derive(Default, Clone, Copy)]
struct Products([f64; 9]);

impl std::ops::Add for Products {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

/// The rotation R with the largest Σ R_kl M_kl. Its quaternion is the eigenvector with the largest eigenvalue of a 4 × 4 matrix.
fn rotation(m: &[f64; 9]) -> Matrix {
    let [xx, yx, zx, xy, yy, zy, xz, yz, zz] = [m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]];
    // Named by the coordinates of b and then of a: xy is Σ b_x a_y.
    let n = ndarray::arr2(&[
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, yy - xx - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, zz - xx - yy],
    ]);
    let (_, vectors) = symmetric_eigen(&n, 1);
    let q: [f64; 4] = std::array::from_fn(|k| vectors[[0, k]]);
    let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
    let [w, x, y, z] = q.map(|v| v / length);
    [
        [w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
}

fn times(m: &Matrix, v: &Vec3) -> Vec3 {
    m.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

fn distance(a: &Vec3, b: &Vec3) -> f64 {
    norm(&std::array::from_fn(|k| a[k] - b[k]))
}

/// The angle between two unit vectors, accurate for small ones too.
pub(crate) fn angle(a: &Vec3, b: &Vec3) -> f64 {
    2.0 * (0.5 * distance(a, b)).min(1.0).asin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sphere::random_direction;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn points(n: usize, seed: u64) -> Vec<Vec3> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..n).map(|_| random_direction(&mut rng)).collect()
    }

    fn array(points: &[Vec3], radius: f64) -> Array2<f64> {
        Array2::from_shape_fn((points.len(), 3), |(i, k)| radius * points[i][k])
    }

    /// A rotation from a quaternion, and its mirror image.
    fn orthogonal(q: [f64; 4], mirrored: bool) -> Matrix {
        let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
        let [w, x, y, z] = q.map(|v| v / length);
        let columns: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|v: Vec3| {
            // v + 2w (n × v) + 2 n × (n × v).
            let cross = |a: [f64; 3], b: [f64; 3]| {
                [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
            };
            let once = cross([x, y, z], v);
            let twice = cross([x, y, z], once);
            std::array::from_fn(|k| v[k] + 2.0 * w * once[k] + 2.0 * twice[k])
        });
        let sign = if mirrored { -1.0 } else { 1.0 };
        std::array::from_fn(|k| std::array::from_fn(|l| sign * columns[l][k]))
    }

    proptest! {
        #[test]
        fn a_rotated_copy_comes_back_exactly(
            n in 3_usize..200,
            seed: u64,
            q in prop::array::uniform4(-1.0_f64..1.0),
            mirrored: bool,
        ) {
            prop_assume!(q.iter().map(|v| v * v).sum::<f64>() > 1e-2);
            let old = points(n, seed);
            let r = orthogonal(q, mirrored);
            let new: Vec<Vec3> = old.iter().map(|u| times(&r, u)).collect();
            let found = align(array(&old, 3.0).view(), array(&new, 7.0).view()).unwrap();
            // Three points lie on a plane, and fit a rotation and a reflection.
            prop_assert!(n == 3 || found.mirrored == mirrored);
            let back = found.apply(array(&new, 1.0).view()).unwrap();
            prop_assert!(back.iter().zip(old.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-12));
            prop_assert!(found.moved.iter().all(|&degrees| degrees < 1e-10));
        }

        #[test]
        fn items_that_moved_do_not_turn_the_others(
            seed: u64,
            q in prop::array::uniform4(-1.0_f64..1.0),
            mirrored: bool,
        ) {
            prop_assume!(q.iter().map(|v| v * v).sum::<f64>() > 1e-2);
            let old = points(100, seed);
            let r = orthogonal(q, mirrored);
            let mut new: Vec<Vec3> = old.iter().map(|u| times(&r, u)).collect();
            new[..30].copy_from_slice(&points(30, seed ^ 1));
            let found = align(array(&old, 1.0).view(), array(&new, 1.0).view()).unwrap();
            prop_assert!(found.moved[30..].iter().all(|&degrees| degrees < 1e-6), "{:?}", found.moved);
        }
    }

    #[test]
    fn no_rotation_of_a_fine_grid_is_better() {
        let (a, b) = (points(40, 3), points(40, 4));
        let cost = |r: &Matrix| a.iter().zip(&b).map(|(a, b)| distance(a, &times(r, b)).powi(2)).sum::<f64>();
        for mirrored in [false, true] {
            let found = cost(&best(&a, &b, |_| 1.0, mirrored));
            let steps = || (0..13).map(|k| f64::from(k) / 6.0 - 1.0);
            let grid = steps().flat_map(|x| steps().flat_map(move |y| steps().map(move |z| (x, y, z))));
            let least = grid.map(|(x, y, z)| cost(&orthogonal([1.0, x, y, z], mirrored))).fold(f64::MAX, f64::min);
            assert!(found <= least, "{found} {least}");
        }
    }

    #[test]
    fn maps_that_cannot_be_aligned_are_refused() {
        let map = array(&points(4, 0), 1.0);
        assert!(matches!(align(map.view(), map.slice(ndarray::s![..3, ..])), Err(Error::Length { .. })));
        let plane = map.slice(ndarray::s![.., ..2]);
        assert!(matches!(align(plane, plane), Err(Error::Dimensions { found: 2, .. })));
        let zero = Array2::zeros((4, 3));
        assert!(matches!(align(map.view(), zero.view()), Err(Error::Value { quantity: Quantity::Radius, .. })));
        let nothing = Array2::zeros((0, 3));
        assert_eq!(align(nothing.view(), nothing.view()).unwrap().moved, Vec::<f64>::new());
    }
}
