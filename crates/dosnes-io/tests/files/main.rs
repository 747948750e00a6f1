//! Files as users have them, read and written through the public interface. One program, since each further one is
//! compiled and linked with all of the library; `robustness` needs an allocator of its own and stands alone.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it saw"
)]

mod bad_input;
mod doubts;
mod each_format;
mod everyday;
mod exports;
mod fields;
mod formats;
mod fresh;
mod invented;
mod judged;
mod more_formats;
mod odd;
mod prints;
mod round_trip;
#[path = "../../../../tests/shared_data.rs"]
mod shared;
mod shared_data;
mod small;
