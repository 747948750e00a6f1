//! All measures of one map.

use super::{
    Map, Measure, Nearness, Neighborhoods, QualityOptions, classes, crowding, distance_correlation, divergence,
    neighborhoods,
};
use crate::{
    baseline::{DataDistances, Lengths},
    error::Error,
    input::Data,
    kernel::Kernel,
    neighbors::Metric,
    normalization::{Affinities, Normalization, NormalizeOptions, degrees, normalize},
    observe::{Observer, Stage, report},
    similarity::Similarity,
    sparse::CsrMatrix,
};

/// Which value of a measure is the best.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Better {
    /// The largest.
    Higher,
    /// The nearest to this value.
    Near(f64),
    /// None: the measure is descriptive, or not comparable between maps of different similarities.
    None,
}

impl Better {
    /// How far a value is from the best one; `None` if there is no best.
    pub fn loss(self, value: f64) -> Option<f64> {
        match self {
            Self::Higher => Some(-value),
            Self::Near(target) => Some((value - target).abs()),
            Self::None => None,
        }
    }
}

/// One measure of one map.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedMeasure {
    /// Its identifier in files.
    pub key: String,
    /// Its display name.
    pub label: String,
    /// Which value is the best.
    pub better: Better,
    /// The value.
    pub measure: Measure,
}

/// All measures of one map.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The measures.
    pub measures: Vec<NamedMeasure>,
    /// The R_NX curve, at sizes that grow by about a constant factor.
    pub curve: Vec<(usize, f64)>,
}

/// The data that maps are compared with.
#[derive(Debug, Clone)]
pub struct Subject<'a> {
    data: Data<'a>,
    metric: Metric,
    given: Affinities,
    rows: Affinities,
    p: &'a Affinities,
    degrees: Vec<f64>,
    classes: Option<Vec<Option<u32>>>,
}

/// The main measures use neighbourhoods of this size.
const HEADLINE_SIZE: usize = 10;
/// Number of points of the R_NX curve that are kept.
const CURVE_POINTS: usize = 100;

impl<'a> Subject<'a> {
    /// The data, the similarities computed from them, and the normalised similarities. `metric` is for points.
    pub fn new(
        data: &'a Data<'_>,
        similarity: &Similarity<'_>,
        metric: Metric,
        p: &'a Affinities,
        observer: &mut dyn Observer,
    ) -> Result<Self, Error> {
        let by = |method| NormalizeOptions { method, ..NormalizeOptions::default() };
        let given = normalize(similarity, &by(Normalization::None), observer)?;
        let rows = normalize(similarity, &by(Normalization::Rows), observer)?;
        let degrees = degrees(given.matrix());
        Ok(Self { data: data.borrowed(), metric, given, rows, p, degrees, classes: None })
    }

    /// Adds known classes, one for each item on the maps; items without a class are `None`.
    #[must_use]
    pub fn with_classes(self, classes: Vec<Option<u32>>) -> Self {
        Self { classes: Some(classes), ..self }
    }

    /// The similarities as given, for the items on the maps.
    pub fn given(&self) -> &Affinities {
        &self.given
    }

    /// The row-normalised similarities, for the items on the maps.
    pub fn row_normalized(&self) -> &Affinities {
        &self.rows
    }

