//! Completion of new items: direct neighbours, and the longer walks that fill in what these leave missing.

use super::network::{NetworkModel, Totals, WalkWeights};
use crate::{
    normalization::{MOST, ROUNDS, kept_to_complete, missing, next_direct, next_longer, shares, weight},
    sparse::keep_strongest,
};
use rayon::prelude::*;

/// How longer walks were added to a graph or to similarities.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Completed {
    /// The longest walk.
    pub(crate) steps: usize,
    /// How far the weights follow the totals of the two items.
    pub(crate) gravity: f64,
    /// The factors of each item for direct neighbours and for longer walks.
    pub(crate) direct: Vec<f32>,
    pub(crate) longer: Vec<f32>,
}

/// The rows of T and F of one item.
pub(super) struct Row {
    direct: Vec<(u32, f64)>,
    longer: Vec<(u32, f64)>,
}

impl Completed {
    /// y of an item with these factors.
    fn weight(&self, factors: (f64, f64), walk: WalkWeights) -> f64 {
        weight(factors.0, factors.1, self.gravity, walk.longer)
    }

    fn factors(&self, item: usize) -> (f64, f64) {
        (f64::from(self.direct[item]), f64::from(self.longer[item]))
    }

    /// The factors of an item that is not part of the network.
    fn factors_of(&self, row: &Row) -> (f64, f64) {
        let total = sum(&row.direct, &self.direct);
        let c = (1.0 / total).min(1.0);
        let x = missing(c, total) / sum(&row.longer, &self.longer);
        (c, if x.is_nan() { 0.0 } else { x.min(MOST) })
    }

    /// Finds the factors of the items from `first` on, which have these rows.
    pub(super) fn extend(&mut self, first: usize, rows: &[Row]) {
        self.direct.resize(first + rows.len(), 1.0);
        self.longer.resize(first + rows.len(), 0.0);
        let of_rows = |f: &(dyn Fn(usize, &Row) -> f64 + Sync)| -> Vec<f32> {
            rows.par_iter().enumerate().map(|(at, row)| f(first + at, row) as f32).collect()
        };
        for _ in 0..ROUNDS {
            let next = of_rows(&|i, row| next_direct(f64::from(self.direct[i]), sum(&row.direct, &self.direct)));
            self.direct[first..].copy_from_slice(&next);
        }
        let missing = of_rows(&|i, row| missing(f64::from(self.direct[i]), sum(&row.direct, &self.direct)));
        self.longer[first..].copy_from_slice(&missing);
        for _ in 0..ROUNDS {
            let next = of_rows(&|i, row| {
                next_longer(f64::from(self.longer[i]), f64::from(missing[i - first]), sum(&row.longer, &self.longer))
            });
            self.longer[first..].copy_from_slice(&next);
        }
    }
}

/// Σ_j row_j v_j.
fn sum(row: &[(u32, f64)], v: &[f32]) -> f64 {
    row.iter().map(|&(j, value)| value * f64::from(v[j as usize])).sum()
}

impl NetworkModel {
    /// The rows of T and F of an item with these similarities. `inside` is the number of an item that is part of S already. If there is
    /// none, the walk goes as if the item had been added.
    pub(super) fn row_of(
        &self,
        similar: &[(u32, f64)],
        steps: usize,
        (totals, discount): (&Totals, f64),
        sums: &mut [f64],
        inside: Option<usize>,
    ) -> Row {
        let n = self.s.rows();
        let total: f64 = similar.iter().map(|entry| entry.1).sum();
        if total <= 0.0 {
            return Row { direct: Vec::new(), longer: Vec::new() };
        }
        let own = total.powf(-discount);
        let added = if inside.is_some() { 0.0 } else { own };
        let normalizer: f64 = similar.iter().map(|&(j, w)| w * totals.preference[j as usize]).sum();
        let link = |j: usize| match similar.binary_search_by_key(&(j as u32), |entry| entry.0) {
            Ok(at) => similar[at].1,
            Err(_) => 0.0,
        };
        let normalizer_of = |j: usize| totals.normalizer[j] + link(j) * added;
        // S diag(w/Z) S diag(w/Z) … has a common factor with its transpose, as in the walks of the map.
        let factor = |j: usize| 0.5 * (totals.preference[j] / normalizer + own / normalizer_of(j));
        let direct = similar.iter().map(|&(j, w)| (j, (w * factor(j as usize)).min(1.0))).collect();
        let mut paths = similar.to_vec();
        let mut back = 0.0;
        let mut longer: Vec<(u32, f64)> = Vec::new();
        for share in shares(steps) {
            let mut returned = 0.0;
            for &(v, value) in &paths {
                let v = v as usize;
                let through = value * totals.preference[v] / normalizer_of(v);
                for (j, similarity) in self.s.row(v).iter() {
                    sums[j] += through * similarity;
                }
                if inside.is_none() {
                    returned += through * link(v);
                }
            }
            if inside.is_none() {
                for &(j, w) in similar {
                    sums[j as usize] += back * own / normalizer * w;
                }
            }
            back = returned;
            let ends = sums.iter().enumerate().filter(|end| *end.1 > 0.0);
            paths = ends.map(|(j, sum)| (j as u32, (sum * factor(j)).min(1.0))).collect();
            keep_strongest(inside.unwrap_or(n), &mut paths, kept_to_complete(n));
            let others = paths.iter().filter(|entry| inside != Some(entry.0 as usize));
            longer.extend(others.map(|&(j, value)| (j, share * value)));
            for (j, value) in &mut paths {
                *value = sums[*j as usize];
            }
            sums.fill(0.0);
        }
        Row { direct, longer: added_up(longer) }
    }

    /// T + y F y and the background: what is scaled for an item.
    pub(super) fn completed(
        &self,
        row: &Row,
        completed: &Completed,
        walk: WalkWeights,
        inside: Option<usize>,
    ) -> Vec<(u32, f64)> {
        let n = self.s.rows();
        if row.direct.is_empty() {
            return Vec::new();
        }
        let own = completed.weight(inside.map_or_else(|| completed.factors_of(row), |i| completed.factors(i)), walk);
        let weight = |j: u32| own * completed.weight(completed.factors(j as usize), walk);
        let longer = row.longer.iter().map(|&(j, value)| (j, weight(j) * value)).filter(|entry| entry.1 > 0.0);
        let mut all: Vec<(u32, f64)> = row.direct.iter().copied().chain(longer).collect();
        if kept_to_complete(n) == n {
            let everywhere = walk.background / n as f64;
            all.extend((0..n as u32).filter(|&j| inside != Some(j as usize)).map(|j| (j, everywhere)));
        }
        added_up(all)
    }
}

/// Entries by column, those of the same one added up in their order.
fn added_up(mut entries: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    entries.sort_by_key(|entry| entry.0);
    entries.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    entries
}
