//! Multidimensional scaling against NumPy and scikit-learn (`reference/make_scaling.py`) and R (`reference/make_isomds.R`).

use dosnes::{
    CsrMatrix, Error, Similarity, Space,
    baseline::{DataDistances, Lengths, Scaling, ScalingOptions, classical_scaling, nonmetric_scaling},
    observe::Silent,
};
use ndarray::Array2;
use serde_json::Value;
use std::collections::HashMap;

fn reference() -> Value {
    serde_json::from_str(include_str!("../reference/scaling.json")).unwrap()
}

fn array(value: &Value) -> Array2<f64> {
    let rows: Vec<Vec<f64>> = serde_json::from_value(value.clone()).unwrap();
    Array2::from_shape_vec((rows.len(), rows[0].len()), rows.concat()).unwrap()
}

#[test]
fn classical_scaling_agrees_with_scikit_learn() {
    for case in reference()["cases"].as_array().unwrap() {
        let expected = array(&case["y"]);
        let found = classical_scaling(&array(&case["distances"]), 3).unwrap();
        // The accuracy of eigenvectors is the roundoff over the gaps between eigenvalues.
        assert!((&found - &expected).iter().all(|d| d.abs() < 1e-9));
    }
}

#[test]
fn classical_scaling_of_many_items_is_an_exact_map_of_points() {
    // More items than the limit for computing the whole spectrum.
    let n = 400;
    let x = Array2::from_shape_fn((n, 2), |(i, k)| ((i * (3 + 4 * k)) % 101) as f64 * if k == 0 { 1.0 } else { 0.4 });
    let distance = |y: &Array2<f64>, i: usize, j: usize| (&y.row(i) - &y.row(j)).mapv(|v| v * v).sum().sqrt();
    let y = classical_scaling(&Array2::from_shape_fn((n, n), |(i, j)| distance(&x, i, j)), 2).unwrap();
    for i in 0..n {
        assert!((distance(&x, i, (7 * i) % n) - distance(&y, i, (7 * i) % n)).abs() < 1e-7);
    }
}

#[test]
fn shortest_paths_agree_with_scipy() {
    let reference = reference();
    let expected = array(&reference["cases"][1]["distances"]);
    let n = expected.nrows();
    let triplets: Vec<(u32, u32, f64)> = serde_json::from_value(reference["similarity"].clone()).unwrap();
    let similarity = CsrMatrix::from_triplets((n, n), &triplets).unwrap();
    let paths = DataDistances::of_paths(Lengths::of_similarity(&similarity).unwrap());
    assert_eq!(paths.distances_from(n), Ok(None));
    for i in 0..n {
        let row = paths.distances_from(i).unwrap().unwrap();
        assert!(row.iter().zip(expected.row(i)).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}

/// The bundled data of flights between airports.
fn flights() -> CsrMatrix<'static> {
    let text = include_str!("../../../dosnes-cli/data/flights.csv");
    let mut ids: HashMap<&str, u32> = HashMap::new();
    let mut triplets = Vec::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let mut id = |name| {
            let next = ids.len() as u32;
            *ids.entry(name).or_insert(next)
        };
        triplets.push((id(cells[0]), id(cells[1]), cells[2].parse().unwrap()));
    }
    let n = ids.len();
    Similarity::Directed(CsrMatrix::from_triplets((n, n), &triplets).unwrap()).symmetric().unwrap().into_owned()
}

fn scale(data: &DataDistances<'_>, params: &ScalingOptions) -> Scaling {
    nonmetric_scaling(data, params, &mut Silent).unwrap()
}

#[test]
fn stress_of_flights_is_no_worse_than_that_of_r() {
    // isoMDS of MASS 7.3-58.2: 0.252966 and 0.198937 by default, 0.250072 and 0.197806 after a thousand iterations.
    let data = DataDistances::of_paths(Lengths::of_similarity(&flights()).unwrap());
    for (space, of_r) in [(Space::Plane, 0.250072), (Space::Volume, 0.197806)] {
        let stress = scale(&data, &ScalingOptions { space, ..ScalingOptions::default() }).stress;
        assert!(stress <= 1.01 * of_r, "{space:?}: {stress}");
    }
}

