//! The measures of quality against scikit-learn, SciPy and plain loops (`reference/make_quality.py`).

use dosnes::{
    CsrMatrix, Kernel, Space,
    baseline::{DataDistances, Lengths},
    input::Points,
    neighbors::Metric,
    normalization::degrees,
    quality::{
        Map, Measure, Nearness, Neighborhoods, QualityOptions, classes, crowding, distance_correlation, divergence,
        neighborhoods,
    },
};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

const TOLERANCE: f64 = 1e-9;

fn reference() -> Value {
    serde_json::from_str(include_str!("../reference/quality.json")).unwrap()
}

fn array(value: &Value) -> Array2<f64> {
    let rows: Vec<Vec<f64>> = serde_json::from_value(value.clone()).unwrap();
    Array2::from_shape_vec((rows.len(), rows[0].len()), rows.concat()).unwrap()
}

fn params() -> QualityOptions {
    QualityOptions { sizes: vec![5, 10, 20], ..QualityOptions::default() }
}

#[track_caller]
fn close(ours: f64, theirs: &Value) {
    let theirs = theirs.as_f64().unwrap();
    assert!((ours - theirs).abs() < TOLERANCE, "{ours} {theirs}");
}

#[track_caller]
fn exact(ours: Measure, theirs: &Value) {
    assert_eq!(ours.margin, None);
    close(ours.value, theirs);
}

/// Calls `test` with each map of the reference file.
fn for_each_map(test: impl Fn(&Map, &Value, &Value)) {
    let reference = reference();
    for (name, space) in [("plane", Space::Plane), ("space", Space::Volume), ("sphere", Space::Sphere)] {
        let expected = &reference["maps"][name];
        let map = Map::new(array(&expected["coordinates"]).view(), space).unwrap();
        test(&map, &reference, expected);
    }
}

fn graph(reference: &Value) -> CsrMatrix<'static> {
    let dense = array(&reference["graph"]);
    let entries = dense.indexed_iter().filter(|&(_, &v)| v > 0.0);
    let triplets: Vec<_> = entries.map(|((i, j), &v)| (i as u32, j as u32, v)).collect();
    CsrMatrix::from_triplets(dense.dim(), &triplets).unwrap()
}

fn points(reference: &Value) -> Points<'static> {
    Points::from(array(&reference["points"]).mapv(|v| v as f32))
}

fn agrees(found: &Neighborhoods, expected: &Value) {
    for at in &found.at {
        let expected = &expected["at"][at.k.to_string()];
        exact(at.recall, &expected[0]);
        exact(at.trustworthiness, &expected[1]);
        exact(at.continuity, &expected[2]);
    }
    assert_eq!(found.at.len(), 3);
    let rnx = expected["rnx"].as_array().unwrap();
    assert_eq!(found.rnx.len(), rnx.len());
    for (ours, theirs) in found.rnx.iter().zip(rnx) {
        close(*ours, theirs);
    }
    exact(found.auc, &expected["auc"]);
}

#[test]
fn neighbourhoods_of_points_agree_with_scikit_learn_and_with_loops() {
    for_each_map(|map, reference, expected| {
        let points = points(reference);
        let data = DataDistances::of_points(&points, Metric::Euclidean);
        let found = neighborhoods(map, Nearness::Distances(&data), &params()).unwrap();
        agrees(&found, &expected["of_points"]);
        for at in &found.at {
            exact(at.trustworthiness, &expected["sklearn_trustworthiness"][at.k.to_string()]);
            exact(at.continuity, &expected["sklearn_continuity"][at.k.to_string()]);
        }
    });
}

#[test]
fn neighbourhoods_of_a_graph_full_of_ties_agree_with_loops() {
    for_each_map(|map, reference, expected| {
        let graph = graph(reference);
        agrees(&neighborhoods(map, Nearness::Similarity(&graph), &params()).unwrap(), &expected["of_graph"]);
    });
}

#[test]
fn rank_correlations_agree_with_scipy() {
    for_each_map(|map, reference, expected| {
        let points = points(reference);
        let data = DataDistances::of_points(&points, Metric::Euclidean);
        let found = distance_correlation(map, &data, &params()).unwrap();
        exact(found, &expected["spearman"]);
    });
}

#[test]
fn classes_agree_with_scikit_learn_and_with_loops() {
    for_each_map(|map, reference, expected| {
        let labels = |name: &str| -> Vec<Option<u32>> {
            reference[name].as_array().unwrap().iter().map(|v| v.as_u64().map(|v| v as u32)).collect()
        };
        let all = classes(map, &labels("labels"), &params()).unwrap();
        exact(all.accuracy, &expected["accuracy"]);
        exact(all.silhouette, &expected["sklearn_silhouette"]);
        let with_gaps = classes(map, &labels("labels_with_gaps"), &params()).unwrap();
        exact(with_gaps.accuracy, &expected["accuracy_with_gaps"]);
        exact(with_gaps.silhouette, &expected["sklearn_silhouette_with_gaps"]);
    });
}

