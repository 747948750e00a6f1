//! What a model keeps of points: their rows in half precision, how wide the neighbourhood of each is, and how its similarities
//! were scaled. With these the similarities of a new point to the old ones are those that it would have had among them.

use super::{
    factors,
    half::{HalfRows, from_f32, to_f32},
    model::{ModelError, ModelParts, dense_rows},
    patch::{Patch, flat_rows},
    place::{NewItem, Similar},
    scales::log_scales,
    shrinkage::shrinkage,
    signs::Signs,
};
use crate::{
    affinity::to_probabilities,
    error::{Error, Quantity},
    input::{Centring, Points, rounded},
    neighbors::{Metric, nearest_between, with_pair_distances},
    normalization::{Normalization, Rule},
    observe::{Observer, report},
    pca::principal_components,
    similarity::{Affinity, Similarity},
    sparse::{CsrMatrix, Row, symmetrized},
    sphere::Vec3,
};
use ndarray::{Array2, ArrayView1, ArrayView2};
use rayon::prelude::*;
use std::collections::HashSet;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PointModel {
    /// Number of columns of the data.
    pub(crate) dimensions: usize,
    /// Their names; empty if they are not known.
    pub(crate) columns: Vec<String>,
    pub(crate) metric: Metric,
    pub(crate) perplexity: f64,
    /// Number of neighbours.
    pub(crate) neighbors: usize,
    pub(crate) projection: Option<Projection>,
    pub(crate) rows: HalfRows,
    /// Whether all items have the same total similarity. If not, the mean total.
    pub(crate) mean_total: Option<f64>,
    /// p(x|j) = exp(`height` − `beta` d²) for a neighbour x of item j, up to the distance `reach`.
    pub(crate) beta: Vec<f32>,
    pub(crate) height: Vec<f32>,
    pub(crate) reach: Vec<f32>,
    /// The logarithm of the factor by which the normalisation scaled the similarities of each item.
    pub(crate) log_scale: Vec<f32>,
    /// How badly each item fits.
    pub(crate) signs: Signs,
}

/// Principal components, in half precision.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Projection {
    pub(crate) mean: Vec<f32>,
    /// D × c, rounded to half precision.
    pub(crate) components: Array2<f32>,
    /// For each component: the rows of the map's own data are kept so many times as large as their scores.
    pub(crate) shrinkage: Vec<f32>,
}

impl Projection {
    /// The coordinates of a row. The same row gives the same bytes, alone or among others.
    fn scores(&self, row: impl Iterator<Item = (usize, f64)>, out: &mut [f64]) {
        out.fill(0.0);
        for (j, value) in row {
            for (out, &c) in out.iter_mut().zip(self.components.row(j)) {
                *out += value * f64::from(c);
            }
        }
    }

    /// All rows of the points in the coordinates of the components.
    fn project(&self, points: &Points<'_>) -> Array2<f32> {
        let (n, count) = (points.shape().0, self.components.ncols());
        let mut offset = vec![0.0; count];
        self.scores(self.mean.iter().map(|&m| f64::from(m)).enumerate(), &mut offset);
        let mut scores = vec![0.0_f32; n * count];
        scores.par_chunks_mut(count).enumerate().for_each_init(
            || vec![0.0; count],
            |sums, (i, out)| {
                match points {
                    Points::Dense(x) => self.scores(nonzero(x.row(i).iter().map(|&v| f64::from(v))), sums),
                    Points::Dense64(x) => self.scores(nonzero(x.row(i).iter().copied()), sums),
                    Points::Rounded(x) => self.scores(nonzero(x.row(i).iter().map(|&v| rounded(v))), sums),
                    Points::Sparse(x) => self.scores(x.row(i).iter(), sums),
                }
                for ((out, sum), offset) in out.iter_mut().zip(sums).zip(&offset) {
                    *out = (*sum - offset) as f32;
                }
            },
        );
        Array2::from_shape_vec((n, count), scores).expect("a row of scores for each point")
    }

    /// The scores of rows of which the components were made, as those of rows that had no part in it.
    fn shrunk(&self, scores: &Array2<f32>) -> Array2<f32> {
        scores * &ArrayView1::from(&self.shrinkage)
    }
}

fn nonzero(values: impl Iterator<Item = f64>) -> impl Iterator<Item = (usize, f64)> {
    values.enumerate().filter(|&(_, v)| v != 0.0)
}

/// More neighbours than the point itself needs: it may be a neighbour of others that are not among its own.
const REVERSE: usize = 2;

