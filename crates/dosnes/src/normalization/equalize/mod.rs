//! Similarities for which an exact scaling always exists: direct neighbours, longer walks, and a thin background.
//!
//! Most graphs cannot be made equal as they are: a leaf has nothing but its hub, and a hub with ten leaves cannot give all
//! of its weight to each of them. What a leaf cannot get from its hub it must get from other items. Here it comes from the
//! items that are two or more steps away, as a random walk sees them:
//!
//! ```text
//! W = (R + Rᵀ)/2 + y F y + background,      F made of (Rᵏ + (Rᵏ)ᵀ)/2 for k = 2…steps,
//! R_ij = S_ij s_j^(−b) / Σ_k S_ik s_k^(−b),      s_i = Σ_j S_ij
//! ```
//!
//! without diagonal. W is then scaled exactly ([`super::scaling`]). There are two ways:
//!
//! * [`completed`] for graphs and given similarities, which are one step of a walk: longer walks give each item what its direct
//!   neighbours leave missing ([`completion`]).
//! * [`mixed`] for dyadic data, whose similarities are walks of two steps already (from a row to a column and back). Longer ones
//!   are not needed much, and all items have the same share of them: y² = a, and F is the mean of the powers.
//!
//! Their parts:
//!
//! * [`gravity()`] measures on the data how far the weights merely follow the totals of the two items. It decides how much
//!   the walk discounts strong partners (b), and how much weight the longer walks get (a): where all weights are the same,
//!   common neighbours are all that tells close neighbours from distant ones.
//! * [`two_steps`] computes R² without visiting all pairs of neighbours of a hub, [`more_steps`] the powers above.
//! * [`background`] makes the scaling possible on every pattern.

mod background;
mod completion;
mod gravity;
mod more_steps;
mod two_steps;

pub(crate) use background::PARTNERS;
pub(crate) use completion::{Completion, MOST, ROUNDS, missing, next_direct, next_longer, weight};
pub(super) use two_steps::{PathSum, two_steps};

use crate::{
    error::Error,
    observe::{Observer, report},
    sparse::{CsrMatrix, Row},
};
use background::Background;
use gravity::gravity;
use rayon::prelude::*;

/// How the similarities were mixed before they were scaled.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Mixture {
    /// The longest walk.
    pub steps: usize,
    /// How far the weights follow the totals of the two items: 0 not at all (as in an unweighted graph), 1 entirely.
    pub gravity: f64,
    /// The exponent b by which the walk discounts strong partners.
    pub discount: f64,
    /// The weight a of the longer walks, if it is the same for all items; direct neighbours have the weight 1.
    pub longer_walks: f64,
    /// Whether longer walks fill in what each item misses. Then `longer_walks` counts only as far as there is gravity.
    pub completed: bool,
    /// The total weight of the background; direct neighbours have the weight 1.
    pub background: f64,
    /// Number of similarities between direct neighbours, each counted in both directions.
    pub direct: usize,
}

/// Strong partners are discounted by at most this exponent. Beyond it the walk prefers rare partners to close ones.
const LARGEST_DISCOUNT: f64 = 0.5;
/// The weight of longer walks where the weights of direct neighbours say nothing.
const LONGER_WALKS: f64 = 0.5;

/// Up to this number of items all entries of a power of the walk are kept, and the background holds all pairs.
const FEW_ITEMS: usize = 2000;
/// Entries that a row keeps of each power of the walk, for more items.
const KEPT: usize = 30;
/// The same where longer walks fill in what is missing, and the number for all items from which on it is less.
const KEPT_TO_COMPLETE: usize = 60;
const KEPT_OF_ALL: usize = 12_000_000;

/// The number of entries that a row keeps of a power of the walk among `n` items.
pub(crate) fn kept_per_row(n: usize) -> usize {
    if n <= FEW_ITEMS { n } else { KEPT }
}

/// The same where longer walks fill in what is missing: more, but fewer of very many items.
pub(crate) fn kept_to_complete(n: usize) -> usize {
    if n <= FEW_ITEMS { n } else { (KEPT_OF_ALL / n).clamp(KEPT, KEPT_TO_COMPLETE) }
}

/// The shares of the powers 2 to `steps` in F: 1, 2, 3, … in their sum.
pub(crate) fn shares(steps: usize) -> impl Iterator<Item = f64> {
    let all = steps * (steps - 1) / 2;
    (1..steps).map(move |share| share as f64 / all as f64)
}

/// An upper bound of the number of entries of W of [`mixed`].
pub(crate) fn largest_size(n: u64, direct: u64) -> u64 {
    // Rows keep their strongest entries, and those that other rows keep of them.
    if n <= FEW_ITEMS as u64 { n * n } else { direct + n * (2 * KEPT as u64 + PARTNERS) }
}

/// W and how it was mixed.
pub(super) struct Mixed {
    pub(super) matrix: CsrMatrix<'static>,
    pub(super) mixture: Mixture,
    /// How much each item has of direct neighbours and of longer walks, where it is not the same for all.
    pub(super) completion: Option<Completion>,
}

