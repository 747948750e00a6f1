//! The signs by which points that do not fit into a map are recognised.
//!
//! * *Unlikely*: −ln Σ_j p(x|j), over the nearest old items j. It is large if x is in the neighbourhood of none of them, measured in
//!   the widths β_j^(−½) of these neighbourhoods.
//! * *Outside*: how much farther x is from the flat patch of its neighbours than they are from theirs ([`patch`](super::patch)):
//!   ln |r_x| − Σ_j p(j|x) ln |r_j|.
//! * *Scattered*: −Σ_j p(j|x) ln q(y, y_j), large if its neighbours are far from its place y on the map.
//!
//! The own items were without themselves when their signs were found, as a new one is.

use super::{
    misfit::rounded,
    patch::{Patch, flat_rows},
    place::FrozenMap,
    points::{PointModel, without},
};
use crate::{
    error::Error,
    input::Points,
    kernel::Kernel,
    neighbors::{nearest_between, with_pair_distances},
    sparse::CsrMatrix,
    sphere::Vec3,
};
use ndarray::ArrayView2;
use rayon::prelude::*;

/// The signs of the items of a map, in half precision.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Signs {
    /// ln |r| of each item.
    pub(crate) log_residual: Vec<f32>,
    pub(crate) unlikely: Vec<f32>,
    pub(crate) outside: Vec<f32>,
    pub(crate) scattered: Vec<f32>,
}

impl Signs {
    /// The lists with which a new item is compared: *scattered* first, then those of [`PointModel::signs_of`].
    pub(crate) fn lists(&self) -> [&[f32]; 3] {
        [&self.scattered, &self.unlikely, &self.outside]
    }
}

impl PointModel {
    /// The signs of the items of the map itself.
    pub(crate) fn own_signs(
        &self,
        conditional: &CsrMatrix<'_>,
        rows: &ArrayView2<'_, f32>,
        directions: &[Vec3],
        radius: f64,
        kernel: Kernel,
    ) -> Result<Signs, Error> {
        let map = FrozenMap::new(directions, radius, kernel, 1.0);
        let n = conditional.rows();
        let shares = |i: usize| conditional.row(i).iter().map(|(j, p)| (j as u32, p)).collect::<Vec<_>>();
        let log_residual: Vec<f32> = match flat_rows(rows, self.metric) {
            Some(flat) => {
                let row = |i: usize| &flat[i * rows.ncols()..(i + 1) * rows.ncols()];
                (0..n)
                    .into_par_iter()
                    .map_init(Patch::default, |patch, i| rounded(patch.log_residual(row(i), &flat, &shares(i))))
                    .collect()
            }
            None => vec![0.0; n],
        };
        let found: Vec<[f32; 3]> = with_pair_distances(&Points::from(rows.view()), self.metric, |distance| {
            (0..n)
                .into_par_iter()
                .map(|i| {
                    let shares = shares(i);
                    let unlikely = self.unlikely(shares.iter().map(|&(j, _)| (distance(i, j as usize), j)));
                    let outside = outside(log_residual[i], &shares, &log_residual);
                    [unlikely, outside, rounded(map.scatter(&shares, &directions[i]))]
                })
                .collect()
        })?;
        let list = |k: usize| found.iter().map(|signs| signs[k]).collect();
        Ok(Signs { unlikely: list(0), outside: list(1), scattered: list(2), log_residual })
    }

    /// The signs of the items from `first` on, which were added to the map.
    pub(crate) fn add_signs(
        &mut self,
        first: usize,
        directions: &[Vec3],
        radius: f64,
        kernel: Kernel,
    ) -> Result<(), Error> {
        let map = FrozenMap::new(directions, radius, kernel, 1.0);
        let all = self.rows.to_array();
        let (view, columns) = (all.view(), all.ncols());
        let nearest = nearest_between(&view, &all.slice(ndarray::s![first.., ..]), self.metric, self.neighbors + 1)?;
        let own: Vec<Vec<(f32, u32)>> = nearest
            .par_iter()
            .enumerate()
            .map(|(at, row)| without(row, (first + at) as u32).take(self.neighbors).collect())
            .collect();
        let shares: Vec<Vec<(u32, f64)>> = own.par_iter().map(|row| self.shares(row)).collect();
        let flat = flat_rows(&view, self.metric);
        let residuals: Vec<f32> = shares
            .par_iter()
            .enumerate()
            .map_init(Patch::default, |patch, (at, shares)| {
                let row = (first + at) * columns..(first + at + 1) * columns;
                flat.as_ref().map_or(0.0, |flat| rounded(patch.log_residual(&flat[row], flat, shares)))
            })
            .collect();
        self.signs.log_residual.truncate(first);
        self.signs.log_residual.extend(residuals);
        let log_residual = &self.signs.log_residual;
        let of_item = |at: usize| {
            let (i, nearest, shares) = (first + at, &own[at], &shares[at]);
            let unlikely = self.unlikely(nearest.iter().map(|&(d, j)| (f64::from(d), j)));
            let scattered = rounded(map.scatter(shares, &directions[i]));
            [unlikely, outside(log_residual[i], shares, log_residual), scattered]
        };
        let found: Vec<[f32; 3]> = (0..own.len()).into_par_iter().map(of_item).collect();
        let signs = &mut self.signs;
        for (k, list) in [&mut signs.unlikely, &mut signs.outside, &mut signs.scattered].into_iter().enumerate() {
            list.truncate(first);
            list.extend(found.iter().map(|signs| signs[k]));
        }
        Ok(())
    }

    /// *Unlikely* and *outside* of a new point with its nearest items and their shares. `flat` are the rows of the map.
    pub(crate) fn signs_of(
        &self,
        point: Option<&[f32]>,
        flat: Option<&[f32]>,
        nearest: &[(f32, u32)],
        shares: &[(u32, f64)],
        patch: &mut Patch,
    ) -> Vec<f32> {
        let nearest = &nearest[..shares.len()];
        let unlikely = self.unlikely(nearest.iter().map(|&(d, j)| (f64::from(d), j)));
        let own = point.zip(flat).map_or(0.0, |(point, flat)| rounded(patch.log_residual(point, flat, shares)));
        vec![unlikely, outside(own, shares, &self.signs.log_residual)]
    }

    /// −ln Σ_j p(x|j) from the distances to old items. Without the limit of each neighbourhood: far away, all are very unlikely,
    /// and some more than others.
    fn unlikely(&self, distances: impl Iterator<Item = (f64, u32)>) -> f32 {
        let log = |(d, j): (f64, u32)| f64::from(self.height[j as usize]) - f64::from(self.beta[j as usize]) * d * d;
        let logs: Vec<f64> = distances.map(log).collect();
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|log| (log - largest).exp()).sum();
        rounded(-(largest + sum.ln()))
    }
}

/// ln |r_x| − Σ_j p(j|x) ln |r_j|.
fn outside(own: f32, shares: &[(u32, f64)], log_residual: &[f32]) -> f32 {
    let typical: f64 = shares.iter().map(|&(j, p)| p * f64::from(log_residual[j as usize])).sum();
    rounded(f64::from(own) - typical)
}
