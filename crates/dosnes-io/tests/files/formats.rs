//! Files that other tools wrote (see data/make.py) are read as what was put into them: 10 i + j at (i, j).

use std::path::{Path, PathBuf};

use dosnes::input::{Data, Distances, Items, Points, Values};
use dosnes::observe::Silent;
use dosnes_io::{Error, Format, Kind, Loaded, Note, ReadOptions};

fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Loaded, Error> {
    dosnes_io::read(path, options, &mut Silent)
}

fn read_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Loaded, Error> {
    dosnes_io::read_bytes(name, bytes, options, &mut Silent)
}

const NAMES: [&str; 5] = ["ant", "bee", "çat", "dog", "eel"];
const SPECIES: [&str; 5] = ["insect", "insect", "mammal", "mammal", "fish"];

fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file)
}

fn open_as(file: &str, options: &ReadOptions) -> Loaded {
    let loaded = read(path(file), options).unwrap_or_else(|e| panic!("{e}"));
    println!("{file}: {}", loaded.detected);
    // The same bytes in memory take the same way.
    let bytes = std::fs::read(path(file)).unwrap();
    assert_eq!(read_bytes(file, &bytes, options).unwrap().detected, loaded.detected);
    loaded
}

fn open(file: &str) -> Loaded {
    open_as(file, &ReadOptions::default())
}

fn array(name: &str) -> ReadOptions {
    ReadOptions { array: Some(name.into()), ..ReadOptions::default() }
}

fn kind(kind: Kind) -> ReadOptions {
    ReadOptions { kind: Some(kind), ..ReadOptions::default() }
}

fn assert_ten_i_plus_j(loaded: &Loaded) {
    let Data::Points(Points::Dense(x)) = &loaded.dataset.data else { panic!("dense points: {}", loaded.detected) };
    assert_eq!(x.dim(), (5, 3));
    for ((i, j), &value) in x.indexed_iter() {
        assert_eq!(value, (10 * i + j) as f32, "at ({i}, {j})");
    }
}

/// Rows, columns and entries of the `COUNTS` of make.py, whose values are 1 … 7 in the order of the rows.
fn assert_counts(loaded: &Loaded) {
    let counts = match &loaded.dataset.data {
        Data::Dyadic(incidence) => incidence,
        Data::Points(Points::Sparse(points)) => points,
        other => panic!("a sparse matrix, not {}", other.kind()),
    };
    assert_eq!(counts.shape(), (5, 3));
    let entries: Vec<(f64, (usize, usize))> = counts.iter().map(|(i, j, v)| (v, (i, j))).collect();
    let expected = [(0, 0), (0, 2), (1, 1), (2, 0), (3, 2), (4, 0), (4, 1)];
    assert_eq!(entries.len(), 7);
    for (k, &(value, place)) in entries.iter().enumerate() {
        assert_eq!((value, place), ((k + 1) as f64, expected[k]));
    }
}

fn texts(items: &Items, column: &str) -> Vec<String> {
    match &items.column(column).unwrap_or_else(|| panic!("column {column}")).values {
        Values::Text(values) => values.clone(),
        Values::Number(_) => panic!("{column} holds numbers"),
    }
}

fn numbers(items: &Items, column: &str) -> Vec<f64> {
    match &items.column(column).unwrap_or_else(|| panic!("column {column}")).values {
        Values::Number(values) => values.clone(),
        Values::Text(_) => panic!("{column} holds texts"),
    }
}

#[test]
fn numpy_arrays_of_every_type_and_order_hold_the_same_points() {
    for file in ["double.npy", "single_fortran.npy", "half.npy", "bytes.npy", "long_big_endian.npy"] {
        let loaded = open(file);
        assert_eq!(loaded.format, Format::Npy);
        assert_ten_i_plus_j(&loaded);
    }
    let Data::Points(Points::Dense(x)) = open("bool.npy").dataset.data else { panic!("points") };
    assert_eq!(x[[0, 1]], 1.0);
    assert_eq!(x[[1, 0]], 0.0);
}

#[test]
fn arrays_that_are_no_matrix_are_refused_with_their_shape_or_type() {
    let message = read(path("vector.npy"), &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.contains("shape (5,), and a matrix (2-D) is needed"), "{message}");
    let message = read(path("objects.npy"), &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.contains("Python objects"), "{message}");
}

#[test]
fn a_square_symmetric_array_with_zero_diagonal_holds_distances() {
    let Data::Distance(Distances::Dense(d)) = open("distances.npy").dataset.data else { panic!("distances") };
    assert_eq!(d[[0, 2]], 2.0);
    let Data::Distance(_) = open("distances_array.mtx").dataset.data else { panic!("distances") };
}

