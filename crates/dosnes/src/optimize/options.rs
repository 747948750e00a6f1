//! The options of an embedding with all their defaults, and their validation.

use super::pins::Fixed;
use super::sphere_state::{SMALLEST_RADIUS, START_RADIUS};
use crate::{
    error::{Error, Parameter, Quantity},
    init::{self, Init},
    kernel::Kernel,
    named,
    repulsion::{FEW, RepulsionMethod},
    space::Space,
};

/// The optimizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Optimizer {
    /// The best one: on the sphere, a quasi-Newton method up to 1,000 points and an accelerated gradient method for
    /// more; gradient descent with momentum in the plane and in space.
    #[default]
    Auto,
    /// On the sphere, up to 1,000 points: both methods, one after the other. The map with the lower KL is kept. Otherwise as
    /// [`Optimizer::Auto`].
    Both,
    /// The paper's: momentum and gains of t-SNE in three coordinates, with a projection to the mean radius after every
    /// iteration. In the plane and in space it is the update of t-SNE itself.
    Paper,
}

named!(Optimizer, "optimizer", {
    Auto => ("auto", "the best one for the space and the number of items"),
    Both => ("both", "on the sphere, up to 1,000 items: both methods, and the better map is kept"),
    Paper => ("paper", "the paper's algorithm"),
});

/// How large the sphere may become. The objective chooses the radius freely below this limit.
///
/// On most graphs the objective falls, ever more slowly, as the sphere grows: clusters become dust, and most of the globe
/// is empty. With a radius of √n, n points that are spread evenly are 3.5 kernel widths apart. Neighbours of points have a
/// perplexity, which sets the size of the clusters: there the objective chooses a radius that fills the globe as well.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Radius {
    /// At most √n for the n items of a graph, of similarities or of dyadic data. Free for points and distances, with two or more
    /// fixed items, and with the paper's optimizer.
    #[default]
    Auto,
    /// Whatever the objective asks for, as in the paper. With more than 1,000 points at most 2,000, up to where fast sums
    /// are tested.
    Free,
    /// At most this number.
    AtMost(f64),
    /// At most this times √n.
    AtMostRoots(f64),
}

/// The largest radius for fast sums.
const LARGEST_RADIUS: f64 = 2000.0;

impl Radius {
    /// The largest radius for `n` items. `has_size`: something else than this limit sets the size of the map, such as the neighbours
    /// of points.
    fn limit(self, n: usize, has_size: bool, optimizer: Optimizer) -> Result<f64, Error> {
        let roots = |factor: f64| factor * (n as f64).sqrt();
        let free = if n > FEW { LARGEST_RADIUS } else { f64::INFINITY };
        let asked = match self {
            Self::Auto if has_size || optimizer == Optimizer::Paper => free,
            Self::Auto => roots(1.0),
            Self::Free => free,
            Self::AtMost(limit) => limit,
            Self::AtMostRoots(factor) => roots(factor),
        };
        if asked.is_nan() || asked < 1.0 {
            return Err(Error::parameter(Parameter::Radius, asked.to_string(), "it must be at least 1"));
        }
        Ok(asked.min(free))
    }
}

/// Options of [`embed`](super::embed).
#[derive(Debug, Clone, PartialEq)]
pub struct EmbedOptions {
    /// The space of the map. Default: the sphere.
    pub space: Space,
    /// The similarity of two points of the map. Default: Cauchy.
    pub kernel: Kernel,
    /// The optimizer. Default: the best one for the space and the number of points.
    pub optimizer: Optimizer,
    /// Where the points start. Default: spectral; random for the paper's optimizer.
    pub init: Init,
    /// Attraction is exaggerated by this factor at first. Default: on the sphere 100, or less (down to 12) for more
    /// than a million similarities, and always lowered step by step; 12 in the plane and in space, or 1 with the
    /// Gaussian kernel; 4 for the paper's optimizer.
    pub exaggeration: Option<f64>,
    /// Number of iterations with exaggeration. Default: on the sphere at most 30 per stage up to 1,000 points,
    /// otherwise 500 in total, or fewer (down to 100) for more than a million similarities; 250 in the plane and in
    /// space; 100 for the paper's optimizer.
    pub exaggeration_iterations: Option<usize>,
    /// Largest number of iterations in total. Default: 1,500 on the sphere, 1,000 otherwise and for the paper's
    /// optimizer.
    pub max_iterations: Option<usize>,
    /// Learning rate of the momentum methods, for a gradient without its factor 4. Default: n/exaggeration (the paper
    /// does not specify it; the traditional constant 500 of t-SNE makes small maps unstable); with the Gaussian kernel,
    /// 1 over the largest item's share of P.
    pub learning_rate: Option<f64>,
    /// How repulsion is computed. Default: depends on the space and the number of points.
    pub repulsion: RepulsionMethod,
    /// How large the sphere may become. Default: at most √n, but free for points.
    pub radius: Radius,
    /// Items that stay at given directions while the others settle, on the sphere. The radius is free all the same. Items that are
    /// fixed at two or more directions replace the condition that the map is centred. Default: none.
    pub fixed: Vec<Fixed>,
    /// Seed of all random choices. Default: 0.
    pub seed: u64,
}

