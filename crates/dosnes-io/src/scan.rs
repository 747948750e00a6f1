//! A first look at a text table: separator, header, names, and which columns hold numbers.

use crate::error::Error;
use crate::options::ReadOptions;
use crate::records::{Cell, Comments, Record, Records, Separator, detect_separator, parse_cell};
use crate::source::Source;

/// So many records are looked at before the table is read.
const SAMPLE: usize = 1000;

/// Names that only a header has.
const HEADER_NAMES: [&str; 30] = [
    "id",
    "name",
    "names",
    "label",
    "labels",
    "node",
    "nodes",
    "node_id",
    "source",
    "target",
    "from",
    "to",
    "src",
    "dst",
    "weight",
    "origin",
    "destination",
    "title",
    "key",
    "index",
    "class",
    "category",
    "barcode",
    "type",
    "group",
    "cluster",
    "species",
    "description",
    "author",
    "partner",
];

/// What the first records of a table show.
pub(crate) struct Scan {
    pub(crate) separator: Separator,
    pub(crate) header: bool,
    /// The header's names, or the columns' numbers from 1.
    pub(crate) names: Vec<String>,
    /// What each column holds.
    pub(crate) columns: Vec<ColumnSample>,
    /// The first records, without the header.
    pub(crate) sample: Vec<Record>,
    /// Whether the header has no cell for the first column, as R writes it.
    pub(crate) short_header: bool,
    /// Records before the data: the header, or the sizes that word2vec writes.
    pub(crate) skip: usize,
}

/// What the sampled cells of a column are.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ColumnSample {
    pub(crate) numbers: usize,
    pub(crate) integers: usize,
    pub(crate) texts: usize,
}

impl ColumnSample {
    /// More numbers than texts: the odd text in it is then an error, not a reason to take it for labels.
    pub(crate) fn is_numeric(self) -> bool {
        self.numbers > self.texts || (self.numbers == 0 && self.texts == 0)
    }

    pub(crate) fn is_integer(self) -> bool {
        self.texts == 0 && self.numbers > 0 && self.numbers == self.integers
    }
}

impl Scan {
    pub(crate) fn new(source: &Source<'_>, options: &ReadOptions, comments: Comments) -> Result<Self, Error> {
        let separator = match options.separator {
            Some(' ') => Separator::Whitespace,
            Some(c) => Separator::Character(u8::try_from(c).ok().filter(u8::is_ascii).ok_or_else(|| {
                Error::option(&source.name, format!("the separator '{c}' is not an ASCII character"))
            })?),
            None => detect_separator(source, comments)?,
        };
        let mut sample = first_records(source, separator, comments)?;
        if sample.is_empty() {
            return Err(Error::empty(&source.name, "there is no data in it, only blank lines or comments"));
        }
        let sizes = options.header.is_none() && starts_with_sizes(&sample);
        if sizes {
            sample.remove(0);
        }
        let short_header = options.header != Some(false)
            && sample.len() > 1
            && sample[1..].iter().all(|r| r.len() == sample[0].len() + 1)
            && sample[0].iter().all(|cell| parse_cell(cell, separator, &mut false) == Cell::Text);
        let header =
            !sizes && (short_header || options.header.unwrap_or_else(|| looks_like_header(&sample, separator)));
        let width = if header && sample.len() > 1 { common_width(&sample[1..]) } else { common_width(&sample) };
        let names: Vec<String> = if header {
            let first = sample.remove(0);
            let lead = short_header.then(String::new).into_iter();
            lead.chain(first.iter().map(str::to_owned)).collect()
        } else {
            (1..=width).map(|k| k.to_string()).collect()
        };
        let columns = (0..names.len()).map(|k| sample_column(&sample, k, separator)).collect();
        Ok(Self { separator, header, names, columns, sample, short_header, skip: usize::from(header || sizes) })
    }

    /// A list of names: each line is one cell.
    pub(crate) fn lines(source: &Source<'_>) -> Result<Self, Error> {
        let separator = Separator::Never;
        let sample = first_records(source, separator, Comments::AtTop)?;
        let columns = vec![sample_column(&sample, 0, separator)];
        Ok(Self { separator, header: false, names: vec!["1".into()], columns, sample, short_header: false, skip: 0 })
    }

    pub(crate) fn width(&self) -> usize {
        self.names.len()
    }

