//! Normalisation against dense references, and its properties on random matrices.

use dosnes::{
    CsrMatrix, Error, MatrixError, Normalization, NormalizeOptions, Similarity,
    normalization::{Diagonal, Feasibility, Rule, degrees},
    normalize,
    observe::Silent,
};
use proptest::prelude::*;
use serde_json::Value;

fn reference() -> Value {
    serde_json::from_str(include_str!("../reference/method.json")).unwrap()
}

fn matrix(shape: (usize, usize), triplets: &Value) -> CsrMatrix<'static> {
    let triplets: Vec<(u32, u32, f64)> = triplets
        .as_array()
        .unwrap()
        .iter()
        .map(|t| (t[0].as_u64().unwrap() as u32, t[1].as_u64().unwrap() as u32, t[2].as_f64().unwrap()))
        .collect();
    CsrMatrix::from_triplets(shape, &triplets).unwrap()
}

fn assert_same(ours: &CsrMatrix, theirs: &CsrMatrix, tolerance: f64) {
    assert_eq!(ours.row_starts(), theirs.row_starts());
    assert_eq!(ours.column_indices(), theirs.column_indices());
    for (ours, theirs) in ours.values().iter().zip(&*theirs.values()) {
        assert!((ours - theirs).abs() < tolerance, "{ours} {theirs}");
    }
}

#[test]
fn sinkhorn_agrees_with_the_papers_update_on_the_full_matrix() {
    let reference = reference();
    let s = matrix((20, 20), &reference["sinkhorn"]["similarity"]);
    let expected = matrix((20, 20), &reference["sinkhorn"]["scaled"]);
    let p = normalize(
        &Similarity::Symmetric(s),
        &NormalizeOptions { method: Normalization::Sinkhorn, ..NormalizeOptions::default() },
        &mut Silent,
    )
    .unwrap();
    assert_eq!(p.report().rule, Rule::Exact);
    assert_same(p.matrix(), &expected, 1e-9);
}

#[test]
fn the_walk_agrees_with_loops_over_the_full_matrix() {
    let reference = reference();
    let b = matrix((12, 9), &reference["walk"]["incidence"]);
    let expected = matrix((12, 12), &reference["walk"]["without_diagonal"]);
    let params =
        NormalizeOptions { method: Normalization::Walk, diagonal: Diagonal::Dropped, ..NormalizeOptions::default() };
    let p = normalize(&Similarity::Dyadic(b), &params, &mut Silent).unwrap();
    assert_eq!(p.matrix().rows(), 12);
    assert_same(p.matrix(), &expected, 1e-14);
}

#[test]
fn scaling_with_the_diagonal_and_dropping_it_undoes_the_normalisation() {
    // One item is almost only similar to itself: with its diagonal kept, its similarities to the others become
    // negligible.
    let mut triplets = vec![(0, 0, 1000.0)];
    for i in 0..6_u32 {
        for j in 0..6 {
            if i != j {
                triplets.push((i, j, 1.0));
            }
        }
    }
    let s = Similarity::Symmetric(CsrMatrix::from_triplets((6, 6), &triplets).unwrap());
    let cv = |diagonal| {
        normalize(&s, &NormalizeOptions { diagonal, ..NormalizeOptions::default() }, &mut Silent)
            .unwrap()
            .report()
            .after
            .cv
    };
    assert!(cv(Diagonal::Zero) < 1e-9);
    assert!(cv(Diagonal::Dropped) > 0.3);
}

#[test]
fn a_star_of_one_step_is_softened_and_strict_mode_names_its_leaves() {
    let triplets: Vec<_> = (1..6).flat_map(|i| [(0_u32, i, 1.0), (i, 0, 1.0)]).collect();
    let star = Similarity::Symmetric(CsrMatrix::from_triplets((6, 6), &triplets).unwrap());
    let one_step = NormalizeOptions { steps: Some(1), ..NormalizeOptions::default() };
    let p = normalize(&star, &one_step, &mut Silent).unwrap();
    assert_eq!(p.report().rule, Rule::Soft);
    assert!(p.report().residual < 1e-9);
    let refusal = normalize(&star, &NormalizeOptions { strict: true, ..one_step }, &mut Silent).unwrap_err();
    assert_eq!(refusal, Error::NoExactScaling(Feasibility::TooFewPartners(vec![1, 2, 3, 4, 5])));
}

