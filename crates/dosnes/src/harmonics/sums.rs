//! The sums that an embedding on a sphere needs in every iteration.

use std::f64::consts::PI;

use rayon::prelude::*;

use crate::harmonics::density::Density;
use crate::harmonics::error::Error;
use crate::harmonics::kernel::Kernel;
use crate::harmonics::near::{PairWorkspace, TASK, WantedPairs};
use crate::harmonics::order::{CHUNK, SortedPoints};
use crate::harmonics::pairs::PairSum;
use crate::harmonics::plan::{Method, Request};
use crate::harmonics::quadrature::GaussLegendre;
use crate::harmonics::split::Split;
use crate::harmonics::transform::{Field, RingTransform, degree_for};
use crate::ranks::{Share, from_bytes, to_bytes};
use crate::simd::Real;

/// Relative error of the forces that is small enough for a map: a smaller one does not move its points elsewhere.
pub const DEFAULT_TOLERANCE: f64 = 1e-3;
/// Single precision is accurate enough down to this tolerance, and down to this interpolation error.
const SINGLE_TOLERANCE: f64 = 2e-4;
const SINGLE_INTERPOLATION: f64 = 4e-5;
/// Share of the tolerance that interpolation may use.
const INTERPOLATION: f64 = 0.2;
/// Interpolation cannot reach smaller errors; below this, sums are computed exactly.
const FINEST_INTERPOLATION: f64 = 2e-13;
/// Measured error of an interpolated gradient, relative to error × rings × field: for points at any positions, and the
/// additional error if all of them lie in one cell of the grid, where their errors are equal.
const GRADIENT_ERROR: f64 = 0.05;
const SHARED_GRADIENT_ERROR: f64 = 0.5;
/// Plans that are kept, in case the radius returns to them; of large ones, a single one.
const KEPT_PLANS: usize = 3;
const LARGE_PLAN: usize = 512;
/// The sorted points of a rank are whole tasks of every stage.
const WHOLE_TASKS: usize = if TASK > CHUNK { TASK } else { CHUNK };
const _: () = assert!(WHOLE_TASKS.is_multiple_of(TASK) && WHOLE_TASKS.is_multiple_of(CHUNK));

/// Sums over all ordered pairs i ≠ j.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Z = Σ q_ij.
    pub z: f64,
    /// Σ f_ij d_ij² with f = −dq/d(d²): q − q² for Cauchy, q d² for the Gaussian. dZ/d(log r) = −2 Σ f d².
    pub stretch: f64,
}

impl Totals {
    /// dZ/d(log r).
    pub fn z_slope(&self) -> f64 {
        -2.0 * self.stretch
    }
}

/// How the last sums were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Report {
    /// Highest degree of the harmonics; 0 if they were not used.
    pub degree: usize,
    /// Number of pairs that were computed one by one.
    pub pairs: u64,
    /// Whether single precision was used.
    pub single: bool,
}

/// Repulsive forces, potentials and totals of points on a sphere, to a tolerance. All workspaces are reused.
pub struct ZonalSums {
    kernel: Kernel,
    tolerance: f64,
    density: Density,
    sorted: SortedPoints,
    coefficients: Coefficients,
    /// Of the sorted points: the sums over near pairs, to which the far field is added.
    pair_sums: Vec<PairSum>,
    /// Σ of the squares of the field's values.
    field_square: f64,
    single_pairs: PairWorkspace<f32>,
    double_pairs: PairWorkspace<f64>,
    single_plans: Plans<f32>,
    double_plans: Plans<f64>,
    report: Report,
}

/// The part of the far field that is not interpolated.
struct LowDegrees {
    /// Degree 0.
    constant: f64,
    /// Degree 1 as a vector.
    linear: [f64; 3],
    r: f64,
}

impl LowDegrees {
    /// Adds all of the far field at the point u to the sums over its near pairs.
    #[inline]
    fn add(&self, field: &Field, u: [f64; 3], sum: &mut PairSum) {
        let gradient = field.gradient(u);
        for axis in 0..3 {
            sum.force[axis] -= (gradient[axis] + self.linear[axis]) / (2.0 * self.r);
            sum.potential += self.linear[axis] * u[axis];
        }
        sum.potential += self.constant + field.value;
    }
}

/// Transforms, identified by number of rings and interpolation error; the most recently used one is last.
struct Plans<T: Real>(Vec<(usize, f64, RingTransform<T>)>);

