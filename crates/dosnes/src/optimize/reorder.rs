//! An order of the points in which neighbours on the sphere are neighbours in memory.

use super::OptimizerState;
use crate::{
    morton::spread,
    observe::{Observer, Positions, Stage, Step},
    sphere::Vec3,
};
use std::ops::ControlFlow;

/// A permutation of the points: `order[new]` is the old index.
pub(super) struct Order(Vec<u32>);

/// Bits per coordinate in the sort key.
const BITS: u32 = 10;

impl Order {
    /// Along the Morton curve through the cube around the sphere.
    pub(super) fn along_curve(u: &[Vec3]) -> Self {
        let side = f64::from(1_u32 << BITS);
        let key = |u: &Vec3| -> u64 {
            let cell = u.map(|v| ((0.5 * (v + 1.0) * side).max(0.0) as u64).min((1 << BITS) - 1));
            (0..3).fold(0, |key, k| key | (spread::<3>(cell[k]) << k))
        };
        let mut keyed: Vec<(u64, u32)> = u.iter().enumerate().map(|(i, u)| (key(u), i as u32)).collect();
        keyed.sort_unstable();
        Self(keyed.into_iter().map(|(_, i)| i).collect())
    }

    /// An order that was stored: a permutation.
    pub(super) fn stored(old_indices: Vec<u32>) -> Self {
        Self(old_indices)
    }

    /// The old index of each new one.
    pub(super) fn old_indices(&self) -> &[u32] {
        &self.0
    }

    /// From the old order to the new one.
    pub(super) fn apply(&self, old: &[Vec3]) -> Vec<Vec3> {
        self.0.iter().map(|&i| old[i as usize]).collect()
    }

    /// From the new order back to the old one.
    pub(super) fn undo(&self, new: &[Vec3], old: &mut Vec<Vec3>) {
        old.resize(new.len(), [0.0; 3]);
        for (&i, v) in self.0.iter().zip(new) {
            old[i as usize] = *v;
        }
    }
}

/// Passes the points to an observer in their old order.
pub(super) struct InOldOrder<'a> {
    pub(super) observer: &'a mut dyn Observer,
    pub(super) order: &'a Order,
    pub(super) directions: Vec<Vec3>,
}

impl Observer for InOldOrder<'_> {
    fn stage(&mut self, stage: Stage) {
        self.observer.stage(stage);
    }

    fn progress(&mut self, fraction: f64) -> ControlFlow<()> {
        self.observer.progress(fraction)
    }

    fn step(&mut self, step: &Step<'_>) -> ControlFlow<()> {
        let Positions::Sphere { directions, radius } = step.positions else {
            return self.observer.step(step);
        };
        let directions = if self.observer.wants_positions() {
            self.order.undo(directions, &mut self.directions);
            &self.directions[..]
        } else {
            &[]
        };
        let positions = Positions::Sphere { directions, radius };
        self.observer.step(&Step { positions, ..*step })
    }

    fn wants_positions(&mut self) -> bool {
        self.observer.wants_positions()
    }

    fn stopped_elsewhere(&mut self) {
        self.observer.stopped_elsewhere();
    }

    fn wants_state(&mut self) -> bool {
        self.observer.wants_state()
    }

    fn state(&mut self, mut state: OptimizerState) {
        state.set_order(self.order);
        self.observer.state(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sphere::random_direction;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn the_order_is_a_permutation_that_can_be_undone_and_brings_neighbours_together() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let u: Vec<Vec3> = (0..5000).map(|_| random_direction(&mut rng)).collect();
        let order = Order::along_curve(&u);
        let new = order.apply(&u);
        let mut back = Vec::new();
        order.undo(&new, &mut back);
        assert_eq!(back, u);
        let distance = |a: &Vec3, b: &Vec3| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
        let mean = |u: &[Vec3]| u.windows(2).map(|w| distance(&w[0], &w[1])).sum::<f64>() / u.len() as f64;
        // Randomly ordered neighbours are 4/3 apart; along the curve of 5,000 points, about the spacing √(4π/5000) =
        // 0.05.
        assert!(mean(&new) < 0.1, "{}", mean(&new));
    }
}
