//! `dosnes resume`: continues an interrupted run from its checkpoint.

use crate::{
    args::{Cli, Command, ResumeArgs},
    checkpoint::{About, Saver},
    commands::embed,
    failure::Failure,
    stages,
    terminal::Terminal,
};
use anyhow::{Context, Result};
use clap::Parser;
use dosnes::ranks::Communicator;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &ResumeArgs, ranks: &dyn Communicator, terminal: Terminal) -> Result<ExitCode> {
    let checkpoint = stages::read_checkpoint(&args.checkpoint)?;
    let path = args.checkpoint.canonicalize().context("the checkpoint cannot be found")?;
    let foreign = || {
        let problem = "the checkpoint does not say how its run began; run the original command again";
        Failure::BadInput(format!("{}: {problem}", args.checkpoint.display()))
    };
    let about: About = serde_json::from_str(&checkpoint.about).map_err(|_| foreign())?;
    let cli = Cli::try_parse_from(&about.arguments).map_err(|_| foreign())?;
    let Command::Embed(run) = cli.command else { return Err(foreign().into()) };
    std::env::set_current_dir(&about.folder).map_err(|error| {
        Failure::BadInput(format!(
            "{}: the folder of the original run cannot be entered: {error}",
            about.folder.display()
        ))
    })?;
    about.check_inputs()?;
    if about.version != env!("CARGO_PKG_VERSION") {
        terminal.note(&format!(
            "the run began with version {}, this is {}: the map may differ from that of an uninterrupted run",
            about.version,
            env!("CARGO_PKG_VERSION")
        ));
    }
    terminal.say(&format!("continues: {}", about.arguments.join(" ")));
    let every = run.checkpoint.every;
    embed::run_from(&run, Some(Saver::go_on(path, every, checkpoint)), ranks, terminal)
}
