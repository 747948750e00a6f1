//! What the program says about the reading of a file, and what it refuses.

use crate::harness::{Folder, ring};

const PAIRS: &str = "1,2\n2,3\n3,1\n4,1\n4,2\n2,4\n1,4\n3,4\n";

#[test]
fn doubts_are_printed_with_their_option_and_stand_in_the_report() {
    let folder = Folder::with("pairs.csv", PAIRS);
    let outcome = folder.run("embed pairs.csv -o map.csv --report r.json");
    outcome.succeeds();
    outcome.says(&["unsure: the rows are read as points", "--as graph"]);
    let doubts = folder.json("r.json")["input"]["doubts"].clone();
    assert!(doubts[0].as_str().unwrap().contains("--as graph"), "{doubts}");
    folder.run("embed pairs.csv --strict-input -o other.csv").fails_with(2, &["unsure how to read it", "--as graph"]);
    folder.run("embed pairs.csv --strict-input --as graph -o other.csv").succeeds();
}

#[test]
fn info_shows_the_first_rows_as_understood() {
    let folder = Folder::with("graph.csv", ring(12));
    let outcome = folder.run("info graph.csv");
    outcome.succeeds();
    assert!(outcome.stdout.contains("first rows     n0 – n1: 1\n"), "{}", outcome.stdout);
}

#[test]
fn options_without_effect_are_said_so() {
    let folder = Folder::with("graph.csv", ring(12));
    folder
        .run("embed graph.csv -o map.csv --perplexity 5 --metric cosine")
        .says(&["note: --perplexity, --metric has no effect on data that are read as graph"]);
    folder.run("embed graph.csv -o map.csv --array X").fails_with(2, &["--array is for files with several arrays"]);
}

#[test]
fn codes_in_names_do_not_reach_the_terminal() {
    let folder = Folder::with("a.csv", ring(12) + "\x1b[31mEVIL\x07,\x1b[31mEVIL\x07,1\n");
    for command in ["info a.csv", "embed a.csv -o map.csv -v"] {
        let outcome = folder.run(command);
        let shown = outcome.stderr + &outcome.stdout;
        assert!(shown.contains("EVIL") && !shown.contains('\x1b') && !shown.contains('\x07'), "{shown:?}");
    }
}
