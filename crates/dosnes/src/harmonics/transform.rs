//! Convolution of points on the sphere with a zonal function, by spherical harmonics.
//!
//! ```text
//! points ─spread─> grid ─FFT of rings─> spectrum ─┐ for every m: undo the kernel, Legendre sums,
//! points <─interpolate─ grid <─FFT of rings─ columns <─┘ times g_l, Legendre sums, undo the kernel
//! ```
//! The grid has N = σL equidistant rings of 2N nodes. The Kaiser-Bessel kernel is inverted along rings by dividing the
//! Fourier coefficients, and along meridians by a short filter (no second FFT). ∂φ/sin θ is singular near the poles and
//! cannot be interpolated there, so the smooth field i m F_m(θ)/sin θ has a small grid of its own at each pole.

use std::f64::consts::PI;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use realfft::num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};

use crate::harmonics::filter::{Continuation, apply, continue_line, line_length};
use crate::harmonics::kaiser::{KaiserBessel, OVERSAMPLING};
use crate::harmonics::legendre::{LegendreTable, PARTS};
use crate::harmonics::order::{BAND, CHUNK, SortedPoints};
use crate::harmonics::scratch::Pool;
use crate::harmonics::stencil::{LEFT, Rows, Sample, Stencil};
use crate::ranks::{Communicator, Share};
use crate::simd::Real;

/// Orders per task: as many complex `f32` as a cache line holds.
const ORDERS: usize = 8;
/// Rows per task.
const ROWS: usize = 8;
/// Polar angle below which the gradient along rings comes from the polar grid.
const POLAR_ZONE: f64 = 0.2;
/// The smallest number of rings for which no kernel wraps around a ring.
pub(crate) const MIN_RINGS: usize = 24;

/// Plans and buffers for one band limit.
pub(crate) struct RingTransform<T: Real> {
    degree: usize,
    rings: usize,
    /// Rows of a strip of the grid: points of one strip never touch the strip after the next one.
    strip: usize,
    /// Number of rings of each polar zone, and the number with those that interpolation inside it needs.
    polar_zone: usize,
    polar_rings: usize,
    stencil: Stencil<T>,
    table: LegendreTable<T>,
    filter: Vec<T>,
    /// 1/ψ̂ for every order.
    undo: Vec<T>,
    /// 1/sin θ of the northern rings.
    inverse_sines: Vec<T>,
    forward: Arc<dyn RealToComplex<T>>,
    backward: Arc<dyn ComplexToReal<T>>,
    grid: Vec<T>,
    spectrum: Vec<Complex<T>>,
    columns: Vec<Complex<T>>,
    polar_columns: Vec<Complex<T>>,
    polar_grid: Vec<T>,
    power: Vec<f64>,
    row_scratch: Pool<RowScratch<T>>,
    column_scratch: Pool<ColumnScratch<T>>,
}

#[derive(Default)]
struct RowScratch<T> {
    real: Vec<T>,
    complex: Vec<Complex<T>>,
    fft: Vec<Complex<T>>,
}

#[derive(Default)]
struct ColumnScratch<T> {
    /// Four lines for each order of a block.
    lines: Vec<T>,
    parts: Vec<T>,
    field: Vec<T>,
    coefficients: Vec<[T; 2]>,
    legendre: Vec<T>,
}

/// Gradient on the unit sphere and value of the convolved field at a point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Field {
    pub(crate) value: f64,
    /// Along the meridian, ∂/∂θ.
    pub(crate) south: f64,
    /// Along the ring, (1/sin θ) ∂/∂φ.
    pub(crate) east: f64,
}

impl Field {
    /// The gradient as a vector in space, at the point u.
    pub(crate) fn gradient(&self, u: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = u;
        let ring = (x * x + y * y).sqrt();
        // Exactly at a pole, `atan2` gives the longitude 0, and the field was sampled for that longitude.
        let (cos, sin) = if ring > 0.0 { (x / ring, y / ring) } else { (1.0, 0.0) };
        [self.south * z * cos - self.east * sin, self.south * z * sin + self.east * cos, -self.south * ring]
    }
}

