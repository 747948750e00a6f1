//! The machine-readable report of a run. Other programs depend on its keys: keys may be added, but not renamed or removed.

use dosnes::{Affinities, Embedding, SimilarityFacts, observe::Stage};
use dosnes_io::Loaded;
use serde::Serialize;
use std::path::Path;

/// What `--report` writes.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Version of the program.
    pub(crate) version: &'static str,
    /// The command line.
    pub(crate) command: Vec<String>,
    /// Items in P and in the map.
    pub(crate) n: usize,
    /// Entries of P.
    pub(crate) nnz: usize,
    /// What was read.
    pub(crate) input: InputReport,
    /// How points or distances became similarity.
    pub(crate) similarity: SimilarityReport,
    /// How they were normalised.
    pub(crate) normalize: NormalizeReport,
    /// `sphere`, `plane` or `space`.
    pub(crate) space: Option<&'static str>,
    /// How repulsion was summed: `exact`, `harmonic`, `fft` or `tree`.
    pub(crate) repulsion: Option<&'static str>,
    /// KL(P‖Q) of the coordinates that were written.
    pub(crate) kl: Option<f64>,
    /// The sphere's radius.
    pub(crate) radius: Option<f64>,
    /// Whether the radius ended at its limit (--radius).
    pub(crate) at_largest_radius: bool,
    /// Steps of the optimizer.
    pub(crate) iterations: Option<usize>,
    /// Whether it converged: if not, it ended at its largest number of steps (--iterations), or was stopped.
    pub(crate) converged: Option<bool>,
    /// Whether it was stopped before it was finished.
    pub(crate) stopped: bool,
    /// What stopped it; null for a finished map.
    pub(crate) unfinished: Option<&'static str>,
    /// The step from which `dosnes resume` continued; null for a run without an interruption.
    pub(crate) resumed_from_step: Option<usize>,
    /// The seed.
    pub(crate) seed: u64,
    /// Times.
    pub(crate) seconds: Seconds,
    /// Peak memory use; null if the system does not provide it.
    pub(crate) peak_rss_bytes: Option<u64>,
    /// Threads.
    pub(crate) threads: usize,
    /// Sizes of the connected components of P, largest first.
    pub(crate) pieces: Vec<usize>,
    /// Ids of the items without a similarity to any other item.
    pub(crate) left_out: Vec<String>,
    /// Files that were written.
    pub(crate) outputs: Vec<String>,
    /// Items that were placed around the embedded ones (--landmarks); null if all were embedded. All else is about the embedded ones.
    pub(crate) placed: Option<usize>,
}

/// What was read.
#[derive(Debug, Serialize)]
pub(crate) struct InputReport {
    /// The file.
    pub(crate) file: String,
    /// Its format.
    pub(crate) format: String,
    /// The kind of data.
    pub(crate) kind: &'static str,
    /// Items in the file.
    pub(crate) n: usize,
    /// How the contents were interpreted.
    pub(crate) detected: String,
    /// Notes of the reader.
    pub(crate) notes: Vec<String>,
    /// Those of the notes that say where the reading is a guess.
    pub(crate) doubts: Vec<String>,
}

/// How points or distances became similarities; all null if the input has similarity.
#[derive(Debug, Serialize)]
pub(crate) struct SimilarityReport {
    /// The perplexity.
    pub(crate) perplexity: Option<f64>,
    /// For symmetric entropic affinities only.
    pub(crate) symmetric: Option<SymmetricReport>,
    /// Number of principal components.
    pub(crate) components: Option<usize>,
    /// Share of the true neighbours that the approximate search found.
    pub(crate) recall: Option<f64>,
}

/// How well symmetric entropic affinities meet their conditions.
#[derive(Debug, Serialize)]
pub(crate) struct SymmetricReport {
    /// Newton steps.
    pub(crate) iterations: usize,
    /// Largest deviation of a row sum from 1.
    pub(crate) row_sum_residual: f64,
    /// Largest deviation of an entropy from the requested one, over all rows except those counted by `wider`.
    pub(crate) entropy_residual: f64,
    /// Number of rows with a larger entropy than requested.
    pub(crate) wider: usize,
    /// Whether the conditions are met.
    pub(crate) converged: bool,
}

/// How similarities were normalised.
#[derive(Debug, Serialize)]
pub(crate) struct NormalizeReport {
    /// `sinkhorn`, `walk`, `zass-shashua`, `rows`, `layout` or `none`.
    pub(crate) method: &'static str,
    /// Longest random walk whose similarities were made equal.
    pub(crate) steps: usize,
    /// How many similarities each item kept, if there were too many to keep them all.
    pub(crate) strongest_partners: Option<usize>,
    /// How walks of several steps were mixed.
    pub(crate) mixture: Option<MixtureReport>,
    /// Number of rounds.
    pub(crate) iterations: usize,
    /// Largest relative deviation of a row sum from its target.
    pub(crate) residual: f64,
    /// Coefficient of variation of the off-diagonal row sums before normalisation.
    pub(crate) degree_cv_before: f64,
    /// The same after normalisation.
    pub(crate) degree_cv_after: f64,
    /// Largest over smallest off-diagonal row sum before normalisation.
    pub(crate) degree_ratio_before: f64,
    /// The same after normalisation.
    pub(crate) degree_ratio_after: f64,
    /// How the diagonal was treated.
    pub(crate) diagonal: &'static str,
    /// Number of items that prevent an exact scaling.
    pub(crate) obstacles: usize,
}

