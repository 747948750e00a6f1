//! Every stage can be stopped.

use dosnes::ndarray::Array2;
use dosnes::observe::{Observer, Stage};
use dosnes::{Dosnes, Error};
use std::ops::ControlFlow;

/// Stops at the first word of a stage.
struct Stopper {
    wanted: Stage,
    now: Option<Stage>,
}

impl Observer for Stopper {
    fn stage(&mut self, stage: Stage) {
        self.now = Some(stage);
    }

    fn progress(&mut self, _fraction: f64) -> ControlFlow<()> {
        if self.now == Some(self.wanted) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_stage_before_the_optimizer_stops_when_it_is_asked_to() {
    let points = Array2::from_shape_fn((300, 4), |(i, axis)| ((i * (axis + 2)) as f64).sin());
    let stages =
        [(Stage::Neighbors, false), (Stage::Affinity, false), (Stage::Normalize, false), (Stage::Normalize, true)];
    for (wanted, of_graph) in stages {
        let mut stopper = Stopper { wanted, now: None };
        let result = if of_graph {
            let edges: Vec<(u32, u32, f64)> = (0..299).map(|i| (i, i + 1, 1.0)).collect();
            let graph = dosnes::CsrMatrix::from_triplets((300, 300), &edges).unwrap();
            Dosnes::sphere().fit_observed(dosnes::Data::Graph(graph), &mut stopper)
        } else {
            Dosnes::sphere().fit_observed(&points, &mut stopper)
        };
        assert!(matches!(result, Err(Error::Stopped)), "{wanted:?} goes on");
        assert_eq!(stopper.now, Some(wanted), "a later stage began");
    }
}