/// W for a symmetric `s` without diagonal and without empty rows: the same weight of longer walks for all items.
pub(super) fn mixed(s: &CsrMatrix<'_>, steps: usize, observer: &mut dyn Observer) -> Result<Mixed, Error> {
    let (walk, background, mixture) = parts(s, steps, false);
    report(observer, 0.0)?;
    let mut far = two_steps(&walk, PathSum::All);
    report(observer, 0.5)?;
    if steps > 2 {
        far = more_steps::mean_of_steps(&walk, far, steps, observer)?;
    }
    let matrix = sum(&walk, &far, |_, _| mixture.longer_walks, &background);
    Ok(Mixed { matrix, mixture, completion: None })
}

/// The same, but longer walks fill in what direct neighbours leave missing.
pub(super) fn completed(s: &CsrMatrix<'_>, steps: usize, observer: &mut dyn Observer) -> Result<Mixed, Error> {
    let (walk, background, mixture) = parts(s, steps, true);
    report(observer, 0.0)?;
    let far = more_steps::shared_steps(&walk, steps, observer)?;
    let completion = Completion::of(&s.mapped(|i, j, value| walk.direct(i, j, value)), &far);
    let y = completion.weights(mixture.gravity, mixture.longer_walks);
    let matrix = sum(&walk, &far, |i, j| y[i] * y[j], &background);
    Ok(Mixed { matrix, mixture, completion: Some(completion) })
}

fn parts<'a>(s: &'a CsrMatrix<'a>, steps: usize, completed: bool) -> (Walk<'a>, Background, Mixture) {
    let gravity = gravity(s);
    let walk = Walk::new(s, gravity.min(LARGEST_DISCOUNT));
    let background = Background::new(s.rows());
    let mixture = Mixture {
        steps,
        gravity,
        discount: walk.discount,
        longer_walks: LONGER_WALKS * (1.0 - gravity),
        completed,
        background: background.total_weight(),
        direct: s.nnz(),
    };
    (walk, background, mixture)
}

/// A random walk that prefers partners with a small total: R_ij = S_ij w_j / Z_i with w_j = s_j^(−b), Z_i = Σ_k S_ik w_k.
///
/// Because S is symmetric, every symmetric power has a common factor:
/// (R + Rᵀ)_ij = S_ij f_ij and (R² + (R²)ᵀ)_ij = (S diag(w/Z) S)_ij f_ij with f_ij = w_j/Z_i + w_i/Z_j.
pub(super) struct Walk<'a> {
    s: &'a CsrMatrix<'a>,
    discount: f64,
    /// w.
    preference: Vec<f64>,
    /// Z.
    normalizer: Vec<f64>,
    /// For each leaf of a hub with few leaves, the hub.
    hub_of_few: Vec<Option<u32>>,
}

/// At most five points of a surface can have the same point as their nearest. Up to this number of leaves, a hub's leaves
/// can all stay next to it; they do so only if they do not also attract each other.
const FEW_LEAVES: usize = 5;

impl<'a> Walk<'a> {
    pub(super) fn new(s: &'a CsrMatrix<'a>, discount: f64) -> Self {
        let totals: Vec<f64> = (0..s.rows()).into_par_iter().map(|i| s.row(i).sum()).collect();
        let preference: Vec<f64> = totals.iter().map(|total| total.powf(-discount)).collect();
        let normalizer = (0..s.rows())
            .into_par_iter()
            .map(|i| s.row(i).iter().map(|(j, value)| value * preference[j]).sum())
            .collect();
        Self { s, discount, preference, normalizer, hub_of_few: hubs_of_few_leaves(s) }
    }

    fn len(&self) -> usize {
        self.s.rows()
    }

    /// Whether both items are leaves of one hub that has few leaves.
    fn few_siblings(&self, i: usize, j: usize) -> bool {
        self.hub_of_few[i].is_some() && self.hub_of_few[i] == self.hub_of_few[j]
    }

    /// f_ij: the same number for (i, j) and (j, i).
    fn pair_factor(&self, i: usize, j: usize) -> f64 {
        self.preference[j] / self.normalizer[i] + self.preference[i] / self.normalizer[j]
    }

    /// (R + Rᵀ)_ij / 2 for a stored similarity.
    fn direct(&self, i: usize, j: usize, similarity: f64) -> f64 {
        at_most_one(0.5 * similarity * self.pair_factor(i, j))
    }

    /// The steps of the walk from item `i`: (j, R_ij).
    fn steps_from(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.s.row(i).iter().map(move |(j, value)| (j, value * self.preference[j] / self.normalizer[i]))
    }
}

/// A mean of two probabilities. Where totals differ by more than 1e300, the factors of a product may overflow, though it is at most 1.
fn at_most_one(value: f64) -> f64 {
    if value == f64::INFINITY { 1.0 } else { value }
}