#[test]
fn a_globe_is_found_from_its_distances() {
    let n = 80;
    let u: Vec<[f64; 3]> = (0..n)
        .map(|i| {
            let (z, angle) = (1.0 - (2 * i + 1) as f64 / n as f64, 2.399963 * i as f64);
            let ring = (1.0 - z * z).sqrt();
            [ring * angle.cos(), ring * angle.sin(), z]
        })
        .collect();
    let cosine = |i: usize, j: usize| (0..3).map(|k| u[i][k] * u[j][k]).sum::<f64>().clamp(-1.0, 1.0);
    let distances = Array2::from_shape_fn((n, n), |(i, j)| if i == j { 0.0 } else { cosine(i, j).acos() as f32 });
    let stress = |space| {
        let params = ScalingOptions { space, ..ScalingOptions::default() };
        scale(&DataDistances::of_matrix(distances.view()), &params)
    };
    let globe = stress(Space::Sphere);
    assert!(globe.stress < 0.01, "{}", globe.stress);
    assert!(globe.coordinates.rows().into_iter().all(|y| (y.dot(&y) - 1.0).abs() < 1e-12));
    assert!(stress(Space::Plane).stress > 0.15);
}

#[test]
fn items_are_placed_well_among_landmarks() {
    let n = 600;
    let x = Array2::from_shape_fn((n, 2), |(i, k)| (((i + 1) * (37 + 54 * k)) % 1009) as f32 / 1009.0);
    let distances = Array2::from_shape_fn((n, n), |(i, j)| (&x.row(i) - &x.row(j)).mapv(|v| v * v).sum().sqrt());
    let params = ScalingOptions { exact_up_to: 100, landmarks: 60, ..ScalingOptions::default() };
    let found = scale(&DataDistances::of_matrix(distances.view()), &params);
    assert_eq!(found.landmarks, Some(60));
    let mut ratios = Vec::new();
    for i in 0..n {
        let j = (i * 7 + 13) % n;
        let d = (&found.coordinates.row(i) - &found.coordinates.row(j)).mapv(|v| v * v).sum().sqrt();
        ratios.push(d / f64::from(distances[[i, j]]).max(1e-9));
    }
    ratios.sort_by(f64::total_cmp);
    // The map equals the data up to one scale, except for the error of using only sixty landmarks.
    assert!(ratios[n / 10] > 0.9 * ratios[n / 2] && ratios[n - n / 10] < 1.1 * ratios[n / 2]);
}

#[test]
fn a_run_beyond_the_memory_limit_is_rejected_with_the_memory_it_needs() {
    let data = DataDistances::of_paths(Lengths::of_similarity(&flights()).unwrap());
    let params = ScalingOptions { memory_limit: 1_000_000, ..ScalingOptions::default() };
    let refusal = nonmetric_scaling(&data, &params, &mut Silent).unwrap_err();
    assert!(matches!(refusal, Error::TooLarge { n: 305, limit: 1_000_000, .. }), "{refusal}");
}

#[test]
fn components_without_a_connection_lie_apart() {
    let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (4, 5), (5, 6), (6, 4), (6, 7)];
    let triplets: Vec<_> = edges.iter().flat_map(|&(i, j)| [(i, j, 1.0), (j, i, 1.0)]).collect();
    let data =
        DataDistances::of_paths(Lengths::of_similarity(&CsrMatrix::from_triplets((8, 8), &triplets).unwrap()).unwrap());
    let y = scale(&data, &ScalingOptions::default()).coordinates;
    let distance = |i: usize, j: usize| (&y.row(i) - &y.row(j)).mapv(|v| v * v).sum().sqrt();
    let within = (0..4).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| distance(i, j)).fold(0.0, f64::max);
    let between = (0..4).flat_map(|i| (4..8).map(move |j| (i, j))).map(|(i, j)| distance(i, j)).fold(9e9, f64::min);
    assert!(between > within);
}

#[test]
fn scaling_is_the_same_bytes_on_any_number_of_threads() {
    let data = DataDistances::of_paths(Lengths::of_similarity(&flights()).unwrap());
    let params = ScalingOptions { max_iterations: 10, ..ScalingOptions::default() };
    let on = |threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| scale(&data, &params))
    };
    assert_eq!(on(1), on(3));
}
