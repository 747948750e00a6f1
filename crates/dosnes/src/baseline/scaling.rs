//! Non-metric multidimensional scaling.

use super::{
    DataDistances, DistanceRows,
    classical::classical_scaling,
    landmarks,
    lbfgs::{Minimum, minimize},
    stress::{BYTES_A_PAIR, Stress},
};
use crate::{
    error::{DenseMethod, Error},
    observe::{Observer, Stage, report},
    space::Space,
    sphere::{norm, unit},
};
use ndarray::Array2;
use rayon::prelude::*;

/// Options of [`nonmetric_scaling`].
#[derive(Debug, Clone, PartialEq)]
pub struct ScalingOptions {
    /// The space of the map. Default: the plane.
    pub space: Space,
    /// Largest number of iterations. Default: 300.
    pub max_iterations: usize,
    /// The search ends when steps lower the squared stress by less than this fraction of it. Default: 1e-6.
    pub tolerance: f64,
    /// With more items than this, only a sample of landmarks is scaled, and the other items are placed among these.
    /// Default: 3,000.
    pub exact_up_to: usize,
    /// Number of landmarks, at least 5. Default: 500.
    pub landmarks: usize,
    /// Largest number of bytes that may be used. Default: 8 GB.
    pub memory_limit: u64,
    /// Seed of the random choice of landmarks. Default: 0.
    pub seed: u64,
}

impl Default for ScalingOptions {
    fn default() -> Self {
        Self {
            space: Space::Plane,
            max_iterations: 300,
            tolerance: 1e-6,
            exact_up_to: 3000,
            landmarks: 500,
            memory_limit: 8_000_000_000,
            seed: 0,
        }
    }
}

/// A map by multidimensional scaling.
#[derive(Debug, Clone, PartialEq)]
pub struct Scaling {
    /// One row per item: two columns in the plane, three otherwise. On the sphere the rows have length one. In the
    /// plane and in space the map is centred, and the mean of its squared distances is one.
    pub coordinates: Array2<f64>,
    /// The space of the map.
    pub space: Space,
    /// Kruskal's stress-1; of the landmarks only, if there are any.
    pub stress: f64,
    /// Number of landmarks, if they were used.
    pub landmarks: Option<usize>,
    /// Number of iterations.
    pub iterations: usize,
    /// Whether the observer stopped the run.
    pub stopped: bool,
}

/// Non-metric multidimensional scaling: the map whose distances are closest to a monotone function of the distances in
/// the data, by Kruskal's stress-1, starting from classical scaling as R's `MASS::isoMDS` does (Kruskal 1964). On the
/// sphere, distances are measured along the surface (Cox and Cox 1991). Pairs that no path connects start far apart and
/// are then ignored, as `isoMDS` ignores missing pairs.
///
/// ```
/// use dosnes::{baseline::{DataDistances, ScalingOptions, nonmetric_scaling}, observe::Silent};
/// use ndarray::Array2;
///
/// // Ten points on a line.
/// let distances = Array2::from_shape_fn((10, 10), |(i, j)| i.abs_diff(j) as f32);
/// let data = DataDistances::of_matrix(distances.view());
/// let map = nonmetric_scaling(&data, &ScalingOptions::default(), &mut Silent)?;
/// assert!(map.stress < 0.01);
/// # Ok::<(), dosnes::Error>(())
/// ```
pub fn nonmetric_scaling(
    data: &DataDistances<'_>,
    options: &ScalingOptions,
    observer: &mut dyn Observer,
) -> Result<Scaling, Error> {
    data.with_rows(|rows| scale(rows, options, observer))?
}

