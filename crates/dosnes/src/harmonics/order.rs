//! Points sorted by cells: bands of one ring, divided into cells that are about as wide as high.
//!
//! All work per point runs in this order: neighbours in memory are then neighbours on the sphere.

use std::f64::consts::PI;

use rayon::prelude::*;

/// Rings in a band.
pub(crate) const BAND: usize = 1;
/// Points per task.
pub(crate) const CHUNK: usize = 512;

/// Coordinates can be read in vectors of up to this number of lanes, also beyond the last point.
const MOST_LANES: usize = 8;

/// The points, sorted by cell. The sort is stable, so the order is the same on any number of threads.
#[derive(Debug, Default)]
pub(crate) struct SortedPoints {
    /// Number of rings that form the bands.
    rings: usize,
    /// First cell of every band, followed by the number of cells.
    band_cells: Vec<u32>,
    /// First point of every cell, followed by the number of points.
    cell_points: Vec<u32>,
    /// The new index of the original point i, and the original index of each new one.
    position: Vec<u32>,
    original: Vec<u32>,
    /// For every band, the sine of the polar angle at its centre, and the number of cells per radian of longitude.
    band_sines: Vec<f64>,
    cells_in_radian: Vec<f64>,
    /// θ, φ ∈ [0, 2π) of the points in the new order.
    pub(crate) theta: Vec<f64>,
    pub(crate) phi: Vec<f64>,
    /// Their coordinates, padded with zeros for vectors that read beyond the last point.
    pub(crate) axes: [Vec<f64>; 3],
}

/// θ and φ ∈ [0, 2π) of a unit vector.
#[inline]
fn angles([x, y, z]: [f64; 3]) -> (f64, f64) {
    let phi = y.atan2(x);
    ((x * x + y * y).sqrt().atan2(z), if phi < 0.0 { phi + 2.0 * PI } else { phi })
}

impl SortedPoints {
    /// Sorts `u` into bands of a grid of `rings` rings.
    pub(crate) fn sort(&mut self, u: &[[f64; 3]], rings: usize) {
        if self.rings != rings {
            self.lay_out(rings);
        }
        let n = u.len();
        // First the cell of each point, then its place.
        let mut position = std::mem::take(&mut self.position);
        position.resize(n, 0);
        position.par_chunks_mut(CHUNK).zip(u.par_chunks(CHUNK)).for_each(|(cells, u)| {
            for (cell, &u) in cells.iter_mut().zip(u) {
                let (theta, phi) = angles(u);
                *cell = self.cell(self.band(theta), phi);
            }
        });
        let cells = self.cell_points.len() - 1;
        self.cell_points.fill(0);
        for &cell in &position {
            self.cell_points[cell as usize] += 1;
        }
        let mut first = 0;
        for count in &mut self.cell_points {
            let next = first + *count;
            *count = first;
            first = next;
        }
        self.original.resize(n, 0);
        for (position, i) in position.iter_mut().zip(0..) {
            let next = &mut self.cell_points[*position as usize];
            *position = *next;
            *next += 1;
            self.original[*position as usize] = i;
        }
        self.position = position;
        // Every start was advanced to the end of its cell, which is the start of the next one.
        self.cell_points.copy_within(0..cells, 1);
        self.cell_points[0] = 0;
        self.theta.resize(n, 0.0);
        self.phi.resize(n, 0.0);
        for axis in &mut self.axes {
            axis.resize(n + MOST_LANES, 0.0);
            axis[n..].fill(0.0);
        }
        // The angles are computed again: that is quicker than fetching them from where they were.
        let [x, y, z] = &mut self.axes;
        let of_angles = self.theta.par_chunks_mut(CHUNK).zip(self.phi.par_chunks_mut(CHUNK));
        let of_axes = x[..n].par_chunks_mut(CHUNK).zip(y[..n].par_chunks_mut(CHUNK)).zip(z[..n].par_chunks_mut(CHUNK));
        self.original.par_chunks(CHUNK).zip(of_angles).zip(of_axes).for_each(
            |((original, (theta, phi)), ((x, y), z))| {
                for (k, &i) in original.iter().enumerate() {
                    let u = u[i as usize];
                    (theta[k], phi[k]) = angles(u);
                    [x[k], y[k], z[k]] = u;
                }
            },
        );
    }

