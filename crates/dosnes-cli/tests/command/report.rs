//! Other programs depend on the keys of the report.

use crate::harness::{Folder, bundled, ring};
use serde_json::Value;

/// Keys that the report must have, with a dot between levels.
const KEYS: [&str; 23] = [
    "n",
    "nnz",
    "input.kind",
    "normalize.method",
    "normalize.iterations",
    "normalize.residual",
    "normalize.degree_cv_before",
    "normalize.degree_cv_after",
    "normalize.diagonal",
    "repulsion",
    "kl",
    "radius",
    "iterations",
    "seed",
    "seconds.read",
    "seconds.neighbors",
    "seconds.affinity",
    "seconds.normalize",
    "seconds.optimize",
    "seconds.write",
    "seconds.total",
    "peak_rss_bytes",
    "left_out",
];

#[track_caller]
fn value<'a>(report: &'a Value, key: &str) -> &'a Value {
    key.split('.').fold(report, |value, part| value.get(part).unwrap_or_else(|| panic!("{key} is missing")))
}

#[test]
fn an_embedding_reports_every_key() {
    let folder = Folder::new();
    let digits = bundled("digits.csv.gz");
    folder.run(&format!("embed {digits} --report r.json --iterations 40 --seed 5 --perplexity 20")).succeeds();
    let report = folder.json("r.json");
    for key in KEYS {
        assert!(!value(&report, key).is_null(), "{key}");
    }
    assert_eq!(value(&report, "n"), 1797);
    assert_eq!(value(&report, "input.kind"), "points");
    assert_eq!(value(&report, "normalize.method"), "sinkhorn");
    assert_eq!(value(&report, "seed"), 5);
    assert_eq!(value(&report, "iterations"), 40);
    assert_eq!(value(&report, "similarity.perplexity"), 20.0);
    let seconds = |key: &str| value(&report, &format!("seconds.{key}")).as_f64().unwrap();
    let stages = ["read", "neighbors", "affinity", "normalize", "optimize", "write"];
    let sum: f64 = stages.iter().map(|stage| seconds(stage)).sum();
    assert!(sum <= seconds("total") && sum > 0.5 * seconds("total"), "{sum} of {}", seconds("total"));
    assert!(seconds("neighbors") > 0.0 && seconds("affinity") > 0.0 && seconds("optimize") > 0.0);
}

#[test]
fn a_normalisation_reports_every_key() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.run("normalize graph.csv --report r.json").succeeds();
    let report = folder.json("r.json");
    for key in KEYS {
        let is_of_the_map = ["repulsion", "kl", "radius", "iterations"].contains(&key);
        assert_eq!(value(&report, key).is_null(), is_of_the_map, "{key}");
    }
    assert_eq!(value(&report, "normalize.diagonal"), "zero");
    assert!(value(&report, "normalize.residual").as_f64().unwrap() <= 1e-9);
}

#[test]
fn every_method_reports_its_name_and_its_rule() {
    let folder = Folder::with("graph.csv", ring(12));
    for (options, method, diagonal) in [
        ("--normalize sinkhorn", "sinkhorn", "zero"),
        ("--normalize walk", "walk", "zero"),
        ("--normalize walk --diagonal dropped", "walk", "dropped after scaling"),
        ("--normalize zass-shashua", "zass-shashua", "zero"),
        ("--normalize none", "none", "left out"),
    ] {
        folder.run(&format!("normalize graph.csv --report r.json {options}")).succeeds();
        let report = folder.json("r.json");
        assert_eq!(value(&report, "normalize.method"), method);
        assert_eq!(value(&report, "normalize.diagonal"), diagonal, "{options}");
    }
}

#[test]
fn the_kl_is_that_of_the_coordinates_that_are_written() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.run("embed graph.csv -o map.csv --report r.json").succeeds();
    folder.run("normalize graph.csv -o p.mtx").succeeds();
    let y: Vec<Vec<f64>> = folder
        .read("map.csv")
        .lines()
        .skip(1)
        .map(|line| line.split(',').skip(1).take(3).map(|cell| cell.parse().unwrap()).collect())
        .collect();
    let q = |i: usize, j: usize| 1.0 / (1.0 + (0..3).map(|k| (y[i][k] - y[j][k]).powi(2)).sum::<f64>());
    let z: f64 =
        (0..12).flat_map(|i| (0..12).filter(move |&j| j != i).map(move |j| (i, j))).map(|(i, j)| q(i, j)).sum();
    let entries: Vec<(usize, usize, f64)> = folder
        .read("p.mtx")
        .lines()
        .skip(2)
        .map(|line| {
            let cells: Vec<f64> = line.split(' ').map(|cell| cell.parse().unwrap()).collect();
            (cells[0] as usize - 1, cells[1] as usize - 1, cells[2])
        })
        .collect();
    let total: f64 = entries.iter().map(|e| 2.0 * e.2).sum();
    let kl: f64 = entries.iter().map(|&(i, j, p)| 2.0 * p / total * (p / total / (q(i, j) / z)).ln()).sum();
    let reported = folder.json("r.json")["kl"].as_f64().unwrap();
    assert!((kl - reported).abs() < 1e-9, "{kl} {reported}");
}

#[test]
fn the_repulsion_method_is_chosen_by_size_and_space_and_reported() {
    let folder = Folder::with("small.csv", ring(30));
    folder.write("large.csv", ring(6000));
    for (file, options, method) in [
        ("small.csv", "--space sphere", "exact"),
        ("small.csv", "--space plane", "exact"),
        ("small.csv", "--space space", "exact"),
        ("large.csv", "--space sphere", "harmonic"),
        ("large.csv", "--space plane", "fft"),
        ("large.csv", "--space space", "tree"),
        ("small.csv", "--space plane --repulsion fft", "fft"),
        ("small.csv", "--space plane --repulsion tree", "tree"),
        ("small.csv", "--space sphere --repulsion tree", "tree"),
        ("small.csv", "--space space --repulsion exact", "exact"),
    ] {
        let run = folder.run(&format!("embed {file} {options} --iterations 3 --init random --report r.json -v"));
        run.succeeds();
        run.says(&["repulsion was computed", &format!("({method})")]);
        assert_eq!(value(&folder.json("r.json"), "repulsion"), method, "{file} {options}");
    }
}

#[test]
fn symmetric_affinities_report_whether_they_exist() {
    let folder = Folder::new();
    let digits = bundled("digits.csv.gz");
    folder.run(&format!("normalize {digits} --affinity symmetric-entropic --report r.json")).succeeds();
    let report = folder.json("r.json");
    assert_eq!(value(&report, "similarity.symmetric.converged"), true);
    assert!(value(&report, "normalize.degree_ratio_before").as_f64().unwrap() < 1.0 + 1e-7);
    // Nine leaves around one hub: their rows cannot all sum to 1 if the row of the hub does.
    let leaf = |i: usize| (0..9).map(|j| if i == j { "1" } else { "0" }).collect::<Vec<_>>().join(",");
    let star: String = (0..10).map(|i| leaf(i) + "\n").collect();
    let folder = Folder::with("star.csv", star);
    let outcome = folder.run(
        "normalize star.csv --as points --affinity symmetric-entropic --perplexity 1 --neighbors 1 --report r.json",
    );
    outcome.succeeds();
    outcome.says(&["no symmetric affinities", "More --neighbors"]);
    assert_eq!(value(&folder.json("r.json"), "similarity.symmetric.converged"), false);
}
