//! Public functions answer with a result or an error, whatever they are given.

use dosnes::{
    Affinities, Affinity, CsrMatrix, Data, Dosnes, Estimate, Kernel, Kind, Named, Normalization, NormalizeOptions,
    Reduction, RepulsionMethod, Similarity, Space,
    baseline::{DataDistances, Lengths, ScalingOptions, classical_scaling, monotone_regression, nonmetric_scaling},
    compare::Method,
    init::Init,
    input::{Distances, Items, Points},
    ndarray::Array2,
    neighbors::{Metric, NeighborOptions, find_neighbors, neighbors_from_distances},
    normalization::{Diagonal, Inspection},
    normalize,
    observe::Silent,
    optimize::{Optimizer, Radius},
    pca::{principal_components, widest_view},
    quality::{Map, QualityOptions, Ring, Subject, classes, crowding, divergence, geography, rank_correlation, trust},
    similarities,
};
use proptest::{prelude::*, sample::select};

/// Numbers as files have them: ordinary, extreme, and not numbers at all.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => 0.0..10.0,
        1 => select(vec![0.0, -0.0, -1.0, 1e-300, 1e300, f64::MAX, f64::MIN_POSITIVE, 5e-324]),
        1 => select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
    ]
}

fn array(rows: usize, columns: usize) -> impl Strategy<Value = Array2<f64>> {
    proptest::collection::vec(number(), rows * columns)
        .prop_map(move |values| Array2::from_shape_vec((rows, columns), values).unwrap())
}

fn matrix(rows: usize, columns: usize) -> impl Strategy<Value = Option<CsrMatrix<'static>>> {
    proptest::collection::vec((0..=rows as u32, 0..=columns as u32, number()), 0..40)
        .prop_map(move |triplets| CsrMatrix::from_triplets((rows, columns), &triplets).ok())
}

/// Data of any kind, as odd as can be; `None` where they cannot be made.
fn data() -> impl Strategy<Value = Option<Data<'static>>> {
    (0_usize..12, 0_usize..6).prop_flat_map(|(rows, columns)| {
        let single = move |x: Array2<f64>| x.mapv(|v| v as f32);
        prop_oneof![
            array(rows, columns).prop_map(|x| Some(Data::from(x))),
            array(rows, columns).prop_map(move |x| Some(Data::from(single(x)))),
            matrix(rows, columns).prop_map(|m| Some(Data::Points(Points::Sparse(m?)))),
            array(rows, rows).prop_map(move |x| Some(Data::Distance(Distances::Dense(single(x).into())))),
            matrix(rows, rows).prop_map(|m| Some(Data::Distance(Distances::Sparse(m?)))),
            matrix(rows, columns).prop_map(|m| Some(Data::Graph(m?))),
            matrix(rows, rows).prop_map(|m| Some(Data::Graph(m?))),
            matrix(rows, rows).prop_map(|m| Some(Data::Similarity(m?))),
            matrix(rows, columns).prop_map(|m| Some(Data::Dyadic(m?))),
        ]
    })
}

fn any_of<T: Named + std::fmt::Debug>() -> impl Strategy<Value = T> {
    select(T::ALL.to_vec())
}

