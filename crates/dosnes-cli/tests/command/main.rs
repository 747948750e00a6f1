//! The command as users see it: files in; files, messages and exit codes out.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that fails should panic, and one that cannot run should print why"
)]
#![allow(clippy::format_collect, reason = "small files are built line by line")]

mod atlas;
mod bad_input;
mod checkpoint;
mod compare;
mod demo;
mod extreme;
mod fix;
mod growth;
mod harness;
mod help;
mod interrupt;
mod landmarks;
mod like;
mod memory;
mod outputs;
mod pages;
mod quality;
mod ranks;
mod reading;
mod report;
#[path = "../../../../tests/shared_data.rs"]
mod shared;
mod shared_data;
mod terminal;
