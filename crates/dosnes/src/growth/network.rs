//! What a model keeps of a graph, of similarities or of dyadic data: the similarities S before walks were added and scaled. A new
//! item has similarities to old ones, the steps of a walk that begins with these, and the factors of the old items.

use super::{
    completed::Completed,
    misfit::rounded,
    model::{ModelError, ModelParts},
    place::{FrozenMap, NewItem, Similar},
    scales::log_scales,
};
use crate::{
    error::{Error, Quantity},
    normalization::{Rule, before_scaling, kept_per_row, strongest_of_dyadic},
    observe::Observer,
    sparse::{CsrMatrix, Row, keep_strongest},
    sphere::Vec3,
};
use rayon::prelude::*;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NetworkModel {
    /// S in units of `unit`, rounded to single precision: symmetric, without diagonal.
    pub(crate) s: CsrMatrix<'static>,
    pub(crate) unit: f64,
    /// How longer walks were added; `None` for S alone.
    pub(crate) walk: Option<WalkWeights>,
    /// How much each item has of them; `None` if it is the same for all, and there are two steps.
    pub(crate) completed: Option<Completed>,
    /// Whether all items have the same total similarity. If not, the mean total.
    pub(crate) mean_total: Option<f64>,
    /// The logarithm of the factor by which the normalisation scaled the similarities of each item.
    pub(crate) log_scale: Vec<f32>,
    /// How scattered the neighbours of each item are around it on the map.
    pub(crate) scattered: Vec<f32>,
    /// For dyadic data: the rows of the items, each with the sum 1 in half of the columns' factors.
    pub(crate) incidence: Option<Incidence>,
}

/// How longer walks were added to one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WalkWeights {
    /// The exponent by which strong partners are discounted.
    pub(crate) discount: f64,
    /// The weight of the longer walks, if it is the same for all items.
    pub(crate) longer: f64,
    /// The total weight of the background.
    pub(crate) background: f64,
}

/// Dyadic data of the items of the map.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Incidence {
    /// B, n × m, rounded to single precision.
    pub(crate) matrix: CsrMatrix<'static>,
    /// The names of its columns; empty if they are not known.
    pub(crate) partners: Vec<String>,
    /// Whether S is the random walk between items and columns, or else BBᵀ.
    pub(crate) is_walk: bool,
}

impl NetworkModel {
    pub(crate) fn new(
        parts: &ModelParts<'_, '_, '_>,
        dyadic: Option<&CsrMatrix<'_>>,
        directions: &[Vec3],
        radius: f64,
        observer: &mut dyn Observer,
    ) -> Result<Self, ModelError> {
        let p = parts.affinities;
        let report = p.report();
        let walk = match report.mixture {
            Some(mixture) if mixture.steps != 2 && !mixture.completed => return Err(ModelError::Steps(mixture.steps)),
            Some(mixture) => Some(WalkWeights {
                discount: mixture.discount,
                longer: mixture.longer_walks,
                background: mixture.background,
            }),
            None => None,
        };
        let equal = match report.rule {
            Rule::Exact | Rule::Soft => true,
            Rule::Untouched => false,
            Rule::DiagonalDropped | Rule::Unequal => return Err(ModelError::Normalization),
        };
        let before = before_scaling(&parts.similarities.similarity, p, observer)?;
        let log_scale = log_scales(&before.mixed, p.matrix())?;
        let single = |values: &[f64]| values.iter().map(|&value| value as f32).collect();
        let completed = before.completion.zip(report.mixture).map(|(factors, mixture)| Completed {
            steps: mixture.steps,
            gravity: mixture.gravity,
            direct: single(&factors.direct),
            longer: single(&factors.longer),
        });
        let largest = before.source.values().iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        // For dyadic data, S is computed again from the rounded rows.
        let unit = if dyadic.is_some() { 1.0 } else { largest };
        let incidence = dyadic.map(|b| Incidence {
            matrix: rows_of(b, p.kept()).mapped(|_, _, value| f64::from(value as f32)),
            partners: parts.columns.map(<[String]>::to_vec).unwrap_or_default(),
            is_walk: report.method == crate::Normalization::Walk,
        });
        let s = before.source.mapped(|_, _, value| f64::from((value / unit) as f32)).filtered(|_, _, v| v > 0.0);
        let total: f64 = p.matrix().values().iter().sum();
        let map = FrozenMap::new(directions, radius, parts.kernel, 1.0);
        let scattered = (0..p.len())
            .into_par_iter()
            .map(|i| {
                let row = p.matrix().row(i);
                let sum = row.sum().max(f64::MIN_POSITIVE);
                let shares: Vec<(u32, f64)> = row.iter().map(|(j, value)| (j as u32, value / sum)).collect();
                rounded(map.scatter(&shares, &directions[i]))
            })
            .collect();
        let mean_total = (!equal).then(|| total / p.len().max(1) as f64);
        let s = match &incidence {
            Some(incidence) => incidence.similarities()?,
            None => s,
        };
        Ok(Self { s, unit, walk, completed, mean_total, log_scale, scattered, incidence })
    }

