//! Bad input gives a clear message and exit code 2, a failure gives 1, and no file is lost.

use crate::harness::{Folder, bundled, ring};

/// Embeds one file; nothing may be written.
#[track_caller]
fn refused(name: &str, contents: impl AsRef<[u8]>, options: &str, parts: &[&str]) {
    let folder = Folder::with(name, contents);
    let outcome = folder.run(&format!("embed {name} -o map.csv {options}"));
    outcome.fails_with(2, &[parts, &[name]].concat());
    assert_eq!(folder.files(), [name], "nothing is written");
}

fn points(rows: usize) -> String {
    (0..rows).map(|i| format!("{},{},{}.5\n", i * i % 7, i, i % 5)).collect()
}

#[test]
fn an_empty_file() {
    refused("data.csv", "", "", &["the file is empty"]);
    refused("data.csv", "\n \n\n", "", &["only blanks"]);
}

#[test]
fn one_row() {
    refused("data.csv", "1.5,2.5,3.5\n", "", &["the file has 1 item, but a map needs at least 2"]);
}

#[test]
fn two_points_are_too_few_for_neighbours() {
    let folder = Folder::with("data.csv", "1.5,2.5\n3.5,4.5\n");
    folder.run("embed data.csv -o map.csv").fails_with(2, &["2 items are too few", "at least 4"]);
}

#[test]
fn two_nodes_are_a_map() {
    let folder = Folder::with("graph.csv", "source,target\na,b\n");
    folder.run("embed graph.csv -o map.csv").succeeds();
    assert_eq!(folder.read("map.csv").lines().count(), 3);
}

#[test]
fn all_equal_points_are_a_map_without_nan() {
    let folder = Folder::with("data.csv", "1.5,2.5\n".repeat(20));
    folder.run("embed data.csv -o map.csv").succeeds();
    assert!(!folder.read("map.csv").contains("NaN"));
}

#[test]
fn duplicate_points_are_a_map_without_nan() {
    let folder = Folder::with("data.csv", points(30) + &points(30));
    folder.run("embed data.csv -o map.csv").succeeds();
    let map = folder.read("map.csv");
    assert_eq!(map.lines().count(), 61);
    assert!(!map.contains("NaN"));
}

#[test]
fn cells_that_are_no_finite_numbers_are_named() {
    refused("data.csv", points(9) + "1.5,nan,2.5\n", "", &["line 10", "column \"2\"", "--missing drop"]);
    refused("data.csv", points(9) + "1.5,,2.5\n", "", &["line 10", "empty"]);
    refused("data.csv", points(9) + "1.5,inf,2.5\n", "", &["line 10", "\"inf\" is not finite"]);
    refused("data.csv", points(9) + "1.5,many,2.5\n", "", &["line 10", "\"many\""]);
}

#[test]
fn rows_with_missing_values_are_left_out_on_request() {
    let folder = Folder::with("data.csv", points(9) + "1.5,nan,2.5\n" + &points(9));
    folder.run("embed data.csv -o map.csv --missing drop").says(&["1 row with a missing value was left out: line 10"]);
    assert_eq!(folder.read("map.csv").lines().count(), 19);
}

#[test]
fn negative_weights_similarities_and_distances() {
    refused("graph.csv", "source,target,weight\na,b,1\nb,c,-3\n", "", &["line 3", "weight \"-3\" is negative"]);
    refused("s.csv", "1,2,3\n2,1,-4\n3,-4,1\n", "--as similarity", &["similarity \"-4\" is negative"]);
    refused("d.csv", "0,2,3\n2,0,-4\n3,-4,0\n", "--as distance", &["distance \"-4\" is negative"]);
}

#[test]
fn ragged_rows() {
    refused("data.csv", points(5) + "1,2\n", "", &["line 6", "2"]);
}

#[test]
fn a_similarity_that_is_not_square() {
    refused("s.csv", points(5), "--as similarity", &["must be square, but this one is 5 × 3"]);
}

#[test]
fn an_asymmetric_similarity_is_symmetrised_and_reported() {
    let folder = Folder::with("s.csv", "1,5,1\n2,1,3\n4,4,1\n");
    let outcome = folder.run("embed s.csv --as similarity -o map.csv");
    outcome.succeeds();
    outcome.says(&["not symmetric"]);
}

#[test]
fn unknown_ids_in_the_metadata() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.write("items.csv", "id,label\nn0,a\nsomebody,b\n");
    let outcome = folder.run("embed graph.csv --items items.csv -o map.csv");
    outcome.succeeds();
    outcome.says(&["1 of its ids are not in the data", "somebody", "has no metadata for 11 of the items"]);
    folder.write("others.csv", "id,label\nsomebody,b\n");
    folder.run("embed graph.csv --items others.csv -o map.csv").fails_with(2, &["others.csv", "ids"]);
}

