//! `dosnes reproduce`: the paper's experiments again.

use crate::{
    args::{Experiment, MapArgs, MemoryArgs, ReadArgs, ReproduceArgs},
    commands::compare::{Plan, chosen, compare, make_folder},
    failure::Failure,
    output::write_whole,
    progress::Watch,
    stages,
    terminal::Terminal,
};
use anyhow::{Context, Result};
use clap::Parser;
use dosnes::{
    Similarity,
    init::Init,
    input::{Items, csr_from_triplets},
    normalize::{self, Method},
    optimize::{self, Space},
    quality::spearman,
};
use dosnes_view::Figure;
use ndarray::{Array2, Axis};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// An experiment is `dosnes compare` with these options.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    map: MapArgs,
}

/// Width of figures: enough for a slide.
const WIDTH: u32 = 960;

/// Runs the command.
pub(crate) fn run(args: &ReproduceArgs, terminal: Terminal) -> Result<ExitCode> {
    make_folder(&args.output)?;
    match (args.experiment, &args.data) {
        (Experiment::Figure1, _) => figure_1(args, terminal),
        (Experiment::Worldtrade, Some(data)) => {
            real(args, &data.join("worldtrade/world_trade.paj"), &[], Some("Continent"), "countries", terminal)
        }
        (Experiment::Nips, Some(data)) => {
            let names = data.join("nips/nips_lcc_authors.txt").display().to_string();
            let options = ["--as", "dyadic", "--transpose", "--items", &names];
            real(args, &data.join("nips/nips_lcc_paper_author.mtx"), &options, None, "authors", terminal)
        }
        (_, None) => Err(Failure::BadInput("--data says where the data are".into()).into()),
    }
}

fn real(
    args: &ReproduceArgs,
    input: &Path,
    options: &[&str],
    classes: Option<&str>,
    noun: &'static str,
    terminal: Terminal,
) -> Result<ExitCode> {
    let line = std::iter::once("dosnes").chain(options.iter().copied());
    let options = Options::try_parse_from(line).context("the experiment's own options are wrong")?;
    let memory = MemoryArgs::default();
    let mut watch = Watch::new(terminal);
    let loaded = stages::read(input, &options.read, &memory, &mut watch, terminal)?;
    let outputs = ["html", "md", "csv", "json"].map(|ending| args.output.join(format!("compare.{ending}")));
    let plan = Plan {
        title: &crate::commands::embed::title(input),
        nouns: ("item", noun),
        outputs: &outputs,
        methods: chosen(&args.only),
        views: Vec::new(),
        seeds: vec![args.seed],
        classes,
        color: classes,
        figure_width: WIDTH,
        similarity: &options.map.similarity,
        normalize: &options.map.normalize,
        memory: &memory,
    };
    compare(&loaded, &plan, &mut watch, terminal)
}

/// Figure 1: t-SNE in the plane of a matrix of uniform random numbers, as it is and made doubly stochastic.
fn figure_1(args: &ReproduceArgs, terminal: Terminal) -> Result<ExitCode> {
    let n = args.size as usize;
    let similarity = random_similarity(n, args.seed);
    let items = Items::numbered(n);
    let mut text = String::from(
        "| similarities | spread of distances from the centre | mean of Σ_j Q_ij | its standard deviation | \
         rank correlation of degree and nearness to the centre |\n|---|---|---|---|---|\n",
    );
    let cases = [("as they are", "random", Method::None), ("doubly stochastic", "stochastic", Method::Sinkhorn)];
    for (name, file, method) in cases {
        let p = dosnes::normalize(&similarity, &normalize::Params { method, ..normalize::Params::default() })?;
        // As the paper's figure: from a random start, without exaggeration.
        let params = optimize::Params {
            space: Space::Plane,
            init: Init::Random,
            exaggeration: Some(1.0),
            max_iterations: Some(2000),
            seed: args.seed,
            ..optimize::Params::default()
        };
        let mut watch = Watch::new(terminal);
        let map = dosnes::embed(&p, &params, &mut watch)?;
        watch.end();
        if map.stopped {
            return Err(Failure::Interrupted.into());
        }
        let y = &map.coordinates - &(map.coordinates.sum_axis(Axis(0)) / n as f64);
        let ring = Ring::of(&y);
        let degrees = normalize::degrees(&similarity.symmetric());
        let nearness: Vec<f64> = ring.lengths.iter().map(|length| -length).collect();
        let crowding = spearman(&degrees, &nearness);
        let (spread, mean, deviation) = (ring.spread, ring.mean, ring.deviation);
        let _ = writeln!(text, "| {name} | {spread:.4} | {mean:.6} | {deviation:.2e} | {crowding:.3} |");
        let mut figure = Figure::new(&items, Space::Plane, y.view());
        figure.labels = 0;
        figure.width = WIDTH;
        write_whole(&args.output.join(format!("figure1-{file}.png")), &figure.to_png()?)?;
    }
    terminal.say(&text);
    write_whole(&args.output.join("figure1.md"), text.as_bytes())?;
    terminal.say(&format!("wrote figure1.md and two figures to {}", args.output.display()));
    Ok(ExitCode::SUCCESS)
}

/// A symmetric matrix of uniform random numbers, by a generator that needs no library: SplitMix64.
fn random_similarity(n: usize, seed: u64) -> Similarity {
    let mut state = seed.wrapping_add(1);
    let mut uniform = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut triplets = Vec::with_capacity(n * n);
    for i in 0..n as u32 {
        for j in 0..i {
            let value = uniform();
            triplets.extend([(i, j, value), (j, i, value)]);
        }
    }
    Similarity::Symmetric(csr_from_triplets((n, n), &triplets).0)
}

/// How near a map is to a ring.
struct Ring {
    lengths: Vec<f64>,
    /// Standard deviation of the distances from the centre over their mean: 0 for a ring, 0.354 for a disc.
    spread: f64,
    /// Mean and standard deviation of Σ_j Q_ij.
    mean: f64,
    deviation: f64,
}

impl Ring {
    fn of(y: &Array2<f64>) -> Self {
        let lengths: Vec<f64> = y.rows().into_iter().map(|y| y.dot(&y).sqrt()).collect();
        let n = y.nrows();
        let squared = |i: usize, j: usize| (y[[i, 0]] - y[[j, 0]]).powi(2) + (y[[i, 1]] - y[[j, 1]]).powi(2);
        let sum = |i: usize| (0..n).filter(|&j| j != i).map(|j| 1.0 / (1.0 + squared(i, j))).sum::<f64>();
        let q: Vec<f64> = (0..n).map(sum).collect();
        let z: f64 = q.iter().sum();
        let (length, length_deviation) = moments(&lengths);
        let (mean, deviation) = moments(&q);
        Self { spread: length_deviation / length, lengths, mean: mean / z, deviation: deviation / z }
    }
}

fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt())
}