#[test]
fn an_archive_gives_its_matrix_with_the_other_arrays_as_columns() {
    let loaded = open("archive.npz");
    assert_ten_i_plus_j(&loaded);
    assert_eq!(loaded.dataset.items.ids, NAMES);
    assert_eq!(texts(&loaded.dataset.items, "species"), SPECIES);
    assert_eq!(numbers(&loaded.dataset.items, "y"), [0.0, 1.0, 2.0, 3.0, 4.0]);
    assert!(loaded.notes.iter().any(|n| matches!(n, Note::OtherArrays(names) if names == &["other (2, 2)"])));
    let loaded = open("compressed.npz");
    assert_ten_i_plus_j(&loaded);
    assert_eq!(texts(&loaded.dataset.items, "label"), SPECIES);
}

#[test]
fn an_archive_with_two_matrices_asks_which() {
    let message = read(path("two_matrices.npz"), &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.contains("choose one with --array: a (5, 3), b (5, 3)"), "{message}");
    assert_ten_i_plus_j(&open_as("two_matrices.npz", &array("b")));
}

#[test]
fn scipy_sparse_matrices_of_every_format_and_matrix_market_are_the_same_counts() {
    for file in ["csr.npz", "csc.npz", "coo.npz", "counts.mtx", "sparse.mat"] {
        let loaded = open(file);
        assert_eq!(loaded.dataset.data.kind(), Kind::Dyadic, "{file}");
        assert_counts(&loaded);
    }
    assert_ten_i_plus_j(&open("array.mtx"));
}

#[test]
fn the_karate_club_has_34_members_and_78_edges_in_every_format() {
    for (file, format) in [
        ("karate.mtx", Format::MatrixMarket),
        ("karate_pattern.mtx", Format::MatrixMarket),
        ("karate.graphml", Format::GraphMl),
        ("karate.gexf", Format::Gexf),
        ("karate_no_data.edgelist", Format::EdgeList),
        ("karate_weighted.txt", Format::EdgeList),
    ] {
        let loaded = open_as(file, &ReadOptions { directed: Some(false), ..ReadOptions::default() });
        assert_eq!(loaded.format, format, "{file}");
        let Data::Graph(graph) = &loaded.dataset.data else { panic!("{file}: {}", loaded.detected) };
        assert_eq!((graph.rows(), graph.nnz()), (34, 156), "{file}");
        let total: f64 = graph.values().iter().sum();
        let unweighted = matches!(file, "karate_pattern.mtx" | "karate_no_data.edgelist");
        assert_eq!(total, if unweighted { 156.0 } else { 462.0 }, "{file}");
    }
    let club = texts(&open("karate.graphml").dataset.items, "club");
    assert_eq!((club[0].as_str(), club[33].as_str()), ("Mr. Hi", "Officer"));
}

#[test]
fn a_directed_graph_keeps_directions_weights_and_node_columns() {
    for file in ["directed.graphml", "directed.gexf", "networkx.edgelist", "networkx.net"] {
        let loaded = open(file);
        let Data::Graph(graph) = &loaded.dataset.data else { panic!("{file}") };
        let at = |name: &str| loaded.dataset.items.ids.iter().position(|id| id == name).unwrap();
        let weight = |from: &str, to: &str| graph.get(at(from), at(to)).unwrap_or(0.0);
        assert_eq!(weight("ant", "bee"), 2.5, "{file}");
        assert_eq!(weight("bee", "ant"), 1.0, "{file}");
        assert_eq!((weight("çat", "dog"), weight("dog", "çat")), (4.0, 0.0), "{file}");
        assert_eq!(weight("eel", "eel"), 3.0, "{file}");
        assert!(loaded.notes.contains(&Note::SelfLoops(1)), "{file}");
        if file.starts_with("directed") {
            assert_eq!(texts(&loaded.dataset.items, "species"), SPECIES, "{file}");
            assert_eq!(numbers(&loaded.dataset.items, "size")[4], 4.0, "{file}");
        }
    }
}

