//! Output files: checked before the computation, written after it.

use crate::{
    failure::Failure,
    picture::Picture,
    terminal::{Terminal, harmless},
};
use anyhow::{Context, Result};
use dosnes::Space;
use dosnes_io::{EmbeddingFormat, EmbeddingTable, atomic_write, check_writable, write_embedding, write_embedding_to};
use dosnes_view::Figure;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// One output of an embedding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Output {
    /// CSV to standard output.
    Stdout,
    /// A file with the coordinates, in the format of its extension.
    Coordinates(PathBuf),
    /// The globe page.
    Page(PathBuf),
    /// A static figure, .svg or .png.
    Figure(PathBuf),
}

impl Output {
    /// The output that a file name stands for.
    fn of(path: &Path, space: Space) -> Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        match ending(path).as_str() {
            "html" | "htm" => return Ok(Self::Page(path.to_owned())),
            "svg" | "png" => return Ok(Self::Figure(path.to_owned())),
            "gif" => {
                let way = "a turn is made from a map in a file: use -o map.csv here, and then dosnes plot map.csv -o";
                return Err(Failure::BadInput(format!("{0}: {way} {0}", path.display())).into());
            }
            _ => {}
        }
        let format = EmbeddingFormat::of(path).map_err(|e| Failure::BadInput(with_pictures(&e.to_string())))?;
        if format == EmbeddingFormat::GeoJson && space != Space::Sphere {
            let problem = "GeoJSON needs positions on a sphere; use .csv or .json, or --space sphere";
            return Err(Failure::BadInput(format!("{}: {problem}", path.display())).into());
        }
        Ok(Self::Coordinates(path.to_owned()))
    }

    /// Writes the embedding; returns the files that were written.
    pub(crate) fn write(&self, table: &EmbeddingTable<'_>, picture: &Picture<'_>) -> Result<Vec<PathBuf>> {
        match self {
            Self::Stdout if std::io::stdout().is_terminal() => {
                let mut bytes = Vec::new();
                write_embedding_to(&mut bytes, EmbeddingFormat::Csv, table)?;
                print(harmless(&String::from_utf8_lossy(&bytes)).as_bytes())?;
                Ok(Vec::new())
            }
            Self::Stdout => {
                let mut out = std::io::BufWriter::new(std::io::stdout().lock());
                let written = write_embedding_to(&mut out, EmbeddingFormat::Csv, table)
                    .map_err(anyhow::Error::from)
                    .and_then(|()| out.flush().map_err(anyhow::Error::from));
                unless_closed(written)?;
                Ok(Vec::new())
            }
            Self::Coordinates(path) => Ok(write_embedding(path, table)?),
            Self::Page(path) => write_whole(path, &picture.html()?),
            Self::Figure(path) => write_figure(path, &picture.figure()),
        }
    }

    /// The same output, under another name if there is a file already.
    pub(crate) fn beside_finished(&self) -> Self {
        match self {
            Self::Stdout => Self::Stdout,
            Self::Coordinates(path) => Self::Coordinates(beside_finished(path)),
            Self::Page(path) => Self::Page(beside_finished(path)),
            Self::Figure(path) => Self::Figure(beside_finished(path)),
        }
    }

    /// Whether it has the items' columns, and not only coordinates.
    pub(crate) fn has_columns(&self) -> bool {
        match self {
            Self::Stdout | Self::Page(_) | Self::Figure(_) => true,
            Self::Coordinates(path) => !matches!(ending(path).as_str(), "npy" | "vec" | "paj"),
        }
    }

    /// Whether it is the globe page.
    pub(crate) fn is_page(&self) -> bool {
        matches!(self, Self::Page(_))
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout => None,
            Self::Coordinates(path) | Self::Page(path) | Self::Figure(path) => Some(path),
        }
    }
}

/// `map.csv`, or `map.unfinished.csv` if there is such a file already.
pub(crate) fn beside_finished(path: &Path) -> PathBuf {
    if !path.is_file() {
        return path.to_owned();
    }
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    let at = plain.rfind('.').unwrap_or(plain.len());
    path.with_file_name(format!("{}.unfinished{}", &name[..at], &name[at..]))
}

