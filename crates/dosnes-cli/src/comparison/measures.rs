//! All measures of one map, as rows of a table.

use crate::failure::{self, Failure};
use anyhow::Result;
use dosnes::{
    DoublyStochastic, Error, Similarity,
    baseline::{DataDistances, DistanceRows, Lengths},
    input::{Csr, Data, Items, Values},
    neighbors::Metric,
    normalize::{self, Method, degrees},
    quality::{
        Map, Measure, Nearness, Neighborhoods, Params, classes, crowding, distance_correlation, divergence,
        neighborhoods,
    },
    repulsion::Kernel,
};
use std::collections::HashMap;

/// Which value of a measure is the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Better {
    /// The largest.
    Higher,
    /// The nearest to this one.
    Near(f64),
    /// There is no best: it describes, or is not comparable between maps of different similarities.
    None,
}

/// One measure of one map.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// Its name in files.
    pub(crate) key: String,
    /// Its name for people.
    pub(crate) label: String,
    /// Which value is the best.
    pub(crate) better: Better,
    /// The value.
    pub(crate) measure: Measure,
}

/// All measures of one map.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    /// The numbers.
    pub(crate) rows: Vec<Row>,
    /// The R_NX curve, at sizes that grow by about the same factor.
    pub(crate) curve: Vec<(usize, f64)>,
}

/// The data that maps are measured against.
pub(crate) struct Subject<'a> {
    /// What was read.
    data: &'a Data,
    metric: Metric,
    /// The items that are on the maps.
    pub(crate) items: Items,
    /// Their similarities as given, without a diagonal.
    pub(crate) given: Csr,
    /// And as the normalisation made them.
    pub(crate) p: &'a DoublyStochastic,
    /// Total similarities as given.
    pub(crate) degrees: Vec<f64>,
    classes: Option<Vec<Option<u32>>>,
}

/// The measures that a reader looks at first, at this size of neighbourhoods.
const HEADLINE_SIZE: usize = 10;
/// Points of the R_NX curve that are kept.
const CURVE_POINTS: usize = 100;

impl<'a> Subject<'a> {
    /// The data, with the similarities that were made of them.
    pub(crate) fn new(
        data: &'a Data,
        items: &Items,
        similarity: &Similarity,
        metric: Metric,
        p: &'a DoublyStochastic,
        classes: Option<&str>,
    ) -> Result<Self> {
        let untouched = normalize::Params { method: Method::None, ..normalize::Params::default() };
        let given = dosnes::normalize(similarity, &untouched).map_err(|e| failure::of_library(e, items))?;
        let mut items = items.select(p.kept());
        let of_items = classes.map(|name| class_column(&items, name)).transpose()?;
        // Numbers that stand for classes are names, in figures too.
        let column = items.columns.iter_mut().find(|column| Some(column.name.as_str()) == classes);
        if let Some(column) = column
            && let Values::Number(numbers) = &column.values
        {
            let name = |v: &f64| if v.is_finite() { v.to_string() } else { String::new() };
            column.values = Values::Text(numbers.iter().map(name).collect());
        }
        let given = given.matrix().clone();
        let degrees = degrees(&given);
        Ok(Self { data, metric, items, given, p, degrees, classes: of_items })
    }

    /// Whether the data came as distances or points, so that these say what is near.
    fn has_distances(&self) -> bool {
        matches!(self.data, Data::Points(_) | Data::Distance(_))
    }

    /// Hands `f` the distances in the data between the items that are on the maps.
    pub(crate) fn with_distances<R>(&self, f: impl FnOnce(&dyn DistanceRows) -> R) -> Result<R, Error> {
        let whole = match self.data {
            Data::Points(points) => DataDistances::Points(points, self.metric),
            Data::Distance(distances) => DataDistances::of_given(distances)?,
            // These are of the kept items already.
            _ => return Ok(f(&Lengths::of_similarity(&self.given))),
        };
        whole.with_rows(|rows| f(&Kept { rows, kept: self.p.kept() }))
    }

    /// Measures a map that was made from the similarities `own`.
    pub(crate) fn measure(&self, map: &Map, own: &Csr, kernel: Kernel, params: &Params) -> Result<Measured, Error> {
        let mut rows = Vec::new();
        let of_q = divergence(map, own, kernel, params)?;
        push(&mut rows, "kl", "KL(P‖Q)", Better::None, of_q.kl);
        push(&mut rows, "kl_at_best_size", "KL(P‖Q) at the map's best size", Better::None, of_q.kl_at_best_size);
        let near = if self.has_distances() {
            self.with_distances(|data| neighborhoods(map, Nearness::Distances(data), params))??
        } else {
            neighborhoods(map, Nearness::Similarity(&self.given), params)?
        };
        push_neighborhoods(&mut rows, &near, "", "");
        if !self.has_distances() {
            let near = neighborhoods(map, Nearness::Similarity(self.p.matrix()), params)?;
            push_neighborhoods(&mut rows, &near, "_equal", ", made equal");
        }
        let spearman = self.with_distances(|data| distance_correlation(map, data, params))??;
        push(&mut rows, "distance_spearman", "rank correlation of distances", Better::Higher, spearman);
        if let Some(labels) = &self.classes {
            let measured = classes(map, labels, params)?;
            push(&mut rows, "class_accuracy", "class of 10 nearest", Better::Higher, measured.accuracy);
            push(&mut rows, "silhouette", "silhouette of classes", Better::Higher, measured.silhouette);
        }
        let crowded = crowding(map, &self.degrees, params)?;
        let plain = |value| Measure { value, margin: None };
        if let Some(centre) = crowded.centre {
            push(
                &mut rows,
                "centre_spearman",
                "degree and nearness to centre",
                Better::Near(0.0),
                plain(centre.spearman),
            );
            push(&mut rows, "centre_share", "degree in inner half", Better::Near(0.5), plain(centre.inner_share));
        }
        if let Some(density) = crowded.density {
            push(&mut rows, "density_spearman", "degree and local density", Better::Near(0.0), plain(density.spearman));
            push(&mut rows, "density_share", "degree in denser half", Better::Near(0.5), plain(density.inner_share));
        }
        push(&mut rows, "coverage", "coverage (at random: 0.63)", Better::Higher, plain(crowded.coverage));
        push(&mut rows, "cv_p", "variation of row sums of P", Better::None, plain(of_q.cv_p));
        push(&mut rows, "cv_q", "variation of row sums of Q", Better::None, of_q.cv_q);
        Ok(Measured { rows, curve: thinned(&near.rnx) })
    }
}