impl<T: Real> Plans<T> {
    fn get(&mut self, rings: usize, interpolation: f64) -> &mut RingTransform<T> {
        if let Some(found) = self.0.iter().position(|plan| (plan.0, plan.1) == (rings, interpolation)) {
            let plan = self.0.remove(found);
            self.0.push(plan);
        } else {
            if rings >= LARGE_PLAN {
                self.0.clear();
            } else if self.0.len() == KEPT_PLANS {
                self.0.remove(0);
            }
            self.0.push((rings, interpolation, RingTransform::new(rings, interpolation)));
        }
        let last = self.0.len() - 1;
        &mut self.0[last].2
    }
}

/// Coefficients of the smooth part, and the power spectrum.
#[derive(Default)]
struct Coefficients {
    rule: GaussLegendre,
    values: Vec<[f64; 2]>,
    /// g_l of q_s and of f_s d².
    pairs: Vec<[f64; 2]>,
    g: Vec<f64>,
    power: Vec<f64>,
    scratch: Vec<f64>,
}

impl Coefficients {
    /// Computes the coefficients of the smooth part of a split up to a degree.
    fn find(&mut self, split: &Split, degree: usize) {
        // Products of two functions of that band are integrated exactly; a quarter more nodes for the part beyond the
        // band.
        let nodes = degree + degree / 4 + 16;
        if self.rule.len() != nodes {
            self.rule = GaussLegendre::new(nodes);
        }
        self.values.clear();
        self.values.extend(self.rule.one_minus_x().iter().map(|&t| split.smooth_part(t)));
        self.pairs.resize(degree + 1, [0.0; 2]);
        self.rule.zonal_coefficients(&self.values, &mut self.pairs, &mut self.scratch);
        self.pairs[0][0] += 4.0 * PI * split.constant();
        self.power.resize(degree + 1, 0.0);
        self.g.clear();
        // Degrees 0 and 1 are added exactly later: they dominate every sum, and interpolation would only make them less
        // accurate.
        self.g.extend(self.pairs.iter().enumerate().map(|(l, pair)| if l < 2 { 0.0 } else { pair[0] }));
    }
}

impl ZonalSums {
    /// Sums of a kernel, with a relative error of the forces of about `tolerance` (1e-12 … 0.1).
    pub fn new(kernel: Kernel, tolerance: f64) -> Result<Self, Error> {
        if !(1e-12..=0.1).contains(&tolerance) {
            return Err(Error::Tolerance(tolerance));
        }
        Ok(Self {
            kernel,
            tolerance,
            density: Density::default(),
            sorted: SortedPoints::default(),
            coefficients: Coefficients::default(),
            pair_sums: Vec::new(),
            field_square: 0.0,
            single_pairs: PairWorkspace::default(),
            double_pairs: PairWorkspace::default(),
            single_plans: Plans(Vec::new()),
            double_plans: Plans(Vec::new()),
            report: Report::default(),
        })
    }

    /// Fills `forces` with the tangential part of F_i = Σ_j f_ij (y_i − y_j), y = r u, where f = −dq/d(d²) is q²
    /// (Cauchy) or q (Gaussian); returns the totals. Afterwards [`Self::potentials`] returns φ_i = Σ_{j≠i} q_ij.
    #[cfg(any(test, feature = "internals"))]
    pub fn evaluate(&mut self, u: &[[f64; 3]], r: f64, forces: &mut [[f64; 3]]) -> Result<Totals, Error> {
        self.evaluate_share(&Share::alone(u.len()), u, r, forces)
    }

    /// The same on several ranks, which all have all points: `forces` are those of this rank's own points.
    pub(crate) fn evaluate_share(
        &mut self,
        share: &Share<'_>,
        u: &[[f64; 3]],
        r: f64,
        forces: &mut [[f64; 3]],
    ) -> Result<Totals, Error> {
        check(u, r, share, forces.len())?;
        self.density.measure(u);
        let centre = mean(u);
        // All forces in a clump of angular size ρ are proportional to ρ, but interpolation errors are not: the smaller
        // the clump is relative to the kernel, the more accurate the interpolation must be.
        let size = (1.0 - centre.iter().map(|c| c * c).sum::<f64>()).max(0.0).sqrt();
        let mut interpolation = INTERPOLATION * self.tolerance * power_of_ten((size * r.max(0.4)).min(1.0));
        loop {
            let request = Request {
                kernel: self.kernel,
                tolerance: self.tolerance,
                interpolation,
                single_pairs: self.tolerance >= SINGLE_TOLERANCE,
                single_grid: interpolation >= SINGLE_INTERPOLATION,
                harmonics: interpolation >= FINEST_INTERPOLATION,
                points: u.len(),
                r,
            };
            let method = request.plan(&self.density);
            let totals = self.run(&request, method, share, u, centre, forces);
            let Method::Harmonics { rings, .. } = method else {
                return Ok(totals);
            };
            // Bound of the interpolation error: the relative error times the steepness on the grid.
            let (variance, strength) = self.field_and_force(share, u.len(), forces);
            let share = self.density.neighbours((PI / rings as f64).powi(2)) / u.len() as f64;
            let gradient_error = GRADIENT_ERROR + SHARED_GRADIENT_ERROR * share;
            let spoilt = interpolation * rings as f64 * gradient_error * variance / (2.0 * r);
            let bearable = self.tolerance * strength;
            if spoilt <= bearable || strength == 0.0 && variance == 0.0 {
                return Ok(totals);
            }
            interpolation *= power_of_ten((0.5 * bearable / spoilt).max(1e-15));
        }
    }

