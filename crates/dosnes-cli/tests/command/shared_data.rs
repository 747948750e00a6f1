//! Tests on real data that may not be bundled; `tests/shared_data.rs` at the root says where the data are expected.

use crate::harness::Folder;
use crate::shared::folder as data;

#[test]
fn world_trade_is_normalised_and_embedded_well_from_every_seed() {
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
            // Names may contain commas; the coordinates are the last five cells.
            let cells: Vec<&str> = line.rsplit(',').take(5).collect();
            let norm = cells[2..].iter().map(|cell| cell.parse::<f64>().unwrap().powi(2)).sum::<f64>().sqrt();
            assert!((norm / radius - 1.0).abs() <= 1e-9, "{line}");
        }
    }
    assert!(best <= 0.597, "{best}");
}

/// Normalises, and checks that row sums are nearly equal and that few similarities become almost zero.
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

/// Unit vectors of a map, in the order of the file.
fn directions(map: &str) -> Vec<[f64; 3]> {
    map.lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<f64> = line.rsplit(',').take(5).map(|cell| cell.parse().unwrap()).collect();
            let norm = cells[2..].iter().map(|v| v * v).sum::<f64>().sqrt();
            [cells[4] / norm, cells[3] / norm, cells[2] / norm]
        })
        .collect()
}

/// The symmetric matrix of a Matrix Market file that holds its lower triangle: the entries of each row.
fn rows_of(matrix: &str) -> Vec<Vec<(usize, f64)>> {
    let mut lines = matrix.lines().skip_while(|line| line.starts_with('%'));
    let n: usize = lines.next().unwrap().split(' ').next().unwrap().parse().unwrap();
    let mut rows = vec![Vec::new(); n];
    for line in lines {
        let cells: Vec<&str> = line.split(' ').collect();
        let (i, j): (usize, usize) = (cells[0].parse().unwrap(), cells[1].parse().unwrap());
        let value: f64 = cells[2].parse().unwrap();
        rows[i - 1].push((j - 1, value));
        rows[j - 1].push((i - 1, value));
    }
    rows
}

/// The paper's claims on NIPS authors: productive authors who never wrote together are apart, co-authors are together.
fn nips_authors_lie_by_their_co_authors(normalize: &str) {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    let file = data.join("nips/nips_lcc_paper_author.mtx").display().to_string();
    let names = data.join("nips/nips_lcc_authors.txt").display().to_string();
    let input = format!("{file} --as dyadic --transpose --items {names} --normalize {normalize}");
    folder.run(&format!("embed {input} -o map.csv")).succeeds();
    folder.run(&format!("normalize {input} -o p.mtx")).succeeds();
    let map = folder.read("map.csv");
    let u = directions(&map);
    let p = rows_of(&folder.read("p.mtx"));
    assert_eq!(u.len(), 5414);
    let cosine = |i: usize, j: usize| u[i].iter().zip(&u[j]).map(|(a, b)| a * b).sum::<f64>();
    let author = |name: &str| map.lines().skip(1).position(|line| line.split(',').next() == Some(name)).unwrap();
    let hinton = author("Hinton_G");
    let apart = cosine(hinton, author("Schölkopf_B")).acos().to_degrees();
    assert!(apart > 45.0, "{apart}");
    let rank = |i: usize, j: usize| (0..u.len()).filter(|&k| k != i && cosine(i, k) > cosine(i, j)).count();
    for name in ["Revow_M", "Nair_V", "Brown_A"] {
        let rank = rank(hinton, author(name));
        assert!(rank < 30, "{name}: {rank}");
    }
    let (mut with_strongest, mut shares) = (0, 0.0);
    for (i, row) in p.iter().enumerate() {
        let strongest = row.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
        with_strongest += usize::from(rank(i, strongest) < 30);
        let kept = row.iter().filter(|&&(j, _)| rank(i, j) < row.len()).count();
        shares += kept as f64 / row.len() as f64;
    }
    let n = u.len() as f64;
    assert!(with_strongest as f64 >= 0.97 * n, "{with_strongest}");
    assert!(shares >= 0.63 * n, "{}", shares / n);
}

#[test]
fn nips_authors_lie_by_their_co_authors_after_the_walk() {
    nips_authors_lie_by_their_co_authors("walk");
}

#[test]
fn nips_authors_lie_by_their_co_authors_after_sinkhorn() {
    nips_authors_lie_by_their_co_authors("sinkhorn");
}

/// R's isoMDS (MASS 7.3-58.2, `crates/dosnes/tests/reference/make_isomds.R`) has a stress of 0.316387 in the plane and of
/// 0.242861 in space, and of 0.313205 and 0.240472 after a thousand steps.
#[test]
fn world_trade_is_scaled_no_worse_than_by_r() {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    let file = data.join("worldtrade/world_trade.paj").display().to_string();
    folder.run(&format!("compare {file} --only mds-2d,mds-3d -o c.csv")).succeeds();
    for (method, of_r) in [("mds-2d", 0.313205), ("mds-3d", 0.240472)] {
        let stress = folder.json(&format!("c.maps/{method}-0.json"))["stress"].as_f64().unwrap();
        assert!(stress <= 1.01 * of_r, "{method}: {stress}");
    }
}
