//! The fast searches against the sorted distances of all pairs.

use std::ops::ControlFlow;

use ndarray::Array2;
use proptest::prelude::*;

use super::rows::{DenseRows, Rows, SparseRows};
use super::*;
use crate::error::{Error, Parameter};
use crate::input::Points;
use crate::observe::{Observer, Silent};
use crate::sparse::CsrMatrix;

const METRICS: [Metric; 6] =
    [Metric::Euclidean, Metric::Cosine, Metric::Correlation, Metric::Manhattan, Metric::Hamming, Metric::Jaccard];

fn search(points: &Points, metric: Metric, k: usize) -> Result<Neighbors, Error> {
    let options = NeighborOptions { metric, ..NeighborOptions::new(k) };
    find_neighbors(points, &options, &mut Silent)
}

fn to_sparse(x: &Array2<f32>) -> CsrMatrix<'static> {
    let entries = x.indexed_iter().filter(|&(_, &v)| v != 0.0);
    let triplets: Vec<_> = entries.map(|((i, j), &v)| (i as u32, j as u32, f64::from(v))).collect();
    CsrMatrix::from_triplets(x.dim(), &triplets).unwrap()
}

/// Points on a coarse grid (many ties and duplicates) or with noise, near the origin or far from it.
fn points() -> impl Strategy<Value = Array2<f32>> {
    (2_usize..120, 1_usize..20, 0.0_f32..1.0, prop_oneof![Just(0.0_f32), Just(1.0), Just(1000.0)], any::<u64>())
        .prop_map(|(n, d, noise, offset, seed)| {
            let mut state = seed | 1;
            let mut next = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 40) as f32 / (1 << 24) as f32
            };
            let noise = if noise < 0.5 { 0.0 } else { noise };
            Array2::from_shape_fn((n, d), |_| (next() * 3.0).floor() + offset + noise * next())
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn dense_search_equals_sorting_all_pairs(x in points(), k in 1_usize..60, metric in prop::sample::select(&METRICS[..])) {
        let k = k.min(x.nrows() - 1);
        let view = x.view();
        match DenseRows::new(&view, metric) {
            Ok(rows) => prop_assert_eq!(search(&Points::from(x.clone()), metric, k).unwrap(), naive::search(&rows, k)),
            Err(error) => prop_assert_eq!(search(&Points::from(x.clone()), metric, k).unwrap_err(), error),
        }
    }

    #[test]
    fn sparse_search_equals_sorting_all_pairs(x in points(), k in 1_usize..60, metric in prop::sample::select(&METRICS[..])) {
        let k = k.min(x.nrows() - 1);
        let matrix = to_sparse(&x);
        match SparseRows::new(&matrix, metric) {
            Ok(rows) => {
                let found = search(&Points::Sparse(matrix.clone()), metric, k).unwrap();
                prop_assert_eq!(found, naive::search(&rows, k));
            }
            Err(error) => prop_assert_eq!(search(&Points::Sparse(matrix.clone()), metric, k).unwrap_err(), error),
        }
    }

    #[test]
    fn sparse_and_dense_rows_have_the_same_distances(x in points(), metric in prop::sample::select(&METRICS[..])) {
        let (view, matrix) = (x.view(), to_sparse(&x));
        let (dense, sparse) = (DenseRows::new(&view, metric), SparseRows::new(&matrix, metric));
        prop_assert_eq!(dense.as_ref().err(), sparse.as_ref().err());
        if let (Ok(dense), Ok(sparse)) = (dense, sparse) {
            for j in 1..x.nrows() {
                let (a, b) = (dense.distance(0, j), sparse.distance(0, j));
                // Both sum at most 20 terms in double precision.
                prop_assert!((a - b).abs() <= 100.0 * f64::EPSILON * (1.0 + a), "{} {}", a, b);
            }
        }
    }
}

