//! Checkpoints: the fuzzer gives the contents, the frame and its checksum are added.
#![no_main]

use dosnes_fuzz::memory::bounded;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = bounded(data, || dosnes_io::decode_checkpoint("fuzzed", data));
});