    /// The column that a user means by `name`: its header, its header in other case, or its number from 1.
    pub(crate) fn find(&self, file: &str, name: &str) -> Result<usize, Error> {
        find_column(&self.names, name).ok_or_else(|| {
            let there = if self.header {
                format!("the columns are {}", self.names.join(", "))
            } else {
                format!("there are {} columns, numbered from 1, and no header", self.width())
            };
            Error::option(file, format!("there is no column \"{name}\"; {there}"))
        })
    }
}

/// The column that `name` means among `names`.
pub(crate) fn find_column(names: &[String], name: &str) -> Option<usize> {
    names
        .iter()
        .position(|n| n == name)
        .or_else(|| names.iter().position(|n| n.eq_ignore_ascii_case(name)))
        .or_else(|| name.parse::<usize>().ok().filter(|k| (1..=names.len()).contains(k)).map(|k| k - 1))
}

fn first_records(source: &Source<'_>, separator: Separator, comments: Comments) -> Result<Vec<Record>, Error> {
    let mut records = Records::new(source, separator, comments)?;
    let mut sample = Vec::new();
    let mut cells = 0;
    let mut record = Record::default();
    while sample.len() < SAMPLE && cells < 1 << 20 {
        match records.next(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            // What breaks later in the file is reported when the file is read in earnest.
            Err(_) if !sample.is_empty() => break,
            Err(error) => return Err(error),
        }
        cells += record.len();
        sample.push(record.clone());
    }
    Ok(sample)
}

fn common_width(sample: &[Record]) -> usize {
    let count = |width: usize| sample.iter().filter(|r| r.len() == width).count();
    let mut widths: Vec<usize> = sample.iter().map(Record::len).collect();
    widths.sort_unstable();
    widths.dedup();
    widths.into_iter().max_by_key(|&w| count(w)).unwrap_or(0)
}

/// The first line of a word2vec file: how many rows follow, and of how many numbers besides the word.
fn starts_with_sizes(sample: &[Record]) -> bool {
    let Some((first, rest)) = sample.split_first() else { return false };
    let width = common_width(rest);
    let is_size = |k: usize, value: usize| first.get(k).parse() == Ok(value);
    width > 2 && first.len() == 2 && first.get(0).parse::<usize>().is_ok() && is_size(1, width - 1)
}

/// Names of columns such as `1990, 1991, 1995`.
fn are_years(cells: &[Cell]) -> bool {
    let years: Vec<f64> = cells.iter().filter_map(|c| if let Cell::Number(v) = c { Some(*v) } else { None }).collect();
    years.len() > 1
        && years.iter().all(|y| (1500.0..2200.0).contains(y) && y.fract() == 0.0)
        && years.windows(2).all(|pair| pair[0] < pair[1])
}

fn sample_column(sample: &[Record], column: usize, separator: Separator) -> ColumnSample {
    let mut counts = ColumnSample::default();
    for record in sample.iter().filter(|r| r.len() > column) {
        match parse_cell(record.get(column), separator, &mut false) {
            Cell::Number(value) => {
                counts.numbers += 1;
                counts.integers += usize::from(value.fract() == 0.0);
            }
            Cell::Text => counts.texts += 1,
            Cell::Missing => {}
        }
    }
    counts
}

/// A header has no numbers in it, and stands above a column of numbers or has a name that is usual for one. What pandas
/// writes above row names is one too (`,0,1,2`, with nothing in the first cell), and so are years after a text.
fn looks_like_header(sample: &[Record], separator: Separator) -> bool {
    let Some((first, rest)) = sample.split_first() else { return false };
    let cells: Vec<Cell> = first.iter().map(|c| parse_cell(c, separator, &mut false)).collect();
    if cells.first() == Some(&Cell::Missing) && first.get(0).is_empty() && first.len() > 1 {
        return rest.iter().all(|r| r.len() > 0 && !r.get(0).is_empty()) && !rest.is_empty();
    }
    if cells.first() == Some(&Cell::Text) && are_years(&cells) {
        return true;
    }
    if cells.iter().any(|c| matches!(c, Cell::Number(_) | Cell::Missing)) {
        return false;
    }
    if rest.is_empty() {
        return true;
    }
    if first.iter().any(|c| HEADER_NAMES.contains(&c.to_lowercase().as_str())) {
        return true;
    }
    (0..first.len()).any(|k| {
        let counts = sample_column(rest, k, separator);
        counts.numbers > counts.texts
    })
}
