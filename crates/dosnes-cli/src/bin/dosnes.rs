//! The program `dosnes`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    dosnes_cli::share_heap_if_space_is_limited();
    dosnes_cli::program(std::env::args_os())
}
