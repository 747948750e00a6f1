//! The project's own commands, one file each.

#![forbid(unsafe_code)]
#![allow(clippy::print_stderr, reason = "commands report their steps")]

mod benchmark;
mod folder;
mod fuzz;
mod instructions;
mod miri;
mod mpi;
mod package;
mod paper;
mod portable;
mod python;
mod readme;
mod roundtrip;
mod site;
mod study;
mod tables;
mod test;
mod tools;
mod torture;
mod wheel;

use std::process::ExitCode;
use tools::{cargo, cargo_path, root, succeed, target};

const USAGE: &str =
    "usage: cargo xtask test          format, lints, tests, doc tests, a processor without AVX2, the page, the READMEs
       cargo xtask test --quick  format, lints and Rust tests without the slow ones
       cargo xtask test --without-python  all of them, except for the Python package
       cargo xtask python        the tests of the Python package only
       cargo xtask wheel         builds the wheel of the Python package, and tries it in a fresh environment
       cargo xtask site          builds the documentation in target/site
       cargo xtask readme        the commands of the READMEs only
       cargo xtask roundtrip     reads files that pandas, NetworkX, anndata, R and other packages write
       cargo xtask package       packages the crates, and runs the program built from the packages
       cargo xtask benchmark     compares dosnes with other programs; writes docs/benchmarks.md
       cargo xtask paper         the figures and tables of docs/paper.md
       cargo xtask study         compares normalisations on many graphs; writes docs/normalisation.md
       cargo xtask torture       kills runs and continues them, lets writes fail; writes docs/reliability.md
       cargo xtask fuzz          feeds random files to every reader, and random names to the writers [--minutes N] [TARGET…]
       cargo xtask instructions  counts the instructions of the hot kernels with callgrind
       cargo xtask portable      runs the program and the kernels without AVX2, emulated by qemu
       cargo xtask mpi           runs the program on several ranks; installs MPI on Debian
       cargo xtask miri          checks the vector code for undefined behaviour; needs the nightly toolchain";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["test"] => test::all(true),
        ["test", python::WITHOUT] => test::all(false),
        ["python"] => python::run(&root()),
        ["wheel"] => wheel::run(&root()),
        ["site"] => site::run(&root()),
        ["test", "--quick"] => test::quick(),
        ["readme"] => readme::run(&root()),
        ["roundtrip"] => roundtrip::run(&root()),
        ["package", options @ ..] => package::run(&root(), options),
        ["instructions"] => instructions::run(&root()),
        ["portable"] => portable::run(&root()),
        ["miri"] => miri::run(),
        ["mpi"] => mpi::run(),
        ["fuzz", options @ ..] => fuzz::run(options),
        ["torture", options @ ..] => torture::run(&root(), options),
        ["paper"] => paper::run(&root()),
        ["study"] => study::run(&root()),
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
