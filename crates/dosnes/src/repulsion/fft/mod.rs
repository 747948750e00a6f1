//! Sums in the plane by interpolation from a grid, on which they are a convolution, as in FIt-SNE (Linderman et al.,
//! Nature Methods 16, 2019).
//!
//! Both kernels have ∇_i q_ij = −2 w_ij (y_i − y_j), so one potential φ(y) = Σ_j q(|y − y_j|²) is enough: Z = Σ_i
//! φ(y_i) − n, and the force is −½ ∇φ. The constant part of φ has no effect on forces, but would cost digits on a tiny
//! map: the grid stores Σ_j (q − 1) = φ − n. FIt-SNE interpolates by polynomials in boxes and convolves four fields.
//! Here B-splines give the potential and its gradient from one field (as smooth particle-mesh Ewald sums do: Essmann et
//! al., J. Chem. Phys. 103, 1995). A kernel whose transform falls as e^{−k} (Cauchy: K₀(k), Gaussian: e^{−k²/4}) needs
//! a spacing that is a fixed fraction of its width. On a tiny map the kernel is nearly constant and the forces come
//! from its small curvature, so the spacing must shrink with the map.

use crate::kernel::Kernel;
mod convolve;
mod spline;

use super::{Repulsion, Totals, Tree, virial};
use crate::parallel::CHUNK;
use convolve::Convolution;
use rayon::prelude::*;
use spline::{ORDER, split, weights};

/// The widest spacing of nodes: at the grid's highest frequency π/spacing, the transforms of the kernels have fallen
/// below 1e-4 and 1e-7 of their maximum.
const SPACING_CAUCHY: f64 = 0.3;
const SPACING_GAUSSIAN: f64 = 0.38;
/// Spacings are powers of this factor, so the kernel is rarely transformed again.
const LADDER: f64 = 0.840_896_415_253_714_5;
/// The smallest number of steps along the longer side of a map.
const FEWEST_STEPS: f64 = 48.0;
/// Nodes beyond the map and its mirror image. The periodic kernel has a kink, where the interpolating splines
/// oscillate; this is far enough away.
const MARGIN: usize = 24;
/// The Gaussian is zero in double precision from here on, so a larger margin is not needed.
const GAUSSIAN_REACH: f64 = 6.5;
/// Rows of the grid per task when masses are spread.
const SLAB: usize = 16;
/// The tree is used if the padded grid has more nodes than both of these limits, in total and per point.
const MOST_NODES: f64 = 262_144.0;
const MOST_NODES_PER_POINT: f64 = 40.0;

/// Sums in the plane on a grid.
pub(crate) struct Fft {
    kernel: Kernel,
    convolution: Option<Convolution>,
    spacing: f64,
    grid: Vec<f64>,
    /// Points sorted by the first row that they touch, and the start of each row.
    order: Vec<u32>,
    row_starts: Vec<u32>,
    sorted: Vec<[f64; 2]>,
    sorted_forces: Vec<[f64; 2]>,
    tree: Tree<2>,
}

/// A grid over a map.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Layout {
    low: [f64; 2],
    spacing: f64,
    /// Nodes that points touch along each axis.
    nodes: [usize; 2],
    padded: [usize; 2],
}

impl Layout {
    fn new(kernel: Kernel, y: &[[f64; 2]]) -> Self {
        let (low, high) = y.iter().fold(([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]), |(low, high), y| {
            ([low[0].min(y[0]), low[1].min(y[1])], [high[0].max(y[0]), high[1].max(y[1])])
        });
        let extent = [high[0] - low[0], high[1] - low[1]];
        let longest = extent[0].max(extent[1]);
        let widest = match kernel {
            Kernel::Cauchy => SPACING_CAUCHY,
            Kernel::Gaussian => SPACING_GAUSSIAN,
        };
        // For points at one position any spacing works.
        let rungs = if longest > 0.0 { (longest / (FEWEST_STEPS * widest)).log(LADDER).ceil().max(0.0) } else { 0.0 };
        let spacing = widest * LADDER.powf(rungs);
        let nodes = extent.map(|extent| (extent / spacing) as usize + 1 + ORDER);
        let padded = nodes.map(|nodes| {
            let reach = match kernel {
                Kernel::Cauchy => nodes,
                Kernel::Gaussian => nodes.min((GAUSSIAN_REACH / spacing) as usize),
            };
            good_size(nodes + reach + MARGIN)
        });
        Self { low, spacing, nodes, padded }
    }

    /// The position of a point in units of the spacing, at or to the right of the first node that it touches.
    #[inline]
    fn place(&self, y: &[f64; 2], axis: usize) -> (usize, f64) {
        split((y[axis] - self.low[axis]) / self.spacing)
    }

    fn fits(&self, n: usize) -> bool {
        let nodes = self.padded[0] as f64 * self.padded[1] as f64;
        nodes <= MOST_NODES.max(MOST_NODES_PER_POINT * n as f64)
    }
}

/// An even size of at least `least` for which Fourier transforms are fast; less than a fifth larger than `least`.
fn good_size(least: usize) -> usize {
    let mut power = 64;
    loop {
        let sixteenth = power / 16;
        for size in [16, 18, 20, 24, 27, 30].map(|sixteenths| sixteenths * sixteenth) {
            if size >= least {
                return size;
            }
        }
        power *= 2;
    }
}