/// The message about a wrong ending, with the endings of pages and figures.
fn with_pictures(message: &str) -> String {
    message.replacen("must end in ", "must end in .html, .svg, .png, ", 1)
}

/// The extension of a file name, in lower case.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().to_lowercase())
}

/// Writes a figure as .png, or else as .svg.
pub(crate) fn write_figure(path: &Path, figure: &Figure<'_>) -> Result<Vec<PathBuf>> {
    let bytes = if ending(path) == "png" { figure.to_png()? } else { figure.to_svg()?.into_bytes() };
    write_whole(path, &bytes)
}

/// Writes the complete file or nothing.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<Vec<PathBuf>> {
    atomic_write(path, |out| out.write_all(bytes))?;
    Ok(vec![path.to_owned()])
}

/// Prints to standard output.
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    unless_closed(out.write_all(bytes).and_then(|()| out.flush()).map_err(anyhow::Error::from))
}

/// A program such as `head` closes the pipe early. This is not an error.
fn unless_closed(written: Result<()>) -> Result<()> {
    written.or_else(|error| if closed_pipe(&error) { Ok(()) } else { Err(error) })
}

fn closed_pipe(error: &anyhow::Error) -> bool {
    let of_writer = error.downcast_ref::<dosnes_io::Error>().and_then(dosnes_io::Error::io_error);
    let system = error.downcast_ref::<std::io::Error>().or(of_writer);
    system.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// The outputs of an embedding, checked together with the `others` that will be written, such as the report.
pub(crate) fn embedding_outputs(
    outputs: &[PathBuf],
    others: &[&Path],
    inputs: &[&Path],
    space: Space,
) -> Result<Vec<Output>> {
    let chosen = outputs.iter().map(|path| Output::of(path, space)).collect::<Result<Vec<_>>>()?;
    let others = others.iter().copied().filter(|path| *path != Path::new("-"));
    check_files(chosen.iter().filter_map(Output::path).chain(others), inputs)?;
    Ok(chosen)
}

/// Writes a map to all outputs, says so, and returns the names of the files.
pub(crate) fn write_all(
    outputs: &[Output],
    table: &EmbeddingTable<'_>,
    picture: &Picture<'_>,
    terminal: Terminal,
) -> Result<Vec<String>> {
    let mut written = Vec::new();
    for output in outputs {
        written.extend(output.write(table, picture)?.iter().map(|path| path.display().to_string()));
    }
    if !written.is_empty() {
        terminal.say(&format!("wrote {}", written.join(", ")));
    }
    Ok(written)
}

/// Checks the files that will be written: all different, none of them an input, all writable.
pub(crate) fn check_files<'a>(files: impl Iterator<Item = &'a Path>, inputs: &[&Path]) -> Result<()> {
    let inputs: Vec<PathBuf> = inputs.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in files {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if inputs.contains(&real) {
            let problem = "this is the input file itself, and it would be overwritten; choose another name";
            return Err(Failure::BadInput(format!("{}: {problem}", path.display())).into());
        }
        if seen.contains(&real) {
            return Err(Failure::BadInput(format!(
                "{}: this output is given twice; remove one of them",
                path.display()
            ))
            .into());
        }
        check_writable(path).context("nothing was computed")?;
        seen.push(real);
    }
    Ok(())
}

/// The name of a file without its extensions.
pub(crate) fn title(path: &Path) -> String {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    name.split('.').find(|part| !part.is_empty()).unwrap_or(&name).to_owned()
}

/// Refuses a file name with another extension than these.
pub(crate) fn check_ending(path: &Path, endings: &[&str]) -> Result<()> {
    if endings.contains(&ending(path).as_str()) {
        return Ok(());
    }
    let list: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    Err(Failure::BadInput(format!("{}: the file name must end in {}", path.display(), list.join(" or "))).into())
}

/// Creates a folder if it does not exist.
pub(crate) fn make_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path)
        .map_err(|error| Failure::NotPossible(format!("cannot create the folder {}: {error}", path.display())).into())
}