    /// φ_i = Σ_{j≠i} q_ij of the last evaluation.
    #[cfg(any(test, feature = "internals"))]
    pub fn potentials(&self) -> Vec<f64> {
        self.sorted.positions().iter().map(|&position| self.pair_sums[position as usize].potential).collect()
    }

    /// How the last evaluation was computed.
    #[cfg(any(test, feature = "internals"))]
    pub fn report(&self) -> Report {
        self.report
    }

    /// Computes the sums by a given method.
    fn run(
        &mut self,
        request: &Request,
        method: Method,
        share: &Share<'_>,
        u: &[[f64; 3]],
        centre: [f64; 3],
        forces: &mut [[f64; 3]],
    ) -> Totals {
        let r = request.r;
        let n = u.len() as f64;
        let mut totals = Totals::default();
        self.report = Report { single: request.single_pairs, ..Report::default() };
        let (rings, split) = match method {
            // Cells of a few points each keep blocks of targets compact.
            Method::Exact => (2 * ((n / 8.0).sqrt() as usize + 2), None),
            Method::Near { split, rings } | Method::Harmonics { split, rings } => (rings, Some(split)),
        };
        self.sorted.sort(u, rings);
        let own_points = Share::of_chunks(share.communicator(), u.len(), WHOLE_TASKS);
        let count = own_points.own().len();
        if let (Method::Harmonics { rings, .. }, Some(split)) = (method, &split) {
            let degree = degree_for(rings);
            self.report.degree = degree;
            self.coefficients.find(split, degree);
            let Coefficients { g, power, pairs, .. } = &mut self.coefficients;
            if request.single_grid {
                let plan = self.single_plans.get(rings, request.interpolation);
                plan.convolve(&self.sorted, &own_points, g, power);
            } else {
                let plan = self.double_plans.get(rings, request.interpolation);
                plan.convolve(&self.sorted, &own_points, g, power);
            }
            power[0] = n * n / (4.0 * PI);
            power[1] = 3.0 * n * n * centre.iter().map(|c| c * c).sum::<f64>() / (4.0 * PI);
            for (pair, s) in pairs.iter().zip(&*power) {
                totals.z += pair[0] * s;
                totals.stretch += pair[1] * s;
            }
        }
        self.pair_sums.clear();
        self.pair_sums.resize(count, PairSum::default());
        // Every point is counted as its own neighbour, with q = 1.
        let mut own = 1.0;
        if split.is_none_or(|split| split.has_near()) {
            let sums = &mut self.pair_sums;
            let wanted = WantedPairs { r, split: split.as_ref(), kernel: self.kernel, tolerance: self.tolerance };
            let found = if request.single_pairs {
                self.single_pairs.sum(&self.sorted, &own_points, &wanted, sums)
            } else {
                self.double_pairs.sum(&self.sorted, &own_points, &wanted, sums)
            };
            let [potential] =
                own_points.chain(|[sum]| [self.pair_sums.iter().fold(sum, |sum, pair| sum + pair.potential)]);
            totals.z += potential;
            totals.stretch += found.stretch;
            self.report.pairs = found.pairs;
            own += found.own - split.map_or(1.0, |split| split.near_part(0.0).0);
        }
        totals.z -= n * own;
        #[cfg(any(test, feature = "internals"))]
        self.pair_sums.iter_mut().for_each(|sum| sum.potential -= own);
        if let Method::Harmonics { rings, .. } = method {
            self.add_field(request, rings, &own_points, centre);
        }
        if share.is_alone() {
            self.combine(u, forces);
        } else {
            self.combine_and_exchange(share, &own_points, forces);
        }
        totals
    }