    fn lay_out(&mut self, rings: usize) {
        self.rings = rings;
        self.band_cells.clear();
        self.band_cells.push(0);
        self.band_sines.clear();
        self.cells_in_radian.clear();
        let bands = rings.div_ceil(BAND);
        let height = PI / rings as f64 * BAND as f64;
        for band in 0..bands {
            let sine = ((band as f64 + 0.5) * height).sin().max(0.0);
            self.band_sines.push(sine);
            let cells = (2.0 * PI * sine / height).round().max(1.0);
            self.cells_in_radian.push(cells / (2.0 * PI));
            self.band_cells.push(self.band_cells[band] + cells as u32);
        }
        self.cell_points.clear();
        self.cell_points.resize(self.band_cells[bands] as usize + 1, 0);
    }

    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.theta.len()
    }

    /// Number of bands.
    pub(crate) fn bands(&self) -> usize {
        self.band_cells.len() - 1
    }

    /// Height of a band in radians.
    pub(crate) fn band_height(&self) -> f64 {
        PI / self.rings as f64 * BAND as f64
    }

    /// Sine of the polar angle at the centre of a band.
    #[inline]
    pub(crate) fn band_sine(&self, band: usize) -> f64 {
        self.band_sines[band]
    }

    /// The band of a polar angle.
    #[inline]
    pub(crate) fn band(&self, theta: f64) -> usize {
        ((theta / self.band_height()) as usize).min(self.bands() - 1)
    }

    /// The cell of a longitude in a band.
    #[inline]
    fn cell(&self, band: usize, phi: f64) -> u32 {
        let first = self.band_cells[band];
        let last = self.band_cells[band + 1] - 1;
        (first + (phi * self.cells_in_radian[band]) as u32).min(last)
    }

    /// The points of a range of bands.
    pub(crate) fn band_points(&self, bands: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let start = |band: usize| self.cell_points[self.band_cells[band.min(self.bands())] as usize] as usize;
        start(bands.start)..start(bands.end)
    }

    /// The points of a band in all cells that touch the longitudes [low, high]: one range, or two if it wraps around.
    #[inline]
    pub(crate) fn arc_points(&self, band: usize, low: f64, high: f64) -> [std::ops::Range<usize>; 2] {
        let points = |cells: std::ops::Range<u32>| {
            self.cell_points[cells.start as usize] as usize..self.cell_points[cells.end as usize] as usize
        };
        let (first, last) = (self.band_cells[band], self.band_cells[band + 1]);
        if high - low >= 2.0 * PI {
            return [points(first..last), 0..0];
        }
        // They are at most one turn outside of [0, 2π).
        let low = if low < 0.0 { low + 2.0 * PI } else { low };
        let high = if high >= 2.0 * PI { high - 2.0 * PI } else { high };
        let (low_cell, high_cell) = (self.cell(band, low), self.cell(band, high));
        if low <= high {
            [points(low_cell..high_cell + 1), 0..0]
        } else if high_cell >= low_cell {
            [points(first..last), 0..0]
        } else {
            [points(first..high_cell + 1), points(low_cell..last)]
        }
    }

    /// r u of a point.
    pub(crate) fn position(&self, point: usize, r: f64) -> [f64; 3] {
        std::array::from_fn(|axis| r * self.axes[axis][point])
    }

    /// The new indices of the original points.
    pub(crate) fn positions(&self) -> &[u32] {
        &self.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_found_in_the_arc_around_it() {
        let u: Vec<[f64; 3]> = (0..500)
            .map(|i| {
                let (theta, phi) = ((f64::from(i) * 0.37).sin().acos(), f64::from(i) * 1.7);
                [theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos()]
            })
            .chain([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [-1.0, -0.0, 0.0]])
            .collect();
        let mut sorted = SortedPoints::default();
        sorted.sort(&u, 24);
        for (i, &position) in sorted.positions().iter().enumerate() {
            let position = position as usize;
            assert_eq!(sorted.position(position, 1.0), u[i]);
            let band = sorted.band(sorted.theta[position]);
            assert!(sorted.band_points(band..band + 1).contains(&position));
            let phi = sorted.phi[position];
            assert!(sorted.arc_points(band, phi - 0.1, phi + 0.1).iter().any(|range| range.contains(&position)));
        }
        assert_eq!(sorted.band_points(0..sorted.bands()), 0..u.len());
    }
}
