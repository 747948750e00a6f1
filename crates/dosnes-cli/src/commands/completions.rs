//! `dosnes completions`.

use crate::{args::Cli, output::print};
use anyhow::Result;
use clap::CommandFactory;
use std::process::ExitCode;

/// Prints the script.
pub(crate) fn run(shell: clap_complete::Shell) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "dosnes", &mut script);
    print(&script)?;
    Ok(ExitCode::SUCCESS)
}
