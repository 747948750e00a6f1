//! Scratch space that tasks borrow: after the first use by every worker, nothing is allocated.

use std::sync::Mutex;

/// A pool of values. The result of a task does not depend on the value that it gets.
#[derive(Debug, Default)]
pub(crate) struct Pool<S>(Mutex<Vec<S>>);

impl<S: Default> Pool<S> {
    /// Runs `task` with a value from the pool.
    pub(crate) fn with<R>(&self, task: impl FnOnce(&mut S) -> R) -> R {
        // A poisoned pool only means that another task panicked: the values are scratch, and their content does not
        // matter.
        let lock = || self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut value = lock().pop().unwrap_or_default();
        let result = task(&mut value);
        lock().push(value);
        result
    }
}
