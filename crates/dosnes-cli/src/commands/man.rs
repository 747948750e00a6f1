//! `dosnes man`: the manual pages, made from the same texts as `--help`.

use crate::{
    args::Cli,
    output::{print, write_whole},
    terminal::Terminal,
};
use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};
use std::path::Path;
use std::process::ExitCode;

/// Prints the page of the program, or writes the pages of all commands to a folder.
pub(crate) fn run(folder: Option<&Path>, terminal: Terminal) -> Result<ExitCode> {
    // `dosnes help` repeats the texts of the other commands and needs no page of its own.
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let Some(folder) = folder else {
        print(&page(&program)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        write_whole(&folder.join(format!("{name}.1")), &page(command)?)?;
    }
    terminal.say(&format!("wrote the manual pages to {}", folder.display()));
    Ok(ExitCode::SUCCESS)
}

/// The manual page of a command, in roff.
fn page(command: &Command) -> Result<Vec<u8>> {
    // `[OPTIONS]` as in the help, instead of forty options in one line. All options follow below.
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    let man = Man::new(command.clone().override_usage(usage)).source(concat!("dosnes ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    man.render_options_section(&mut page)?;
    if let Some(text) = command.get_after_help() {
        examples(&text.to_string()).to_writer(&mut page)?;
    }
    Ok(page)
}

/// The text after the options: indented lines are commands and stay as they are, the others are paragraphs.
fn examples(text: &str) -> Roff {
    let mut roff = Roff::default();
    roff.control("SH", ["EXAMPLES AND NOTES"]);
    let mut verbatim = false;
    for line in text.lines() {
        if line.starts_with(' ') != verbatim {
            verbatim = !verbatim;
            roff.control(if verbatim { "nf" } else { "fi" }, []);
        }
        if line.is_empty() {
            roff.control("PP", []);
        } else {
            roff.text([roman(line)]);
        }
    }
    if verbatim {
        roff.control("fi", []);
    }
    roff
}
