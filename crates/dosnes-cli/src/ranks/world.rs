//! The ranks of MPI.
//!
//! Only plain slices of bytes and doubles are sent. An error of MPI ends all ranks, as is its default.

use dosnes::ranks::Communicator;
use mpi::{
    Count, Threading,
    datatype::{Partition, PartitionMut},
    environment::Universe,
    point_to_point::{Message, Status},
    topology::SimpleCommunicator,
    traits::{Communicator as _, CommunicatorCollectives, Destination, MatchedReceiveVec, Root, Source},
};
use std::time::{Duration, Instant};

/// MPI counts with 32 bits: a larger message is sent in parts of so many values.
const MOST: usize = 1 << 30;
/// A rank waits busily for so long; then it sleeps in between. Waiting for a whole stage of rank 0 must not keep a core busy.
const BUSY: Duration = Duration::from_micros(200);
const SLEEP: Duration = Duration::from_micros(500);

/// MPI takes the address 1 for a wish to work in place, and it is the address of Rust's empty slices of bytes.
static NOTHING: [u8; 1] = [0];

/// The same bytes, at an address of their own even if there are none.
fn addressed(bytes: &[u8]) -> &[u8] {
    if bytes.is_empty() { &NOTHING[..0] } else { bytes }
}

/// All ranks.
pub(super) struct World {
    communicator: SimpleCommunicator,
    /// Ends MPI when it is dropped, after the communicator.
    _universe: Universe,
}

impl World {
    /// Joins the ranks that a launcher has started.
    pub(super) fn join() -> Option<Self> {
        // Only the thread that begins talks to other ranks.
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        Some(Self { communicator: universe.world(), _universe: universe })
    }

    /// The length of what each rank has.
    fn lengths(&self, own: usize) -> Vec<usize> {
        let mut lengths = vec![0_u64; self.size()];
        self.communicator.all_gather_into(&(own as u64), &mut lengths[..]);
        lengths.into_iter().map(|length| length as usize).collect()
    }

    /// Sends a slice to all, in parts that MPI can count.
    fn broadcast_in_parts<T: mpi::traits::Equivalence>(&self, root: usize, values: &mut [T]) {
        let root = self.communicator.process_at_rank(root as i32);
        for part in values.chunks_mut(MOST) {
            root.broadcast_into(part);
        }
    }

    /// Waits for a message, with rests.
    fn wait(&self, from: usize) -> (Message, Status) {
        let process = self.communicator.process_at_rank(from as i32);
        let started = Instant::now();
        loop {
            if let Some(message) = process.immediate_matched_probe() {
                return message;
            }
            if started.elapsed() > BUSY {
                std::thread::sleep(SLEEP);
            }
        }
    }

    fn receive_part(&self, from: usize) -> Vec<u8> {
        self.wait(from).matched_receive_vec().0
    }
}

/// Where each part begins, and its length, as MPI counts; none if there are too many values.
fn counts(lengths: &[usize]) -> Option<(Vec<Count>, Vec<Count>)> {
    if lengths.iter().sum::<usize>() > Count::MAX as usize {
        return None;
    }
    let counts: Vec<Count> = lengths.iter().map(|&length| length as Count).collect();
    let begins = counts.iter().scan(0, |end, count| {
        *end += count;
        Some(*end - count)
    });
    let begins = begins.collect();
    Some((counts, begins))
}

impl Communicator for World {
    fn rank(&self) -> usize {
        self.communicator.rank() as usize
    }

    fn size(&self) -> usize {
        self.communicator.size() as usize
    }

    fn all_gather(&self, own: &[u8]) -> Vec<Vec<u8>> {
        let lengths = self.lengths(own.len());
        if let Some((counts, begins)) = counts(&lengths) {
            let total = lengths.iter().sum::<usize>();
            let mut all = vec![0_u8; total.max(1)];
            let parts = &mut PartitionMut::new(&mut all[..total], &counts[..], &begins[..]);
            self.communicator.all_gather_varcount_into(addressed(own), parts);
            let mut rest = &all[..];
            return lengths.iter().map(|&length| rest.split_off(..length).unwrap_or_default().to_vec()).collect();
        }
        let all = lengths.iter().enumerate().map(|(rank, &length)| {
            let mut bytes = if rank == self.rank() { own.to_vec() } else { vec![0; length] };
            self.broadcast_in_parts(rank, &mut bytes);
            bytes
        });
        all.collect()
    }

    fn all_gather_in_place(&self, lengths: &[usize], values: &mut [f64]) {
        let first: usize = lengths[..self.rank()].iter().sum();
        if let Some((counts, begins)) = counts(lengths) {
            let own = values[first..first + lengths[self.rank()]].to_vec();
            self.communicator
                .all_gather_varcount_into(&own[..], &mut PartitionMut::new(values, &counts[..], &begins[..]));
            return;
        }
        let mut rest = values;
        for (rank, &length) in lengths.iter().enumerate() {
            let (part, after) = rest.split_at_mut(length);
            self.broadcast_in_parts(rank, part);
            rest = after;
        }
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let own: Vec<u64> = parts.iter().map(|part| part.len() as u64).collect();
        let mut lengths = vec![0_u64; parts.len()];
        self.communicator.all_to_all_into(&own[..], &mut lengths[..]);
        let to: Vec<usize> = own.iter().map(|&length| length as usize).collect();
        let from: Vec<usize> = lengths.iter().map(|&length| length as usize).collect();
        // All ranks must take the same way, so the largest sum of all ranks decides.
        let most = self.lengths(to.iter().sum::<usize>().max(from.iter().sum())).into_iter().max();
        if most.is_none_or(|most| most <= Count::MAX as usize)
            && let (Some((to_counts, to_begins)), Some((from_counts, from_begins))) = (counts(&to), counts(&from))
        {
            let sent = parts.concat();
            let total = from.iter().sum::<usize>();
            let mut received = vec![0_u8; total.max(1)];
            self.communicator.all_to_all_varcount_into(
                &Partition::new(addressed(&sent), &to_counts[..], &to_begins[..]),
                &mut PartitionMut::new(&mut received[..total], &from_counts[..], &from_begins[..]),
            );
            let mut rest = &received[..];
            return from.iter().map(|&length| rest.split_off(..length).unwrap_or_default().to_vec()).collect();
        }
        // One rank after the other sends to all.
        let mut received = vec![Vec::new(); self.size()];
        for root in 0..self.size() {
            for rank in 0..self.size() {
                if root == self.rank() && rank == root {
                    received[root].clone_from(&parts[root]);
                } else if root == self.rank() {
                    self.send(rank, &parts[rank]);
                } else if rank == self.rank() {
                    received[root] = self.receive(root);
                }
            }
        }
        received
    }

    fn broadcast(&self, root: usize, mut bytes: Vec<u8>) -> Vec<u8> {
        let mut length = bytes.len() as u64;
        self.communicator.process_at_rank(root as i32).broadcast_into(&mut length);
        bytes.resize(length as usize, 0);
        self.broadcast_in_parts(root, &mut bytes);
        bytes
    }

    fn send(&self, to: usize, bytes: &[u8]) {
        let process = self.communicator.process_at_rank(to as i32);
        process.send(&(bytes.len() as u64).to_le_bytes()[..]);
        for part in bytes.chunks(MOST) {
            process.send(part);
        }
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        let length = self.receive_part(from).try_into().map_or(0, u64::from_le_bytes) as usize;
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            bytes.append(&mut self.receive_part(from));
        }
        bytes
    }
}