impl Fft {
    pub(crate) fn new(kernel: Kernel) -> Self {
        Self {
            kernel,
            convolution: None,
            spacing: 0.0,
            grid: Vec::new(),
            order: Vec::new(),
            row_starts: Vec::new(),
            sorted: Vec::new(),
            sorted_forces: Vec::new(),
            tree: Tree::new(kernel),
        }
    }

    /// Sorts the points by the first row that they touch, with a counting sort.
    fn sort(&mut self, y: &[[f64; 2]], layout: &Layout) {
        let rows = layout.nodes[0];
        self.row_starts.clear();
        self.row_starts.resize(rows + 1, 0);
        for y in y {
            self.row_starts[layout.place(y, 0).0 + 1] += 1;
        }
        for row in 0..rows {
            self.row_starts[row + 1] += self.row_starts[row];
        }
        let mut next = self.row_starts.clone();
        self.order.resize(y.len(), 0);
        self.sorted.resize(y.len(), [0.0; 2]);
        for (i, y) in y.iter().enumerate() {
            let at = &mut next[layout.place(y, 0).0];
            self.order[*at as usize] = i as u32;
            self.sorted[*at as usize] = *y;
            *at += 1;
        }
    }

    /// Sets the grid to the points' unit masses. Each task has its own rows and adds the points in order.
    fn spread(&mut self, layout: &Layout) {
        let (rows, width) = (layout.nodes[0], layout.padded[1]);
        self.grid.resize(rows * width, 0.0);
        let (starts, points) = (&self.row_starts, &self.sorted);
        self.grid.par_chunks_mut(SLAB * width).enumerate().for_each(|(slab, grid)| {
            grid.fill(0.0);
            let (from, to) = (slab * SLAB, ((slab + 1) * SLAB).min(rows));
            let reaching = starts[from.saturating_sub(ORDER - 1)] as usize..starts[to] as usize;
            for y in &points[reaching] {
                let (row, t) = layout.place(y, 0);
                let (column, s) = layout.place(y, 1);
                let (along_rows, along_columns) = (weights(t).0, weights(s).0);
                for (i, weight) in along_rows.iter().enumerate() {
                    if (from..to).contains(&(row + i)) {
                        let start = (row + i - from) * width + column;
                        for (node, value) in grid[start..start + ORDER].iter_mut().zip(&along_columns) {
                            *node += weight * value;
                        }
                    }
                }
            }
        });
    }

    /// Sets `sorted_forces` from the potential on the grid; returns Σ (φ − n).
    fn interpolate(&mut self, layout: &Layout) -> f64 {
        let width = layout.padded[1];
        let grid = &self.grid;
        let slope_factor = -0.5 / layout.spacing;
        self.sorted_forces.resize(self.sorted.len(), [0.0; 2]);
        let partial: Vec<f64> = self
            .sorted_forces
            .par_chunks_mut(CHUNK)
            .zip(self.sorted.par_chunks(CHUNK))
            .map(|(forces, points)| {
                let mut sum = 0.0;
                for (force, y) in forces.iter_mut().zip(points) {
                    let (row, t) = layout.place(y, 0);
                    let (column, s) = layout.place(y, 1);
                    let (row_weights, row_slopes) = weights(t);
                    let (column_weights, column_slopes) = weights(s);
                    let (mut value, mut slopes) = (0.0, [0.0; 2]);
                    for i in 0..ORDER {
                        let start = (row + i) * width + column;
                        let (mut across, mut slope_across) = (0.0, 0.0);
                        for (node, (weight, slope)) in
                            grid[start..start + ORDER].iter().zip(column_weights.iter().zip(&column_slopes))
                        {
                            across += weight * node;
                            slope_across += slope * node;
                        }
                        value += row_weights[i] * across;
                        slopes[0] += row_slopes[i] * across;
                        slopes[1] += row_weights[i] * slope_across;
                    }
                    *force = slopes.map(|slope| slope_factor * slope);
                    sum += value;
                }
                sum
            })
            .collect();
        partial.into_iter().sum()
    }
}

impl Repulsion<2> for Fft {
    fn evaluate(&mut self, y: &[[f64; 2]], forces: &mut [[f64; 2]]) -> Totals {
        let layout = Layout::new(self.kernel, y);
        if !layout.fits(y.len()) {
            return self.tree.evaluate(y, forces);
        }
        let is_new = self.spacing != layout.spacing
            || self.convolution.as_ref().is_none_or(|convolution| convolution.padded() != layout.padded);
        if is_new {
            self.convolution = Some(Convolution::new(self.kernel, layout.spacing, layout.padded));
            self.spacing = layout.spacing;
        }
        self.sort(y, &layout);
        self.spread(&layout);
        if let Some(convolution) = &mut self.convolution {
            convolution.apply(&mut self.grid, layout.nodes[0]);
        }
        let n = y.len() as f64;
        let z = self.interpolate(&layout) + n * (n - 1.0);
        for (&i, force) in self.order.iter().zip(&self.sorted_forces) {
            forces[i as usize] = *force;
        }
        Totals { z, slope: virial(y, forces), curvature: None }
    }
}
