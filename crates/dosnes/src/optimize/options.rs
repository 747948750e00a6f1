//! The options of an embedding, with all their defaults, and the check that they make sense.

use crate::{
    error::{Error, Parameter, Quantity},
    init::Init,
    kernel::Kernel,
    named,
    repulsion::{FEW, RepulsionMethod},
    space::Space,
};

/// How the points are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Optimizer {
    /// The best one for the space: quasi-Newton on the sphere, momentum in the plane and in space.
    #[default]
    Auto,
    /// The paper's: t-SNE's momentum and gains in three coordinates, projected to the mean radius after every step. In the
    /// plane and in space it is t-SNE's own update.
    Paper,
}

named!(Optimizer, "optimizer", {
    Auto => ("auto", "the best one for the space"),
    Paper => ("paper", "the paper's algorithm"),
});

/// Options of [`embed`](super::embed).
#[derive(Debug, Clone, PartialEq)]
pub struct EmbedOptions {
    /// Where the points live. Default: the sphere.
    pub space: Space,
    /// The map's similarity. Default: Cauchy.
    pub kernel: Kernel,
    /// How the points are moved. Default: the best for the space.
    pub optimizer: Optimizer,
    /// Where the points start. Default: spectral (the paper's optimizer: random).
    pub init: Init,
    /// Attraction is exaggerated by this factor at first. Default: on the sphere 100, less (down to 12) for more than a
    /// million similarities, and always lowered step by step; 12 in the plane and in space, or 1 with the Gaussian; 4 for the paper's optimizer.
    pub exaggeration: Option<f64>,
    /// Steps that are exaggerated. Default: on the sphere at most 30 a stage up to 1,000 points, else 500 in all, and fewer
    /// (down to 100) for more than a million similarities; 250 in the plane and in space; 100 for the paper's optimizer.
    pub exaggeration_iterations: Option<usize>,
    /// Most steps in all. Default: 1,500 on the sphere, 1,000 elsewhere and for the paper's optimizer.
    pub max_iterations: Option<usize>,
    /// Learning rate of momentum methods, for a gradient without its factor 4. Default: n/exaggeration (the paper says
    /// nothing of it; t-SNE's old constant 500 throws small maps about); with the Gaussian, 1 over the largest item's share
    /// of P.
    pub learning_rate: Option<f64>,
    /// How repulsion is computed. Default: by size and space.
    pub repulsion: RepulsionMethod,
    /// Seed of everything random. Default: 0.
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
            seed: 0,
        }
    }
}

/// Options that were checked, with every default filled in.
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
    /// The planner's choice: never `Auto`.
    pub(crate) repulsion: RepulsionMethod,
    pub(crate) seed: u64,
}

impl EmbedOptions {
    /// Checks the options for a map of `n` points with so many similarities, and fills in what is open.
    pub(crate) fn check(&self, n: usize, similarities: usize) -> Result<CheckedOptions, Error> {
        let paper = self.optimizer == Optimizer::Paper;
        // Exaggeration, its iterations, and all iterations.
        let defaults = match (self.space, paper) {
            (_, true) => (4.0, 100, 1000),
            (Space::Sphere, false) if n <= FEW => (100.0, 30, 1500),
            (Space::Sphere, false) => {
                let (exaggeration, iterations) = annealing(similarities);
                (exaggeration, iterations, 1500)
            }
            // Exaggeration would shorten the Gaussian's steps, and gather nothing that it does not gather by itself.
            (_, false) if self.kernel == Kernel::Gaussian => (1.0, 0, 1000),
            (_, false) => (12.0, 250, 1000),
        };
        let exaggeration = self.exaggeration.unwrap_or(defaults.0);
        if !(exaggeration >= 1.0 && exaggeration.is_finite()) {
            return Err(Error::parameter(
                Parameter::Exaggeration,
                exaggeration.to_string(),
                "it must be at least 1 (1 is none)",
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
        let init = match (&self.init, paper) {
            (Init::Auto, true) => Init::Random,
            (Init::Auto, false) => Init::Spectral,
            (init, _) => init.clone(),
        };
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
            seed: self.seed,
        })
    }
}

/// Exaggeration and its steps for many points on the sphere. Slow cooling helps graphs, whose structure reaches over many
/// scales, most, and they are sparse; where a step is dear, a million similarities and more, there are fewer of them.
fn annealing(similarities: usize) -> (f64, usize) {
    let slowness = (1e6 / similarities as f64).min(1.0);
    (12.0 * (100.0_f64 / 12.0).powf(slowness), 100 + (400.0 * slowness) as usize)
}