fn push(rows: &mut Vec<Row>, key: &str, label: &str, better: Better, measure: Measure) {
    rows.push(Row { key: key.to_owned(), label: label.to_owned(), better, measure });
}

fn push_neighborhoods(rows: &mut Vec<Row>, near: &Neighborhoods, ending: &str, note: &str) {
    for at in &near.at {
        let k = at.k;
        let mut add = |key: &str, label: &str, measure| {
            push(rows, &format!("{key}_{k}{ending}"), &format!("{label} {k}{note}"), Better::Higher, measure);
        };
        add("recall", "recall at", at.recall);
        if k == HEADLINE_SIZE {
            add("trustworthiness", "trustworthiness at", at.trustworthiness);
            add("continuity", "continuity at", at.continuity);
        }
    }
    push(rows, &format!("rnx_auc{ending}"), &format!("R_NX, area{note}"), Better::Higher, near.auc);
}

/// Points of the curve at sizes that grow by about the same factor.
fn thinned(rnx: &[f64]) -> Vec<(usize, f64)> {
    let most = (rnx.len() as f64).ln();
    let mut sizes: Vec<usize> =
        (0..CURVE_POINTS).map(|k| (most * k as f64 / (CURVE_POINTS - 1) as f64).exp().round() as usize).collect();
    sizes.dedup();
    sizes.into_iter().filter(|&k| (1..=rnx.len()).contains(&k)).map(|k| (k, rnx[k - 1])).collect()
}

/// The classes of the items by a column: texts, or numbers that stand for classes. What is missing has no class.
fn class_column(items: &Items, name: &str) -> Result<Vec<Option<u32>>> {
    let Some(column) = items.column(name) else {
        let names: Vec<&str> = items.columns.iter().map(|column| column.name.as_str()).collect();
        let there =
            if names.is_empty() { "there is none".to_owned() } else { format!("there are {}", names.join(", ")) };
        return Err(Failure::BadInput(format!("no column \"{name}\" of classes; {there}")).into());
    };
    let texts: Vec<Option<String>> = match &column.values {
        Values::Text(texts) => texts.iter().map(|t| (!t.is_empty()).then(|| t.clone())).collect(),
        Values::Number(numbers) => numbers.iter().map(|v| v.is_finite().then(|| v.to_string())).collect(),
    };
    let mut known: HashMap<String, u32> = HashMap::new();
    let classes: Vec<Option<u32>> = texts
        .into_iter()
        .map(|text| {
            let next = known.len() as u32;
            text.map(|text| *known.entry(text).or_insert(next))
        })
        .collect();
    let labelled = classes.iter().flatten().count();
    if known.len() < 2 || 2 * known.len() > labelled {
        return Err(Failure::BadInput(format!(
            "the column \"{name}\" has {} different values for {labelled} items; classes are at least two, and shared",
            known.len()
        ))
        .into());
    }
    Ok(classes)
}

/// Some of the items.
struct Kept<'a> {
    rows: &'a dyn DistanceRows,
    kept: &'a [usize],
}

impl DistanceRows for Kept<'_> {
    fn len(&self) -> usize {
        self.kept.len()
    }

    fn fill(&self, i: usize, out: &mut [f64]) {
        if self.kept.len() == self.rows.len() {
            return self.rows.fill(i, out);
        }
        let mut whole = vec![0.0; self.rows.len()];
        self.rows.fill(self.kept[i], &mut whole);
        for (out, &j) in out.iter_mut().zip(self.kept) {
            *out = whole[j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::input::Column;

    #[test]
    fn classes_are_texts_or_numbers_and_may_be_missing() {
        let column = |values| Column { name: "c".into(), values };
        let items = |values: Values| Items { columns: vec![column(values)], ..Items::numbered(5) };
        let texts = Values::Text(["b", "a", "", "a", "b"].map(String::from).to_vec());
        assert_eq!(class_column(&items(texts), "c").unwrap(), [Some(0), Some(1), None, Some(1), Some(0)]);
        let numbers = Values::Number(vec![3.0, 3.0, f64::NAN, 1.0, 1.0]);
        assert_eq!(class_column(&items(numbers), "c").unwrap(), [Some(0), Some(0), None, Some(1), Some(1)]);
        let all_different = Values::Number(vec![1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!(class_column(&items(all_different), "c").is_err());
        let message = class_column(&Items::numbered(3), "x").unwrap_err().to_string();
        assert_eq!(message, "no column \"x\" of classes; there is none");
    }

    #[test]
    fn a_curve_is_thinned_on_a_logarithmic_scale() {
        let curve = thinned(&vec![0.5; 5000]);
        assert_eq!(curve.first(), Some(&(1, 0.5)));
        assert_eq!(curve.last().map(|p| p.0), Some(5000));
        assert!(curve.len() <= CURVE_POINTS && curve.windows(2).all(|w| w[0].0 < w[1].0));
    }
}