fn options() -> impl Strategy<Value = Dosnes> {
    let similarity = (any_of::<Metric>(), any_of::<Affinity>(), proptest::option::of(number()), 0_usize..5);
    let normalization =
        (any_of::<Normalization>(), any_of::<Diagonal>(), number(), any::<bool>(), proptest::option::of(0_usize..12));
    let embedding = (any_of::<Space>(), any_of::<Kernel>(), any_of::<Optimizer>(), any_of::<RepulsionMethod>());
    let further = (proptest::option::of(number()), 0_usize..4, proptest::option::of(array(5, 3)), 0_usize..3, number());
    (similarity, normalization, embedding, further).prop_map(|(similarity, normalization, embedding, further)| {
        let (metric, affinity, perplexity, reduction) = similarity;
        let (method, diagonal, softness, strict, steps) = normalization;
        let (space, kernel, optimizer, repulsion) = embedding;
        let (rate, iterations, start, neighbors, radius) = further;
        let mut chosen = Dosnes::sphere()
            .metric(metric)
            .affinity(affinity)
            .normalization(method)
            .diagonal(diagonal)
            .softness(softness)
            .strict(strict)
            .space(space)
            .kernel(kernel)
            .optimizer(optimizer)
            .repulsion(repulsion)
            .max_iterations(iterations);
        if let Some(perplexity) = perplexity {
            chosen = chosen.perplexity(perplexity);
        }
        if reduction > 0 {
            chosen = chosen.reduction(Reduction::Components(reduction - 1));
        }
        if let Some(rate) = rate {
            chosen = chosen.learning_rate(rate).exaggeration(rate);
        }
        if let Some(start) = start {
            chosen = chosen.init(Init::Given(start));
        }
        if let Some(steps) = steps {
            chosen = chosen.steps(steps);
        }
        if radius != 0.0 {
            chosen = chosen.radius(Radius::AtMost(radius));
        }
        if neighbors > 0 {
            chosen = chosen.neighbors(neighbors - 1);
        }
        chosen
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn fitting_any_data_with_any_options(data in data(), options in options()) {
        let Some(data) = data else { return Ok(()) };
        let _ = Estimate::of(&data, options.similarity_options(), options.normalize_options(), options.embed_options());
        if let Ok(fit) = options.fit(&data) {
            prop_assert_eq!(fit.embedding.coordinates.nrows(), fit.affinities.len());
            prop_assert_eq!(fit.affinities.to_input_rows().rows(), data.len());
        }
    }

    #[test]
    fn inspecting_and_measuring_any_data(data in data(), place in array(8, 3), rows in 0_usize..9) {
        let Some(data) = data else { return Ok(()) };
        let Ok(found) = similarities(&data, Dosnes::sphere().similarity_options(), &mut Silent) else { return Ok(()) };
        let _ = Inspection::of(&found.similarity);
        let Ok(p) = normalize(&found.similarity, &NormalizeOptions::default(), &mut Silent) else { return Ok(()) };
        let Ok(subject) = Subject::new(&data, &found.similarity, Metric::Euclidean, &p, &mut Silent) else {
            return Ok(());
        };
        let place = place.slice(dosnes::ndarray::s![..rows.min(8), ..]);
        let options = QualityOptions { exact_up_to: 2, rows: 0, sizes: vec![0, 1, 100], seed: 0 };
        if let Ok(map) = Map::new(place, Space::Volume) {
            let _ = subject.evaluate(&map, p.matrix(), Kernel::Gaussian, &options, &mut Silent);
            let _ = trust(&map, p.matrix(), rows, &mut Silent);
            let _ = map.nearest_items(rows, rows);
        }
        for &method in Method::ALL {
            let _ = method.make(&subject, Radius::Auto, 0, 1 << 20, &mut Silent);
        }
    }

    #[test]
    fn measures_of_lists_that_do_not_fit(
        place in array(4, 3),
        list in proptest::collection::vec(number(), 0..6),
        labels in proptest::collection::vec(proptest::option::of(any::<u32>()), 0..6),
        m in matrix(4, 3),
    ) {
        let options = QualityOptions::default();
        let _ = widest_view(place.view());
        let _ = rank_correlation(&list, &[1.0, 2.0, 3.0]);
        let _ = monotone_regression(&list);
        let _ = classical_scaling(&place, 2);
        let _ = Items::numbered(3).select(&[7, 1]);
        if let Some(m) = &m {
            let _ = Ring::of(place.view(), m);
            let _ = Affinities::from_matrix(m);
            let _ = Lengths::of_similarity(m);
            let _ = Similarity::Symmetric(m.clone()).symmetric();
        }
        for space in [Space::Sphere, Space::Volume] {
            if let Ok(map) = Map::new(place.view(), space) {
                let _ = classes(&map, &labels, &options);
                let _ = crowding(&map, &list);
                let _ = geography(&map, &list, &list);
                if let Some(m) = &m {
                    let _ = divergence(&map, m, Kernel::Cauchy, &options);
                }
            }
        }
    }

    #[test]
    fn searching_among_any_points(x in array(7, 3), k in 0_usize..9, count in 0_usize..5) {
        let points = Points::from(&x);
        for &metric in Metric::ALL {
            let _ = find_neighbors(&points, &NeighborOptions { metric, ..NeighborOptions::new(k) }, &mut Silent);
            let data = DataDistances::of_points(&points, metric).of_items(&[0, 3, 9]);
            let _ = data.distances_from(k);
            let _ = nonmetric_scaling(&data, &ScalingOptions { landmarks: 0, ..Default::default() }, &mut Silent);
        }
        let _ = principal_components(&points, count, 0, &mut Silent);
        let _ = neighbors_from_distances(&Distances::Dense(x.mapv(|v| v as f32).into()), k);
    }
}

#[test]
fn names_that_nobody_has_are_refused_with_those_that_exist() {
    let error = "graf".parse::<Kind>().unwrap_err().to_string();
    assert!(error.contains("\"graf\"") && error.contains("points, similarity, distance, graph, dyadic"), "{error}");
}
