//! The help: what most people need comes first, every option has its place, and a narrow terminal can show it.

use crate::harness::Folder;

/// The help of a command in a terminal of this width.
fn help(arguments: &str, columns: usize) -> String {
    let output = Folder::new().command(arguments).env("COLUMNS", columns.to_string()).output().unwrap();
    assert!(output.status.success(), "{arguments}");
    String::from_utf8(output.stdout).unwrap()
}

/// The headings in a help text, each with the options below it.
fn groups(help: &str) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for line in help.lines() {
        let words = line.trim_start();
        if let Some(heading) = line.strip_suffix(':').filter(|_| words.len() == line.len()) {
            groups.push((heading.to_owned(), Vec::new()));
        } else if let Some(option) = words.split_whitespace().find(|word| word.starts_with("--"))
            && words.starts_with('-')
            && line.len() - words.len() <= 6
            && let Some((_, options)) = groups.last_mut()
        {
            options.push(option.to_owned());
        }
    }
    groups
}

#[test]
fn the_ten_most_used_options_come_first() {
    let groups = groups(&help("embed -h", 100));
    let (heading, options) = groups.iter().find(|(_, options)| !options.is_empty()).expect("there are options");
    assert_eq!(heading, "Most used");
    let expected = [
        "--output",
        "--color",
        "--title",
        "--as",
        "--items",
        "--standardize",
        "--perplexity",
        "--metric",
        "--space",
        "--seed",
    ];
    assert_eq!(options, &expected);
}

#[test]
fn every_option_is_in_a_group_that_says_what_it_is_for() {
    let groups = groups(&help("embed -h", 100));
    let named: Vec<&str> = groups.iter().filter(|(_, options)| !options.is_empty()).map(|(h, _)| h.as_str()).collect();
    assert_eq!(
        named,
        [
            "Most used",
            "More outputs",
            "Design pages and figures",
            "Read the file differently",
            "Explain a table to the reader",
            "Prepare the data",
            "Decide what is similar",
            "Make all items equal",
            "Shape the map",
            "Control the optimisation",
            "Limit memory, time, threads",
            "Interrupt and continue",
            "Messages and help",
        ]
    );
    let of = |option: &str| groups.iter().find(|(_, options)| options.iter().any(|o| o == option)).map(|(h, _)| &**h);
    for (option, heading) in [
        ("--iterations", "Control the optimisation"),
        ("--radius", "Shape the map"),
        ("--pca", "Prepare the data"),
        ("--threads", "Limit memory, time, threads"),
        ("--help", "Messages and help"),
    ] {
        assert_eq!(of(option), Some(heading), "{option}");
    }
}

#[test]
fn every_help_fits_into_forty_columns() {
    let commands = [
        "embed",
        "normalize",
        "info",
        "demo",
        "view",
        "plot",
        "evaluate",
        "compare",
        "reproduce",
        "completions",
        "man",
        "align",
        "transform",
        "grow",
        "resume",
    ];
    let all = commands.iter().flat_map(|command| [format!("{command} -h"), format!("{command} --help")]);
    for arguments in all.chain(["-h".to_owned(), "--help".to_owned()]) {
        let help = help(&arguments, 40);
        for line in help.lines() {
            assert!(line.chars().count() <= 40 || cannot_be_wrapped(line), "dosnes {arguments}: {line:?}");
        }
        assert!(help.contains("\nMessages and help:\n"), "dosnes {arguments}: {help}");
    }
}

/// One word, an option with its value, or the form of the whole command: clap leaves these as they are.
fn cannot_be_wrapped(line: &str) -> bool {
    let words = line.split_whitespace().count();
    words == 1 || line.starts_with("Usage: ") || line.trim_start().starts_with('-') && words <= 3
}
