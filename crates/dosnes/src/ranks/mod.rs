//! One run on several processes, which are called ranks as in MPI.
//!
//! The method is written once. What it needs of other ranks goes through a [`Communicator`]; [`Alone`] is the one of a single
//! process, with which nothing is sent. Work is divided into fixed chunks, and a [`Share`] says which chunks are a rank's own.
//! Sums are those of the chunks, added in the order of the chunks by every rank: the result has the same bytes on any number
//! of ranks and threads.

mod counted;
mod plain;
mod share;
#[cfg(any(test, feature = "internals"))]
mod threads;

pub use counted::{Counted, Traffic};
#[cfg(any(test, feature = "internals"))]
pub use threads::on_threads;

pub(crate) use plain::{Plain, from_bytes, to_bytes};
pub(crate) use share::Share;

/// How the ranks of a run talk to each other. All ranks call the same methods in the same order. A rank that cannot reach another one
/// ends the run; no method returns then.
pub trait Communicator {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Number of ranks.
    fn size(&self) -> usize;

    /// What each rank has passed, in the order of the ranks.
    fn all_gather(&self, own: &[u8]) -> Vec<Vec<u8>>;

    /// Fills in the parts of the other ranks. Rank k has the `lengths[k]` numbers after those of the ranks before it; there are
    /// as many numbers as all lengths together.
    fn all_gather_in_place(&self, lengths: &[usize], values: &mut [f64]);

    /// Sends `parts[k]` to rank k. Returns what each rank has sent here, in the order of the ranks.
    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>>;

    /// What `root` has passed, on all ranks.
    fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Vec<u8>;

    /// Sends to one rank, which receives it.
    fn send(&self, to: usize, bytes: &[u8]);

    /// Waits for what a rank sends. This may take long, so it must not keep the processor busy.
    fn receive(&self, from: usize) -> Vec<u8>;
}

/// The only rank: there is nobody to talk to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Communicator for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn all_gather(&self, own: &[u8]) -> Vec<Vec<u8>> {
        vec![own.to_vec()]
    }

    fn all_gather_in_place(&self, _: &[usize], _: &mut [f64]) {}

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        parts
    }

    fn broadcast(&self, _: usize, bytes: Vec<u8>) -> Vec<u8> {
        bytes
    }

    fn send(&self, _: usize, _: &[u8]) {}

    fn receive(&self, _: usize) -> Vec<u8> {
        Vec::new()
    }
}
