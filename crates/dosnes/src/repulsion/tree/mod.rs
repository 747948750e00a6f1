//! A Barnes-Hut tree: distant cells count as one mass at their centre.
//!
//! A cell of size s at distance d counts as one mass if s ≤ θ d. Points that are close together share one traversal of
//! the tree (Barnes, J. Comput. Phys. 87, 1990): the distance is measured from the cell to the bounding box of all of
//! them, so the list of masses is valid for each, and the sums over it run in vector registers.

use crate::kernel::Kernel;
mod build;
mod field;
mod pairs;

use super::{Repulsion, SphereRepulsion, Totals, virial};
use crate::sphere::Vec3;
use build::{Cells, bounds};
pub(crate) use field::{Field, FixedMap};
use pairs::List;
use rayon::prelude::*;

/// The usual accuracy of neighbour embedding.
const THETA: f64 = 0.5;
/// The Gaussian changes over a distance of about one, however far away it is, so the size of cells is limited.
const GAUSSIAN_SIZE: f64 = 0.7;
/// exp(−d²) is ignored from here on: it is below 1e-10.
const GAUSSIAN_REACH: f64 = 4.8;
/// Largest number of points that share a traversal.
const GROUP: usize = 32;
/// Groups per task.
const TASK: usize = 16;

/// How a cell acts on a group of points.
enum Sight {
    /// It is too far away to matter.
    Nothing,
    /// As one mass.
    Whole,
    /// It is too large and must be opened.
    Parts,
}

/// Sums over a tree, in the plane, in space or on the sphere.
pub(crate) struct Tree<const D: usize> {
    kernel: Kernel,
    theta: f64,
    cells: Cells<D>,
    sorted_forces: Vec<[f64; D]>,
}

impl<const D: usize> Tree<D> {
    pub(crate) fn new(kernel: Kernel) -> Self {
        Self { kernel, theta: THETA, cells: Cells::default(), sorted_forces: Vec::new() }
    }

    /// The nodes whose points share a traversal.
    fn groups(&self) -> Vec<usize> {
        let mut groups = Vec::new();
        let mut at = 0;
        while at < self.cells.nodes.len() {
            let node = &self.cells.nodes[at];
            if node.count() <= GROUP || self.cells.is_leaf(at) {
                groups.push(at);
                at = node.next as usize;
            } else {
                at += 1;
            }
        }
        groups
    }

    /// How a cell of this size acts at a squared distance from its centre.
    fn sight(&self, size: f64, d2: f64) -> Sight {
        let near = match self.kernel {
            Kernel::Cauchy => d2,
            Kernel::Gaussian => {
                // No point of a cell is farther from its centre than the diagonal of its bounding box.
                let reach = GAUSSIAN_REACH + (D as f64).sqrt() * size;
                if d2 > reach * reach {
                    return Sight::Nothing;
                }
                d2.min(GAUSSIAN_SIZE * GAUSSIAN_SIZE)
            }
        };
        if size * size <= self.theta * self.theta * near { Sight::Whole } else { Sight::Parts }
    }

    /// Fills `list` with the masses that act on the points of `group`, relative to `origin`.
    fn walk(&self, (low, high): &([f64; D], [f64; D]), origin: &[f64; D], list: &mut List<D>) {
        list.clear();
        let relative = |at: &[f64; D]| -> [f64; D] { std::array::from_fn(|k| at[k] - origin[k]) };
        let mut at = 0;
        while at < self.cells.nodes.len() {
            let node = &self.cells.nodes[at];
            let mut d2 = 0.0;
            for k in 0..D {
                let outside = (low[k] - node.centre[k]).max(node.centre[k] - high[k]).max(0.0);
                d2 += outside * outside;
            }
            match self.sight(node.size, d2) {
                Sight::Nothing => {}
                Sight::Whole => list.push(&relative(&node.centre), node.count() as f64),
                Sight::Parts if self.cells.is_leaf(at) => {
                    for point in &self.cells.points[node.start as usize..node.end as usize] {
                        list.push(&relative(point), 1.0);
                    }
                }
                Sight::Parts => {
                    at += 1;
                    continue;
                }
            }
            at = node.next as usize;
        }
        list.finish();
    }

    /// Sets the forces of a group's points; returns their Σ q.
    fn group(&self, group: usize, forces: &mut [[f64; D]], list: &mut List<D>) -> f64 {
        let node = &self.cells.nodes[group];
        let points = &self.cells.points[node.start as usize..node.end as usize];
        let around = bounds(points);
        let origin = node.centre;
        self.walk(&around, &origin, list);
        let mut z = 0.0;
        for (force, point) in forces.iter_mut().zip(points) {
            let (sum, q) = list.sums(self.kernel, &std::array::from_fn(|k| point[k] - origin[k]));
            *force = sum;
            // The point itself is in the list, with q = 1 and no force.
            z += q - 1.0;
        }
        z
    }
}

impl<const D: usize> Repulsion<D> for Tree<D> {
    fn evaluate(&mut self, y: &[[f64; D]], forces: &mut [[f64; D]]) -> Totals {
        self.cells.build(y);
        let mut sorted_forces = std::mem::take(&mut self.sorted_forces);
        sorted_forces.resize(y.len(), [0.0; D]);
        let groups = self.groups();
        let mut tasks = Vec::with_capacity(groups.len().div_ceil(TASK));
        let mut rest = sorted_forces.as_mut_slice();
        for groups in groups.chunks(TASK) {
            let count = groups.iter().map(|&group| self.cells.nodes[group].count()).sum();
            let (these, others) = rest.split_at_mut(count);
            tasks.push((groups, these));
            rest = others;
        }
        let partial: Vec<f64> = tasks
            .into_par_iter()
            .map_init(List::default, |list, (groups, mut forces)| {
                let mut z = 0.0;
                for &group in groups {
                    let (these, others) = forces.split_at_mut(self.cells.nodes[group].count());
                    z += self.group(group, these, list);
                    forces = others;
                }
                z
            })
            .collect();
        for (&i, force) in self.cells.order.iter().zip(&sorted_forces) {
            forces[i as usize] = *force;
        }
        self.sorted_forces = sorted_forces;
        Totals { z: partial.into_iter().sum(), slope: virial(y, forces), curvature: None }
    }
}

impl SphereRepulsion for Tree<3> {
    fn evaluate(&mut self, u: &[Vec3], r: f64, forces: &mut [Vec3]) -> Totals {
        let y: Vec<Vec3> = u.iter().map(|u| u.map(|v| r * v)).collect();
        Repulsion::evaluate(self, &y, forces)
    }
}
