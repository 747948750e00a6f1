//! The command `dosnes`: turns a file into a globe. It is a library so that the Python package can have the command too.
//!
//! Messages go to standard error. Only data go to standard output.

#![forbid(unsafe_code)]

mod args;
mod atlas;
mod browser;
mod checkpoint;
mod commands;
mod comparison;
mod control_groups;
mod failure;
mod fix;
mod heap;
mod images;
mod interrupt;
mod landmarks;
mod like;
mod mapping;
mod memory;
mod model;
mod naming;
mod numbers;
mod output;
mod picture;
mod preview;
mod progress;
mod ranks;
mod registration;
mod report;
mod stages;
mod start;
mod summary;
mod terminal;
mod threads;

pub use heap::set_up_heap;

use args::{Cli, Command};
use clap::Parser;
use dosnes::ranks::Communicator;
use ranks::Ranks;
use std::ffi::OsString;
use std::process::ExitCode;
use terminal::Terminal;

/// Runs the command with these arguments, the first of which is the name of the program. Wrong arguments end the process.
///
/// If MPI has started several of them, this is one of the ranks: the first runs the command, the others help it.
pub fn program(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let ranks = Ranks::join();
    if !ranks.is_first() {
        return help(&ranks, arguments);
    }
    let cli = args::parse(arguments);
    let terminal = Terminal::new(&cli.global);
    let result = run(cli, ranks.communicator(), terminal);
    ranks.dismiss();
    match result {
        Ok(code) => code,
        Err(error) => {
            terminal.error(&error);
            failure::exit_code(&error)
        }
    }
}

/// A rank that helps. It prints nothing: what is wrong, the first one says.
fn help(ranks: &Ranks, arguments: Vec<OsString>) -> ExitCode {
    let terminal = Terminal::silent();
    let Ok(cli) = Cli::try_parse_from(arguments) else { return ExitCode::SUCCESS };
    if interrupt::listen(terminal).and_then(|()| threads::set(cli.global.threads, terminal)).is_err() {
        return ExitCode::FAILURE;
    }
    ranks.assist();
    ExitCode::SUCCESS
}

fn run(cli: Cli, ranks: &dyn Communicator, terminal: Terminal) -> anyhow::Result<ExitCode> {
    interrupt::listen(terminal)?;
    threads::set(cli.global.threads, terminal)?;
    match cli.command {
        Command::Embed(args) => commands::embed::run(&args, ranks, terminal),
        Command::Resume(args) => commands::resume::run(&args, ranks, terminal),
        Command::Normalize(args) => commands::normalize::run(&args, terminal),
        Command::Info(args) => commands::info::run(&args, terminal),
        Command::Demo(args) => commands::demo::run(&args, terminal),
        Command::View(args) => commands::view::run(&args, terminal),
        Command::Plot(args) => commands::plot::run(&args, terminal),
        Command::Evaluate(args) => commands::evaluate::run(&args, terminal),
        Command::Compare(args) => commands::compare::run(&args, terminal),
        Command::Transform(args) => commands::transform::run(&args, terminal),
        Command::Grow(args) => commands::grow::run(&args, terminal),
        Command::Align(args) => commands::align::run(&args, terminal),
        Command::Reproduce(args) => commands::reproduce::run(&args, terminal),
        Command::Completions { shell } => commands::completions::run(shell),
        Command::Man { folder } => commands::man::run(folder.as_deref(), terminal),
    }
}
