//! How the allocator of Linux (glibc) keeps memory. It takes its settings from the environment, before a program starts.

/// Says that the settings are made. Only a program that started itself has it, or who does not want them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const SET: &str = "DOSNES_HEAP";

/// Starts the program again, with settings of its allocator that suit it. A library must leave them to its host.
///
/// Large arrays go back to the system as soon as they are freed. By itself the allocator does this too, but each one that is freed
/// raises the size from which it does, up to 32 MB; smaller ones then stay, in pieces, while the next stage asks for others. On 70,000
/// images that was a quarter of the memory.
///
/// Under `ulimit -v`, all threads share one heap. The allocator reserves 64 MB of address space for that of each thread, used or not;
/// under such a limit, which some clusters set for every job, a few threads would take all of it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn set_up_heap() {
    use std::os::unix::process::CommandExt;
    /// Bytes from which on an array goes back to the system.
    const LARGE: &str = "4194304";
    let mut settings = vec![("MALLOC_MMAP_THRESHOLD_", LARGE), ("MALLOC_TRIM_THRESHOLD_", LARGE)];
    if crate::memory::address_space_limit().is_some() {
        settings.push(("MALLOC_ARENA_MAX", "1"));
    }
    // What the user has set stays.
    settings.retain(|(name, _)| std::env::var_os(name).is_none());
    if std::env::var_os(SET).is_some() || settings.is_empty() {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let mut arguments = std::env::args_os();
    let mut command = std::process::Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    // It returns only if it fails. Then the program continues as it is.
    let _ = command.args(arguments).envs(settings).env(SET, "1").exec();
}

/// Other systems have other allocators.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn set_up_heap() {}
