//! Checkpoints: the fuzzer gives the contents, the frame and its checksum are left out. What is accepted can be continued, or is
//! refused.
#![no_main]

use dosnes::observe::{Observer, Step};
use dosnes::{Dosnes, resume};
use dosnes_fuzz::{memory::bounded, seeds};
use std::ops::ControlFlow;

/// Stops at once.
struct Stop;

impl Observer for Stop {
    fn step(&mut self, _: &Step<'_>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

libfuzzer_sys::fuzz_target!(init: seeds::checkpoints(), |data: &[u8]| {
    let Ok(checkpoint) = bounded(data, || dosnes_io::decode_checkpoint("fuzzed", data)) else { return };
    let (Some(p), Some(state)) = (checkpoint.affinities, checkpoint.state) else { return };
    if p.len() <= 100 {
        let method = Dosnes::sphere();
        let _ = resume(&p, method.embed_options(), state, &mut Stop);
    }
});
