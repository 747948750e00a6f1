//! Runs the library's work on threads of its own, while the calling thread listens: to Ctrl-C, and for what the work has
//! to tell. All Python runs on the calling thread, as notebooks and figures expect.

use crate::error::exception;
use dosnes::{
    Error,
    ndarray::Array2,
    observe::{Observer, Stage, Step},
};
use numpy::IntoPyArray;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often Ctrl-C is looked for, and progress is told.
const MOMENT: Duration = Duration::from_millis(50);

/// What users ask for about a run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Watch {
    /// Number of threads; 0 for all cores.
    threads: usize,
    /// Called as `progress(stage, fraction)`.
    progress: Option<Py<PyAny>>,
    /// Called as `callback(iteration, kl, coordinates)`; what it returns says whether to stop.
    callback: Option<Py<PyAny>>,
    /// Number of iterations between two calls of the callback.
    every: usize,
}

enum Event {
    Progress(&'static str, f64),
    Step { iteration: usize, kl: f64, coordinates: Array2<f64>, seen: Sender<()> },
}

impl Watch {
    /// Runs the work. Python's lock is free meanwhile.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn Observer) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        self.run_with(py, exception, work)
    }

    /// Runs work whose errors are others; `exception` makes exceptions of them.
    pub(crate) fn run_with<T: Send, E: Send>(
        &self,
        py: Python<'_>,
        exception: impl Fn(&E) -> PyErr,
        work: impl FnOnce(&mut dyn Observer) -> Result<T, E> + Send,
    ) -> PyResult<T> {
        // A pool for this call alone: it does not survive a fork of the process, as a global one would, without its threads.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|error| PyRuntimeError::new_err(format!("threads cannot be started: {error}")))?;
        let stop = AtomicBool::new(false);
        let mut problem = None;
        let mut result = None;
        py.detach(|| {
            let (events, listener) = channel();
            let (told, asked) = (self.progress.is_some(), self.callback.as_ref().map(|_| self.every.max(1)));
            pool.in_place_scope(|scope| {
                scope.spawn(|_| {
                    let mut messenger = Messenger::new(events, &stop, told, asked);
                    result = Some(work(&mut messenger));
                });
                problem = self.listen(&listener, &stop);
            });
        });
        match (problem, result) {
            (Some(problem), _) => Err(problem),
            (None, Some(result)) => result.map_err(|error| exception(&error)),
            (None, None) => Err(PyRuntimeError::new_err("the run ended without a result")),
        }
    }

    /// Listens until the work has ended. Returns the exception that stopped it.
    fn listen(&self, listener: &Receiver<Event>, stop: &AtomicBool) -> Option<PyErr> {
        let mut problem = None;
        let mut looked = Instant::now();
        loop {
            let event = match listener.recv_timeout(MOMENT) {
                Ok(event) => Some(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return problem,
            };
            if problem.is_some() || (event.is_none() && looked.elapsed() < MOMENT / 2) {
                continue;
            }
            let outcome = Python::attach(|py| {
                py.check_signals()?;
                looked = Instant::now();
                event.map_or(Ok(ControlFlow::Continue(())), |event| self.tell(py, event))
            });
            match outcome {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => stop.store(true, Ordering::Relaxed),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    problem = Some(error);
                }
            }
        }
    }

    fn tell(&self, py: Python<'_>, event: Event) -> PyResult<ControlFlow<()>> {
        match (event, &self.progress, &self.callback) {
            (Event::Progress(stage, fraction), Some(progress), _) => {
                progress.call1(py, (stage, fraction))?;
            }
            (Event::Step { iteration, kl, coordinates, seen }, _, Some(callback)) => {
                let stop = callback.call1(py, (iteration, kl, coordinates.into_pyarray(py)))?.is_truthy(py)?;
                if stop {
                    return Ok(ControlFlow::Break(()));
                }
                // The work may have ended already.
                let _ = seen.send(());
            }
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Tells the calling thread what happens.
struct Messenger<'a> {
    events: Sender<Event>,
    stop: &'a AtomicBool,
    told: bool,
    every: Option<usize>,
    stage: &'static str,
    last: Option<Instant>,
    kl: f64,
}

impl<'a> Messenger<'a> {
    fn new(events: Sender<Event>, stop: &'a AtomicBool, told: bool, every: Option<usize>) -> Self {
        Self { events, stop, told, every, stage: "", last: None, kl: f64::NAN }
    }

    fn goes_on(&self) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn tell_progress(&mut self, fraction: f64) {
        if self.told && self.last.is_none_or(|last| last.elapsed() >= MOMENT) {
            self.last = Some(Instant::now());
            // The listener stays until the work has ended.
            let _ = self.events.send(Event::Progress(self.stage, fraction));
        }
    }
}

impl Observer for Messenger<'_> {
    fn stage(&mut self, stage: Stage) {
        self.stage = name(stage);
        self.last = None;
        self.tell_progress(0.0);
    }

    fn progress(&mut self, fraction: f64) -> ControlFlow<()> {
        self.tell_progress(fraction);
        self.goes_on()
    }

    fn step(&mut self, step: &Step<'_>) -> ControlFlow<()> {
        self.kl = step.kl.unwrap_or(self.kl);
        self.tell_progress(step.progress);
        if let Some(every) = self.every
            && step.iteration.is_multiple_of(every)
        {
            let (seen, answer) = channel();
            let coordinates = step.positions.to_array();
            let event = Event::Step { iteration: step.iteration, kl: self.kl, coordinates, seen };
            // Waits until the callback has seen this step, so that its answer stops the run here. A callback that stops
            // the run gives no answer.
            if self.events.send(event).is_err() || answer.recv().is_err() {
                return ControlFlow::Break(());
            }
        }
        self.goes_on()
    }

    fn wants_positions(&mut self) -> bool {
        self.every.is_some()
    }
}

fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Pca => "principal components",
        Stage::Neighbors => "neighbours",
        Stage::Affinity => "similarities",
        Stage::Normalize => "normalising",
        Stage::Initialize => "first positions",
        Stage::Optimize => "embedding",
        Stage::Measure => "measuring",
        _ => "working",
    }
}
