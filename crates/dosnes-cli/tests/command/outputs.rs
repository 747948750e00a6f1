//! Output files in every format; they do not depend on the number of threads.

use crate::harness::{Folder, bundled, ring};

#[test]
fn every_format_holds_the_same_map() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.write(
        "items.csv",
        "id,team\n".to_owned() + &(0..12).map(|i| format!("n{i},t{}\n", i % 2)).collect::<String>(),
    );
    folder
        .run(
            "embed graph.csv --items items.csv -o map.csv -o map.tsv -o map.npy -o map.json -o map.geojson -o map.vec \
             -o map.paj -o map.csv.gz",
        )
        .succeeds();
    let csv = folder.read("map.csv");
    assert!(csv.starts_with("id,team,x,y,z,lat,lon\nn0,t0,"), "{csv}");
    assert_eq!(csv.replace(',', "\t"), folder.read("map.tsv"));
    let json = folder.json("map.json");
    assert_eq!(json["ids"][3], "n3");
    let radius = json["radius"].as_f64().unwrap();
    for line in csv.lines().skip(1) {
        let v: Vec<f64> = line.split(',').skip(2).map(|cell| cell.parse().unwrap()).collect();
        let norm = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        assert!((norm / radius - 1.0).abs() < 1e-9, "{norm} {radius}");
        assert!(((v[2] / radius).asin().to_degrees() - v[3]).abs() < 1e-6);
    }
    let geojson = folder.json("map.geojson");
    assert_eq!(geojson["features"].as_array().unwrap().len(), 12);
    assert_eq!(geojson["features"][0]["properties"]["team"], "t0");
    assert!(std::fs::read(folder.path("map.npy")).unwrap().starts_with(b"\x93NUMPY"));
    assert!(folder.read("map_x.vec").starts_with("*Vertices 12"));
    assert!(folder.read("map.paj").contains("*Vertices 12"));
    assert!(std::fs::read(folder.path("map.csv.gz")).unwrap().starts_with(&[0x1f, 0x8b]));
}

#[test]
fn a_dash_is_csv_to_standard_output() {
    let folder = Folder::with("graph.csv", ring(12));
    let outcome = folder.run("embed graph.csv -o - -o map.csv");
    outcome.succeeds();
    assert_eq!(outcome.stdout, folder.read("map.csv"));
}

#[test]
fn the_plane_has_two_coordinates_and_space_three() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.run("embed graph.csv --space plane -o plane.csv --normalize none").succeeds();
    folder.run("embed graph.csv --space space -o space.csv --kernel gaussian").succeeds();
    assert!(folder.read("plane.csv").starts_with("id,x,y\n"));
    assert!(folder.read("space.csv").starts_with("id,x,y,z\n"));
}

#[test]
fn same_bytes_on_any_number_of_threads() {
    let folder = Folder::new();
    let digits = bundled("digits.csv.gz");
    let flights = bundled("flights.csv");
    for threads in [1, 2, 7] {
        folder.run(&format!("embed {digits} -o digits{threads}.csv --iterations 60 --threads {threads}")).succeeds();
        folder.run(&format!("embed {flights} -o flights{threads}.csv --threads {threads}")).succeeds();
        folder
            .run(&format!(
                "embed {flights} -o plane{threads}.csv --space plane --normalize none --iterations 100 --threads {threads}"
            ))
            .succeeds();
        folder.run(&format!("normalize {digits} -o p{threads}.mtx --threads {threads}")).succeeds();
    }
    for name in ["digits", "flights", "plane"] {
        let one = folder.read(&format!("{name}1.csv"));
        assert_eq!(one, folder.read(&format!("{name}2.csv")), "{name}");
        assert_eq!(one, folder.read(&format!("{name}7.csv")), "{name}");
    }
    assert_eq!(folder.read("p1.mtx"), folder.read("p2.mtx"));
    assert_eq!(folder.read("p1.mtx"), folder.read("p7.mtx"));
}

#[test]
fn another_seed_gives_another_map() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.run("embed graph.csv -o a.csv --seed 1").succeeds();
    folder.run("embed graph.csv -o b.csv --seed 2").succeeds();
    assert_ne!(folder.read("a.csv"), folder.read("b.csv"));
}

#[test]
fn a_normalised_matrix_keeps_the_rows_of_the_input_and_can_be_embedded() {
    let network = "*Vertices 5\n1 \"a\"\n2 \"alone\"\n3 \"b\"\n4 \"c\"\n5 \"d\"\n*Edges\n1 3 1\n3 4 5\n4 5 1\n5 1 2\n1 4 1\n3 5 1\n";
    let folder = Folder::with("net.net", network);
    folder.run("normalize net.net -o p.mtx -o p.npz --names names.txt").succeeds();
    assert_eq!(folder.read("names.txt"), "a\nalone\nb\nc\nd\n");
    let matrix = folder.read("p.mtx");
    let mut sums = [0.0; 5];
    for line in matrix.lines().skip(2) {
        let cells: Vec<f64> = line.split(' ').map(|cell| cell.parse().unwrap()).collect();
        sums[cells[0] as usize - 1] += cells[2];
        sums[cells[1] as usize - 1] += cells[2];
    }
    assert_eq!(sums[1], 0.0);
    for i in [0, 2, 3, 4] {
        assert!((sums[i] - 1.0).abs() < 1e-9, "{sums:?}");
    }
    let outcome = folder.run("embed p.mtx --items names.txt --normalize none -o map.csv");
    outcome.succeeds();
    outcome.says(&[
        "left out 1 node without a similarity to any other item: alone",
        "similarities differ by a factor of 1.0000",
    ]);
    assert!(folder.read("map.csv").contains("\nd,"));
}

