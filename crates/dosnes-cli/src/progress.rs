//! A bar a stage at a terminal, the stages' times for the report, and the ear for Ctrl-C.

#![allow(clippy::print_stderr, reason = "drawing progress is what this module is for")]

use crate::{
    interrupt,
    numbers::duration,
    report::Seconds,
    snapshots::{Recorder, State},
    terminal::{ERASE_LINE, Terminal},
};
use dosnes::observe::{Control, Observer, Stage, Step};
use std::time::{Duration, Instant};

/// The bar is drawn anew at most so often.
const REDRAW: Duration = Duration::from_millis(80);
/// Characters of the bar itself.
const WIDTH: usize = 28;

/// What the program is doing: the library's stages, and reading and writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Reading the input.
    Read,
    /// A stage of the library.
    Library(Stage),
    /// Writing the outputs.
    Write,
}

impl Phase {
    fn label(self) -> &'static str {
        match self {
            Self::Read => "reading",
            Self::Library(Stage::Pca) => "principal components",
            Self::Library(Stage::Neighbors) => "neighbours",
            Self::Library(Stage::Affinity) => "similarities",
            Self::Library(Stage::Normalize) => "normalising",
            Self::Library(Stage::Initialize) => "start",
            Self::Library(_) => "embedding",
            Self::Write => "writing",
        }
    }
}

/// Watches a run.
#[derive(Debug)]
pub(crate) struct Watch {
    terminal: Terminal,
    started: Instant,
    phase: Option<(Phase, Instant)>,
    seconds: Seconds,
    drawn: Option<Instant>,
    last_kl: Option<f64>,
    recorder: Option<Recorder>,
}

impl Watch {
    /// Begins to count the time.
    pub(crate) fn new(terminal: Terminal) -> Self {
        let started = Instant::now();
        Self { terminal, started, phase: None, seconds: Seconds::default(), drawn: None, last_kl: None, recorder: None }
    }

    /// Keeps states of the map on its way.
    pub(crate) fn record(&mut self, recorder: Recorder) {
        self.recorder = Some(recorder);
    }

    /// The states that were kept.
    pub(crate) fn take_states(&mut self) -> Vec<State> {
        self.recorder.take().map_or_else(Vec::new, Recorder::into_states)
    }

    /// A phase begins, and the one before it ends.
    pub(crate) fn begin(&mut self, phase: Phase) {
        self.end();
        self.phase = Some((phase, Instant::now()));
        self.draw(None, "");
    }

    /// The phase ends: its time is counted, its bar goes.
    pub(crate) fn end(&mut self) {
        self.clear();
        let Some((phase, since)) = self.phase.take() else { return };
        let seconds = since.elapsed().as_secs_f64();
        *self.seconds.of(phase) += seconds;
        self.terminal.detail(&format!("  {:<21}{}", phase.label(), duration(seconds)));
    }

    /// The times so far, with the whole.
    pub(crate) fn seconds(&self) -> Seconds {
        Seconds { total: self.started.elapsed().as_secs_f64(), ..self.seconds }
    }

    fn draw(&mut self, fraction: Option<f64>, rest: &str) {
        let Some((phase, since)) = self.phase else { return };
        if !self.terminal.draws() || self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW) {
            return;
        }
        let seconds = since.elapsed().as_secs_f64();
        eprint!("{ERASE_LINE}{}", render(phase.label(), fraction, seconds, rest));
        self.drawn = Some(Instant::now());
    }

    fn clear(&mut self) {
        if self.drawn.take().is_some() {
            self.terminal.erase_bar();
        }
    }

    fn control() -> Control {
        if interrupt::asked() { Control::Stop } else { Control::Continue }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // An error must not be written behind a bar.
        self.clear();
    }
}

impl Observer for Watch {
    fn stage(&mut self, stage: Stage) {
        self.begin(Phase::Library(stage));
    }

    fn progress(&mut self, fraction: f64) -> Control {
        self.draw(Some(fraction), "");
        Self::control()
    }

    fn step(&mut self, step: &Step<'_>) -> Control {
        self.last_kl = step.kl.or(self.last_kl);
        if let Some(recorder) = &mut self.recorder {
            recorder.see(step);
        }
        let kl = self.last_kl.map(|kl| format!("   KL {kl:.4}")).unwrap_or_default();
        let fraction = step.iteration as f64 / step.max_iterations.max(1) as f64;
        self.draw(Some(fraction), &format!("   step {}{kl}", step.iteration));
        if self.terminal.is_verbose() && !self.terminal.draws() && step.iteration.is_multiple_of(100) {
            self.terminal.detail(&format!("  step {}{kl}", step.iteration));
        }
        Self::control()
    }
}

/// One line: label, bar, time left, and the rest.
fn render(label: &str, fraction: Option<f64>, seconds: f64, rest: &str) -> String {
    let Some(fraction) = fraction else { return format!("{label:<21}…") };
    let fraction = fraction.clamp(0.0, 1.0);
    let full = (fraction * WIDTH as f64).round() as usize;
    let bar: String = (0..WIDTH).map(|k| if k < full { '━' } else { '╌' }).collect();
    // The first moments say nothing of the rest. A run often ends before its last step: this is what is left at most.
    let left = if seconds > 0.3 && fraction > 0.0 {
        format!("   ≤ {} left", duration(seconds * (1.0 - fraction) / fraction))
    } else {
        String::new()
    };
    format!("{label:<21}{bar} {:3.0} %{left}{rest}", 100.0 * fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_how_far_it_is_and_how_long_it_will_take() {
        let line = render("embedding", Some(0.25), 2.0, "   KL 1.2345");
        assert_eq!(
            line,
            format!("embedding            {}{}  25 %   ≤ 6.0 s left   KL 1.2345", "━".repeat(7), "╌".repeat(21))
        );
    }

    #[test]
    fn a_stage_without_a_measure_has_no_bar() {
        assert_eq!(render("normalising", None, 9.0, ""), "normalising          …");
    }
}
