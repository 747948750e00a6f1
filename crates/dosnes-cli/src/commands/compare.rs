//! `dosnes compare`: maps of the same data by several methods, with measures.

use crate::{
    args::CompareArgs,
    comparison::{Plan, chosen, compare},
    naming::heading,
    output::{check_ending, check_files},
    picture::check_column,
    progress::Watch,
    stages, summary,
    terminal::Terminal,
};
use anyhow::Result;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &CompareArgs, terminal: Terminal) -> Result<ExitCode> {
    for path in &args.output {
        check_ending(path, &["html", "md", "csv", "json"])?;
    }
    check_files(args.output.iter().map(PathBuf::as_path), &[&args.input])?;
    let mut watch = Watch::new(terminal);
    let loaded = stages::read(&args.input, &args.read, &args.memory, &mut watch, terminal)?;
    let plan = Plan {
        title: &heading(&args.input),
        nouns: summary::nouns(&loaded, &args.read),
        outputs: &args.output,
        methods: chosen(&args.only),
        views: args.views.clone(),
        seeds: (args.measure.seed..).take(args.seeds as usize).collect(),
        classes: args.measure.classes.as_deref(),
        color: args.color.as_deref().or(args.measure.classes.as_deref()),
        figure_width: args.figure_width,
        similarity: &args.similarity,
        normalize: &args.normalize,
        radius: args.size.radius,
        memory: &args.memory,
    };
    check_column(&loaded.dataset.items, plan.color, &args.input)?;
    compare(&loaded, &plan, &mut watch, terminal)
}
