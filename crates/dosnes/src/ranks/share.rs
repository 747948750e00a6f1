//! Which part of a row of things is a rank's own.

use super::{Alone, Communicator, Plain, from_bytes, to_bytes};
use crate::parallel::CHUNK;
use rayon::prelude::*;
use std::ops::Range;

/// A division of `0..n` among the ranks, the same on all of them. Some parts may be empty.
#[derive(Clone)]
pub(crate) struct Share<'a> {
    communicator: &'a dyn Communicator,
    /// The first one of each rank, followed by n.
    bounds: Vec<usize>,
}

impl<'a> Share<'a> {
    /// All is this rank's own.
    pub(crate) fn alone(n: usize) -> Share<'static> {
        Share { communicator: &Alone, bounds: vec![0, n] }
    }

    /// About equal parts that begin with a multiple of `chunk`.
    pub(crate) fn of_chunks(communicator: &'a dyn Communicator, n: usize, chunk: usize) -> Self {
        let (size, chunks) = (communicator.size(), n.div_ceil(chunk));
        let bounds = (0..=size).map(|rank| (rank * chunks / size * chunk).min(n)).collect();
        Self { communicator, bounds }
    }

    /// The rows of a matrix, or the points: the parts begin with whole chunks of [`crate::parallel`].
    pub(crate) fn of_rows(communicator: &'a dyn Communicator, n: usize) -> Self {
        Self::of_chunks(communicator, n, CHUNK)
    }

    /// Parts with about the same `work(i)`, i in `0..n`. A part begins where `may_begin` is true.
    pub(crate) fn of_work(
        communicator: &'a dyn Communicator,
        n: usize,
        work: impl Fn(usize) -> f64,
        may_begin: impl Fn(usize) -> bool,
    ) -> Self {
        let size = communicator.size();
        let mut bounds = vec![0];
        if size > 1 {
            let total: f64 = (0..n).map(&work).sum();
            let mut done = 0.0;
            for i in 0..n {
                while bounds.len() < size && may_begin(i) && done >= total * bounds.len() as f64 / size as f64 {
                    bounds.push(i);
                }
                done += work(i);
            }
        }
        bounds.resize(size + 1, n);
        Self { communicator, bounds }
    }

    /// A division with the bounds of this one, changed by `f`, which must not decrease.
    pub(crate) fn map_bounds(&self, f: impl Fn(usize) -> usize) -> Self {
        Self { communicator: self.communicator, bounds: self.bounds.iter().map(|&bound| f(bound)).collect() }
    }

    /// Whether there is only one rank.
    pub(crate) fn is_alone(&self) -> bool {
        self.communicator.size() == 1
    }

    /// The ranks.
    pub(crate) fn communicator(&self) -> &'a dyn Communicator {
        self.communicator
    }

    /// The part of a rank.
    pub(crate) fn of(&self, rank: usize) -> Range<usize> {
        self.bounds[rank]..self.bounds[rank + 1]
    }

    /// The part of this rank.
    pub(crate) fn own(&self) -> Range<usize> {
        self.of(self.communicator.rank())
    }

    /// The rank that has `i`.
    pub(crate) fn owner(&self, i: usize) -> usize {
        self.bounds.partition_point(|&bound| bound <= i) - 1
    }

    /// The sum of `f` over all. Each chunk is summed by the rank that has it, and the chunks are added in their order. The parts
    /// begin with whole chunks.
    pub(crate) fn sum_over<const K: usize>(&self, f: impl Fn(usize) -> [f64; K] + Sync) -> [f64; K] {
        let own = self.own();
        debug_assert!(own.start.is_multiple_of(CHUNK));
        let add = |a: [f64; K], b: [f64; K]| std::array::from_fn(|k| a[k] + b[k]);
        let sums: Vec<[f64; K]> = (0..own.len().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let first = own.start + chunk * CHUNK;
                (first..(first + CHUNK).min(own.end)).map(&f).fold([0.0; K], add)
            })
            .collect();
        self.gather(sums).into_iter().fold([0.0; K], add)
    }

    /// The values of all ranks, in their order.
    pub(crate) fn gather<T: Plain>(&self, own: Vec<T>) -> Vec<T> {
        if self.is_alone() {
            return own;
        }
        self.communicator.all_gather(&to_bytes(&own)).iter().flat_map(|bytes| from_bytes(bytes)).collect()
    }

    /// Fills in the parts of the other ranks of an array with `width` values for each of `0..n`.
    pub(crate) fn fill_in<T: Plain>(&self, width: usize, values: &mut [T]) {
        if self.is_alone() {
            return;
        }
        let own = self.own();
        let parts = self.communicator.all_gather(&to_bytes(&values[own.start * width..own.end * width]));
        for (rank, bytes) in parts.iter().enumerate().filter(|&(rank, _)| rank != self.communicator.rank()) {
            let range = self.of(rank);
            for (to, from) in values[range.start * width..range.end * width].iter_mut().zip(from_bytes(bytes)) {
                *to = from;
            }
        }
    }

    /// The same for points, of which there may be more than the memory has room for twice.
    pub(crate) fn fill_in_points<const D: usize>(&self, points: &mut [[f64; D]]) {
        if self.is_alone() {
            return;
        }
        let lengths: Vec<usize> = self.bounds.windows(2).map(|pair| D * (pair[1] - pair[0])).collect();
        self.communicator.all_gather_in_place(&lengths, points.as_flattened_mut());
    }

    /// A sum that is added one by one, from the first of all to the last: each rank goes on with `add` where the one before it
    /// has ended.
    pub(crate) fn chain<const K: usize>(&self, add: impl FnOnce([f64; K]) -> [f64; K]) -> [f64; K] {
        if self.is_alone() {
            return add([0.0; K]);
        }
        let (rank, size) = (self.communicator.rank(), self.communicator.size());
        let value = |bytes: Vec<u8>| <[f64; K]>::get(&bytes);
        let so_far = if rank == 0 { [0.0; K] } else { value(self.communicator.receive(rank - 1)) };
        let bytes = to_bytes(&[add(so_far)]);
        if rank + 1 < size {
            self.communicator.send(rank + 1, &bytes);
        }
        value(self.communicator.broadcast(size - 1, bytes))
    }

    /// The first one that any rank has found; each passes the first of its own part.
    pub(crate) fn first<const K: usize>(&self, found: [Option<usize>; K]) -> [Option<usize>; K] {
        const NONE: u64 = u64::MAX;
        let all = self.gather(vec![found.map(|found| found.map_or(NONE, |i| i as u64))]);
        std::array::from_fn(|k| all.iter().map(|found| found[k]).find(|&i| i != NONE).map(|i| i as usize))
    }

    /// Whether any rank says so, for each of several questions.
    pub(crate) fn any<const K: usize>(&self, said: [bool; K]) -> [bool; K] {
        let all = self.gather(vec![said.map(u8::from)]);
        std::array::from_fn(|k| all.iter().any(|said| said[k] != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parallel::sum_over, ranks::on_threads};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]

        #[test]
        fn parts_cover_everything_once_in_order(n in 0_usize..10_000, size in 1_usize..9, chunk in 1_usize..2000) {
            let shares = on_threads(size, |communicator| {
                let even = Share::of_chunks(communicator, n, chunk);
                let work = Share::of_work(communicator, n, |i| (i % 7) as f64, |i| i % 3 == 0);
                (even.own(), work.own(), work.bounds.clone())
            });
            for parts in [shares.iter().map(|s| s.0.clone()).collect::<Vec<_>>(), shares.iter().map(|s| s.1.clone()).collect()] {
                prop_assert_eq!(parts.into_iter().flatten().collect::<Vec<_>>(), (0..n).collect::<Vec<_>>());
            }
            prop_assert!(shares[0].2.iter().all(|&bound| bound == n || bound % 3 == 0));
        }

        #[test]
        fn sums_and_gathers_are_those_of_one_process(n in 1_usize..9000, size in 1_usize..6) {
            let f = |i: usize| 1.0 / (i as f64 + 0.3);
            let expected: f64 = sum_over(n, f);
            let one_by_one = (0..n).map(f).fold(0.0, |sum, x| sum + x);
            let found = on_threads(size, |communicator| {
                let share = Share::of_rows(communicator, n);
                let [sum] = share.sum_over(|i| [f(i)]);
                let [chained] = share.chain(|[sum]| [share.own().map(f).fold(sum, |sum, x| sum + x)]);
                let mut points = vec![[0.0; 2]; n];
                let mut pairs = vec![0.0; 2 * n];
                for i in share.own() {
                    points[i] = [f(i), i as f64];
                    pairs[2 * i..2 * i + 2].copy_from_slice(&points[i]);
                }
                share.fill_in_points(&mut points);
                share.fill_in(2, &mut pairs);
                let owned = share.own().all(|i| share.owner(i) == communicator.rank());
                let first = share.first([share.own().find(|i| i % 2000 == 1999), None]);
                let any = share.any([share.own().contains(&(n - 1)), false]);
                (sum, chained, points, pairs, owned, first, any)
            });
            for (sum, chained, points, pairs, owned, first, any) in found {
                prop_assert_eq!(sum.to_bits(), expected.to_bits());
                prop_assert_eq!(chained.to_bits(), one_by_one.to_bits());
                prop_assert!(points.iter().enumerate().all(|(i, point)| *point == [f(i), i as f64]));
                prop_assert_eq!(points.as_flattened(), &pairs[..]);
                prop_assert!(owned);
                prop_assert_eq!(first, [(n > 1999).then_some(1999), None]);
                prop_assert_eq!(any, [true, false]);
            }
        }
    }
}
