//! Maps that begin with an earlier one and are laid onto it.

use crate::harness::{Folder, ring};

/// Id and the column `moved` of a map; not a number where it is empty.
fn moved(csv: &str) -> Vec<(String, f64)> {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let column = lines.next().unwrap().iter().position(|name| *name == "moved").expect("a column moved");
    lines.map(|cells| (cells[0].to_owned(), cells[column].parse().unwrap_or(f64::NAN))).collect()
}

#[test]
fn a_map_like_an_earlier_one_hardly_moves_and_new_items_have_no_old_place() {
    let folder = Folder::with("graph.csv", ring(40));
    folder.run("embed graph.csv -o old.csv").succeeds();
    // The map is turned: a run that only began with it would end elsewhere.
    let turned: String = folder
        .read("old.csv")
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|c| format!("{},{},{},{}\n", c[0], c[c.len() - 4], c[c.len() - 3], c[c.len() - 5]))
        .collect();
    let gone = turned.replacen("n0,", "gone,", 1);
    let gone = gone.lines().next().unwrap();
    folder.write("turned.csv", format!("id,x,y,z\n{turned}{gone}\n"));
    folder.write("larger.csv", ring(40) + "new,n3,5\nnew,n4,5\nfar,new,1\n");
    let outcome = folder.run("embed larger.csv --like turned.csv -o new.csv -o both.html --snapshots 5");
    outcome.succeeds();
    outcome.says(&[
        "1 of its items are not in the data, and left out: gone",
        "rotated by 40 items in common: half of them moved",
    ]);
    let moved = moved(&folder.read("new.csv"));
    assert_eq!(moved.len(), 42);
    for (id, degrees) in &moved {
        let is_new = id == "new" || id == "far";
        assert!(if is_new { degrees.is_nan() } else { *degrees < 25.0 }, "{id}: {degrees}");
    }
    let page = folder.page("both.html");
    assert_eq!((&page["views"].as_array().unwrap().len(), &page["count"]), (&2, &serde_json::json!(42)));
    // The same command gives the same bytes.
    folder.run("embed larger.csv --like turned.csv -o again.csv --threads 1").succeeds();
    assert_eq!(folder.read("again.csv"), folder.read("new.csv"));
}

#[test]
fn every_kind_of_data_can_begin_with_an_earlier_map() {
    let value = |i: usize, j: usize| ((i * 7 + j * 3) % 11 + 1) as f64;
    let square = |of_pair: &dyn Fn(usize, usize) -> f64| {
        let header: String = (0..12).map(|j| format!(",i{j}")).collect();
        let row = |i: usize| (0..12).map(|j| format!(",{}", of_pair(i, j))).collect::<String>();
        "id".to_owned() + &header + "\n" + &(0..12).map(|i| format!("i{i}{}\n", row(i))).collect::<String>()
    };
    let symmetric = |i: usize, j: usize| if i == j { 0.0 } else { value(i.min(j), i.max(j)) };
    let folder = Folder::new();
    // Rows that are all different: with equal ones the first map may be a local optimum, which the second one leaves.
    folder.write("points.csv", square(&|i, j| (i.abs_diff(j).pow(2) + i * j % 5) as f64));
    folder.write("distance.csv", square(&symmetric));
    folder.write("similarity.csv", square(&symmetric));
    folder.write("dyadic.csv", square(&value));
    for kind in ["points", "distance", "similarity", "dyadic"] {
        let run = |rest: &str| folder.run(&format!("embed {kind}.csv --as {kind} {rest}"));
        run("-o old.csv").succeeds();
        run("--like old.csv -o new.csv").succeeds();
        let moved = moved(&folder.read("new.csv"));
        let far = moved.iter().map(|item| item.1).fold(0.0, f64::max);
        assert!(moved.len() == 12 && far < 10.0, "{kind}: {moved:?}");
    }
}

#[test]
fn what_is_no_earlier_map_is_refused_before_the_work() {
    let folder = Folder::with("graph.csv", ring(20));
    folder.run("embed graph.csv -o globe.csv").succeeds();
    folder.run("embed graph.csv --space plane --iterations 20 -o plane.csv").succeeds();
    folder.write("other.csv", "id,x,y,z\na,1,0,0\nb,0,1,0\nn1,0,0,1\n");
    let before = folder.files();
    for (options, parts) in [
        ("--like plane.csv", ["plane.csv", "not on a sphere"]),
        ("--like absent.csv", ["absent.csv", "no such file"]),
        ("--like graph.csv", ["graph.csv", ""]),
        ("--like other.csv", ["other.csv and the data have 1 item in common", "at least 3"]),
        ("--like globe.csv --space plane", ["--like", "--space sphere"]),
        ("--like globe.csv --init random", ["--like and --init", "leave one of them out"]),
    ] {
        folder.run(&format!("embed graph.csv {options} -o out.csv")).fails_with(2, &parts);
    }
    folder.run("embed graph.csv --like globe.csv -o globe.csv").fails_with(2, &["the input file itself"]);
    assert_eq!(folder.files(), before);
}
