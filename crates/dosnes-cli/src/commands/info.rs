//! `dosnes info`: the contents of a file, and estimates of memory and time.

use crate::{
    args::{InfoArgs, MemoryArgs},
    failure, memory,
    numbers::{bytes, count, counted, duration, factor},
    output::print,
    preview,
    progress::{Watch, label},
    stages,
    summary::{self, Nouns},
    terminal::{Terminal, harmless},
};
use anyhow::Result;
use dosnes::{
    EmbedOptions, Estimate, NormalizeOptions, StageEstimate,
    input::{Data, Dataset, Distances, Items, Points},
    normalization::{Feasibility, Inspection},
};
use dosnes_io::Loaded;
use serde::Serialize;
use std::process::ExitCode;

/// Similarities of points are computed if their distances need at most this many multiplications.
const CHEAP: f64 = 2e10;

/// The information about a file.
#[derive(Debug, Serialize)]
struct Info {
    file: String,
    format: String,
    kind: &'static str,
    detected: String,
    notes: Vec<String>,
    /// Those of the notes that say where the reading is a guess.
    doubts: Vec<String>,
    /// The first rows as they were understood.
    first_rows: Vec<String>,
    /// Items.
    n: usize,
    /// Dimensions of points, partners of dyadic data, items otherwise.
    columns: usize,
    /// Stored values.
    stored: usize,
    /// Metadata columns.
    labels: Vec<String>,
    /// Properties of the similarities; absent for many points, where the search for neighbours would take too long.
    similarity: Option<SimilarityInfo>,
    /// Estimated memory of the embedding.
    memory_bytes: u64,
    /// Free memory.
    memory_available_bytes: Option<u64>,
    /// Roughly estimated time of the embedding.
    seconds: f64,
    /// The same for each stage.
    stages: Vec<StageInfo>,
}

#[derive(Debug, Serialize)]
struct StageInfo {
    name: &'static str,
    memory_bytes: u64,
    seconds: f64,
}

impl StageInfo {
    fn new(estimate: &StageEstimate) -> Self {
        let &StageEstimate { stage, bytes, seconds, .. } = estimate;
        Self { name: label(stage), memory_bytes: bytes, seconds }
    }
}

#[derive(Debug, Serialize)]
struct SimilarityInfo {
    entries: usize,
    degree_cv: f64,
    degree_ratio: f64,
    /// Sizes of the connected components, largest first, without the isolated items.
    pieces: Vec<usize>,
    isolated: Vec<String>,
    /// Whether an exact doubly stochastic scaling with a zero diagonal exists.
    exact_scaling: bool,
    /// Items that prevent it.
    obstacles: Vec<String>,
    #[serde(skip)]
    why: Feasibility,
}

