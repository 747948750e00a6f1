//! A progress bar for each stage on a terminal, the times of the stages for the report, and the interrupt check.

use crate::{
    args::MemoryArgs,
    interrupt::{self, Reason},
    memory::Guard,
    numbers::duration,
    report::Seconds,
    terminal::{self, ERASE_LINE, Terminal},
};
use dosnes::observe::{Observer, Recorder, Stage, State, Step};
use dosnes_io::Recording;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The bar is drawn at most this often.
const REDRAW: Duration = Duration::from_millis(80);
/// Characters of the label, the bar itself and the percentage.
const LABEL: usize = 21;
const WIDTH: usize = 28;
const PERCENT: usize = 6;

/// The name of a stage.
pub(crate) fn label(stage: Stage) -> &'static str {
    match stage {
        Stage::Read => "reading",
        Stage::Pca => "principal components",
        Stage::Neighbors => "neighbours",
        Stage::Affinity => "similarities",
        Stage::Normalize => "normalising",
        Stage::Initialize => "initial positions",
        Stage::Measure => "measuring",
        Stage::Write => "writing",
        _ => "embedding",
    }
}

/// Observes a run.
#[derive(Debug)]
pub(crate) struct Watch {
    terminal: Terminal,
    started: Instant,
    stage: Option<(Stage, Instant)>,
    seconds: Seconds,
    drawn: Option<Instant>,
    last_kl: Option<f64>,
    recorder: Option<Recorder>,
    memory: Option<Guard>,
    deadline: Option<Instant>,
}

impl Watch {
    /// Starts the clock.
    pub(crate) fn new(terminal: Terminal) -> Self {
        let started = Instant::now();
        Self {
            terminal,
            started,
            stage: None,
            seconds: Seconds::default(),
            drawn: None,
            last_kl: None,
            recorder: None,
            memory: None,
            deadline: None,
        }
    }

    /// Ends the run when it exceeds these limits.
    pub(crate) fn limit(&mut self, limits: &MemoryArgs) {
        self.memory = Guard::new(limits);
        self.deadline = limits.time_limit.and_then(|time| self.started.checked_add(time));
    }

    /// Where messages go.
    pub(crate) fn terminal(&self) -> Terminal {
        self.terminal
    }

    /// Records states of the map during the optimisation.
    pub(crate) fn record(&mut self, recorder: Recorder) {
        self.recorder = Some(recorder);
    }

    /// Continues a recording of an interrupted run.
    pub(crate) fn continue_recording(&mut self, columns: usize, recording: Recording) {
        self.recorder = self.recorder.take().map(|recorder| recorder.continued(columns, recording));
    }

    /// What was recorded so far.
    pub(crate) fn recording(&self) -> Option<Recording> {
        self.recorder.as_ref().map(Recorder::so_far)
    }

    /// The recorded states.
    pub(crate) fn take_states(&mut self) -> Vec<State> {
        self.recorder.take().map_or_else(Vec::new, Recorder::into_states)
    }

    /// Begins a stage; ends the one before it.
    pub(crate) fn begin(&mut self, stage: Stage) {
        self.end();
        if matches!(stage, Stage::Optimize | Stage::Write) {
            interrupt::hold_result();
        }
        self.stage = Some((stage, Instant::now()));
        self.draw(None, "");
    }

    /// Ends the current stage: adds its time and removes its bar.
    pub(crate) fn end(&mut self) {
        self.clear();
        let Some((stage, since)) = self.stage.take() else { return };
        let seconds = since.elapsed().as_secs_f64();
        *self.seconds.of(stage) += seconds;
        self.terminal.detail(&format!("  {:<21}{}", label(stage), duration(seconds)));
    }

    /// The times so far, with their total.
    pub(crate) fn seconds(&self) -> Seconds {
        Seconds { total: self.started.elapsed().as_secs_f64(), ..self.seconds }
    }

