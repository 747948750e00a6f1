//! Any bytes, read as the program reads a file: the format is told by the contents.
#![no_main]

use dosnes::observe::Silent;
use dosnes_fuzz::{files, memory::bounded};
use dosnes_io::{ReadOptions, read_bytes};

libfuzzer_sys::fuzz_target!(init: files::put(false), |data: &[u8]| {
    let _ = bounded(data, || read_bytes("input", data, &ReadOptions::default(), &mut Silent));
});