/// Runs the command.
pub(crate) fn run(args: &InfoArgs, terminal: Terminal) -> Result<ExitCode> {
    if dosnes_io::is_model(&args.input) {
        return crate::model::describe(&args.input, args.json);
    }
    let mut watch = Watch::new(terminal);
    let silent = Terminal::silent();
    let loaded = stages::read(&args.input, &args.read, &MemoryArgs::default(), &mut watch, silent)?;
    let options = args.similarity.options(0);
    let data = &loaded.dataset.data;
    let estimate = Estimate::of(data, &options, &NormalizeOptions::default(), &EmbedOptions::default());
    let estimate = if stages::may_release(&loaded.dataset) { estimate.without_data(data) } else { estimate };
    let similarity = if is_cheap(&loaded.dataset.data) && fits(&estimate) {
        let items = &loaded.dataset.items;
        let of_library = |error| failure::of_library(error, items);
        let made = dosnes::similarities(&loaded.dataset.data, &options, &mut watch).map_err(of_library)?;
        watch.end();
        Some(SimilarityInfo::new(Inspection::of(&made.similarity).map_err(of_library)?, items))
    } else {
        None
    };
    let info = Info::new(args, &loaded, similarity, &estimate);
    if args.json {
        print(format!("{}\n", serde_json::to_string_pretty(&info)?).as_bytes())?;
    } else {
        print(info.text(&loaded.dataset, summary::nouns(&loaded, &args.read)).as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn is_cheap(data: &Data<'_>) -> bool {
    match data {
        Data::Points(points) => {
            let (n, columns) = points.shape();
            (n as f64).powi(2) * columns as f64 <= CHEAP
        }
        _ => true,
    }
}

fn fits(estimate: &Estimate) -> bool {
    memory::room().is_none_or(|available| estimate.bytes <= available)
}

impl SimilarityInfo {
    fn new(inspection: Inspection, items: &Items) -> Self {
        let names = |rows: &[usize]| rows.iter().map(|&i| items.ids[i].clone()).collect();
        Self {
            entries: inspection.entries,
            degree_cv: inspection.imbalance.cv,
            degree_ratio: inspection.imbalance.ratio(),
            isolated: names(&inspection.isolated),
            exact_scaling: inspection.feasibility == Feasibility::Exact,
            obstacles: names(inspection.feasibility.obstacles()),
            why: inspection.feasibility,
            pieces: inspection.components,
        }
    }
}

impl Info {
    fn new(args: &InfoArgs, loaded: &Loaded, similarity: Option<SimilarityInfo>, estimate: &Estimate) -> Self {
        let Dataset { items, data, .. } = &loaded.dataset;
        let (columns, stored) = match data {
            Data::Points(Points::Dense(x)) | Data::Distance(Distances::Dense(x)) => (x.ncols(), x.len()),
            Data::Points(Points::Dense64(x) | Points::Rounded(x)) => (x.ncols(), x.len()),
            Data::Points(Points::Sparse(x))
            | Data::Distance(Distances::Sparse(x))
            | Data::Similarity(x)
            | Data::Graph(x)
            | Data::Dyadic(x) => (x.columns(), x.nnz()),
        };
        Self {
            file: args.input.display().to_string(),
            format: loaded.format.to_string(),
            kind: data.kind().name(),
            detected: loaded.detected.clone(),
            notes: loaded.notes.iter().map(ToString::to_string).collect(),
            doubts: loaded.doubts().map(ToString::to_string).collect(),
            first_rows: preview::rows(&loaded.dataset),
            n: items.len(),
            columns,
            stored,
            labels: items.columns.iter().map(|column| column.name.clone()).collect(),
            similarity,
            memory_bytes: estimate.bytes,
            memory_available_bytes: memory::room(),
            seconds: estimate.seconds,
            stages: estimate.stages.iter().map(StageInfo::new).collect(),
        }
    }

    fn text(&self, dataset: &Dataset, nouns: Nouns) -> String {
        let mut lines = vec![("file", format!("{} ({})", self.file, self.format)), ("read as", self.detected.clone())];
        let label = |note: &String| if self.doubts.contains(note) { "unsure" } else { "note" };
        lines.extend(self.notes.iter().map(|note| (label(note), note.clone())));
        let rows = self.first_rows.iter().enumerate();
        lines.extend(rows.map(|(k, row)| (if k == 0 { "first rows" } else { "" }, row.clone())));
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
                format!("total similarities differ by a factor of {}, CV {:.2}", factor(s.degree_ratio), s.degree_cv);
            lines.push(("imbalance", imbalance));
            lines.push(("components", s.components_text(nouns.1)));
            if !s.isolated.is_empty() {
                let names = some(&s.isolated);
                lines.push((
                    "isolated",
                    format!("{} will be left out: {names}", counted(s.isolated.len(), nouns.0, nouns.1)),
                ));
            }
            lines.push(("exact scaling", s.scaling_text(nouns)));
            lines.push(("embed will", plan_text(&dataset.data, s.exact_scaling)));
        } else {
            lines.push((
                "similarities",
                "not computed here: the search for nearest neighbours would take too long".into(),
            ));
        }
        let available = self.memory_available_bytes.map(|b| format!(" (free: {})", bytes(b))).unwrap_or_default();
        lines.push(("memory", format!("about {}{available}", bytes(self.memory_bytes))));
        let times = self.stages.iter().map(|stage| format!("{} {}", stage.name, duration(stage.seconds)));
        lines.push(("time", format!("roughly {}", times.collect::<Vec<_>>().join(", "))));
        lines.iter().fold(String::new(), |text, (name, line)| text + &format!("{name:<14} {}\n", harmless(line)))
    }
}

impl SimilarityInfo {
    fn components_text(&self, plural: &str) -> String {
        match self.pieces.as_slice() {
            [] => "none".into(),
            [_] => "all connected".into(),
            [first, rest @ ..] => {
                format!(
                    "{}: the largest has {} {plural}, the next {}",
                    count(1 + rest.len()),
                    count(*first),
                    count(rest[0])
                )
            }
        }
    }

    fn scaling_text(&self, nouns: (&str, &str)) -> String {
        let things = counted(self.obstacles.len(), nouns.0, nouns.1);
        match self.why {
            Feasibility::Exact => "exists: the total similarities can be made equal as they are".into(),
            Feasibility::TooFewPartners(_) => {
                format!(
                    "does not exist: {things} form a group with too few distinct neighbours ({})",
                    some(&self.obstacles)
                )
            }
            Feasibility::VanishingEntries(_) => format!(
                "does not exist: similarities of {things} would have to become zero ({})",
                some(&self.obstacles)
            ),
        }
    }
}

/// What the defaults of `dosnes embed` do with these similarities, and why.
fn plan_text(data: &Data<'_>, exact: bool) -> String {
    let steps = match data {
        // They are walks of two steps already, from a row to a column and back.
        Data::Dyadic(_) => "add neighbours of neighbours and a thin background (--steps 2)",
        _ => "let longer walks and a thin background fill in what direct neighbours leave missing (--steps 3)",
    };
    let several = format!("{steps}, then make all totals exactly equal");
    match (data, exact) {
        (Data::Graph(_), true) => {
            format!("{several}; the direct neighbours alone could be made equal too (--steps 1), but tear meshes")
        }
        (Data::Points(_) | Data::Distance(_), false) => {
            "make the totals nearly equal (softened, because no exact scaling of the nearest neighbours exists)".into()
        }
        (_, true) => "make all totals exactly equal, using the similarities alone (--steps 1)".into(),
        (_, false) => format!("{several}, because the similarities alone cannot be made equal"),
    }
}

fn some(names: &[String]) -> String {
    let shown = names.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > 5 { format!("{shown}, …") } else { shown }
}
