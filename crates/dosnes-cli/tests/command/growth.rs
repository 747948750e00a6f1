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
    let mut new = "id,x,y,z\n".to_owned();
    for (id, v) in rows(&folder.read("old.csv")).iter().skip(1) {
        new += &format!("{id},{},{},{}\n", v[1], v[2], -v[0]);
    }
    let (_, v) = &rows(&folder.read("old.csv"))[0];
    new += &format!("other,{},{},{}\n", v[1], v[2], -v[0]);
    folder.write("new.csv", new);
    let outcome = folder.run("align old.csv new.csv -o aligned.csv -o both.html -o figure.svg");
    outcome.succeeds();
    outcome.says(&[
        "rotated and mirrored by 19 items in common",
        "stay only in the old map: n0",
        "only in the new map",
        "other",
    ]);
    let old = rows(&folder.read("old.csv"));
    let aligned = rows(&folder.read("aligned.csv"));
    assert!(folder.read("aligned.csv").starts_with("id,moved,x,y,z,lat,lon\n"));
    assert_eq!(aligned.len(), 20);
    for ((id, a), (_, b)) in aligned.iter().zip(old[1..].iter().chain(&old[..1])) {
        assert!((1..4).all(|k| (a[k] - b[k - 1]).abs() < 1e-9), "{id}: {a:?} {b:?}");
        assert!(if id == "other" { a[0].is_nan() } else { a[0] < 1e-6 }, "{id}: {a:?}");
    }
    assert_eq!(folder.page("both.html")["views"].as_array().unwrap().len(), 2);
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
