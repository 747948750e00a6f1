//! Maps by several ranks have the same bytes as those of one process.

use super::{EmbedOptions, Embedding, OptimizerState, assist, dismiss, embed, embed_on, resume_on};
use crate::{
    kernel::Kernel,
    normalization::Affinities,
    observe::{Observer, Silent, Step},
    optimize::Fixed,
    ranks::on_threads,
    repulsion::RepulsionMethod,
    sparse::CsrMatrix,
};
use std::ops::ControlFlow;

/// A ring of `n` items with links of several lengths and weights.
fn ring(n: usize) -> Affinities {
    let pairs: Vec<(u32, u32, f64)> = (0..n)
        .flat_map(|i| (1..=1 + i % 7).map(move |k| (i, (i + k * k) % n, 1.0 / (1 + i % 5) as f64)))
        .filter(|(i, j, _)| i != j)
        .flat_map(|(i, j, w)| [(i as u32, j as u32, w), (j as u32, i as u32, w)])
        .collect();
    Affinities::from_matrix(&CsrMatrix::from_triplets((n, n), &pairs).unwrap()).unwrap()
}

/// The map of rank 0; the others help.
fn on_ranks(size: usize, make: impl Fn(&dyn crate::ranks::Communicator) -> Embedding + Sync) -> Embedding {
    let maps = on_threads(size, |communicator| {
        if communicator.rank() == 0 {
            let map = make(communicator);
            dismiss(communicator);
            Some(map)
        } else {
            assist(communicator, &mut Silent);
            None
        }
    });
    maps.into_iter().flatten().next().unwrap()
}

#[test]
fn same_bytes_on_any_number_of_ranks() {
    let few = |options: EmbedOptions| EmbedOptions { max_iterations: Some(12), ..options };
    let fixed = vec![Fixed { item: 3, direction: [0.0, 0.0, 1.0] }, Fixed { item: 900, direction: [1.0, 0.0, 0.0] }];
    let cases = [
        (5000, few(EmbedOptions::default())),
        // Fewer chunks of rows than ranks, and methods that every rank computes for itself.
        (1500, few(EmbedOptions { kernel: Kernel::Gaussian, ..EmbedOptions::default() })),
        (1500, few(EmbedOptions { repulsion: RepulsionMethod::Tree, ..EmbedOptions::default() })),
        (1500, few(EmbedOptions { fixed, ..EmbedOptions::default() })),
        // Not divided at all.
        (200, few(EmbedOptions::default())),
    ];
    for (n, options) in cases {
        let p = ring(n);
        let alone = embed(&p, &options, &mut Silent).unwrap();
        for size in 1..=4 {
            let together =
                on_ranks(size, |communicator| embed_on(communicator, &mut p.clone(), &options, &mut Silent).unwrap());
            assert_eq!(together, alone, "{n} items, {size} ranks");
        }
    }
}

#[test]
fn late_maps_that_fill_a_large_sphere_have_the_same_bytes_too() {
    // A radius at which the near field and grids of many rings are used.
    let p = ring(6000);
    let options = EmbedOptions {
        exaggeration: Some(1.0),
        exaggeration_iterations: Some(0),
        max_iterations: Some(25),
        ..EmbedOptions::default()
    };
    let alone = embed(&p, &options, &mut Silent).unwrap();
    assert!(alone.radius.unwrap() > 10.0, "{:?}", alone.radius);
    for size in [2, 3, 5] {
        let together =
            on_ranks(size, |communicator| embed_on(communicator, &mut p.clone(), &options, &mut Silent).unwrap());
        assert_eq!(together, alone, "{size} ranks");
    }
}

/// Stops at a step, and keeps the state there.
struct StopAt {
    step: usize,
    state: Option<OptimizerState>,
    stopped_elsewhere: bool,
}

impl StopAt {
    fn new(step: usize) -> Self {
        Self { step, state: None, stopped_elsewhere: false }
    }
}

impl Observer for StopAt {
    fn step(&mut self, step: &Step<'_>) -> ControlFlow<()> {
        if step.iteration >= self.step { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn stopped_elsewhere(&mut self) {
        self.stopped_elsewhere = true;
    }

    fn wants_state(&mut self) -> bool {
        self.state.is_none() && (self.stopped_elsewhere || self.step != usize::MAX)
    }

    fn state(&mut self, state: OptimizerState) {
        self.state = Some(state);
    }
}

#[test]
fn any_rank_stops_all_at_the_same_step_and_another_number_of_ranks_goes_on() {
    let p = ring(3000);
    let options = EmbedOptions { max_iterations: Some(15), ..EmbedOptions::default() };
    let alone = embed(&p, &options, &mut Silent).unwrap();
    // The last of three ranks stops.
    let states = on_threads(3, |communicator| {
        let mut observer = StopAt::new(if communicator.rank() == 2 { 6 } else { usize::MAX });
        if communicator.rank() == 0 {
            let map = embed_on(communicator, &mut p.clone(), &options, &mut observer).unwrap();
            assert!(map.stopped && map.iterations == 6 && observer.stopped_elsewhere);
            dismiss(communicator);
            observer.state
        } else {
            assist(communicator, &mut observer);
            None
        }
    });
    let state = states.into_iter().flatten().next().unwrap();
    assert_eq!(state.iterations(), 6);
    for size in [1, 2, 4] {
        let resumed = on_ranks(size, |communicator| {
            resume_on(communicator, &p, &options, Some(state.clone()), &mut Silent).unwrap()
        });
        assert_eq!(resumed, alone, "{size} ranks");
    }
}