    /// The number of columns that the rows of new items have.
    pub(crate) fn columns(&self) -> usize {
        self.incidence.as_ref().map_or(self.s.rows(), |incidence| incidence.matrix.columns())
    }

    /// New items from their similarities to the items of the map, or from their rows of dyadic data.
    pub(crate) fn similar(&self, new: &CsrMatrix<'_>) -> Result<Vec<Similar>, Error> {
        if new.columns() != self.columns() {
            return Err(Error::Columns { found: new.columns(), expected: self.columns() });
        }
        if let Some((row, column, value)) = new.iter().find(|&(_, _, value)| value < 0.0) {
            return Err(Error::Value { quantity: Quantity::Similarity, row, column, value });
        }
        let totals = Totals::of(&self.s, self.walk.map_or(0.0, |walk| walk.discount));
        let by_column = self.incidence.as_ref().map(Incidence::by_column);
        let of_row = |scratch: &mut Vec<f64>, row: usize| {
            let row = new.row(row);
            let direct: Vec<(u32, f64)> = match (&self.incidence, &by_column) {
                (Some(incidence), Some(columns)) => incidence.of_new(row, columns, self.s.rows(), scratch),
                _ => row.iter().map(|(j, value)| (j as u32, value / self.unit)).collect(),
            };
            let direct: Vec<(u32, f64)> = direct.into_iter().filter(|entry| entry.1 > 0.0).collect();
            let similar = self.scaled(self.mixed(&direct, &totals, scratch, None));
            let total: f64 = similar.iter().map(|entry| entry.1).sum::<f64>().max(f64::MIN_POSITIVE);
            let shares = similar.iter().map(|&(j, p)| (j, p / total)).collect();
            Similar { item: NewItem { similar, same_as: None, held_at: None }, shares, signs: Vec::new() }
        };
        let n = self.s.rows();
        Ok((0..new.rows()).into_par_iter().map_init(|| vec![0.0; n], of_row).collect())
    }

    /// The steps of the walk and the background, as for the items of the map.
    ///
    /// `inside` is the number of an item that is part of S already. If there is none, the walk goes as if the item had been added.
    pub(super) fn mixed(
        &self,
        direct: &[(u32, f64)],
        totals: &Totals,
        far: &mut [f64],
        inside: Option<usize>,
    ) -> Vec<(u32, f64)> {
        let Some(walk) = self.walk else { return direct.to_vec() };
        if let Some(completed) = &self.completed {
            let row = self.row_of(direct, completed.steps, (totals, walk.discount), far, inside);
            return self.completed(&row, completed, walk, inside);
        }
        let sum: f64 = direct.iter().map(|entry| entry.1).sum();
        if sum <= 0.0 {
            return Vec::new();
        }
        let own = sum.powf(-walk.discount);
        let added = if inside.is_some() { 0.0 } else { own };
        let normalizer: f64 = direct.iter().map(|&(j, w)| w * totals.preference[j as usize]).sum();
        for &(v, w) in direct {
            let middle = v as usize;
            let through = w * totals.preference[middle] / (totals.normalizer[middle] + w * added);
            for (j, similarity) in self.s.row(middle).iter() {
                far[j] += through * similarity;
            }
        }
        let n = self.s.rows();
        let factor =
            |j: usize, w: f64| 0.5 * (totals.preference[j] / normalizer + own / (totals.normalizer[j] + w * added));
        let mut longer: Vec<(u32, f64)> = Vec::new();
        for (j, sum) in far.iter_mut().enumerate() {
            if *sum > 0.0 && inside != Some(j) {
                longer.push((j as u32, walk.longer * *sum * factor(j, 0.0)));
            }
            *sum = 0.0;
        }
        keep_strongest(inside.unwrap_or(n), &mut longer, kept_per_row(n));
        let everywhere = if kept_per_row(n) == n { walk.background / n as f64 } else { 0.0 };
        let mut all: Vec<(u32, f64)> =
            direct.iter().map(|&(j, w)| (j, w * factor(j as usize, w))).chain(longer).collect();
        if everywhere > 0.0 {
            all.extend((0..n as u32).filter(|&j| inside != Some(j as usize)).map(|j| (j, everywhere)));
        }
        all.sort_by_key(|entry| entry.0);
        all.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        all
    }