impl PointModel {
    pub(crate) fn new(
        points: &Points<'_>,
        parts: &ModelParts<'_, '_, '_>,
        directions: &[Vec3],
        radius: f64,
        observer: &mut dyn Observer,
    ) -> Result<Self, ModelError> {
        let (Affinity::Entropic, Some(perplexity)) = (parts.options.affinity, parts.similarities.perplexity) else {
            return Err(ModelError::Affinity);
        };
        let Similarity::Neighbors(conditional) = &parts.similarities.similarity else {
            return Err(ModelError::Affinity);
        };
        if parts.options.metric == Metric::Jaccard {
            return Err(ModelError::Metric(parts.options.metric));
        }
        if !matches!(parts.affinities.report().method, Normalization::Sinkhorn | Normalization::None) {
            return Err(ModelError::Normalization);
        }
        let kept = parts.affinities.kept();
        let projection = match parts.similarities.components {
            None => None,
            Some(count) => {
                let pca = principal_components(points, count, parts.options.seed, observer)?;
                let components = pca.components.t().mapv(|v| to_f32(from_f32(v as f32)));
                let shrinkage = shrinkage(points, &pca);
                Some(Projection { mean: pca.mean.iter().map(|&v| v as f32).collect(), components, shrinkage })
            }
        };
        let metric = parts.options.metric;
        let all = match &projection {
            Some(projection) => projection.shrunk(&projection.project(points)),
            None => dense_rows(points)?,
        };
        let rows = all.select(ndarray::Axis(0), kept);
        drop(all);
        report(observer, 0.5)?;
        let rows = HalfRows::new(&rows.view(), metric.centring() == Centring::Subtract);
        let conditional = conditional.principal_submatrix(kept, false);
        let neighbors = conditional.iter_rows().map(Row::len).max().unwrap_or(1);
        let (equal, total) = match parts.affinities.report().rule {
            Rule::Exact | Rule::Soft | Rule::DiagonalDropped => (true, 0.0),
            Rule::Unequal | Rule::Untouched => (false, parts.affinities.matrix().values().iter().sum::<f64>()),
        };
        let mut model = Self {
            dimensions: points.shape().1,
            columns: parts.columns.map(<[String]>::to_vec).unwrap_or_default(),
            metric,
            perplexity,
            neighbors,
            projection,
            mean_total: (!equal).then(|| total / kept.len().max(1) as f64),
            beta: Vec::new(),
            height: Vec::new(),
            reach: Vec::new(),
            log_scale: log_scales(&symmetrized(&conditional), parts.affinities.matrix())?,
            signs: Signs::default(),
            rows,
        };
        let rows = model.rows.to_array();
        let conditional = match &model.projection {
            Some(_) => model.conditional_of_rows(&conditional, &rows.view())?,
            None => conditional,
        };
        model.find_widths(&conditional, &rows.view())?;
        model.signs = model.own_signs(&conditional, &rows.view(), directions, radius, parts.kernel)?;
        Ok(model)
    }

