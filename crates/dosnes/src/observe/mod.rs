//! Watching a run, and stopping it.
//!
//! Every stage that may take long is given an [`Observer`]. It is told which stage begins, how far the stage is, and each
//! step of the optimizer. Wherever it is called it may answer [`ControlFlow::Break`]: the stage then ends as soon as it can.
//! The optimizer returns the map as it is; earlier stages have no result yet and return [`Error::Stopped`].

mod recorder;

pub use recorder::{Recorder, State};

use crate::error::Error;
use std::ops::ControlFlow;

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Reading a file. (The library reads no files; readers report here, so that one observer serves a whole run.)
    Read,
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
    /// Measuring a map.
    Measure,
    /// Writing files.
    Write,
}

/// One step of the optimizer.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
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
    Volume(&'a [[f64; 3]]),
}

impl Positions<'_> {
    /// The coordinates, one row a point.
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

/// Is told what happens, and decides whether to go on. Every method has a default that does nothing.
pub trait Observer {
    /// A stage begins.
    fn stage(&mut self, _stage: Stage) {}

    /// The stage is done to this fraction, 0 to 1. It is called often enough to stop within a moment.
    fn progress(&mut self, _fraction: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The optimizer took a step.
    fn step(&mut self, _step: &Step<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Reports progress of a stage that has no result when it is stopped.
pub(crate) fn report(observer: &mut dyn Observer, fraction: f64) -> Result<(), Error> {
    match observer.progress(fraction) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Stopped),
    }
}

/// A part of a stage: its progress from 0 to 1 is that of the stage from `from` to `to`.
pub(crate) struct Part<'a> {
    /// Is told the progress of the stage.
    pub(crate) observer: &'a mut dyn Observer,
    /// Where the part begins.
    pub(crate) from: f64,
    /// Where it ends.
    pub(crate) to: f64,
}

impl Observer for Part<'_> {
    fn progress(&mut self, fraction: f64) -> ControlFlow<()> {
        self.observer.progress(self.from + (self.to - self.from) * fraction)
    }
}

/// Ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}