impl<T: Real> RingTransform<T> {
    /// Plans for a grid with this number of rings and interpolation errors of about `tolerance`.
    pub(crate) fn new(rings: usize, tolerance: f64) -> Self {
        let degree = degree_for(rings);
        let kernel = KaiserBessel::for_tolerance(tolerance);
        let stencil = Stencil::<T>::new(&kernel, rings, 0.02 * tolerance);
        let strip = (2 * stencil.reach() + 2).next_multiple_of(2 * BAND);
        let filter = kernel.inverse_filter(0.2 * tolerance).into_iter().map(T::of).collect();
        let undo = (0..=degree).map(|m| T::of(1.0 / kernel.transform(PI * m as f64 / rings as f64))).collect();
        let polar_zone = ((POLAR_ZONE * rings as f64 / PI).ceil() as usize).next_multiple_of(BAND);
        let polar_rings = (polar_zone + stencil.reach() + 1).min(rings / 2);
        let mut planner = RealFftPlanner::new();
        let threshold = (1e-3 * tolerance).max(0.1 * T::EPSILON);
        let stride = stencil.stride();
        Self {
            degree,
            rings,
            strip,
            polar_zone,
            polar_rings,
            table: LegendreTable::new(degree, rings, threshold),
            filter,
            undo,
            inverse_sines: (0..rings / 2).map(|j| T::of(1.0 / ((j as f64 + 0.5) * PI / rings as f64).sin())).collect(),
            forward: planner.plan_fft_forward(2 * rings),
            backward: planner.plan_fft_inverse(2 * rings),
            grid: vec![T::default(); (rings + strip) * stride],
            spectrum: vec![Complex::default(); rings * (degree + 1)],
            columns: vec![Complex::default(); (degree + 1) * rings],
            polar_columns: vec![Complex::default(); (degree + 1) * 2 * polar_rings],
            polar_grid: vec![T::default(); 2 * (strip / 2 + polar_rings) * stride],
            power: vec![0.0; (degree + 1).div_ceil(ORDERS) * (degree + 1)],
            row_scratch: Pool::default(),
            column_scratch: Pool::default(),
            stencil,
        }
    }

    #[cfg(any(test, feature = "internals"))]
    pub(crate) fn degree(&self) -> usize {
        self.degree
    }

    #[cfg(feature = "internals")]
    pub(crate) fn table(&self) -> &LegendreTable<T> {
        &self.table
    }

    /// Convolves unit masses at the points (sorted for this grid) with the zonal function with coefficients g_l, and fills `power`
    /// with S_l = Σ_m |a_lm|². Afterwards [`interpolate`](Self::interpolate) knows the field at this rank's share of the points.
    ///
    /// Ranks divide the rows of the grid for the way there, the orders for the Legendre sums, and the points for the way back.
    /// Between these they exchange the spectra. Each number is computed by one rank, as one process would compute it.
    pub(crate) fn convolve(&mut self, points: &SortedPoints, share: &Share<'_>, g: &[f64], power: &mut [f64]) {
        let rows = self.row_share(share.communicator(), points);
        self.spread(points, rows.own());
        self.rows_to_spectrum(&rows);
        self.multiply(share.communicator(), g, power);
        self.columns_to_rows(points, share.own());
    }

