//! Items that stay at given directions.

use crate::harness::{Folder, bundled, ring};
use std::collections::HashMap;

/// The latitude and longitude of each item of a map.
fn places(csv: &str) -> HashMap<String, (f64, f64)> {
    let number = |cell: &str| cell.parse::<f64>().unwrap();
    csv.lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|c| (c[0].to_owned(), (number(c[c.len() - 2]), number(c[c.len() - 1]))))
        .collect()
}

/// The angle between two places in degrees.
fn angle(a: (f64, f64), b: (f64, f64)) -> f64 {
    let vector = |(latitude, longitude): (f64, f64)| {
        let (latitude, longitude) = (latitude.to_radians(), longitude.to_radians());
        [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
    };
    let (a, b) = (vector(a), vector(b));
    (0..3).map(|k| a[k] * b[k]).sum::<f64>().clamp(-1.0, 1.0).acos().to_degrees()
}

#[test]
fn fixed_items_are_where_the_file_has_them_and_the_others_are_around_them() {
    let folder = Folder::with("graph.csv", ring(40));
    folder.write("fix.csv", "id,lat,lon\nn0,10,20\nn10,5,110\nn20,-10,-160\nn30,0,-70\nelsewhere,1,2\n");
    let outcome = folder.run("embed graph.csv --fix fix.csv -o map.csv -o map.html");
    outcome.succeeds();
    outcome.says(&["1 of its items are not in the data, and have no effect: elsewhere", "4 items fixed by fix.csv"]);
    let map = places(&folder.read("map.csv"));
    for (id, place) in [("n0", (10.0, 20.0)), ("n10", (5.0, 110.0)), ("n20", (-10.0, -160.0)), ("n30", (0.0, -70.0))] {
        let found = map[id];
        assert!((found.0 - place.0).abs() < 1e-6 && (found.1 - place.1).abs() < 1e-6, "{id}: {found:?}");
    }
    for (a, b) in [("n1", "n0"), ("n11", "n10"), ("n19", "n20"), ("n31", "n30")] {
        assert!(angle(map[a], map[b]) < 20.0, "{a} {b}: {}", angle(map[a], map[b]));
    }
    // Directions as x, y, z of any length.
    folder.write("xyz.csv", "id,x,y,z\nn0,2,0,0\nn20,0,0,-9\n");
    folder.run("embed graph.csv --fix xyz.csv -o again.csv").succeeds();
    let map = places(&folder.read("again.csv"));
    assert!(angle(map["n0"], (0.0, 0.0)) < 1e-6 && angle(map["n20"], (-90.0, 0.0)) < 1e-6);
}

#[test]
fn airports_find_their_place_among_those_that_are_fixed() {
    // Every tenth airport is fixed at its true place.
    let folder = Folder::new();
    let table = std::fs::read_to_string(bundled("airports.csv")).unwrap();
    // A name may contain a comma.
    let truth: Vec<(String, (f64, f64))> = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|c| (c[0].to_owned(), (c[c.len() - 2].parse().unwrap(), c[c.len() - 1].parse().unwrap())))
        .collect();
    let fixed: String = truth.iter().step_by(10).map(|(id, place)| format!("{id},{},{}\n", place.0, place.1)).collect();
    folder.write("fix.csv", "id,lat,lon\n".to_owned() + &fixed);
    folder.run(&format!("embed {} --fix fix.csv -o map.csv", bundled("flights.csv"))).succeeds();
    let map = places(&folder.read("map.csv"));
    let mut errors: Vec<f64> = truth
        .iter()
        .enumerate()
        .filter(|(i, _)| i % 10 != 0)
        .filter_map(|(_, (id, place))| Some(angle(*map.get(id)?, *place)))
        .collect();
    errors.sort_by(f64::total_cmp);
    println!("median error {:.1} degrees", errors[errors.len() / 2]);
    assert!(errors[errors.len() / 2] < 15.0, "{}", errors[errors.len() / 2]);
}

#[test]
fn what_cannot_be_fixed_is_refused_before_the_work() {
    let folder = Folder::with("graph.csv", ring(20));
    folder.write("fix.csv", "id,lat,lon\nn0,10,20\nn5,0,90\n");
    folder.write("unknown.csv", "id,lat,lon\na,10,20\nb,0,90\n");
    folder.write("flat.csv", "id,x,y\nn0,1,0\nn5,0,1\n");
    folder.write("centre.csv", "id,x,y,z\nn0,1,0,0\nn5,0,0,0\n");
    folder.write("globe.csv", "id,lat,lon\nn0,10,20\nn5,0,90\nn9,0,0\n");
    folder.write("nothing.csv", "id,lat,lon\n");
    let before = folder.files();
    for (options, parts) in [
        ("--fix unknown.csv", ["unknown.csv: none of its 2 items is in the data", "a, b"]),
        ("--fix fix.csv --space plane", ["--fix", "--space sphere"]),
        ("--fix fix.csv --optimizer paper", ["--optimizer paper", "leave out one"]),
        ("--fix fix.csv --like globe.csv", ["--fix", "--like"]),
        ("--fix flat.csv", ["flat.csv", "lon and lat"]),
        ("--fix centre.csv", ["centre.csv", "\"n5\" is at the centre"]),
        ("--fix nothing.csv", ["nothing.csv", ""]),
        ("--fix absent.csv", ["absent.csv", "no such file"]),
    ] {
        folder.run(&format!("embed graph.csv {options} -o out.csv")).fails_with(2, &parts);
    }
    assert_eq!(folder.files(), before);
}
