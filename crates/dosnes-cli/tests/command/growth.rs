//! Maps that are laid onto each other.

use crate::harness::{Folder, ring};

/// The rows of a CSV file as id and numbers.
fn rows(csv: &str) -> Vec<(String, Vec<f64>)> {
    let number = |cell: &str| cell.parse().unwrap_or(f64::NAN);
    csv.lines()
        .skip(1)
        .map(|line| line.split_once(',').expect("an id and numbers"))
        .map(|(id, rest)| (id.to_owned(), rest.split(',').map(number).collect()))
        .collect()
}

#[test]
fn a_rotated_and_mirrored_map_is_laid_onto_the_old_one() {
    let folder = Folder::with("graph.csv", ring(20));
    folder.run("embed graph.csv -o old.csv").succeeds();
    // y, z and x change places, and x its sign; one item is left out, and one is new.
    let old = rows(&folder.read("old.csv"));
    let turned = |id: &str, v: &[f64]| format!("{id},{},{},{}\n", v[1], v[2], -v[0]);
    let new: String = old[1..].iter().map(|(id, v)| turned(id, v)).chain([turned("other", &old[0].1)]).collect();
    let new = "id,x,y,z\n".to_owned() + &new;
    folder.write("new.csv", new);
    let outcome = folder.run("align old.csv new.csv -o aligned.csv -o both.html -o figure.svg");
    outcome.succeeds();
    outcome.says(&[
        "rotated and mirrored by 19 items in common",
        "stay only in the old map: n0",
        "only in the new map",
        "other",
    ]);
    let aligned = rows(&folder.read("aligned.csv"));
    assert!(folder.read("aligned.csv").starts_with("id,moved,x,y,z,lat,lon\n"));
    assert_eq!(aligned.len(), 20);
    for ((id, a), (_, b)) in aligned.iter().zip(old[1..].iter().chain(&old[..1])) {
        assert!((1..4).all(|k| (a[k] - b[k - 1]).abs() < 1e-9), "{id}: {a:?} {b:?}");
        assert!(if id == "other" { a[0].is_nan() } else { a[0] < 1e-6 }, "{id}: {a:?}");
    }
    let page = folder.page("both.html");
    assert_eq!(page["views"].as_array().unwrap().len(), 2);
    // The page plays from the old map to the new one.
    assert_eq!(page["views"][0]["snapshots"][0]["name"], "old");
}

#[test]
fn maps_without_a_sphere_or_without_common_items_are_refused() {
    let folder = Folder::with("graph.csv", ring(20));
    folder.run("embed graph.csv -o globe.csv").succeeds();
    folder.run("embed graph.csv --space plane --iterations 20 -o plane.csv").succeeds();
    folder.run("align globe.csv plane.csv -o out.csv").fails_with(2, &["plane.csv", "not on a sphere"]);
    folder.write("other.csv", "id,x,y,z\na,1,0,0\nb,0,1,0\nn1,0,0,1\n");
    folder.run("align globe.csv other.csv -o out.csv").fails_with(2, &["1 item in common", "at least 3"]);
    folder.run("align globe.csv globe.csv -o globe.csv").fails_with(2, &["the input file itself"]);
    assert!(!folder.files().contains(&"out.csv".to_owned()));
}

/// Points of four clouds with named columns, for items `from..to`.
fn clouds(from: usize, to: usize) -> String {
    let row = |i: usize| {
        let value = |k: usize| (i % 4 * (k + 2) % 5) as f64 * 3.0 + ((i * (k + 7)) as f64 * 1.7).sin();
        format!("p{i},c{},{:.4},{:.4},{:.4}\n", i % 4, value(0), value(1), value(2))
    };
    "id,class,height,width,depth\n".to_owned() + &(from..to).map(row).collect::<String>()
}

