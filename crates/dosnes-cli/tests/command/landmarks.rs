//! A part of the points is embedded, and the rest is placed.

use crate::harness::{Folder, bundled, ring};
use std::collections::HashMap;

#[test]
fn digits_placed_around_landmarks_are_among_their_class() {
    let folder = Folder::new();
    let digits = bundled("digits.csv.gz");
    let command = format!(
        "embed {digits} --landmarks 600 --label label -o map.csv -o map.html --model map.dosnes --report r.json"
    );
    let outcome = folder.run(&command);
    outcome.succeeds();
    outcome.says(&["placed 1,197", "around 600 landmarks", "the model of 600 items"]);
    let csv = folder.read("map.csv");
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let at = |name: &str| header.iter().position(|cell| *cell == name).expect("a column");
    let (label, part, misfit, x) = (at("label"), at("part"), at("misfit"), at("x"));
    let items: Vec<(String, bool, f64, [f64; 3])> = lines
        .map(|c| {
            let position = std::array::from_fn(|k| c[x + k].parse().unwrap());
            (c[label].to_owned(), c[part] == "landmark", c[misfit].parse().unwrap_or(f64::NAN), position)
        })
        .collect();
    assert_eq!((items.len(), items.iter().filter(|item| item.1).count()), (1797, 600));
    assert!(items.iter().all(|item| item.1 == item.2.is_nan()));
    // The most frequent class among the 15 nearest landmarks.
    let landmarks: Vec<_> = items.iter().filter(|item| item.1).collect();
    let right = |item: &(String, bool, f64, [f64; 3])| {
        let distance = |other: &[f64; 3]| (0..3).map(|k| (other[k] - item.3[k]).powi(2)).sum::<f64>();
        let mut near: Vec<(f64, &str)> = landmarks.iter().map(|other| (distance(&other.3), other.0.as_str())).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut votes: HashMap<&str, usize> = HashMap::new();
        for (_, class) in &near[..15] {
            *votes.entry(class).or_default() += 1;
        }
        votes.into_iter().max_by_key(|vote| vote.1).unwrap().0 == item.0
    };
    let placed: Vec<_> = items.iter().filter(|item| !item.1).collect();
    let share = placed.iter().filter(|item| right(item)).count() as f64 / placed.len() as f64;
    // Random samples of this size reach 0.93 to 0.95; the map of all digits 0.985.
    assert!(share > 0.92, "{share}");
    assert_eq!(folder.page("map.html")["count"], 1797);
    let report = folder.json("r.json");
    assert_eq!((&report["n"], &report["input"]["n"], &report["placed"]), (&600.into(), &1797.into(), &1197.into()));
    assert_eq!(report["outputs"], serde_json::json!(["map.csv", "map.html"]));
    assert!(report["kl"].as_f64().unwrap() > 0.0 && report["unfinished"].is_null());
}

#[test]
fn what_landmarks_cannot_do_is_refused() {
    let folder = Folder::with("graph.csv", ring(30));
    let points: String = (0..40).map(|i| format!("{},{}\n", i % 7, (i * i) % 11)).collect();
    folder.write("points.csv", points);
    folder.write("old.csv", "id,lat,lon\n0,1,2\n1,3,4\n2,5,6\n");
    let before = folder.files();
    for (line, parts) in [
        ("embed graph.csv --landmarks 10", ["--landmarks is for points only", "graph"]),
        ("embed points.csv --landmarks 40", ["not fewer than the 40", "leave --landmarks out"]),
        ("embed points.csv --landmarks 0", ["landmarks", "at least one"]),
        ("embed points.csv --landmarks 10 --space plane", ["--landmarks", "--space sphere"]),
        ("embed points.csv --landmarks 10 --like old.csv", ["--like", "--landmarks"]),
        ("embed points.csv --landmarks 10 --checkpoint c.dosnes", ["--checkpoint", "--landmarks"]),
        ("embed points.csv --landmarks 10 --metric jaccard", ["--landmarks", "jaccard"]),
    ] {
        folder.run(&format!("{line} -o out.csv")).fails_with(2, &parts);
    }
    assert_eq!(folder.files(), before);
}
