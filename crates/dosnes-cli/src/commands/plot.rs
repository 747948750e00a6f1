//! `dosnes plot`: draws an embedding file as a static figure, or as a globe that turns.

use crate::{
    args::{MemoryArgs, PlotArgs},
    failure::Failure,
    numbers::count,
    output::{check_files, ending, write_figure, write_whole},
    picture::{Picture, check_look},
    stages,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes_view::{Figure, Theme, Viewpoint};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Frames and seconds of a turn if nothing is said.
const FRAMES: u16 = 72;
const SECONDS: f64 = 6.0;

/// Runs the command.
pub(crate) fn run(args: &PlotArgs, terminal: Terminal) -> Result<ExitCode> {
    let frames = check_turn(args)?;
    let numbered = frames.filter(|_| ending(&args.output) == "png").map(|frames| numbered(&args.output, frames));
    match &numbered {
        Some(files) => check_files(files.iter().map(PathBuf::as_path), &[&args.input])?,
        None => check_files([args.output.as_path()].into_iter(), &[&args.input])?,
    }
    let embedding = stages::read_map(&args.input, &MemoryArgs::default())?;
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
    figure.width = args.width.unwrap_or(if frames.is_some() { 800 } else { 1600 });
    figure.labels = args.labels;
    figure.theme = if args.dark { Theme::Dark } else { Theme::Light };
    figure.transparent = args.transparent;
    match (frames, &numbered) {
        (Some(frames), Some(files)) => write_frames(&figure, frames, files)?,
        (Some(frames), None) => {
            let gif = figure.turn(frames.into())?.to_gif(args.seconds.unwrap_or(SECONDS), |_| {})?;
            write_whole(&args.output, &gif)?;
        }
        (None, _) => {
            write_figure(&args.output, &figure)?;
        }
    }
    terminal.say(&match numbered.as_deref() {
        Some([first, .., last]) => format!(
            "wrote {} to {}, {} frames",
            first.display(),
            last.display(),
            count(frames.unwrap_or(FRAMES).into())
        ),
        _ => format!("wrote {}", args.output.display()),
    });
    Ok(ExitCode::SUCCESS)
}

/// The number of frames if the output is a turn.
fn check_turn(args: &PlotArgs) -> Result<Option<u16>> {
    let refused = |problem: &str| Err(Failure::BadInput(format!("{}: {problem}", args.output.display())).into());
    let frames = match ending(&args.output).as_str() {
        "gif" if args.transparent => {
            return refused("a GIF has no soft edges, so --transparent would look rough; use .png with --frames");
        }
        "gif" => Some(args.frames.unwrap_or(FRAMES)),
        "png" => args.frames,
        "svg" if args.frames.is_some() => return refused("--frames needs a file name that ends in .gif or .png"),
        "svg" => None,
        _ => return refused("the name of a figure must end in .svg, .png or .gif"),
    };
    if args.seconds.is_some() && ending(&args.output) != "gif" {
        return refused("--seconds is the time of a turn in a .gif; other files have no time");
    }
    let (seconds, shortest) = (args.seconds.unwrap_or(SECONDS), 0.02 * f64::from(frames.unwrap_or(0)));
    if ending(&args.output) == "gif" && !(shortest..=600.0).contains(&seconds) {
        let count = frames.unwrap_or(FRAMES);
        let problem = format!("{count} frames need {shortest:.2} to 600 seconds, not {seconds}");
        return refused(&format!("{problem}; change --seconds or --frames"));
    }
    Ok(frames)
}

/// turn-001.png, turn-002.png, …: as many digits as the last one needs, and at least three.
fn numbered(path: &Path, frames: u16) -> Vec<PathBuf> {
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let ending = path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().into_owned());
    let digits = frames.to_string().len().max(3);
    (1..=frames).map(|k| path.with_file_name(format!("{stem}-{k:0digits$}.{ending}"))).collect()
}

fn write_frames(figure: &Figure<'_>, frames: u16, files: &[PathBuf]) -> Result<()> {
    let turn = figure.turn(frames.into())?;
    for (frame, file) in files.iter().enumerate() {
        write_whole(file, &turn.to_png(frame)?)?;
    }
    Ok(())
}
