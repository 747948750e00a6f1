//! `dosnes completions`.

use crate::args::Cli;
use anyhow::Result;
use clap::CommandFactory;
use std::process::ExitCode;

/// Prints the script.
#[allow(clippy::unnecessary_wraps, reason = "all commands answer alike")]
pub(crate) fn run(shell: clap_complete::Shell) -> Result<ExitCode> {
    clap_complete::generate(shell, &mut Cli::command(), "dosnes", &mut std::io::stdout());
    Ok(ExitCode::SUCCESS)
}
