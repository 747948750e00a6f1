//! Real data that may not be bundled. They lie in a folder beside the repository, or where `DOSNES_SHARED_DATA` says.

use crate::harness::Folder;
use std::path::{Path, PathBuf};

/// The folder; `None`, and a line that says so, where it is not there. On CI that is a failure.
fn data() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder =
        std::env::var_os("DOSNES_SHARED_DATA").map_or_else(|| here.join("../../../shared/data"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{} is not there", folder.display());
    println!("not tested: {} is not there", folder.display());
    None
}

#[test]
fn world_trade_is_made_equal_and_embedded_well_from_every_seed() {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    let file = data.join("worldtrade/world_trade.paj").display().to_string();
    let mut best = f64::INFINITY;
    for seed in 0..10 {
        folder.run(&format!("embed {file} --seed {seed} -o map.csv --report r.json")).succeeds();
        let report = folder.json("r.json");
        assert!(report["normalize"]["residual"].as_f64().unwrap() <= 1e-9);
        let kl = report["kl"].as_f64().unwrap();
        assert!(kl <= 0.605, "seed {seed}: {kl}");
        best = best.min(kl);
        let radius = report["radius"].as_f64().unwrap();
        let map = folder.read("map.csv");
        for line in map.lines().skip(1) {
            // Names may hold commas; the coordinates are the last five cells.
            let cells: Vec<&str> = line.rsplit(',').take(5).collect();
            let norm = cells[2..].iter().map(|cell| cell.parse::<f64>().unwrap().powi(2)).sum::<f64>().sqrt();
            assert!((norm / radius - 1.0).abs() <= 1e-9, "{line}");
        }
    }
    assert!(best <= 0.597, "{best}");
}

/// Normalises, and checks how equal the items are and how few similarities all but vanish.
fn is_balanced(file: &str, options: &str, largest_cv: f64) {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    let file = data.join(file).display().to_string();
    folder.run(&format!("normalize {file} {options} -o p.mtx --report r.json")).succeeds();
    let report = folder.json("r.json");
    let cv = report["normalize"]["degree_cv_after"].as_f64().unwrap();
    assert!(cv <= largest_cv, "{file}: {cv}");
    assert_eq!(report["normalize"]["diagonal"], "zero, softened");
    let matrix = folder.read("p.mtx");
    let mut lines = matrix.lines().skip(1);
    let n: usize = lines.next().unwrap().split(' ').next().unwrap().parse().unwrap();
    let entries: Vec<(usize, usize, f64)> = lines
        .map(|line| {
            let mut cells = line.split(' ');
            let mut index = || cells.next().unwrap().parse::<usize>().unwrap() - 1;
            let (i, j) = (index(), index());
            (i, j, cells.next().unwrap().parse().unwrap())
        })
        .collect();
    assert_eq!(matrix.lines().next(), Some("%%MatrixMarket matrix coordinate real symmetric"));
    let mut largest = vec![0.0_f64; n];
    for &(i, j, p) in &entries {
        largest[i] = largest[i].max(p);
        largest[j] = largest[j].max(p);
    }
    let vanishing: usize =
        entries.iter().map(|&(i, j, p)| usize::from(p < 1e-6 * largest[i]) + usize::from(p < 1e-6 * largest[j])).sum();
    assert!(vanishing * 100 <= 2 * entries.len(), "{file}: {vanishing} of {}", 2 * entries.len());
}

#[test]
fn nips_authors_are_balanced() {
    is_balanced("nips/nips_lcc_paper_author.mtx", "--as dyadic --transpose --normalize sinkhorn", 0.25);
}

#[test]
fn airports_are_balanced() {
    is_balanced("graphs/vega_flights-airport.csv", "", 0.65);
}

#[test]
fn political_blogs_are_balanced() {
    is_balanced("graphs/polblogs.mtx.gz", "", 0.36);
}

#[test]
fn developers_are_balanced() {
    is_balanced("graphs/musae_github.mtx.gz", "", 0.46);
}

#[test]
fn debian_packages_are_balanced() {
    is_balanced("graphs/debian12_deps_lcc.mtx.gz", "", 0.66);
}
