//! `dosnes evaluate`: how good a map is.

use crate::{
    args::EvaluateArgs,
    comparison::{Column, Subject, Table},
    failure::{self, Failure},
    numbers::counted,
    output::{check_files, ending, write_whole},
    progress::Watch,
    stages, start,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::{
    optimize::Space,
    quality::{Map, Params},
};
use dosnes_io::read_embedding;
use ndarray::Array2;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &EvaluateArgs, terminal: Terminal) -> Result<ExitCode> {
    let outputs: Vec<&Path> = args.output.iter().chain(&args.report).map(PathBuf::as_path).collect();
    for path in &outputs {
        check_ending(path, &["csv", "json", "md"])?;
    }
    check_files(outputs.iter().copied(), Some(&args.against))?;
    let embedding = read_embedding(&args.embedding)?;
    let mut watch = Watch::new(terminal);
    let loaded = stages::read(&args.against, &args.read, &args.memory, &mut watch, terminal)?;
    let dataset = &loaded.dataset;
    let seed = args.measure.seed;
    let (similarities, p) =
        stages::doubly_stochastic(dataset, &args.similarity, &args.normalize, seed, &args.memory, &mut watch)?;
    let rows = start::rows(&embedding, &dataset.items, p.kept(), "the map").map_err(|problem| {
        let (map, data) = (args.embedding.display(), args.against.display());
        Failure::BadInput(format!("{map}: {problem}; is it a map of {data}?"))
    })?;
    if embedding.items.len() > rows.len() {
        terminal.note(&format!(
            "{} of the map are not in the data, or are similar to none of them, and are not measured",
            counted(embedding.items.len() - rows.len(), "item", "items")
        ));
    }
    let dimensions = embedding.coordinates.ncols();
    let coordinates = Array2::from_shape_fn((rows.len(), dimensions), |(i, k)| embedding.coordinates[[rows[i], k]]);
    let space = match (embedding.radius, dimensions) {
        (Some(_), _) => Space::Sphere,
        (None, 2) => Space::Plane,
        (None, _) => Space::Space,
    };
    let metric = args.similarity.params(seed).metric;
    let classes = args.measure.classes.as_deref();
    let subject = Subject::new(&dataset.data, &dataset.items, &similarities.similarity, metric, &p, classes)?;
    let of_library = |error| failure::of_library(error, &subject.items);
    let map = Map::new(coordinates.view(), space).map_err(of_library)?;
    let params = Params { seed, ..Params::default() };
    let measured = subject.measure(&map, p.matrix(), args.kernel.kernel(), &params).map_err(of_library)?;
    let column = Column { key: "map".into(), label: "map".into(), runs: vec![measured.rows], curve: measured.curve };
    let table = Table { columns: vec![column] };
    let mut out = std::io::stdout().lock();
    write!(out, "{}", table.plain())?;
    for path in &outputs {
        write_table(path, &table)?;
    }
    if !outputs.is_empty() {
        let names: Vec<String> = outputs.iter().map(|path| path.display().to_string()).collect();
        terminal.say(&format!("wrote {}", names.join(", ")));
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses a name whose ending is not one of these.
pub(crate) fn check_ending(path: &Path, endings: &[&str]) -> Result<()> {
    if endings.contains(&ending(path).as_str()) {
        return Ok(());
    }
    let list: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    Err(Failure::BadInput(format!("{}: the name must end in {}", path.display(), list.join(" or "))).into())
}

/// Writes the table as its name's ending says.
pub(crate) fn write_table(path: &Path, table: &Table) -> Result<()> {
    let text = match ending(path).as_str() {
        "csv" => table.csv(),
        "md" => table.markdown(),
        _ => format!("{:#}\n", table.json()),
    };
    write_whole(path, text.as_bytes())?;
    Ok(())
}
