//! Ctrl-C.

#![cfg(unix)]

use crate::harness::{Folder, bundled};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn press_control_c(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn control_c_stops_at_the_next_step_and_writes_the_current_map() {
    let folder = Folder::new();
    let digits = bundled("digits.csv.gz");
    let mut child = folder
        .command(&format!("embed {digits} -v -o map.csv --report r.json --space plane --iterations 1000000"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    // The first hundred steps are done when this line is printed.
    while !line.starts_with("  step") {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "the run ended before it was stopped");
    }
    press_control_c(&child);
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert!(rest.contains("stopped by Ctrl-C") && rest.contains("wrote map.csv, r.json"), "{rest}");
    assert_eq!(folder.read("map.csv").lines().count(), 1798);
    assert_eq!(folder.json("r.json")["stopped"], true);
}

#[test]
fn a_second_control_c_quits_immediately() {
    let folder = Folder::new();
    // A pipe without a writer: reading from it cannot be interrupted.
    assert!(Command::new("mkfifo").arg(folder.path("pipe.csv")).status().unwrap().success());
    let mut child = folder.command("embed pipe.csv -o map.csv").stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    press_control_c(&child);
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("press Ctrl-C again to quit immediately"), "{line}");
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "the first Ctrl-C does not end the program");
    press_control_c(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(folder.files(), ["pipe.csv"]);
}
