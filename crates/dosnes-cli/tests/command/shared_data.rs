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
        // The paper's own setting.
        let options = format!("--steps 1 --radius free --seed {seed}");
        folder.run(&format!("embed {file} {options} -o map.csv --report r.json")).succeeds();
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

/// Normalises with the default options, and checks that all row sums are 1 and the diagonal is empty.
fn is_equal(file: &str, options: &str) {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    let file = data.join(file).display().to_string();
    folder.run(&format!("normalize {file} {options} -o p.mtx --report r.json")).succeeds();
    let report = folder.json("r.json");
    assert_eq!(report["normalize"]["diagonal"], "zero");
    assert!(report["normalize"]["residual"].as_f64().unwrap() <= 1e-9);
    let rows = rows_of(&folder.read("p.mtx"));
    // Items that are similar to no other item are left out.
    let empty = rows.iter().filter(|row| row.is_empty()).count();
    assert_eq!(report["left_out"].as_array().unwrap().len(), empty);
    for (i, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
        assert!(row.iter().all(|&(j, p)| j != i && p > 0.0), "{file}: row {i}");
        // The file has shortest decimals that read back as the same numbers.
        assert!((row.iter().map(|entry| entry.1).sum::<f64>() - 1.0).abs() <= 1e-9, "{file}: row {i}");
    }
}

#[test]
fn nips_authors_are_made_equal() {
    for method in ["walk", "sinkhorn"] {
        is_equal("nips/nips_lcc_paper_author.mtx", &format!("--as dyadic --transpose --normalize {method}"));
    }
}

#[test]
fn graphs_are_made_equal() {
    for file in ["vega_flights-airport.csv", "polblogs.mtx.gz", "ca-GrQc.mtx.gz", "musae_github.mtx.gz"] {
        is_equal(&format!("graphs/{file}"), "");
    }
}

#[test]
fn large_graphs_are_made_equal() {
    for file in ["debian12_deps_lcc.mtx.gz", "email-Enron.mtx.gz", "ca-AstroPh.mtx.gz", "wordnet30_lcc.mtx.gz"] {
        is_equal(&format!("graphs/{file}"), "");
    }
}

#[test]
fn graphs_of_a_layout_benchmark_are_made_equal() {
    let Some(data) = data() else { return };
    let mut tried = 0;
    for entry in data.join("layout").read_dir().unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".mtx.gz") {
            is_equal(&format!("layout/{name}"), "--as graph");
            tried += 1;
        }
    }
    assert!(tried > 10, "{tried}");
}

/// With one step, as in the paper, most graphs can only be softened: sums become less unequal, and no similarity
/// vanishes.
#[test]
fn one_step_is_softened() {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    let file = data.join("graphs/polblogs.mtx.gz").display().to_string();
    folder.run(&format!("normalize {file} --steps 1 --softness 0.134 -o p.mtx --report r.json")).succeeds();
    let report = folder.json("r.json");
    assert_eq!(report["normalize"]["diagonal"], "zero, softened");
    assert!(report["normalize"]["degree_cv_after"].as_f64().unwrap() <= 0.36);
    let rows = rows_of(&folder.read("p.mtx"));
    let (mut vanishing, mut entries) = (0, 0);
    for row in &rows {
        let largest = row.iter().map(|entry| entry.1).fold(0.0, f64::max);
        vanishing += row.iter().filter(|entry| entry.1 < 1e-6 * largest).count();
        entries += row.len();
    }
    assert!(vanishing * 100 <= entries, "{vanishing} of {entries}");
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
    let input = format!("{file} --as dyadic --transpose --items {names}");
    // Who wrote with whom.
    folder.run(&format!("normalize {input} --normalize none -o s.mtx")).succeeds();
    let co_authors = rows_of(&folder.read("s.mtx"));
    let mut as_claimed = 0;
    for seed in 0..5 {
        let options = format!("--normalize {normalize} --seed {seed}");
        folder.run(&format!("embed {input} {options} -o map.csv")).succeeds();
        let map = folder.read("map.csv");
        let u = directions(&map);
        assert_eq!(u.len(), 5414);
        let cosine = |i: usize, j: usize| u[i].iter().zip(&u[j]).map(|(a, b)| a * b).sum::<f64>();
        let author = |name: &str| map.lines().skip(1).position(|line| line.split(',').next() == Some(name)).unwrap();
        let hinton = author("Hinton_G");
        let apart = cosine(hinton, author("Schölkopf_B")).acos().to_degrees();
        let rank = |i: usize, j: usize| (0..u.len()).filter(|&k| k != i && cosine(i, k) > cosine(i, j)).count();
        let near = ["Revow_M", "Nair_V", "Brown_A"].iter().all(|name| rank(hinton, author(name)) < 30);
        as_claimed += usize::from(near && apart > 45.0);
        if seed == 0 {
            let kept = |(i, row): (usize, &Vec<(usize, f64)>)| {
                row.iter().filter(|&&(j, _)| rank(i, j) < row.len()).count() as f64 / row.len() as f64
            };
            let share = co_authors.iter().enumerate().map(kept).sum::<f64>() / u.len() as f64;
            assert!(share >= 0.65, "{share}");
        }
    }
    assert!(as_claimed >= 4, "{as_claimed} of 5");
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
