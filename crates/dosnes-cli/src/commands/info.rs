//! `dosnes info`: what a file holds, and what to expect of it; embeds nothing.

#![allow(clippy::print_stdout, reason = "what is printed is what was asked for")]

use crate::{
    args::{InfoArgs, MemoryArgs},
    estimate::{self, Estimate},
    failure,
    numbers::{bytes, count, counted, duration, factor},
    pieces,
    progress::Watch,
    stages,
    summary::{nouns, offending},
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::{
    Similarity,
    input::{Csr, Data, Dataset, Distances, Points},
    normalize::{Feasibility, Imbalance, Method, degrees, feasibility},
    optimize,
};
use dosnes_io::Loaded;
use serde::Serialize;
use std::process::ExitCode;

/// Distances between points up to this many multiplications are computed to look at the similarities.
const CHEAP: f64 = 2e10;

/// What there is to know of a file.
#[derive(Debug, Serialize)]
struct Info {
    file: String,
    format: String,
    kind: &'static str,
    detected: String,
    notes: Vec<String>,
    /// Items.
    n: usize,
    /// Dimensions of points, partners of dyadic data, items otherwise.
    columns: usize,
    /// Values that are stored.
    stored: usize,
    /// Columns that travel along.
    labels: Vec<String>,
    /// What the similarities look like; absent for many points, whose neighbours would have to be searched.
    similarity: Option<SimilarityInfo>,
    /// An estimate of the memory that embedding takes.
    memory_bytes: u64,
    /// Memory that is free.
    memory_available_bytes: Option<u64>,
    /// A rough estimate of the time that embedding takes.
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct SimilarityInfo {
    entries: usize,
    degree_cv: f64,
    degree_ratio: f64,
    /// Sizes of connected pieces, largest first, without the isolated items.
    pieces: Vec<usize>,
    isolated: Vec<String>,
    /// Whether a zero diagonal has an exact doubly stochastic scaling.
    exact_scaling: bool,
    /// Items that are in its way.
    obstacles: Vec<String>,
    #[serde(skip)]
    why: Feasibility,
}

/// Runs the command.
pub(crate) fn run(args: &InfoArgs, terminal: Terminal) -> Result<ExitCode> {
    let mut watch = Watch::new(terminal);
    let silent = Terminal::silent();
    let loaded = stages::read(&args.input, &args.read, &MemoryArgs::default(), &mut watch, silent)?;
    let params = args.similarity.params(0);
    let estimate = estimate::estimate(&loaded.dataset.data, &params, Method::Auto);
    let similarity = if is_cheap(&loaded.dataset.data) && fits(estimate) {
        let made = dosnes::similarities(&loaded.dataset.data, &params, &mut watch)
            .map_err(|error| failure::of_library(error, &loaded.dataset.items))?;
        watch.end();
        Some(SimilarityInfo::new(&made.similarity, &loaded.dataset))
    } else {
        None
    };
    let info = Info::new(args, &loaded, similarity, estimate);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&info)?);
    } else {
        print!("{}", info.text(&loaded.dataset));
    }
    Ok(ExitCode::SUCCESS)
}

fn is_cheap(data: &Data) -> bool {
    match data {
        Data::Points(points) => {
            let (n, columns) = points.shape();
            (n as f64).powi(2) * columns as f64 <= CHEAP
        }
        _ => true,
    }
}

fn fits(estimate: Estimate) -> bool {
    estimate::available().is_none_or(|available| estimate.bytes <= available)
}

impl SimilarityInfo {
    fn new(similarity: &Similarity, dataset: &Dataset) -> Self {
        let symmetric = similarity.symmetric();
        let sums = degrees(&symmetric);
        let isolated: Vec<usize> = (0..sums.len()).filter(|&i| sums[i] == 0.0).collect();
        let connected: Vec<f64> = sums.iter().copied().filter(|&sum| sum > 0.0).collect();
        let imbalance = Imbalance::of_sums(&connected);
        let positive = positive_off_diagonal(&symmetric);
        let why = match feasibility(&positive) {
            // Isolated items are left out before scaling: they are not what is in the way.
            Feasibility::TooFewPartners(rows) => {
                let rows: Vec<usize> = rows.into_iter().filter(|&i| sums[i] > 0.0).collect();
                if rows.is_empty() { without_isolated(&positive, &sums) } else { Feasibility::TooFewPartners(rows) }
            }
            other => other,
        };
        let names = |rows: &[usize]| rows.iter().map(|&i| dataset.items.ids[i].clone()).collect();
        let mut pieces = pieces::sizes(&positive);
        pieces.truncate(pieces.len() - isolated.len());
        Self {
            entries: positive.nnz(),
            degree_cv: imbalance.cv,
            degree_ratio: imbalance.ratio(),
            pieces,
            isolated: names(&isolated),
            exact_scaling: why == Feasibility::Exact,
            obstacles: names(offending(&why)),
            why,
        }
    }
}

