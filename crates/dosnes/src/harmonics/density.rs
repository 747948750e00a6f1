//! How crowded a layout is at all scales: the expected number of points within a given angle of a point.

/// Largest number of points that are counted; with more points, every k-th is counted.
const SAMPLE: usize = 1 << 16;
/// Finest level: 6·4^8 cells, 6 milliradians across.
const FINEST: u32 = 8;

/// Box counts on a cube map.
#[derive(Debug, Default)]
pub(crate) struct Density {
    counts: Vec<u32>,
    /// For every level k, the probability that two points share one of the 6·4^k cells.
    shared: [f64; FINEST as usize + 1],
    levels: usize,
    points: usize,
}

impl Density {
    /// Counts the points of a layout.
    pub(crate) fn measure(&mut self, u: &[[f64; 3]]) {
        self.points = u.len();
        let step = u.len().div_ceil(SAMPLE).max(1);
        let sample = u.len().div_ceil(step);
        let mut level = FINEST;
        while level > 0 && 6 << (2 * level) > 8 * sample {
            level -= 1;
        }
        self.levels = level as usize + 1;
        self.counts.clear();
        self.counts.resize(6 << (2 * level), 0);
        for u in u.iter().step_by(step) {
            self.counts[cube_cell(*u, level)] += 1;
        }
        let all_pairs = (sample * sample.saturating_sub(1)).max(1) as f64;
        loop {
            let pairs: u64 = self.counts.iter().map(|&c| u64::from(c) * u64::from(c.saturating_sub(1))).sum();
            self.shared[level as usize] = pairs as f64 / all_pairs;
            if level == 0 {
                break;
            }
            level -= 1;
            // Cells are in Morton order: four children are adjacent in memory.
            let parents = self.counts.len() / 4;
            for parent in 0..parents {
                self.counts[parent] = self.counts[4 * parent..4 * parent + 4].iter().sum();
            }
            self.counts.truncate(parents);
        }
    }

    /// Expected number of points within the given solid angle around a point, excluding the point itself.
    pub(crate) fn neighbours(&self, area: f64) -> f64 {
        let sphere = 4.0 * std::f64::consts::PI;
        if area >= sphere / 6.0 {
            return self.points as f64 * self.shared[0].max(area / sphere).min(1.0);
        }
        // Interpolated linearly in the logarithms between two levels, and extrapolated beyond the finest.
        let level = (sphere / 6.0 / area).log2() / 2.0;
        let low = (level as usize).min(self.levels.saturating_sub(2));
        let high = (low + 1).min(self.levels - 1);
        let floor = 1e-12;
        let (a, b) = (self.shared[low].max(floor).ln(), self.shared[high].max(floor).ln());
        let slope = (b - a).max(-4f64.ln());
        self.points as f64 * (a + slope * (level - low as f64)).min(0.0).exp()
    }
}

/// The cell of a point: the face of the cube that it is projected to, then the interleaved bits of both coordinates.
fn cube_cell(u: [f64; 3], level: u32) -> usize {
    let size = u.map(f64::abs);
    let axis = if size[0] >= size[1] && size[0] >= size[2] {
        0
    } else if size[1] >= size[2] {
        1
    } else {
        2
    };
    let face = 2 * axis + usize::from(u[axis] < 0.0);
    let side = 1u32 << level;
    let coordinate = |value: f64| {
        let t = value / size[axis];
        // t(1.27 − 0.27|t|) distorts the projection such that cells differ little in area.
        let even = t * (1.27 - 0.27 * t.abs());
        ((0.5 * (even + 1.0) * f64::from(side)) as u32).min(side - 1)
    };
    let (a, b) = (coordinate(u[(axis + 1) % 3]), coordinate(u[(axis + 2) % 3]));
    (face << (2 * level)) | (spread_bits(a) | (spread_bits(b) << 1)) as usize
}

/// Inserts a zero between adjacent bits of a number below 2^16.
fn spread_bits(x: u32) -> u32 {
    let mut x = (x | (x << 8)) & 0x00ff_00ff;
    x = (x | (x << 4)) & 0x0f0f_0f0f;
    x = (x | (x << 2)) & 0x3333_3333;
    (x | (x << 1)) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_uniform_layout_the_neighbours_are_proportional_to_the_area() {
        let n = 20_000;
        let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let u: Vec<[f64; 3]> = (0..n)
            .map(|i| {
                let z = 1.0 - (2.0 * i as f64 + 1.0) / n as f64;
                let (s, phi) = ((1.0 - z * z).sqrt(), golden * i as f64);
                [s * phi.cos(), s * phi.sin(), z]
            })
            .collect();
        let mut density = Density::default();
        density.measure(&u);
        for area in [1.0, 0.1, 0.02] {
            let expected = n as f64 * area / (4.0 * std::f64::consts::PI);
            let found = density.neighbours(area);
            assert!((found / expected - 1.0).abs() < 0.15, "{area}: {found} {expected}");
        }
    }

    #[test]
    fn in_a_clump_all_points_are_neighbours_down_to_its_size() {
        let u: Vec<[f64; 3]> = (0..1000)
            .map(|i| {
                let (x, y) = (1e-4 * (f64::from(i) * 0.7).sin() + 0.3, 1e-4 * (f64::from(i) * 1.3).cos() + 0.2);
                [x, y, (1.0 - x * x - y * y).sqrt()]
            })
            .collect();
        let mut density = Density::default();
        density.measure(&u);
        assert!(density.neighbours(1e-2) > 900.0);
    }
}
