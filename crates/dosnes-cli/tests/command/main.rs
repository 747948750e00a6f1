//! The command as its users meet it: files in, files, messages and exit codes out.

mod bad_input;
mod demo;
mod harness;
mod interrupt;
mod outputs;
mod report;
mod shared_data;
mod terminal;