    /// p(j|i) of the same neighbours, by the distances of the rows as the model keeps them.
    fn conditional_of_rows(
        &self,
        conditional: &CsrMatrix<'_>,
        rows: &ArrayView2<'_, f32>,
    ) -> Result<CsrMatrix<'static>, Error> {
        let found: Vec<(Vec<u32>, Vec<f64>)> =
            with_pair_distances(&Points::from(rows.view()), self.metric, |distance| {
                let of_row = |i: usize| {
                    let mut nearest: Vec<(f64, u32)> =
                        conditional.row(i).iter().map(|(j, _)| (distance(i, j), j as u32)).collect();
                    nearest.sort_by(|a, b| a.0.total_cmp(&b.0));
                    let mut probabilities: Vec<f64> = nearest.iter().map(|n| n.0.powi(2)).collect();
                    to_probabilities(&mut probabilities, self.perplexity.ln());
                    let mut entries: Vec<(u32, f64)> = nearest.iter().map(|n| n.1).zip(probabilities).collect();
                    entries.retain(|entry| entry.1 > 0.0);
                    entries.sort_by_key(|entry| entry.0);
                    entries.into_iter().unzip()
                };
                (0..conditional.rows()).into_par_iter().map(of_row).collect()
            })?;
        Ok(CsrMatrix::from_rows((conditional.rows(), conditional.columns()), found))
    }

    /// β and the height of p(x|j) for each item j, from its similarities and the distances of the rounded rows.
    fn find_widths(&mut self, conditional: &CsrMatrix<'_>, rows: &ArrayView2<'_, f32>) -> Result<(), Error> {
        let found: Vec<[f32; 3]> = with_pair_distances(&Points::from(rows.view()), self.metric, |distance| {
            (0..conditional.rows())
                .into_par_iter()
                .map(|i| {
                    let row = conditional.row(i);
                    let squares: Vec<f64> = row.iter().map(|(j, _)| distance(i, j).powi(2)).collect();
                    let logs: Vec<f64> = row.values().iter().map(|p| p.ln()).collect();
                    let (beta, height) = line(&squares, &logs);
                    let reach = squares.iter().copied().fold(0.0, f64::max).sqrt();
                    [beta as f32, height as f32, reach as f32]
                })
                .collect()
        })?;
        self.beta = found.iter().map(|f| f[0]).collect();
        self.height = found.iter().map(|f| f[1]).collect();
        self.reach = found.iter().map(|f| f[2]).collect();
        Ok(())
    }

    /// New points in the form of the rows of the model.
    pub(crate) fn rounded(&self, points: &Points<'_>) -> Result<HalfRows, ModelError> {
        let found = points.shape().1;
        if found != self.dimensions {
            return Err(Error::Columns { found, expected: self.dimensions }.into());
        }
        check_finite(points)?;
        let rounded = |rows: &Array2<f32>| {
            let mut rounded = self.rows.emptied();
            rounded.append(&rows.view());
            rounded
        };
        let Some(projection) = &self.projection else { return Ok(rounded(&dense_rows(points)?)) };
        let scores = projection.project(points);
        let (mut new, shrunk) = (rounded(&scores), rounded(&projection.shrunk(&scores)));
        // A row of the map's own data becomes the row that the model keeps of it.
        let width = self.rows.dimensions.max(1);
        let known: HashSet<&[u16]> = self.rows.values.chunks_exact(width).collect();
        for (new, shrunk) in new.values.chunks_exact_mut(width).zip(shrunk.values.chunks_exact(width)) {
            if known.contains(shrunk) {
                new.copy_from_slice(shrunk);
            }
        }
        Ok(new)
    }

    /// Appends new rows, with widths and factors of their own.
    pub(crate) fn extend(&mut self, rounded: &HalfRows) -> Result<(), Error> {
        let old = self.rows.len();
        self.rows.values.extend_from_slice(&rounded.values);
        let (all, new) = (self.rows.to_array(), rounded.to_array());
        let k = (self.neighbors + 1).min(all.nrows());
        let nearest = nearest_between(&all.view(), &new.view(), self.metric, k)?;
        let typical = factors::typical(&self.log_scale);
        for (at, row) in nearest.iter().enumerate() {
            let others: Vec<(f32, u32)> = without(row, (old + at) as u32).take(self.neighbors).collect();
            let mut probabilities: Vec<f64> = others.iter().map(|&(d, _)| f64::from(d).powi(2)).collect();
            let nearest = probabilities.first().copied().unwrap_or(0.0);
            let beta = to_probabilities(&mut probabilities, self.perplexity.ln()).clamp(0.0, f64::from(f32::MAX));
            let height = probabilities.first().map_or(0.0, |p| p.max(f64::MIN_POSITIVE).ln() + beta * nearest);
            self.beta.push(beta as f32);
            self.height.push(height as f32);
            self.reach.push(others.last().map_or(0.0, |last| last.0));
            self.log_scale.push(typical);
        }
        self.rescale(old, &nearest);
        Ok(())
    }

    /// Factors of the items from `first` on that make their total similarities equal to those of the others.
    fn rescale(&mut self, first: usize, nearest: &[Vec<(f32, u32)>]) {
        if self.mean_total.is_some() {
            return;
        }
        for _ in 0..factors::ROUNDS {
            let next: Vec<f32> = nearest
                .par_iter()
                .enumerate()
                .map(|(at, row)| {
                    let own: Vec<(f32, u32)> = without(row, (first + at) as u32).collect();
                    let total: f64 = self.unscaled(&own).iter().map(|entry| entry.1).sum();
                    factors::half_step(self.log_scale[first + at], total)
                })
                .collect();
            self.log_scale[first..].copy_from_slice(&next);
        }
    }

    /// The similarities of the items from `first` on to all others, for placing them.
    pub(crate) fn own_similar(&self, first: usize) -> Result<Vec<NewItem>, Error> {
        let all = self.rows.to_array();
        let new = all.slice(ndarray::s![first.., ..]);
        let k = (REVERSE * self.neighbors + 1).min(all.nrows());
        let nearest = nearest_between(&all.view(), &new, self.metric, k)?;
        let of_item = |(at, row): (usize, &Vec<(f32, u32)>)| {
            let own: Vec<(f32, u32)> = without(row, (first + at) as u32).collect();
            NewItem { similar: self.scaled(&own), same_as: Some((first + at) as u32), held_at: None }
        };
        Ok(nearest.par_iter().enumerate().map(of_item).collect())
    }

    /// The similarities of new points to the items of the map.
    pub(crate) fn similar(&self, rounded: &HalfRows) -> Result<Vec<Similar>, Error> {
        let (old, new) = (self.rows.to_array(), rounded.to_array());
        let k = (REVERSE * self.neighbors + 1).min(old.nrows());
        let nearest = nearest_between(&old.view(), &new.view(), self.metric, k)?;
        let (view, new_view, columns) = (old.view(), new.view(), new.ncols());
        let (flat, points) = (flat_rows(&view, self.metric), flat_rows(&new_view, self.metric));
        let of_point = |patch: &mut Patch, (at, row): (usize, &Vec<(f32, u32)>)| {
            let point = points.as_ref().map(|points| &points[at * columns..(at + 1) * columns]);
            self.of_nearest(row, point, flat.as_deref(), patch)
        };
        Ok(nearest.par_iter().enumerate().map_init(Patch::default, of_point).collect())
    }

    /// From the nearest items and their distances, nearest first.
    fn of_nearest(
        &self,
        nearest: &[(f32, u32)],
        point: Option<&[f32]>,
        flat: Option<&[f32]>,
        patch: &mut Patch,
    ) -> Similar {
        // A point that is an item of the map is placed as that item: it is no neighbour of itself.
        let same_as = nearest.first().filter(|first| first.0 == 0.0).map(|first| first.1);
        let nearest = if same_as.is_some() { &nearest[1..] } else { nearest };
        let shares = self.shares(nearest);
        let signs = self.signs_of(point, flat, nearest, &shares, patch);
        Similar { item: NewItem { similar: self.scaled(nearest), same_as, held_at: None }, shares, signs }
    }

    /// P of a point: its similarities, with the sum 1 if the sums of the map are equal.
    fn scaled(&self, nearest: &[(f32, u32)]) -> Vec<(u32, f64)> {
        let mut similar = self.unscaled(nearest);
        let total: f64 = similar.iter().map(|entry| entry.1).sum();
        let divisor = self.mean_total.unwrap_or(total).max(f64::MIN_POSITIVE);
        for entry in &mut similar {
            entry.1 /= divisor;
        }
        similar
    }

    /// p(j|x) of the neighbours.
    pub(crate) fn shares(&self, nearest: &[(f32, u32)]) -> Vec<(u32, f64)> {
        let own = self.neighbors.min(nearest.len());
        let mut probabilities: Vec<f64> = nearest[..own].iter().map(|&(d, _)| f64::from(d).powi(2)).collect();
        to_probabilities(&mut probabilities, self.perplexity.ln());
        nearest.iter().map(|n| n.1).zip(probabilities).collect()
    }

    /// The similarities s_j (p(j|x) + p(x|j))/2 to the nearest items, without the factor of the point itself.
    fn unscaled(&self, nearest: &[(f32, u32)]) -> Vec<(u32, f64)> {
        let shares = self.shares(nearest);
        let similarity = |(at, &(d, j)): (usize, &(f32, u32))| {
            let i = j as usize;
            let own = shares.get(at).map_or(0.0, |share| share.1);
            let exponent = f64::from(self.height[i]) - f64::from(self.beta[i]) * f64::from(d).powi(2);
            let others = if d <= self.reach[i] { exponent.exp().min(1.0) } else { 0.0 };
            (j, 0.5 * (own + others) * f64::from(self.log_scale[i]).exp())
        };
        nearest.iter().enumerate().map(similarity).filter(|entry| entry.1 > 0.0).collect()
    }
}

