//! Reports the progress of reading a file, and checks for an interrupt.

use std::cell::{Cell, RefCell};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use dosnes::observe::{Observer, Stage};

/// The observer is called after this number of bytes.
const INTERVAL: u64 = 1 << 20;

/// What readers ask. It hides the observer's lifetime, so that a source can be borrowed for as long as is convenient.
pub(crate) trait Progress {
    /// Reports that the file is read to this fraction. An earlier, larger fraction is kept: a file may be opened twice.
    /// Once the answer was to stop, it stays so.
    fn report(&self, fraction: f64) -> ControlFlow<()>;

    /// Whether the observer stopped the reading.
    fn is_stopped(&self) -> bool;
}

/// The observer of the caller during [`Stage::Read`].
pub(crate) struct Observed<'o> {
    observer: RefCell<&'o mut dyn Observer>,
    furthest: Cell<f64>,
    stopped: Cell<bool>,
}

impl<'o> Observed<'o> {
    /// Reports the start of reading to the observer.
    pub(crate) fn begin(observer: &'o mut dyn Observer) -> Self {
        observer.stage(Stage::Read);
        Self { observer: RefCell::new(observer), furthest: Cell::new(0.0), stopped: Cell::new(false) }
    }
}

impl Progress for Observed<'_> {
    fn report(&self, fraction: f64) -> ControlFlow<()> {
        if self.stopped.get() {
            return ControlFlow::Break(());
        }
        self.furthest.set(self.furthest.get().max(fraction.clamp(0.0, 1.0)));
        // If the observer itself reads a file during a call, it is not called again.
        let Ok(mut observer) = self.observer.try_borrow_mut() else { return ControlFlow::Continue(()) };
        let answer = observer.progress(self.furthest.get());
        self.stopped.set(answer.is_break());
        answer
    }

    fn is_stopped(&self) -> bool {
        self.stopped.get()
    }
}

/// The io error that ends a read when the observer says to stop. Whoever sees it need not know: the entrance asks
/// [`Progress::is_stopped`] before it returns any error.
pub(crate) fn stopped() -> io::Error {
    io::Error::other("stopped by the caller")
}

/// Passes bytes through, and calls the observer from time to time.
pub(crate) struct Watched<'a, R> {
    inner: R,
    progress: &'a dyn Progress,
    /// Number of bytes that are the whole; `None` where they do not count, since others are counted already.
    whole: Option<u64>,
    read: u64,
    unreported: u64,
}

impl<'a, R> Watched<'a, R> {
    /// The bytes of a file of `whole` bytes.
    pub(crate) fn counted(inner: R, progress: &'a dyn Progress, whole: u64) -> Self {
        Self { inner, progress, whole: Some(whole), read: 0, unreported: 0 }
    }

    /// Bytes that are made from those of a file: they can be many when the file has few.
    pub(crate) fn derived(inner: R, progress: &'a dyn Progress) -> Self {
        Self { inner, progress, whole: None, read: 0, unreported: 0 }
    }
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.progress.is_stopped() {
            return Err(stopped());
        }
        let count = self.inner.read(buffer)?;
        self.read += count as u64;
        self.unreported += count as u64;
        if self.unreported >= INTERVAL {
            self.unreported = 0;
            let fraction = self.whole.map_or(0.0, |whole| self.read as f64 / whole.max(1) as f64);
            if self.progress.report(fraction).is_break() {
                return Err(stopped());
            }
        }
        Ok(count)
    }
}

impl<R: Seek> Seek for Watched<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}
