//! Whether neighbours in the data are neighbours on the map.
//!
//! Let ν_k(i) be the k nearest items in the data and μ_k(i) those on the map, of n items in all.
//!
//! | measure | is | from |
//! |---|---|---|
//! | recall at k | the mean of \|ν_k ∩ μ_k\|/k | |
//! | trustworthiness at k | 1 − mean of 2/(k(2n−3k−1)) Σ_{j ∈ μ_k} max(0, rank of j in the data − k) | Venna and Kaski 2001 |
//! | continuity at k | the same with data and map exchanged | |
//! | R_NX(K) | ((n−1) recall(K) − K)/(n−1−K): 1 is perfect, 0 is chance | Lee, Renard, Bernard, Dupont and Verleysen 2013 |
//! | AUC | Σ R_NX(K)/K over Σ 1/K, K = 1 … n−2: all sizes at once, on a logarithmic scale | |
//!
//! **Ties.** Graphs have many of them: all pairs without an edge are equally far, and without weights all pairs with an
//! edge are equally near. The reported value is the expectation over all orders of tied items, in closed form. An item
//! with fewer than k similar items is measured, at k, only on those (R_NX uses all items and corrects for chance).

use super::{Map, Measure, QualityOptions};
use crate::{
    baseline::{DataDistances, DistanceRows},
    error::Error,
    sparse::CsrMatrix,
};
use rayon::prelude::*;

/// Which items are near in the data.
#[derive(Clone, Copy)]
pub enum Nearness<'a, 'd> {
    /// The most similar items; absent entries are all equally far.
    Similarity(&'a CsrMatrix<'d>),
    /// The items at the smallest distances.
    Distances(&'a DataDistances<'d>),
}

/// Measures of neighbourhoods of one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtSize {
    /// The size k.
    pub k: usize,
    /// Share of the neighbours in the data that are neighbours on the map.
    pub recall: Measure,
    /// Whether neighbours on the map can be trusted: 1 unless items that are far in the data are among them.
    pub trustworthiness: Measure,
    /// Whether neighbours in the data stay together: 1 unless they are separated.
    pub continuity: Measure,
}

/// How the neighbourhoods of a map agree with those of the data.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighborhoods {
    /// One entry for each requested size below n/2.
    pub at: Vec<AtSize>,
    /// R_NX(K) for K = 1 … n−2.
    pub rnx: Vec<f64>,
    /// The area under R_NX over the logarithm of K.
    pub auc: Measure,
}

/// The order of nearness in the data, row by row.
#[derive(Clone, Copy)]
enum Rows<'a> {
    Similarity(&'a CsrMatrix<'a>),
    Distances(&'a dyn DistanceRows),
}

/// Items per task. A constant, because it determines the order of the additions.
const CHUNK: usize = 32;

/// Measures how neighbourhoods on the `map` agree with those in the data.
pub fn neighborhoods(map: &Map, data: Nearness<'_, '_>, options: &QualityOptions) -> Result<Neighborhoods, Error> {
    match data {
        Nearness::Similarity(s) => {
            s.check_square()?;
            map.check_length(s.rows())?;
            of_rows(map, Rows::Similarity(s), options)
        }
        Nearness::Distances(distances) => distances.with_rows(|rows| {
            map.check_length(rows.len())?;
            of_rows(map, Rows::Distances(rows), options)
        })?,
    }
}

fn of_rows(map: &Map, data: Rows<'_>, options: &QualityOptions) -> Result<Neighborhoods, Error> {
    let n = map.len();
    if n < 3 {
        return Err(Error::TooFewForNeighbors { items: n, least: 3 });
    }
    let sizes: Vec<usize> = options.sizes.iter().copied().filter(|&k| k > 0 && 2 * k < n).collect();
    let sample = options.sample(n);
    let parts: Vec<Part> = sample.par_chunks(CHUNK).map(|items| measure_chunk(map, data, items, &sizes)).collect();

    let mut rnx = vec![0.0; n - 2];
    let mut rows: Vec<RowMeasures> = Vec::with_capacity(sample.len());
    for part in parts {
        for (total, value) in rnx.iter_mut().zip(&part.rnx) {
            *total += value;
        }
        rows.extend(part.rows);
    }
    for value in &mut rnx {
        *value /= sample.len() as f64;
    }
    // Items without any similar item have no neighbours in the data and are left out.
    let asked: Vec<&RowMeasures> = rows.iter().filter(|row| row.has_neighbors).collect();
    let mean = |f: &dyn Fn(&RowMeasures) -> f64| {
        let values: Vec<f64> = asked.iter().map(|row| f(row)).collect();
        let all = if sample.len() == n { values.len() } else { n };
        Measure::mean(&values, all)
    };
    let at = sizes
        .iter()
        .enumerate()
        .map(|(s, &k)| AtSize {
            k,
            recall: mean(&|row| row.at[s][0]),
            trustworthiness: mean(&|row| row.at[s][1]),
            continuity: mean(&|row| row.at[s][2]),
        })
        .collect();
    let auc = Measure::mean(&rows.iter().map(|row| row.auc).collect::<Vec<_>>(), n);
    Ok(Neighborhoods { at, rnx, auc })
}

struct Part {
    /// Sums of the R_NX curves of the items.
    rnx: Vec<f64>,
    rows: Vec<RowMeasures>,
}

struct RowMeasures {
    has_neighbors: bool,
    /// Recall, trustworthiness and continuity at each size.
    at: Vec<[f64; 3]>,
    auc: f64,
}

/// The positions of all items in one item's order of nearness in the data: positions `begin..end` are shared by all
/// items that are equally near.
struct DataOrder {
    places: Vec<Place>,
    /// Number of items with a positive similarity.
    similar: usize,
    sorted: Vec<(f64, u32)>,
    row: Vec<f64>,
}

