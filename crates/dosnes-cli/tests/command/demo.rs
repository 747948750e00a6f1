//! The demos on bundled data.

use crate::harness::Folder;

/// The four numbers of the sentence that ends the demo on flights: correlation and kilometres on the globe, then in 2D.
fn numbers(stderr: &str) -> [f64; 4] {
    let line = stderr.lines().find(|line| line.starts_with("flight counts alone")).expect("the demo ends with it");
    let (globe, flat) = line.split_once("; 2D t-SNE of the raw counts: ").expect("both maps are measured");
    let after = |text: &str, before: &str| -> f64 {
        let rest = text.split(before).nth(1).unwrap_or_else(|| panic!("“{before}” is not in: {line}"));
        rest.split([' ']).next().unwrap().trim_end_matches(',').replace(',', "").parse().unwrap()
    };
    [
        after(globe, "rank correlation of "),
        after(globe, "nearest airports on the globe are "),
        after(line, "raw counts: "),
        after(flat, " and "),
    ]
}

#[test]
fn geography_comes_out_of_flight_counts() {
    let folder = Folder::new();
    let seeds = 5;
    let mut mean = [0.0; 4];
    for seed in 0..seeds {
        let outcome = folder.run(&format!("demo --seed {seed}"));
        for (sum, number) in mean.iter_mut().zip(numbers(outcome.succeeds())) {
            *sum += number / f64::from(seeds);
        }
    }
    let [spearman, km, flat_spearman, flat_km] = mean;
    assert!(spearman >= 0.42, "{mean:?}");
    assert!(km <= 630.0, "{mean:?}");
    assert!(flat_spearman < 0.3 && flat_km > 900.0, "2D t-SNE of the raw counts is far worse: {mean:?}");
    assert_eq!(folder.files(), ["dosnes-flights.html"], "without -o the page is written");
}

#[test]
fn the_demo_writes_where_it_is_told() {
    let folder = Folder::new();
    let outcome = folder.run("demo flights -o globe.csv --report r.json");
    outcome.succeeds();
    outcome.says(&[
        "normalised 305 airports: total similarities differed by a factor of 414,517, now 21",
        "wrote globe.csv, r.json",
    ]);
    let map = folder.read("globe.csv");
    assert!(map.starts_with("id,name,state,region,input_lat,input_lon,x,y,z,lat,lon\n"), "{map}");
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
    outcome.says(&["1036 items × 7500 partners", "normalised 1,036 actors", "is next to"]);
    assert!(folder.read("actors.csv").starts_with("id,country,genre,films,median_year,x,y,z,lat,lon\n"));
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