/// The feasibility of what is left when isolated items are taken away, with the rows of the whole.
fn without_isolated(matrix: &Csr, sums: &[f64]) -> Feasibility {
    let kept: Vec<usize> = (0..sums.len()).filter(|&i| sums[i] > 0.0).collect();
    let mut new = vec![0_u32; sums.len()];
    for (k, &i) in kept.iter().enumerate() {
        new[i] = k as u32;
    }
    let triplets: Vec<(u32, u32, f64)> =
        matrix.iter().map(|(&value, (i, j))| (new[i as usize], new[j as usize], value)).collect();
    let whole = |rows: Vec<usize>| rows.into_iter().map(|i| kept[i]).collect();
    match feasibility(&dosnes::input::csr_from_triplets((kept.len(), kept.len()), &triplets).0) {
        Feasibility::Exact => Feasibility::Exact,
        Feasibility::VanishingEntries(rows) => Feasibility::VanishingEntries(whole(rows)),
        Feasibility::TooFewPartners(rows) => Feasibility::TooFewPartners(whole(rows)),
    }
}

fn positive_off_diagonal(matrix: &Csr) -> Csr {
    let triplets: Vec<(u32, u32, f64)> =
        matrix.iter().filter(|&(&value, (i, j))| i != j && value > 0.0).map(|(&value, (i, j))| (i, j, value)).collect();
    dosnes::input::csr_from_triplets(matrix.shape(), &triplets).0
}

impl Info {
    fn new(args: &InfoArgs, loaded: &Loaded, similarity: Option<SimilarityInfo>, estimate: Estimate) -> Self {
        let Dataset { items, data } = &loaded.dataset;
        let (columns, stored) = match data {
            Data::Points(Points::Dense(x)) | Data::Distance(Distances::Dense(x)) => (x.ncols(), x.len()),
            Data::Points(Points::Sparse(x))
            | Data::Distance(Distances::Sparse(x))
            | Data::Similarity(x)
            | Data::Graph(x) => (x.cols(), x.nnz()),
            Data::Dyadic(x) => (x.incidence.cols(), x.incidence.nnz()),
        };
        Self {
            file: args.input.display().to_string(),
            format: loaded.format.to_string(),
            kind: data.kind(),
            detected: loaded.detected.clone(),
            notes: loaded.notes.iter().map(ToString::to_string).collect(),
            n: items.len(),
            columns,
            stored,
            labels: items.columns.iter().map(|column| column.name.clone()).collect(),
            similarity,
            memory_bytes: estimate.bytes,
            memory_available_bytes: estimate::available(),
            seconds: estimate::embedding_seconds(items.len(), estimate.entries as usize, &optimize::Params::default()),
        }
    }

    fn text(&self, dataset: &Dataset) -> String {
        let nouns = nouns(&dataset.data);
        let mut lines = vec![("file", format!("{} ({})", self.file, self.format)), ("read as", self.detected.clone())];
        lines.extend(self.notes.iter().map(|note| ("note", note.clone())));
        let shape = match dataset.data {
            Data::Points(_) => format!(" of {}", counted(self.columns, "dimension", "dimensions")),
            Data::Dyadic(_) => format!(" × {}", counted(self.columns, "partner", "partners")),
            _ => String::new(),
        };
        let size =
            format!("{}{shape}, {} stored", counted(self.n, nouns.0, nouns.1), counted(self.stored, "value", "values"));
        lines.push(("size", size));
        if !self.labels.is_empty() {
            lines.push(("columns", self.labels.join(", ")));
        }
        if let Some(s) = &self.similarity {
            let average = s.entries as f64 / (self.n - s.isolated.len()).max(1) as f64;
            lines.push(("similarities", format!("{} pairs, {average:.1} for each {}", count(s.entries / 2), nouns.0)));
            let imbalance =
                format!("strengths range over a factor of {}, CV {:.2}", factor(s.degree_ratio), s.degree_cv);
            lines.push(("imbalance", imbalance));
            lines.push(("pieces", s.pieces_text(nouns.1)));
            if !s.isolated.is_empty() {
                let names = some(&s.isolated);
                lines.push((
                    "isolated",
                    format!("{} will be left out: {names}", counted(s.isolated.len(), nouns.0, nouns.1)),
                ));
            }
            lines.push(("exact scaling", s.scaling_text(nouns)));
        } else {
            lines.push(("similarities", "come from nearest neighbours, which are not searched here".into()));
        }
        let available = self.memory_available_bytes.map(|b| format!(" (free: {})", bytes(b))).unwrap_or_default();
        lines.push(("memory", format!("about {}{available}", bytes(self.memory_bytes))));
        lines.push(("time", format!("roughly {} to embed", duration(self.seconds))));
        lines.iter().fold(String::new(), |text, (name, line)| text + &format!("{name:<14} {line}\n"))
    }
}

impl SimilarityInfo {
    fn pieces_text(&self, plural: &str) -> String {
        match self.pieces.as_slice() {
            [] => "none".into(),
            [_] => "all connected".into(),
            [first, rest @ ..] => {
                format!("{} separate ones: {} {plural}, then {}", count(1 + rest.len()), count(*first), count(rest[0]))
            }
        }
    }

    fn scaling_text(&self, nouns: (&str, &str)) -> String {
        let things = counted(self.obstacles.len(), nouns.0, nouns.1);
        match self.why {
            Feasibility::Exact => "exists: all can be made equal".into(),
            Feasibility::TooFewPartners(_) => {
                format!("does not exist: {things} share too few partners ({}); will be softened", some(&self.obstacles))
            }
            Feasibility::VanishingEntries(_) => format!(
                "does not exist: similarities of {things} would have to vanish ({}); will be softened",
                some(&self.obstacles)
            ),
        }
    }
}

fn some(names: &[String]) -> String {
    let shown = names.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > 5 { format!("{shown}, …") } else { shown }
}
