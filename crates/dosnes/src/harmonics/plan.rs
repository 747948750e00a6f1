//! How a sum is computed: exactly, or with which band limit and which split.
//!
//! A cost model selects the cheapest way for the actual layout; the number of pairs within any angle is estimated by
//! box counting ([`Density`]). The constants of the model were measured once. Nothing depends on the clock, so the same
//! points always get the same plan.

use crate::harmonics::density::Density;
use crate::harmonics::kaiser::OVERSAMPLING;
use crate::harmonics::kernel::Kernel;
use crate::harmonics::order::BAND;
use crate::harmonics::split::Split;
use crate::harmonics::transform::{MIN_RINGS, degree_for, is_smooth};

/// Higher band limits are never worth their memory.
const MAX_DEGREE: usize = 4000;

/// The window's parameter is never reduced by more than this, however far the near field reaches.
const MOST_SPENT: f64 = 3.0;

/// A way to compute the sums.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Method {
    /// Every pair.
    Exact,
    /// Only pairs within the reach of the (Gaussian) kernel.
    Near { split: Split, rings: usize },
    /// Harmonics on a grid of `rings` rings, and pairs within the split's reach, if it has any.
    Harmonics { split: Split, rings: usize },
}

/// Cost of the parts in nanoseconds on one core (AMD Zen 3, 2.45 GHz), in single and double precision.
struct Costs {
    /// One pair of the exact sum, and of the near field.
    exact_pair: f64,
    near_pair: f64,
    /// Overhead per point of the near field.
    near_point: f64,
    /// In both directions: one node of the grid, one (degree, ring) cell of a Legendre sum per order.
    grid_node: f64,
    legendre: f64,
    /// One point: sorting, spreading and interpolation.
    point: f64,
}

const SINGLE: Costs =
    Costs { exact_pair: 0.42, near_pair: 0.65, near_point: 80.0, grid_node: 7.0, legendre: 0.15, point: 150.0 };

const DOUBLE: Costs =
    Costs { exact_pair: 0.88, near_pair: 2.5, near_point: 120.0, grid_node: 8.0, legendre: 0.26, point: 180.0 };

/// The requirements of a sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) kernel: Kernel,
    pub(crate) tolerance: f64,
    /// Allowed error of the interpolation, ≤ `tolerance`.
    pub(crate) interpolation: f64,
    /// Whether pairs and grids are summed in single precision.
    pub(crate) single_pairs: bool,
    pub(crate) single_grid: bool,
    /// Whether interpolation can reach that error at all.
    pub(crate) harmonics: bool,
    pub(crate) points: usize,
    pub(crate) r: f64,
}

impl Request {
    /// The window's parameter. Truncating the smooth part at L = c r/C leaves an error of e^{1−c} of the force,
    /// measured, if points are further apart than the width of the kernel. In a clump smaller than that, all errors of
    /// the stiffness add up to the order of c³ e^{−c}/6.
    pub(crate) fn window(&self, density: &Density) -> f64 {
        let c = 1.0 - self.tolerance.ln();
        let within_kernel = density.neighbours(4.0 * std::f64::consts::PI * (1.0 / self.r).powi(2).min(1.0));
        let share = within_kernel / self.points.max(1) as f64;
        c + (1.0 + c.powi(3) / 16.0 * share).ln()
    }

    fn pair_costs(&self) -> &'static Costs {
        if self.single_pairs { &SINGLE } else { &DOUBLE }
    }

    fn grid_costs(&self) -> &'static Costs {
        if self.single_grid { &SINGLE } else { &DOUBLE }
    }

    /// The cheapest method.
    pub(crate) fn plan(&self, density: &Density) -> Method {
        let exact = self.pair_costs().exact_pair * (self.points as f64).powi(2);
        let mut best = (exact, Method::Exact);
        let mut consider = |cost: f64, method: Method| {
            if cost < best.0 {
                best = (cost, method);
            }
        };
        match self.kernel {
            Kernel::Cauchy if !self.harmonics => {}
            Kernel::Cauchy => {
                let c = self.window(density);
                for rings in ring_candidates() {
                    let band = degree_for(rings) as f64;
                    // Measured: the error falls with the square of the reach C. Half of that gain is used here.
                    let reach = (c * self.r / band).max(1.0);
                    let split = Split::at_band(self.r, c - reach.ln().min(MOST_SPENT), band);
                    let cost = self.harmonics_cost(rings) + self.near_cost(&split, rings, density);
                    consider(cost, Method::Harmonics { split, rings });
                    if !split.has_near() {
                        break;
                    }
                }
            }
            Kernel::Gaussian => {
                let c = self.window(density) + 2.0;
                let degree = (2.0 * self.r * c.sqrt() + 6.0).ceil();
                let smooth = Split::smooth(Kernel::Gaussian, self.r, c);
                let rings = ring_candidates().find(|&rings| degree_for(rings) as f64 >= degree);
                if let Some(rings) = rings.filter(|_| self.harmonics) {
                    consider(self.harmonics_cost(rings), Method::Harmonics { split: smooth, rings });
                }
                let near = Split::gaussian_near(self.r, 0.1 * self.tolerance);
                let reach = near_angle(&near, self.r);
                // The reach covers two bands.
                let rings = ((2.0 * std::f64::consts::PI * BAND as f64 / reach) as usize).clamp(4, 4096);
                consider(self.near_cost(&near, rings, density), Method::Near { split: near, rings });
            }
        }
        best.1
    }

    /// Cost of the transforms on this number of rings.
    pub(crate) fn harmonics_cost(&self, rings: usize) -> f64 {
        let costs = self.grid_costs();
        let degree = degree_for(rings) as f64;
        let nodes = 2.0 * (rings as f64).powi(2);
        costs.legendre * degree * degree * rings as f64 * 0.5
            + costs.grid_node * nodes
            + costs.point * self.points as f64
    }

    /// Cost of the near field.
    fn near_cost(&self, split: &Split, rings: usize, density: &Density) -> f64 {
        if !split.has_near() {
            return 0.0;
        }
        let costs = self.pair_costs();
        // A group of targets is one band high, and its sources are all points within its reach.
        let height = std::f64::consts::PI * BAND as f64 / rings as f64;
        let side = height + 2.0 * near_angle(split, self.r);
        let pairs = 1.0 + density.neighbours((side * side).min(4.0 * std::f64::consts::PI));
        self.points as f64 * (costs.near_point + costs.near_pair * pairs)
    }
}

/// The angle of the near part's reach.
pub(crate) fn near_angle(split: &Split, r: f64) -> f64 {
    let chord = split.near_d2().max(0.0).sqrt() / (2.0 * r);
    2.0 * chord.min(1.0).asin()
}

/// Numbers of rings to consider, each a few percent larger than the one before.
fn ring_candidates() -> impl Iterator<Item = usize> {
    let mut last = 0.0;
    let most = (MAX_DEGREE as f64 * OVERSAMPLING) as usize;
    (MIN_RINGS..most).filter(move |&rings| {
        let take = is_smooth(rings) && rings as f64 >= 1.06 * last;
        if take {
            last = rings as f64;
        }
        take
    })
}
