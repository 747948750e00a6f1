//! `dosnes evaluate`: how good a map is.

use crate::{
    args::EvaluateArgs,
    comparison::{plain, write_table},
    failure::{self, Failure},
    numbers::counted,
    output::{check_ending, check_files, print},
    progress::Watch,
    stages, start,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::ndarray::Array2;
use dosnes::{
    compare::{Column, Table},
    quality::{Map, QualityOptions, Subject},
};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &EvaluateArgs, terminal: Terminal) -> Result<ExitCode> {
    let outputs: Vec<&Path> = args.output.iter().chain(&args.report).map(PathBuf::as_path).collect();
    for path in &outputs {
        check_ending(path, &["csv", "json", "md"])?;
    }
    check_files(outputs.iter().copied(), &[&args.against])?;
    let embedding = stages::read_map(&args.embedding, &args.memory)?;
    let mut watch = Watch::new(terminal);
    let loaded = stages::read(&args.against, &args.read, &args.memory, &mut watch, terminal)?;
    let dataset = &loaded.dataset;
    let seed = args.measure.seed;
    let (similarities, p) =
        stages::normalize(dataset, &args.similarity, &args.normalize, seed, &args.memory, &mut watch)?;
    let rows = start::rows(&embedding, &dataset.items, p.kept(), "the map").map_err(|problem| {
        let (map, data) = (args.embedding.display(), args.against.display());
        Failure::BadInput(format!("{map}: {problem}; is it a map of {data}?"))
    })?;
    if embedding.items.len() > rows.len() {
        terminal.note(&format!(
            "ignored {} of the map: not in the data, or without a similarity to any other item",
            counted(embedding.items.len() - rows.len(), "item", "items")
        ));
    }
    let dimensions = embedding.coordinates.ncols();
    let coordinates = Array2::from_shape_fn((rows.len(), dimensions), |(i, k)| embedding.coordinates[[rows[i], k]]);
    let items = dataset.items.select(p.kept());
    let of_library = |error| failure::of_library(error, &items);
    let mut subject = Subject::new(&dataset.data, &similarities.similarity, args.similarity.metric(), &p, &mut watch)
        .map_err(of_library)?;
    if let Some(name) = &args.measure.classes {
        subject = subject.with_classes(items.classes(name).map_err(|e| Failure::BadInput(e.to_string()))?);
    }
    let map = Map::new(coordinates.view(), embedding.space()).map_err(of_library)?;
    let options = QualityOptions { seed, ..QualityOptions::default() };
    let measured = subject.evaluate(&map, p.matrix(), args.kernel, &options, &mut watch).map_err(of_library)?;
    watch.end();
    let column = Column { key: "map".into(), label: "map".into(), runs: vec![measured] };
    let table = Table { columns: vec![column] };
    print(plain(&table).as_bytes())?;
    for path in &outputs {
        write_table(path, &table)?;
    }
    if !outputs.is_empty() {
        let names: Vec<String> = outputs.iter().map(|path| path.display().to_string()).collect();
        terminal.say(&format!("wrote {}", names.join(", ")));
    }
    Ok(ExitCode::SUCCESS)
}
