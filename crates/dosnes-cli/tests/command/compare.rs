//! Measuring and comparing maps.

use crate::harness::{Folder, bundled, ring};

#[test]
fn a_map_is_measured_against_its_data() {
    let folder = Folder::with("ring.csv", ring(40));
    folder.run("embed ring.csv -o map.csv --report r.json").succeeds();
    let outcome = folder.run("evaluate map.csv --against ring.csv -o m.csv -o m.md --report m.json");
    outcome.succeeds();
    assert!(outcome.stdout.contains("recall at 10"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("coverage"), "{}", outcome.stdout);
    let measures = &folder.json("m.json")["map"]["measures"];
    // The report of the run itself and the measure agree on what the optimizer saw.
    let kl = folder.json("r.json")["kl"].as_f64().unwrap();
    assert!((measures["kl"]["value"].as_f64().unwrap() - kl).abs() < 1e-9);
    assert!(measures["recall_10"]["value"].as_f64().unwrap() > 0.8);
    assert!(measures["cv_p"]["value"].as_f64().unwrap() < 1e-9);
    assert!(folder.read("m.csv").starts_with("measure,map,map_spread\nkl,"));
    assert!(folder.read("m.md").starts_with("| | map |\n"));
}

#[test]
fn seeds_show_how_stable_each_item_is() {
    let folder = Folder::with("ring.csv", ring(40));
    let outcome = folder.run("compare ring.csv --only dosnes,tsne-2d --seeds 3 -o c.html -o c.json -o c.csv");
    outcome.succeeds();
    outcome.says(&["DOSNES: half of the items move by less than ", "degrees from seed to seed"]);
    assert!(!outcome.stderr.contains("t-SNE 2D: half of the items"), "{}", outcome.stderr);
    let json = folder.json("c.json");
    let angles = json["dosnes"]["seed_angles"].as_object().unwrap();
    assert_eq!(angles.len(), 40);
    assert!(json["tsne-2d"]["seed_angles"].is_null());
    // The same angles from the maps of the seeds, by the command that aligns two maps.
    let column = |csv: &str, name: &str| -> Vec<(String, f64)> {
        let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let at = lines.next().unwrap().iter().position(|cell| *cell == name).expect("a column");
        lines.map(|cells| (cells[0].to_owned(), cells[at].parse().unwrap())).collect()
    };
    let pairs = [(0, 1), (0, 2), (1, 2)].map(|(a, b)| {
        folder.run(&format!("align c.maps/dosnes-{a}.csv c.maps/dosnes-{b}.csv -o moved.csv")).succeeds();
        column(&folder.read("moved.csv"), "moved")
    });
    let kept = column(&folder.read("c.maps/stability.csv"), "seed_angle_dosnes");
    let mut all = Vec::new();
    for (item, (id, angle)) in kept.iter().enumerate() {
        let mut three = pairs.clone().map(|pair| pair[item].1);
        three.sort_by(f64::total_cmp);
        // The maps of the folder are rounded.
        assert!((three[1] - angle).abs() < 1e-3, "{id}: {three:?} {angle}");
        assert_eq!(angles[id].as_f64().unwrap(), *angle);
        all.push(*angle);
    }
    all.sort_by(f64::total_cmp);
    assert_eq!(json["dosnes"]["measures"]["seed_angle"]["value"].as_f64().unwrap(), all[20]);
    assert!(folder.read("c.csv").contains("\nseed_angle,"));
    assert!(folder.read("c.html").contains("seed_angle_dosnes"));
}

#[test]
fn a_map_of_something_else_is_refused_by_name() {
    let folder = Folder::with("ring.csv", ring(40));
    folder.write("map.csv", "id,x,y\nn0,1,2\nn1,2,1\nsomeone,3,3\n");
    let outcome = folder.run("evaluate map.csv --against ring.csv");
    outcome.fails_with(2, &["map.csv", "no position for 38 of the 40 items", "n2", "is it a map of ring.csv?"]);
}

#[test]
fn a_map_in_any_order_is_matched_by_id() {
    let folder = Folder::with("ring.csv", ring(30));
    folder.run("embed ring.csv -o map.csv").succeeds();
    let map = folder.read("map.csv");
    let (head, rest) = map.split_once('\n').unwrap();
    let turned: Vec<&str> = rest.lines().rev().collect();
    folder.write("turned.csv", format!("{head}\n{}\n", turned.join("\n")));
    folder.run("evaluate map.csv --against ring.csv -o a.csv").succeeds();
    folder.run("evaluate turned.csv --against ring.csv -o b.csv").succeeds();
    assert_eq!(folder.read("a.csv"), folder.read("b.csv"));
}

#[test]
fn classes_must_be_a_column() {
    let folder = Folder::with("ring.csv", ring(30));
    folder.run("embed ring.csv -o map.csv").succeeds();
    let outcome = folder.run("evaluate map.csv --against ring.csv --classes colour");
    outcome.fails_with(2, &["no column \"colour\" of classes"]);
}

#[test]
fn methods_are_compared_and_finished_maps_are_used_again() {
    let folder = Folder::with("ring.csv", ring(40));
    let arguments = "compare ring.csv -o c.html -o c.md -o c.csv -o c.json";
    let first = folder.run(arguments);
    first.says(&["DOSNES, seed 0", "t-SNE 3D, seed 0", "stress", "MDS sphere"]);
    first.succeeds();
    let (table, json) = (folder.read("c.md"), folder.json("c.json"));
    let methods =
        "| | DOSNES | rows, sphere | t-SNE 2D | t-SNE 3D | s-SNE 2D | s-SNE 3D | MDS 2D | MDS 3D | MDS sphere |";
    assert!(table.starts_with(methods), "{table}");
    let stress =
        table.lines().find(|line| line.starts_with("| Kruskal's stress | | | | | | | ")).expect("a row of stress");
    assert!(stress.split('|').skip(8).take(3).all(|cell| cell.trim().parse::<f64>().is_ok()), "{stress}");
    assert!(table.contains("**"));
    assert!(json["mds-sphere"]["measures"]["centre_spearman"].is_null());
    assert!(json["tsne-2d"]["measures"]["centre_spearman"]["value"].is_f64());
    let measures = &folder.page("c.html")["measures"];
    assert_eq!(measures["columns"][8], "MDS sphere");
    let rows = measures["rows"].as_array().unwrap();
    let recall = rows.iter().find(|row| row["name"] == "recall at 10").unwrap();
    assert_eq!(recall["cells"].as_array().unwrap().len(), 9);
    let best = recall["cells"][recall["best"].as_u64().unwrap() as usize].as_str().unwrap();
    assert!(table.contains(&format!("**{best}**")), "{best}");
    for file in ["dosnes-0.csv", "dosnes-0.svg", "mds-3d-0.svg"] {
        assert!(folder.path("c.maps").join(file).is_file(), "{file}");
    }
    let second = folder.run(arguments);
    second.says(&["DOSNES, seed 0: reused the finished map", "MDS sphere, seed 0: reused the finished map"]);
    assert_eq!(folder.read("c.md"), table);
    // Other similarities, other maps.
    folder.write("ring.csv", ring(41));
    assert!(!folder.run(arguments).stderr.contains("reused the finished map"));
}

#[test]
fn seeds_give_spreads_and_only_selects_methods() {
    let folder = Folder::with("ring.csv", ring(30));
    folder.run("compare ring.csv --only dosnes,mds-2d --seeds 3 -o c.csv -o c.json").succeeds();
    let json = folder.json("c.json");
    assert_eq!(json["dosnes"]["maps"], 3);
    assert!(json["dosnes"]["measures"]["kl"]["spread"].is_f64());
    // Multidimensional scaling is deterministic.
    assert_eq!(json["mds-2d"]["maps"], 1);
    assert!(json["tsne-2d"].is_null());
}

#[test]
fn an_output_of_another_format_is_refused_before_any_work() {
    let folder = Folder::with("ring.csv", ring(30));
    folder.run("compare ring.csv -o c.pdf").fails_with(2, &["c.pdf", ".html", ".md"]);
    folder.run("evaluate ring.csv --against ring.csv -o c.txt").fails_with(2, &["c.txt", ".csv"]);
    assert_eq!(folder.files(), ["ring.csv"]);
}

#[test]
fn classes_of_the_digits_are_found() {
    let folder = Folder::new();
    let file = bundled("digits.csv.gz");
    folder.run(&format!("embed {file} -o map.csv")).succeeds();
    folder.run(&format!("evaluate map.csv --against {file} --classes label --report m.json")).succeeds();
    let measures = &folder.json("m.json")["map"]["measures"];
    assert!(measures["class_accuracy"]["value"].as_f64().unwrap() > 0.97);
    assert!(measures["trustworthiness_10"]["value"].as_f64().unwrap() > 0.97);
    assert!(measures["recall_10_equal"].is_null());
}

#[test]
fn a_random_matrix_is_a_disc_until_it_is_doubly_stochastic() {
    let folder = Folder::new();
    folder.run("reproduce figure1 --size 60 -o out").succeeds();
    let table = std::fs::read_to_string(folder.path("out").join("figure1.md")).unwrap();
    let spreads: Vec<f64> =
        table.lines().skip(2).map(|line| line.split('|').nth(2).unwrap().trim().parse().unwrap()).collect();
    assert_eq!(spreads.len(), 2);
    assert!(spreads[1] < spreads[0], "{table}");
    assert!(folder.path("out").join("figure1-stochastic.png").is_file());
}

#[test]
fn an_experiment_without_its_data_says_so() {
    let folder = Folder::new();
    assert_eq!(folder.run("reproduce nips -o out").code, 2);
    folder.run("reproduce worldtrade --data nowhere -o out").fails_with(2, &["world_trade.paj"]);
}
