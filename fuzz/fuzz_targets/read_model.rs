//! Models: the fuzzer gives the contents, the frame and its checksum are left out. What is accepted is written as the same model.
#![no_main]

use dosnes::Model;
use dosnes_fuzz::{memory::bounded, seeds};

libfuzzer_sys::fuzz_target!(init: seeds::models(), |data: &[u8]| {
    let Ok(model) = bounded(data, || Model::from_contents(data)) else { return };
    assert_eq!(Model::from_bytes(&model.to_bytes()).as_ref(), Ok(&model));
});