#[test]
fn a_model_is_written_shown_and_used_for_new_items() {
    let folder = Folder::with("old.csv", clouds(0, 160));
    folder.write("new.csv", clouds(160, 180));
    folder.write("one.csv", clouds(163, 164));
    let outcome = folder.run("embed old.csv --model map.dosnes -o map.csv --perplexity 10");
    outcome.succeeds();
    outcome.says(&["wrote map.dosnes, the model of 160 items"]);
    let info = folder.run("info map.dosnes");
    info.succeeds();
    assert!(
        info.stdout.contains("160 items on a sphere") && info.stdout.contains("perplexity 10.0"),
        "{}",
        info.stdout
    );
    let json: serde_json::Value = serde_json::from_str(&folder.run("info map.dosnes --json").stdout).unwrap();
    assert_eq!(json["column_names"], serde_json::json!(["height", "width", "depth"]));

    let outcome = folder.run("transform map.dosnes new.csv -o new-map.csv -o both.html");
    outcome.succeeds();
    outcome.says(&["placed 20 items"]);
    assert!(folder.read("new-map.csv").starts_with("id,class,misfit,x,y,z,lat,lon\np160,c0,"));
    assert_eq!(folder.page("both.html")["count"], 180);
    folder.run("transform map.dosnes one.csv -o one-map.csv").succeeds();
    let line = |name: &str| folder.read(name).lines().find(|line| line.starts_with("p163,")).unwrap().to_owned();
    assert_eq!(line("one-map.csv"), line("new-map.csv"));

    // Columns are matched by name.
    let shuffled: String = clouds(160, 180)
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|c| format!("{},{},{},{},{}\n", c[0], c[4], c[1], c[2], c[3]))
        .collect();
    folder.write("shuffled.csv", shuffled);
    folder.run("transform map.dosnes shuffled.csv -o shuffled-map.csv").succeeds();
    assert_eq!(folder.read("shuffled-map.csv"), folder.read("new-map.csv"));
    folder.write("narrow.csv", clouds(160, 180).replace("depth", "length"));
    folder
        .run("transform map.dosnes narrow.csv -o out.csv")
        .fails_with(2, &["narrow.csv", "1 of the 3 columns", "\"depth\""]);
}

#[test]
fn a_map_grows_and_its_old_rows_keep_their_bytes() {
    let folder = Folder::with("old.csv", clouds(0, 160));
    folder.run("embed old.csv --model map0.dosnes -o map0.csv --perplexity 10").succeeds();
    let positions = |name: &str, count: usize| -> Vec<String> {
        let csv = folder.read(name);
        let columns = csv.lines().next().unwrap().split(',').count();
        let of_line = |line: &str| line.split(',').skip(columns - 5).collect::<Vec<_>>().join(",");
        csv.lines().skip(1).take(count).map(of_line).collect()
    };
    let first = positions("map0.csv", 160);
    for generation in 0..3 {
        let (from, to) = (160 + 20 * generation, 180 + 20 * generation);
        folder.write("new.csv", clouds(from, to));
        let outcome = folder
            .run(&format!("grow map{generation}.dosnes new.csv --model map{0}.dosnes -o map{0}.csv", generation + 1));
        outcome.succeeds();
        outcome.says(&["added 20 items", "stay where they are"]);
        assert_eq!(positions(&format!("map{}.csv", generation + 1), 160), first);
    }
    assert!(folder.run("info map3.dosnes").stdout.contains("grown 3 times by 60 items"));
    folder.run("grow map3.dosnes new.csv --model map4.dosnes").fails_with(2, &["20 of the new items", "--id"]);
}

#[test]
fn old_items_of_a_free_map_move_and_it_is_said_how_far() {
    let folder = Folder::with("old.csv", clouds(0, 160));
    folder.run("embed old.csv --model map.dosnes -o map.csv --perplexity 10").succeeds();
    folder.write("new.csv", clouds(160, 200));
    let outcome = folder.run("grow map.dosnes new.csv --free --model free.dosnes -o free.csv");
    outcome.succeeds();
    outcome.says(&["added 40 items to 160 that may move", "half of these moved by less than "]);
    let csv = folder.read("free.csv");
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let column = header.iter().position(|name| *name == "moved").expect("a column moved") - 1;
    let free = rows(&csv);
    assert!(free[..160].iter().all(|(_, v)| v[column] < 60.0) && free[..160].iter().any(|(_, v)| v[column] > 1e-6));
    assert!(free[160..].iter().all(|(_, v)| v[column].is_nan()));
    // It is laid onto the old map: `align` has nothing left to turn.
    folder.run("align map.csv free.csv -o aligned.csv").succeeds();
    for ((id, a), (_, b)) in rows(&folder.read("aligned.csv")).iter().zip(&free) {
        let (a, b) = (&a[a.len() - 5..a.len() - 2], &b[b.len() - 5..b.len() - 2]);
        assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-4), "{id}: {a:?} {b:?}");
    }
    // A free map can grow again.
    folder.write("more.csv", clouds(200, 210));
    folder.run("grow free.dosnes more.csv --model more.dosnes").succeeds();
}

