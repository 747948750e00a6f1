//! The place of one new item on a map whose items do not move.
//!
//! The new item x minimises its own share of the objective of the map,
//!
//! ```text
//! E(y) = Σ_j P_xj (−log q(y, y_j)) + (n/Z) Σ_j q(y, y_j),        |y| = r,
//! ```
//!
//! over y alone. At an item of the map the derivative of E is the derivative of KL(P‖Q), so an item that is placed again returns
//! to where the optimizer left it. New items do not act on each other: the place of one does not depend on the others.

use super::misfit::{Ranking, rounded};
use crate::{
    kernel::Kernel,
    repulsion::{Field, FixedMap},
    sphere::{Vec3, add_scaled, dot, norm, tangential, unit},
};

/// A map whose items do not move.
pub(crate) struct FrozenMap<'a> {
    directions: &'a [Vec3],
    radius: f64,
    kernel: Kernel,
    /// n/Z.
    pressure: f64,
    fixed: FixedMap,
}

/// The similarities of a new item to the items of the map.
#[derive(Debug, Clone, Default)]
pub(crate) struct NewItem {
    /// Item and P; their sum is 1 if the sums of the map are equal.
    pub(crate) similar: Vec<(u32, f64)>,
    /// The item of the map that is the same one. It does not act on itself.
    pub(crate) same_as: Option<u32>,
    /// The place at which a spring holds it: E has the term κ |y − h|².
    pub(crate) held_at: Option<Vec3>,
}

/// What is known of a new item before it is placed.
#[derive(Debug, Clone)]
pub(crate) struct Similar {
    pub(crate) item: NewItem,
    /// The shares of its neighbours in the data; their sum is 1.
    pub(crate) shares: Vec<(u32, f64)>,
    /// Signs that it is a stranger, besides that its neighbours are scattered over the map.
    pub(crate) signs: Vec<f32>,
}

impl Similar {
    /// How badly it fits at `u`, compared with the map's own items.
    pub(crate) fn misfit(&self, map: &FrozenMap<'_>, u: &Vec3, own: &Ranking) -> f64 {
        let scattered = rounded(map.scatter(&self.shares, u));
        own.misfit(std::iter::once(scattered).chain(self.signs.iter().copied()))
    }
}

/// The search for the start takes no more steps than this.
const MEDIAN_STEPS: usize = 50;
/// Distances to the start are not told apart below this, where the kernel's width is 1.
const BLUR: f64 = 0.1;
const MAX_STEPS: usize = 200;
/// The search ends with a step shorter than this, in radians.
const SHORTEST_STEP: f64 = 1e-7;
/// Longest step, in radians, and on the map, where the kernel's width is 1.
const LONGEST_STEP: f64 = 0.2;
const LONGEST_JUMP: f64 = 1.0;
/// Half of the width of the box in which one list of masses is used.
const REACH: f64 = 1.5;
/// κ: an item that is held pays this for a distance of 1, the width of the kernel.
const STIFFNESS: f64 = 0.02;
/// Sums in single precision do not tell apart energies that are closer than this.
const NOISE: f64 = 1e-7;

/// E, its tangential gradient with respect to the direction, and the curvature of the attraction.
struct Energy {
    value: f64,
    gradient: Vec3,
    curvature: f64,
}

impl<'a> FrozenMap<'a> {
    /// `z` is Σ q over all ordered pairs of the map.
    pub(crate) fn new(directions: &'a [Vec3], radius: f64, kernel: Kernel, z: f64) -> Self {
        let y: Vec<Vec3> = directions.iter().map(|u| u.map(|v| radius * v)).collect();
        let pressure = directions.len() as f64 / z.max(f64::MIN_POSITIVE);
        Self { directions, radius, kernel, pressure, fixed: FixedMap::new(&y, kernel) }
    }

    /// Working memory for [`FrozenMap::place`].
    pub(crate) fn field(&self) -> Field {
        self.fixed.field()
    }

    /// The direction of the new item. An item of the map has its place already.
    pub(crate) fn place(&self, item: &NewItem, field: &mut Field) -> Vec3 {
        if let Some(own) = item.same_as {
            return self.directions[own as usize];
        }
        // What an earlier item left would make the result depend on the order.
        field.forget();
        let start = self.start(item);
        self.settle(item, start, MAX_STEPS, field)
    }

