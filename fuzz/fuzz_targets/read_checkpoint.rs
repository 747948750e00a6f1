//! Checkpoints: the fuzzer gives the contents, the frame and its checksum are added.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = dosnes_io::decode_checkpoint("fuzzed", data);
});
