//! One heap for all threads, where the address space is limited.

/// Under `ulimit -v`, starts the program again with a single heap.
///
/// The allocator of Linux (glibc) reserves 64 MB of address space for each thread, whether they are used or not. Under `ulimit -v`,
/// which some clusters set for every job, a few threads would take all of it, and a run that needs little memory would be refused. The
/// number of heaps can be set only before a program starts.
#[cfg(target_os = "linux")]
pub fn share_heap_if_space_is_limited() {
    use std::os::unix::process::CommandExt;
    const HEAPS: &str = "MALLOC_ARENA_MAX";
    if std::env::var_os(HEAPS).is_some() || crate::memory::address_space_limit().is_none() {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let mut arguments = std::env::args_os();
    let mut command = std::process::Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    // It returns only if it fails. Then the program continues as it is.
    let _ = command.args(arguments).env(HEAPS, "1").exec();
}

/// Other systems reserve no address space for threads.
#[cfg(not(target_os = "linux"))]
pub fn share_heap_if_space_is_limited() {}
