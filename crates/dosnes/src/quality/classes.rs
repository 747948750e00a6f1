//! Whether known classes are visible on the map.

use super::{Map, Measure, QualityOptions};
use crate::error::{Error, Parameter};
use rayon::prelude::*;

/// How well the classes are separated on the map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassMeasures {
    /// Share of the items whose class is the majority among their ten nearest items; ties are resolved by the nearest
    /// item.
    pub accuracy: Measure,
    /// Mean silhouette (Rousseeuw 1987), −1 to 1: how much nearer an item is to its own class than to the next one.
    pub silhouette: Measure,
}

/// Number of neighbours that vote.
const VOTERS: usize = 10;

/// Measures the classes, one per item. Items without a class (`None`) are left out.
pub fn classes(map: &Map, classes: &[Option<u32>], options: &QualityOptions) -> Result<ClassMeasures, Error> {
    if classes.len() != map.len() {
        return Err(Error::Length { what: "the list of classes", found: classes.len(), expected: map.len() });
    }
    let labelled: Vec<usize> = (0..map.len()).filter(|&i| classes[i].is_some()).collect();
    // Classes may have any numbers: those that occur are renumbered from 0, in increasing order.
    let mut occurring: Vec<u32> = classes.iter().copied().flatten().collect();
    occurring.sort_unstable();
    occurring.dedup();
    let class = |i: usize| classes[i].map_or(0, |c| occurring.partition_point(|&other| other < c));
    let count = occurring.len();
    let mut sizes = vec![0_usize; count];
    for &i in &labelled {
        sizes[class(i)] += 1;
    }
    if count < 2 {
        return Err(Error::parameter(Parameter::Classes, count.to_string(), "there must be at least two"));
    }
    let sample: Vec<usize> = options.sample(labelled.len()).into_iter().map(|k| labelled[k]).collect();
    let measured: Vec<(f64, f64)> = sample
        .par_iter()
        .map(|&i| {
            let voters = map.nearest(i, VOTERS.min(labelled.len() - 1), |j| classes[j].is_some());
            let right = majority(voters.iter().map(|&(_, j)| class(j as usize))) == Some(class(i));
            let mut sums = vec![0.0; count];
            for &j in &labelled {
                sums[class(j)] += map.distance(i, j);
            }
            (f64::from(u8::from(right)), silhouette(&sums, &sizes, class(i)))
        })
        .collect();
    let (right, silhouettes): (Vec<f64>, Vec<f64>) = measured.into_iter().unzip();
    let n = labelled.len();
    Ok(ClassMeasures { accuracy: Measure::mean(&right, n), silhouette: Measure::mean(&silhouettes, n) })
}

/// The most frequent class; of several, the one that occurs first.
fn majority(classes: impl Iterator<Item = usize>) -> Option<usize> {
    let mut votes: Vec<(usize, usize)> = Vec::new();
    for class in classes {
        match votes.iter_mut().find(|vote| vote.0 == class) {
            Some(vote) => vote.1 += 1,
            None => votes.push((class, 1)),
        }
    }
    votes.iter().rev().max_by_key(|vote| vote.1).map(|vote| vote.0)
}

/// (b − a)/max(a, b) with the mean distance a to the others of the own class and b to the nearest other class; 0 for an item
/// that is alone in its class.
fn silhouette(sums: &[f64], sizes: &[usize], own: usize) -> f64 {
    if sizes[own] < 2 {
        return 0.0;
    }
    let a = sums[own] / (sizes[own] - 1) as f64;
    let others = (0..sizes.len()).filter(|&c| c != own && sizes[c] > 0);
    let b = others.map(|c| sums[c] / sizes[c] as f64).fold(f64::INFINITY, f64::min);
    let larger = a.max(b);
    if larger > 0.0 { (b - a) / larger } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_resolved_by_the_nearest_item() {
        assert_eq!(majority([2, 1, 1, 2].into_iter()), Some(2));
        assert_eq!(majority([2, 1, 1].into_iter()), Some(1));
    }
}
