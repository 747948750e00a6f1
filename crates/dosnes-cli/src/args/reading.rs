//! Options about the input file.

use super::{choice, headings};
use clap::{ArgAction, Args};
use dosnes::Kind;
use dosnes_io::{Format, MissingValues, ReadOptions, Standardize};
use std::path::PathBuf;

/// How the file is read. What is not given is detected from the contents, and printed.
#[derive(Debug, Clone, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[command(next_help_heading = headings::READING)]
pub(crate) struct ReadArgs {
    /// Kind of data in the file [default: detected from the contents, and printed].
    #[arg(long = "as", value_name = "KIND", value_parser = choice::<Kind>(), help_heading = headings::MOST_USED)]
    pub(crate) kind: Option<Kind>,
    /// File format [default: detected from the contents].
    #[arg(long, value_name = "NAME", value_parser = choice::<Format>())]
    pub(crate) format: Option<Format>,
    /// Embed the columns of points or dyadic data instead of the rows.
    #[arg(long)]
    pub(crate) transpose: bool,
    /// Column with the ids: its name or its number, counted from 1; in .h5ad files a column of obs.
    #[arg(long, value_name = "COLUMN", help_heading = headings::TABLES)]
    pub(crate) id: Option<String>,
    /// Columns with metadata, not coordinates: names or numbers, counted from 1. They are copied to the outputs.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', help_heading = headings::TABLES)]
    pub(crate) labels: Vec<String>,
    /// Columns to ignore.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', help_heading = headings::TABLES)]
    pub(crate) ignore: Vec<String>,
    /// Column with the weights of an edge list.
    #[arg(long, value_name = "COLUMN", help_heading = headings::TABLES)]
    pub(crate) weight: Option<String>,
    /// Array to read: a name in .npz or .mat; X, obsm/NAME, obsp/NAME, layers/NAME or raw/X in .h5ad; a network in .paj.
    #[arg(long, value_name = "NAME")]
    pub(crate) array: Option<String>,
    /// Edges are directed.
    #[arg(long, overrides_with = "undirected")]
    pub(crate) directed: bool,
    /// Edges are undirected: each edge counts in both directions.
    #[arg(long, overrides_with = "directed")]
    pub(crate) undirected: bool,
    /// Character between cells, or `tab` or `space`.
    #[arg(long, value_name = "CHARACTER", value_parser = separator, help_heading = headings::TABLES)]
    pub(crate) separator: Option<char>,
    /// Whether the first line contains the names of the columns: `yes` or `no`.
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, value_parser = yes_or_no, help_heading = headings::TABLES)]
    pub(crate) header: Option<bool>,
    /// Table with metadata of the items, such as names and labels: matched by id, or one line for each item in the same order.
    #[arg(long, value_name = "FILE", help_heading = headings::MOST_USED)]
    pub(crate) items: Option<PathBuf>,
    /// Table with metadata of the columns of dyadic data or points, such as terms or genes, in the same form as for --items.
    #[arg(long, value_name = "FILE", help_heading = headings::TABLES)]
    pub(crate) partners: Option<PathBuf>,
    /// How to treat missing values (empty cells, NaN).
    #[arg(long, value_name = "NAME", value_parser = choice::<MissingValues>(), default_value_t = MissingValues::Error, help_heading = headings::PREPARATION)]
    pub(crate) missing: MissingValues,
    /// Numbers that mean that a value is missing, in tables of points: --na=-99,999. --missing says what becomes of them.
    #[arg(long, value_name = "NUMBER", value_delimiter = ',', allow_hyphen_values = true, help_heading = headings::PREPARATION)]
    pub(crate) na: Vec<f64>,
    /// Bring the columns of points to the same scale: `z` (mean 0, standard deviation 1) or `robust` (median, median absolute
    /// deviation) [default without a value: z].
    #[arg(long, value_name = "z|robust|none", num_args = 0..=1, default_missing_value = "z", value_parser = choice::<Standardize>(), help_heading = headings::MOST_USED)]
    pub(crate) standardize: Option<Standardize>,
    /// The points are counts of single cells: scale each cell to the same total, take log(1 + x), and keep the 2,000 most
    /// variable genes.
    #[arg(long, help_heading = headings::PREPARATION)]
    pub(crate) counts: bool,
    /// Skip this many lines above a text table.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, help_heading = headings::TABLES)]
    pub(crate) skip: usize,
    /// Stop with an error where the reading is a guess that would ruin the map if it were wrong; for scripts.
    #[arg(long)]
    pub(crate) strict_input: bool,
    /// Set by commands that add items to a map.
    #[arg(skip)]
    pub(crate) one_item: bool,
}

impl ReadArgs {
    /// The options of the reader.
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
            missing_codes: self.na.clone(),
            standardize: self.standardize,
            cell_counts: self.counts,
            skip: self.skip,
            strict: self.strict_input,
            transpose: self.transpose,
            one_item: self.one_item,
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
