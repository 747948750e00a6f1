//! For any bytes, the readers return a result: no panic, and no memory that the size of the file does not explain.

#![allow(unsafe_code, reason = "only an allocator sees what is asked of it")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it saw"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use dosnes::observe::Silent;
use dosnes_io::{ReadOptions, read_bytes, read_embedding_bytes};

/// Records the largest single request.
struct Watcher;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Watcher {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LARGEST.fetch_max(size, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static WATCHER: Watcher = Watcher;

/// No test file is larger than 100 kB. The memory for a damaged one is limited by the compression ratio of deflate and by the
/// limits of the readers on the number of rows.
const LIMIT: usize = 256 << 20;

struct Random(u64);

impl Random {
    /// splitmix64
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

#[test]
fn truncated_and_mutated_files_never_panic_and_never_ask_for_absurd_memory() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e != "py"));
    files.sort();
    assert!(files.len() > 30);
    let mut random = Random(1);
    let mut cases = 0;
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let whole = std::fs::read(&path).unwrap();
        for case in 0..120 {
            let mut bytes = whole.clone();
            if case % 3 == 0 {
                bytes.truncate(random.below(whole.len()));
            } else {
                for _ in 0..=random.below(4) {
                    let at = random.below(bytes.len());
                    match random.below(4) {
                        0 => bytes[at] = random.next() as u8,
                        1 => bytes[at] ^= 1 << random.below(8),
                        2 => bytes[at] = [0, 0xff, b'9', b'"', b'\n', b'-', 0x7f][random.below(7)],
                        _ => bytes.insert(at, b"0123456789,\"<>*%\n"[random.below(17)]),
                    }
                }
            }
            LARGEST.store(0, Ordering::Relaxed);
            let answer = std::panic::catch_unwind(|| {
                let _ = read_bytes(&name, &bytes, &ReadOptions::default(), &mut Silent);
                let _ = read_embedding_bytes(&name, &bytes);
            });
            assert!(answer.is_ok(), "{name}: case {case} panics");
            let largest = LARGEST.load(Ordering::Relaxed);
            assert!(largest <= LIMIT, "{name}: case {case} asks for {largest} bytes at once");
            cases += 1;
        }
    }
    println!("{cases} cases");
}
