//! Neighbours, affinities and principal components against `SciPy`, openTSNE and scikit-learn. The values come from
//! `reference/make_neighbors_affinity.py`.

use dosnes::affinity::{entropic_affinities, neighbors_for_perplexity, symmetric_entropic_affinities};
use dosnes::input::Points;
use dosnes::neighbors::{Metric, NeighborOptions, Neighbors, find_neighbors};
use dosnes::observe::Silent;
use dosnes::pca::principal_components;
use ndarray::Array2;

const PERPLEXITY: f64 = 5.0;

/// The cells of a CSV file's rows; lines with # are comments.
fn cells(text: &str) -> Vec<Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect()).collect()
}

fn number(cell: &str) -> f64 {
    cell.parse().expect("a number")
}

fn points() -> Points<'static> {
    let rows = cells(include_str!("../reference/neighbors_points.csv"));
    Points::from(Array2::from_shape_fn((rows.len(), rows[0].len()), |(i, j)| number(rows[i][j]) as f32))
}

fn nearest(metric: Metric, k: usize) -> Neighbors {
    let options = NeighborOptions { metric, ..NeighborOptions::new(k) };
    find_neighbors(&points(), &options, &mut Silent).expect("the points are good")
}

#[test]
fn distances_to_neighbours_agree_with_scipy() {
    let metrics =
        [Metric::Euclidean, Metric::Cosine, Metric::Correlation, Metric::Manhattan, Metric::Hamming, Metric::Jaccard];
    let mut compared = 0;
    for metric in metrics {
        let found = nearest(metric, 15);
        for row in
            cells(include_str!("../reference/neighbors_distances.csv")).iter().filter(|row| row[0] == metric.name())
        {
            let (_, distances) = found.get_row(number(row[1]) as usize).expect("an item");
            for (&distance, expected) in distances.iter().zip(&row[2..]) {
                let expected = number(expected);
                assert!(
                    (f64::from(distance) - expected).abs() < 1e-6 * (1.0 + expected),
                    "{metric:?} {distance} {expected}"
                );
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 6 * 9 * 15);
}

#[test]
fn conditional_similarities_agree_with_opentsne() {
    let k = neighbors_for_perplexity(PERPLEXITY, 60).unwrap();
    let p = entropic_affinities(nearest(Metric::Euclidean, k), PERPLEXITY).unwrap();
    let rows = cells(include_str!("../reference/affinity_conditional_opentsne.csv"));
    assert_eq!(rows.len(), 60 * k);
    for row in rows {
        let (i, j, expected) = (number(row[0]) as usize, number(row[1]) as usize, number(row[2]));
        let value = p.get(i, j).unwrap_or(0.0);
        // Our distances are in single precision: relative errors of 6e-8 in d, of a few times that in p.
        assert!((value - expected).abs() < 1e-6, "({i}, {j}): {value} is not {expected}");
    }
}

#[test]
fn joint_similarities_agree_with_scikit_learn() {
    let p = entropic_affinities(nearest(Metric::Euclidean, 15), PERPLEXITY).unwrap();
    let rows = cells(include_str!("../reference/affinity_joint_sklearn.csv"));
    let mut sum = 0.0;
    for row in &rows {
        let (i, j, expected) = (number(row[0]) as usize, number(row[1]) as usize, number(row[2]));
        let both = p.get(i, j).unwrap_or(0.0) + p.get(j, i).unwrap_or(0.0);
        let value = both / 120.0;
        assert!((value - expected).abs() < 1e-6, "({i}, {j}): {value} is not {expected}");
        sum += value;
    }
    assert!((sum - 1.0).abs() < 1e-12, "the entries are not at the same places as in scikit-learn: {sum}");
}

#[test]
fn symmetric_entropic_affinities_agree_with_their_definition() {
    let Points::Dense(x) = points() else { panic!("the points are dense") };
    let few = Points::from(x.slice(ndarray::s![..9, ..]).to_owned());
    let neighbors = find_neighbors(&few, &NeighborOptions::new(8), &mut Silent).expect("good points");
    let found = symmetric_entropic_affinities(&neighbors, 4.0, &mut Silent).expect("a perplexity");
    assert!(found.report.converged);
    for (i, row) in cells(include_str!("../reference/affinity_symmetric.csv")).iter().enumerate() {
        for (j, cell) in row.iter().enumerate().filter(|&(j, _)| j != i) {
            let (value, expected) = (found.matrix.get(i, j).unwrap_or(0.0), number(cell));
            // The reference comes from a general optimizer with about this accuracy.
            assert!((value - expected).abs() < 1e-5, "({i}, {j}): {value} is not {expected}");
        }
    }
}

#[test]
fn principal_components_agree_with_scikit_learn() {
    let pca = principal_components(&points(), 3, 0, &mut Silent).expect("the points are good");
    let variances = cells(include_str!("../reference/pca_variances.csv"));
    for (found, row) in pca.variances.iter().chain([&pca.total_variance]).zip(&variances) {
        assert!((found / number(row[0]) - 1.0).abs() < 1e-12, "{found} is not {}", row[0]);
    }
    for (found, row) in pca.components.outer_iter().zip(cells(include_str!("../reference/pca_components.csv"))) {
        let expected: Vec<f64> = row.iter().map(|cell| number(cell)).collect();
        let product: f64 = found.iter().zip(&expected).map(|(a, b)| a * b).sum();
        assert!((product.abs() - 1.0).abs() < 1e-12, "{product}");
    }
}
