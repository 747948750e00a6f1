//! Watching a run, and stopping it.
//!
//! Every stage that may take long has an [`Observer`]. It is notified when a stage begins, of the progress within the
//! stage, and of each iteration of the optimizer. At each of these calls it may return [`ControlFlow::Break`]: the
//! stage then ends as soon as possible. The optimizer returns the current map; earlier stages have no result yet and
//! return [`Error::Stopped`].

mod recorder;

pub use recorder::{Recorder, State};

use crate::{error::Error, optimize::OptimizerState};
use std::ops::ControlFlow;

/// A stage of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Reading a file. (The library reads no files. Readers report here, so that one observer is enough for a whole
    /// run.)
    Read,
    /// Reducing wide data to principal components.
    Pca,
    /// Finding nearest neighbours.
    Neighbors,
    /// Turning distances into similarities.
    Affinity,
    /// Making the similarities doubly stochastic.
    Normalize,
    /// Computing the start positions.
    Initialize,
    /// Moving the points.
    Optimize,
    /// Measuring a map.
    Measure,
    /// Writing files.
    Write,
}

/// One iteration of the optimizer.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Step<'a> {
    /// Number of iterations so far.
    pub iteration: usize,
    /// Largest number of iterations. Most runs converge before it.
    pub max_iterations: usize,
    /// How much of the run is done, from 0 to 1, as far as can be told: it depends on how soon the run converges.
    pub progress: f64,
    /// KL(P‖Q), if it was computed in this iteration.
    pub kl: Option<f64>,
    /// The sphere's radius; `None` in the plane and in space.
    pub radius: Option<f64>,
    /// The current exaggeration of attraction.
    pub exaggeration: f64,
    /// The positions of the points; none if [`Observer::wants_positions`] says that they are not looked at.
    pub positions: Positions<'a>,
}

/// The positions of the points, as the optimizer stores them.
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
    Volume(&'a [[f64; 3]]),
}

impl Positions<'_> {
    /// The coordinates, one row per point.
    pub fn to_array(&self) -> ndarray::Array2<f64> {
        match *self {
            Self::Sphere { directions, radius } => {
                ndarray::Array2::from_shape_fn((directions.len(), 3), |(i, k)| radius * directions[i][k])
            }
            Self::Plane(y) => ndarray::Array2::from_shape_fn((y.len(), 2), |(i, k)| y[i][k]),
            Self::Volume(y) => ndarray::Array2::from_shape_fn((y.len(), 3), |(i, k)| y[i][k]),
        }
    }
}

/// Is notified of progress, and decides whether to continue. Every method has a default that does nothing.
pub trait Observer {
    /// A stage begins.
    fn stage(&mut self, _stage: Stage) {}

    /// The completed fraction of the stage, from 0 to 1. Called often enough that a run stops within a moment.
    fn progress(&mut self, _fraction: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The optimizer completed an iteration.
    fn step(&mut self, _step: &Step<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Whether [`Step::positions`] are looked at. If not, there may be none: the optimizer has many points in an order of its own, and
    /// it takes time and memory to put them into theirs.
    fn wants_positions(&mut self) -> bool {
        true
    }

    /// The observer of another rank has stopped the run at this step, see [`crate::ranks`].
    fn stopped_elsewhere(&mut self) {}

    /// Whether [`Observer::state`] is to be called. Asked after each iteration, also after the one that was told to stop.
    fn wants_state(&mut self) -> bool {
        false
    }

    /// The state of the optimizer, from which [`resume`](crate::resume) continues.
    fn state(&mut self, _state: OptimizerState) {}
}

/// Reports the progress of a stage that has no result if it is stopped.
pub(crate) fn report(observer: &mut dyn Observer, fraction: f64) -> Result<(), Error> {
    match observer.progress(fraction) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Stopped),
    }
}

/// A part of a stage: its progress from 0 to 1 is that of the stage from `from` to `to`.
pub(crate) struct Part<'a> {
    /// The observer of the stage.
    pub(crate) observer: &'a mut dyn Observer,
    /// Progress of the stage when the part begins.
    pub(crate) from: f64,
    /// Progress of the stage when the part ends.
    pub(crate) to: f64,
}

impl Observer for Part<'_> {
    fn progress(&mut self, fraction: f64) -> ControlFlow<()> {
        self.observer.progress(self.of_whole(fraction))
    }

    fn step(&mut self, step: &Step<'_>) -> ControlFlow<()> {
        self.observer.step(&Step { progress: self.of_whole(step.progress), ..*step })
    }

    fn wants_positions(&mut self) -> bool {
        self.observer.wants_positions()
    }

    fn wants_state(&mut self) -> bool {
        self.observer.wants_state()
    }

    fn state(&mut self, state: OptimizerState) {
        self.observer.state(state);
    }
}

impl Part<'_> {
    fn of_whole(&self, fraction: f64) -> f64 {
        self.from + (self.to - self.from) * fraction
    }
}

/// Ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn wants_positions(&mut self) -> bool {
        false
    }
}
