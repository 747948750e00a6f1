//! Measurements with names, such as the genes of cells: what is larger in a cluster than elsewhere.

use crate::{
    input::{Points, rounded},
    sparse::Row,
};

/// Sums of each column.
#[derive(Debug, Clone)]
struct Sums {
    count: usize,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Sums {
    fn new(columns: usize) -> Self {
        Self { count: 0, first: vec![0.0; columns], second: vec![0.0; columns] }
    }

    fn add(&mut self, points: &Points<'_>, row: usize) {
        self.count += 1;
        let mut add = |column: usize, value: f64| {
            self.first[column] += value;
            self.second[column] += value * value;
        };
        match points {
            Points::Dense(x) => x.row(row).iter().enumerate().for_each(|(j, &v)| add(j, f64::from(v))),
            Points::Dense64(x) => x.row(row).iter().enumerate().for_each(|(j, &v)| add(j, v)),
            Points::Rounded(x) => x.row(row).iter().enumerate().for_each(|(j, &v)| add(j, rounded(v))),
            Points::Sparse(x) => x.get_row(row).into_iter().flat_map(Row::iter).for_each(|(j, v)| add(j, v)),
        }
    }

    fn mean(&self, column: usize) -> f64 {
        self.first[column] / self.count.max(1) as f64
    }

    fn deviation(&self, column: usize) -> f64 {
        let mean = self.mean(column);
        (self.second[column] / self.count.max(1) as f64 - mean * mean).max(0.0).sqrt()
    }
}

/// A column must exceed the mean elsewhere by this share of a standard deviation.
const LEAST_EFFECT: f64 = 0.5;

/// The columns whose mean in the cluster exceeds that of all items and that around the cluster by the largest share of a
/// standard deviation, best first, with this share.
pub(super) fn enriched(
    points: &Points<'_>,
    rows: &[usize],
    clusters: &[u32],
    around: &[u32],
    count: usize,
) -> Vec<Vec<(u32, f64)>> {
    let columns = points.shape().1;
    let mut all = Sums::new(columns);
    let mut of_cluster = vec![Sums::new(columns); count];
    for (&row, &cluster) in rows.iter().zip(clusters) {
        all.add(points, row);
        of_cluster[cluster as usize].add(points, row);
    }
    let wider = around.iter().max().map_or(0, |&last| last as usize + 1);
    let mut of_wider = vec![(0_usize, vec![0.0; columns]); wider];
    for (sums, &outer) in of_cluster.iter().zip(around) {
        let outer = &mut of_wider[outer as usize];
        outer.0 += sums.count;
        outer.1.iter_mut().zip(&sums.first).for_each(|(total, sum)| *total += sum);
    }
    of_cluster
        .iter()
        .zip(around)
        .map(|(sums, &outer)| {
            let (items, totals) = &of_wider[outer as usize];
            let effect = |column: usize| {
                let elsewhere = all.mean(column).max(totals[column] / (*items).max(1) as f64);
                (sums.mean(column) - elsewhere) / all.deviation(column).max(f64::MIN_POSITIVE)
            };
            let effects = (0..columns).map(|column| (column as u32, effect(column)));
            let mut found: Vec<(u32, f64)> = effects.filter(|&(_, effect)| effect > LEAST_EFFECT).collect();
            found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            found
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    #[test]
    fn the_enriched_column_is_larger_than_in_the_whole_and_around() {
        // Column 0 is large in clusters 0 and 1, column 1 in 0 only; both are around each other.
        let x = Array2::from_shape_fn((90, 3), |(i, j)| match (i / 30, j) {
            (0 | 1, 0) | (0, 1) => 5.0,
            _ => ((i * 7 + j) % 3) as f64,
        });
        let clusters: Vec<u32> = (0..90).map(|i| i / 30).collect();
        let rows: Vec<usize> = (0..90).collect();
        let found = enriched(&Points::from(&x), &rows, &clusters, &[0, 0, 1], 3);
        assert_eq!(found[0][0].0, 1);
        assert!(found[1].is_empty());
    }
}