#[test]
fn a_map_can_start_from_an_earlier_one() {
    let folder = Folder::with("graph.csv", ring(30));
    folder.run("embed graph.csv -o first.csv -o first.npy --report first.json").succeeds();
    folder.run("embed graph.csv -o again.csv --init first.csv --exaggeration 1 --report again.json").succeeds();
    folder.run("embed graph.csv -o rows.csv --init first.npy --exaggeration 1").succeeds();
    let steps = |name: &str| folder.json(name)["iterations"].as_u64().unwrap();
    assert!(steps("again.json") < steps("first.json") / 2, "{} {}", steps("again.json"), steps("first.json"));
    assert_eq!(folder.read("again.csv"), folder.read("rows.csv"));
}

#[test]
fn columns_become_the_items_when_transposed() {
    let folder = Folder::new();
    let films = bundled("films.csv.gz");
    let outcome = folder.run(&format!("info {films} --as dyadic --transpose --json"));
    outcome.succeeds();
    let info: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&info["n"], &info["columns"]), (&serde_json::json!(7484), &serde_json::json!(1034)));
}

#[test]
fn a_map_is_written_as_a_page_and_as_static_figures() {
    let folder = Folder::with("graph.csv", ring(30));
    folder.run("embed graph.csv -o globe.html -o two.svg -o two.png -o map.csv").succeeds();
    let page = folder.read("globe.html");
    assert!(page.starts_with("<!doctype html>") && page.contains("Content-Security-Policy"));
    assert!(folder.read("two.svg").starts_with("<svg"));
    assert_eq!(&std::fs::read(folder.path("two.png")).unwrap()[1..4], b"PNG");

    folder.run("view map.csv -o again.html --no-open").succeeds();
    assert!(folder.read("again.html").starts_with("<!doctype html>"));
    folder.run("embed graph.csv --space space --iterations 20 -o space.svg -o space.csv").succeeds();
    folder.run("plot space.csv -o again.svg").succeeds();
    assert_eq!(folder.read("space.svg").matches("<circle").count(), 60, "each of 30 from two sides");
    assert_eq!(folder.read("again.svg").matches("<circle").count(), 60);
    for projection in ["globe", "perspective", "fish-eye", "equal-earth", "mollweide", "equirectangular"] {
        folder
            .run(&format!("plot map.csv -o {projection}.svg --projection {projection} --viewpoint 40,-100"))
            .succeeds();
        assert!(folder.read(&format!("{projection}.svg")).starts_with("<svg"));
    }
}

#[test]
fn a_globe_turns_in_an_animation_or_in_numbered_pictures() {
    let folder = Folder::with("graph.csv", ring(30));
    folder.run("embed graph.csv -o map.csv").succeeds();
    folder.run("plot map.csv -o turn.gif --width 120 --frames 12 --seconds 1").succeeds();
    let gif = std::fs::read(folder.path("turn.gif")).unwrap();
    assert_eq!((&gif[..6], u16::from_le_bytes([gif[6], gif[7]])), (&b"GIF89a"[..], 120));
    let outcome = folder.run("plot map.csv -o turn.png --width 120 --frames 12");
    assert!(outcome.succeeds().contains("wrote turn-001.png to turn-012.png, 12 frames"), "{}", outcome.stderr);
    let frame = |k: usize| std::fs::read(folder.path(&format!("turn-{k:03}.png"))).unwrap();
    assert_eq!(&frame(12)[1..4], b"PNG");
    assert_ne!(frame(1), frame(7));
    assert_eq!(folder.files().len(), 3 + 12);
}

#[test]
fn pictures_that_cannot_be_drawn_are_refused_before_the_work() {
    let folder = Folder::with("graph.csv", ring(30));
    folder.run("embed graph.csv -o map.csv").succeeds();
    folder
        .run("plot map.csv -o map.pdf")
        .fails_with(2, &["map.pdf", "the name of a figure must end in .svg, .png or .gif"]);
    folder
        .run("embed graph.csv -o turn.gif")
        .fails_with(2, &["turn.gif: a turn is made", "dosnes plot map.csv -o turn.gif"]);
    folder.run("plot map.csv -o map.svg --frames 8").fails_with(2, &["map.svg", "--frames", ".gif or .png"]);
    folder.run("plot map.csv -o map.png --seconds 8").fails_with(2, &["map.png", "--seconds"]);
    folder
        .run("plot map.csv -o map.gif --seconds 1")
        .fails_with(2, &["72 frames need 1.44 to 600 seconds, not 1; change --seconds"]);
    folder
        .run("plot map.csv -o map.gif --transparent")
        .fails_with(2, &["map.gif", "--transparent", ".png with --frames"]);
    folder.run("plot map.csv -o map.svg --color colour").fails_with(2, &["no column \"colour\""]);
    folder.run("view map.csv -o map.csv --no-open").fails_with(2, &["map.csv", "the input file itself"]);
    for (options, parts) in [
        ("--space plane --repulsion harmonic", ["repulsion is harmonic", "use auto, exact or tree"]),
        ("--space sphere --optimizer paper --repulsion harmonic", ["repulsion is harmonic", "its own optimizer"]),
        ("--space sphere --repulsion fft", ["repulsion is fft", "the grid lies in the plane"]),
        ("--space space --repulsion fft", ["repulsion is fft", "use auto, exact or tree"]),
    ] {
        folder.run(&format!("embed graph.csv {options} -o map.csv")).fails_with(2, &parts);
    }
    assert_eq!(folder.files(), ["graph.csv", "map.csv"]);
}
