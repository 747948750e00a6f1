//! Watching a run, and stopping it.

/// What the library is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Reducing wide data to principal components.
    Pca,
    /// Finding nearest neighbours.
    Neighbors,
    /// Turning distances into similarities.
    Affinity,
    /// Making the similarities doubly stochastic.
    Normalize,
    /// Finding a start.
    Initialize,
    /// Moving the points.
    Optimize,
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop at once, and return what there is.
    Stop,
}

/// One step of the optimizer.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// Steps taken so far.
    pub iteration: usize,
    /// Steps that will be taken at most.
    pub max_iterations: usize,
    /// KL(P‖Q) where it was computed at this step.
    pub kl: Option<f64>,
    /// The sphere's radius; `None` in the plane and in space.
    pub radius: Option<f64>,
    /// By how much attraction is exaggerated.
    pub exaggeration: f64,
    /// Where the points are.
    pub positions: Positions<'a>,
}

/// Where the points are, as the optimizer holds them.
#[derive(Debug, Clone, Copy)]
pub enum Positions<'a> {
    /// On a sphere: directions, to be multiplied by the radius.
    Sphere {
        /// Unit vectors.
        directions: &'a [[f64; 3]],
        /// The radius.
        radius: f64,
    },
    /// In the plane.
    Plane(&'a [[f64; 2]]),
    /// In space.
    Space(&'a [[f64; 3]]),
}

impl Positions<'_> {
    /// The coordinates, one row a point.
    pub fn to_array(&self) -> ndarray::Array2<f64> {
        match *self {
            Self::Sphere { directions, radius } => {
                ndarray::Array2::from_shape_fn((directions.len(), 3), |(i, k)| radius * directions[i][k])
            }
            Self::Plane(y) => ndarray::Array2::from_shape_fn((y.len(), 2), |(i, k)| y[i][k]),
            Self::Space(y) => ndarray::Array2::from_shape_fn((y.len(), 3), |(i, k)| y[i][k]),
        }
    }
}

/// Told what happens, and asked whether to go on. Every method has a default that does nothing.
pub trait Observer {
    /// A stage begins.
    fn stage(&mut self, _stage: Stage) {}

    /// A stage other than the optimizer's is done to this fraction.
    fn progress(&mut self, _fraction: f64) -> Control {
        Control::Continue
    }

    /// The optimizer took a step.
    fn step(&mut self, _step: &Step<'_>) -> Control {
        Control::Continue
    }
}

/// Looks the other way.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}
