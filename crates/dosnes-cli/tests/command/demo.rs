//! The demos on bundled data.

use crate::harness::Folder;
use dosnes::{
    Space,
    ndarray::Array2,
    quality::{Geography, Map, geography},
};

/// How well a map of airports shows their true places.
fn measured(map: &str) -> Geography {
    let header: Vec<&str> = map.lines().next().unwrap().split(',').collect();
    let column = |name: &str| {
        // Names of airports may contain commas; the numbers are at the end.
        let from_end = header.len() - header.iter().position(|cell| *cell == name).unwrap_or_else(|| panic!("{name}"));
        let cell = |line: &str| line.rsplit(',').nth(from_end - 1).unwrap().parse::<f64>().unwrap();
        map.lines().skip(1).map(cell).collect::<Vec<f64>>()
    };
    let axes: Vec<Vec<f64>> =
        ["x", "y", "z"].iter().filter(|axis| header.contains(axis)).map(|axis| column(axis)).collect();
    let positions = Array2::from_shape_fn((axes[0].len(), axes.len()), |(i, k)| axes[k][i]);
    let space = if axes.len() == 3 { Space::Sphere } else { Space::Plane };
    let map = Map::new(positions.view(), space).unwrap();
    geography(&map, &column("input_lat"), &column("input_lon")).unwrap()
}

#[test]
fn geography_comes_out_of_flight_counts() {
    let folder = Folder::new();
    folder.run("demo flights --save-data data").succeeds();
    let flat = |normalize: &str| {
        let input = "data/flights.csv --items data/airports.csv";
        folder.run(&format!("embed {input} --space plane --normalize {normalize} -o flat.csv")).succeeds();
        measured(&folder.read("flat.csv"))
    };
    let (raw, rows) = (flat("none"), flat("rows"));
    let (mut spearman, mut km) = (0.0, 0.0);
    for seed in 0..5 {
        let outcome = folder.run(&format!("demo --seed {seed} -o globe.csv"));
        let globe = measured(&folder.read("globe.csv"));
        outcome
            .says(&[&format!("{:.0} km away", globe.median_km), &format!("rank correlation of {:.2}", globe.spearman)]);
        spearman += globe.spearman / 5.0;
        km += globe.median_km / 5.0;
    }
    assert!(spearman >= 0.52 && km <= 520.0, "{spearman} {km}");
    assert!(raw.spearman < 0.3 && raw.median_km > 900.0, "t-SNE of the raw counts is far worse: {raw:?}");
    // What the sentence of the demo says.
    assert!(km < rows.median_km && spearman < rows.spearman, "{spearman} {km} {rows:?}");
}

#[test]
fn without_an_output_the_demo_writes_a_page() {
    let folder = Folder::new();
    folder.run("demo").succeeds();
    assert_eq!(folder.files(), ["dosnes-flights.html"]);
    // One globe, and a flat map that wraps around it.
    let page = folder.page("dosnes-flights.html");
    assert_eq!(page["views"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&page["flat"]["name"], &page["flat"]["space"]),
        (&"2D t-SNE of the raw counts".into(), &"plane".into())
    );
}

#[test]
fn the_demo_writes_where_it_is_told() {
    let folder = Folder::new();
    let outcome = folder.run("demo flights -o globe.csv --report r.json");
    outcome.succeeds();
    outcome.says(&[
        "all 305 airports now have exactly the same total similarity; before, totals differed by a factor of 414,517",
        "wrote globe.csv, r.json",
    ]);
    let map = folder.read("globe.csv");
    assert!(map.starts_with("id,name,state,region,input_lat,input_lon,cluster,cluster_name,x,y,z,lat,lon\n"), "{map}");
    assert_eq!(map.lines().count(), 306);
}

#[test]
fn equal_digits_are_close_together() {
    let folder = Folder::new();
    let outcome = folder.run("demo digits");
    let line = outcome.succeeds().lines().find(|line| line.contains("of the 10 nearest")).unwrap().to_owned();
    let share: f64 = line.split(' ').next().unwrap().parse().unwrap();
    assert!(share > 97.0, "{line}");
    // The page shows the images of the digits, and an animation of the optimisation.
    let page = folder.page("dosnes-digits.html");
    assert_eq!(page["sprites"]["width"], 8);
    assert!(page["views"][0]["snapshots"].as_array().unwrap().len() > 20);
}

#[test]
fn films_are_read_with_their_actors() {
    let folder = Folder::new();
    let outcome = folder.run("demo films -o actors.csv");
    outcome.succeeds();
    outcome.says(&[
        "1034 items × 7484 partners",
        "all 1,034 actors now have exactly the same total similarity",
        "is next to",
    ]);
    assert!(
        folder
            .read("actors.csv")
            .starts_with("id,country,genre,films,median_year,cluster,cluster_name,x,y,z,lat,lon\n")
    );
}

#[test]
fn the_data_of_the_demos_can_be_saved_and_embedded() {
    let folder = Folder::new();
    for demo in ["flights", "films", "digits"] {
        let outcome = folder.run(&format!("demo {demo} --save-data some/data"));
        // The command that it suggests makes the same map as the demo.
        let line = outcome.succeeds().lines().find_map(|line| line.strip_prefix("embed them with: dosnes ")).unwrap();
        folder.run(&format!("{line} -o {demo}-saved.csv")).succeeds();
        folder.run(&format!("demo {demo} -o {demo}.csv")).succeeds();
        assert_eq!(folder.read(&format!("{demo}-saved.csv")), folder.read(&format!("{demo}.csv")));
    }
    let mut names: Vec<_> = folder.path("some/data").read_dir().unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    let license = "LICENSE-scikit-learn.txt";
    let expected =
        ["ATTRIBUTION.md", license, "actors.csv.gz", "airports.csv", "digits.csv.gz", "films.csv.gz", "flights.csv"];
    assert_eq!(names, expected);
}

#[test]
fn saving_the_data_of_a_demo_overwrites_no_file() {
    let folder = Folder::new();
    folder.run("demo --save-data .").succeeds();
    let again = folder.run("demo --save-data .");
    again.succeeds();
    again.says(&["flights.csv", "exist already"]);
    std::fs::remove_file(folder.path("flights.csv")).unwrap();
    folder.write("airports.csv", "mine");
    let outcome = folder.run("demo --save-data .");
    outcome.fails_with(2, &["airports.csv: this file exists and has other contents; nothing was written"]);
    assert_eq!(folder.read("airports.csv"), "mine");
    assert!(!folder.path("flights.csv").exists());
}

#[test]
fn saving_the_data_of_a_demo_makes_no_map() {
    let folder = Folder::new();
    folder.run("demo --save-data . -o globe.csv").fails_with(2, &["--save-data", "cannot be used with"]);
    assert!(folder.files().is_empty());
}