#[test]
fn wide_rows_are_summed_in_pieces_and_still_exact() {
    let x = Array2::from_shape_fn((40, 700), |(i, j)| ((i * 7919 + j * 104_729) % 1013) as f32 / 1013.0);
    for metric in METRICS {
        let view = x.view();
        let rows = DenseRows::new(&view, metric).unwrap();
        assert_eq!(search(&Points::from(x.clone()), metric, 10).unwrap(), naive::search(&rows, 10), "{metric:?}");
    }
}

#[test]
fn huge_and_tiny_values_neither_overflow_nor_vanish() {
    for scale in [1e30_f32, 1e-30] {
        let x = Array2::from_shape_fn((50, 3), |(i, j)| ((i * 31 + j * 17) % 53) as f32 * scale);
        let view = x.view();
        for metric in [Metric::Euclidean, Metric::Manhattan, Metric::Cosine] {
            let Ok(rows) = DenseRows::new(&view, metric) else { continue };
            assert_eq!(search(&Points::from(x.clone()), metric, 5).unwrap(), naive::search(&rows, 5), "{metric:?}");
        }
    }
}

#[test]
fn points_that_are_all_equal_have_as_many_neighbours_as_asked_for() {
    let x = Array2::from_elem((500, 4), 0.1_f32);
    let found = search(&Points::from(x), Metric::Euclidean, 3).unwrap();
    for i in [0, 499] {
        let (indices, distances) = found.row(i);
        assert!(indices.windows(2).all(|pair| pair[0] < pair[1]) && !indices.contains(&(i as u32)), "{indices:?}");
        assert_eq!((indices.len(), distances), (3, &[0.0; 3][..]));
    }
    assert_ne!(found.row(0).0, found.row(499).0);
}

#[test]
fn near_duplicates_far_from_the_origin_are_distinguished() {
    // Two clumps of spacing 1e-3 at ±4096: |q|² + |r|² − 2q·r alone would have no correct digit.
    let x = Array2::from_shape_fn((200, 2), |(i, j)| {
        let clump = if i % 2 == 0 { 4096.0 } else { -4096.0 };
        if j == 0 { clump + (i as f32) * 0.001 } else { 0.0 }
    });
    let view = x.view();
    let rows = DenseRows::new(&view, Metric::Euclidean).unwrap();
    assert_eq!(search(&Points::from(x.clone()), Metric::Euclidean, 7).unwrap(), naive::search(&rows, 7));
}

#[test]
fn distances_follow_their_formulas() {
    let x = ndarray::array![[1.0_f32, 0.0, 2.0, 0.0], [0.0, 3.0, 2.0, 0.0]];
    let expected = [
        (Metric::Euclidean, 10.0_f64.sqrt()),
        (Metric::Cosine, 1.0 - 4.0 / (5.0_f64.sqrt() * 13.0_f64.sqrt())),
        (Metric::Correlation, 1.0 - (4.0 - 4.0 * 0.75 * 1.25) / ((5.0 - 2.25_f64) * (13.0 - 6.25)).sqrt()),
        (Metric::Manhattan, 4.0),
        (Metric::Hamming, 0.5),
        (Metric::Jaccard, 1.0 - 1.0 / 3.0),
    ];
    for (metric, distance) in expected {
        let view = x.view();
        let found = DenseRows::new(&view, metric).unwrap().distance(0, 1);
        assert!((found - distance).abs() < 1e-15, "{metric:?}: {found} is not {distance}");
    }
}

#[test]
fn rows_without_a_direction_are_reported() {
    let x = ndarray::array![[1.0_f32, 2.0], [0.0, 0.0], [5.0, 5.0]];
    for points in [Points::from(x.clone()), Points::Sparse(to_sparse(&x))] {
        let error = search(&points, Metric::Cosine, 1).unwrap_err();
        assert_eq!(error, Error::UndefinedDistance { row: 1, metric: "cosine", reason: "is all zeros" });
        let error = search(&points, Metric::Correlation, 1).unwrap_err();
        assert!(matches!(error, Error::UndefinedDistance { row: 1, metric: "correlation", .. }));
        assert!(search(&points, Metric::Jaccard, 1).is_ok());
    }
}