#[derive(Clone, Copy, Default)]
struct Place {
    begin: usize,
    end: usize,
}

impl Place {
    /// The probability to be among the first k.
    fn chance(self, k: usize) -> f64 {
        if self.end <= k {
            1.0
        } else if self.begin >= k {
            0.0
        } else {
            (k - self.begin) as f64 / (self.end - self.begin) as f64
        }
    }

    /// The expectation of max(0, rank − k), ranks counted from 1.
    fn beyond(self, k: usize) -> f64 {
        let (first, last) = (self.begin.max(k), self.end);
        if last <= k {
            return 0.0;
        }
        // The mean of 1 + position − k over positions in first..last, times the probability to be there.
        let chance = (last - first) as f64 / (self.end - self.begin) as f64;
        chance * ((first + last + 1) as f64 / 2.0 - k as f64)
    }
}

impl DataOrder {
    fn new(n: usize) -> Self {
        Self { places: vec![Place::default(); n], similar: 0, sorted: Vec::new(), row: vec![0.0; n] }
    }

    fn set(&mut self, data: Rows<'_>, i: usize) {
        let n = self.places.len();
        self.sorted.clear();
        match data {
            Rows::Similarity(s) => {
                let entries = s.row(i).iter().filter(|&(j, value)| j != i && value > 0.0);
                self.sorted.extend(entries.map(|(j, value)| (-value, j as u32)));
            }
            Rows::Distances(rows) => {
                rows.fill(i, &mut self.row);
                let entries = self.row.iter().enumerate().filter(|&(j, d)| j != i && d.is_finite());
                self.sorted.extend(entries.map(|(j, &d)| (d, j as u32)));
            }
        }
        self.sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        self.similar = self.sorted.len();
        self.places.fill(Place { begin: self.similar, end: n - 1 });
        let mut begin = 0;
        while begin < self.similar {
            let mut end = begin + 1;
            while end < self.similar && self.sorted[end].0 == self.sorted[begin].0 {
                end += 1;
            }
            for &(_, j) in &self.sorted[begin..end] {
                self.places[j as usize] = Place { begin, end };
            }
            begin = end;
        }
    }
}

fn measure_chunk(map: &Map, data: Rows<'_>, items: &[usize], sizes: &[usize]) -> Part {
    let n = map.len();
    let mut order = DataOrder::new(n);
    let mut on_map = Vec::with_capacity(n);
    let mut overlap = Overlap::new(n);
    let mut part = Part { rnx: vec![0.0; n - 2], rows: Vec::with_capacity(items.len()) };
    let weights: f64 = (1..n - 1).map(|k| 1.0 / k as f64).sum();
    for &i in items {
        order.set(data, i);
        map.order(i, &mut on_map);
        overlap.set(on_map.iter().map(|&(_, j)| order.places[j as usize]));
        let mut auc = 0.0;
        for (k, rnx) in (1..n - 1).zip(&mut part.rnx) {
            let value = ((n - 1) as f64 * overlap.at[k] / k as f64 - k as f64) / (n - 1 - k) as f64;
            *rnx += value;
            auc += value / k as f64;
        }
        let at = sizes.iter().map(|&k| at_size(&order, &on_map, &overlap, n, k.min(order.similar))).collect();
        part.rows.push(RowMeasures { has_neighbors: order.similar > 0, at, auc: auc / weights });
    }
    part
}

/// Recall, trustworthiness and continuity of one item.
fn at_size(order: &DataOrder, on_map: &[(f64, u32)], overlap: &Overlap, n: usize, k: usize) -> [f64; 3] {
    if k == 0 {
        return [0.0; 3];
    }
    let scale = 2.0 / (k as f64 * (2 * n - 3 * k - 1) as f64);
    let intruders: f64 = on_map[..k].iter().map(|&(_, j)| order.places[j as usize].beyond(k)).sum();
    let torn: f64 = on_map[k..]
        .iter()
        .enumerate()
        .map(|(position, &(_, j))| order.places[j as usize].chance(k) * (position + 1) as f64)
        .sum();
    [overlap.at[k] / k as f64, 1.0 - scale * intruders, 1.0 - scale * torn]
}

/// The expected size of ν_k ∩ μ_k for all k at once, in one pass: each item adds a linear piece that ends at one.
struct Overlap {
    /// At k = 0 … n−1.
    at: Vec<f64>,
    constant: Vec<f64>,
    slope: Vec<f64>,
}

impl Overlap {
    fn new(n: usize) -> Self {
        Self { at: vec![0.0; n], constant: vec![0.0; n + 1], slope: vec![0.0; n + 1] }
    }

    /// `places` are the items' positions in the data, in the order of the map.
    fn set(&mut self, places: impl Iterator<Item = Place>) {
        self.constant.fill(0.0);
        self.slope.fill(0.0);
        for (position, place) in places.enumerate() {
            // From k = position + 1 on, the item is in μ_k; from `begin` + 1 to `end`, its probability to be in ν_k
            // grows to one.
            let start = (position + 1).max(place.begin + 1);
            let full = (position + 1).max(place.end);
            if start < full {
                let size = (place.end - place.begin) as f64;
                self.slope[start] += 1.0 / size;
                self.slope[full] -= 1.0 / size;
                self.constant[start] -= place.begin as f64 / size;
                self.constant[full] += place.begin as f64 / size;
            }
            self.constant[full] += 1.0;
        }
        let (mut constant, mut slope) = (0.0, 0.0);
        for (k, at) in self.at.iter_mut().enumerate() {
            constant += self.constant[k];
            slope += self.slope[k];
            *at = constant + slope * k as f64;
        }
    }
}
