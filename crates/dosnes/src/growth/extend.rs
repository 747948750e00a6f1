//! A network with more items: similarities, walks, factors of new items, and how badly they fit, among old and new ones.

use super::{
    factors,
    misfit::rounded,
    network::{NetworkModel, Totals},
    place::{FrozenMap, NewItem},
};
use crate::{
    error::{Error, Quantity},
    kernel::Kernel,
    sparse::{CsrMatrix, symmetrized},
    sphere::Vec3,
};
use rayon::prelude::*;

impl NetworkModel {
    /// The network with new items: for a graph or similarities, links with a column for each old and each new item; for dyadic data,
    /// rows with the columns of the map.
    pub(crate) fn extended(&self, new: &CsrMatrix<'_>) -> Result<Self, Error> {
        let old = self.s.rows();
        let expected = if self.incidence.is_some() { self.columns() } else { old + new.rows() };
        if new.columns() != expected {
            return Err(Error::Columns { found: new.columns(), expected });
        }
        if let Some((row, column, value)) = new.iter().find(|&(_, _, value)| !(value >= 0.0 && value.is_finite())) {
            return Err(Error::Value { quantity: Quantity::Similarity, row, column, value });
        }
        let mut larger = self.clone();
        larger.s = if let Some(incidence) = &mut larger.incidence {
            let rounded = new.mapped(|_, _, value| f64::from(single(value)));
            let rows = incidence.matrix.iter_rows().chain(rounded.iter_rows());
            let rows = rows.map(|row| (row.columns().to_vec(), row.values().to_vec())).collect();
            incidence.matrix = CsrMatrix::from_rows((old + new.rows(), expected), rows);
            incidence.similarities()?
        } else {
            with_links(&self.s, &new.mapped(|_, _, value| f64::from(single(value / self.unit))))
        };
        if let Some(row) = unreached(&larger.s, old) {
            return Err(Error::Unconnected { row });
        }
        larger.complete(old);
        larger.find_factors(old);
        Ok(larger)
    }

    /// How much of longer walks the items from `first` on have.
    fn complete(&mut self, first: usize) {
        let (Some(walk), Some(mut completed)) = (self.walk, self.completed.take()) else { return };
        let n = self.s.rows();
        let totals = Totals::of(&self.s, walk.discount);
        let of_item = |sums: &mut Vec<f64>, item: usize| {
            let similar: Vec<(u32, f64)> = self.s.row(item).iter().map(|(j, value)| (j as u32, value)).collect();
            self.row_of(&similar, completed.steps, (&totals, walk.discount), sums, Some(item))
        };
        let rows: Vec<_> = (first..n).into_par_iter().map_init(|| vec![0.0; n], of_item).collect();
        completed.extend(first, &rows);
        self.completed = Some(completed);
    }

    /// Factors of the items from `first` on that make their total similarities equal to those of the others.
    fn find_factors(&mut self, first: usize) {
        let typical = factors::typical(&self.log_scale);
        self.log_scale.resize(self.s.rows(), typical);
        if self.mean_total.is_some() {
            return;
        }
        let rows = self.mixed_rows(first);
        for _ in 0..factors::ROUNDS {
            let next: Vec<f32> = rows
                .par_iter()
                .enumerate()
                .map(|(at, row)| {
                    let factor = |j: u32| f64::from(self.log_scale[j as usize]).exp();
                    let total: f64 = row.iter().map(|&(j, value)| value * factor(j)).sum();
                    factors::half_step(self.log_scale[first + at], total)
                })
                .collect();
            self.log_scale[first..].copy_from_slice(&next);
        }
    }

    /// The similarities of the items from `first` on to all others, before they are scaled.
    fn mixed_rows(&self, first: usize) -> Vec<Vec<(u32, f64)>> {
        let n = self.s.rows();
        let totals = Totals::of(&self.s, self.walk.map_or(0.0, |walk| walk.discount));
        let of_item = |far: &mut Vec<f64>, item: usize| {
            let direct: Vec<(u32, f64)> = self.s.row(item).iter().map(|(j, value)| (j as u32, value)).collect();
            self.mixed(&direct, &totals, far, Some(item))
        };
        (first..n).into_par_iter().map_init(|| vec![0.0; n], of_item).collect()
    }