    /// Rows of the grid, divided by the number of points near them. Rows beyond a pole stay with the rings onto which they are
    /// folded.
    pub(crate) fn row_share<'a>(&self, communicator: &'a dyn Communicator, points: &SortedPoints) -> Share<'a> {
        let (rings, strip) = (self.rings, self.strip);
        let strips = (rings + strip).div_ceil(strip);
        let work = |number: usize| points.band_points(number * strip / BAND..(number + 1) * strip / BAND).len() as f64;
        let blocks = Share::of_work(communicator, strips, work, |number| number * strip <= rings);
        blocks.map_bounds(|number| (number * strip).min(rings + strip))
    }

    /// Spreads the points' masses onto `rows` of the grid, first the even strips, then the odd ones: every node receives its
    /// masses in an order that does not depend on the threads. The rows are whole strips. (Others that points near them touch
    /// are left incomplete.)
    pub(crate) fn spread(&mut self, points: &SortedPoints, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        let (strip, stride) = (self.strip, self.stencil.stride());
        // A strip adds to its own rows and to the next ones.
        let strips = (rows.start / strip).saturating_sub(1)..rows.end.div_ceil(strip);
        let first = strips.start & !1;
        let all_rows = self.grid.len() / stride;
        let touched = &mut self.grid[first * strip * stride..(rows.end + strip).min(all_rows) * stride];
        let stencil = &self.stencil;
        let half = (strip / 2) as isize;
        let add = |number: usize, rows: &mut [T]| {
            if !strips.contains(&number) {
                return;
            }
            let range = points.band_points(number * strip / BAND..(number + 1) * strip / BAND);
            let first_row = (number * strip) as isize - half;
            stencil.spread(&points.theta[range.clone()], &points.phi[range], first_row, rows);
        };
        touched.par_chunks_mut(2 * strip * stride).enumerate().for_each(|(pair, rows)| {
            rows.fill(T::default());
            add(first + 2 * pair, rows);
        });
        touched[strip * stride..].par_chunks_mut(2 * strip * stride).enumerate().for_each(|(pair, rows)| {
            add(first + 2 * pair + 1, rows);
        });
    }

    /// Fourier coefficients of all rings, orders 0 … L, each by the rank that has its row. Rows beyond a pole belong to the
    /// opposite side of a ring.
    pub(crate) fn rows_to_spectrum(&mut self, rows: &Share<'_>) {
        let (rings, strip, degree, stride) = (self.rings, self.strip, self.degree, self.stencil.stride());
        let (grid, forward, pool) = (&self.grid, &self.forward, &self.row_scratch);
        let ghosts = (strip / 2).min(rings);
        let share = rows.map_bounds(|row| row.saturating_sub(strip / 2).min(rings));
        let own = share.own();
        let spectrum = &mut self.spectrum[own.start * (degree + 1)..own.end * (degree + 1)];
        spectrum.par_chunks_mut(ROWS * (degree + 1)).enumerate().for_each(|(block, spectrum)| {
            pool.with(|scratch| {
                scratch.real.resize(2 * rings, T::default());
                scratch.complex.resize(rings + 1, Complex::default());
                scratch.fft.resize(forward.get_scratch_len(), Complex::default());
                for (i, spectrum) in spectrum.chunks_exact_mut(degree + 1).enumerate() {
                    let ring = own.start + block * ROWS + i;
                    let row = |row: usize| &grid[row * stride..(row + 1) * stride];
                    scratch.real.fill(T::default());
                    fold(row(ring + strip / 2), 0, &mut scratch.real);
                    if ring < ghosts {
                        fold(row(strip / 2 - 1 - ring), rings, &mut scratch.real);
                    }
                    if ring >= rings - ghosts {
                        fold(row(strip / 2 + 2 * rings - 1 - ring), rings, &mut scratch.real);
                    }
                    let transformed =
                        forward.process_with_scratch(&mut scratch.real, &mut scratch.complex, &mut scratch.fft);
                    debug_assert!(transformed.is_ok());
                    spectrum.copy_from_slice(&scratch.complex[..=degree]);
                }
            });
        });
        share.fill_in(degree + 1, &mut self.spectrum);
    }

    /// From the spectrum of the masses to that of the field, one block of orders after the other.
    pub(crate) fn multiply(&mut self, communicator: &dyn Communicator, g: &[f64], power: &mut [f64]) {
        let (rings, degree, polar_rings) = (self.rings, self.degree, self.polar_rings);
        // The sums of order m have L + 1 − m degrees; the rest of the work is the same for all orders.
        let blocks = (degree + 1).div_ceil(ORDERS);
        let work = |block: usize| (2 * (degree + 1) - block * ORDERS) as f64;
        let share = Share::of_work(communicator, blocks, work, |_| true);
        let own = share.own();
        let of_orders = |width: usize| {
            let order = |block: usize| (block * ORDERS).min(degree + 1);
            width * order(own.start)..width * order(own.end)
        };
        let mut columns = std::mem::take(&mut self.columns);
        let mut polar_columns = std::mem::take(&mut self.polar_columns);
        let mut powers = std::mem::take(&mut self.power);
        columns[of_orders(rings)]
            .par_chunks_mut(ORDERS * rings)
            .zip(polar_columns[of_orders(2 * polar_rings)].par_chunks_mut(ORDERS * 2 * polar_rings))
            .zip(powers[own.start * (degree + 1)..own.end * (degree + 1)].par_chunks_mut(degree + 1))
            .enumerate()
            .for_each(|(block, ((columns, polar), power))| {
                let block = own.start + block;
                self.column_scratch.with(|scratch| {
                    power.fill(0.0);
                    self.gather(block, scratch);
                    let outputs = columns.chunks_exact_mut(rings).zip(polar.chunks_exact_mut(2 * polar_rings));
                    for (i, (column, polar)) in outputs.enumerate() {
                        let m = block * ORDERS + i;
                        self.analyse(m, i, scratch);
                        let weight = if m == 0 { 1.0 } else { 2.0 };
                        for (l, coefficient) in scratch.coefficients.iter_mut().enumerate() {
                            let [re, im] = coefficient.map(Real::f64);
                            power[m + l] += weight * (re * re + im * im);
                            *coefficient = [T::of(re * g[m + l]), T::of(im * g[m + l])];
                        }
                        self.synthesise(m, scratch, column, polar);
                    }
                });
            });
        let orders = share.map_bounds(|block| (block * ORDERS).min(degree + 1));
        orders.fill_in(rings, &mut columns);
        orders.fill_in(2 * polar_rings, &mut polar_columns);
        share.fill_in(degree + 1, &mut powers);
        power.fill(0.0);
        for block in powers.chunks_exact(degree + 1) {
            for (total, part) in power.iter_mut().zip(block) {
                *total += part;
            }
        }
        self.columns = columns;
        self.polar_columns = polar_columns;
        self.power = powers;
    }

    /// Collects the columns of a block of orders from the spectrum, as even and odd parts about the equator.
    fn gather(&self, block: usize, scratch: &mut ColumnScratch<T>) {
        let (rings, first, reach, length) = (self.rings, block * ORDERS, self.filter.len() - 1, self.line_length());
        let count = ORDERS.min(self.degree + 1 - first);
        scratch.lines.resize(ORDERS * PARTS * length, T::default());
        let row = |ring: usize| &self.spectrum[ring * (self.degree + 1) + first..][..count];
        for j in 0..rings / 2 {
            for (i, (north, south)) in row(j).iter().zip(row(rings - 1 - j)).enumerate() {
                let undo = self.undo[first + i];
                let (even, odd) = ((north + south) * undo, (north - south) * undo);
                let lines = &mut scratch.lines[i * PARTS * length + reach + j..];
                lines[0] = even.re;
                lines[length] = even.im;
                lines[2 * length] = odd.re;
                lines[3 * length] = odd.im;
            }
        }
    }

    /// Length of a line of one part of one order.
    fn line_length(&self) -> usize {
        line_length(self.table.padded(), self.filter.len() - 1)
    }

    /// Filters the four lines of an order into `parts`; the first `wanted` rings of each are computed.
    fn filter_lines(&self, lines: &mut [T], pole: T, wanted: usize, parts: &mut Vec<T>) {
        let (half, reach, padded) = (self.rings / 2, self.filter.len() - 1, self.table.padded());
        parts.resize(PARTS * padded, T::default());
        // Whole vectors, two at a time.
        let wanted = wanted.next_multiple_of(2 * T::LANES).min(padded);
        for (p, (line, part)) in
            lines.chunks_exact_mut(self.line_length()).zip(parts.chunks_exact_mut(padded)).enumerate()
        {
            let equator = T::of(if p < 2 { 1.0 } else { -1.0 });
            continue_line(line, half, reach, Continuation { pole, equator });
            apply::<T>(line, &self.filter, &mut part[..wanted]);
        }
    }

    /// a_lm, l = m … L, from the lines of an order.
    fn analyse(&self, m: usize, i: usize, scratch: &mut ColumnScratch<T>) {
        let (half, padded) = (self.rings / 2, self.table.padded());
        let lines = &mut scratch.lines[i * PARTS * self.line_length()..][..PARTS * self.line_length()];
        self.filter_lines(lines, parity(m), half, &mut scratch.parts);
        for part in scratch.parts.chunks_exact_mut(padded) {
            part[half..].fill(T::default());
        }
        scratch.coefficients.resize(self.degree + 1 - m, [T::default(); 2]);
        self.table.analyse(m, &scratch.parts, &mut scratch.coefficients, &mut scratch.legendre);
    }

    /// From coefficients to a column of the field's spectrum, and to the polar rings of i m F_m/sin θ.
    fn synthesise(
        &self,
        m: usize,
        scratch: &mut ColumnScratch<T>,
        column: &mut [Complex<T>],
        polar: &mut [Complex<T>],
    ) {
        let (rings, padded, length) = (self.rings, self.table.padded(), self.line_length());
        let (half, reach) = (rings / 2, self.filter.len() - 1);
        scratch.field.resize(PARTS * padded, T::default());
        self.table.synthesise(m, &scratch.coefficients, &mut scratch.field, &mut scratch.legendre);
        let ColumnScratch { lines, field, parts, .. } = scratch;
        // The lines of masses of this order are no longer needed.
        let lines = &mut lines[m % ORDERS * PARTS * length..][..PARTS * length];
        let undo = self.undo[m];
        for (line, field) in lines.chunks_exact_mut(length).zip(field.chunks_exact(padded)) {
            for (value, &field) in line[reach..reach + half].iter_mut().zip(field) {
                *value = undo * field;
            }
        }
        self.filter_lines(lines, parity(m), half, parts);
        for j in 0..half {
            let (even, odd) =
                (Complex::new(parts[j], parts[padded + j]), Complex::new(parts[2 * padded + j], parts[3 * padded + j]));
            column[j] = even + odd;
            column[rings - 1 - j] = even - odd;
        }
        // i m F/sin θ: real and imaginary part are exchanged.
        let order = undo * T::of(m as f64);
        for (p, line) in lines.chunks_exact_mut(length).enumerate() {
            let (from, factor) = if p % 2 == 0 { (p + 1, T::default() - order) } else { (p - 1, order) };
            let field = &field[from * padded..];
            for (j, value) in line[reach..reach + half].iter_mut().enumerate().take(self.polar_rings + reach) {
                *value = factor * field[j] * self.inverse_sines[j];
            }
        }
        self.filter_lines(lines, T::default() - parity::<T>(m), self.polar_rings, parts);
        let (north, south) = polar.split_at_mut(self.polar_rings);
        for j in 0..self.polar_rings {
            let (even, odd) =
                (Complex::new(parts[j], parts[padded + j]), Complex::new(parts[2 * padded + j], parts[3 * padded + j]));
            north[j] = even + odd;
            south[j] = even - odd;
        }
    }

    /// Values of the field on the rows of the grid that these points need, with the rows beyond the poles and the columns beyond
    /// one turn filled in.
    pub(crate) fn columns_to_rows(&mut self, points: &SortedPoints, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let (rings, stride) = (self.rings, self.stencil.stride());
        let (ghosts, polar_rings) = (self.strip / 2, self.polar_rings);
        let bands = points.band(points.theta[range.start])..points.band(points.theta[range.end - 1]) + 1;
        let reach = self.stencil.reach() + 1;
        let needed = (bands.start * BAND + ghosts).saturating_sub(reach)
            ..(bands.end * BAND + ghosts + reach).min(self.grid.len() / stride);
        let mut grid = std::mem::take(&mut self.grid);
        let needed_rows = &mut grid[needed.start * stride..needed.end * stride];
        needed_rows.par_chunks_mut(ROWS * stride).enumerate().for_each(|(block, rows)| {
            self.row_scratch.with(|scratch| {
                for (i, row) in rows.chunks_exact_mut(stride).enumerate() {
                    let (ring, beyond) = ring_of(needed.start + block * ROWS + i, ghosts, rings);
                    self.fill_row(
                        &self.columns,
                        rings,
                        ring,
                        if beyond { [1.0, -1.0] } else { [1.0, 1.0] },
                        scratch,
                        row,
                    );
                }
            });
        });
        self.grid = grid;
        // The component of a vector along the ring changes sign beyond a pole.
        let mut polar_grid = std::mem::take(&mut self.polar_grid);
        let rows = ghosts + polar_rings;
        let zones = self.polar_zones(points);
        polar_grid.par_chunks_mut(stride).enumerate().for_each(|(row, values)| {
            let (pole, row) = (row / rows, row % rows);
            if zones[pole].start >= range.end || zones[pole].end <= range.start {
                return;
            }
            // North: ghosts, then rings from the pole on; south: rings up to the pole, then ghosts.
            let (ring, beyond) = if pole == 0 {
                ring_of(row, ghosts, rings)
            } else {
                ring_of(rings - polar_rings + row + ghosts, ghosts, rings)
            };
            let column = if pole == 0 { ring } else { polar_rings + rings - 1 - ring };
            let signs = if beyond { [-1.0, 1.0] } else { [1.0, 1.0] };
            self.row_scratch.with(|scratch| {
                self.fill_row(&self.polar_columns, 2 * polar_rings, column, signs, scratch, values);
            });
        });
        self.polar_grid = polar_grid;
    }

    /// One row of a grid from one entry of every column; `signs` are for even and odd orders (beyond a pole the
    /// longitude changes by π).
    fn fill_row(
        &self,
        columns: &[Complex<T>],
        length: usize,
        entry: usize,
        signs: [f64; 2],
        scratch: &mut RowScratch<T>,
        row: &mut [T],
    ) {
        let nodes = 2 * self.rings;
        scratch.real.resize(nodes, T::default());
        scratch.complex.resize(self.rings + 1, Complex::default());
        scratch.fft.resize(self.backward.get_scratch_len(), Complex::default());
        let signs = signs.map(T::of);
        for (m, (value, column)) in scratch.complex.iter_mut().zip(columns.chunks_exact(length)).enumerate() {
            *value = column[entry] * signs[m % 2];
        }
        scratch.complex[self.degree + 1..].fill(Complex::default());
        scratch.complex[0].im = T::default();
        let transformed = self.backward.process_with_scratch(&mut scratch.complex, &mut scratch.real, &mut scratch.fft);
        debug_assert!(transformed.is_ok());
        row[..LEFT].copy_from_slice(&scratch.real[nodes - LEFT..]);
        row[LEFT..LEFT + nodes].copy_from_slice(&scratch.real);
        let rest = row.len() - LEFT - nodes;
        row[LEFT + nodes..].copy_from_slice(&scratch.real[..rest]);
    }

    /// The points near each of the poles, for which the gradient along rings comes from the polar grid.
    fn polar_zones(&self, points: &SortedPoints) -> [Range<usize>; 2] {
        let (rings, zone) = (self.rings, self.polar_zone);
        [points.band_points(0..zone / BAND), points.band_points((rings - zone) / BAND..points.bands())]
    }

    /// Passes the field at each point from `own` on to `take`, with the number of the point and its element of `out`. Returns the sums
    /// of the squares of its values for each [`CHUNK`] of the points.
    pub(crate) fn interpolate<O: Send>(
        &self,
        points: &SortedPoints,
        own: usize,
        out: &mut [O],
        take: impl Fn(usize, &Field, &mut O) + Sync,
    ) -> Vec<f64> {
        let (rings, ghosts) = (self.rings, (self.strip / 2) as isize);
        let stride = self.stencil.stride();
        let rows = Rows { first: -ghosts, values: &self.grid };
        let (north, south) = self.polar_grid.split_at((self.strip / 2 + self.polar_rings) * stride);
        let [north_zone, south_zone] = self.polar_zones(points);
        let polar = [
            (north_zone, Rows { first: -ghosts, values: north }),
            (south_zone, Rows { first: (rings - self.polar_rings) as isize, values: south }),
        ];
        let of_chunk = |(chunk, out): (usize, &mut [O])| {
            let (mut samples, mut fields) = ([Sample::default(); CHUNK], [Field::default(); CHUNK]);
            let first = own + chunk * CHUNK;
            let range = first..first + out.len();
            let (samples, fields) = (&mut samples[..out.len()], &mut fields[..out.len()]);
            self.stencil.interpolate(&rows, &points.theta[range.clone()], &points.phi[range.clone()], samples);
            for ((field, sample), theta) in fields.iter_mut().zip(&*samples).zip(&points.theta[range.clone()]) {
                *field = Field { value: sample.value, south: sample.south, east: sample.turn / theta.sin() };
            }
            for (zone, rows) in &polar {
                let part = range.start.max(zone.start)..range.end.min(zone.end);
                if part.is_empty() {
                    continue;
                }
                let samples = &mut samples[..part.len()];
                self.stencil.interpolate(rows, &points.theta[part.clone()], &points.phi[part.clone()], samples);
                for (field, sample) in fields[part.start - first..].iter_mut().zip(&*samples) {
                    field.east = sample.value;
                }
            }
            for ((i, field), out) in range.zip(&*fields).zip(out) {
                take(i, field, out);
            }
            fields.iter().map(|field| field.value * field.value).sum()
        };
        out.par_chunks_mut(CHUNK).enumerate().map(of_chunk).collect()
    }
}

