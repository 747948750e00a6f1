//! Kruskal's stress-1 and its gradient.
//!
//! S = √(Σ (d − d̂)² / Σ d²) over all pairs, where d are the map's distances and d̂, the disparities, are the closest
//! values that increase with the data's distances (monotone regression). Equal distances in the data imply no order on
//! the map: Kruskal's primary approach to ties. Because d̂ is itself a minimiser, the gradient is the one for fixed d̂.

use super::monotone::pool;
use crate::sphere::{Vec3, add_scaled, dot, norm};
use rayon::prelude::*;

/// Largest number of bytes per pair: order, distances, disparities, scratch.
pub(super) const BYTES_A_PAIR: u64 = 40;

/// Items per task.
const ROWS: usize = 16;

/// The stress of maps of one dataset.
pub(super) struct Stress {
    n: usize,
    on_sphere: bool,
    /// Pairs in the order of the data's distances.
    order: Vec<u32>,
    /// Where ties begin and end in that order.
    ties: Vec<(usize, usize)>,
    /// For each pair: the map's distance, and its disparity.
    distances: Vec<f64>,
    disparities: Vec<f64>,
    sorted: Vec<f64>,
    blocks: Vec<(f64, usize)>,
}

/// The index of the pair i < j.
fn pair(n: usize, i: usize, j: usize) -> usize {
    i * (2 * n - i - 1) / 2 + j - i - 1
}

impl Stress {
    /// For n items with these distances in the data, one for each pair i < j in the order of i, then j. Infinite
    /// distances are ignored: if these pairs were ranked after all others, a map of two components could reach zero
    /// stress by collapsing each component into a point.
    pub(super) fn new(n: usize, data: &[f64], on_sphere: bool) -> Self {
        let mut order: Vec<u32> = (0..data.len() as u32).filter(|&at| data[at as usize].is_finite()).collect();
        order.par_sort_unstable_by(|&a, &b| data[a as usize].total_cmp(&data[b as usize]).then(a.cmp(&b)));
        let mut ties = Vec::new();
        let mut begin = 0;
        while begin < order.len() {
            let mut end = begin + 1;
            while end < order.len() && data[order[end] as usize] == data[order[begin] as usize] {
                end += 1;
            }
            if end - begin > 1 {
                ties.push((begin, end));
            }
            begin = end;
        }
        let (distances, sorted) = (vec![0.0; data.len()], vec![0.0; order.len()]);
        // Ignored pairs keep NaN.
        let disparities = vec![f64::NAN; data.len()];
        Self { n, on_sphere, order, ties, distances, disparities, sorted, blocks: Vec::new() }
    }

    /// The squared stress of the map `x` (`dimensions` coordinates per item; on the sphere only directions matter), and
    /// its gradient.
    pub(super) fn evaluate(&mut self, x: &[f64], dimensions: usize, gradient: &mut [f64]) -> f64 {
        let n = self.n;
        let points: Vec<Vec3> =
            x.chunks(dimensions).map(|y| [y[0], y[1], if dimensions == 3 { y[2] } else { 0.0 }]).collect();
        let lengths: Vec<f64> = points.iter().map(norm).collect();
        let points: Vec<Vec3> = if self.on_sphere {
            points.iter().zip(&lengths).map(|(y, length)| y.map(|v| v / length)).collect()
        } else {
            points
        };
        self.measure(&points);
        self.regress();
        let (distances, disparities) = (&self.distances, &self.disparities);
        let counting = || distances.iter().zip(disparities).filter(|(_, fit)| !fit.is_nan());
        let raw: f64 = counting().map(|(d, fit)| (d - fit) * (d - fit)).sum();
        let total: f64 = counting().map(|(d, _)| d * d).sum();
        let on_sphere = self.on_sphere;
        gradient.par_chunks_mut(ROWS * dimensions).enumerate().for_each(|(part, gradient)| {
            for (k, gradient) in gradient.chunks_mut(dimensions).enumerate() {
                let i = part * ROWS + k;
                let mut sum = [0.0; 3];
                for j in (0..n).filter(|&j| j != i) {
                    let at = pair(n, i.min(j), i.max(j));
                    let (d, fit) = (distances[at], disparities[at]);
                    if d == 0.0 || fit.is_nan() {
                        continue;
                    }
                    let slope = 2.0 * ((d - fit) - d * raw / total) / total;
                    if on_sphere {
                        // Away from j along the great circle.
                        let cosine = dot(&points[i], &points[j]).clamp(-1.0, 1.0);
                        let sine = d.sin();
                        if sine > 1e-12 {
                            let away = add_scaled(&points[j], -cosine, &points[i]);
                            sum = add_scaled(&sum, -slope / (sine * lengths[i]), &away);
                        }
                    } else {
                        let away = add_scaled(&points[i], -1.0, &points[j]);
                        sum = add_scaled(&sum, slope / d, &away);
                    }
                }
                gradient.copy_from_slice(&sum[..dimensions]);
            }
        });
        raw / total
    }

