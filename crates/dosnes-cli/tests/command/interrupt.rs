//! What ends a run early: signals and limits.

#![cfg(unix)]

use crate::harness::{Folder, bundled, ring};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// A run that would take hours, after its first hundred steps.
fn long_run(folder: &Folder, options: &str) -> (Child, BufReader<ChildStderr>) {
    after_first_steps(folder, &format!("--space plane --iterations 1000000 {options}"))
}

/// A run on the bundled digits, after its first hundred steps.
fn after_first_steps(folder: &Folder, options: &str) -> (Child, BufReader<ChildStderr>) {
    let digits = bundled("digits.csv.gz");
    first_steps(&mut folder.command(&format!("embed {digits} -v {options}")))
}

/// A run with `-v`, after its first hundred steps.
fn first_steps(command: &mut Command) -> (Child, BufReader<ChildStderr>) {
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("  step") {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "the run ended before it was stopped");
    }
    (child, stderr)
}

/// The exit code and the rest of the messages.
fn end((mut child, mut stderr): (Child, BufReader<ChildStderr>)) -> (Option<i32>, String) {
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    (child.wait().unwrap().code(), rest)
}

#[test]
fn a_signal_stops_at_the_next_step_and_writes_the_current_map_marked_as_unfinished() {
    for (signal, code, reason) in
        [("-INT", 130, "stopped by Ctrl-C"), ("-TERM", 143, "stopped by a request to end (SIGTERM)")]
    {
        let folder = Folder::new();
        let run = long_run(&folder, "-o map.csv -o map.html --title Digits --report r.json");
        send(signal, &run.0);
        let (ended, rest) = end(run);
        assert_eq!(ended, Some(code), "{rest}");
        assert!(rest.contains(reason) && rest.contains("wrote map.csv, map.html, r.json"), "{rest}");
        assert_eq!(folder.read("map.csv").lines().count(), 1798);
        assert_eq!(folder.json("r.json")["stopped"], true);
        assert_eq!(folder.json("r.json")["unfinished"], reason);
        let page = folder.page("map.html");
        assert_eq!(page["title"], "Digits (unfinished)");
        assert!(page["subtitle"].as_str().unwrap().starts_with(&format!("This map is unfinished: {reason} after ")));
    }
}

#[test]
fn an_unfinished_map_replaces_an_older_file_only_if_that_is_asked() {
    let folder = Folder::new();
    folder.write("map.csv.gz", "older");
    folder.write("r.json", "older");
    let run = long_run(&folder, "-o map.csv.gz -o map.html --report r.json");
    send("-INT", &run.0);
    let (ended, rest) = end(run);
    assert_eq!(ended, Some(130), "{rest}");
    assert!(rest.contains("wrote map.unfinished.csv.gz, map.html, r.unfinished.json"), "{rest}");
    assert_eq!((folder.read("map.csv.gz"), folder.read("r.json")), ("older".to_owned(), "older".to_owned()));
    assert_eq!(folder.json("r.unfinished.json")["outputs"][0], "map.unfinished.csv.gz");
    let run = long_run(&folder, "-o map.csv.gz --report r.json --replace-finished");
    send("-INT", &run.0);
    let (ended, rest) = end(run);
    assert_eq!(ended, Some(130), "{rest}");
    assert!(rest.contains("wrote map.csv.gz, r.json"), "{rest}");
    assert_eq!(folder.json("r.json")["outputs"][0], "map.csv.gz");
}

/// The others cannot be placed around landmarks that have not settled.
#[test]
fn landmarks_that_are_stopped_are_written_as_they_are() {
    let folder = Folder::new();
    let options = "--landmarks 1200 --optimizer paper --iterations 1000000 -o map.csv --report r.json --model m.dosnes";
    let run = after_first_steps(&folder, options);
    send("-INT", &run.0);
    let (ended, rest) = end(run);
    assert_eq!(ended, Some(130), "{rest}");
    assert!(rest.contains("the map has the landmarks only") && rest.contains("wrote map.csv, r.json"), "{rest}");
    assert_eq!(folder.read("map.csv").lines().count(), 1201);
    assert_eq!(folder.json("r.json")["unfinished"], "stopped by Ctrl-C");
    assert!(!folder.files().iter().any(|name| name == "m.dosnes"), "{:?}", folder.files());
}

/// The map of the landmarks is finished then, and must not be lost.
#[test]
fn landmarks_are_written_if_the_run_is_stopped_while_the_others_are_placed() {
    let folder = Folder::new();
    let cell = |k: u32| f64::from(k.wrapping_mul(2_654_435_761) >> 8) / 1e6;
    let line = |row: u32| (0..8).map(|k| cell(8 * row + k).to_string()).collect::<Vec<_>>().join(",");
    folder.write("points.csv", (0..60_000).map(|row| line(row) + "\n").collect::<String>());
    let line = "embed points.csv -v --landmarks 500 --iterations 3 -o map.csv --report r.json";
    let mut child = folder.command(line).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    while !said.starts_with("  embedding") {
        said.clear();
        assert!(stderr.read_line(&mut said).unwrap() > 0, "the run ended before it was stopped");
    }
    send("-INT", &child);
    let (ended, rest) = end((child, stderr));
    assert_eq!(ended, Some(130), "{rest}");
    assert!(rest.contains("the map has the landmarks only") && rest.contains("wrote map.csv, r.json"), "{rest}");
    assert_eq!(folder.read("map.csv").lines().count(), 501);
    assert_eq!(folder.json("r.json")["unfinished"], "stopped by Ctrl-C");
}

