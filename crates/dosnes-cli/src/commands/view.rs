//! `dosnes view`: an embedding file as a globe in the browser.

use crate::{
    args::ViewArgs,
    commands::embed::title,
    failure::Failure,
    output::{check_files, write_whole},
    picture::Picture,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::{input::Items, optimize::Space};
use dosnes_io::{Embedding, read_embedding};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &ViewArgs, terminal: Terminal) -> Result<ExitCode> {
    let embedding = read_embedding(&args.input)?;
    check_column(&embedding.items, args.color.as_deref(), &args.input)?;
    let title = title(&args.input);
    let output = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{title}.html")));
    check_files([output.as_path()].into_iter(), Some(&args.input))?;
    let picture = Picture { color: args.color.as_deref(), ..picture(&embedding, &title) };
    write_whole(&output, &picture.html()?)?;
    terminal.say(&format!("wrote {}", output.display()));
    if !args.no_open {
        show(&output, terminal);
    }
    Ok(ExitCode::SUCCESS)
}

/// An embedding that was read, as a picture.
pub(crate) fn picture<'a>(embedding: &'a Embedding, title: &'a str) -> Picture<'a> {
    let space = match (embedding.radius, embedding.coordinates.ncols()) {
        (Some(_), _) => Space::Sphere,
        (None, 2) => Space::Plane,
        (None, _) => Space::Space,
    };
    Picture {
        title,
        name: "map",
        noun: "",
        items: &embedding.items,
        space,
        coordinates: embedding.coordinates.view(),
        radius: embedding.radius,
        p: None,
        degree: None,
        color: None,
    }
}

/// A column that is asked for must be there.
pub(crate) fn check_column(items: &Items, column: Option<&str>, input: &Path) -> Result<()> {
    match column {
        Some(name) if items.column(name).is_none() => {
            let names: Vec<&str> = items.columns.iter().map(|column| column.name.as_str()).collect();
            let there =
                if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", names.join(", ")) };
            Err(Failure::BadInput(format!("{}: no column \"{name}\" to colour by; {there}", input.display())).into())
        }
        _ => Ok(()),
    }
}

/// Opens a page in the browser. Where there is none, the file is still there.
pub(crate) fn show(page: &Path, terminal: Terminal) {
    if open::that_detached(page).is_err() {
        terminal.say(&format!("no browser could be started: open {} yourself", page.display()));
    }
}