    fn draw(&mut self, fraction: Option<f64>, rest: &str) {
        let Some((stage, since)) = self.stage else { return };
        if !self.terminal.draws() || self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW) {
            return;
        }
        let seconds = since.elapsed().as_secs_f64();
        // A terminal that is full to its last column goes on in the next line, which would not be erased.
        let room = terminal::columns().map_or(usize::MAX, |columns| columns - 1);
        terminal::write(format_args!("{ERASE_LINE}{}", render(label(stage), fraction, seconds, rest, room)));
        self.drawn = Some(Instant::now());
    }

    fn clear(&mut self) {
        if self.drawn.take().is_some() {
            self.terminal.erase_bar();
        }
    }

    fn control(&mut self) -> ControlFlow<()> {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            interrupt::ask(Reason::TimeLimit);
        }
        let reading = self.stage.is_some_and(|(stage, _)| stage == Stage::Read);
        if self.memory.as_mut().is_some_and(|memory| memory.is_used_up(reading)) {
            interrupt::ask(Reason::Memory);
        }
        if interrupt::reason().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // An error message must not be printed on the line of the bar.
        self.clear();
    }
}

impl Observer for Watch {
    fn stage(&mut self, stage: Stage) {
        self.begin(stage);
    }

    fn progress(&mut self, fraction: f64) -> ControlFlow<()> {
        self.draw(Some(fraction), "");
        self.control()
    }

    fn step(&mut self, step: &Step<'_>) -> ControlFlow<()> {
        self.last_kl = step.kl.or(self.last_kl);
        if let Some(recorder) = &mut self.recorder {
            recorder.see(step);
        }
        let kl = self.last_kl.map(|kl| format!("   KL {kl:.4}")).unwrap_or_default();
        self.draw(Some(step.progress), &format!("   step {}{kl}", step.iteration));
        if self.terminal.is_verbose() && !self.terminal.draws() && step.iteration.is_multiple_of(100) {
            self.terminal.detail(&format!("  step {}{kl}", step.iteration));
        }
        self.control()
    }

    fn wants_positions(&mut self) -> bool {
        self.recorder.is_some()
    }

    fn stopped_elsewhere(&mut self) {
        interrupt::ask(Reason::Signal(interrupt::TERMINATE));
    }
}

/// One line of at most `room` characters: label, bar, and what else there is room for: remaining time, and the rest.
fn render(label: &str, fraction: Option<f64>, seconds: f64, rest: &str, room: usize) -> String {
    let mut line = format!("{label:<LABEL$}");
    if room < LABEL + WIDTH + PERCENT {
        line = format!("{label} ");
    }
    let Some(fraction) = fraction else {
        line.push('…');
        return line.chars().take(room).collect();
    };
    let fraction = fraction.clamp(0.0, 1.0);
    let width = room.saturating_sub(line.len() + PERCENT).min(WIDTH);
    let full = (fraction * width as f64).round() as usize;
    line.extend((0..width).map(|k| if k < full { '━' } else { '╌' }));
    let percent = format!(" {:3.0} %", 100.0 * fraction);
    line.push_str(&percent);
    // Too early, the estimate is unreliable.
    let left = if seconds > 0.3 && fraction > 0.0 {
        format!("   about {} left", duration(seconds * (1.0 - fraction) / fraction))
    } else {
        String::new()
    };
    for part in [&left, rest] {
        if line.chars().count() + part.chars().count() <= room {
            line.push_str(part);
        }
    }
    line.chars().take(room).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_how_far_it_is_and_how_long_it_will_take() {
        let line = render("embedding", Some(0.25), 2.0, "   KL 1.2345", 200);
        assert_eq!(
            line,
            format!("embedding            {}{}  25 %   about 6.0 s left   KL 1.2345", "━".repeat(7), "╌".repeat(21))
        );
    }

    #[test]
    fn a_stage_without_a_measure_has_no_bar() {
        assert_eq!(render("normalising", None, 9.0, "", 200), "normalising          …");
    }

    #[test]
    fn a_bar_fits_into_the_terminal() {
        for room in 0..200 {
            let line = render("principal components", Some(0.25), 2.0, "   step 100   KL 1.2345", room);
            assert!(line.chars().count() <= room, "{room}: {line}");
            assert!(render("principal components", None, 2.0, "", room).chars().count() <= room);
        }
        let line = render("embedding", Some(0.5), 2.0, "   step 100   KL 1.2345", 39);
        assert_eq!(line, format!("embedding {}{}  50 %", "━".repeat(12), "╌".repeat(11)));
    }
}
