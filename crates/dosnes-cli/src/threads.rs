//! How many threads are used.

use crate::{failure::Failure, terminal::Terminal};
use std::sync::mpsc;
use std::thread::Builder;

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
    let possible = possible(wanted)?;
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
}
