//! What the program says about the reading of a file, and what it refuses.

use crate::harness::{Folder, ring};
use std::io::Write;
use std::process::Stdio;

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

#[test]
fn the_input_alone_gives_a_page_with_its_name() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.run("embed graph.csv").says(&["wrote graph.html"]);
    assert_eq!(folder.files(), ["graph.csv", "graph.html"]);
}

#[test]
fn pages_have_the_title_and_the_colours_that_were_asked_for() {
    let folder = Folder::with("graph.csv", ring(12));
    let items: String =
        (0..12).fold("id,kind\n".into(), |text, k| text + &format!("n{k},{}\n", if k < 6 { "a" } else { "b" }));
    folder.write("items.csv", items);
    let command = "embed graph.csv --items items.csv --iterations 20 -o map.html";
    folder.run(&format!("{command} --color kind --title Ring")).succeeds();
    assert!(folder.read("map.html").contains("<title>Ring"), "the title");
    folder.run(&format!("{command} --color sort")).fails_with(2, &["no column \"sort\" to colour by"]);
}

#[test]
fn data_come_from_standard_input_and_the_report_goes_to_standard_output() {
    let folder = Folder::new();
    let mut child = folder
        .command("embed - --iterations 20 -o map.csv --report -")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(ring(12).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((report["n"].as_u64(), folder.files()), (Some(12), vec!["map.csv".to_owned()]));
}

#[test]
fn mistakes_in_options_are_found_before_the_work() {
    let folder = Folder::with("graph.csv", ring(12));
    for (options, part) in [
        ("-o map.csv --init nofile", "nofile"),
        ("-o map.csv --exaggeration 0", "--exaggeration is 0"),
        ("-o map.csv --perplexity -5", "--perplexity is -5"),
        ("-o map.foo", ".html, .svg, .png, .csv"),
    ] {
        let outcome = folder.run(&format!("embed graph.csv {options}"));
        outcome.fails_with(2, &[part]);
        assert!(!outcome.stderr.contains("graph of"), "{}", outcome.stderr);
    }
}
