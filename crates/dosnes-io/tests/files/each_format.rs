//! Each format in the readers' own table has a module of its own, and examples in `data/` that are read as what was put into
//! them; and nothing else is in that table.

use crate::small::read;
use dosnes::Named;
use dosnes::input::{Data, Distances, Points};
use dosnes::observe::Silent;
use dosnes_io::{Format, Loaded, ReadOptions};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What was put into an example (see `data/make.py`).
#[derive(Debug, Clone, Copy)]
enum Contents {
    /// 10 i + j at (i, j), with five rows and three columns.
    Table,
    /// The chain ant – bee – çat – dog – eel, with the weights 2 to 5.
    Weighted,
    /// The same without weights.
    Chain,
    /// A graph of five animals that is no chain.
    Animals,
    /// |i − j|, with five rows and columns.
    Steps,
    /// Counts 1, 2, …, 7 of five items and three partners, or of five cells and three genes.
    Counts,
}

use Contents::{Animals, Chain, Counts, Steps, Table, Weighted};

/// The module in `src/formats`, the example in `tests/data`, and what is in it.
const EXAMPLES: [(Format, &str, &str, Contents); 51] = [
    (Format::Table, "table", "named.csv", Table),
    (Format::Table, "table", "glove.txt", Table),
    (Format::Table, "table", "words.txt", Table),
    (Format::Table, "table", "european.csv", Table),
    (Format::Table, "table", "chain.csv", Weighted),
    (Format::EdgeList, "edge_list", "chain.edges", Weighted),
    (Format::EdgeList, "edge_list", "chain.ncol", Weighted),
    (Format::EdgeList, "edge_list", "out.chain", Weighted),
    (Format::EdgeList, "edge_list", "networkx.edgelist", Animals),
    (Format::EdgeList, "arrows", "chain_arrows.txt", Weighted),
    (Format::EdgeList, "sif", "chain.sif", Animals),
    (Format::EdgeList, "dimacs", "chain.col", Chain),
    (Format::EdgeList, "ucinet", "chain.dl", Weighted),
    (Format::Npy, "npy", "double.npy", Table),
    (Format::Npz, "npz", "archive.npz", Table),
    (Format::Npz, "npz", "csr.npz", Counts),
    (Format::MatrixMarket, "matrix_market", "array.mtx", Table),
    (Format::MatrixMarket, "matrix_market", "counts.mtx", Counts),
    (Format::Pajek, "pajek", "networkx.net", Animals),
    (Format::Pajek, "pajek", "chain.paj", Weighted),
    (Format::GraphMl, "graphml", "directed.graphml", Animals),
    (Format::Gexf, "gexf", "directed.gexf", Animals),
    (Format::Gml, "gml", "chain.gml", Weighted),
    (Format::Dot, "dot", "chain.dot", Weighted),
    (Format::Adjacency, "adjacency", "chain.adjlist", Chain),
    (Format::Adjacency, "adjacency", "chain.metis", Chain),
    (Format::Adjacency, "adjacency", "chain_lists.txt", Chain),
    (Format::Json, "json_data", "records.json", Table),
    (Format::Json, "json_data", "lines.jsonl", Table),
    (Format::Json, "json_graph", "nodelink.json", Weighted),
    (Format::Json, "json_graph", "cytoscape.json", Weighted),
    (Format::Xlsx, "xlsx", "workbook.xlsx", Table),
    (Format::Svmlight, "svmlight", "points.svmlight", Table),
    (Format::Vectors, "vectors", "points.fvecs", Table),
    (Format::Vectors, "vectors", "points.bvecs", Table),
    (Format::Vectors, "vectors", "points.ivecs", Table),
    (Format::Vectors, "vectors", "points.fbin", Table),
    (Format::Vectors, "vectors", "points.u8bin", Table),
    (Format::Vectors, "vectors", "points.i8bin", Table),
    (Format::Word2vec, "vectors", "words.bin", Table),
    (Format::Triangle, "triangle", "lower.csv", Steps),
    (Format::Triangle, "triangle", "upper.txt", Steps),
    (Format::Triangle, "triangle", "distances.phy", Steps),
    (Format::H5ad, "h5ad", "dense.h5ad", Table),
    (Format::H5ad, "h5ad", "csr.h5ad", Counts),
    (Format::TenX, "cells", "cells.h5", Counts),
    (Format::TenX, "cells", "cells", Counts),
    (Format::Loom, "cells", "cells.loom", Counts),
    (Format::Mat, "mat", "dense.mat", Table),
    (Format::Mat, "mat", "version73.mat", Table),
    (Format::Parquet, "parquet", "named.parquet", Table),
];

/// Further ends of names in the table, and the example that is read under such a name, too.
const OTHER_NAMES: [(&str, &str); 2] = [("chain.gv", "chain.dot"), ("chain.graph", "chain.metis")];

/// Modules that read no format of their own: parts of others, what is only written, and what is only refused.
const OTHER_MODULES: [&str; 6] = ["mod", "geojson", "h5ad_genes", "json", "json_unreadable", "xlsx_dates"];

fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file)
}

/// Each line of a file is one edge in one direction, unless it says otherwise.
fn undirected(contents: Contents) -> ReadOptions {
    let directed = if matches!(contents, Weighted | Chain) { Some(false) } else { None };
    ReadOptions { directed, ..ReadOptions::default() }
}

#[track_caller]
fn check(file: &str, loaded: &Loaded, contents: Contents) {
    let said = &loaded.detected;
    println!("{file}: {said}");
    match (contents, &loaded.dataset.data) {
        (Table, Data::Points(points)) => {
            let value = |i: usize, j: usize| match points {
                Points::Dense(x) => f64::from(x[[i, j]]),
                Points::Sparse(x) => x.get(i, j).unwrap_or(0.0),
                _ => panic!("{file}: {said}"),
            };
            assert_eq!(points.shape(), (5, 3), "{file}: {said}");
            for (i, j) in (0..5).flat_map(|i| (0..3).map(move |j| (i, j))) {
                assert_eq!(value(i, j), (10 * i + j) as f64, "{file}: at ({i}, {j}): {said}");
            }
        }
        (Weighted | Chain, Data::Graph(graph)) => {
            assert_eq!((graph.rows(), graph.nnz()), (5, 8), "{file}: {said}");
            for k in 0..4 {
                let weight = if matches!(contents, Weighted) { (k + 2) as f64 } else { 1.0 };
                let found = (graph.get(k, k + 1), graph.get(k + 1, k));
                assert_eq!(found, (Some(weight), Some(weight)), "{file}: {said}");
            }
        }
        (Animals, Data::Graph(graph)) => {
            assert_eq!(graph.rows(), 5, "{file}: {said}");
            let names: BTreeSet<&str> = loaded.dataset.items.ids.iter().map(String::as_str).collect();
            assert_eq!(names, BTreeSet::from(["ant", "bee", "dog", "eel", "çat"]), "{file}: {said}");
        }
        (Steps, Data::Distance(Distances::Dense(x))) => {
            assert_eq!(x.dim(), (5, 5), "{file}: {said}");
            assert!(x.indexed_iter().all(|((i, j), &d)| d == (i as f32 - j as f32).abs()), "{file}: {said}");
        }
        (Counts, Data::Dyadic(counts) | Data::Points(Points::Sparse(counts))) => {
            let found: Vec<(usize, usize, f64)> = counts.iter().collect();
            let places = [(0, 0), (0, 2), (1, 1), (2, 0), (3, 2), (4, 0), (4, 1)];
            let expected: Vec<_> = places.iter().zip(1..).map(|(&(i, j), k)| (i, j, f64::from(k))).collect();
            assert_eq!((counts.shape(), found), ((5, 3), expected), "{file}: {said}");
        }
        _ => panic!("{file} should hold {contents:?}: {said}"),
    }
}

#[test]
fn each_format_reads_its_examples_as_what_was_put_into_them() {
    for (format, _, file, contents) in EXAMPLES {
        let loaded = dosnes_io::read(data(file), &undirected(contents), &mut Silent);
        if format == Format::Parquet && cfg!(not(feature = "parquet")) {
            let refusal = loaded.expect_err(file).to_string();
            assert!(refusal.contains("build with the feature \"parquet\""), "{refusal}");
            continue;
        }
        let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(loaded.format, format, "{file}: {}", loaded.detected);
        check(file, &loaded, contents);
    }
    for (name, file) in OTHER_NAMES {
        let (format, _, _, contents) = EXAMPLES.into_iter().find(|example| example.2 == file).unwrap();
        let loaded = read(name, &std::fs::read(data(file)).unwrap(), &undirected(contents)).unwrap();
        assert_eq!(loaded.format, format, "{name}: {}", loaded.detected);
        check(name, &loaded, contents);
    }
}

#[test]
fn each_format_and_each_end_of_a_name_in_the_readers_table_has_an_example() {
    for &format in Format::ALL {
        assert!(EXAMPLES.iter().any(|example| example.0 == format), "{format} has no example");
    }
    let examples = || EXAMPLES.iter().map(|example| example.2).chain(OTHER_NAMES.iter().map(|(name, _)| *name));
    let table = Format::table();
    let quoted = table.split('`').skip(1).step_by(2);
    let endings: BTreeSet<&str> = quoted.filter(|word| word.starts_with('.') && !word.contains(' ')).collect();
    assert!(endings.contains(".npy") && endings.contains(".h5ad"), "{endings:?}");
    for ending in endings {
        assert!(examples().any(|file| file.ends_with(ending)), "no example ends in {ending}");
    }
}

#[test]
fn each_module_of_formats_reads_an_example_or_is_part_of_another() {
    let formats = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/formats");
    let modules: BTreeSet<String> = std::fs::read_dir(formats)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let named: BTreeSet<String> =
        EXAMPLES.iter().map(|example| example.1).chain(OTHER_MODULES).map(str::to_owned).collect();
    assert_eq!(modules, named);
}