    /// Moves an item downhill from `u`, by a number of steps at most.
    pub(crate) fn settle(&self, item: &NewItem, mut u: Vec3, most_steps: usize, field: &mut Field) -> Vec3 {
        let mut now = self.energy(item, &u, field);
        let mut stretch = 1.0;
        let longest = LONGEST_STEP.min(LONGEST_JUMP / self.radius);
        for _ in 0..most_steps {
            let step = now.gradient.map(|g| -stretch * g / now.curvature.max(f64::MIN_POSITIVE));
            let length = norm(&step);
            let step = if length > longest { step.map(|v| v * longest / length) } else { step };
            let next = unit(&add_scaled(&u, 1.0, &step));
            let y = next.map(|v| self.radius * v);
            if !field.holds(&y) {
                // Energies are compared with the same masses.
                self.fixed.move_to(field, y, REACH);
                now = self.energy(item, &u, field);
            }
            let there = self.energy(item, &next, field);
            if there.value > now.value + NOISE {
                stretch *= 0.4;
            } else {
                // Barzilai and Borwein: the curvature along the step that was made.
                let change: Vec3 = std::array::from_fn(|k| there.gradient[k] - now.gradient[k]);
                let bend = dot(&step, &change) / dot(&step, &step).max(f64::MIN_POSITIVE);
                stretch =
                    if bend > 0.0 { (there.curvature / bend).clamp(0.1, 10.0) } else { (2.0 * stretch).min(10.0) };
                (u, now) = (next, there);
            }
            if length.min(longest) < SHORTEST_STEP || stretch < 1e-6 {
                break;
            }
        }
        u
    }

    /// κ |y − h|² of an item at `u`, if it is held.
    pub(crate) fn spring(&self, item: &NewItem, u: &Vec3) -> f64 {
        item.held_at.map_or(0.0, |held_at| {
            let away: Vec3 = std::array::from_fn(|k| self.radius * (u[k] - held_at[k]));
            STIFFNESS * dot(&away, &away)
        })
    }

    /// Σ_j s_j (−log q) of the item at `u`, for shares `s` of its similarities.
    pub(crate) fn scatter(&self, similar: &[(u32, f64)], u: &Vec3) -> f64 {
        similar.iter().map(|&(j, share)| share * self.minus_log_q(u, j as usize)).sum()
    }

    fn minus_log_q(&self, u: &Vec3, j: usize) -> f64 {
        let d2 = self.distance2(u, j);
        match self.kernel {
            Kernel::Cauchy => d2.ln_1p(),
            Kernel::Gaussian => d2,
        }
    }

    fn distance2(&self, u: &Vec3, j: usize) -> f64 {
        let other = &self.directions[j];
        let difference: Vec3 = std::array::from_fn(|k| u[k] - other[k]);
        self.radius * self.radius * dot(&difference, &difference)
    }

    /// The point with the least sum of distances to the similar items, weighted by their similarities.
    ///
    /// E has many minima: most items attract only what is near to them. The item belongs where most of its similarities are, and a
    /// few that lie close together elsewhere do not move this median. The deepest of all minima is often at such a few.
    fn start(&self, item: &NewItem) -> Vec3 {
        let similar = || item.similar.iter().copied().filter(|&(j, _)| Some(j) != item.same_as);
        let sum = similar().fold([0.0; 3], |sum, (j, p)| add_scaled(&sum, p, &self.directions[j as usize]));
        let mut median = unit(&sum);
        for _ in 0..MEDIAN_STEPS {
            let weighted = similar().fold([0.0; 3], |sum, (j, p)| {
                let distance = (self.distance2(&median, j as usize) + BLUR * BLUR).sqrt();
                add_scaled(&sum, p / distance, &self.directions[j as usize])
            });
            let next = unit(&weighted);
            let moved: Vec3 = std::array::from_fn(|k| self.radius * (next[k] - median[k]));
            median = next;
            if norm(&moved) < BLUR * BLUR {
                break;
            }
        }
        median
    }

    fn energy(&self, item: &NewItem, u: &Vec3, field: &mut Field) -> Energy {
        let y = u.map(|v| self.radius * v);
        if !field.holds(&y) {
            self.fixed.move_to(field, y, REACH);
        }
        let (mut push, mut potential) = field.sums(&y);
        if let Some(own) = item.same_as {
            let d2 = self.distance2(u, own as usize);
            let q = 1.0 + self.kernel.less_one(d2);
            let w = if self.kernel == Kernel::Cauchy { q * q } else { q };
            potential -= q;
            push = std::array::from_fn(|k| push[k] - w * self.radius * (u[k] - self.directions[own as usize][k]));
        }
        let (mut value, mut pull, mut curvature) = (self.pressure * potential, [0.0; 3], 0.0);
        for &(j, p) in &item.similar {
            let other = &self.directions[j as usize];
            let d2 = self.distance2(u, j as usize);
            let weight = match self.kernel {
                Kernel::Cauchy => p / (1.0 + d2),
                Kernel::Gaussian => p,
            };
            value += p * if self.kernel == Kernel::Cauchy { d2.ln_1p() } else { d2 };
            pull = std::array::from_fn(|k| pull[k] + weight * self.radius * (u[k] - other[k]));
            curvature += weight;
        }
        if let Some(held_at) = &item.held_at {
            value += self.spring(item, u);
            pull = std::array::from_fn(|k| pull[k] + STIFFNESS * self.radius * (u[k] - held_at[k]));
            curvature += STIFFNESS;
        }
        let force: Vec3 = std::array::from_fn(|k| 2.0 * self.radius * (pull[k] - self.pressure * push[k]));
        Energy { value, gradient: tangential(&force, u), curvature: 2.0 * self.radius * self.radius * curvature }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sphere::random_direction;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn random_map(n: usize) -> Vec<Vec3> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
        (0..n).map(|_| random_direction(&mut rng)).collect()
    }

