//! The program `dosnes`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    dosnes_cli::set_up_heap();
    dosnes_cli::program(std::env::args_os())
}
