//! Messages: plain lines in a pipe, bars on a terminal, nothing with `-q`.

use crate::harness::{Folder, ring};
use std::path::Path;
use std::process::Command;

#[test]
fn a_pipe_sees_no_control_codes() {
    let folder = Folder::with("graph.csv", ring(12));
    for options in ["", "-v"] {
        let outcome = folder.run(&format!("embed graph.csv -o map.csv {options}"));
        assert!(outcome.succeeds().chars().all(|c| c == '\n' || !c.is_control()), "{:?}", outcome.stderr);
        assert!(outcome.stdout.is_empty());
        outcome.says(&[
            "graph of 12 nodes",
            "all 12 nodes now have exactly the same total similarity",
            "embedded on a sphere",
            "wrote map.csv",
        ]);
    }
}

#[test]
fn quiet_prints_only_errors() {
    let folder = Folder::with("graph.csv", ring(12));
    assert_eq!(folder.run("embed graph.csv -o map.csv -q").succeeds(), "");
    folder.run("embed nowhere.csv -o map.csv -q").fails_with(2, &["nowhere.csv"]);
}

#[test]
fn verbose_prints_more() {
    let folder = Folder::with("graph.csv", ring(12));
    folder.run("-v embed graph.csv -o map.csv").says(&["normalising", "rounds, residual", "degree CV"]);
}

/// Runs the program in a pseudo-terminal; `None` if the system has no `script` to make one.
fn at_a_terminal(folder: &Folder, arguments: &str, no_color: bool) -> Option<String> {
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_dosnes"));
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).current_dir(folder.path("")).env("TERM", "xterm");
    command.env_remove("NO_COLOR");
    if no_color {
        command.env("NO_COLOR", "1");
    }
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_terminal_shows_a_bar_with_the_kl_and_colour_unless_it_is_disabled() {
    let folder = Folder::new();
    let Some(shown) = at_a_terminal(&folder, "demo", false) else {
        println!("not tested: there is no `script` to make a terminal");
        return;
    };
    assert!(shown.contains("\rembedding") || shown.contains("\r\x1b[2Kembedding"), "{shown:?}");
    assert!(shown.contains('━') && shown.contains("KL "), "{shown:?}");
    assert!(shown.contains("\x1b[1mall 305 airports"), "{shown:?}");
    let plain = at_a_terminal(&folder, "demo", true).expect("it worked before");
    assert!(!plain.contains("\x1b[1m"), "{plain:?}");
    assert!(plain.contains("all 305 airports"), "{plain:?}");
    let quiet = at_a_terminal(&folder, "demo -q", false).expect("it worked before");
    assert_eq!(quiet, "");
}

#[test]
fn codes_in_names_do_not_reach_a_terminal() {
    let folder = Folder::with("graph.csv", ring(12) + "n1,\x1b]0;title\x07\x1b[31mred,1\n\x1b[5mlone,\x1b[5mlone,1\n");
    let piped = folder.run("embed graph.csv -o -");
    assert!(piped.succeeds().contains("\\u{1b}[5mlone"), "{}", piped.stderr);
    assert!(piped.stdout.contains("\x1b[31mred"), "files keep names as they are: {}", piped.stdout);
    for command in ["info graph.csv", "embed graph.csv -o - -q"] {
        let Some(shown) = at_a_terminal(&folder, command, true) else {
            println!("not tested: there is no `script` to make a terminal");
            return;
        };
        assert!(shown.contains("\\u{1b}"), "{shown:?}");
        // The bar erases itself with a code of the program's own.
        let shown = shown.replace("\x1b[2K", "");
        assert!(!shown.contains('\x1b') && !shown.contains('\x07'), "{shown:?}");
    }
}

