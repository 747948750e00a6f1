//! Further contents of a page: an animation, several maps side by side, and images of the items.

use crate::harness::{Folder, bundled, ring};
use serde_json::json;

#[test]
fn the_page_animates_the_optimisation() {
    let folder = Folder::with("graph.csv", ring(40));
    folder.run("embed graph.csv --snapshots -o film.html --report film.json").succeeds();
    folder.run("embed graph.csv --snapshots 12 --space plane --threads 1 -o short.html -o map.csv").succeeds();
    folder.run("embed graph.csv --space plane -o still.html -o same.csv").succeeds();
    let steps = |page: &str| -> Vec<u64> {
        let page = folder.page(page);
        page["views"][0]["snapshots"].as_array().unwrap().iter().map(|s| s["step"].as_u64().unwrap()).collect()
    };
    let film = steps("film.html");
    assert!((20..=80).contains(&film.len()), "{film:?}");
    assert!(film.is_sorted() && film[0] == 1, "{film:?}");
    assert!(*film.last().unwrap() <= folder.json("film.json")["iterations"].as_u64().unwrap());
    assert!((6..=12).contains(&steps("short.html").len()), "{:?}", steps("short.html"));
    assert_eq!(steps("still.html"), [0; 0]);
    assert_eq!(folder.read("map.csv"), folder.read("same.csv"), "recording does not change the map");
    folder
        .run("embed graph.csv --snapshots -o map.csv")
        .fails_with(2, &["--snapshots is only for pages", "-o globe.html"]);
    folder.run("embed graph.csv --snapshots 1 -o film.html").fails_with(2, &["2 to 1000"]);
}

#[test]
fn sizes_and_names_of_the_first_view_are_chosen_as_colours_are() {
    let folder = Folder::with("points.csv", "name,team,mass,x,y\n");
    let rows: String = (0..12).map(|i| format!("n{i},t{},{},{},{}\n", i % 3, i * i, i % 5, i % 7)).collect();
    folder.write("points.csv", format!("name,team,mass,x,y\n{rows}"));
    let embed = "embed points.csv --id name --labels team,mass --perplexity 3";
    folder.run(&format!("{embed} --color team --size mass --label team -o page.html -o figure.svg")).succeeds();
    let page = folder.page("page.html");
    assert_eq!((&page["color"], &page["size"], &page["label"]), (&json!("team"), &json!("mass"), &json!("team")));
    let drawn = folder.read("figure.svg");
    assert!(drawn.contains(">t1<") && !drawn.contains(">n1<"), "{drawn}");
    folder.run(&format!("{embed} -o page.html -o plain.svg -o map.csv")).succeeds();
    // Points have the same size, since the total of their similarities says little; nodes show theirs.
    assert_eq!((&folder.page("page.html")["size"], &folder.page("page.html")["label"]), (&json!("none"), &json!(null)));
    folder.write("graph.csv", ring(30));
    folder.run("embed graph.csv -o nodes.html").succeeds();
    assert_eq!(folder.page("nodes.html")["size"], json!(null));
    assert_ne!(drawn, folder.read("plain.svg"));
    folder.run("view map.csv --size none --label team --no-open -o view.html").succeeds();
    assert_eq!(folder.page("view.html")["size"], "none");
    // Refused before the work, with what is possible instead.
    folder
        .run(&format!("{embed} --size team -o no.html"))
        .fails_with(2, &["\"team\" holds texts", "--size needs numbers", "mass", "degree"]);
    folder
        .run(&format!("{embed} --size weight -o no.html"))
        .fails_with(2, &["no column \"weight\" for --size", "mass"]);
    folder
        .run(&format!("{embed} --label title -o no.html"))
        .fails_with(2, &["no column \"title\" for --label", "team"]);
    assert!(!folder.files().contains(&"no.html".to_owned()));
}

#[test]
fn a_page_without_a_title_is_headed_by_the_name_of_its_file_in_words() {
    let folder = Folder::with("my_first__graph.v2.csv", ring(30));
    folder.run("embed my_first__graph.v2.csv -o page.html").succeeds();
    assert_eq!(folder.page("page.html")["title"], "My first graph");
    folder.run("embed my_first__graph.v2.csv --title a_b -o page.html").succeeds();
    assert_eq!(folder.page("page.html")["title"], "a_b");
}

#[test]
fn items_are_called_what_the_table_of_them_is_called() {
    let folder = Folder::with("ring.csv", ring(30));
    let table: String = (0..30).map(|i| format!("n{i},{}\n", i % 3)).collect();
    for (file, noun) in [("ring_people.csv", "nodes"), ("ring_stations.csv", "stations"), ("labels.csv", "nodes")] {
        folder.write(file, format!("id,team\n{table}"));
        folder.run(&format!("embed ring.csv --items {file} -o page.html")).succeeds();
        assert_eq!(folder.page("page.html")["noun"], noun, "{file}");
    }
}

#[test]
fn items_of_a_file_of_single_cells_are_cells() {
    let folder = Folder::new();
    let cells = format!("{}/../dosnes-io/tests/data/csr.h5ad", env!("CARGO_MANIFEST_DIR"));
    let info = folder.run(&format!("info {cells}"));
    info.succeeds();
    assert!(info.stdout.contains("5 cells"), "{}", info.stdout);
    assert!(info.stdout.contains("--counts"), "{}", info.stdout);
}

