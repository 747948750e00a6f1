//! `dosnes normalize`: the doubly stochastic similarities as a matrix.

use crate::{
    args::NormalizeCommandArgs,
    estimate,
    failure::Failure,
    output::check_files,
    progress::{Phase, Watch},
    report::Report,
    stages, summary,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::{DoublyStochastic, input::Csr};
use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &NormalizeCommandArgs, terminal: Terminal) -> Result<ExitCode> {
    for path in &args.output {
        check_ending(path)?;
    }
    let further = args.names.as_deref().into_iter().chain(args.report.as_deref());
    let files: Vec<&Path> = args.output.iter().map(AsRef::as_ref).chain(further).collect();
    check_files(files.iter().copied(), Some(&args.input))?;
    let mut watch = Watch::new(terminal);
    let loaded = stages::read(&args.input, &args.read, &args.memory, &mut watch, terminal)?;
    let dataset = &loaded.dataset;
    let (similarities, p) =
        stages::doubly_stochastic(dataset, &args.similarity, &args.normalize, args.seed, &args.memory, &mut watch)?;
    let nouns = summary::nouns(&dataset.data);
    summary::similarities(terminal, &similarities, nouns);
    summary::normalization(terminal, &p, &dataset.items, nouns);
    watch.begin(Phase::Write);
    let matrix = in_rows_of_input(&p);
    for path in &args.output {
        dosnes_io::write_matrix(path, &matrix)?;
    }
    if let Some(path) = &args.names {
        dosnes_io::atomic_write(path, |out| dataset.items.ids.iter().try_for_each(|id| writeln!(out, "{id}")))?;
    }
    watch.end();
    if let Some(path) = &args.report {
        let mut report = Report::new(&args.input.display().to_string(), &loaded, &similarities, &p, None, args.seed);
        report.seconds = watch.seconds();
        report.peak_rss_bytes = estimate::peak();
        report.outputs = args.output.iter().map(|path| path.display().to_string()).collect();
        report.write(path)?;
    }
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    terminal.say(&format!("wrote {}", names.join(", ")));
    Ok(ExitCode::SUCCESS)
}

fn check_ending(path: &Path) -> Result<()> {
    match path.extension().and_then(OsStr::to_str).unwrap_or_default().to_lowercase().as_str() {
        "mtx" | "npz" => Ok(()),
        _ => {
            let problem = format!("{}: the name of a matrix file must end in .mtx or .npz", path.display());
            Err(Failure::BadInput(problem).into())
        }
    }
}

/// P with an empty row and column for each item that was left out, so that row i is item i of the input.
fn in_rows_of_input(p: &DoublyStochastic) -> Csr {
    if p.left_out().is_empty() {
        return p.matrix().clone();
    }
    let (kept, n) = (p.kept(), p.kept().len() + p.left_out().len());
    let mut indptr = Vec::with_capacity(n + 1);
    let (mut indices, mut values) = (Vec::new(), Vec::new());
    indptr.push(0);
    for (row, &i) in p.matrix().outer_iterator().zip(kept) {
        // Rows before i that were left out end where they begin.
        indptr.resize(i + 1, indices.len());
        indices.extend(row.indices().iter().map(|&j| kept[j as usize] as u32));
        values.extend_from_slice(row.data());
        indptr.push(indices.len());
    }
    indptr.resize(n + 1, indices.len());
    Csr::new((n, n), indptr, indices, values)
}
