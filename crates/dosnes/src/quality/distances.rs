//! Whether distances in the data are preserved on the map.

use super::{Map, Measure, QualityOptions, correlation::spearman};
use crate::{
    baseline::{DataDistances, DistanceRows},
    error::Error,
};
use rayon::prelude::*;

/// Up to this number of items all pairs are ranked, about two million.
const ALL_PAIRS: usize = 2000;
/// Number of partners of each sampled item.
const PARTNERS: usize = 1000;
/// Number of parts of the sample whose spread gives the confidence interval.
const PARTS: usize = 20;

/// Spearman's rank correlation between distances in the data and on the map (along the surface on a sphere). Pairs that no
/// path connects in the data are left out.
pub fn distance_correlation(map: &Map, data: &DataDistances<'_>, options: &QualityOptions) -> Result<Measure, Error> {
    data.with_rows(|rows| of_rows(map, rows, options))?
}

fn of_rows(map: &Map, data: &dyn DistanceRows, options: &QualityOptions) -> Result<Measure, Error> {
    let n = map.len();
    map.check_length(data.len())?;
    let limit = options.exact_up_to.min(ALL_PAIRS);
    let sample = QualityOptions { exact_up_to: limit, ..options.clone() }.sample(n);
    // Partners at equal steps through the items, with a different start for each item.
    let stride = if sample.len() == n { 1 } else { (n / PARTNERS).max(1) };
    let pairs_of = |&i: &usize| {
        let mut row = vec![0.0; n];
        data.fill(i, &mut row);
        let first = if sample.len() == n { i + 1 } else { i % stride };
        let partners = (first..n).step_by(stride).filter(|&j| j != i && row[j].is_finite());
        partners.map(|j| (row[j], map.distance(i, j))).collect::<Vec<(f64, f64)>>()
    };
    let pairs: Vec<Vec<(f64, f64)>> = sample.par_iter().map(pairs_of).collect();
    let of = |rows: &[Vec<(f64, f64)>]| {
        let (x, y): (Vec<f64>, Vec<f64>) = rows.iter().flatten().copied().unzip();
        spearman(&x, &y)
    };
    let value = of(&pairs);
    if sample.len() == n {
        return Ok(Measure::exact(value));
    }
    // Pairs in one row share an item and are not independent; disjoint sets of rows nearly are.
    let parts: Vec<f64> = pairs.chunks(pairs.len().div_ceil(PARTS)).map(of).collect();
    Ok(Measure::of_parts(value, &parts))
}