/// A model is made from the whole map, so a stopped run has none. That must not cost the map.
#[test]
fn a_stopped_run_with_a_model_writes_its_map_and_leaves_an_older_model() {
    let folder = Folder::new();
    let digits = bundled("digits.csv.gz");
    folder.run(&format!("embed {digits} --model digits.dosnes --iterations 20")).succeeds();
    let older = std::fs::read(folder.path("digits.dosnes")).unwrap();
    let run = after_first_steps(&folder, "-o map.csv --model digits.dosnes");
    send("-INT", &run.0);
    let (ended, rest) = end(run);
    assert_eq!(ended, Some(130), "{rest}");
    assert!(rest.contains("wrote map.csv"), "{rest}");
    assert!(rest.contains("digits.dosnes was not written, because the run was stopped"), "{rest}");
    assert_eq!(std::fs::read(folder.path("digits.dosnes")).unwrap(), older);
}

/// A pipe without a writer can never be read, and its reader cannot ask whether to stop.
#[test]
fn without_a_result_a_signal_ends_the_program_at_once() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let folder = Folder::new();
        assert!(Command::new("mkfifo").arg(folder.path("pipe.csv")).status().unwrap().success());
        let mut child = folder.command("embed pipe.csv -o map.csv").stderr(Stdio::piped()).spawn().unwrap();
        wait_for_handlers(&child);
        send(signal, &child);
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{said}");
        assert_eq!(said, "error: stopped before there was a result; nothing was written\n");
        assert_eq!(folder.files(), ["pipe.csv"]);
    }
}

/// The system says which signals a process catches.
fn wait_for_handlers(child: &Child) {
    let caught = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim().to_owned();
        u64::from_str_radix(&mask, 16).unwrap()
    };
    let both = (1 << (2 - 1)) | (1 << (15 - 1));
    while caught() & both != both {
        std::thread::yield_now();
    }
}

/// The map cannot be written, since nobody reads the pipe that it goes to.
#[test]
fn a_second_signal_quits_immediately() {
    let folder = Folder::new();
    assert!(Command::new("mkfifo").arg(folder.path("map.csv")).status().unwrap().success());
    let (mut child, mut stderr) = long_run(&folder, "-o map.csv");
    send("-INT", &child);
    let mut line = String::new();
    while !line.contains("press Ctrl-C again to quit immediately") {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "the program ended");
    }
    while !line.starts_with("embedded") {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "the program ended");
    }
    assert!(child.try_wait().unwrap().is_none(), "the first signal does not end the program");
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

/// A terminal that was closed takes no more messages. That must not cost the map.
#[test]
fn a_run_that_can_no_longer_say_anything_writes_its_map() {
    let folder = Folder::new();
    let (mut child, stderr) = long_run(&folder, "-o map.csv");
    drop(stderr);
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert_eq!(folder.read("map.csv").lines().count(), 1798);
    let folder = Folder::with("ring.csv", ring(12));
    let mut child = folder.command("embed ring.csv -v -o map.csv").stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(folder.read("map.csv").lines().count(), 13);
}

/// `nohup` starts a program with this signal ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_was_started_with_nohup_outlives_its_terminal() {
    let folder = Folder::new();
    let digits = bundled("digits.csv.gz");
    let plain = folder.command(&format!("embed {digits} -v --space plane --iterations 1000000 -o map.csv"));
    let mut nohup = Command::new("sh");
    nohup.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(plain.get_program()).args(plain.get_args());
    let run = first_steps(nohup.current_dir(folder.path("")));
    send("-HUP", &run.0);
    send("-TERM", &run.0);
    let (ended, rest) = end(run);
    assert_eq!(ended, Some(143), "{rest}");
    assert!(rest.contains("stopped by a request to end (SIGTERM)"), "{rest}");
    assert_eq!(folder.read("map.csv").lines().count(), 1798);
}

/// The first signal waits for the checkpoint, so that its message can say how to continue.
#[test]
fn a_second_signal_does_not_wait_for_a_checkpoint() {
    let folder = Folder::new();
    assert!(Command::new("mkfifo").arg(folder.path("c.bin")).status().unwrap().success());
    let digits = bundled("digits.csv.gz");
    let mut command = folder.command(&format!("embed {digits} -o map.csv --checkpoint c.bin"));
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    // It opens when the program begins to write, which then waits until somebody reads.
    let pipe = std::fs::File::open(folder.path("c.bin")).unwrap();
    send("-INT", &child);
    send("-TERM", &child);
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(60), "the second signal is not heard");
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(pipe);
    assert!(matches!(child.wait().unwrap().code(), Some(130 | 143)));
}

#[test]
fn a_time_limit_ends_with_the_map_as_it_is_then() {
    let folder = Folder::with("map.csv", "older");
    let digits = bundled("digits.csv.gz");
    let run = folder
        .run(&format!("embed {digits} --space plane --iterations 1000000 --time-limit 6s -o map.csv --report r.json"));
    run.succeeds();
    run.says(&["stopped at --time-limit: this map is not finished", "wrote map.csv, r.json"]);
    assert_eq!(folder.json("r.json")["unfinished"], "stopped at --time-limit");
    assert_eq!(folder.read("map.csv").lines().count(), 1798);
    folder
        .run(&format!("embed {digits} --time-limit 0s -o other.csv"))
        .fails_with(1, &["--time-limit ended before there was a result; nothing was written"]);
    assert!(!folder.files().contains(&"other.csv".to_owned()));
}

#[test]
fn more_threads_than_make_sense_are_not_started() {
    let folder = Folder::with("ring.csv", ring(12));
    let run = folder.run("embed ring.csv -o map.csv --threads 1000 --report r.json");
    run.succeeds();
    run.says(&["threads are used instead of 1000"]);
    assert!(folder.json("r.json")["threads"].as_u64().unwrap() < 1000);
}