#[test]
fn maps_of_the_same_items_are_shown_side_by_side() {
    let folder = Folder::with("graph.csv", ring(30));
    folder.run("embed graph.csv -o globe.csv -o globe.npy").succeeds();
    folder.run("embed graph.csv --space plane --normalize none -o flat.csv").succeeds();
    // In another order, with an additional column, without n4 and with an item that the other files do not have.
    let flat = folder.read("flat.csv");
    let mut lines: Vec<String> =
        flat.lines().skip(1).filter(|l| !l.starts_with("n4,")).map(|l| format!("{l},t")).collect();
    lines.reverse();
    folder.write("other.csv", format!("id,x,y,team\n{}\nstranger,1,2,t\n", lines.join("\n")));
    let outcome = folder
        .run("view globe.csv other.csv globe.npy -o both.html --color team --subtitle Rings --source <mine> --no-open");
    outcome.succeeds();
    outcome.says(&[
        "left out because other.csv does not have them: 1 of the items in other files: n4",
        "left out because globe.csv does not have them: 1 of the items in other files: stranger",
        "wrote both.html",
    ]);
    let page = folder.page("both.html");
    assert_eq!(page["count"], 29);
    let views = page["views"].as_array().unwrap();
    let seen: Vec<_> = views.iter().map(|v| (v["name"].as_str().unwrap(), v["space"].as_str().unwrap())).collect();
    assert_eq!(seen, [("globe.csv", "sphere"), ("other.csv", "plane"), ("globe.npy", "sphere")]);
    assert_eq!(page["color"], "team");
    assert_eq!((&page["subtitle"], &page["source"]), (&json!("Rings"), &json!("<mine>")));

    folder.write("else.csv", "id,x,y\nu,1,2\nv,3,4\n");
    folder
        .run("view globe.csv else.csv -o no.html --no-open")
        .fails_with(2, &["globe.csv and else.csv have no item in common", "\"n0\"", "\"u\""]);
    folder.run("view globe.csv flat.csv -o flat.csv --no-open").fails_with(2, &["flat.csv", "the input file itself"]);
    assert!(!folder.files().contains(&"no.html".to_owned()));
}

#[test]
fn items_are_shown_as_their_own_images() {
    let folder = Folder::new();
    let digits = bundled("digits.csv.gz");
    folder.run(&format!("embed {digits} --iterations 5 --image-size 8x8 -o digits.html -o map.csv")).succeeds();
    let sprites = |page: &str| {
        let sprites = &folder.page(page)["sprites"];
        json!([sprites["width"], sprites["height"], sprites["channels"], sprites["pixels"]["length"]])
    };
    assert_eq!(sprites("digits.html"), json!([8, 8, 1, 1797 * 64]));
    folder.run(&format!("view map.csv --images {digits} --image-size 8x8 -o view.html --no-open")).succeeds();
    assert_eq!(sprites("view.html"), sprites("digits.html"));
    folder
        .run(&format!("embed {digits} --image-size 9x8 -o digits.html"))
        .fails_with(2, &["digits.csv.gz", "a row has 64 numbers", "9x8 pixels needs 72"]);
    folder.run("view map.csv --image-size 8x8 -o view.html --no-open").fails_with(2, &["map.csv", "--images"]);
    folder
        .run(&format!("embed {digits} --image-size 8x8 -o map.csv"))
        .fails_with(2, &["--image-size is only for pages"]);
    folder.run(&format!("embed {digits} --image-size large -o digits.html")).fails_with(2, &["such as 28x28"]);
}

/// A sheet of tiles, three across and two down, each of one colour.
fn sheet(path: &std::path::Path, width: u32, height: u32) {
    let mut encoder = png::Encoder::new(std::fs::File::create(path).unwrap(), 3 * width, 2 * height);
    encoder.set_color(png::ColorType::Rgb);
    let pixels: Vec<u8> = (0..2 * height)
        .flat_map(|y| (0..3 * width).flat_map(move |x| [(x / width) as u8 * 100, (y / height) as u8 * 200, 7]))
        .collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
}

#[test]
fn a_sheet_has_an_image_for_each_item() {
    let folder = Folder::with("map.csv", "id,x,y\na,1,2\nb,3,4\nc,5,6\nd,7,8\ne,1,9\n");
    sheet(&folder.path("sheet.png"), 4, 6);
    folder.run("view map.csv --images sheet.png --image-size 4x6 -o page.html --no-open").succeeds();
    assert_eq!(folder.page("page.html")["sprites"]["channels"], 3);
    assert_eq!(folder.page("page.html")["sprites"]["pixels"]["length"], 5 * 4 * 6 * 3);
    folder
        .run("view map.csv --images sheet.png --image-size 4x12 -o page.html --no-open")
        .fails_with(2, &["12x12 pixels has room for 3 times 1 images of 4x12; it must have room for 5 images"]);
    folder.write("broken.png", "not a picture");
    folder
        .run("view map.csv --images broken.png --image-size 4x6 -o page.html --no-open")
        .fails_with(2, &["broken.png"]);
}