#[test]
fn anndata_of_today_gives_x_dense_or_sparse_with_all_sorts_of_columns() {
    assert_ten_i_plus_j(&open("dense.h5ad"));
    assert_counts(&open("csr.h5ad"));
    assert_counts(&open("csc.h5ad"));
    let items = open("dense.h5ad").dataset.items;
    assert_eq!(items.ids, NAMES);
    let names: Vec<&str> = items.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["species", "score", "good", "count", "text", "maybe"]);
    assert_eq!(texts(&items, "species"), SPECIES);
    assert_eq!(numbers(&items, "score"), [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(numbers(&items, "good"), [1.0, 0.0, 1.0, 1.0, 0.0]);
    assert!(numbers(&items, "count")[1].is_nan());
    assert_eq!(numbers(&items, "count")[4], 5.0);
    assert_eq!(texts(&items, "text")[3], "note 3");
    assert_eq!(texts(&items, "maybe"), ["a", "", "b", "a", "b"]);
}

#[test]
fn columns_of_points_have_names_where_the_file_has_them() {
    let names = |loaded: &Loaded| loaded.dataset.partners.as_ref().map(|partners| partners.ids.clone());
    assert_eq!(names(&open("dense.h5ad")).unwrap(), ["0", "1", "2"]);
    assert_eq!(names(&open("csr.h5ad")).unwrap(), ["0", "1", "2"]);
    // An embedding in the same file has other columns.
    assert_eq!(names(&open_as("dense.h5ad", &array("X_pca"))), None);
    // A gene that no cell has is left out of the counts, and so is its name.
    let table = "cell,CD3D,none,LYZ\na,1,0,3\nb,2,0,1\nc,9,0,4\n";
    let counts = ReadOptions { cell_counts: true, ..ReadOptions::default() };
    let loaded = read_bytes("cells.csv", table.as_bytes(), &counts).unwrap();
    assert_eq!(names(&loaded).unwrap(), ["CD3D", "LYZ"]);
}

#[test]
fn raw_counts_in_anndata_are_noticed() {
    let noticed = |loaded: &Loaded| loaded.notes.contains(&Note::RawCounts);
    assert!(noticed(&open("dense.h5ad")));
    assert!(noticed(&open("csc.h5ad")));
    assert!(!noticed(&open_as("dense.h5ad", &array("X_pca"))));
    assert!(!noticed(&open_as("csc.h5ad", &ReadOptions { cell_counts: true, ..ReadOptions::default() })));
}

#[test]
fn anndata_gives_embeddings_and_neighbour_graphs_on_request() {
    let Data::Points(Points::Dense(x)) = open_as("dense.h5ad", &array("X_pca")).dataset.data else { panic!("points") };
    assert_eq!((x.dim(), x[[3, 0]]), ((5, 2), 3.0));
    let Data::Graph(graph) = open_as("csr.h5ad", &kind(Kind::Graph)).dataset.data else { panic!("graph") };
    assert_eq!(graph.get(0, 1), Some(1.0));
    let Data::Distance(Distances::Sparse(_)) = open_as("csr.h5ad", &kind(Kind::Distance)).dataset.data else {
        panic!("distances")
    };
    let message = read(path("dense.h5ad"), &array("X_umap")).unwrap_err().to_string();
    assert!(message.contains("there is no array \"X_umap\"; there are X, obsm/X_pca"), "{message}");
}

#[test]
fn matlab_files_of_both_generations_give_variables_and_columns() {
    for file in ["dense.mat", "compressed.mat"] {
        let loaded = open(file);
        assert_eq!(loaded.format, Format::Mat);
        assert_ten_i_plus_j(&loaded);
        assert_eq!(loaded.dataset.items.ids, NAMES);
        assert_eq!(texts(&loaded.dataset.items, "species"), SPECIES);
        assert_eq!(numbers(&loaded.dataset.items, "y")[4], 4.0);
    }
    assert_ten_i_plus_j(&open("integers.mat"));
    let loaded = open("version73.mat");
    assert_ten_i_plus_j(&loaded);
    assert_eq!(numbers(&loaded.dataset.items, "y")[4], 4.0);
    assert_counts(&open_as("version73.mat", &array("S")));
}

#[test]
fn tables_of_pandas_and_numpy_are_points_with_ids_and_labels() {
    let loaded = open("pandas_index.csv");
    assert_ten_i_plus_j(&loaded);
    assert_eq!(loaded.dataset.items.ids, ["0", "1", "2", "3", "4"]);
    let loaded = open("named.csv");
    assert_ten_i_plus_j(&loaded);
    assert_eq!(loaded.dataset.items.ids, NAMES);
    assert_eq!(texts(&loaded.dataset.items, "species"), SPECIES);
    assert_eq!(numbers(&loaded.dataset.items, "target"), [0.0, 1.0, 0.0, 1.0, 0.0]);
    let loaded = open("european.csv");
    assert_ten_i_plus_j(&loaded);
    assert!(loaded.notes.contains(&Note::DecimalComma));
    assert_ten_i_plus_j(&open("numbers.csv.gz"));
}

#[test]
fn square_tables_with_names_on_both_sides_are_distances_or_similarities() {
    let loaded = open("distances.csv");
    let Data::Distance(Distances::Dense(d)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!((loaded.dataset.items.ids[2].as_str(), d[[0, 2]]), ("çat", 2.0));
    let loaded = open("similarities.tsv");
    let Data::Similarity(s) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!(s.get(1, 1), Some(1.0));
    assert_eq!(s.get(0, 2), Some((-2.0_f64).exp()));
}

#[cfg(feature = "parquet")]
#[test]
fn a_parquet_table_is_read_as_the_same_table_in_csv() {
    let loaded = open("named.parquet");
    assert_ten_i_plus_j(&loaded);
    assert_eq!(loaded.dataset.items.ids, NAMES);
    assert_eq!(texts(&loaded.dataset.items, "species"), SPECIES);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_parquet_file_says_how_to_build_for_it() {
    let message = read(path("named.parquet"), &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.contains("build with the feature \"parquet\""), "{message}");
}
