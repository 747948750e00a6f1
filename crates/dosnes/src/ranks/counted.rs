//! What a rank receives and how often it waits for others, counted.

use super::Communicator;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a rank has received, and how often it waited for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    /// Bytes that were received from other ranks.
    pub received: u64,
    /// Calls in which ranks waited for each other.
    pub calls: u64,
}

/// A communicator that counts.
pub struct Counted<'a> {
    communicator: &'a dyn Communicator,
    received: AtomicU64,
    calls: AtomicU64,
}

impl<'a> Counted<'a> {
    /// Counts from now on.
    pub fn new(communicator: &'a dyn Communicator) -> Self {
        Self { communicator, received: AtomicU64::new(0), calls: AtomicU64::new(0) }
    }

    /// The traffic so far.
    pub fn traffic(&self) -> Traffic {
        Traffic { received: self.received.load(Ordering::Relaxed), calls: self.calls.load(Ordering::Relaxed) }
    }

    fn count(&self, received: usize) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.received.fetch_add(received as u64, Ordering::Relaxed);
    }

    fn count_parts(&self, parts: &[Vec<u8>]) {
        let others = parts.iter().enumerate().filter(|&(rank, _)| rank != self.rank());
        self.count(others.map(|(_, part)| part.len()).sum());
    }
}

impl Communicator for Counted<'_> {
    fn rank(&self) -> usize {
        self.communicator.rank()
    }

    fn size(&self) -> usize {
        self.communicator.size()
    }

    fn all_gather(&self, own: &[u8]) -> Vec<Vec<u8>> {
        let parts = self.communicator.all_gather(own);
        self.count_parts(&parts);
        parts
    }

    fn all_gather_in_place(&self, lengths: &[usize], values: &mut [f64]) {
        self.communicator.all_gather_in_place(lengths, values);
        self.count(size_of::<f64>() * (lengths.iter().sum::<usize>() - lengths[self.rank()]));
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let parts = self.communicator.all_to_all(parts);
        self.count_parts(&parts);
        parts
    }

    fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Vec<u8> {
        let bytes = self.communicator.broadcast(root, bytes);
        self.count(if root == self.rank() { 0 } else { bytes.len() });
        bytes
    }

    fn send(&self, to: usize, bytes: &[u8]) {
        self.communicator.send(to, bytes);
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        let bytes = self.communicator.receive(from);
        self.count(bytes.len());
        bytes
    }
}
