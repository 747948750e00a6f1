//! One map by several ranks.
//!
//! Rank 0 has the similarities and the options, and begins. The others [`assist`]: they wait until rank 0 calls them, get their
//! rows of P and the start, and do the same steps as rank 0, each with its own rows. Only the optimizer of many points on the
//! sphere is divided; everything else is done by rank 0 alone.

use super::{
    EmbedOptions, Embedding, Held, OptimizerState, Outcome, PLANNED,
    accelerated::{self, Schedule},
    attraction::Attraction,
    objective::SphereObjective,
    pins::Pins,
    run,
    sphere_state::SphereState,
};
use crate::{
    error::Error,
    kernel::Kernel,
    named::Named,
    normalization::Affinities,
    observe::Observer,
    ranks::{Communicator, Plain, Share, from_bytes, to_bytes},
    repulsion::RepulsionMethod,
    simd,
};

/// As [`embed_in_place`](super::embed_in_place), with the same bytes, on several ranks. This is rank 0; the others [`assist`].
pub fn embed_on(
    communicator: &dyn Communicator,
    p: &mut Affinities,
    options: &EmbedOptions,
    observer: &mut dyn Observer,
) -> Result<Embedding, Error> {
    run(Held::Exclusive(p), options, None, communicator, observer)
}

/// As [`resume`](super::resume), with the same bytes, on several ranks; without a state, from the beginning. This is rank 0; the
/// others [`assist`].
pub fn resume_on(
    communicator: &dyn Communicator,
    p: &Affinities,
    options: &EmbedOptions,
    state: Option<OptimizerState>,
    observer: &mut dyn Observer,
) -> Result<Embedding, Error> {
    if let Some(state) = &state {
        state.check(p.len())?;
    }
    run(Held::Shared(p), options, state.map(|state| state.0), communicator, observer)
}

/// What rank 0 tells the others first.
const DISMISSED: &[u8] = b"dismissed";
const CALLED: &[u8] = b"called";

/// Helps rank 0 with its maps, until it calls [`dismiss`]. The observer sees the steps (the points are in another order than those of
/// the data), and may stop a run, which then stops on all ranks at the same step.
pub fn assist(communicator: &dyn Communicator, observer: &mut dyn Observer) {
    while communicator.receive(0) == CALLED {
        if are_alike(communicator) {
            let (job, start) = Job::receive(communicator);
            let share = Share::of_rows(communicator, start.u.len());
            let attraction = Attraction::receive(&share, start.u.len(), job.kernel);
            job.minimize(share, start, attraction, observer);
        }
    }
}

/// Rank 0 needs the others no more.
pub fn dismiss(communicator: &dyn Communicator) {
    for rank in 1..communicator.size() {
        communicator.send(rank, DISMISSED);
    }
}

/// What the ranks have to know beside their similarities and the start.
pub(super) struct Job {
    pub(super) kernel: Kernel,
    pub(super) repulsion: RepulsionMethod,
    pub(super) schedule: Schedule,
    pub(super) largest_r: f64,
    pub(super) pins: Pins,
}

impl Job {
    /// Calls the other ranks, and sends them what they need. This rank has all rows of `attraction`.
    pub(super) fn send(
        &self,
        share: &Share<'_>,
        start: &accelerated::Saved,
        attraction: &Attraction<'_>,
    ) -> Result<(), Error> {
        if share.is_alone() {
            return Ok(());
        }
        let communicator = share.communicator();
        for rank in 1..communicator.size() {
            communicator.send(rank, CALLED);
        }
        if !are_alike(communicator) {
            return Err(Error::DifferentRanks);
        }
        let Schedule { exaggeration, exaggeration_iterations, max_iterations } = self.schedule;
        let tell = |bytes: Vec<u8>| {
            communicator.broadcast(0, bytes);
        };
        let counts =
            [start.u.len(), exaggeration_iterations, max_iterations, start.iterations].map(|count| count as u64);
        tell(to_bytes(&counts));
        tell(to_bytes(&[exaggeration, self.largest_r, start.r]));
        tell(self.kernel.name().into());
        tell(self.repulsion.name().into());
        tell(self.pins.fixed().iter().map(|&is_fixed| u8::from(is_fixed)).collect());
        tell(to_bytes(&start.history));
        tell(to_bytes(&start.u));
        for rank in 1..communicator.size() {
            communicator.send(rank, &to_bytes(&start.velocity[share.of(rank)]));
        }
        attraction.send(share);
        Ok(())
    }

    /// The other side of [`send`](Self::send), up to the similarities.
    fn receive(communicator: &dyn Communicator) -> (Self, accelerated::Saved) {
        let told = || communicator.broadcast(0, Vec::new());
        let [n, exaggeration_iterations, max_iterations, iterations] =
            <[u64; 4]>::get(&told()).map(|count| count as usize);
        let [exaggeration, largest_r, r] = Plain::get(&told());
        let schedule = Schedule { exaggeration, exaggeration_iterations, max_iterations };
        // Rank 0 is the same program, as was checked.
        let (kernel, repulsion) = (named(&told()), named(&told()));
        let pins = Pins::of_fixed(told().iter().map(|&is_fixed| is_fixed != 0).collect());
        let history = from_bytes(&told()).collect();
        let u: Vec<_> = from_bytes(&told()).collect();
        debug_assert_eq!(u.len(), n);
        let velocity = from_bytes(&communicator.receive(0)).collect();
        let start = accelerated::Saved { u, r, velocity, history, iterations };
        (Self { kernel, repulsion, schedule, largest_r, pins }, start)
    }

    /// Minimises the objective, together with the other ranks. `start` has the steps of this rank's own points only.
    pub(super) fn minimize<'a>(
        self,
        share: Share<'a>,
        start: accelerated::Saved,
        attraction: Attraction<'a>,
        observer: &mut dyn Observer,
    ) -> (SphereState, Outcome, Attraction<'a>) {
        let repulsion = self.repulsion.on_sphere(self.kernel).expect(PLANNED);
        let mut objective = SphereObjective::new(attraction, repulsion, self.pins, share);
        let (state, outcome) = accelerated::minimize(&mut objective, start, self.largest_r, &self.schedule, observer);
        (state, outcome, objective.into_attraction())
    }
}

/// The choice with this name, which the same program has sent; the first one for a name that is none.
fn named<T: Named>(name: &[u8]) -> T {
    std::str::from_utf8(name).ok().and_then(|name| T::from_name(name).ok()).unwrap_or(T::ALL[0])
}

/// Whether all ranks are the same program on processors and systems that compute the same. Each rank computes some of the numbers
/// that all have, so that others would lead to different decisions.
fn are_alike(communicator: &dyn Communicator) -> bool {
    let functions =
        [0.7_f64.ln(), (-1.3_f64).exp(), 0.3_f64.atan2(0.7), 1.1_f64.sin(), 2.5_f64.powf(0.3), 0.4_f64.asin()];
    let own = format!("{} {} {:x?}", env!("CARGO_PKG_VERSION"), simd::name(), functions.map(f64::to_bits));
    communicator.all_gather(own.as_bytes()).iter().all(|other| other == own.as_bytes())
}