impl Default for EmbedOptions {
    fn default() -> Self {
        Self {
            space: Space::Sphere,
            kernel: Kernel::Cauchy,
            optimizer: Optimizer::Auto,
            init: Init::Auto,
            exaggeration: None,
            exaggeration_iterations: None,
            max_iterations: None,
            learning_rate: None,
            repulsion: RepulsionMethod::Auto,
            radius: Radius::Auto,
            fixed: Vec::new(),
            seed: 0,
        }
    }
}

/// Validated options, with every default filled in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CheckedOptions {
    pub(crate) space: Space,
    pub(crate) kernel: Kernel,
    pub(crate) optimizer: Optimizer,
    pub(crate) init: Init,
    pub(crate) exaggeration: f64,
    pub(crate) exaggeration_iterations: usize,
    pub(crate) max_iterations: usize,
    pub(crate) learning_rate: Option<f64>,
    /// The selected method: never `Auto`.
    pub(crate) repulsion: RepulsionMethod,
    /// The radius does not exceed this.
    pub(crate) largest_radius: f64,
    /// The radius with which a run on the sphere begins.
    pub(crate) start_radius: f64,
    pub(crate) fixed: Vec<Fixed>,
    pub(crate) seed: u64,
}

impl EmbedOptions {
    /// Validates the options for a map of `n` points with this number of similarities, and fills in the defaults.
    pub(crate) fn check(&self, n: usize, similarities: usize, of_points: bool) -> Result<CheckedOptions, Error> {
        let paper = self.optimizer == Optimizer::Paper;
        // Exaggeration, its iterations, and all iterations.
        let defaults = match (self.space, paper) {
            (_, true) => (4.0, 100, 1000),
            (Space::Sphere, false) if n <= FEW && self.optimizer != Optimizer::Both => {
                (100.0, ITERATIONS_PER_STAGE, 1500)
            }
            (Space::Sphere, false) => {
                let (exaggeration, iterations) = annealing(n, similarities);
                (exaggeration, iterations, 1500)
            }
            // With the Gaussian kernel, exaggeration would only shorten the steps: points gather without it.
            (_, false) if self.kernel == Kernel::Gaussian => (1.0, 0, 1000),
            (_, false) => (12.0, 250, 1000),
        };
        let exaggeration = self.exaggeration.unwrap_or(defaults.0);
        if !(exaggeration >= 1.0 && exaggeration.is_finite()) {
            return Err(Error::parameter(
                Parameter::Exaggeration,
                exaggeration.to_string(),
                "it must be at least 1 (1 means no exaggeration)",
            ));
        }
        if let Some(rate) = self.learning_rate
            && !(rate > 0.0 && rate.is_finite())
        {
            return Err(Error::parameter(Parameter::LearningRate, rate.to_string(), "it must be above 0"));
        }
        let repulsion = self.repulsion.plan(n, self.space, self.optimizer)?;
        if let Init::Given(start) = &self.init {
            let what = "the given start";
            if start.nrows() != n {
                return Err(Error::Length { what, found: start.nrows(), expected: n });
            }
            if start.ncols() != self.space.dimensions() {
                return Err(Error::Dimensions { what, found: start.ncols(), expected: self.space.dimensions() });
            }
            if let Some(((row, column), &value)) = start.indexed_iter().find(|(_, v)| !v.is_finite()) {
                return Err(Error::Value { quantity: Quantity::MapCoordinate, row, column, value });
            }
        }
        self.check_fixed(n)?;
        let init = match (&self.init, paper) {
            (Init::Auto, true) => Init::Random,
            // The others start between the fixed ones.
            (Init::Auto, false) if self.fixed.len() > 1 => Init::Auto,
            (Init::Auto, false) => Init::Spectral,
            (init, _) => init.clone(),
        };
        // The angles between fixed items set the size of the map.
        let has_size = of_points || self.fixed.len() > 1;
        let largest_radius = self.radius.limit(n, has_size, self.optimizer)?;
        // An earlier map goes on with its own size: on a smaller sphere, its neighbourhoods would be mixed again.
        let start_radius = init::radius(&init).unwrap_or(START_RADIUS).max(SMALLEST_RADIUS).min(largest_radius);
        Ok(CheckedOptions {
            space: self.space,
            kernel: self.kernel,
            optimizer: self.optimizer,
            init,
            exaggeration,
            exaggeration_iterations: self.exaggeration_iterations.unwrap_or(defaults.1),
            max_iterations: self.max_iterations.unwrap_or(defaults.2),
            learning_rate: self.learning_rate,
            repulsion,
            largest_radius,
            start_radius,
            fixed: self.fixed.clone(),
            seed: self.seed,
        })
    }
}

/// Up to this number of points an iteration is quick, however many similarities there are.
const QUICK: usize = 2000;
/// Largest number of iterations of the quasi-Newton method in a stage of constant exaggeration.
pub(super) const ITERATIONS_PER_STAGE: usize = 30;

/// Exaggeration and its iterations for many points on the sphere. Slow cooling helps graphs most, because their
/// structure extends over many scales. With many points and a million similarities or more an iteration is expensive, so
/// there are fewer of them.
fn annealing(n: usize, similarities: usize) -> (f64, usize) {
    let slowness = if n <= QUICK { 1.0 } else { (1e6 / similarities as f64).min(1.0) };
    (12.0 * (100.0_f64 / 12.0).powf(slowness), 100 + (400.0 * slowness) as usize)
}