#[test]
fn invalid_requests_are_errors() {
    let x = ndarray::array![[1.0_f32, 2.0], [0.0, f32::NAN], [5.0, 5.0]];
    let error = search(&Points::from(x), Metric::Euclidean, 1).unwrap_err();
    assert!(matches!(error, Error::Value { row: 1, column: 1, .. }));
    let three = Points::from(Array2::from_shape_fn((3, 1), |(i, _)| i as f32));
    assert_eq!(search(&three, Metric::Euclidean, 3), Err(Error::TooManyNeighbors { asked: 3, items: 3 }));
    assert_eq!(search(&three, Metric::Euclidean, 0), Err(Error::zero(Parameter::Neighbors)));
    let no_columns = Points::from(Array2::<f32>::zeros((3, 0)));
    assert_eq!(search(&no_columns, Metric::Euclidean, 1), Err(Error::zero(Parameter::Columns)));
}

#[test]
fn ties_do_not_go_to_the_lowest_rows() {
    // The corners of a cube in 11 dimensions: each has 11 at distance 1, 55 at √2, and so on.
    let corners = Array2::from_shape_fn((2048, 11), |(i, j)| f32::from(u8::from(i >> j & 1 == 1)));
    let dense = search(&Points::from(corners.clone()), Metric::Euclidean, 30).unwrap();
    let sparse = search(&Points::Sparse(to_sparse(&corners)), Metric::Euclidean, 30).unwrap();
    let differences = Array2::from_shape_fn((2048, 2048), |(i, j)| (i ^ j).count_ones() as f32);
    let given = neighbors_from_distances(&crate::input::Distances::Dense(differences.into()), 30).unwrap();
    for found in [dense, sparse, given] {
        let mut popularity = vec![0; 2048];
        for &j in (0..2048).flat_map(|i| found.row(i).0) {
            popularity[j as usize] += 1;
        }
        // On average 30, of which 11 are certain; by index, the lowest rows would have 66.
        let low: i32 = popularity[..100].iter().sum();
        assert!((2800..3200).contains(&low), "{low}");
        assert!(popularity.iter().all(|&count| (14..50).contains(&count)), "{:?}", popularity.iter().max());
    }
}

#[test]
fn the_observer_can_stop_the_search() {
    struct StopAtOnce(usize);
    impl Observer for StopAtOnce {
        fn progress(&mut self, _fraction: f64) -> ControlFlow<()> {
            self.0 += 1;
            ControlFlow::Break(())
        }
    }
    let x = Points::from(Array2::from_shape_fn((2000, 2), |(i, j)| (i * (j + 1) % 97) as f32));
    let mut observer = StopAtOnce(0);
    let result = find_neighbors(&x, &NeighborOptions::new(3), &mut observer);
    assert_eq!((result, observer.0), (Err(Error::Stopped), 1));
}

