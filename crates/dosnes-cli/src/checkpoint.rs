//! Checkpoints of `dosnes embed`: when they are written, and what they say about the run.

use crate::{args::CheckpointArgs, failure::Failure, interrupt, progress::Watch, terminal::Terminal};
use anyhow::Result;
use dosnes::{
    Affinities, OptimizerState, SimilarityFacts,
    observe::{Observer, Stage, Step},
};
use dosnes_io::{Checkpoint, CheckpointParts, Digest, write_checkpoint};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A checkpoint takes at most this share of the time.
const LARGEST_SHARE: u32 = 20;

/// What a checkpoint says about its run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct About {
    /// Version of the program.
    pub(crate) version: String,
    /// The command line.
    pub(crate) arguments: Vec<String>,
    /// The folder in which it was given.
    pub(crate) folder: PathBuf,
    /// The files that were read.
    inputs: Vec<(PathBuf, Digest)>,
}

impl About {
    /// Refuses a run whose input is no longer the same.
    pub(crate) fn check_inputs(&self) -> Result<()> {
        for (path, digest) in &self.inputs {
            if Digest::of(path)? != *digest {
                return Err(Failure::BadInput(format!(
                    "{}: this input has changed since the checkpoint was written; run the original command again",
                    path.display()
                ))
                .into());
            }
        }
        Ok(())
    }
}

/// Writes the checkpoints of a run.
#[derive(Debug)]
pub(crate) struct Saver {
    path: PathBuf,
    every: Duration,
    about: String,
    written: Instant,
    /// How long the last one took.
    cost: Duration,
    has_failed: bool,
    /// What was computed before the run was interrupted.
    before: Option<Checkpoint>,
}

impl Saver {
    /// For a run that begins, if checkpoints are asked for.
    pub(crate) fn begin(args: &CheckpointArgs, inputs: &[&Path]) -> Result<Option<Self>> {
        let Some(path) = &args.checkpoint else { return Ok(None) };
        if inputs.contains(&Path::new("-")) {
            let problem = "--checkpoint needs an input that can be read again; save the standard input to a file first";
            return Err(Failure::BadInput(problem.into()).into());
        }
        let inputs = inputs.iter().map(|path| Ok((path.to_path_buf(), Digest::of(path)?)));
        let about = About {
            version: env!("CARGO_PKG_VERSION").into(),
            arguments: crate::args::given(),
            folder: std::env::current_dir()?,
            inputs: inputs.collect::<Result<_>>()?,
        };
        Ok(Some(Self::new(path.clone(), args.every, serde_json::to_string(&about)?, None)))
    }

    /// For a run that continues.
    pub(crate) fn go_on(path: PathBuf, every: Duration, checkpoint: Checkpoint) -> Self {
        let about = checkpoint.about.clone();
        let saver = Self::new(path, every, about, Some(checkpoint));
        saver.announce();
        saver
    }

    fn new(path: PathBuf, every: Duration, about: String, before: Option<Checkpoint>) -> Self {
        Self { path, every, about, written: Instant::now(), cost: Duration::ZERO, has_failed: false, before }
    }

    /// What was computed before; only once.
    pub(crate) fn take_before(&mut self) -> Option<Checkpoint> {
        self.before.take()
    }

    /// From now on, there is something to continue from.
    fn announce(&self) {
        *interrupt::continuation() = Some(self.command());
    }

    /// The command that continues the run.
    pub(crate) fn command(&self) -> String {
        format!("dosnes resume {}", self.path.display())
    }

    /// Writes a checkpoint. The run is worth more than its checkpoints: if one cannot be written, it goes on without.
    pub(crate) fn write(&mut self, parts: CheckpointParts<'_>, terminal: Terminal) {
        if self.has_failed {
            return;
        }
        let started = Instant::now();
        let mut continuation = interrupt::continuation();
        match write_checkpoint(&self.path, &CheckpointParts { about: &self.about, ..parts }) {
            Ok(()) => *continuation = Some(self.command()),
            Err(problem) => {
                self.has_failed = true;
                terminal.erase_bar();
                terminal.note(&format!("there will be no further checkpoints: {problem}"));
            }
        }
        drop(continuation);
        self.written = Instant::now();
        self.cost = started.elapsed();
    }

    fn is_due(&self) -> bool {
        self.written.elapsed() >= self.every.max(LARGEST_SHARE * self.cost)
    }

    /// Whether the run can continue from the last checkpoint.
    pub(crate) fn can_continue(&self) -> bool {
        !self.has_failed
    }

    /// The run is finished: there is nothing to continue.
    pub(crate) fn finish(self) -> Result<()> {
        *interrupt::continuation() = None;
        // A device or a pipe is not ours to remove.
        if !self.path.is_file() {
            return Ok(());
        }
        std::fs::remove_file(&self.path)
            .map_err(|error| anyhow::anyhow!("{}: the checkpoint cannot be removed: {error}", self.path.display()))
    }
}

/// Watches the optimizer, and writes checkpoints of it.
pub(crate) struct Saving<'a> {
    pub(crate) watch: &'a mut Watch,
    pub(crate) saver: &'a mut Saver,
    pub(crate) p: &'a Affinities,
    pub(crate) facts: SimilarityFacts,
}

impl Observer for Saving<'_> {
    fn stage(&mut self, stage: Stage) {
        self.watch.stage(stage);
    }

    fn progress(&mut self, fraction: f64) -> ControlFlow<()> {
        self.watch.progress(fraction)
    }

    fn step(&mut self, step: &Step<'_>) -> ControlFlow<()> {
        self.watch.step(step)
    }

    fn wants_positions(&mut self) -> bool {
        self.watch.wants_positions()
    }

    fn stopped_elsewhere(&mut self) {
        self.watch.stopped_elsewhere();
    }

    fn wants_state(&mut self) -> bool {
        !self.saver.has_failed && (self.saver.is_due() || interrupt::reason().is_some())
    }

    fn state(&mut self, state: OptimizerState) {
        let recording = self.watch.recording();
        let parts = CheckpointParts {
            facts: Some(&self.facts),
            affinities: Some(self.p),
            state: Some(&state),
            recording: recording.as_ref(),
            ..CheckpointParts::default()
        };
        self.saver.write(parts, self.watch.terminal());
    }
}
