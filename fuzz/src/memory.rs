//! How much memory a call takes. Without a sanitizer, libFuzzer sees only the size of the whole process, which is too coarse.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A reader may take this many times the bytes of its input,
const TIMES: usize = 8;
/// and this many bytes more.
const MORE: usize = 64_000_000;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counter;

impl Counter {
    fn add(bytes: usize) {
        PEAK.fetch_max(NOW.fetch_add(bytes, Relaxed) + bytes, Relaxed);
    }
}

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::add(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::add(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // While the contents move, both blocks exist.
        Self::add(size);
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTER: Counter = Counter;

/// Calls a reader, and panics if it took more memory than its input explains.
///
/// Compressed inputs are held to the size of the process alone: what they unpack to is bounded by the limit of memory of the
/// program, which is not set here.
pub fn bounded<T>(input: &[u8], reader: impl FnOnce() -> T) -> T {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = reader();
    let taken = PEAK.load(Relaxed).saturating_sub(before);
    let allowed = TIMES * input.len() + MORE;
    assert!(
        taken <= allowed || is_compressed(input),
        "the reader took {taken} bytes for an input of {} bytes, and {allowed} are allowed",
        input.len()
    );
    result
}

/// gzip, bzip2, xz, zstd, zip, and HDF5 and MATLAB files, whose arrays may be compressed.
fn is_compressed(input: &[u8]) -> bool {
    let marks: [&[u8]; 7] = [b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"PK", b"\x89HDF", b"MATLAB 5.0"];
    marks.iter().any(|mark| input.starts_with(mark))
}
