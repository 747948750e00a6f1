//! Parallel sums whose result does not depend on the number of threads: fixed chunks, added in their order.

use rayon::prelude::*;
use std::ops::{Add, Range};

/// Items per chunk. A constant, because the chunks determine the order of the additions.
pub(crate) const CHUNK: usize = 1024;

/// Σ over `0..n` of `f`, by chunks that are summed in parallel and added in order.
pub(crate) fn sum_over<T>(n: usize, f: impl Fn(usize) -> T + Sync) -> T
where
    T: Default + Add<Output = T> + Send,
{
    sum_over_chunks(n, |range| range.map(&f).fold(T::default(), T::add))
}

/// The sum of `f` over the chunks of `0..n`, added in order.
pub(crate) fn sum_over_chunks<T>(n: usize, f: impl Fn(Range<usize>) -> T + Sync) -> T
where
    T: Default + Add<Output = T> + Send,
{
    let chunks = n.div_ceil(CHUNK);
    let partial: Vec<T> = (0..chunks).into_par_iter().map(|c| f(c * CHUNK..((c + 1) * CHUNK).min(n))).collect();
    partial.into_iter().fold(T::default(), T::add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_the_same_bytes_on_any_number_of_threads() {
        let sum_on = |threads| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap()
                .install(|| sum_over(100_003, |i| 1.0 / (i as f64 + 0.1)))
        };
        let one: f64 = sum_on(1);
        assert_eq!(one.to_bits(), sum_on(2).to_bits());
        assert_eq!(one.to_bits(), sum_on(7).to_bits());
    }
}