/// A pseudo-random number from −½ to ½.
fn noise(a: usize, b: usize) -> f32 {
    let mut hash = (((a as u64) << 32) | b as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    hash = (hash ^ (hash >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((hash ^ (hash >> 32)) >> 40) as f32 / (1 << 24) as f32 - 0.5
}

/// Clusters at two scales.
fn clusters(n: usize, dimensions: usize) -> Array2<f32> {
    Array2::from_shape_fn((n, dimensions), |(i, j)| {
        10.0 * noise(i % 7, j) + 4.0 * noise(1000 + i % 91, j) + noise(100_000 + i, j)
    })
}

fn approximately(x: &Array2<f32>, metric: Metric, k: usize) -> Neighbors {
    let options = NeighborOptions { metric, method: NeighborMethod::Approximate, ..NeighborOptions::new(k) };
    find_neighbors(&Points::from(x.clone()), &options, &mut Silent).unwrap()
}

#[test]
fn approximate_search_reaches_its_reported_recall() {
    let x = clusters(4000, 10);
    for metric in [Metric::Euclidean, Metric::Cosine, Metric::Correlation, Metric::Manhattan] {
        let found = approximately(&x, metric, 15);
        let truth = search(&Points::from(x.clone()), metric, 15).unwrap();
        let mut common = 0;
        let view = x.view();
        let rows = DenseRows::new(&view, metric).unwrap();
        for i in 0..4000 {
            let (indices, distances) = found.row(i);
            assert!(!indices.contains(&(i as u32)));
            let pairs: Vec<(f32, u32)> = distances.iter().copied().zip(indices.iter().copied()).collect();
            assert!(pairs.windows(2).all(|w| by_distance_then_index(&w[0], &w[1]).is_lt()));
            assert!(pairs.iter().all(|&(distance, j)| rows.distance(i, j as usize) as f32 == distance));
            common += indices.iter().filter(|j| truth.row(i).0.contains(j)).count();
        }
        let SearchMethod::Cells { cells, searched } = found.method else { panic!("{metric:?}: {:?}", found.method) };
        assert!(searched < cells / 2, "{metric:?}: {searched} of {cells} cells");
        let (recall, reported) = (common as f64 / 60_000.0, found.recall.unwrap());
        assert!(recall > 0.98, "{metric:?}: {recall}");
        // The sample of 1,000 items has a standard error of about 0.003 at most.
        assert!((recall - reported).abs() < 0.012, "{metric:?}: {recall}, but {reported} was reported");
    }
}

#[test]
fn approximate_search_of_few_or_equal_points_finds_all_neighbours() {
    for x in [clusters(3, 2), clusters(40, 3), Array2::from_elem((300, 2), 1.0)] {
        let k = 30.min(x.nrows() - 1);
        let found = approximately(&x, Metric::Euclidean, k);
        assert!((0..x.nrows()).all(|i| {
            let mut indices = found.row(i).0.to_vec();
            indices.sort_unstable();
            indices.dedup();
            indices.len() == k && !indices.contains(&(i as u32))
        }));
    }
}

#[test]
fn points_without_structure_are_searched_exactly() {
    // In 200 independent dimensions the nearest cell is hardly nearer than the farthest.
    let x = Array2::from_shape_fn((3000, 200), |(i, j)| noise(i, j));
    let view = x.view();
    let rows = DenseRows::new(&view, Metric::Euclidean).unwrap();
    let found = cells::search(&rows, &NeighborOptions::new(10), 0.4, &mut Silent).unwrap();
    assert_eq!(found.method, SearchMethod::Exact);
    assert_eq!(found, naive::search(&rows, 10));
}

#[test]
fn same_bytes_on_any_number_of_threads() {
    let x = clusters(3000, 12);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let sparse = search(&Points::Sparse(to_sparse(&x.mapv(|v| v.max(0.0) + 0.1))), Metric::Cosine, 9).unwrap();
            (search(&Points::from(x.clone()), Metric::Euclidean, 9), approximately(&x, Metric::Euclidean, 9), sparse)
        })
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(7));
}

#[test]
fn neighbours_from_elsewhere_are_sorted_and_checked() {
    let found = Neighbors::from_parts(&[0, 3, 4, 4], &[2, 0, 1, 0], &[2.0, 0.0, 1.0, 1.0]).unwrap();
    assert_eq!(found.get_row(0), Some((&[1, 2][..], &[1.0, 2.0][..])));
    assert_eq!(found.get_row(2), Some((&[][..], &[][..])));
    assert_eq!(found.get_row(3), None);
    let bad = |starts: &[usize], indices: &[u32], distances: &[f32]| {
        Neighbors::from_parts(starts, indices, distances).unwrap_err()
    };
    assert!(matches!(bad(&[0, 2], &[0], &[1.0]), Error::Matrix(_)));
    assert!(matches!(bad(&[], &[], &[]), Error::Matrix(_)));
    assert!(matches!(bad(&[0, 1, 1], &[5], &[1.0]), Error::Matrix(_)));
    assert!(matches!(bad(&[0, 2, 2, 2], &[1, 1], &[1.0, 2.0]), Error::Matrix(_)));
    assert!(matches!(bad(&[0, 1, 1], &[1], &[-1.0]), Error::Value { row: 0, column: 1, .. }));
}