#[test]
fn repeated_edges_add_up_and_self_loops_are_reported() {
    let folder = Folder::with("graph.csv", ring(12) + "n0,n1,5\nn3,n3,7\n");
    let outcome = folder.run("normalize graph.csv -o p.mtx");
    outcome.succeeds();
    outcome.says(&["1 edge was given more than once; the weights were added up", "1 item has an edge to itself"]);
}

#[test]
fn isolated_nodes_are_left_out_and_listed() {
    let network = "*Vertices 5\n1 \"a\"\n2 \"b\"\n3 \"c\"\n4 \"alone\"\n5 \"d\"\n*Edges\n1 2 1\n2 3 1\n3 5 1\n5 1 2\n";
    let folder = Folder::with("net.net", network);
    let outcome = folder.run("embed net.net -o map.csv --report report.json");
    outcome.succeeds();
    outcome.says(&["left out 1 node without a similarity to any other item: alone"]);
    assert_eq!(folder.json("report.json")["left_out"], serde_json::json!(["alone"]));
    assert!(!folder.read("map.csv").contains("alone"));
}

#[test]
fn a_graph_of_isolated_nodes_is_refused() {
    let folder = Folder::with("net.net", "*Vertices 3\n1 \"a\"\n2 \"b\"\n3 \"c\"\n*Edges\n1 1 1\n");
    folder.run("embed net.net -o map.csv").fails_with(2, &["only 0 of 3 items have a similarity"]);
}

#[test]
fn two_components_are_reported() {
    let folder = Folder::with("graph.csv", ring(12) + "x,y,1\ny,z,1\nz,x,2\n");
    let outcome = folder.run("embed graph.csv -o map.csv");
    outcome.succeeds();
    outcome.says(&["2 connected components (the largest has 12 nodes, the next 3)"]);
}

#[test]
fn a_perplexity_that_is_too_large() {
    let folder = Folder::with("data.csv", points(30));
    folder
        .run("embed data.csv -o map.csv --perplexity 10")
        .fails_with(2, &["perplexity 10", "--perplexity 9.6 or less"]);
    folder.run("embed data.csv -o map.csv --perplexity 0.5").fails_with(2, &["at least 1"]);
    folder.run("embed data.csv -o map.csv --perplexity 9.6").succeeds();
}

#[test]
fn a_truncated_gzip() {
    let whole = std::fs::read(bundled("digits.csv.gz")).unwrap();
    refused("digits.csv.gz", &whole[..whole.len() / 2], "", &["gzip data is truncated or damaged"]);
}

#[test]
fn a_binary_file_named_csv() {
    refused("data.csv", [7, 0, 1, 255, 3, 0, 0, 9, 200], "", &["binary file of unknown format", ".csv"]);
}

#[test]
fn a_file_that_cannot_be_read() {
    let folder = Folder::new();
    folder
        .run("embed nowhere.csv -o map.csv")
        .fails_with(2, &["nowhere.csv: cannot be opened: there is no such file\n"]);
    std::fs::create_dir(folder.path("inner")).unwrap();
    folder.run("embed inner -o map.csv").fails_with(2, &["inner", "is a folder"]);
}

#[cfg(unix)]
#[test]
fn a_file_without_permission() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with("data.csv", points(9));
    std::fs::set_permissions(folder.path("data.csv"), std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::File::open(folder.path("data.csv")).is_ok() {
        println!("not tested: this user may read everything");
        return;
    }
    folder.run("embed data.csv -o map.csv").fails_with(2, &["data.csv: cannot be opened: no permission to read it"]);
}

#[test]
fn an_output_that_cannot_be_written_is_reported_before_any_work() {
    let folder = Folder::with("graph.csv", ring(12));
    let outcome = folder.run("embed graph.csv -o nowhere/map.csv");
    outcome.fails_with(1, &["nowhere/map.csv: cannot be written", "does not exist"]);
    assert!(!outcome.stderr.contains("normalised 12"), "nothing was computed");
    folder.run("embed graph.csv -o map.csv --report nowhere/r.json").fails_with(1, &["nowhere/r.json"]);
    std::fs::create_dir(folder.path("map.json")).unwrap();
    folder.run("embed graph.csv -o map.json").fails_with(1, &["is a folder"]);
}

