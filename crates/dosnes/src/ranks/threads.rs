//! Ranks that are threads of one process: tests and benchmarks run the whole method on several ranks without MPI.

use super::Communicator;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

/// One of several threads. A message is a vector of bytes, in a channel from each rank to each.
struct Thread {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

/// Runs `work` on so many ranks, each with one thread for its own parallel work, and returns what each has returned.
///
/// # Panics
/// If a rank panics.
pub fn on_threads<R: Send>(size: usize, work: impl Fn(&dyn Communicator) -> R + Sync) -> Vec<R> {
    let mut threads: Vec<Thread> = (0..size).map(|rank| Thread { rank, to: Vec::new(), from: Vec::new() }).collect();
    for from in 0..size {
        for to in 0..size {
            let (sender, receiver) = channel();
            threads[from].to.push(sender);
            threads[to].from.push(Mutex::new(receiver));
        }
    }
    std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = threads
            .into_iter()
            .map(|thread| {
                scope.spawn(move || {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
                    pool.install(|| work(&thread))
                })
            })
            .collect();
        running.into_iter().map(|thread| thread.join().expect("a rank has panicked")).collect()
    })
}

impl Communicator for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn all_gather(&self, own: &[u8]) -> Vec<Vec<u8>> {
        self.all_to_all(vec![own.to_vec(); self.size()])
    }

    fn all_gather_in_place(&self, lengths: &[usize], values: &mut [f64]) {
        let first: usize = lengths[..self.rank].iter().sum();
        let own = values[first..first + lengths[self.rank]].to_vec();
        let mut rest = values;
        for (bytes, &length) in self.all_gather(&super::to_bytes(&own)).iter().zip(lengths) {
            let (part, after) = rest.split_at_mut(length);
            for (to, from) in part.iter_mut().zip(super::from_bytes(bytes)) {
                *to = from;
            }
            rest = after;
        }
        assert!(rest.is_empty(), "as many numbers as all lengths together");
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        assert_eq!(parts.len(), self.size(), "one part for each rank");
        for (to, part) in parts.iter().enumerate() {
            self.send(to, part);
        }
        (0..self.size()).map(|from| self.receive(from)).collect()
    }

    fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Vec<u8> {
        if self.rank == root {
            for to in 0..self.size() {
                self.send(to, &bytes);
            }
        }
        self.receive(root)
    }

    fn send(&self, to: usize, bytes: &[u8]) {
        self.to[to].send(bytes.to_vec()).expect("the other rank is still there");
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        let receiver = self.from[from].lock().unwrap_or_else(PoisonError::into_inner);
        receiver.recv().expect("the other rank is still there")
    }
}
