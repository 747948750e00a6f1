//! The thin background that makes an exact scaling possible on every pattern.
//!
//! **Why it is enough.** Put all items on a circle and connect each with the next two on either side. Every symmetric
//! pattern without diagonal that contains these pairs has total support, so an exact scaling exists (n ≥ 3). Total support
//! means that each pair (i, j) is part of a permutation that moves every item along a pair. Take i and j out of the circle:
//! two paths of p and q items remain. A path of an even number of items splits into exchanges of two neighbours; of an odd
//! number ≥ 3, into one cycle of three consecutive items and exchanges. If neither p nor q is 1, exchange i with j and
//! split both paths. If p = 1, send i → the item between → j → i and split the other path. If p = q = 1, there are four
//! items, and all pairs are in the pattern.
//!
//! The background also spreads what a leaf cannot get from its hub over many items, so that it pulls nowhere.

use super::FEW_ITEMS;
use crate::random::mix;

/// The total weight of an item's background, if it holds all pairs.
const WEIGHT_OF_ALL: f64 = 0.01;
/// Partners on each side on the circle, for more items. The proof needs two.
const PARTNERS_ON_A_SIDE: usize = 4;
/// Partners of an item, for more items.
pub(crate) const PARTNERS: u64 = 2 * PARTNERS_ON_A_SIDE as u64;
/// The total weight of an item's background, if it holds some pairs. They are chosen at random, so it must be lighter.
const WEIGHT_OF_SOME: f64 = 3e-4;

/// Which pairs of `n` items form the background.
pub(super) struct Background {
    n: usize,
    /// The circle and each item's place on it; `None` for all pairs.
    circle: Option<(Vec<u32>, Vec<u32>)>,
}

impl Background {
    pub(super) fn new(n: usize) -> Self {
        let circle = (n > FEW_ITEMS).then(|| {
            // Neighbours in the file are often similar; on the circle they should not be neighbours again.
            let mut order: Vec<u32> = (0..n as u32).collect();
            order.sort_by_cached_key(|&i| (mix(u64::from(i)), i));
            let mut place = vec![0; n];
            for (at, &i) in order.iter().enumerate() {
                place[i as usize] = at as u32;
            }
            (order, place)
        });
        Self { n, circle }
    }

    /// The total weight of the background of an item.
    pub(super) fn total_weight(&self) -> f64 {
        if self.circle.is_some() { WEIGHT_OF_SOME } else { WEIGHT_OF_ALL }
    }

    /// The weight of one pair.
    pub(super) fn weight(&self) -> f64 {
        let partners = if self.circle.is_some() { 2 * PARTNERS_ON_A_SIDE } else { self.n - 1 };
        self.total_weight() / partners as f64
    }

    /// The partners of item `i`, each once.
    pub(super) fn partners(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        let all = self.circle.is_none().then(|| (0..self.n).filter(move |&j| j != i));
        let some = self.circle.as_ref().map(|(order, place)| {
            let at = place[i] as usize;
            (1..=PARTNERS_ON_A_SIDE)
                .flat_map(move |k| [order[(at + k) % self.n] as usize, order[(at + self.n - k) % self.n] as usize])
        });
        all.into_iter().flatten().chain(some.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partners_are_mutual_and_distinct() {
        for n in [2, 3, 7, 2000, 2001, 2500] {
            let background = Background::new(n);
            for i in [0, n / 2, n - 1] {
                let partners: Vec<usize> = background.partners(i).collect();
                let mut distinct = partners.clone();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), partners.len());
                assert!(partners.iter().all(|&j| j != i && background.partners(j).any(|back| back == i)));
                let total = background.weight() * partners.len() as f64;
                assert!((total - background.total_weight()).abs() < 1e-12);
            }
        }
    }
}