#[test]
fn an_existing_output_is_overwritten_only_on_success() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.write("map.csv", "precious");
    folder.write("bad.csv", "source,target,weight\na,b,-1\n");
    folder.run("embed bad.csv -o map.csv").fails_with(2, &["negative"]);
    assert_eq!(folder.read("map.csv"), "precious");
    folder.run("embed graph.csv -o map.csv").succeeds();
    assert!(folder.read("map.csv").starts_with("id,"));
    assert_eq!(folder.files(), ["bad.csv", "graph.csv", "map.csv"], "no temporary file is left");
}

#[test]
fn a_write_protected_output_is_left_alone() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.write("map.csv", "precious");
    let mut permissions = std::fs::metadata(folder.path("map.csv")).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(folder.path("map.csv"), permissions).unwrap();
    folder.run("embed graph.csv -o map.csv").fails_with(1, &["write-protected"]);
    assert_eq!(folder.read("map.csv"), "precious");
}

#[test]
fn the_input_is_never_overwritten() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.run("embed graph.csv -o graph.csv").fails_with(2, &["the input file itself"]);
    folder.run("embed graph.csv -o map.csv -o ./map.csv").succeeds();
    assert_eq!(folder.read("graph.csv"), ring(12));
}

#[test]
fn an_unknown_extension_is_reported_before_any_work() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.run("embed graph.csv -o map.docx").fails_with(2, &["map.docx", ".csv", ".geojson"]);
    folder.run("normalize graph.csv -o p.csv").fails_with(2, &["p.csv", ".mtx or .npz"]);
    folder.run("embed graph.csv --space plane -o map.geojson").fails_with(2, &["GeoJSON", "sphere"]);
}

#[test]
fn too_little_memory_is_detected_before_the_computation() {
    let folder = Folder::with("graph.csv", ring(12));
    let outcome = folder.run("embed graph.csv -o map.csv --memory-limit 1MB");
    outcome.fails_with(1, &["would need about 14 MB of memory, but the limit is 1 MB", "--force"]);
    assert_eq!(folder.files(), ["graph.csv"]);
    folder.run("embed graph.csv -o map.csv --memory-limit 1MB --force").succeeds();
    folder.run("embed graph.csv -o map.csv --memory-limit 100").fails_with(1, &["the file alone"]);
}

#[test]
fn a_dense_method_is_refused_when_it_will_not_fit() {
    let folder = Folder::new();
    let digits = bundled("digits.csv.gz");
    let outcome = folder.run(&format!("normalize {digits} -o p.mtx --normalize zass-shashua --memory-limit 90MB"));
    outcome.fails_with(1, &["memory", "90 MB"]);
}

#[test]
fn strict_names_the_nodes_that_prevent_an_exact_scaling() {
    // Fourteen leaves on one hub: each would need all of it.
    let star: String = (1..=14).map(|i| format!("hub,leaf{i},1\n")).collect();
    let folder = Folder::with("star.csv", "source,target,weight\n".to_owned() + &star);
    let outcome = folder.run("embed star.csv -o map.csv --strict");
    outcome.fails_with(
        2,
        &["no exact doubly stochastic scaling", "14 of the 15 items", "leaf1, leaf2", "leaf10 and 4 more"],
    );
    folder.run("embed star.csv -o map.csv --steps 2 --strict").fails_with(2, &["steps is 2", "one step"]);
    folder.run("embed star.csv -o map.csv").says(&["all 15 nodes now have exactly the same total similarity"]);
    let outcome = folder.run("embed star.csv -o map.csv --steps 1");
    outcome.succeeds();
    outcome
        .says(&["softened, because no exact scaling exists: 14 nodes form a group with too few distinct neighbours"]);
}

#[test]
fn wrong_options_say_what_is_possible() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.run("normalize graph.csv").fails_with(2, &["--output"]);
    folder.run("embed graph.csv -o m.csv --as networks").fails_with(2, &["graph", "dyadic"]);
    folder.run("embed graph.csv -o m.csv --threads 0").fails_with(2, &["threads"]);
    folder.run("embed graph.csv -o m.csv --exaggeration 0.5").fails_with(2, &["exaggeration is 0.5", "at least 1"]);
    folder.run("embed graph.csv -o m.csv --softness -1").fails_with(2, &["softness"]);
    folder.run("embed graph.csv -o m.csv --transpose").fails_with(2, &["transpose"]);
    folder.run("embed graph.csv -o m.csv --pca many").fails_with(2, &["auto", "none"]);
    folder.run("embed graph.csv -o m.csv --init nowhere.csv").fails_with(2, &["nowhere.csv"]);
}

#[test]
fn initial_positions_that_lack_some_items_are_refused() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.write("start.csv", "id,x,y,z\nn0,1,0,0\nn1,0,1,0\n");
    folder.run("embed graph.csv --init start.csv -o m.csv").fails_with(2, &["no position for 10 of the 12 items: n2"]);
}
