//! Checkpoints: an interrupted run continues, and ends with the same bytes.

#![cfg(unix)]

use crate::harness::{Folder, bundled, ring};
use std::process::{Command, Stdio};

/// The runs: few items on the sphere, many, in the plane, with an animation, with both optimizers, from an earlier map.
fn runs() -> Vec<(&'static str, String)> {
    let digits = bundled("digits.csv.gz");
    vec![
        ("graph", "embed ring.csv -o map.csv -o map.html --iterations 600".to_owned()),
        ("both optimizers", "embed ring.csv --preset layout -o map.csv --iterations 800".to_owned()),
        ("points", format!("embed {digits} -o map.csv -o map.html --snapshots 9 --color label --iterations 80")),
        ("like an earlier map", "embed ring.csv --like old.csv -o map.csv -o map.html --iterations 600".to_owned()),
        ("plane", format!("embed {digits} -o map.csv --space plane --iterations 150")),
    ]
}

fn folder() -> Folder {
    let folder = Folder::with("ring.csv", ring(300));
    // An earlier map: a spiral on the unit sphere.
    let place = |i: usize| format!("n{i},{},{}\n", i as f64 * 0.5 - 75.0, i as f64 * 7.0 % 360.0 - 180.0);
    folder.write("old.csv", "id,lat,lon\n".to_owned() + &(0..300).map(place).collect::<String>());
    folder
}

/// The files of a run without interruption.
fn whole(line: &str) -> (String, Option<String>) {
    let folder = folder();
    folder.run(line).succeeds();
    results(&folder)
}

fn results(folder: &Folder) -> (String, Option<String>) {
    let page = folder.path("map.html").exists().then(|| folder.read("map.html"));
    (folder.read("map.csv"), page)
}

/// The checkpoints of a run, as far as they were seen while it ran.
fn checkpoints(folder: &Folder, line: &str) -> Vec<Vec<u8>> {
    let line = format!("{line} --checkpoint run.checkpoint --every 0s");
    let mut child = folder.command(&line).stderr(Stdio::null()).spawn().unwrap();
    let mut kept: Vec<Vec<u8>> = Vec::new();
    while child.try_wait().unwrap().is_none() {
        if let Ok(bytes) = std::fs::read(folder.path("run.checkpoint"))
            && kept.last() != Some(&bytes)
        {
            kept.push(bytes);
        }
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
    kept
}

#[test]
fn a_run_that_is_killed_at_any_checkpoint_continues_and_ends_with_the_same_bytes() {
    for (name, line) in runs() {
        let expected = whole(&line);
        let folder = folder();
        // Every checkpoint is kept, as if the run had been killed right after it. A busy machine may let the run end unseen.
        let mut kept = Vec::new();
        for _ in 0..10 {
            kept = checkpoints(&folder, &line);
            assert_eq!(results(&folder), expected, "{name}: checkpoints change nothing");
            assert!(!folder.path("run.checkpoint").exists(), "{name}: a finished run removes its checkpoint");
            if kept.len() > 1 {
                break;
            }
        }
        assert!(kept.len() > 1, "{name}: {}", kept.len());
        for (number, at) in [0, 1, kept.len() / 2, kept.len() - 1].into_iter().enumerate() {
            std::fs::remove_file(folder.path("map.csv")).unwrap();
            folder.write("run.checkpoint", &kept[at]);
            let threads = [1, 2, 7, 3][number];
            folder.run(&format!("resume run.checkpoint --threads {threads}")).succeeds();
            assert_eq!(results(&folder), expected, "{name}: from checkpoint {at} of {}", kept.len());
        }
    }
}

#[test]
fn control_c_leaves_a_checkpoint_of_the_last_step() {
    use std::io::{BufRead, BufReader, Read};
    let digits = bundled("digits.csv.gz");
    let line = format!("embed {digits} --space plane -o map.csv --iterations 300");
    let expected = whole(&line);
    let folder = folder();
    let mut child = folder.command(&format!("{line} -v --checkpoint c.bin")).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    while !said.starts_with("  step") {
        said.clear();
        assert!(stderr.read_line(&mut said).unwrap() > 0);
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    stderr.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(said.contains("to continue: dosnes resume c.bin"), "{said}");
    let resumed = folder.run("resume c.bin");
    resumed.succeeds();
    assert_eq!(results(&folder), expected);
    assert_eq!(folder.files(), ["map.csv", "old.csv", "ring.csv"]);
}

#[test]
fn a_resumed_run_says_so_in_its_report() {
    let folder = folder();
    let line = "embed ring.csv -o map.csv --report r.json --iterations 500000 --time-limit 6s --space plane";
    folder.run(&format!("{line} --checkpoint c.bin")).succeeds();
    assert_eq!(folder.json("r.json")["resumed_from_step"], serde_json::Value::Null);
    let steps = folder.json("r.json")["iterations"].as_u64().unwrap();
    folder.run("resume c.bin").succeeds();
    assert_eq!(folder.json("r.json")["resumed_from_step"], steps);
}

#[test]
fn what_is_no_checkpoint_of_this_run_is_refused_with_a_sentence() {
    let folder = folder();
    folder.run("resume nothing").fails_with(2, &["nothing: cannot be opened: there is no such file"]);
    folder.run("resume ring.csv").fails_with(2, &["ring.csv: this is not a checkpoint of dosnes"]);
    folder.write("empty", "");
    folder.run("resume empty").fails_with(2, &["empty: this is not a checkpoint of dosnes"]);
    let line = "embed ring.csv -o map.csv --iterations 100000 --space plane --time-limit 6s --checkpoint c.bin";
    folder.run(line).succeeds();
    let good = std::fs::read(folder.path("c.bin")).unwrap();
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 1;
    folder.write("damaged", &damaged);
    folder.run("resume damaged").fails_with(2, &["damaged: the checkpoint is damaged"]);
    folder.write("cut", &good[..good.len() / 3]);
    folder.run("resume cut").fails_with(2, &["cut: the checkpoint is damaged"]);
    let mut newer = good.clone();
    newer[8] = 9;
    folder.write("newer", &newer);
    folder.run("resume newer").fails_with(2, &["has format 9, but this version of dosnes reads format 2"]);
    folder.write("ring.csv", ring(301));
    folder.run("resume c.bin").fails_with(2, &["ring.csv: this input has changed since the checkpoint was written"]);
    folder
        .run("embed - -o map.csv --checkpoint c.bin")
        .fails_with(2, &["--checkpoint needs an input that can be read again"]);
    folder.run("embed ring.csv -o map.csv --checkpoint ring.csv").fails_with(2, &["this is the input file itself"]);
}

#[test]
fn a_checkpoint_that_cannot_be_written_does_not_end_the_run() {
    let folder = folder();
    let line = "embed ring.csv -o map.csv --iterations 60 --checkpoint /dev/full --every 0s";
    let run = folder.run(line);
    run.succeeds();
    run.says(&["there will be no further checkpoints: /dev/full: cannot be written: No space left", "wrote map.csv"]);
    assert_eq!(folder.read("map.csv").lines().count(), 301);
    assert!(std::path::Path::new("/dev/full").exists());
}