#[test]
fn models_that_cannot_be_made_or_read_are_refused_in_a_sentence() {
    let folder = Folder::with("old.csv", clouds(0, 100));
    folder.write("graph.csv", ring(12));
    folder.write("distances.csv", "id,a,b,c,d\na,0,1,2,4\nb,1,0,3,2\nc,2,3,0,1\nd,4,2,1,0\n");
    folder.run("embed distances.csv --as distance --model map.dosnes").fails_with(2, &["points, graphs", "distance"]);
    folder.run("embed old.csv --model map.bin").fails_with(2, &["map.bin", "must end in .dosnes"]);
    folder.run("embed old.csv --model map.dosnes --space plane").fails_with(2, &["on a sphere"]);
    folder.run("embed old.csv --model map.dosnes --standardize").fails_with(2, &["--standardize", "prepare the data"]);
    assert_eq!(folder.files(), ["distances.csv", "graph.csv", "old.csv"]);
    folder.run("embed old.csv --model map.dosnes --perplexity 10 --iterations 20").succeeds();
    let mut bytes = std::fs::read(folder.path("map.dosnes")).unwrap();
    bytes[5000] ^= 1;
    folder.write("damaged.dosnes", &bytes);
    bytes[8] = 9;
    folder.write("newer.dosnes", &bytes);
    bytes[8] = 1;
    folder.write("older.dosnes", &bytes);
    folder.write("short.dosnes", &bytes[..1000]);
    for (file, part) in [
        ("damaged.dosnes", "its checksum is wrong"),
        ("newer.dosnes", "use a newer dosnes"),
        ("older.dosnes", "make it again from its data"),
        ("graph.csv", "not a model of dosnes"),
        ("absent.dosnes", "there is no such file"),
    ] {
        folder.run(&format!("transform {file} old.csv -o out.csv")).fails_with(2, &[file, part]);
    }
    folder.run("embed map.dosnes -o out.csv").fails_with(2, &["a model of dosnes", "dosnes transform"]);
}

#[test]
fn new_nodes_of_a_graph_are_placed_by_their_edges() {
    let folder = Folder::with("graph.csv", ring(40));
    folder.run("embed graph.csv --model map.dosnes -o map.csv").succeeds();
    assert!(folder.run("info map.dosnes").stdout.contains("of the kind graph"));
    // Two nodes between others of the ring, linked to each other too, and one without a link to the map.
    folder.write(
        "new.csv",
        "source,target,weight\nnew,n3,2\nn4,new,2\nother,n20,1\nother,n22,1\nnew,other,1\nalone,new,1\n",
    );
    let outcome = folder.run("transform map.dosnes new.csv -o new-map.csv");
    outcome.succeeds();
    outcome.says(&["left out 1 new item without a link to the map: alone", "placed 2 items"]);
    let old = rows(&folder.read("map.csv"));
    for (id, v) in rows(&folder.read("new-map.csv")) {
        let place = &v[v.len() - 5..v.len() - 2];
        let distance = |other: &[f64]| (0..3).map(|k| (place[k] - other[k]).powi(2)).sum::<f64>();
        let nearest = old.iter().min_by(|a, b| distance(&a.1).total_cmp(&distance(&b.1))).unwrap();
        let expected = if id == "new" { ["n3", "n4"].as_slice() } else { &["n20", "n21", "n22"] };
        assert!(expected.contains(&nearest.0.as_str()), "{id} is next to {}", nearest.0);
    }
    // The map grows by all three, since new nodes may be linked to each other only.
    let outcome = folder.run("grow map.dosnes new.csv --model map2.dosnes -o map2.csv");
    outcome.succeeds();
    outcome.says(&["added 3 items to 40 that stay where they are"]);
    let (larger, columns) = (rows(&folder.read("map2.csv")), 5);
    assert_eq!(larger.len(), 43);
    for ((id, v), (old_id, old_v)) in larger.iter().zip(&old) {
        assert_eq!((id, &v[v.len() - columns..]), (old_id, &old_v[old_v.len() - columns..]));
    }
    folder.write("more.csv", "source,target,weight\nlast,alone,1\nlast,n5,1\nnowhere,nobody,1\n");
    let outcome = folder.run("grow map2.dosnes more.csv --model map3.dosnes");
    outcome.succeeds();
    outcome.says(&["left out 2 new items without a link to the map: nowhere, nobody", "added 1 item to 43"]);
    assert!(folder.run("info map3.dosnes").stdout.contains("grown 2 times by 4 items"));
    folder.run("transform map.dosnes graph.csv -o out.csv").fails_with(2, &["no new item with a link"]);
}
