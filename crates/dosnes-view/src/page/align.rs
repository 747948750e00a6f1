//! Rotates the states of an optimisation onto each other, so that the animation shows only relative movements.
//!
//! A rotated embedding is the same embedding, and an optimizer may rotate it at any step. The orthogonal map R that
//! minimises Σ |a_i − R b_i|² is U Vᵀ of the singular value decomposition of Σ a_i b_iᵀ (Schönemann,
//! Psychometrika 31, 1966).

use ndarray::{Array2, ArrayView2};

use super::Snapshot;
use crate::Space;

type Vector = [f64; 3];
/// Three columns.
type Matrix = [Vector; 3];

/// Singular values below this share of the largest one do not determine their direction.
const NEGLIGIBLE: f64 = 1e-9;

/// The positions of the snapshots. The last one is rotated onto the result, and each of the others onto the next one. On the
/// sphere they become directions.
pub(super) fn aligned(space: Space, result: ArrayView2<'_, f64>, snapshots: &[Snapshot<'_>]) -> Vec<Array2<f64>> {
    let mut next = plain(space, result);
    let mut out = Vec::with_capacity(snapshots.len());
    for snapshot in snapshots.iter().rev() {
        let mut own = plain(space, snapshot.positions);
        turn_onto(&next, &mut own);
        let shape = (own.points.len(), space.dimensions());
        out.push(Array2::from_shape_fn(shape, |(i, k)| own.points[i][k] + next.middle[k]));
        own.middle = next.middle;
        next = own;
    }
    out.reverse();
    out
}

/// Points relative to their mean.
struct Cloud {
    points: Vec<Vector>,
    middle: Vector,
}

fn plain(space: Space, positions: ArrayView2<'_, f64>) -> Cloud {
    let mut points: Vec<Vector> =
        positions.rows().into_iter().map(|row| std::array::from_fn(|k| row.get(k).copied().unwrap_or(0.0))).collect();
    if space == Space::Sphere {
        for point in &mut points {
            // Divided by the largest coordinate first: the square of a large number may be infinite.
            let largest = point.iter().fold(0.0_f64, |largest, c| largest.max(c.abs()));
            let scaled = point.map(|c| c / largest);
            let norm = dot(&scaled, &scaled).sqrt();
            *point = scaled.map(|c| c / norm);
        }
        return Cloud { points, middle: [0.0; 3] };
    }
    let count = points.len().max(1) as f64;
    let middle: Vector = std::array::from_fn(|k| points.iter().map(|p| p[k] / count).sum());
    for point in &mut points {
        *point = std::array::from_fn(|k| point[k] - middle[k]);
    }
    Cloud { points, middle }
}

/// Rotates, and reflects if necessary, a centred cloud so that it is as close as possible to another.
fn turn_onto(onto: &Cloud, cloud: &mut Cloud) {
    let largest = |cloud: &Cloud| cloud.points.iter().flatten().fold(f64::MIN_POSITIVE, |m, c| m.max(c.abs()));
    let (scale_a, scale_b) = (largest(onto), largest(cloud));
    let mut product: Matrix = [[0.0; 3]; 3];
    for (a, b) in onto.points.iter().zip(&cloud.points) {
        for (column, &b) in product.iter_mut().zip(b) {
            for (entry, &a) in column.iter_mut().zip(a) {
                *entry += (a / scale_a) * (b / scale_b);
            }
        }
    }
    let turn = nearest_orthogonal(product);
    for point in &mut cloud.points {
        let p = *point;
        *point = std::array::from_fn(|k| turn[0][k] * p[0] + turn[1][k] * p[1] + turn[2][k] * p[2]);
    }
}

