//! The study of normalisations: every way on every graph, as tables in Markdown. `cargo xtask study` puts them into
//! docs/normalisation.md.
//!
//! `cargo run --release -p dosnes-benchmarks --bin normalisation -- DATA [--quick] [--only 'NAME; NAME'] [--ways 'WAY; WAY']`
//!
//! `DATA` is the folder of the data that are not bundled. `--quick` leaves out the graphs of more than 10,000 items; `--only` and
//! `--ways` leave out all other graphs and ways.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs)]

mod data;
mod measures;

use data::Subject;
use dosnes::{Dosnes, Normalization, normalize, observe::Silent, optimize::Radius, quality::rank_correlation};
use measures::{Measures, measure};
use ndarray::Array2;
use std::{collections::HashMap, error::Error, fmt::Write, path::Path, process::ExitCode, time::Instant};

/// A way to normalise and to embed.
struct Way {
    name: &'static str,
    options: fn() -> Dosnes,
}

const ROWS: Way = Way { name: "rows", options: || Dosnes::sphere().normalization(Normalization::Rows) };
const DEFAULT: Way = Way { name: "default", options: Dosnes::sphere };
const WAYS: [Way; 7] = [
    Way {
        name: "one step, softness 0.134, free radius",
        options: || Dosnes::sphere().steps(1).softness(0.134).radius(Radius::Free),
    },
    Way { name: "one step, softness 1", options: || Dosnes::sphere().steps(1) },
    ROWS,
    DEFAULT,
    Way { name: "default, free radius", options: || Dosnes::sphere().radius(Radius::Free) },
    Way { name: "five steps", options: || Dosnes::sphere().steps(5) },
    Way { name: "layout", options: Dosnes::layout },
];

/// Seeds of small graphs and of graphs with more than [`LARGE`] items.
const SEEDS: [u64; 2] = [3, 1];
const LARGE: usize = 10_000;

fn main() -> ExitCode {
    let Some((folder, choice)) = choice() else {
        eprintln!(
            "give the folder of the data: normalisation DATA [--quick] [--only 'NAME; NAME'] [--ways 'WAY; WAY']"
        );
        return ExitCode::FAILURE;
    };
    match study(Path::new(&folder), &choice) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// What is measured: everything, unless something else is asked for.
#[derive(Default)]
struct Choice {
    quick: bool,
    only: Option<Vec<String>>,
    ways: Option<Vec<String>>,
}

impl Choice {
    fn has(&self, subject: &Subject) -> bool {
        (!self.quick || subject.similarity.len() <= LARGE) && among(self.only.as_ref(), &subject.name)
    }

    fn has_way(&self, way: &Way) -> bool {
        among(self.ways.as_ref(), way.name)
    }
}

fn among(chosen: Option<&Vec<String>>, name: &str) -> bool {
    chosen.is_none_or(|names| names.iter().any(|chosen| chosen == name))
}

/// The folder and the choice from the command line; `None` if it is wrong.
fn choice() -> Option<(String, Choice)> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next()?;
    let mut choice = Choice::default();
    while let Some(argument) = arguments.next() {
        let mut names = || Some(arguments.next()?.split(';').map(|name| name.trim().to_owned()).collect());
        match argument.as_str() {
            "--quick" => choice.quick = true,
            "--only" => choice.only = Some(names()?),
            "--ways" => choice.ways = Some(names()?),
            _ => return None,
        }
    }
    Some((folder, choice))
}