    /// With the factors of the items of the map, and the sum 1 if the sums of the map are equal.
    pub(super) fn scaled(&self, mut similar: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
        for (j, value) in &mut similar {
            *value *= f64::from(self.log_scale[*j as usize]).exp();
        }
        let total: f64 = similar.iter().map(|entry| entry.1).sum();
        let divisor = self.mean_total.unwrap_or(total).max(f64::MIN_POSITIVE);
        for (_, value) in &mut similar {
            *value /= divisor;
        }
        similar
    }
}

/// The walk on S: w_j = s_j^(−b), and Z_j = Σ_k S_jk w_k.
pub(super) struct Totals {
    pub(super) preference: Vec<f64>,
    pub(super) normalizer: Vec<f64>,
}

impl Totals {
    pub(super) fn of(s: &CsrMatrix<'_>, discount: f64) -> Self {
        let preference: Vec<f64> = s.iter_rows().map(|row| row.sum().powf(-discount)).collect();
        let normalizer = s.iter_rows().map(|row| row.iter().map(|(j, value)| value * preference[j]).sum()).collect();
        Self { preference, normalizer }
    }
}

impl Incidence {
    /// S of the items of the map, without diagonal.
    pub(crate) fn similarities(&self) -> Result<CsrMatrix<'static>, Error> {
        let s = strongest_of_dyadic(&self.matrix.without_empty_columns(), self.is_walk)?;
        let kept: Vec<usize> = (0..s.rows()).collect();
        Ok(s.principal_submatrix(&kept, false))
    }

    /// The rows with their shares, by column, and the sum of each column.
    fn by_column(&self) -> Columns {
        let shares = if self.is_walk { self.shares() } else { self.matrix.borrowed().into_owned() };
        let transposed = shares.transposed();
        let sums = transposed.iter_rows().map(|column| if self.is_walk { column.sum() } else { 1.0 }).collect();
        Columns { transposed, sums }
    }

    /// A_ik = B_ik / Σ_u B_iu.
    fn shares(&self) -> CsrMatrix<'static> {
        let sums: Vec<f64> = self.matrix.iter_rows().map(|row| row.sum().max(f64::MIN_POSITIVE)).collect();
        self.matrix.mapped(|i, _, value| value / sums[i])
    }

    /// The similarities of a new row: Σ_k A_xk A_jk / (Σ_v A_vk + A_xk), or Σ_k B_xk B_jk.
    fn of_new(&self, row: Row<'_>, columns: &Columns, n: usize, scratch: &mut [f64]) -> Vec<(u32, f64)> {
        let sum: f64 = if self.is_walk { row.sum() } else { 1.0 };
        for (k, value) in row.iter() {
            let share = value / sum.max(f64::MIN_POSITIVE);
            let divisor = if self.is_walk { columns.sums[k] + share } else { 1.0 };
            for (j, other) in columns.transposed.row(k).iter() {
                scratch[j] += share * other / divisor.max(f64::MIN_POSITIVE);
            }
        }
        let mut found = Vec::new();
        for (j, sum) in scratch[..n].iter_mut().enumerate() {
            if *sum > 0.0 {
                found.push((j as u32, *sum));
                *sum = 0.0;
            }
        }
        found
    }
}

struct Columns {
    transposed: CsrMatrix<'static>,
    sums: Vec<f64>,
}

/// The rows `kept` of a matrix.
fn rows_of(matrix: &CsrMatrix<'_>, kept: &[usize]) -> CsrMatrix<'static> {
    let rows = kept.iter().map(|&i| {
        let row = matrix.row(i);
        (row.columns().to_vec(), row.values().to_vec())
    });
    CsrMatrix::from_rows((kept.len(), matrix.columns()), rows.collect())
}
