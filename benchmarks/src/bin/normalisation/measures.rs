//! What is measured on a map of a graph.

use crate::data::Subject;
use dosnes::{
    Affinities, CsrMatrix, Embedding, Normalization, NormalizeOptions,
    normalization::degrees,
    normalize,
    observe::Silent,
    quality::{Map, Nearness, QualityOptions, classes, crowding, geography, neighborhoods},
};
use rayon::prelude::*;

/// At most this many items are measured, evenly chosen.
const SAMPLE: usize = 5000;

/// The measures of one map. `None` where there is no truth to compare with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Measures {
    /// Variation of the row sums of P.
    pub(crate) cv: f64,
    /// Largest deviation of a row sum from 1.
    pub(crate) residual: f64,
    /// Mean Jaccard of an item's neighbours and as many nearest items on the map (NP1 in graph drawing).
    pub(crate) jaccard: f64,
    /// Share of an item's neighbours among as many nearest items, over all items and over those with several neighbours.
    pub(crate) recall: f64,
    pub(crate) recall_without_leaves: f64,
    /// Share of the ten strongest similarities as given that are among the ten nearest.
    pub(crate) recall_10: f64,
    pub(crate) class: Option<f64>,
    pub(crate) geography: Option<f64>,
    pub(crate) km: Option<f64>,
    /// Rank correlation of degree and local density.
    pub(crate) crowding: f64,
    pub(crate) coverage: f64,
    pub(crate) radius: f64,
    pub(crate) steps: f64,
    pub(crate) seconds: f64,
}

/// Measures a map.
pub(crate) fn measure(
    subject: &Subject,
    p: &Affinities,
    embedding: &Embedding,
) -> Result<Measures, Box<dyn std::error::Error>> {
    let map = Map::new(embedding.coordinates.view(), embedding.space)?;
    let untouched = NormalizeOptions { method: Normalization::None, ..NormalizeOptions::default() };
    let given = normalize(&subject.similarity, &untouched, &mut Silent)?;
    let options = QualityOptions::default();
    let strengths = degrees(given.matrix());
    let crowded = crowding(&map, &strengths)?;
    let near = neighborhoods(&map, Nearness::Similarity(given.matrix()), &options)?;
    let at_degree = at_degree(&map, given.matrix());
    let kept = |of: &[Option<u32>]| p.kept().iter().map(|&i| of[i]).collect::<Vec<_>>();
    let class = match &subject.classes {
        Some(of) => Some(classes(&map, &kept(of), &options)?.accuracy.value),
        None => None,
    };
    let earth = match &subject.places {
        Some((lat, lon)) => {
            let of = |all: &[f64]| p.kept().iter().map(|&i| all[i]).collect::<Vec<_>>();
            Some(geography(&map, &of(lat), &of(lon))?)
        }
        None => None,
    };
    Ok(Measures {
        cv: p.report().after.cv,
        residual: degrees(p.matrix()).iter().map(|sum| (sum - 1.0).abs()).fold(0.0, f64::max),
        jaccard: at_degree[0],
        recall: at_degree[1],
        recall_without_leaves: at_degree[2],
        recall_10: near.at.iter().find(|at| at.k == 10).map_or(f64::NAN, |at| at.recall.value),
        class,
        geography: earth.map(|earth| earth.spearman),
        km: earth.map(|earth| earth.median_km),
        crowding: crowded.density.map_or(0.0, |density| density.spearman),
        coverage: crowded.coverage,
        radius: embedding.radius.unwrap_or(0.0),
        steps: embedding.iterations as f64,
        seconds: 0.0,
    })
}

/// Jaccard and recall of neighbours at each item's degree, and the recall of items with several neighbours.
fn at_degree(map: &Map, graph: &CsrMatrix<'_>) -> [f64; 3] {
    let n = graph.rows();
    let step = n.div_ceil(SAMPLE);
    let rows: Vec<(f64, f64, usize)> = (0..n)
        .into_par_iter()
        .filter(|i| i % step == 0)
        .map(|i| {
            let row = graph.get_row(i).map(dosnes::Row::columns).unwrap_or_default();
            let near = map.nearest_items(i, row.len()).unwrap_or_default();
            let hits = near.iter().filter(|&&j| row.binary_search(&(j as u32)).is_ok()).count() as f64;
            let degree = row.len() as f64;
            (hits / (2.0 * degree - hits), hits / degree, row.len())
        })
        .collect();
    let mean = |values: &mut dyn Iterator<Item = f64>| {
        let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
        sum / count
    };
    [
        mean(&mut rows.iter().map(|row| row.0)),
        mean(&mut rows.iter().map(|row| row.1)),
        mean(&mut rows.iter().filter(|row| row.2 > 1).map(|row| row.1)),
    ]
}
