//! Options about the input file.

use super::choice;
use clap::{ArgAction, Args};
use dosnes::Kind;
use dosnes_io::{Format, MissingValues, ReadOptions};
use std::path::PathBuf;

/// How the file is read. What is left open is decided from the contents, and said.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Reading (what is left open is decided from the contents)")]
pub(crate) struct ReadArgs {
    /// What the file holds.
    #[arg(long = "as", value_name = "KIND", value_parser = choice::<Kind>())]
    pub(crate) kind: Option<Kind>,
    /// The file's format.
    #[arg(long, value_name = "NAME", value_parser = choice::<Format>())]
    pub(crate) format: Option<Format>,
    /// Take the columns of points or dyadic data as the items.
    #[arg(long)]
    pub(crate) transpose: bool,
    /// The column of ids: its header, or its number from 1; in .h5ad a column of obs.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Option<String>,
    /// Columns that are metadata, not coordinates: headers, or numbers from 1. They go on to the outputs.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    pub(crate) labels: Vec<String>,
    /// Columns that are not read.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,
    /// The column with the weights of an edge list.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) weight: Option<String>,
    /// Which array: a name in .npz or .mat; X, obsm/NAME, obsp/NAME, layers/NAME or raw/X in .h5ad; a network in .paj.
    #[arg(long, value_name = "NAME")]
    pub(crate) array: Option<String>,
    /// Edges have a direction.
    #[arg(long, overrides_with = "undirected")]
    pub(crate) directed: bool,
    /// Edges have no direction: each counts both ways.
    #[arg(long, overrides_with = "directed")]
    pub(crate) undirected: bool,
    /// The character between cells; `tab` and `space` are understood.
    #[arg(long, value_name = "CHARACTER", value_parser = separator)]
    pub(crate) separator: Option<char>,
    /// Whether the first line holds the columns' names.
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, value_parser = yes_or_no)]
    pub(crate) header: Option<bool>,
    /// A table about the items (names, labels): keyed by id, or a line each in the same order.
    #[arg(long, value_name = "FILE")]
    pub(crate) items: Option<PathBuf>,
    /// The same about the columns of dyadic data.
    #[arg(long, value_name = "FILE")]
    pub(crate) partners: Option<PathBuf>,
    /// What to do with rows of points that have missing values.
    #[arg(long, value_name = "NAME", value_parser = choice::<MissingValues>(), default_value_t = MissingValues::Error)]
    pub(crate) missing: MissingValues,
}

impl ReadArgs {
    /// As the reader wants it.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            kind: self.kind,
            format: self.format,
            id_column: self.id.clone(),
            label_columns: self.labels.clone(),
            ignore_columns: self.ignore.clone(),
            weight_column: self.weight.clone(),
            array: self.array.clone(),
            directed: match (self.directed, self.undirected) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            },
            separator: self.separator,
            header: self.header,
            items_file: self.items.clone(),
            partners_file: self.partners.clone(),
            missing: self.missing,
            transpose: self.transpose,
        }
    }
}

fn separator(text: &str) -> Result<char, String> {
    let mut characters = text.chars();
    match (text, characters.next(), characters.next()) {
        ("tab" | "\\t", ..) => Ok('\t'),
        ("space", ..) => Ok(' '),
        (_, Some(c), None) if c.is_ascii() => Ok(c),
        _ => Err("give one character, or `tab` or `space`".into()),
    }
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" | "true" => Ok(true),
        "no" | "false" => Ok(false),
        _ => Err("give `yes` or `no`".into()),
    }
}