/// U Vᵀ of M = U S Vᵀ: Jacobi rotations from the right make the columns of M orthogonal.
fn nearest_orthogonal(m: Matrix) -> Matrix {
    let mut u = m;
    let mut v: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..30 {
        let mut done = true;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (pp, qq, pq) = (dot(&u[p], &u[p]), dot(&u[q], &u[q]), dot(&u[p], &u[q]));
            if pq.abs() <= 1e-15 * (pp * qq).sqrt() {
                continue;
            }
            done = false;
            let zeta = (qq - pp) / (2.0 * pq);
            let tangent = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
            let cosine = 1.0 / tangent.hypot(1.0);
            let sine = cosine * tangent;
            for columns in [&mut u, &mut v] {
                let (a, b) = (columns[p], columns[q]);
                columns[p] = std::array::from_fn(|k| cosine * a[k] - sine * b[k]);
                columns[q] = std::array::from_fn(|k| sine * a[k] + cosine * b[k]);
            }
        }
        if done {
            break;
        }
    }
    let mut order = [0, 1, 2];
    let sizes = u.map(|column| dot(&column, &column).sqrt());
    order.sort_by(|&a, &b| sizes[b].total_cmp(&sizes[a]));
    let (u, v) = (order.map(|k| (u[k], sizes[k])), order.map(|k| v[k]));
    let counts = |k: usize| u[k].1 > NEGLIGIBLE * u[0].1;
    if !counts(0) {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    }
    let first = unit(u[0].0);
    let second = if counts(1) { unit(u[1].0) } else { unit(perpendicular(first)) };
    // If both mirror images are equally close, use the one without a reflection.
    let handed = dot(&cross(&v[0], &v[1]), &v[2]).signum();
    let third = if counts(2) { unit(u[2].0) } else { cross(&first, &second).map(|c| c * handed) };
    std::array::from_fn(|c| std::array::from_fn(|r| first[r] * v[0][c] + second[r] * v[1][c] + third[r] * v[2][c]))
}

fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: Vector) -> Vector {
    let norm = dot(&a, &a).sqrt();
    a.map(|c| c / norm)
}

/// A direction perpendicular to a unit vector.
fn perpendicular(a: Vector) -> Vector {
    let axis = if a[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    cross(&a, &axis)
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;
    use proptest::prelude::*;

    use super::*;

    /// A rotation around z, y and x, with or without a reflection.
    fn orthogonal([a, b, c]: [f64; 3], mirrored: bool) -> Array2<f64> {
        let around = |axis: usize, angle: f64| {
            let (p, q) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut r = Array2::eye(3);
            (r[[p, p]], r[[q, q]], r[[p, q]], r[[q, p]]) = (angle.cos(), angle.cos(), -angle.sin(), angle.sin());
            r
        };
        let mut r: Array2<f64> = around(2, a).dot(&around(1, b)).dot(&around(0, c));
        if mirrored {
            r.column_mut(0).mapv_inplace(|v| -v);
        }
        r
    }

    fn points(n: usize, dimension: usize) -> Array2<f64> {
        Array2::from_shape_fn((n, dimension), |(i, k)| ((i * 7 + k * 3) as f64 * 1.7).sin() * 3.0 + 0.3)
    }

    proptest! {
        /// 40 points and 30 rotations of 3 × 3: rounding stays far below 1e-10.
        #[test]
        fn turned_and_mirrored_states_come_back(angles in prop::array::uniform3(-3.0..3.0_f64), mirrored: bool) {
            for space in [Space::Sphere, Space::Volume, Space::Plane] {
                let result = points(40, space.dimensions());
                let r = orthogonal(angles, mirrored);
                let state = if space == Space::Plane {
                    // In the plane only the rotation around z, and a shift.
                    let r = orthogonal([angles[0], 0.0, 0.0], mirrored);
                    result.dot(&r.slice(ndarray::s![..2, ..2])) + 5.0
                } else {
                    result.dot(&r)
                };
                let snapshots = [
                    Snapshot { step: 1, positions: state.view() },
                    Snapshot { step: 2, positions: result.view() },
                ];
                let back = aligned(space, result.view(), &snapshots);
                for (i, row) in result.rows().into_iter().enumerate() {
                    let norm = if space == Space::Sphere { row.dot(&row).sqrt() } else { 1.0 };
                    for k in 0..space.dimensions() {
                        prop_assert!((back[0][[i, k]] - row[k] / norm).abs() < 1e-10);
                        prop_assert!((back[1][[i, k]] - row[k] / norm).abs() < 1e-10);
                    }
                }
            }
        }
    }

    #[test]
    fn states_without_a_shape_stay_finite() {
        for state in
            [Array2::ones((5, 3)), Array2::from_shape_fn((5, 3), |(i, k)| if k == 0 { i as f64 + 1.0 } else { 0.0 })]
        {
            for space in [Space::Sphere, Space::Volume] {
                let snapshots = [Snapshot { step: 1, positions: state.view() }];
                let back = aligned(space, points(5, 3).view(), &snapshots);
                assert!(back[0].iter().all(|c| c.is_finite()), "{space:?}");
            }
        }
        assert_eq!(aligned(Space::Plane, Array2::zeros((0, 2)).view(), &[]), Vec::<Array2<f64>>::new());
    }
}
