//! `dosnes plot`: an embedding file as a still figure.

use crate::{
    args::{PlotArgs, ProjectionArg},
    commands::view::{check_column, picture},
    failure::Failure,
    output::{check_files, ending, write_figure},
    picture::Picture,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes_io::read_embedding;
use dosnes_view::{Projection, Theme, Viewpoint};
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &PlotArgs, terminal: Terminal) -> Result<ExitCode> {
    if !matches!(ending(&args.output).as_str(), "svg" | "png") {
        let problem = "figures are .svg or .png";
        return Err(Failure::BadInput(format!("{}: {problem}", args.output.display())).into());
    }
    check_files([args.output.as_path()].into_iter(), Some(&args.input))?;
    let embedding = read_embedding(&args.input)?;
    check_column(&embedding.items, args.color.as_deref(), &args.input)?;
    let picture = Picture { color: args.color.as_deref(), ..picture(&embedding, &args.title) };
    let mut figure = picture.figure();
    figure.projection = match args.projection {
        ProjectionArg::Globe => Projection::Globe,
        ProjectionArg::Perspective => Projection::Perspective,
        ProjectionArg::FishEye => Projection::FishEye,
        ProjectionArg::EqualEarth => Projection::EqualEarth,
        ProjectionArg::Mollweide => Projection::Mollweide,
        ProjectionArg::Equirectangular => Projection::Equirectangular,
    };
    figure.viewpoints = args.viewpoint.iter().map(|&(latitude, longitude)| Viewpoint { longitude, latitude }).collect();
    figure.width = args.width;
    figure.labels = args.labels;
    figure.theme = if args.dark { Theme::Dark } else { Theme::Light };
    figure.transparent = args.transparent;
    write_figure(&args.output, &figure)?;
    terminal.say(&format!("wrote {}", args.output.display()));
    Ok(ExitCode::SUCCESS)
}
