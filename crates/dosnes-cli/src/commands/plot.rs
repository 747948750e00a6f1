//! `dosnes plot`: draws an embedding file as a static figure.

use crate::{
    args::PlotArgs,
    failure::Failure,
    output::{check_files, ending, write_figure},
    picture::{Picture, check_look},
    terminal::Terminal,
};
use anyhow::Result;
use dosnes_io::read_embedding;
use dosnes_view::{Theme, Viewpoint};
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &PlotArgs, terminal: Terminal) -> Result<ExitCode> {
    if !matches!(ending(&args.output).as_str(), "svg" | "png") {
        let problem = "the name of a figure must end in .svg or .png";
        return Err(Failure::BadInput(format!("{}: {problem}", args.output.display())).into());
    }
    check_files([args.output.as_path()].into_iter(), &[&args.input])?;
    let embedding = read_embedding(&args.input)?;
    check_look(&embedding.items, &args.look, &args.input)?;
    let picture = Picture {
        color: args.look.color.as_deref(),
        size: args.look.size.as_deref(),
        label: args.look.label.as_deref(),
        ..Picture::of(&embedding, &args.title)
    };
    let mut figure = picture.figure();
    figure.projection = args.projection;
    figure.viewpoints = args.viewpoint.iter().map(|&(latitude, longitude)| Viewpoint { longitude, latitude }).collect();
    figure.width = args.width;
    figure.labels = args.labels;
    figure.theme = if args.dark { Theme::Dark } else { Theme::Light };
    figure.transparent = args.transparent;
    write_figure(&args.output, &figure)?;
    terminal.say(&format!("wrote {}", args.output.display()));
    Ok(ExitCode::SUCCESS)
}
