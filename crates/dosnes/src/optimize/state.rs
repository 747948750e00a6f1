//! Where an optimizer is, as a value that can be stored: the rest of the run depends on nothing else.

use super::{accelerated, first_not_finite, quasi_newton, reorder::Order};
use crate::{error::Error, sphere::Vec3};

/// The state of an optimizer between two iterations, see [`resume`](super::resume).
///
/// It belongs to the similarities and options with which it was made. With those, a run that continues from it ends with
/// the same bytes as one that was never interrupted, on any number of threads.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OptimizerState(pub(super) Saved);

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Saved {
    QuasiNewton(quasi_newton::Saved),
    Accelerated {
        /// With both methods: the map of the first one.
        first: Option<FirstMap>,
        /// The old index of each point.
        order: Vec<u32>,
        run: accelerated::Saved,
    },
    /// In the plane or in space, or by the paper's optimizer.
    Euclidean {
        dimensions: usize,
        run: Flat,
    },
}

/// A run with momentum, coordinate after coordinate.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Flat {
    pub(super) y: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    pub(super) gains: Vec<f64>,
    pub(super) iteration: usize,
}

/// The map of the first of two methods.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct FirstMap {
    pub(super) u: Vec<Vec3>,
    pub(super) r: f64,
    pub(super) kl: f64,
    pub(super) iterations: usize,
    pub(super) converged: bool,
}

impl OptimizerState {
    /// Number of points.
    pub fn len(&self) -> usize {
        match &self.0 {
            Saved::QuasiNewton(run) => run.u.len(),
            Saved::Accelerated { run, .. } => run.u.len(),
            Saved::Euclidean { dimensions, run } => run.y.len() / (*dimensions).max(1),
        }
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of iterations so far; with two methods, those of the second one.
    pub fn iterations(&self) -> usize {
        match &self.0 {
            Saved::QuasiNewton(run) => run.iterations,
            Saved::Accelerated { run, .. } => run.iterations,
            Saved::Euclidean { run, .. } => run.iteration,
        }
    }

    pub(super) fn set_order(&mut self, order: &Order) {
        if let Saved::Accelerated { order: own, .. } = &mut self.0 {
            *own = order.old_indices().to_vec();
        }
    }

    pub(super) fn set_first(&mut self, map: &FirstMap) {
        if let Saved::Accelerated { first, .. } = &mut self.0 {
            *first = Some(map.clone());
        }
    }

    /// Refuses a state that no run on `n` points can have.
    pub(super) fn check(&self, n: usize) -> Result<(), Error> {
        let what = "the state of the optimizer";
        let lengths = match &self.0 {
            Saved::QuasiNewton(run) => run.lengths(),
            Saved::Accelerated { first, order, run } => {
                let mut lengths = vec![order.len(), run.u.len(), run.velocity.len()];
                lengths.extend(first.as_ref().map(|first| first.u.len()));
                lengths
            }
            Saved::Euclidean { dimensions, run } => {
                let whole = n.saturating_mul(*dimensions);
                let has_all = [&run.y, &run.velocity, &run.gains].iter().all(|part| part.len() == whole);
                vec![if has_all { n } else { self.len() }]
            }
        };
        if let Some(found) = lengths.into_iter().find(|&found| found != n) {
            return Err(Error::Length { what, found, expected: n });
        }
        let is_unit = |u: &Vec3| (u.iter().map(|v| v * v).sum::<f64>() - 1.0).abs() < 1e-6;
        let on_sphere = |u: &[Vec3], r: f64| u.iter().all(is_unit) && r > 0.0 && r.is_finite();
        let is_possible = match &self.0 {
            Saved::QuasiNewton(run) => on_sphere(&run.u, run.r) && run.exaggeration.is_finite(),
            Saved::Accelerated { first, order, run } => {
                let mut seen = vec![false; n];
                let is_permutation =
                    order.iter().all(|&i| seen.get_mut(i as usize).is_some_and(|seen| !std::mem::replace(seen, true)));
                is_permutation
                    && on_sphere(&run.u, run.r)
                    && first_not_finite(&run.velocity).is_none()
                    && run.history.len() == run.iterations
                    && first.as_ref().is_none_or(|first| on_sphere(&first.u, first.r))
            }
            Saved::Euclidean { dimensions, run } => {
                let parts = [&run.y, &run.velocity, &run.gains];
                parts.iter().all(|part| part.len() == n * dimensions && part.iter().all(|v| v.is_finite()))
            }
        };
        if is_possible { Ok(()) } else { Err(Error::ForeignState) }
    }
}