    /// Adds the far field to the sums over near pairs.
    fn add_field(&mut self, request: &Request, rings: usize, sorted_share: &Share<'_>, centre: [f64; 3]) {
        let [first, second, ..] = self.coefficients.pairs[..] else { return };
        let n = request.points as f64;
        let low = LowDegrees {
            constant: first[0] * n / (4.0 * PI),
            linear: centre.map(|c| 3.0 * second[0] * n * c / (4.0 * PI)),
            r: request.r,
        };
        let (sorted, own) = (&self.sorted, sorted_share.own().start);
        let add = |i: usize, field: &Field, sum: &mut PairSum| low.add(field, sorted.position(i, 1.0), sum);
        let squares = if request.single_grid {
            self.single_plans.get(rings, request.interpolation).interpolate(sorted, own, &mut self.pair_sums, add)
        } else {
            self.double_plans.get(rings, request.interpolation).interpolate(sorted, own, &mut self.pair_sums, add)
        };
        self.field_square = sorted_share.gather(squares).iter().sum();
    }

    /// Forces in the caller's order.
    fn combine(&self, u: &[[f64; 3]], forces: &mut [[f64; 3]]) {
        forces.par_chunks_mut(CHUNK).zip(u.par_chunks(CHUNK).zip(self.sorted.positions().par_chunks(CHUNK))).for_each(
            |(forces, (u, positions))| {
                for ((force, &u), &position) in forces.iter_mut().zip(u).zip(positions) {
                    *force = tangential(self.pair_sums[position as usize].force, u);
                }
            },
        );
    }

    /// Forces on the points of `share`, from those on the sorted points of each rank.
    fn combine_and_exchange(&self, share: &Share<'_>, sorted_share: &Share<'_>, forces: &mut [[f64; 3]]) {
        let own = sorted_share.own();
        let sorted_forces: Vec<[f64; 3]> = own
            .clone()
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|i| tangential(self.pair_sums[i - own.start].force, self.sorted.position(i, 1.0)))
            .collect();
        // Each rank gets the forces on its points, in the order of its points.
        let positions = self.sorted.positions();
        let rows: Vec<_> = (0..share.communicator().size()).map(|rank| share.of(rank)).collect();
        let parts = rows
            .into_par_iter()
            .map(|rows| {
                let wanted = positions[rows].iter().map(|&position| position as usize);
                let known: Vec<[f64; 3]> =
                    wanted.filter(|i| own.contains(i)).map(|i| sorted_forces[i - own.start]).collect();
                to_bytes(&known)
            })
            .collect();
        let received = share.communicator().all_to_all(parts);
        let mut next: Vec<_> = received.iter().map(|bytes| from_bytes::<[f64; 3]>(bytes)).collect();
        for (force, &position) in forces.iter_mut().zip(&positions[share.own()]) {
            *force = next[sorted_share.owner(position as usize)].next().unwrap_or([f64::NAN; 3]);
        }
    }

    /// Root mean squares of the interpolated field and of the forces.
    fn field_and_force(&self, share: &Share<'_>, n: usize, forces: &[[f64; 3]]) -> (f64, f64) {
        let [force] = share.chain(|[force]| [forces.iter().flatten().fold(force, |sum, x| sum + x * x)]);
        let n = n as f64;
        ((self.field_square / n).sqrt(), (force / n).sqrt())
    }
}

/// Rounds down to a power of ten, so that small changes of a layout keep the plan.
fn power_of_ten(x: f64) -> f64 {
    10f64.powi(x.log10().floor().max(-18.0) as i32)
}

fn mean(u: &[[f64; 3]]) -> [f64; 3] {
    let mut total = [0.0; 3];
    for u in u {
        for axis in 0..3 {
            total[axis] += u[axis];
        }
    }
    total.map(|t| t / u.len().max(1) as f64)
}

fn check(u: &[[f64; 3]], r: f64, share: &Share<'_>, forces: usize) -> Result<(), Error> {
    if !(r.is_finite() && r > 0.0) {
        return Err(Error::Radius(r));
    }
    if share.own().len() != forces {
        return Err(Error::Length { points: share.own().len(), forces });
    }
    if u.len() > i32::MAX as usize {
        return Err(Error::TooMany(u.len()));
    }
    let length2 = |u: &[f64; 3]| u.iter().map(|x| x * x).sum::<f64>();
    let unit = |u: &[f64; 3]| (length2(u) - 1.0).abs() < 1e-6;
    match u.iter().position(|u| !unit(u)) {
        Some(index) => Err(Error::NotUnit { index, length: length2(&u[index]).sqrt() }),
        None => Ok(()),
    }
}

/// The part of a vector that is orthogonal to u.
#[inline]
pub(crate) fn tangential(force: [f64; 3], u: [f64; 3]) -> [f64; 3] {
    let radial: f64 = (0..3).map(|axis| force[axis] * u[axis]).sum();
    std::array::from_fn(|axis| force[axis] - radial * u[axis])
}
