//! The project's own commands, one file each.

#![forbid(unsafe_code)]
#![allow(clippy::print_stderr, reason = "the steps are told as they run")]

mod benchmark;
mod folder;
mod instructions;
mod miri;
mod package;
mod paper;
mod portable;
mod readme;
mod test;
mod tools;

use std::process::ExitCode;
use tools::{cargo, cargo_path, root, succeed, target};

const USAGE: &str =
    "usage: cargo xtask test          format, lints, tests, doc tests, a processor without AVX2, the page, the READMEs
       cargo xtask test --quick  format, lints and Rust tests without the slow ones
       cargo xtask readme        the commands of the READMEs only
       cargo xtask package       packages the crates, and runs the program that is built from the packages
       cargo xtask benchmark     dosnes and its peers side by side; writes docs/benchmarks.md
       cargo xtask paper         the figures and tables of docs/paper.md
       cargo xtask instructions  instructions that the hot kernels execute, by callgrind
       cargo xtask portable      the program and the kernels on a processor without AVX2, played by qemu
       cargo xtask miri          the vectors under Miri, which finds undefined behaviour; needs the nightly toolchain";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["test"] => test::all(),
        ["test", "--quick"] => test::quick(),
        ["readme"] => readme::run(&root()),
        ["package", options @ ..] => package::run(&root(), options),
        ["instructions"] => instructions::run(&root()),
        ["portable"] => portable::run(&root()),
        ["miri"] => miri::run(),
        ["paper"] => paper::run(&root()),
        ["benchmark"] => benchmark::run(&root()),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
