//! The demos, from data inside the program.

use crate::harness::Folder;

/// The four numbers of the sentence that ends the demo on flights: correlation and kilometres on the globe, then in 2D.
fn numbers(stderr: &str) -> [f64; 4] {
    let line = stderr.lines().find(|line| line.starts_with("geography comes out")).expect("the demo ends with it");
    let (globe, flat) = line.split_once("; 2D t-SNE of the raw counts has ").expect("both are told");
    let after = |text: &str, before: &str| -> f64 {
        let rest = text.split(before).nth(1).unwrap_or_else(|| panic!("“{before}” is not in: {line}"));
        rest.split([' ']).next().unwrap().trim_end_matches(',').replace(',', "").parse().unwrap()
    };
    [
        after(globe, "rank correlation of "),
        after(globe, "nearest on the globe are "),
        after(&format!("has {flat}"), "has "),
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
        "made 305 airports equal: strengths ranged over a factor of 414,517, now 21",
        "wrote globe.csv, r.json",
    ]);
    let map = folder.read("globe.csv");
    assert!(map.starts_with("id,name,state,region,input_lat,input_lon,x,y,z,lat,lon\n"), "{map}");
    assert_eq!(map.lines().count(), 306);
}

#[test]
fn like_digits_lie_together() {
    let folder = Folder::new();
    let outcome = folder.run("demo digits");
    let line = outcome.succeeds().lines().find(|line| line.starts_with("of the 10 nearest")).unwrap().to_owned();
    let share: f64 = line.split("globe, ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(share > 97.0, "{line}");
    // The page shows the digits themselves, and how they found each other.
    let page = folder.page("dosnes-digits.html");
    assert_eq!(page["sprites"]["width"], 8);
    assert!(page["views"][0]["snapshots"].as_array().unwrap().len() > 20);
}

#[test]
fn films_are_read_with_their_actors() {
    let folder = Folder::new();
    let outcome = folder.run("demo films -o actors.csv");
    outcome.succeeds();
    outcome.says(&["1036 items × 7500 partners", "made 1,036 actors equal", "lies next to"]);
    assert!(folder.read("actors.csv").starts_with("id,country,genre,films,median_year,x,y,z,lat,lon\n"));
}
