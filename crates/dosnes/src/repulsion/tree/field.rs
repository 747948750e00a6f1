//! The repulsion of a map whose points do not move, at any place.

use super::{Tree, pairs::List};
use crate::{kernel::Kernel, sphere::Vec3};

/// Finer than for embedding: each place is computed only once.
const FINE: f64 = 0.25;

/// The sums over all points of a fixed map, as a function of the place.
pub(crate) struct FixedMap {
    tree: Tree<3>,
}

/// The masses that act near a place. Within its box the sums are smooth, since the same masses are summed everywhere.
pub(crate) struct Field {
    list: List<3>,
    origin: Vec3,
    reach: f64,
    kernel: Kernel,
}

impl FixedMap {
    pub(crate) fn new(y: &[Vec3], kernel: Kernel) -> Self {
        let mut tree = Tree::new(kernel);
        tree.theta = FINE;
        tree.cells.build(y);
        Self { tree }
    }

    /// A field that still has to be moved somewhere.
    pub(crate) fn field(&self) -> Field {
        Field { list: List::default(), origin: [f64::NAN; 3], reach: 0.0, kernel: self.tree.kernel }
    }

    /// Makes `field` valid in the box of half width `reach` around `origin`.
    pub(crate) fn move_to(&self, field: &mut Field, origin: Vec3, reach: f64) {
        let bounds = (origin.map(|v| v - reach), origin.map(|v| v + reach));
        self.tree.walk(&bounds, &origin, &mut field.list);
        (field.origin, field.reach) = (origin, reach);
    }
}

impl Field {
    /// Makes it invalid everywhere.
    pub(crate) fn forget(&mut self) {
        self.origin = [f64::NAN; 3];
    }

    /// Whether the sums are valid at `y`.
    pub(crate) fn holds(&self, y: &Vec3) -> bool {
        (0..3).all(|k| (y[k] - self.origin[k]).abs() <= self.reach)
    }

    /// Σ_j w (y − y_j) and Σ_j q at `y`, with w = q² (Cauchy) or q (Gaussian).
    pub(crate) fn sums(&self, y: &Vec3) -> (Vec3, f64) {
        self.list.sums(self.kernel, &std::array::from_fn(|k| y[k] - self.origin[k]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sphere::random_direction;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn the_field_is_the_sum_over_all_points() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        for (n, r) in [(10, 2.0), (3000, 20.0)] {
            let y: Vec<Vec3> = (0..n).map(|_| random_direction(&mut rng).map(|v| r * v)).collect();
            for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
                let map = FixedMap::new(&y, kernel);
                let mut field = map.field();
                let at = random_direction(&mut rng).map(|v| r * v);
                map.move_to(&mut field, at, 1.0);
                let near = at.map(|v| v + 0.3);
                assert!(field.holds(&near) && !field.holds(&at.map(|v| v + 1.1)));
                let (mut force, mut potential, mut size) = ([0.0; 3], 0.0, 0.0);
                for other in &y {
                    let difference: Vec3 = std::array::from_fn(|k| near[k] - other[k]);
                    let d2: f64 = difference.iter().map(|v| v * v).sum();
                    let q = 1.0 + kernel.less_one(d2);
                    let w = if kernel == Kernel::Cauchy { q * q } else { q };
                    potential += q;
                    size += w * d2.sqrt();
                    (0..3).for_each(|k| force[k] += w * difference[k]);
                }
                let (found, q) = field.sums(&near);
                // The second moment of a cell of size θ d changes q by about θ²/10 of itself.
                assert!((q - potential).abs() < 0.01 * potential, "{q} {potential}");
                assert!((0..3).all(|k| (found[k] - force[k]).abs() < 0.02 * size), "{found:?} {force:?} {size}");
            }
        }
    }
}
