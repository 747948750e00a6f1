//! `dosnes reproduce`: repeats the experiments of the paper.

use crate::{
    args::{Experiment, MapArgs, MemoryArgs, ReadArgs, ReproduceArgs},
    comparison::{Plan, chosen, compare},
    failure::Failure,
    output::{make_folder, title, write_whole},
    progress::Watch,
    stages,
    terminal::Terminal,
};
use anyhow::{Context, Result};
use clap::Parser;
use dosnes::{
    Dosnes, Normalization, NormalizeOptions, Space, init::Init, input::Items, normalize, quality::Ring,
    random_similarity,
};
use dosnes_view::Figure;
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

/// The setting of the paper: the similarities themselves are scaled, and the radius is free. The softness is for data that
/// have no exact scaling, for which the paper has no rule.
const PAPER: [&str; 6] = ["--steps", "1", "--softness", "0.134", "--radius", "free"];

/// Width of the figures, enough for a slide.
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
        (_, None) => Err(Failure::BadInput("give the folder with the data by --data DIR".into()).into()),
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
    let line = std::iter::once("dosnes").chain(PAPER).chain(options.iter().copied());
    let options = Options::try_parse_from(line).context("the built-in options of the experiment are wrong")?;
    let memory = MemoryArgs::default();
    let mut watch = Watch::new(terminal);
    let loaded = stages::read(input, &options.read, &memory, &mut watch, terminal)?;
    let outputs = ["html", "md", "csv", "json"].map(|ending| args.output.join(format!("compare.{ending}")));
    let plan = Plan {
        title: &title(input),
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
        radius: options.map.embed.size.radius,
        memory: &memory,
    };
    compare(&loaded, &plan, &mut watch, terminal)
}

/// Figure 1: t-SNE in the plane of a matrix of uniform random numbers, as it is and made doubly stochastic.
fn figure_1(args: &ReproduceArgs, terminal: Terminal) -> Result<ExitCode> {
    let n = args.size as usize;
    let similarity = random_similarity(n, args.seed)?;
    let items = Items::numbered(n);
    let mut text = String::from(
        "| similarities | spread of distances from the centre | mean of Σ_j Q_ij | its standard deviation | \
         rank correlation of degree and nearness to the centre |\n|---|---|---|---|---|\n",
    );
    let cases =
        [("as they are", "random", Normalization::None), ("doubly stochastic", "stochastic", Normalization::Sinkhorn)];
    for (name, file, method) in cases {
        let mut watch = Watch::new(terminal);
        let options = NormalizeOptions { method, ..NormalizeOptions::default() };
        let p = normalize(&similarity, &options, &mut watch)?;
        // As in the paper: random initial positions, no exaggeration.
        let figure_1 = Dosnes::plane().init(Init::Random).exaggeration(1.0).max_iterations(2000).seed(args.seed);
        let map = dosnes::embed(&p, figure_1.embed_options(), &mut watch)?;
        watch.end();
        if map.stopped {
            return Err(Failure::Interrupted.into());
        }
        let ring = Ring::of(map.coordinates.view(), &similarity.symmetric()?)?;
        let Ring { spread, mean, deviation, crowding } = ring;
        let _ = writeln!(text, "| {name} | {spread:.4} | {mean:.6} | {deviation:.2e} | {crowding:.3} |");
        let mut figure = Figure::new(&items, Space::Plane, map.coordinates.view());
        figure.labels = 0;
        figure.width = WIDTH;
        write_whole(&args.output.join(format!("figure1-{file}.png")), &figure.to_png()?)?;
    }
    terminal.say(&text);
    write_whole(&args.output.join("figure1.md"), text.as_bytes())?;
    terminal.say(&format!("wrote figure1.md and two figures to {}", args.output.display()));
    Ok(ExitCode::SUCCESS)
}
