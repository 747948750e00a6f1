//! Division of a sphere, a disc or a ball into cells of equal size.

use std::f64::consts::{PI, TAU};

/// The unit sphere divided into `count` cells of equal area: belts of about equal height, each divided by meridians.
/// The edges of the belts are chosen such that their areas are whole numbers of cells.
#[derive(Debug, Clone)]
pub(super) struct SphereCells {
    /// Number of cells north of each belt's southern edge.
    cells_before_end: Vec<usize>,
    count: usize,
}

impl SphereCells {
    pub(super) fn new(count: usize) -> Self {
        // A belt as high as a cell is wide.
        let belts = ((count as f64 * PI).sqrt() / 2.0).round().max(1.0) as usize;
        let north_of = |belt: usize| {
            let area = (1.0 - (PI * belt as f64 / belts as f64).cos()) / 2.0;
            (count as f64 * area).round() as usize
        };
        let mut cells_before_end: Vec<usize> = (1..=belts).map(north_of).collect();
        cells_before_end.dedup();
        cells_before_end.retain(|&cells| cells > 0);
        Self { cells_before_end, count }
    }

    /// The cell of a direction, which need not have unit length.
    pub(super) fn cell(&self, y: &[f64; 3]) -> usize {
        let length = y.iter().map(|v| v * v).sum::<f64>().sqrt();
        let z = if length > 0.0 { y[2] / length } else { 1.0 };
        let depth = (1.0 - z) / 2.0 * self.count as f64;
        let belt =
            self.cells_before_end.partition_point(|&end| end as f64 <= depth).min(self.cells_before_end.len() - 1);
        let first = if belt == 0 { 0 } else { self.cells_before_end[belt - 1] };
        let width = self.cells_before_end[belt] - first;
        first + sector(y[0], y[1], width)
    }
}

/// Which of `count` equal sectors contains the direction of (x, y).
fn sector(x: f64, y: f64, count: usize) -> usize {
    let turn = (y.atan2(x) / TAU).rem_euclid(1.0);
    ((turn * count as f64) as usize).min(count - 1)
}

/// The unit disc divided into about `count` cells of equal area: J rings of equal width, where ring j has area 2j + 1
/// and is divided into 3(2j + 1) sectors.
#[derive(Debug, Clone, Copy)]
pub(super) struct DiscCells {
    rings: usize,
}

impl DiscCells {
    const SECTORS: usize = 3;

    pub(super) fn new(count: usize) -> Self {
        Self { rings: ((count as f64 / Self::SECTORS as f64).sqrt().round() as usize).max(1) }
    }

    pub(super) fn count(self) -> usize {
        Self::SECTORS * self.rings * self.rings
    }

    /// The cell of a point; `None` outside the disc.
    pub(super) fn cell(self, x: f64, y: f64) -> Option<usize> {
        let distance = x.hypot(y);
        if distance > 1.0 {
            return None;
        }
        let ring = ((distance * self.rings as f64) as usize).min(self.rings - 1);
        Some(Self::SECTORS * ring * ring + sector(x, y, Self::SECTORS * (2 * ring + 1)))
    }
}

/// The unit ball divided into about `count` cells of equal volume: J shells of equal thickness, where shell j has
/// volume 3j² + 3j + 1 and is divided into 4 times as many cells.
#[derive(Debug, Clone)]
pub(super) struct BallCells {
    shells: Vec<(usize, SphereCells)>,
    count: usize,
}

impl BallCells {
    const PER_UNIT: usize = 4;

    pub(super) fn new(count: usize) -> Self {
        let shells = ((count as f64 / Self::PER_UNIT as f64).cbrt().round() as usize).max(1);
        let before = |j: usize| Self::PER_UNIT * j * j * j;
        let shell = |j: usize| (before(j), SphereCells::new(before(j + 1) - before(j)));
        Self { shells: (0..shells).map(shell).collect(), count: before(shells) }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The cell of a point; `None` outside the ball.
    pub(super) fn cell(&self, y: &[f64; 3]) -> Option<usize> {
        let distance = y.iter().map(|v| v * v).sum::<f64>().sqrt();
        if distance > 1.0 {
            return None;
        }
        let shell = ((distance * self.shells.len() as f64) as usize).min(self.shells.len() - 1);
        let (before, cells) = &self.shells[shell];
        Some(before + cells.cell(y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sphere::random_direction;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// With an average of 400 points per cell, more than 99.99 % of the counts lie within 5 standard deviations, of 20 each.
    fn is_even(counts: &[usize]) {
        assert!(counts.iter().all(|&c| (300..=500).contains(&c)), "{counts:?}");
    }

    #[test]
    fn cells_of_the_sphere_are_hit_equally_often() {
        for count in [1, 2, 3, 7, 20, 57] {
            let cells = SphereCells::new(count);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut counts = vec![0; count];
            for _ in 0..400 * count {
                counts[cells.cell(&random_direction(&mut rng))] += 1;
            }
            is_even(&counts);
        }
    }

    #[test]
    fn cells_of_disc_and_ball_are_hit_equally_often() {
        let (disc, ball) = (DiscCells::new(50), BallCells::new(110));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let (mut in_disc, mut in_ball) = (vec![0; disc.count()], vec![0; ball.count()]);
        while in_disc.iter().sum::<usize>() < 400 * disc.count() || in_ball.iter().sum::<usize>() < 400 * ball.count() {
            let y: [f64; 3] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
            if in_disc.iter().sum::<usize>() < 400 * disc.count() {
                disc.cell(y[0], y[1]).into_iter().for_each(|cell| in_disc[cell] += 1);
            }
            if in_ball.iter().sum::<usize>() < 400 * ball.count() {
                ball.cell(&y).into_iter().for_each(|cell| in_ball[cell] += 1);
            }
        }
        is_even(&in_disc);
        is_even(&in_ball);
    }
}