fn scale(data: &dyn DistanceRows, options: &ScalingOptions, observer: &mut dyn Observer) -> Result<Scaling, Error> {
    let n = data.len();
    if n < 4 {
        return Err(Error::TooFewForNeighbors { items: n, least: 4 });
    }
    let chosen = landmarks::choose(n, options);
    let m = chosen.len() as u64;
    // The pairs, a full matrix for the start, and the rows of the landmarks.
    let needed = BYTES_A_PAIR * m * (m - 1) / 2 + 16 * m * m + if m < n as u64 { 4 * m * n as u64 } else { 0 };
    if needed > options.memory_limit {
        return Err(Error::TooLarge {
            method: DenseMethod::MultidimensionalScaling,
            n,
            needed,
            limit: options.memory_limit,
        });
    }
    observer.stage(Stage::Initialize);
    let rows = rows_of(data, &chosen, observer)?;
    let between: Vec<f64> = (0..chosen.len())
        .flat_map(|a| (a + 1..chosen.len()).map(move |b| (a, b)))
        .map(|(a, b)| f64::from(rows[a][chosen[b]]))
        .collect();
    let dimensions = options.space.dimensions();
    let mut x = start(&between, chosen.len(), dimensions)?;
    let on_sphere = options.space == Space::Sphere;
    if on_sphere {
        for y in x.chunks_mut(3) {
            y.copy_from_slice(&unit(&[y[0], y[1], y[2]]));
        }
    }
    let mut stress = Stress::new(chosen.len(), &between, on_sphere);
    observer.stage(Stage::Optimize);
    let Minimum { iterations, stopped, .. } = minimize(
        &mut x,
        options.max_iterations,
        options.tolerance,
        |x, gradient| stress.evaluate(x, dimensions, gradient),
        |share| observer.progress(share).is_continue(),
    );
    normalize(&mut x, dimensions, on_sphere);
    let mut gradient = vec![0.0; x.len()];
    let value = stress.evaluate(&x, dimensions, &mut gradient).sqrt();
    let coordinates = if chosen.len() == n {
        Array2::from_shape_fn((n, dimensions), |(i, k)| x[i * dimensions + k])
    } else {
        let curve = stress.curve(&between);
        landmarks::place_all(&rows, &chosen, &x, dimensions, on_sphere, &curve)
    };
    let landmarks = (chosen.len() < n).then_some(chosen.len());
    Ok(Scaling { coordinates, space: options.space, stress: value, landmarks, iterations, stopped })
}

/// Distances from each of the `items` to all items. Single precision is enough: only the order of the pairs matters.
fn rows_of(data: &dyn DistanceRows, items: &[usize], observer: &mut dyn Observer) -> Result<Vec<Vec<f32>>, Error> {
    let mut rows = Vec::with_capacity(items.len());
    for part in items.chunks(64) {
        let new: Vec<Vec<f32>> = part
            .par_iter()
            .map(|&i| {
                let mut row = vec![0.0; data.len()];
                data.fill(i, &mut row);
                row.into_iter().map(|d| d as f32).collect()
            })
            .collect();
        rows.extend(new);
        report(observer, rows.len() as f64 / items.len() as f64)?;
    }
    Ok(rows)
}

/// Classical scaling; infinite distances are replaced by 1.5 times the largest finite one.
fn start(between: &[f64], m: usize, dimensions: usize) -> Result<Vec<f64>, Error> {
    let far = 1.5 * between.iter().copied().filter(|d| d.is_finite()).fold(0.0, f64::max);
    let mut matrix = Array2::zeros((m, m));
    let pairs = (0..m).flat_map(|a| (a + 1..m).map(move |b| (a, b)));
    for ((a, b), &d) in pairs.zip(between) {
        let d = if d.is_finite() { d } else { far };
        matrix[[a, b]] = d;
        matrix[[b, a]] = d;
    }
    let y = classical_scaling(&matrix, dimensions)?;
    Ok(y.into_iter().collect())
}

/// Centres the map and makes the mean of its squared distances one; on the sphere, makes all lengths one.
fn normalize(x: &mut [f64], dimensions: usize, on_sphere: bool) {
    let n = (x.len() / dimensions) as f64;
    if on_sphere {
        for y in x.chunks_mut(3) {
            let length = norm(&[y[0], y[1], y[2]]);
            for v in y.iter_mut() {
                *v /= length;
            }
        }
        return;
    }
    for k in 0..dimensions {
        let mean = x.iter().skip(k).step_by(dimensions).sum::<f64>() / n;
        x.iter_mut().skip(k).step_by(dimensions).for_each(|v| *v -= mean);
    }
    // Σ over pairs of d² is n Σ |y|² for centred points.
    let mean_square = 2.0 * x.iter().map(|v| v * v).sum::<f64>() / (n - 1.0);
    let scale = 1.0 / mean_square.sqrt();
    for v in x.iter_mut() {
        *v *= scale;
    }
}
