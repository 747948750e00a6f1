//! Models, new items on old maps, and maps that grow.

use dosnes::growth::{FormatError, ModelError, connect, connect_all};
use dosnes::ndarray::{Array2, Axis, s};
use dosnes::observe::Silent;
use dosnes::{CsrMatrix, Data, Dosnes, Kind, Model, Normalization, grow, transform};

/// Five clouds in six dimensions.
fn clouds(n: usize) -> Array2<f64> {
    let noise = |a: usize, b: usize| {
        let hash = ((a * 31 + b + 1) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let hash = (hash ^ (hash >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((hash ^ (hash >> 32)) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    Array2::from_shape_fn((n, 6), |(i, j)| 4.0 * noise(i % 5, 100 + j) + noise(1000 + i, j))
}

fn names(from: usize, to: usize) -> Vec<String> {
    (from..to).map(|i| format!("item {i}")).collect()
}

fn method() -> Dosnes {
    Dosnes::sphere().perplexity(12.0).seed(3)
}

fn model(points: &Array2<f64>) -> Model {
    Model::fit(&method(), &names(0, points.nrows()), points, &mut Silent).unwrap()
}

fn degrees(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    (dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()).clamp(-1.0, 1.0).acos().to_degrees()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn the_items_of_a_map_get_their_own_places() {
    let points = clouds(600);
    let model = model(&points);
    let placed = transform(&model, &Data::from(&points), &mut Silent).unwrap();
    let angles =
        (0..600).map(|i| degrees(&model.coordinates().row(i).to_vec(), &placed.coordinates.row(i).to_vec())).collect();
    let angle = median(angles);
    assert!(angle <= 0.5, "{angle}");
    // Their misfits are spread evenly over all quantiles.
    let mean = placed.misfit.iter().sum::<f64>() / 600.0;
    assert!((mean - 0.5).abs() < 0.05, "{mean}");
}

#[test]
fn places_do_not_depend_on_the_other_new_items_nor_on_threads() {
    let points = clouds(400);
    let model = model(&points.slice(s![..350, ..]).to_owned());
    let new = points.slice(s![350.., ..]);
    let together = transform(&model, &Data::from(new), &mut Silent).unwrap();
    let backwards = new.slice(s![..;-1, ..]).to_owned();
    let reversed = transform(&model, &Data::from(&backwards), &mut Silent).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(7).build().unwrap();
    let threads = pool.install(|| transform(&model, &Data::from(new), &mut Silent).unwrap());
    assert_eq!(together, threads);
    for i in 0..50 {
        let alone = transform(&model, &Data::from(new.slice(s![i..=i, ..])), &mut Silent).unwrap();
        assert_eq!(alone.coordinates.row(0), together.coordinates.row(i));
        assert_eq!(reversed.coordinates.row(49 - i), together.coordinates.row(i));
        assert_eq!(alone.misfit[0], together.misfit[i]);
    }
}

#[test]
fn new_items_land_in_their_cloud_and_strangers_are_noticed() {
    let points = clouds(660);
    // The fifth cloud is unknown to the map.
    let known: Vec<usize> = (0..660).filter(|i| i % 5 != 4).collect();
    let (old, held_out) = known.split_at(440);
    let model = model(&points.select(Axis(0), old));
    let strangers: Vec<usize> = (0..660).filter(|i| i % 5 == 4).collect();
    let placed = transform(&model, &Data::from(&points.select(Axis(0), held_out)), &mut Silent).unwrap();
    for (row, i) in placed.coordinates.rows().into_iter().zip(held_out) {
        let nearest = (0..old.len())
            .min_by(|&a, &b| {
                let to = |k: usize| degrees(&model.coordinates().row(k).to_vec(), &row.to_vec());
                to(a).total_cmp(&to(b))
            })
            .unwrap();
        assert_eq!(old[nearest] % 5, i % 5);
    }
    let strange = transform(&model, &Data::from(&points.select(Axis(0), &strangers)), &mut Silent).unwrap();
    assert!(median(placed.misfit) < 0.7 && strange.misfit.iter().all(|&misfit| misfit > 0.99));
}

#[test]
fn strangers_beside_a_flat_sheet_are_noticed_though_they_are_near() {
    // A sheet in five dimensions, whose points have neighbours at distances of about 0.1; strangers are 0.04 beside it.
    let (first, second) = (0.754_877_666_246_693, 0.569_840_290_998_053_3);
    let on_sheet = |i: usize, height: f64| {
        let (a, b) = ((first * i as f64).fract(), (second * i as f64).fract());
        [a, b, 0.5 * a - b + height, a + b - height, b]
    };
    let sheet = |from: usize, to: usize, height: f64| {
        Array2::from_shape_fn((to - from, 5), |(i, k)| on_sheet(from + i, height)[k])
    };
    let model = model(&sheet(0, 600, 0.0));
    let misfits = |points: &Array2<f64>| transform(&model, &Data::from(points), &mut Silent).unwrap().misfit;
    let (known, strange) = (misfits(&sheet(600, 700, 0.0)), misfits(&sheet(600, 700, 0.04)));
    assert!(median(known) < 0.7 && strange.iter().all(|&misfit| misfit > 0.9));
}

#[test]
fn old_items_keep_their_bytes_through_three_generations() {
    let points = clouds(500);
    let mut model = model(&points.slice(s![..350, ..]).to_owned());
    let first = model.coordinates().to_owned();
    for generation in 0..3 {
        let (from, to) = (350 + 50 * generation, 400 + 50 * generation);
        let larger = grow(&model, &names(from, to), &Data::from(points.slice(s![from..to, ..])), &mut Silent).unwrap();
        assert_eq!(larger.coordinates().slice(s![..from, ..]), model.coordinates());
        assert_eq!(larger.len(), to);
        assert_eq!(larger.growth(), (generation + 1, to - 350));
        // The file keeps everything.
        model = Model::from_bytes(&larger.to_bytes()).unwrap();
        assert_eq!(model, larger);
    }
    assert_eq!(model.coordinates().slice(s![..350, ..]), first);
    let radius = model.radius();
    for row in model.coordinates().rows() {
        assert!((row.dot(&row).sqrt() / radius - 1.0).abs() < 1e-12);
    }
    let class_of_nearest = |i: usize| {
        let to = |k: usize| degrees(&model.coordinates().row(k).to_vec(), &model.coordinates().row(i).to_vec());
        (0..500).filter(|&k| k != i).min_by(|&a, &b| to(a).total_cmp(&to(b))).unwrap() % 5
    };
    assert!((350..500).all(|i| class_of_nearest(i) == i % 5));
}

#[test]
fn strangers_form_a_group_of_their_own_when_the_map_grows() {
    let points = clouds(500);
    let known: Vec<usize> = (0..500).filter(|i| i % 5 != 4).collect();
    let strangers: Vec<usize> = (0..500).filter(|i| i % 5 == 4).collect();
    let model = model(&points.select(Axis(0), &known));
    let new = points.select(Axis(0), &strangers);
    let larger = grow(&model, &names(500, 600), &Data::from(&new), &mut Silent).unwrap();
    let position = |k: usize| larger.coordinates().row(k).to_vec();
    let among = (400..500)
        .filter(|&i| {
            let nearest = (0..500)
                .filter(|&k| k != i)
                .min_by(|&a, &b| degrees(&position(a), &position(i)).total_cmp(&degrees(&position(b), &position(i))));
            nearest.unwrap() >= 400
        })
        .count();
    assert!(among >= 80, "{among} of 100 have a new item as their nearest");
}

#[test]
fn a_model_is_hardly_larger_than_coordinates_and_rows_in_half_precision() {
    let n = 400;
    let wide = Array2::from_shape_fn((n, 60), |(i, j)| ((i * (j + 3)) as f64).sin() + (i % 4) as f64);
    let model = model(&wide);
    let bytes = model.to_bytes().len() as f64;
    let needed = (n * (3 * 8 + 60 * 2)) as f64;
    assert!(bytes <= 1.3 * needed, "{bytes} {needed}");
}

#[test]
fn damaged_newer_and_foreign_bytes_are_refused() {
    let bytes = model(&clouds(100)).to_bytes();
    assert_eq!(Model::from_bytes(b"id,x,y\na,1,2\n"), Err(FormatError::Foreign));
    assert_eq!(Model::from_bytes(b""), Err(FormatError::Foreign));
    for length in [8, 13, 25, 100, bytes.len() - 1] {
        let error = Model::from_bytes(&bytes[..length]).unwrap_err();
        assert!(matches!(error, FormatError::Truncated { .. }), "{length}: {error}");
    }
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert_eq!(Model::from_bytes(&newer), Err(FormatError::Newer { found: 9, known: 4 }));
    newer[8] = 1;
    assert_eq!(Model::from_bytes(&newer), Err(FormatError::Older { found: 1, known: 4 }));
    for at in (20..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(matches!(Model::from_bytes(&damaged), Err(FormatError::Damaged(_))), "{at}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(Model::from_bytes(&longer), Err(FormatError::Damaged(_))));
}

#[test]
fn what_has_no_model_is_said() {
    let points = clouds(60);
    let fit = |method: &Dosnes| Model::fit(method, &names(0, 60), &points, &mut Silent).unwrap_err();
    let small = Dosnes::sphere().perplexity(5.0);
    assert_eq!(fit(&small.clone().space(dosnes::Space::Plane).max_iterations(5)), ModelError::Space);
    assert_eq!(fit(&small.clone().normalization(Normalization::Rows).max_iterations(5)), ModelError::Normalization);
    let few = Model::fit(&small, &names(0, 3), &points, &mut Silent).unwrap_err();
    assert!(matches!(few, ModelError::Library(dosnes::Error::Length { found: 3, expected: 60, .. })), "{few}");
    let model = Model::fit(&small, &names(0, 60), &points, &mut Silent).unwrap();
    let narrow = points.slice(s![.., ..4]);
    let error = transform(&model, &Data::from(narrow), &mut Silent).unwrap_err();
    assert!(matches!(error, ModelError::Library(dosnes::Error::Columns { found: 4, expected: 6 })), "{error}");
    let mut hole = points.slice(s![..2, ..]).to_owned();
    hole[[1, 2]] = f64::NAN;
    assert!(matches!(
        transform(&model, &Data::from(&hole), &mut Silent),
        Err(ModelError::Library(dosnes::Error::Value { row: 1, column: 2, .. }))
    ));
}

/// The class of the nearest item of the map.
fn class_of_place(model: &Model, place: &[f64], class: impl Fn(usize) -> usize) -> usize {
    let to = |k: usize| degrees(&model.coordinates().row(k).to_vec(), place);
    class((0..model.len()).min_by(|&a, &b| to(a).total_cmp(&to(b))).unwrap())
}

#[test]
fn a_new_node_is_placed_by_its_edges() {
    // Four groups of 30 nodes; nodes of a group are linked if their numbers differ by few.
    let edges: Vec<(u32, u32, f64)> = (0..120_u32)
        .flat_map(|i| [4, 8, 12, 1].map(|step| (i, (i + step) % 120, if step == 1 { 0.1 } else { f64::from(step) })))
        .collect();
    let graph = Data::Graph(CsrMatrix::from_triplets((120, 120), &edges).unwrap());
    let model = Model::fit(&Dosnes::sphere(), &names(0, 120), graph, &mut Silent).unwrap();
    assert_eq!(Model::from_bytes(&model.to_bytes()).unwrap(), model);
    let links: Vec<(u32, u32, f64)> = (0..4_u32).flat_map(|x| [(x, 40 + x, 3.0), (x, 44 + x, 5.0)]).collect();
    let new = Data::Graph(CsrMatrix::from_triplets((4, 120), &links).unwrap());
    let placed = transform(&model, &new, &mut Silent).unwrap();
    for (x, row) in placed.coordinates.rows().into_iter().enumerate() {
        assert_eq!(class_of_place(&model, &row.to_vec(), |i| i % 4), x);
    }
    let nobody = Data::Graph(CsrMatrix::from_triplets((1, 120), &[]).unwrap());
    assert!(matches!(
        transform(&model, &nobody, &mut Silent),
        Err(ModelError::Library(dosnes::Error::Unconnected { row: 0 }))
    ));
    let nobody = Data::Graph(CsrMatrix::from_triplets((1, 121), &[]).unwrap());
    assert!(matches!(
        grow(&model, &names(120, 121), &nobody, &mut Silent),
        Err(ModelError::Library(dosnes::Error::Unconnected { row: 0 }))
    ));
    let points = Data::from(clouds(3));
    assert_eq!(
        grow(&model, &names(120, 123), &points, &mut Silent).unwrap_err(),
        ModelError::OtherKind { map: Kind::Graph, new: Kind::Points }
    );
}

/// Edges of six groups: node i belongs to group i % 6, and is linked to the nodes 6, 12 and 18 further, and weakly to the next one.
/// Only edges whose later end is in `from..to`, as (later, earlier).
fn groups(from: u32, to: u32) -> Vec<(u32, u32, f64)> {
    let of_node = |i: u32| [(6, 4.0), (12, 3.0), (18, 2.0), (1, 0.1)].map(|(step, w)| (i, i.wrapping_sub(step), w));
    (from..to).flat_map(of_node).filter(|edge| edge.1 < edge.0).collect()
}

#[test]
fn a_graph_grows_through_three_generations_and_its_old_nodes_keep_their_bytes() {
    let both = |edges: Vec<(u32, u32, f64)>| edges.into_iter().flat_map(|(i, j, w)| [(i, j, w), (j, i, w)]);
    let start: Vec<(u32, u32, f64)> = both(groups(0, 180)).collect();
    for similarity in [false, true] {
        let matrix = CsrMatrix::from_triplets((180, 180), &start).unwrap();
        let kind = |matrix| if similarity { Data::Similarity(matrix) } else { Data::Graph(matrix) };
        let mut model = Model::fit(&Dosnes::sphere(), &names(0, 180), kind(matrix), &mut Silent).unwrap();
        let first = model.coordinates().to_owned();
        for generation in 0..3 {
            let (from, to) = (180 + 30 * generation, 210 + 30 * generation);
            // A whole graph with names: all nodes, and the edges of the new ones. Edges go in one direction only.
            let edges: Vec<(u32, u32, f64)> = groups(from, to).into_iter().map(|(i, j, w)| (i, j, 2.0 * w)).collect();
            let graph = kind(CsrMatrix::from_triplets((to as usize, to as usize), &edges).unwrap());
            let connected = connect_all(&model, &names(0, to as usize), None, &graph).unwrap();
            assert_eq!(connected.rows, (from as usize..to as usize).collect::<Vec<_>>());
            let new_names = names(from as usize, to as usize);
            let larger = grow(&model, &new_names, &connected.data, &mut Silent).unwrap();
            assert_eq!(larger.coordinates().slice(s![..from as usize, ..]), model.coordinates());
            assert_eq!(larger.growth(), (generation as usize + 1, to as usize - 180));
            // The file keeps everything.
            model = Model::from_bytes(&larger.to_bytes()).unwrap();
            assert_eq!(model, larger);
        }
        assert_eq!(model.coordinates().slice(s![..180, ..]), first);
        let right = (180..270)
            .filter(|&i| {
                let to = |k: usize| degrees(&model.coordinates().row(k).to_vec(), &model.coordinates().row(i).to_vec());
                let nearest = (0..270).filter(|&k| k != i).min_by(|&a, &b| to(a).total_cmp(&to(b))).unwrap();
                nearest % 6 == i % 6
            })
            .count();
        assert!(right >= 85, "{right} of 90 new nodes are next to a node of their group");
    }
}

#[test]
fn new_nodes_that_only_know_each_other_settle_beside_those_with_links() {
    let both = |edges: Vec<(u32, u32, f64)>| edges.into_iter().flat_map(|(i, j, w)| [(i, j, w), (j, i, w)]);
    let start: Vec<(u32, u32, f64)> = both(groups(0, 120)).collect();
    let graph = Data::Graph(CsrMatrix::from_triplets((120, 120), &start).unwrap());
    let model = Model::fit(&Dosnes::sphere(), &names(0, 120), graph, &mut Silent).unwrap();
    // A chain: the first new node is linked to two old ones of group 2, each further one to the node before it.
    let ids: Vec<String> = ["item 2", "item 8", "a", "b", "c", "alone", "too"].map(String::from).to_vec();
    let edges = [(2, 0, 4.0), (2, 1, 4.0), (3, 2, 4.0), (4, 3, 4.0), (5, 6, 1.0)];
    let new = Data::Graph(CsrMatrix::from_triplets((7, 7), &edges).unwrap());
    let found = connect_all(&model, &ids, None, &new).unwrap();
    assert_eq!((&found.rows, &found.unconnected, found.unused), (&vec![2, 3, 4], &vec![5, 6], 0));
    let Data::Graph(links) = &found.data else { panic!("a graph") };
    assert_eq!(links.shape(), (3, 123));
    let chain: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
    let larger = grow(&model, &chain, &found.data, &mut Silent).unwrap();
    let place = |i: usize| larger.coordinates().row(i).to_vec();
    let group = median((0..20).map(|k| degrees(&place(2 + 6 * k), &place(2))).collect());
    for i in 120..123 {
        let angle = degrees(&place(i), &place(2));
        assert!(angle < 2.0 * group, "{i}: {angle} {group}");
    }
    // On any number of threads.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(5).build().unwrap();
    assert_eq!(pool.install(|| grow(&model, &chain, &found.data, &mut Silent).unwrap()), larger);
}

#[test]
fn a_new_row_of_dyadic_data_is_placed_by_its_columns() {
    // Documents of four subjects: words 10 s … 10 s + 9 belong to subject s, and word 40 to all.
    let row = |i: usize| {
        let word = move |k: usize| (10 * (i % 4) + (i / 4 * 3 + k * k) % 10) as u32;
        (0..5).map(word).chain([40]).collect::<std::collections::BTreeSet<u32>>()
    };
    let matrix = |from: usize, to: usize| {
        let entries: Vec<(u32, u32, f64)> =
            (from..to).flat_map(|i| row(i).into_iter().map(move |k| ((i - from) as u32, k, 1.0))).collect();
        Data::Dyadic(CsrMatrix::from_triplets((to - from, 41), &entries).unwrap())
    };
    let model = Model::fit(&Dosnes::sphere(), &names(0, 160), matrix(0, 160), &mut Silent).unwrap();
    assert_eq!(Model::from_bytes(&model.to_bytes()).unwrap(), model);
    let placed = transform(&model, &matrix(160, 180), &mut Silent).unwrap();
    for (x, row) in placed.coordinates.rows().into_iter().enumerate() {
        assert_eq!(class_of_place(&model, &row.to_vec(), |i| i % 4), (160 + x) % 4);
    }
    let mut larger = model.clone();
    for generation in 0..3 {
        let (from, to) = (160 + 20 * generation, 180 + 20 * generation);
        larger = grow(&larger, &names(from, to), &matrix(from, to), &mut Silent).unwrap();
        assert_eq!(Model::from_bytes(&larger.to_bytes()).unwrap(), larger);
    }
    assert_eq!(larger.coordinates().slice(s![..160, ..]), model.coordinates());
    let right = (160..220)
        .filter(|&i| class_of_place(&model, &larger.coordinates().row(i).to_vec(), |k| k % 4) == i % 4)
        .count();
    assert!(right >= 57, "{right} of 60 new rows are next to a row of their subject");
}

#[test]
fn new_nodes_are_those_whose_names_are_not_on_the_map() {
    let ring: Vec<(u32, u32, f64)> =
        (0..20_u32).flat_map(|i| [(i, (i + 1) % 20, 1.0), (i, (i + 2) % 20, 1.0)]).collect();
    let graph = Data::Graph(CsrMatrix::from_triplets((20, 20), &ring).unwrap());
    let model = Model::fit(&Dosnes::sphere(), &names(0, 20), graph, &mut Silent).unwrap();
    let ids: Vec<String> = ["a", "item 3", "b", "item 7", "c"].map(String::from).to_vec();
    let edges = [(0, 1, 2.0), (1, 0, 4.0), (3, 2, 1.0), (0, 2, 9.0), (4, 0, 1.0), (1, 3, 5.0)];
    let new = Data::Graph(CsrMatrix::from_triplets((5, 5), &edges).unwrap());
    let found = connect(&model, &ids, None, &new).unwrap();
    assert_eq!((found.rows, found.unconnected, found.unused), (vec![0, 2], vec![4], 2));
    let Data::Graph(links) = found.data else { panic!("a graph") };
    assert_eq!((links.get(0, 3), links.get(1, 7), links.nnz()), (Some(3.0), Some(0.5), 2));
}