/// How walks of several steps were mixed. Direct neighbours have the weight 1.
#[derive(Debug, Serialize)]
pub(crate) struct MixtureReport {
    /// How far the weights follow the totals of the two items: 0 not at all, 1 entirely.
    pub(crate) gravity: f64,
    /// Exponent by which strong partners are discounted.
    pub(crate) discount: f64,
    /// Weight of the longer walks, if it is the same for all items.
    pub(crate) longer_walks: f64,
    /// Whether longer walks fill in what each item misses, so that their weight differs between items.
    pub(crate) completed: bool,
    /// Weight of the background.
    pub(crate) background: f64,
}

/// Times of the stages.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Seconds {
    /// Reading.
    pub(crate) read: f64,
    /// Principal components and neighbours.
    pub(crate) neighbors: f64,
    /// Similarities.
    pub(crate) affinity: f64,
    /// Normalisation.
    pub(crate) normalize: f64,
    /// Initial positions and optimisation.
    pub(crate) optimize: f64,
    /// Writing.
    pub(crate) write: f64,
    /// The whole run.
    pub(crate) total: f64,
}

impl Seconds {
    /// The entry to which the time of a stage is added.
    pub(crate) fn of(&mut self, stage: Stage) -> &mut f64 {
        match stage {
            Stage::Read => &mut self.read,
            Stage::Pca | Stage::Neighbors => &mut self.neighbors,
            Stage::Affinity => &mut self.affinity,
            Stage::Normalize => &mut self.normalize,
            Stage::Write => &mut self.write,
            _ => &mut self.optimize,
        }
    }
}

impl Report {
    /// The report of the results of all stages.
    pub(crate) fn new(
        file: &str,
        loaded: &Loaded,
        similarities: &SimilarityFacts,
        p: &Affinities,
        embedding: Option<&Embedding>,
        seed: u64,
    ) -> Self {
        let report = p.report();
        let ids = &loaded.dataset.items.ids;
        Self {
            version: env!("CARGO_PKG_VERSION"),
            command: crate::args::given(),
            n: p.matrix().rows(),
            nnz: p.matrix().nnz(),
            input: InputReport {
                file: file.to_owned(),
                format: loaded.format.to_string(),
                kind: loaded.dataset.data.kind().name(),
                n: loaded.dataset.items.len(),
                detected: loaded.detected.clone(),
                notes: loaded.notes.iter().map(ToString::to_string).collect(),
                doubts: loaded.doubts().map(ToString::to_string).collect(),
            },
            similarity: SimilarityReport {
                perplexity: similarities.perplexity,
                symmetric: similarities.symmetric.map(|result| SymmetricReport {
                    iterations: result.iterations,
                    row_sum_residual: result.row_sum_residual,
                    entropy_residual: result.entropy_residual,
                    wider: result.wider,
                    converged: result.converged,
                }),
                components: similarities.components,
                recall: similarities.recall,
            },
            normalize: NormalizeReport {
                method: report.method.name(),
                steps: report.mixture.map_or(1, |mixture| mixture.steps),
                strongest_partners: report.strongest_partners,
                mixture: report.mixture.map(|mixture| MixtureReport {
                    gravity: mixture.gravity,
                    discount: mixture.discount,
                    longer_walks: mixture.longer_walks,
                    completed: mixture.completed,
                    background: mixture.background,
                }),
                iterations: report.iterations,
                residual: report.residual,
                degree_cv_before: report.before.cv,
                degree_cv_after: report.after.cv,
                degree_ratio_before: report.before.ratio(),
                degree_ratio_after: report.after.ratio(),
                diagonal: report.rule.name(),
                obstacles: report.obstacle.as_ref().map_or(0, |why| why.obstacles().len()),
            },
            space: embedding.map(|e| e.space.name()),
            repulsion: embedding.map(|e| e.repulsion.name()),
            kl: embedding.map(|e| e.kl),
            radius: embedding.and_then(|e| e.radius),
            at_largest_radius: embedding.is_some_and(|e| e.at_largest_radius),
            iterations: embedding.map(|e| e.iterations),
            converged: embedding.map(|e| e.converged),
            stopped: embedding.is_some_and(|e| e.stopped),
            unfinished: None,
            resumed_from_step: None,
            seed,
            seconds: Seconds::default(),
            peak_rss_bytes: None,
            threads: rayon::current_num_threads(),
            pieces: report.components.clone(),
            left_out: p.left_out().iter().map(|&row| ids[row].clone()).collect(),
            outputs: Vec::new(),
            placed: None,
        }
    }

    /// Writes the report to a file, or to the standard output.
    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        if path == Path::new("-") {
            return crate::output::print(format!("{}\n", serde_json::to_string_pretty(self)?).as_bytes());
        }
        dosnes_io::atomic_write(path, |out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            writeln!(out)
        })?;
        Ok(())
    }
}