fn hubs_of_few_leaves(s: &CsrMatrix<'_>) -> Vec<Option<u32>> {
    let only = |row: Row<'_>| if let [hub] = row.columns() { Some(*hub) } else { None };
    let hub: Vec<Option<u32>> = s.iter_rows().map(only).collect();
    let mut leaves = vec![0_usize; s.rows()];
    for &hub in hub.iter().flatten() {
        leaves[hub as usize] += 1;
    }
    hub.into_iter().map(|hub| hub.filter(|&hub| leaves[hub as usize] <= FEW_LEAVES)).collect()
}

/// Direct neighbours + `weight(i, j)` · `far` + background, row by row. Pairs of weight 0 are left out.
fn sum(
    walk: &Walk<'_>,
    far: &CsrMatrix<'_>,
    weight: impl Fn(usize, usize) -> f64 + Sync,
    background: &Background,
) -> CsrMatrix<'static> {
    let n = walk.len();
    let rows: Vec<(Vec<u32>, Vec<f64>)> = (0..n)
        .into_par_iter()
        .map(|i| {
            let mut entries: Vec<(u32, f64)> =
                background.partners(i).map(|j| (j as u32, background.weight())).collect();
            entries.extend(walk.s.row(i).iter().map(|(j, value)| (j as u32, walk.direct(i, j, value))));
            let far = far.row(i).iter().map(|(j, value)| (j as u32, weight(i, j) * value));
            entries.extend(far.filter(|entry| entry.1 > 0.0));
            // A stable sort: the three parts of an entry are added in the same order as in its mirror image.
            entries.sort_by_key(|entry| entry.0);
            let (mut columns, mut values) = (Vec::with_capacity(entries.len()), Vec::with_capacity(entries.len()));
            for (j, value) in entries {
                if columns.last() == Some(&j) {
                    *values.last_mut().expect("there are as many values as columns") += value;
                } else {
                    columns.push(j);
                    values.push(value);
                }
            }
            (columns, values)
        })
        .collect();
    CsrMatrix::from_rows((n, n), rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use ndarray::Array2;
    use proptest::prelude::*;

    /// W by its definition, with dense matrices.
    fn naive(s: &Array2<f64>, steps: usize, mixture: &Mixture) -> Array2<f64> {
        let n = s.nrows();
        let totals = s.sum_axis(ndarray::Axis(1));
        let weighted = Array2::from_shape_fn((n, n), |(i, j)| s[[i, j]] * totals[j].powf(-mixture.discount));
        let sums = weighted.sum_axis(ndarray::Axis(1));
        let r = Array2::from_shape_fn((n, n), |(i, j)| weighted[[i, j]] / sums[i]);
        let mut far = Array2::zeros((n, n));
        let mut power = r.clone();
        for _ in 2..=steps {
            power = power.dot(&r);
            far += &power;
        }
        far /= (steps - 1) as f64;
        let leaf = |i: usize| s.row(i).iter().filter(|v| **v > 0.0).count() == 1;
        let hub = |i: usize| s.row(i).iter().position(|v| *v > 0.0).unwrap();
        let leaves_at = |v: usize| (0..n).filter(|&i| leaf(i) && hub(i) == v).count();
        Array2::from_shape_fn((n, n), |(i, j)| {
            let siblings = leaf(i) && leaf(j) && hub(i) == hub(j) && leaves_at(hub(i)) <= FEW_LEAVES;
            let far = if siblings { 0.0 } else { far[[i, j]] + far[[j, i]] };
            if i == j {
                0.0
            } else {
                (r[[i, j]] + r[[j, i]] + mixture.longer_walks * far) / 2.0 + mixture.background / (n - 1) as f64
            }
        })
    }

    /// A connected graph with weights: a chain or a star, and other pairs.
    pub(super) fn connected() -> impl Strategy<Value = CsrMatrix<'static>> {
        let pick = proptest::collection::vec((0_u32..14, 0_u32..14, 1e-2_f64..1e2), 0..30);
        (3_usize..14, any::<bool>(), pick).prop_map(|(n, star, picks)| {
            let chain = (1..n as u32).map(|i| (if star { 0 } else { i - 1 }, i, 1.5));
            let pairs = picks.into_iter().map(|(i, j, w)| (i % n as u32, j % n as u32, w)).filter(|p| p.0 != p.1);
            let both: Vec<_> = chain.chain(pairs).flat_map(|(i, j, w)| [(i, j, w), (j, i, w)]).collect();
            CsrMatrix::from_triplets((n, n), &both).unwrap()
        })
    }

    proptest! {
        #[test]
        fn the_mixture_is_the_one_of_dense_matrices(s in connected(), steps in 2_usize..5) {
            let Mixed { matrix: w, mixture, .. } = mixed(&s, steps, &mut Silent).unwrap();
            let expected = naive(&s.to_dense(), steps, &mixture);
            for ((i, j), &expected) in expected.indexed_iter() {
                let found = w.get(i, j).unwrap_or(0.0);
                prop_assert!((found - expected).abs() <= 1e-12, "{i} {j}: {found} instead of {expected}");
                prop_assert_eq!(w.get(i, j), w.get(j, i));
            }
        }
    }
}