/// The ring of a row of the grid, and whether the row lies beyond a pole.
fn ring_of(row: usize, ghosts: usize, rings: usize) -> (usize, bool) {
    if row < ghosts {
        (ghosts - 1 - row, true)
    } else if row < ghosts + rings {
        (row - ghosts, false)
    } else {
        (2 * rings - 1 - (row - ghosts), true)
    }
}

/// Adds a row of the grid, with the columns beyond one turn, to a ring, shifted by `turn` nodes.
fn fold<T: Real>(row: &[T], turn: usize, ring: &mut [T]) {
    let nodes = ring.len();
    let mut node = (nodes - LEFT + turn) % nodes;
    for &value in row {
        ring[node] = ring[node] + value;
        node += 1;
        if node == nodes {
            node = 0;
        }
    }
}

/// (−1)^m.
fn parity<T: Real>(m: usize) -> T {
    T::of(if m.is_multiple_of(2) { 1.0 } else { -1.0 })
}

/// The band limit for a number of rings.
pub(crate) fn degree_for(rings: usize) -> usize {
    ((rings - 1) as f64 / OVERSAMPLING) as usize
}

/// Whether a number is even and has no prime factor above 5.
pub(crate) fn is_smooth(n: usize) -> bool {
    let mut rest = n;
    for prime in [2, 3, 5] {
        while rest.is_multiple_of(prime) {
            rest /= prime;
        }
    }
    rest == 1 && n.is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harmonics::quadrature::GaussLegendre;
    use crate::ranks::Alone;

    fn points() -> Vec<[f64; 3]> {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut points: Vec<[f64; 3]> = (0..300)
            .map(|i| {
                let phi = 2.0 * PI * next();
                // A third of the points is concentrated around each pole.
                let z = match i % 3 {
                    0 => 2.0 * next() - 1.0,
                    1 => 1.0 - 1e-3 * next(),
                    _ => -1.0 + 1e-5 * next(),
                };
                let s = (1.0 - z * z).sqrt();
                [s * phi.cos(), s * phi.sin(), z]
            })
            .collect();
        points.extend([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]);
        points
    }

    /// The convolution with a band-limited function equals the direct sum, in value and gradient, also at the poles.
    fn check<T: Real>(rings: usize, tolerance: f64) {
        let u = points();
        let degree = degree_for(rings);
        // A Gaussian of the chord: its coefficients fall like e^{−l²/2width²}, to e^{−32} at the degree.
        let width = degree as f64 / 8.0;
        let kernel = |t: f64| (-width * width * t).exp();
        let slope = |t: f64| width * width * kernel(t);
        let rule = GaussLegendre::new(2 * degree);
        let values: Vec<_> = rule.one_minus_x().iter().map(|&t| [kernel(t), 0.0]).collect();
        let mut g = vec![[0.0; 2]; degree + 1];
        rule.zonal_coefficients(&values, &mut g, &mut Vec::new());
        let g: Vec<f64> = g.iter().map(|g| g[0]).collect();
        let mut transform = RingTransform::<T>::new(rings, tolerance);
        let mut sorted = SortedPoints::default();
        sorted.sort(&u, transform.rings);
        let mut field = vec![Field::default(); u.len()];
        let mut power = vec![0.0; degree + 1];
        transform.convolve(&sorted, &Share::alone(u.len()), &g, &mut power);
        let squares = transform.interpolate(&sorted, 0, &mut field, |_, field, out| *out = *field);
        let square: f64 = field.iter().map(|field| field.value * field.value).sum();
        assert!((squares.iter().sum::<f64>() - square).abs() <= 1e-12 * square);
        let mut total = 0.0;
        let mut worst = [0f64; 3];
        for (i, &position) in sorted.positions().iter().enumerate() {
            let position = position as usize;
            let (theta, phi) = (sorted.theta[position], sorted.phi[position]);
            let south = [theta.cos() * phi.cos(), theta.cos() * phi.sin(), -theta.sin()];
            let east = [-phi.sin(), phi.cos(), 0.0];
            let mut expected = [0.0; 3];
            for v in &u {
                let t = 0.5 * (0..3).map(|a| (u[i][a] - v[a]).powi(2)).sum::<f64>();
                expected[0] += kernel(t);
                expected[1] += slope(t) * (0..3).map(|a| v[a] * south[a]).sum::<f64>();
                expected[2] += slope(t) * (0..3).map(|a| v[a] * east[a]).sum::<f64>();
            }
            total += expected[0];
            let Field { value, south, east } = field[position];
            for (worst, (a, b)) in
                worst.iter_mut().zip([(value, expected[0]), (south, expected[1]), (east, expected[2])])
            {
                *worst = worst.max((a - b).abs());
            }
        }
        let largest = 200.0;
        assert!(worst[0] < largest * tolerance, "value: {}", worst[0]);
        // The aliasing error varies by a radian per node: the error of a gradient is that of the value times the nodes
        // per radian.
        let steep = largest * tolerance * transform.rings as f64 / PI;
        assert!(worst[1] < steep, "{worst:?} {steep}");
        // Along rings the error is divided by sin θ, which is smallest at the edge of the polar zone.
        assert!(worst[2] < steep / POLAR_ZONE, "{worst:?} {steep}");
        let from_power: f64 = g.iter().zip(&power).map(|(g, s)| g * s).sum();
        assert!((from_power - total).abs() < 4.0 * tolerance * total, "{from_power} {total}");
    }

    #[test]
    fn convolution_is_the_direct_sum_also_at_the_poles() {
        check::<f64>(24, 1e-4);
        check::<f64>(80, 1e-7);
        check::<f64>(90, 1e-10);
        check::<f32>(80, 1e-3);
    }

    /// The coefficients Σ conj(Y_lm) are those of ducc0 (tests/reference/make_harmonics.py).
    #[test]
    fn harmonic_coefficients_are_those_of_ducc() {
        let count = 60;
        let u: Vec<[f64; 3]> = (0..count)
            .map(|i| {
                let z = match i {
                    0 => 1.0,
                    1 => -1.0,
                    _ => (0.1 + f64::from(i) * 0.7).cos(),
                };
                let (s, phi) = ((1.0 - z * z).max(0.0).sqrt(), f64::from(i) * 2.3);
                [s * phi.cos(), s * phi.sin(), z]
            })
            .collect();
        let mut transform = RingTransform::<f64>::new(50, 1e-11);
        assert_eq!(transform.degree(), 39);
        let mut sorted = SortedPoints::default();
        sorted.sort(&u, transform.rings);
        let rows = transform.row_share(&Alone, &sorted);
        transform.spread(&sorted, rows.own());
        transform.rows_to_spectrum(&rows);
        let mut compared = 0;
        for line in include_str!("../../tests/reference/harmonic_coefficients.txt").lines().skip(1) {
            let numbers: Vec<f64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
            let (m, l) = (numbers[0] as usize, numbers[1] as usize);
            let mut scratch = ColumnScratch::default();
            transform.gather(m / ORDERS, &mut scratch);
            transform.analyse(m, m % ORDERS, &mut scratch);
            let [re, im] = scratch.coefficients[l - m];
            // Sixty functions, each of a size of about one.
            let error = (re - numbers[2]).abs().max((im - numbers[3]).abs());
            assert!(error < 60.0 * 1e-11, "m {m} l {l}: {re} {im}, {} {}", numbers[2], numbers[3]);
            compared += 1;
        }
        assert_eq!(compared, 164);
    }
}
