//! Scratch space that tasks borrow, so that nothing is allocated once every worker has had its share.

use std::sync::Mutex;

/// A pool of values; which one a task gets never matters to its result.
#[derive(Debug, Default)]
pub(crate) struct Pool<S>(Mutex<Vec<S>>);

impl<S: Default> Pool<S> {
    /// Runs `task` with a value of the pool.
    pub(crate) fn with<R>(&self, task: impl FnOnce(&mut S) -> R) -> R {
        // A poisoned pool only means that another task panicked: the values are scratch and hold no promise.
        let lock = || self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut value = lock().pop().unwrap_or_default();
        let result = task(&mut value);
        lock().push(value);
        result
    }
}