    /// E as it is defined, over all items.
    fn slow_energy(map: &FrozenMap<'_>, item: &NewItem, u: &Vec3) -> f64 {
        let repulsion: f64 = (0..map.directions.len())
            .filter(|&j| item.same_as != Some(j as u32))
            .map(|j| 1.0 + map.kernel.less_one(map.distance2(u, j)))
            .sum();
        let attraction: f64 = item.similar.iter().map(|&(j, p)| p * map.minus_log_q(u, j as usize)).sum();
        let spring =
            item.held_at.map_or(0.0, |h| STIFFNESS * (0..3).map(|k| (map.radius * (u[k] - h[k])).powi(2)).sum::<f64>());
        attraction + map.pressure * repulsion + spring
    }

    #[test]
    fn the_place_is_a_minimum_of_the_energy() {
        let directions = random_map(400);
        for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
            let map = FrozenMap::new(&directions, 8.0, kernel, 400.0 * 399.0 * 0.02);
            let similar: Vec<(u32, f64)> =
                (0..400).filter(|&j| directions[j as usize][2] > 0.9).map(|j| (j, f64::from(j % 7 + 1))).collect();
            let total: f64 = similar.iter().map(|s| s.1).sum();
            let similar = similar.into_iter().map(|(j, p)| (j, p / total)).collect();
            let item = NewItem { similar, same_as: Some(3), held_at: None };
            let u = map.settle(&item, map.start(&item), MAX_STEPS, &mut map.field());
            let here = slow_energy(&map, &item, &u);
            for k in 0..24 {
                let angle = f64::from(k) * 0.3;
                for distance in [0.03, 0.1] {
                    let tangent = tangential(&[angle.cos(), angle.sin(), (2.0 * angle).sin()], &u);
                    let near = unit(&add_scaled(&u, distance, &unit(&tangent)));
                    // The masses of cells are right to about a percent, and repulsion is a part of E.
                    assert!(slow_energy(&map, &item, &near) > here - 1e-3, "{kernel} {k} {distance}");
                }
            }
        }
    }

    /// The deepest minimum of E is at the few that are close together.
    #[test]
    fn an_item_is_placed_among_most_of_its_similar_items() {
        let mut directions: Vec<Vec3> = (0..60_i32)
            .map(|k| {
                let (angle, tilt) = (f64::from(k) * 2.4, 0.1 * f64::from(k).sqrt());
                unit(&[tilt * angle.cos(), tilt * angle.sin(), 1.0])
            })
            .collect();
        directions.extend((0..40_i32).map(|k| unit(&[1e-3 * f64::from(k), 0.0, -1.0])));
        let similar = (0..100).map(|j| (j, 0.01)).collect();
        let item = NewItem { similar, same_as: None, held_at: None };
        let map = FrozenMap::new(&directions, 20.0, Kernel::Cauchy, 1e5);
        let u = map.place(&item, &mut map.field());
        assert!(u[2] > 0.9, "{u:?}");
        let among_few = map.settle(&item, [0.0, 0.0, -1.0], MAX_STEPS, &mut map.field());
        assert!(slow_energy(&map, &item, &among_few) < slow_energy(&map, &item, &u));
    }

    #[test]
    fn the_gradient_is_that_of_the_energy() {
        let directions = random_map(200);
        for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
            let map = FrozenMap::new(&directions, 4.0, kernel, 200.0 * 199.0 * 0.05);
            let similar = vec![(1, 0.5), (7, 0.3), (9, 0.2)];
            let item = NewItem { similar, same_as: None, held_at: Some([0.0, 0.0, -1.0]) };
            let u = unit(&[0.3, -0.4, 0.5]);
            let energy = map.energy(&item, &u, &mut map.field());
            for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
                let t = tangential(&axis, &u);
                let at = |h: f64| slow_energy(&map, &item, &unit(&add_scaled(&u, h, &t)));
                let slope = (at(1e-4) - at(-1e-4)) / 2e-4;
                let found = dot(&energy.gradient, &t);
                assert!((slope - found).abs() < 0.02 * norm(&energy.gradient) + 1e-3, "{kernel}: {slope} {found}");
            }
        }
    }
}
