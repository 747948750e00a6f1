//! Every reader: the first byte chooses the format, the second one the extension of the name.
#![no_main]

use dosnes::{Named, observe::Silent};
use dosnes_fuzz::{files, memory::bounded};
use dosnes_io::{Format, ReadOptions, read_bytes};

const NAMES: [&str; 6] = ["a.csv", "a.fvecs", "a.bvecs", "a.fbin", "a.phy", "a.metis"];

libfuzzer_sys::fuzz_target!(init: files::put(true), |data: &[u8]| {
    let [format, name, contents @ ..] = data else { return };
    let format = Format::ALL[*format as usize % Format::ALL.len()];
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let name = NAMES[*name as usize % NAMES.len()];
    let _ = bounded(contents, || read_bytes(name, contents, &options, &mut Silent));
});