#[test]
fn the_bar_fits_into_a_terminal_of_forty_columns() {
    let folder = Folder::with("graph.csv", ring(2000));
    let line = format!("{} embed graph.csv --iterations 40 -o map.csv", env!("CARGO_BIN_EXE_dosnes"));
    folder.write("run.sh", format!("stty cols 40 rows 20; exec {line}"));
    let mut command = Command::new("script");
    command.args(["-qec", "sh run.sh", "/dev/null"]).current_dir(folder.path("")).env("TERM", "xterm");
    let Some(output) = command.output().ok().filter(|output| output.status.success()) else {
        println!("not tested: there is no `script` to make a terminal");
        return;
    };
    let shown = String::from_utf8(output.stdout).unwrap();
    let bars: Vec<&str> = shown.split("\r\x1b[2K").filter(|part| part.contains('╌') || part.contains('━')).collect();
    assert!(!bars.is_empty(), "{shown:?}");
    for bar in bars {
        assert!(bar.chars().count() < 40 && !bar.contains('\n'), "{bar:?}");
    }
}

#[test]
fn info_prints_estimates_and_writes_nothing() {
    let folder = Folder::with("graph.csv", ring(12) + "x,y,1\nx,z,1\n");
    let outcome = folder.run("info graph.csv");
    outcome.succeeds();
    for part in [
        "graph of 15 nodes",
        "factor of",
        "2: the largest has 12 nodes, the next 3",
        "does not exist: 2 nodes",
        "memory",
        "roughly",
    ] {
        assert!(outcome.stdout.contains(part), "{part}: {}", outcome.stdout);
    }
    assert_eq!(folder.files(), ["graph.csv"]);
}

#[test]
fn completions_know_the_commands() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let outcome = folder.run(&format!("completions {shell}"));
        outcome.succeeds();
        assert!(outcome.stdout.contains("embed") && outcome.stdout.contains("perplexity"), "{shell}");
    }
}

/// The page as `man` shows it, and the warnings; without groff `None`, and a line that says so.
fn shown_by_groff(page: &Path) -> Option<(String, String)> {
    // Every warning, and one long page in plain text.
    let groff = Command::new("groff").args(["-man", "-Tutf8", "-ww", "-P-cbou", "-k"]).arg(page).output();
    let Ok(output) = groff else {
        println!("skipped: groff is not installed, so the manual page is not rendered");
        return None;
    };
    assert!(output.status.success(), "{:?}", output.status);
    Some((String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap()))
}

#[test]
fn every_command_has_a_manual_page_that_renders_without_a_warning() {
    let folder = Folder::new();
    folder.run("man pages/man1").succeeds();
    let printed = folder.run("man");
    printed.succeeds();
    assert_eq!(printed.stdout, folder.read("pages/man1/dosnes.1"));
    let help = folder.run("--help").stdout;
    let listed = help.split("Commands:").nth(1).expect("the help lists the commands");
    // Lines with deeper indentation continue the text of the command above.
    let names = listed.lines().skip(1).take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let commands: Vec<&str> =
        names.filter_map(|line| line.split_whitespace().next()).filter(|&c| c != "help").collect();
    assert!(commands.len() > 8, "{commands:?}");
    for command in commands {
        let page = format!("pages/man1/dosnes-{command}.1");
        assert!(folder.read(&page).contains(".SH SYNOPSIS"), "{page}");
        let Some((text, warnings)) = shown_by_groff(&folder.path(&page)) else { continue };
        assert_eq!(warnings, "", "{page}");
        assert!(text.contains(&format!("dosnes {command}")), "{text}");
    }
    if let Some((text, _)) = shown_by_groff(&folder.path("pages/man1/dosnes-embed.1")) {
        for part in [
            "--perplexity",
            "dosnes embed [OPTIONS]",
            "  dosnes embed flights.csv --items airports.csv --color region\n",
        ] {
            assert!(text.contains(part), "“{part}” is not in: {text}");
        }
    }
}

/// Unix only: bash would treat the backslashes in Windows paths as escapes.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = Folder::with("graph.csv", ring(2000));
    let line = format!("{} embed graph.csv --iterations 5 -q -o - | head -1", env!("CARGO_BIN_EXE_dosnes"));
    let output = Command::new("bash").args(["-o", "pipefail", "-c", &line]).current_dir(folder.path("")).output();
    let output = output.expect("bash is there");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success(), "{:?}", output.status);
}