#[test]
fn crowding_agrees_with_scipy() {
    for_each_map(|map, reference, expected| {
        let found = crowding(map, &degrees(&graph(reference))).unwrap();
        let density = found.density.unwrap();
        close(density.spearman, &expected["crowding"]["density"][0]);
        close(density.inner_share, &expected["crowding"]["density"][1]);
        assert_eq!(found.centre.is_none(), map.space() == Space::Sphere);
        if let Some(centre) = found.centre {
            close(centre.spearman, &expected["crowding"]["centre"][0]);
            close(centre.inner_share, &expected["crowding"]["centre"][1]);
        }
    });
}

#[test]
fn divergences_agree_with_full_matrices() {
    for_each_map(|map, reference, expected| {
        for (name, kernel) in [("cauchy", Kernel::Cauchy), ("gaussian", Kernel::Gaussian)] {
            let found = divergence(map, &graph(reference), kernel, &params()).unwrap();
            let expected = &expected["divergence"][name];
            exact(found.kl, &expected["kl"]);
            // Both are found by a search that ends where KL is flat.
            let best = expected["kl_at_best_size"].as_f64().unwrap();
            assert!((found.kl_at_best_size.value - best).abs() < 1e-7);
            close(found.cv_p, &expected["cv_p"]);
            exact(found.cv_q, &expected["cv_q"]);
        }
    });
}

#[test]
fn the_best_size_does_not_depend_on_the_size_of_the_map() {
    let reference = reference();
    let y = array(&reference["maps"]["plane"]["coordinates"]);
    let n = y.nrows();
    let squared = |i: usize, j: usize| (&y.row(i) - &y.row(j)).mapv(|v| v * v).sum();
    let pairs = (0..n).flat_map(|i| (0..n).filter(move |&j| j != i).map(move |j| (i, j)));
    let triplets: Vec<_> = pairs.map(|(i, j)| (i as u32, j as u32, 1.0 / (1.0 + squared(i, j)))).collect();
    let p = CsrMatrix::from_triplets((n, n), &triplets).unwrap();
    let map = Map::new((&y * 3.0).view(), Space::Plane).unwrap();
    let found = divergence(&map, &p, Kernel::Cauchy, &params()).unwrap();
    assert!(found.kl.value > 0.01);
    assert!(found.kl_at_best_size.value.abs() < 1e-10);
    assert!((3.0 * found.best_size - 1.0).abs() < 1e-5, "{}", found.best_size);
}

/// A ring of items with chords, placed with noise: large enough to be sampled.
fn large(n: usize) -> (CsrMatrix<'static>, Array2<f64>, Vec<Option<u32>>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut triplets = Vec::new();
    for i in 0..n as u32 {
        for step in 1..=8 {
            let (j, weight) = ((i + step) % n as u32, rng.random_range(0.5..2.0));
            triplets.extend([(i, j, weight), (j, i, weight)]);
        }
    }
    let map = Array2::from_shape_fn((n, 2), |(i, axis)| {
        let angle = std::f64::consts::TAU * i as f64 / n as f64;
        100.0 * if axis == 0 { angle.cos() } else { angle.sin() } + rng.random_range(-0.6..0.6)
    });
    let labels = (0..n).map(|i| Some((6 * i / n) as u32)).collect();
    (CsrMatrix::from_triplets((n, n), &triplets).unwrap(), map, labels)
}

#[test]
fn sampled_measures_lie_within_their_intervals() {
    let (graph, coordinates, labels) = large(1500);
    let map = Map::new(coordinates.view(), Space::Plane).unwrap();
    let all = params();
    let sampled = QualityOptions { exact_up_to: 100, rows: 300, ..params() };
    let lengths = DataDistances::of_paths(Lengths::of_similarity(&graph).unwrap());
    let measures = |params: &QualityOptions| -> Vec<Measure> {
        let near = neighborhoods(&map, Nearness::Similarity(&graph), params).unwrap();
        let of_classes = classes(&map, &labels, params).unwrap();
        let of_p = divergence(&map, &graph, Kernel::Cauchy, params).unwrap();
        let mut measures: Vec<Measure> =
            near.at.iter().flat_map(|at| [at.recall, at.trustworthiness, at.continuity]).collect();
        measures.extend([near.auc, of_classes.accuracy, of_classes.silhouette, of_p.kl, of_p.cv_q]);
        measures.push(distance_correlation(&map, &lengths, params).unwrap());
        measures
    };
    for (exact, sampled) in measures(&all).into_iter().zip(measures(&sampled)) {
        assert_eq!(exact.margin, None);
        // Twice the interval, because fifteen of them must hold for one seed.
        let margin = sampled.margin.unwrap();
        assert!((exact.value - sampled.value).abs() <= 2.0 * margin + 1e-12, "{exact:?} {sampled:?}");
    }
}

#[test]
fn measures_are_the_same_bytes_on_any_number_of_threads() {
    let (graph, coordinates, _) = large(700);
    let map = Map::new(coordinates.view(), Space::Plane).unwrap();
    let on = |threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let near = neighborhoods(&map, Nearness::Similarity(&graph), &params()).unwrap();
            let of_p = divergence(&map, &graph, Kernel::Cauchy, &params()).unwrap();
            (near, of_p, crowding(&map, &degrees(&graph)).unwrap())
        })
    };
    assert_eq!(on(1), on(3));
}