    /// The similarities of the items from `first` on to all others, for placing them.
    pub(crate) fn own_similar(&self, first: usize) -> Vec<NewItem> {
        let of_item = |(at, row): (usize, Vec<(u32, f64)>)| NewItem {
            similar: self.scaled(row),
            same_as: Some((first + at) as u32),
            held_at: None,
        };
        self.mixed_rows(first).into_par_iter().enumerate().map(of_item).collect()
    }

    /// How scattered the neighbours are of the items from `first` on.
    pub(crate) fn add_signs(
        &mut self,
        items: &[NewItem],
        directions: &[Vec3],
        first: usize,
        radius: f64,
        kernel: Kernel,
    ) {
        let map = FrozenMap::new(directions, radius, kernel, 1.0);
        let of_item = |(at, item): (usize, &NewItem)| {
            let total: f64 = item.similar.iter().map(|entry| entry.1).sum::<f64>().max(f64::MIN_POSITIVE);
            let shares: Vec<(u32, f64)> = item.similar.iter().map(|&(j, p)| (j, p / total)).collect();
            rounded(map.scatter(&shares, &directions[first + at]))
        };
        let scattered: Vec<f32> = items.par_iter().enumerate().map(of_item).collect();
        self.scattered.truncate(first);
        self.scattered.extend(scattered);
    }
}

/// In single precision, and finite.
fn single(value: f64) -> f32 {
    (value as f32).min(f32::MAX)
}

/// S with new items. Between two new items, the weight is the mean of both directions.
fn with_links(s: &CsrMatrix<'_>, links: &CsrMatrix<'_>) -> CsrMatrix<'static> {
    let (old, new) = (s.rows(), links.rows());
    let of_new = |row: usize| links.row(row).iter().filter(move |&(j, value)| value > 0.0 && j != old + row);
    let among =
        (0..new).map(|row| of_new(row).filter(|entry| entry.0 >= old).map(|(j, v)| ((j - old) as u32, v)).unzip());
    let among = symmetrized(&CsrMatrix::from_rows((new, new), among.collect()));
    let mut rows: Vec<(Vec<u32>, Vec<f64>)> =
        s.iter_rows().map(|row| (row.columns().to_vec(), row.values().to_vec())).collect();
    for row in 0..new {
        let (mut columns, mut values): (Vec<u32>, Vec<f64>) =
            of_new(row).filter(|entry| entry.0 < old).map(|(j, value)| (j as u32, value)).unzip();
        for (&j, &value) in columns.iter().zip(&values) {
            rows[j as usize].0.push((old + row) as u32);
            rows[j as usize].1.push(value);
        }
        for (j, value) in among.row(row).iter().filter(|entry| entry.1 > 0.0) {
            columns.push((old + j) as u32);
            values.push(f64::from(single(value)));
        }
        rows.push((columns, values));
    }
    CsrMatrix::from_rows((old + new, old + new), rows)
}

/// The first item that no path connects with the first `old` ones, counted from there.
fn unreached(s: &CsrMatrix<'_>, old: usize) -> Option<usize> {
    let mut is_reached: Vec<bool> = (0..s.rows()).map(|i| i < old).collect();
    let mut frontier: Vec<usize> = (0..old).collect();
    while let Some(i) = frontier.pop() {
        for &j in s.row(i).columns() {
            if !std::mem::replace(&mut is_reached[j as usize], true) {
                frontier.push(j as usize);
            }
        }
    }
    is_reached[old..].iter().position(|reached| !reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_a_symmetric_matrix() {
        let s = CsrMatrix::from_triplets((3, 3), &[(0, 1, 1.0), (1, 0, 1.0), (1, 2, 2.0), (2, 1, 2.0)]).unwrap();
        let links = [(0, 1, 5.0), (0, 4, 2.0), (0, 3, 9.0), (1, 3, 4.0), (1, 0, 7.0), (1, 2, 0.0)];
        let larger = with_links(&s, &CsrMatrix::from_triplets((2, 5), &links).unwrap());
        let mut expected = ndarray::Array2::zeros((5, 5));
        for (i, j, value) in [(0, 1, 1.0), (1, 2, 2.0), (3, 1, 5.0), (4, 0, 7.0), (3, 4, 3.0)] {
            expected[[i, j]] = value;
            expected[[j, i]] = value;
        }
        assert_eq!(larger.to_dense(), expected);
        assert_eq!(unreached(&larger, 3), None);
        let alone = with_links(&s, &CsrMatrix::from_triplets((2, 5), &[(0, 1, 5.0)]).unwrap());
        assert_eq!(unreached(&alone, 3), Some(1));
    }
}