    /// Computes the map's distances.
    fn measure(&mut self, points: &[Vec3]) {
        let (n, on_sphere) = (self.n, self.on_sphere);
        let mut rest = self.distances.as_mut_slice();
        let mut rows = Vec::with_capacity(n);
        for i in 0..n {
            let (row, after) = rest.split_at_mut(n - 1 - i);
            rows.push(row);
            rest = after;
        }
        rows.into_par_iter().enumerate().for_each(|(i, row)| {
            for (d, y) in row.iter_mut().zip(&points[i + 1..]) {
                let chord = norm(&add_scaled(&points[i], -1.0, y));
                *d = if on_sphere { 2.0 * (chord / 2.0).min(1.0).asin() } else { chord };
            }
        });
    }

    /// Computes the disparities.
    fn regress(&mut self) {
        let distances = &self.distances;
        for &(begin, end) in &self.ties {
            self.order[begin..end]
                .par_sort_unstable_by(|&a, &b| distances[a as usize].total_cmp(&distances[b as usize]).then(a.cmp(&b)));
        }
        self.sorted.par_iter_mut().zip(&self.order).for_each(|(d, &at)| *d = distances[at as usize]);
        pool(&mut self.sorted, &mut self.blocks);
        for (&at, &fit) in self.order.iter().zip(&self.sorted) {
            self.disparities[at as usize] = fit;
        }
    }

    /// The disparity of each distance in the data, increasing; ties have their mean.
    pub(super) fn curve(&self, data: &[f64]) -> Vec<(f64, f64)> {
        let mut curve: Vec<(f64, f64, usize)> = Vec::new();
        for &at in &self.order {
            let (d, fit) = (data[at as usize], self.disparities[at as usize]);
            match curve.last_mut() {
                Some(last) if last.0 == d => {
                    last.1 += fit;
                    last.2 += 1;
                }
                _ => curve.push((d, fit, 1)),
            }
        }
        curve.into_iter().map(|(d, sum, count)| (d, sum / count as f64)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn random(count: usize, seed: u64) -> Vec<f64> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..count).map(|_| rng.random_range(-1.0..1.0)).collect()
    }

    #[test]
    fn the_gradient_is_that_of_the_stress() {
        let n = 12;
        // Rounded, to create ties.
        let data: Vec<f64> = random(n * (n - 1) / 2, 1).iter().map(|v| (8.0 * v).round().abs()).collect();
        for (dimensions, on_sphere) in [(2, false), (3, false), (3, true)] {
            let mut stress = Stress::new(n, &data, on_sphere);
            let x = random(n * dimensions, 2);
            let mut gradient = vec![0.0; x.len()];
            stress.evaluate(&x, dimensions, &mut gradient);
            let mut unused = gradient.clone();
            for k in 0..x.len() {
                let h = 1e-6;
                let mut at = |shift: f64| {
                    let mut x = x.clone();
                    x[k] += shift;
                    stress.evaluate(&x, dimensions, &mut unused)
                };
                let difference = (at(h) - at(-h)) / (2.0 * h);
                assert!((difference - gradient[k]).abs() < 1e-7, "{difference} {}", gradient[k]);
            }
        }
    }

    #[test]
    fn a_map_in_the_right_order_has_no_stress() {
        let x = random(20, 3);
        let mut data = Vec::new();
        for i in 0..10 {
            for j in i + 1..10 {
                let d2: f64 = (0..2).map(|k| (x[2 * i + k] - x[2 * j + k]).powi(2)).sum();
                data.push(d2.powi(3));
            }
        }
        let mut gradient = vec![0.0; 20];
        assert!(Stress::new(10, &data, false).evaluate(&x, 2, &mut gradient) < 1e-28);
    }
}