    /// The normalised similarities.
    pub fn affinities(&self) -> &'a Affinities {
        self.p
    }

    /// Total similarities as given.
    pub fn degrees(&self) -> &[f64] {
        &self.degrees
    }

    /// Distances in the data between the items on the maps: as given, between points, or along shortest paths.
    pub fn distances(&self) -> Result<DataDistances<'_>, Error> {
        Ok(match &self.data {
            Data::Points(points) => DataDistances::of_points(points, self.metric).of_items(self.p.kept()),
            Data::Distance(distances) => DataDistances::of_given(distances)?.of_items(self.p.kept()),
            // These matrices contain only the kept items already.
            _ => DataDistances::of_paths(Lengths::of_similarity(self.given.matrix())?),
        })
    }

    /// Measures a map of the similarities `own`.
    pub fn evaluate(
        &self,
        map: &Map,
        own: &CsrMatrix<'_>,
        kernel: Kernel,
        options: &QualityOptions,
        observer: &mut dyn Observer,
    ) -> Result<Evaluation, Error> {
        observer.stage(Stage::Measure);
        let has_distances = matches!(self.data, Data::Points(_) | Data::Distance(_));
        let mut list = List::default();
        let of_q = divergence(map, own, kernel, options)?;
        report(observer, 0.2)?;
        list.add("kl", "KL(P‖Q)", Better::None, of_q.kl);
        list.add("kl_at_best_size", "KL(P‖Q) at the map's best size", Better::None, of_q.kl_at_best_size);
        let distances = self.distances()?;
        let near = if has_distances {
            neighborhoods(map, Nearness::Distances(&distances), options)?
        } else {
            neighborhoods(map, Nearness::Similarity(self.given.matrix()), options)?
        };
        report(observer, 0.5)?;
        list.add_neighborhoods(&near, "", "");
        if !has_distances {
            let near = neighborhoods(map, Nearness::Similarity(self.p.matrix()), options)?;
            list.add_neighborhoods(&near, "_equal", ", made equal");
        }
        report(observer, 0.7)?;
        let spearman = distance_correlation(map, &distances, options)?;
        report(observer, 0.8)?;
        list.add("distance_spearman", "rank correlation of distances", Better::Higher, spearman);
        if let Some(labels) = &self.classes {
            let measured = classes(map, labels, options)?;
            list.add("class_accuracy", "class of 10 nearest", Better::Higher, measured.accuracy);
            list.add("silhouette", "silhouette of classes", Better::Higher, measured.silhouette);
        }
        let crowded = crowding(map, &self.degrees)?;
        report(observer, 1.0)?;
        let exact = Measure::exact;
        if let Some(centre) = crowded.centre {
            let label = "degree and nearness to centre";
            list.add("centre_spearman", label, Better::Near(0.0), exact(centre.spearman));
            list.add("centre_share", "degree in inner half", Better::Near(0.5), exact(centre.inner_share));
        }
        if let Some(density) = crowded.density {
            let label = "degree and local density";
            list.add("density_spearman", label, Better::Near(0.0), exact(density.spearman));
            list.add("density_share", "degree in denser half", Better::Near(0.5), exact(density.inner_share));
        }
        list.add("coverage", "coverage (at random: 0.63)", Better::Higher, exact(crowded.coverage));
        list.add("cv_p", "variation of row sums of P", Better::None, exact(of_q.cv_p));
        list.add("cv_q", "variation of row sums of Q", Better::None, of_q.cv_q);
        Ok(Evaluation { measures: list.0, curve: thinned(&near.rnx) })
    }
}

#[derive(Default)]
struct List(Vec<NamedMeasure>);

impl List {
    fn add(&mut self, key: &str, label: &str, better: Better, measure: Measure) {
        self.0.push(NamedMeasure { key: key.to_owned(), label: label.to_owned(), better, measure });
    }

    fn add_neighborhoods(&mut self, near: &Neighborhoods, ending: &str, note: &str) {
        for at in &near.at {
            let k = at.k;
            let mut add = |key: &str, label: &str, measure| {
                self.add(&format!("{key}_{k}{ending}"), &format!("{label} {k}{note}"), Better::Higher, measure);
            };
            add("recall", "recall at", at.recall);
            if k == HEADLINE_SIZE {
                add("trustworthiness", "trustworthiness at", at.trustworthiness);
                add("continuity", "continuity at", at.continuity);
            }
        }
        self.add(&format!("rnx_auc{ending}"), &format!("R_NX, area{note}"), Better::Higher, near.auc);
    }
}

/// Points of the curve at sizes that grow by about a constant factor.
fn thinned(rnx: &[f64]) -> Vec<(usize, f64)> {
    let most = (rnx.len() as f64).ln();
    let mut sizes: Vec<usize> =
        (0..CURVE_POINTS).map(|k| (most * k as f64 / (CURVE_POINTS - 1) as f64).exp().round() as usize).collect();
    sizes.dedup();
    sizes.into_iter().filter(|&k| (1..=rnx.len()).contains(&k)).map(|k| (k, rnx[k - 1])).collect()
}