/// The neighbours without the item itself.
pub(crate) fn without(nearest: &[(f32, u32)], item: u32) -> impl Iterator<Item = (f32, u32)> + '_ {
    nearest.iter().copied().filter(move |&(_, j)| j != item)
}

/// The straight line y ≈ height − β x with the least squares, β ≥ 0.
fn line(x: &[f64], y: &[f64]) -> (f64, f64) {
    let n = x.len().max(1) as f64;
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let (mut xx, mut xy) = (0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        xx += (x - mean_x).powi(2);
        xy += (x - mean_x) * (y - mean_y);
    }
    let beta = if xx > 0.0 { (-xy / xx).max(0.0) } else { 0.0 };
    (beta, mean_y + beta * mean_x)
}

fn check_finite(points: &Points<'_>) -> Result<(), Error> {
    let bad = match points {
        Points::Dense(x) => x.indexed_iter().find(|(_, v)| !v.is_finite()).map(|(at, &v)| (at, f64::from(v))),
        Points::Dense64(x) | Points::Rounded(x) => {
            x.indexed_iter().find(|(_, v)| !v.is_finite()).map(|(at, &v)| (at, v))
        }
        Points::Sparse(_) => None,
    };
    match bad {
        Some(((row, column), value)) => Err(Error::Value { quantity: Quantity::Coordinate, row, column, value }),
        None => Ok(()),
    }
}
