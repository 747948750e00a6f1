//! Scaling of many items: some of them, the landmarks, are scaled against each other, and the others are placed among
//! these.

use super::scaling::ScalingOptions;
use crate::sphere::{Vec3, add_scaled, dot, norm, unit};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// A map in space needs this many landmarks at least.
const LEAST: usize = 5;
/// Steps of each placement.
const STEPS: usize = 60;

/// The landmarks: all items, or a sample, in order.
pub(super) fn choose(n: usize, options: &ScalingOptions) -> Vec<usize> {
    let landmarks = options.landmarks.max(LEAST);
    if n <= options.exact_up_to || n <= landmarks {
        return (0..n).collect();
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let mut items: Vec<usize> = (0..n).collect();
    for k in 0..landmarks {
        let other = rng.random_range(k..n);
        items.swap(k, other);
    }
    items.truncate(landmarks);
    items.sort_unstable();
    items
}

/// The whole map. Each item that is not a landmark is placed where its distances to the landmarks are closest, in the
/// least-squares sense, to the values that the landmarks' `curve` assigns to its distances in the data.
pub(super) fn place_all(
    rows: &[Vec<f32>],
    landmarks: &[usize],
    x: &[f64],
    dimensions: usize,
    on_sphere: bool,
    curve: &[(f64, f64)],
) -> Array2<f64> {
    let n = rows[0].len();
    let places: Vec<Vec3> =
        x.chunks(dimensions).map(|y| [y[0], y[1], if dimensions == 3 { y[2] } else { 0.0 }]).collect();
    let mut of_item: Vec<Option<usize>> = vec![None; n];
    for (k, &item) in landmarks.iter().enumerate() {
        of_item[item] = Some(k);
    }
    let place = |i: usize| {
        if let Some(k) = of_item[i] {
            return places[k];
        }
        let wanted: Vec<f64> = rows.iter().map(|row| at(curve, f64::from(row[i]))).collect();
        let nearest = (0..rows.len()).min_by(|&a, &b| rows[a][i].total_cmp(&rows[b][i]).then(a.cmp(&b))).unwrap_or(0);
        let centre: Vec3 = std::array::from_fn(|k| places.iter().map(|y| y[k]).sum::<f64>() / places.len() as f64);
        // Start slightly off the nearest landmark, towards the centre, so that no distance is zero and all have a
        // direction.
        let start: Vec3 = std::array::from_fn(|k| 0.9 * places[nearest][k] + 0.1 * centre[k]);
        if on_sphere { on_the_sphere(&places, &wanted, &unit(&start)) } else { in_space(&places, &wanted, &start) }
    };
    let y: Vec<Vec3> = (0..n).into_par_iter().map(place).collect();
    Array2::from_shape_fn((n, dimensions), |(i, k)| y[i][k])
}

/// The value of an increasing curve, linear between its points.
fn at(curve: &[(f64, f64)], d: f64) -> f64 {
    let above = curve.partition_point(|point| point.0 < d);
    match (above.checked_sub(1).map(|k| curve[k]), curve.get(above)) {
        (_, Some(&(x, y))) if x == d => y,
        (Some((x0, y0)), Some(&(x1, y1))) if x1.is_finite() => y0 + (y1 - y0) * (d - x0) / (x1 - x0),
        (Some((_, y)), _) | (None, Some(&(_, y))) => y,
        (None, None) => 0.0,
    }
}

/// Guttman's transform of one point: the mean of the positions that the landmarks ask for.
fn in_space(places: &[Vec3], wanted: &[f64], start: &Vec3) -> Vec3 {
    let mut y = *start;
    for _ in 0..STEPS {
        let mut sum = [0.0; 3];
        for (place, &d) in places.iter().zip(wanted) {
            let away = add_scaled(&y, -1.0, place);
            let length = norm(&away);
            let scale = if length > 0.0 { d / length } else { 0.0 };
            sum = add_scaled(&add_scaled(&sum, 1.0, place), scale, &away);
        }
        y = sum.map(|v| v / places.len() as f64);
    }
    y
}

/// The same along great circles: the mean of the steps that the landmarks ask for.
fn on_the_sphere(places: &[Vec3], wanted: &[f64], start: &Vec3) -> Vec3 {
    let mut u = *start;
    for _ in 0..STEPS {
        let mut step = [0.0; 3];
        for (place, &d) in places.iter().zip(wanted) {
            let cosine = dot(&u, place).clamp(-1.0, 1.0);
            let towards = add_scaled(place, -cosine, &u);
            let length = norm(&towards);
            if length > 1e-12 {
                step = add_scaled(&step, (cosine.acos() - d) / length, &towards);
            }
        }
        u = unit(&add_scaled(&u, 1.0 / places.len() as f64, &step));
    }
    u
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_linear_between_its_points_and_flat_beyond() {
        let curve = [(1.0, 10.0), (2.0, 20.0), (f64::INFINITY, 50.0)];
        assert_eq!(
            [0.5, 1.0, 1.25, 2.0, 9.0, f64::INFINITY].map(|d| at(&curve, d)),
            [10.0, 10.0, 12.5, 20.0, 20.0, 50.0]
        );
    }

    #[test]
    fn a_point_is_found_from_its_distances() {
        let places: Vec<Vec3> =
            (0..20).map(|k| [(k as f64).sin(), (2.0 * k as f64).cos(), 0.1 * k as f64 - 1.0]).collect();
        let truth = [0.3, -0.2, 0.4];
        let wanted: Vec<f64> = places.iter().map(|p| norm(&add_scaled(&truth, -1.0, p))).collect();
        let found = in_space(&places, &wanted, &[0.1, 0.1, 0.1]);
        assert!(norm(&add_scaled(&found, -1.0, &truth)) < 1e-2, "{found:?}");
        let places: Vec<Vec3> = places.iter().map(unit).collect();
        let truth = unit(&truth);
        let wanted: Vec<f64> = places.iter().map(|p| dot(&truth, p).acos()).collect();
        let found = on_the_sphere(&places, &wanted, &unit(&[0.1, 0.1, 0.9]));
        assert!(norm(&add_scaled(&found, -1.0, &truth)) < 1e-2, "{found:?}");
    }
}