fn study(folder: &Path, choice: &Choice) -> Result<(), Box<dyn Error>> {
    let mut subjects = data::real(folder)?;
    subjects.extend(data::planted()?);
    subjects.retain(|subject| choice.has(subject));
    let mut table = String::from(
        "| data | | CV | recall at degree | without leaves | recall at 10 | class | geography | km to nearest 10 | degree \
         and density | coverage | radius | seeds agree | s |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for subject in &subjects {
        for way in WAYS.iter().filter(|way| choice.has_way(way)) {
            let (mean, agreement) = runs(subject, way)?;
            row(&mut table, subject, way, &mean, agreement)?;
        }
    }
    println!("<!-- table graphs -->\n{table}<!-- end -->");
    let mut layout = data::layout(folder)?;
    layout.retain(|subject| choice.has(subject));
    let published = published(&folder.join("layout/np1.csv"))?;
    let mut table = String::from(
        "| graph | items | best of 11 | t-FDP | rows | default | layout | layout, s | layout is above all 11 |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    let mut totals = Totals::default();
    for subject in &layout {
        let figures = published.get(&subject.name).ok_or_else(|| format!("np1.csv has no row {}", subject.name))?;
        let best = figures.iter().copied().fold(0.0, f64::max);
        let last = figures.last().copied().unwrap_or(0.0);
        let of = |way| if choice.has_way(way) { runs(subject, way) } else { Ok((Measures::default(), None)) };
        let [rows, default, layout] = [&ROWS, &DEFAULT, &WAYS[6]].map(of);
        let (rows, default, layout) = (rows?.0, default?.0, layout?.0);
        totals.add([best, last, rows.jaccard, default.jaccard, layout.jaccard]);
        writeln!(
            table,
            "| {} | {} | {best:.3} | {last:.3} | {:.3} | {:.3} | {:.3} | {:.1} | {} |",
            subject.name,
            subject.similarity.len(),
            rows.jaccard,
            default.jaccard,
            layout.jaccard,
            layout.seconds,
            if layout.jaccard > best { "yes" } else { "" }
        )?;
    }
    println!("<!-- table layout -->\n{table}{}<!-- end -->", totals.row());
    Ok(())
}

/// The mean measures of a way over the seeds, and how far the maps of two seeds agree.
fn runs(subject: &Subject, way: &Way) -> Result<(Measures, Option<f64>), Box<dyn Error>> {
    let seeds = SEEDS[usize::from(subject.similarity.len() > LARGE)];
    let mut all = Vec::new();
    let mut first: Option<Array2<f64>> = None;
    let mut agreement = None;
    for seed in 0..seeds {
        let options = (way.options)().seed(seed);
        let started = Instant::now();
        let p = normalize(&subject.similarity, options.normalize_options(), &mut Silent)?;
        let embedding = options.embed(&p)?;
        let seconds = started.elapsed().as_secs_f64();
        all.push(Measures { seconds, ..measure(subject, &p, &embedding)? });
        match &first {
            None => first = Some(embedding.coordinates),
            Some(first) if agreement.is_none() => agreement = Some(agree(first, &embedding.coordinates)?),
            Some(_) => {}
        }
    }
    eprintln!("{}, {}", subject.name, way.name);
    Ok((mean(&all), agreement))
}

/// Rank correlation of the distances of pairs on two maps.
fn agree(a: &Array2<f64>, b: &Array2<f64>) -> Result<f64, Box<dyn Error>> {
    let n = a.nrows();
    let pairs = (0..20_000).map(|k| (k * 7919 % n, (k * 104_729 + 1) % n));
    let pairs: Vec<(usize, usize)> = pairs.filter(|pair| pair.0 != pair.1).collect();
    let distances = |map: &Array2<f64>| {
        let squared = |&(i, j): &(usize, usize)| (&map.row(i) - &map.row(j)).mapv(|d| d * d).sum();
        pairs.iter().map(squared).collect::<Vec<f64>>()
    };
    Ok(rank_correlation(&distances(a), &distances(b))?)
}

fn mean(all: &[Measures]) -> Measures {
    let of = |f: fn(&Measures) -> f64| all.iter().map(f).sum::<f64>() / all.len() as f64;
    let optional = |f: fn(&Measures) -> Option<f64>| {
        let values: Option<Vec<f64>> = all.iter().map(f).collect();
        values.map(|values| values.iter().sum::<f64>() / values.len() as f64)
    };
    Measures {
        cv: of(|m| m.cv),
        residual: of(|m| m.residual),
        jaccard: of(|m| m.jaccard),
        recall: of(|m| m.recall),
        recall_without_leaves: of(|m| m.recall_without_leaves),
        recall_10: of(|m| m.recall_10),
        class: optional(|m| m.class),
        geography: optional(|m| m.geography),
        km: optional(|m| m.km),
        crowding: of(|m| m.crowding),
        coverage: of(|m| m.coverage),
        radius: of(|m| m.radius),
        steps: of(|m| m.steps),
        seconds: of(|m| m.seconds),
    }
}

fn row(table: &mut String, subject: &Subject, way: &Way, m: &Measures, agreement: Option<f64>) -> std::fmt::Result {
    let optional = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.3}"));
    let cv = if m.residual <= 1e-9 { "equal".to_owned() } else { format!("{:.3}", m.cv) };
    writeln!(
        table,
        "| {} | {} | {cv} | {:.3} | {:.3} | {:.3} | {} | {} | {} | {:.3} | {:.3} | {:.0} | {} | {:.1} |",
        if way.name == WAYS[0].name { subject.name.as_str() } else { "" },
        way.name,
        m.recall,
        m.recall_without_leaves,
        m.recall_10,
        optional(m.class),
        optional(m.geography),
        m.km.map_or_else(String::new, |km| format!("{km:.0}")),
        m.crowding,
        m.coverage,
        m.radius,
        optional(agreement),
        m.seconds
    )
}

/// The published figures: the name of each graph, and a number for each method, t-FDP last.
fn published(file: &Path) -> Result<HashMap<String, Vec<f64>>, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    let mut rows = HashMap::new();
    for line in text.lines().skip(1) {
        let mut cells = line.split(',');
        let name = cells.next().unwrap_or_default().to_owned();
        // Some methods have no figure for some graphs.
        rows.insert(name, cells.filter_map(|cell| cell.trim().parse().ok()).collect());
    }
    Ok(rows)
}

/// Sums over the graphs, for the last row.
#[derive(Default)]
struct Totals {
    sums: [f64; 5],
    graphs: usize,
    above: usize,
    worst: Option<f64>,
}

impl Totals {
    fn add(&mut self, values: [f64; 5]) {
        for (sum, value) in self.sums.iter_mut().zip(values) {
            *sum += value;
        }
        self.graphs += 1;
        self.above += usize::from(values[4] > values[0]);
        let ratio = values[4] / values[0];
        self.worst = Some(self.worst.map_or(ratio, |worst| worst.min(ratio)));
    }

    fn row(&self) -> String {
        let [best, last, rows, default, layout] = self.sums.map(|sum| sum / self.graphs as f64);
        format!(
            "| mean | | {best:.3} | {last:.3} | {rows:.3} | {default:.3} | {layout:.3} | | {} of {}; at least {:.2} of the best |\n",
            self.above,
            self.graphs,
            self.worst.unwrap_or(0.0)
        )
    }
}