#[test]
fn steps_are_refused_where_they_mean_nothing() {
    let ring: Vec<_> = (0..6).map(|i| (i, (i + 1) % 6, 1.0)).collect();
    let ring = Similarity::Graph(CsrMatrix::from_triplets((6, 6), &ring).unwrap());
    let defaults = NormalizeOptions::default();
    for (options, why) in [
        (NormalizeOptions { steps: Some(0), ..defaults }, "from 1 to 10"),
        (NormalizeOptions { steps: Some(11), ..defaults }, "from 1 to 10"),
        (NormalizeOptions { steps: Some(2), method: Normalization::Rows, ..defaults }, "sinkhorn"),
        (NormalizeOptions { steps: Some(2), diagonal: Diagonal::Dropped, ..defaults }, "only one step"),
        (NormalizeOptions { steps: Some(2), strict: true, ..defaults }, "has one step"),
    ] {
        let error = normalize(&ring, &options, &mut Silent).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn similarities_that_can_be_made_equal_are_scaled_as_they_are_and_graphs_take_three_steps() {
    let full: Vec<_> =
        (0..5).flat_map(|i| (0..5).filter(move |&j| i != j).map(move |j| (i, j, 1.0 + f64::from(i * j)))).collect();
    let matrix = CsrMatrix::from_triplets((5, 5), &full).unwrap();
    let steps = |similarity: Similarity<'_>| {
        let p = normalize(&similarity, &NormalizeOptions::default(), &mut Silent).unwrap();
        assert!(p.is_doubly_stochastic(1e-9));
        p.report().mixture.map_or(1, |mixture| mixture.steps)
    };
    assert_eq!(steps(Similarity::Directed(matrix.clone())), 1);
    assert_eq!(steps(Similarity::Neighbors(matrix.clone())), 1);
    assert_eq!(steps(Similarity::Graph(matrix)), 3);
    let star: Vec<_> = (1..6).map(|i| (0, i, 1.0)).collect();
    assert_eq!(steps(Similarity::Directed(CsrMatrix::from_triplets((6, 6), &star).unwrap())), 3);
    // Similarities of dyadic data are walks of two steps already: from a row to a column and back. Two authors wrote one paper each with a third.
    let papers = [(0, 0, 1.0), (1, 0, 1.0), (1, 1, 1.0), (2, 1, 1.0)];
    assert_eq!(steps(Similarity::Dyadic(CsrMatrix::from_triplets((3, 2), &papers).unwrap())), 2);
}

/// Graphs of the kinds that have no exact scaling of their own, and others.
fn arbitrary_graph() -> impl Strategy<Value = CsrMatrix<'static>> {
    let size = 3_u32..60;
    let weight = prop_oneof![Just(0.0_f64), -6.0_f64..6.0];
    let tree = (size.clone(), any::<u64>(), 1_u32..30).prop_map(|(n, seed, reach)| {
        // Every item is connected with an earlier one: a path for a short reach, a power law or a star for others.
        let hash = |i: u32| (seed ^ u64::from(i)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        (
            n,
            (1..n)
                .map(|i| {
                    (if seed % 3 == 0 { hash(i) as u32 % i } else { i.saturating_sub(1 + hash(i) as u32 % reach) }, i)
                })
                .collect::<Vec<_>>(),
        )
    });
    let star = size.clone().prop_map(|n| (n, (1..n).map(|i| (0, i)).collect()));
    let bipartite = (size.clone(), 1_u32..10).prop_map(|(n, left)| {
        let left = left.min(n - 1);
        (n, (left..n).flat_map(|j| (0..left).filter(move |i| i % 2 == j % 2 || *i == 0).map(move |i| (i, j))).collect())
    });
    let power_law = (size.clone(), any::<u64>()).prop_map(|(n, seed)| {
        // Every item is connected with two earlier ones, which are the ends of earlier edges: with hubs rather than with others.
        let mut edges = vec![(0, 1)];
        for i in 2..n {
            for pick in 0..2 {
                let hash = (seed ^ u64::from(2 * i + pick)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
                let (a, b) = edges[hash as usize / 2 % edges.len()];
                let earlier = if hash % 2 == 0 { a } else { b };
                edges.push((if earlier == i { 0 } else { earlier }, i));
            }
        }
        (n, edges)
    });
    let islands = (size, 2_u32..4)
        .prop_map(|(n, length)| (n, (1..n).filter(|i| i % length != 0).map(|i| (i - 1, i)).chain([(0, 1)]).collect()));
    (prop_oneof![tree, star, bipartite, power_law, islands], weight).prop_map(|((n, edges), spread)| {
        let weighted: Vec<_> = edges
            .iter()
            .enumerate()
            .map(|(k, &(i, j))| (i, j, 10_f64.powf(spread * f64::from(k as u32 % 7) / 6.0)))
            .collect();
        CsrMatrix::from_triplets((n as usize, n as usize), &weighted).unwrap()
    })
}

proptest! {
    #[test]
    fn every_graph_is_made_equal(graph in arbitrary_graph(), steps in prop_oneof![Just(None), (2_usize..5).prop_map(Some)]) {
        let options = NormalizeOptions { steps, ..NormalizeOptions::default() };
        let p = normalize(&Similarity::Graph(graph), &options, &mut Silent).unwrap();
        prop_assert!(p.is_doubly_stochastic(1e-9), "{:?}", p.report());
        for (i, j, value) in p.matrix().iter() {
            prop_assert!(i != j && value > 0.0);
            prop_assert_eq!(p.matrix().get(j, i), Some(value));
        }
    }
}

#[test]
fn large_graphs_are_made_equal_too() {
    // More than 2,000 items: rows are cut and the background has some pairs only. A star, a path, and a thousand pairs.
    let n = 2600_u32;
    let star: Vec<_> = (1..n).map(|i| (0, i, 1.0)).collect();
    let path: Vec<_> = (1..n).map(|i| (i - 1, i, 1.0)).collect();
    let pairs: Vec<_> = (0..n / 2).map(|i| (2 * i, 2 * i + 1, 1.0)).collect();
    for edges in [star, path, pairs] {
        let graph = Similarity::Graph(CsrMatrix::from_triplets((n as usize, n as usize), &edges).unwrap());
        let p = normalize(&graph, &NormalizeOptions::default(), &mut Silent).unwrap();
        assert!(p.is_doubly_stochastic(1e-9), "{:?}", p.report());
        assert!(p.matrix().nnz() < 200 * n as usize);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(5).build().unwrap();
        let threads = pool.install(|| normalize(&graph, &NormalizeOptions::default(), &mut Silent).unwrap());
        assert_eq!(threads, p);
    }
}

#[test]
fn direct_similarities_are_relative_to_the_strongest_of_either_item() {
    // A hub with a strong partner and a weak leaf: both are as close to it as can be.
    let arcs = [(0, 1, 100.0), (0, 2, 2.0), (1, 3, 10.0)];
    let graph = Similarity::Graph(CsrMatrix::from_triplets((4, 4), &arcs).unwrap());
    let p = normalize(&graph, &NormalizeOptions::default(), &mut Silent).unwrap();
    let direct = p.direct();
    assert_eq!(direct.nnz(), 6);
    assert_eq!((direct.get(0, 1), direct.get(0, 2), direct.get(3, 1)), (Some(1.0), Some(1.0), Some(1.0)));
    let one_step = normalize(&graph, &one_step(), &mut Silent).unwrap();
    assert_eq!(one_step.direct(), one_step.matrix());
}

#[test]
fn isolated_items_are_left_out_and_listed() {
    let s = CsrMatrix::from_triplets((5, 5), &[(0, 2, 1.0), (2, 4, 2.0), (4, 0, 1.0), (1, 1, 7.0)]).unwrap();
    let p = normalize(&Similarity::Directed(s), &NormalizeOptions::default(), &mut Silent).unwrap();
    assert_eq!(p.kept(), [0, 2, 4]);
    assert_eq!(p.left_out(), [1, 3]);
}

#[test]
fn invalid_similarities_are_reported_with_their_row_and_column() {
    let s = CsrMatrix::from_triplets((3, 3), &[(0, 1, 1.0), (1, 2, -1.0)]).unwrap();
    let error = normalize(&Similarity::Directed(s), &NormalizeOptions::default(), &mut Silent).unwrap_err();
    assert!(matches!(error, Error::Value { row: 1, column: 2, .. }), "{error}");
    // A matrix has finite values only.
    for bad in [f64::NAN, f64::INFINITY] {
        let error = CsrMatrix::from_triplets((3, 3), &[(0, 1, 1.0), (1, 2, bad)]).unwrap_err();
        assert!(matches!(error, MatrixError::NotFinite { row: 1, column: 2, .. }), "{error}");
    }
}

/// Random weights over several orders of magnitude on random pairs.
fn arbitrary_similarity() -> impl Strategy<Value = CsrMatrix<'static>> {
    (3_usize..25).prop_flat_map(|n| {
        proptest::collection::vec((0..n as u32, 0..n as u32, -4.0_f64..4.0), 3..80).prop_map(move |picks| {
            let triplets: Vec<_> = picks
                .into_iter()
                .filter(|(i, j, _)| i != j)
                .flat_map(|(i, j, log)| [(i, j, 10_f64.powf(log)), (j, i, 10_f64.powf(log))])
                .chain([(0, 1, 1.0), (1, 0, 1.0)])
                .collect();
            CsrMatrix::from_triplets((n, n), &triplets).unwrap()
        })
    })
}

fn one_step() -> NormalizeOptions {
    NormalizeOptions { steps: Some(1), ..NormalizeOptions::default() }
}

proptest! {
    #[test]
    fn exact_sums_are_one_and_soft_ones_follow_their_rule(s in arbitrary_similarity(), unit in -3.0_f64..3.0) {
        let p = normalize(&Similarity::Symmetric(s.clone()), &one_step(), &mut Silent).unwrap();
        prop_assert!(p.report().residual <= 1e-10);
        if p.report().rule == Rule::Exact {
            prop_assert!(degrees(p.matrix()).iter().all(|sum| (sum - 1.0).abs() <= 1e-9));
        }
        for (i, row) in p.matrix().iter_rows().enumerate() {
            for (j, value) in row.iter() {
                prop_assert!(value > 0.0);
                prop_assert_eq!(p.matrix().get(j, i), Some(value));
            }
        }
        // The result does not depend on the units.
        let scaled: Vec<f64> = s.values().iter().map(|v| v * 10_f64.powf(unit)).collect();
        let scaled = CsrMatrix::new(s.shape(), s.row_starts(), s.column_indices(), scaled).unwrap();
        let q = normalize(&Similarity::Symmetric(scaled), &one_step(), &mut Silent).unwrap();
        for (a, b) in p.matrix().values().iter().zip(&*q.matrix().values()) {
            prop_assert!((a / b - 1.0).abs() < 1e-6, "{} {}", a, b);
        }
    }

    #[test]
    fn no_entry_is_driven_to_zero(s in arbitrary_similarity()) {
        let p = normalize(&Similarity::Symmetric(s.clone()), &one_step(), &mut Silent).unwrap();
        if p.report().rule == Rule::Soft {
            let sums = degrees(&s);
            for (i, row) in p.matrix().iter_rows().enumerate() {
                for (j, value) in row.iter() {
                    let (a, b) = (p.kept()[i], p.kept()[j]);
                    let ordinary = s.get(a, b).unwrap() / (sums[a] * sums[b]).sqrt();
                    prop_assert!(value >= 0.03 * ordinary * (1.0 - 1e-12));
                }
            }
        }
    }
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let n = 5000_u32;
    let triplets: Vec<_> = (0..n)
        .flat_map(|i| [1, 7, 40, 611].map(move |step| (i, (i + step * (1 + i % 3)) % n, 1.0 + f64::from(i % 13))))
        .collect();
    let b = CsrMatrix::from_triplets((n as usize, n as usize), &triplets).unwrap();
    for (method, steps) in [(Normalization::Sinkhorn, 1), (Normalization::Walk, 1), (Normalization::Sinkhorn, 3)] {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let params = NormalizeOptions { method, steps: Some(steps), ..NormalizeOptions::default() };
            pool.install(|| normalize(&Similarity::Directed(b.clone()), &params, &mut Silent).unwrap())
        };
        let one = on(1);
        for threads in [2, 7] {
            let other = on(threads);
            assert_eq!(one.matrix(), other.matrix());
            assert_eq!(one.report(), other.report());
        }
    }
}
