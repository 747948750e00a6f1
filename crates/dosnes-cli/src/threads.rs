//! How many threads are used.

use crate::{failure::Failure, memory, terminal::Terminal};
use std::sync::mpsc;
use std::thread::Builder;

/// The address space that a thread takes for its stack.
const STACK: u64 = 2 << 20;

/// Uses so many threads, or the usual number, as far as the system allows them.
pub(crate) fn set(asked: Option<u16>, terminal: Terminal) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // Many more threads than cores only wait for each other.
    let most = cores.max(64);
    let wanted = asked.map_or(cores, usize::from).min(most);
    if let Some(asked) = asked.map(usize::from).filter(|&asked| asked > most) {
        terminal.note(&format!("{most} threads are used instead of {asked}: more would only wait for each other"));
    }
    // The pool of threads can be started only once, so it is first tried how many are possible.
    let possible = possible(wanted.min(with_room_left(memory::address_space_left())))?;
    if possible < wanted {
        terminal.note(&format!(
            "the system allows fewer threads than {wanted}, so {possible} are used; see ulimit -u, ulimit -v, and the limits of \
             the container"
        ));
    }
    if asked.is_some() || possible < wanted {
        rayon::ThreadPoolBuilder::new().num_threads(possible).build_global()?;
    }
    Ok(())
}

/// How many threads take no more than a quarter of this address space, so that the work has room beside their stacks.
fn with_room_left(address_space: Option<u64>) -> usize {
    address_space.map_or(usize::MAX, |left| (left / 4 / STACK).max(1) as usize)
}

/// `wanted`, or a half, a quarter… of it, if the system does not let so many threads start.
fn possible(wanted: usize) -> anyhow::Result<usize> {
    let mut count = wanted;
    loop {
        // One more, which files are read with.
        match start(count + 1) {
            Ok(()) => return Ok(count),
            Err(_) if count > 1 => count /= 2,
            Err(error) => {
                let sentence = format!(
                    "no thread can be started ({error}); allow more processes (ulimit -u) or memory (ulimit -v), or raise the \
                     limits of the container"
                );
                return Err(Failure::NotPossible(sentence).into());
            }
        }
    }
}

/// Starts so many threads at once, and ends them.
fn start(count: usize) -> std::io::Result<()> {
    let mut threads = Vec::new();
    let mut result = Ok(());
    // Each thread waits until its channel is closed.
    let mut channels = Vec::new();
    for _ in 0..count {
        let (sender, receiver) = mpsc::channel::<()>();
        match Builder::new().name("trial".into()).spawn(move || receiver.recv()) {
            Ok(thread) => threads.push(thread),
            Err(error) => {
                result = Err(error);
                break;
            }
        }
        channels.push(sender);
    }
    drop(channels);
    for thread in threads {
        let _ = thread.join();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_threads_are_possible() {
        assert_eq!(possible(3).unwrap(), 3);
    }

    #[test]
    fn stacks_take_no_more_than_a_quarter_of_a_limited_address_space() {
        assert_eq!(with_room_left(None), usize::MAX);
        assert_eq!(with_room_left(Some(100 << 20)), 12);
        assert_eq!(with_room_left(Some(1 << 20)), 1);
    }
}
